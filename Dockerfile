# The understudy as a container: docs/containers.md. The context is this checkout, or a folder with the packed package.
FROM node:22-alpine AS package
WORKDIR /build
COPY . .
RUN set -- pipeline-understudy-*.tgz \
    && if [ ! -e "$1" ]; then \
         npm ci --ignore-scripts --no-audit --no-fund && npm run build && npm pack --ignore-scripts; \
       fi \
    && mkdir -p out/understudy out/state \
    && tar -xzf pipeline-understudy-*.tgz -C out/understudy --strip-components=1

# No shell, no package manager; the command carries all that it needs.
FROM gcr.io/distroless/nodejs22-debian12:nonroot
LABEL org.opencontainers.image.title="pipeline-understudy" \
      org.opencontainers.image.description="A stand-in for the pipeline orchestration service" \
      org.opencontainers.image.licenses="MIT"
COPY --from=package /build/out/understudy /understudy
# For --state; a volume that is mounted here belongs to the user below, too.
COPY --from=package --chown=65532:65532 /build/out/state /state
WORKDIR /understudy
USER 65532:65532
# Inside a container loopback is of nobody else. The admin API still wants its token from outside.
ENV UNDERSTUDY_HOST=0.0.0.0
EXPOSE 6789
# Any answer will do: with a token the admin API says 401 here, and without one it is up.
HEALTHCHECK --interval=5s --timeout=3s --start-period=5s --retries=3 \
  CMD ["/nodejs/bin/node", "-e", "fetch('http://127.0.0.1:6789/__understudy__/api/health').then(() => process.exit(0), () => process.exit(1))"]
ENTRYPOINT ["/nodejs/bin/node", "dist/cli/main.js"]
CMD ["serve"]
