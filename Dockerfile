# Both stages take any image with Node 22.19 or newer; the running one needs `node` and `env`, no shell and no npm.
ARG BUILD_IMAGE=node:24-bookworm-slim
ARG RUNTIME_IMAGE=node:24-bookworm-slim

FROM ${BUILD_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY rolldown.config.ts ./
COPY src ./src
RUN node node_modules/rolldown/bin/cli.mjs -c && chmod 755 dist/bundle/main.js
# Called as event-exporter, the program has the Go exporter's defaults. Links are made here: there may be no shell later.
RUN mkdir -p /links/usr/local/bin \
  && ln -s /app/dist/bundle/main.js /links/usr/local/bin/kube-sluice \
  && ln -s /app/dist/bundle/main.js /links/usr/local/bin/event-exporter \
  && ln -s /app/dist/bundle/main.js /links/event-exporter

# What the bundle cannot hold: a quarter of all dependencies, loaded when the Cloud Logging sink is chosen.
FROM ${BUILD_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --omit=dev \
  && npm pkg delete devDependencies \
  && node -p "Object.keys(require('./package.json').dependencies).filter((name) => !['@google-cloud/logging', 'gcp-metadata'].includes(name)).map((name) => 'dependencies.' + name).join('\n')" \
    | xargs npm pkg delete \
  && npm prune --omit=dev --ignore-scripts --offline

FROM ${RUNTIME_IMAGE}
LABEL org.opencontainers.image.title="kube-sluice" \
  org.opencontainers.image.description="Exports Kubernetes Events, each revision once" \
  org.opencontainers.image.licenses="Apache-2.0"
# Measured in docs/performance.md: less memory at no cost in CPU.
ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=2 MALLOC_ARENA_MAX=1
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist/bundle ./dist/bundle
COPY package.json LICENSE ./
COPY --from=build /links/ /
USER 65532:65532
EXPOSE 8080
ENTRYPOINT ["kube-sluice", "run"]
