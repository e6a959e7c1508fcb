# The image is the node binary, the libraries that it loads, and the bundled program: no shell, no package manager.
# BUILD_IMAGE is any Debian with Node 22.19 or newer and npm; its node is the one that the image gets.
ARG BUILD_IMAGE=node:24-bookworm-slim

# The program is JavaScript, the same for every platform, so it is bundled where the build runs.
FROM --platform=$BUILDPLATFORM ${BUILD_IMAGE} AS bundle
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY rolldown.config.ts ./
COPY src ./src
RUN node node_modules/rolldown/bin/cli.mjs -c
# What cannot be bundled stays as packages: all that is left once the bundled ones are taken from the list.
COPY .ci/unbundled.mjs .ci/unbundled.mjs
RUN node .ci/unbundled.mjs && npm prune --omit=dev --ignore-scripts --offline

FROM ${BUILD_IMAGE} AS root
RUN mkdir -p /image/usr/local/bin /image/etc /image/home/nonroot /image/tmp && chmod 1777 /image/tmp \
  && cp "$(readlink -f "$(command -v node)")" /image/usr/local/bin/node \
  && ldd /image/usr/local/bin/node | grep -o '/[^ ]*' | xargs -I{} cp -L --parents {} /image \
  && echo 'nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin' > /image/etc/passwd \
  && echo 'nonroot:x:65532:' > /image/etc/group \
  && echo 'hosts: files dns' > /image/etc/nsswitch.conf
COPY --from=bundle /app/package.json /image/app/package.json
COPY --from=bundle /app/dist/bundle /image/app/dist/bundle
COPY --from=bundle /app/node_modules /image/app/node_modules
COPY LICENSE /image/app/LICENSE
# The program is found under its own name and under that of the Go exporter, whose defaults it has then.
RUN sed -i '1s|.*|#!/usr/local/bin/node|' /image/app/dist/bundle/main.js && chmod 755 /image/app/dist/bundle/main.js \
  && ln -s /app/dist/bundle/main.js /image/usr/local/bin/kube-sluice \
  && ln -s /app/dist/bundle/main.js /image/usr/local/bin/event-exporter \
  && ln -s /app/dist/bundle/main.js /image/event-exporter

FROM scratch
ARG VERSION=0.1.0
LABEL org.opencontainers.image.title="kube-sluice" \
  org.opencontainers.image.description="Exports Kubernetes Events, each revision once, labelled with the workload behind the pod" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.licenses="Apache-2.0"
COPY --from=root /image/ /
# Measured in docs/performance.md: less memory at no cost in CPU.
ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=2 MALLOC_ARENA_MAX=1 HOME=/home/nonroot PATH=/usr/local/bin
WORKDIR /home/nonroot
USER 65532:65532
EXPOSE 8080
ENTRYPOINT ["/usr/local/bin/kube-sluice"]
