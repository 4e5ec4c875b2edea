# The program with Node and DuckDB, for one-off verbs, for `schedule run`, and for the CronJobs of `schedule print k8s`.
#   docker build --tag candlehouse .
#   docker run --init --volume candlehouse:/data --env-file .env candlehouse
ARG NODE=node:24.20.0-trixie-slim

FROM ${NODE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY packages/client/package.json packages/client/
COPY packages/foundation/package.json packages/foundation/
COPY packages/sandbox/package.json packages/sandbox/
# --ignore-scripts: no package runs code of its own, and nothing is downloaded but packages.
RUN npm ci --no-audit --no-fund --ignore-scripts
COPY tsconfig.json LICENSE ./
COPY build build
COPY packages packages
COPY jobs jobs
COPY src src
COPY sql sql
COPY data/reference data/reference
# The site of `candlehouse docs`, and the texts that `candlehouse mcp` answers from.
COPY README.md CHANGELOG.md llms.txt ./
COPY docs docs
RUN npm run build

FROM ${NODE}
LABEL org.opencontainers.image.title="candlehouse" \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
# The programs are bundled: of node_modules they need the native library of DuckDB alone.
COPY --from=build /build/node_modules/@duckdb node_modules/@duckdb
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/dist dist
COPY --from=build /build/sql sql
COPY --from=build /build/data/reference data/reference
COPY --from=build /build/docs docs
# The working folder may have .env and candlehouse.toml, from a volume. Neither is in the image.
RUN mkdir /data /etc/candlehouse && chown 1000:1000 /data
WORKDIR /etc/candlehouse
ENV NODE_ENV=production \
    CANDLEHOUSE_HOME=/data
VOLUME /data
# The user `node` of the image, as a number: Kubernetes checks that it is not root.
USER 1000:1000
# status reads what is published and waits for no run.
HEALTHCHECK --interval=5m --timeout=1m --start-period=1m --retries=3 \
  CMD ["node", "/app/dist/src/main.js", "status", "--quiet"]
ENTRYPOINT ["node", "/app/dist/src/main.js"]
CMD ["schedule", "run"]
