# devnet with the packages for Redis:
#   docker build -t devnet . && docker run --rm -p 127.0.0.1:8545:8545 devnet
FROM node:22-bookworm-slim AS build
WORKDIR /src
COPY . .
# The build is part of the installation.
RUN npm ci --no-audit --no-fund && npm pack --ignore-scripts --pack-destination /tmp

FROM node:22-bookworm-slim
WORKDIR /app
COPY --from=build /tmp/devnet-*.tgz /tmp/
RUN npm install --no-audit --no-fund /tmp/devnet-*.tgz @redis/client@6 bullmq@6 && rm /tmp/devnet-*.tgz
# Keeps compiled code for all starts, whose user can't write here.
RUN node_modules/.bin/devnet run -- true
USER node
EXPOSE 8545
HEALTHCHECK --interval=5s --timeout=2s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8545/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/app/node_modules/.bin/devnet"]
CMD ["--host", "0.0.0.0"]
