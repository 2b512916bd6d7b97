# syntax=docker/dockerfile:1

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund \
 && npm run build \
 && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
# git is what the brains of tenants are kept in.
RUN apt-get update \
 && apt-get install -y --no-install-recommends git \
 && rm -rf /var/lib/apt/lists/* \
 && mkdir /data /brains \
 && chown node:node /data /brains \
 && ln -s /app/bin/gateway.js /usr/local/bin/gateway
COPY --from=build /app/package.json /app/LICENSE /app/
COPY --from=build /app/node_modules /app/node_modules
COPY --from=build /app/bin /app/bin
COPY --from=build /app/sdk /app/sdk
COPY --from=build /app/kernel /app/kernel
COPY --from=build /app/plugins /app/plugins
# Nobody is local in a container: the first start makes the local token and prints it, once.
ENV NODE_ENV=production \
    GATEWAY_HOST=0.0.0.0 \
    GATEWAY_PORT=7411 \
    GATEWAY_DATA_DIR=/data \
    GATEWAY_LOOPBACK_TRUST=0 \
    GATEWAY_LOCAL_TOKEN_FILE=/data/keys/local.token
# Also the root: gateway.config.json is looked for here, and nothing outside is written.
WORKDIR /data
VOLUME /data
USER node
EXPOSE 7411
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.GATEWAY_PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/gateway.js"]
CMD ["start"]
