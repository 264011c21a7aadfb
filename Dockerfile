# The image of pushpit. Build it at the top of the repository: docker build --tag pushpit .
# docs/install.md says how to use it.
#
# `scripts/package` makes the same image without a container engine: it takes the instructions of the last stage from
# this file, and tests them. The build here has not been run by us, because it needs images from a registry.
FROM swift:6.3-bookworm AS build
WORKDIR /src
COPY . .
RUN scripts/run --version && strip -o /pushpit .build/release/pushpit

FROM debian:bookworm-slim
# Debian keeps only the newest version of a package, so none is pinned.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates libcurl4 \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -m 1777 -o 65532 -g 65532 /certs /data
COPY --from=build /pushpit /usr/bin/pushpit
LABEL org.opencontainers.image.title="pushpit" \
    org.opencontainers.image.description="A push service for development and tests that answers like APNs and FCM" \
    org.opencontainers.image.licenses="MIT"
# A listener for other containers needs a token: without PUSHPIT_API_TOKEN the first start makes one in this file.
# hadolint ignore=DL3064
ENV PUSHPIT_LISTEN=0.0.0.0:2197 \
    PUSHPIT_CERTS=/certs \
    PUSHPIT_API_TOKEN_FILE=/certs/api-token \
    PUSHPIT_SHARE_CREDENTIALS=on
USER 65532:65532
EXPOSE 2197/tcp
HEALTHCHECK --interval=2s --timeout=3s --start-period=10s CMD ["/usr/bin/pushpit", "ready", "--wait", "1s"]
ENTRYPOINT ["/usr/bin/pushpit"]
CMD ["serve"]
