# Both stages take any image with Node 22.19 or newer; the running one needs `node` and `env`, no shell and no npm.
ARG BUILD_IMAGE=node:24-bookworm-slim
ARG RUNTIME_IMAGE=node:24-bookworm-slim

FROM ${BUILD_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN node_modules/.bin/tsc -p tsconfig.build.json && chmod 755 dist/cli/main.js
# Called as event-exporter, the program has the Go exporter's defaults. Links are made here: there may be no shell later.
RUN mkdir -p /links/usr/local/bin \
  && ln -s /app/dist/cli/main.js /links/usr/local/bin/kube-sluice \
  && ln -s /app/dist/cli/main.js /links/usr/local/bin/event-exporter \
  && ln -s /app/dist/cli/main.js /links/event-exporter

FROM ${BUILD_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --omit=dev

FROM ${RUNTIME_IMAGE}
LABEL org.opencontainers.image.title="kube-sluice" \
  org.opencontainers.image.description="Exports Kubernetes Events, each revision once" \
  org.opencontainers.image.licenses="Apache-2.0"
# The small young generation costs no speed here and keeps the peak of a big list down.
ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=2
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
COPY --from=build /links/ /
USER 65532:65532
EXPOSE 8080
ENTRYPOINT ["kube-sluice", "run"]
