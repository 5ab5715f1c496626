# The command `keystamp`, and with --target emulator the local Cosmos DB alone:
#   docker build -t keystamp .
#   docker build -t keystamp-emulator --target emulator .
# docs/running-in-containers.md says how to run the images.

FROM node:24.18.0-alpine AS manifests
WORKDIR /app
# only the files that determine the dependencies, so that a change of the sources does not install them again
COPY package.json package-lock.json .npmrc ./
COPY connector/package.json connector/
COPY packages/cli/package.json packages/cli/
COPY packages/core/package.json packages/core/
COPY packages/cosmos/package.json packages/cosmos/
COPY packages/emulator/package.json packages/emulator/
COPY packages/files/package.json packages/files/
COPY packages/load/package.json packages/load/
COPY packages/move/package.json packages/move/
COPY packages/planner/package.json packages/planner/
COPY packages/testkit/package.json packages/testkit/
COPY packages/stream/package.json packages/stream/
COPY test/package.json test/
COPY bench/package.json bench/

FROM manifests AS build
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.base.json ./
COPY connector connector
COPY packages packages
# keeps only the built files: removes the sources and the state of the compiler
RUN npx tsc --build \
  && rm -r connector/src packages/*/src connector/dist/*.tsbuildinfo packages/*/dist/*.tsbuildinfo

FROM manifests AS emulator-modules
RUN npm ci --ignore-scripts --omit=dev --workspace @keystamp/emulator

FROM manifests AS keystamp-modules
RUN npm ci --ignore-scripts --omit=dev --workspace keystamp

FROM manifests AS peers
WORKDIR /peers
COPY docker/peers .npmrc ./
RUN npm ci --ignore-scripts

FROM node:24.18.0-alpine AS emulator
LABEL org.opencontainers.image.title="Keystamp emulator" \
  org.opencontainers.image.description="A local Azure Cosmos DB with true partitions, request units and throttling" \
  org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production
WORKDIR /app/packages/emulator
COPY --from=emulator-modules /app/node_modules /app/node_modules
COPY --from=build /app/packages/emulator ./
# the user `node`, by number: an orchestrator that forbids root cannot check a name
USER 1000
EXPOSE 8081
# any answer means that the emulator is ready; without a signature it is 401
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --start-interval=1s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8081/').then(() => process.exit(0), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/packages/emulator/bin/keystamp-emulator.mjs", "--host", "0.0.0.0"]

FROM node:24.18.0-alpine AS keystamp
LABEL org.opencontainers.image.title="Keystamp" \
  org.opencontainers.image.description="A Kafka sink for Azure Cosmos DB that makes the partition key, and the command line around it" \
  org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production
# overrides `http` in the configuration file, so that the probes always use the same address
ENV KEYSTAMP_SINK_HTTP_HOST=0.0.0.0 KEYSTAMP_SINK_HTTP_PORT=8080
# kafkajs sets timers with a time in the past, and Node 24 would print warnings about them between the lines of the log
ENV NODE_OPTIONS="--disable-warning=TimeoutNegativeWarning"
# a folder above the packages, in which they find the optional peer dependencies
COPY --from=peers /peers/node_modules /node_modules
COPY --from=keystamp-modules /app/node_modules /app/node_modules
COPY --from=build /app/connector /app/connector
COPY --from=build /app/packages /app/packages
WORKDIR /work
# the user `node`, by number: an orchestrator that forbids root cannot check a name
USER 1000
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --start-interval=1s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.KEYSTAMP_SINK_HTTP_PORT + '/livez').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# node itself is process 1 and gets the signals, without a shell or npm in between
ENTRYPOINT ["node", "/app/packages/cli/bin/keystamp.mjs"]
CMD ["sink", "--config", "/etc/keystamp/sink.yaml"]
