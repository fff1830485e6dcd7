# Coexist with everything installed and built: docker compose run --rm coexist experiment hello
# The image holds the software only. Trials need the rights that compose.yaml names, of the machine's own kernel.
FROM node:24-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends \
    iproute2 ethtool iputils-ping iperf3 procps util-linux mount make gcc libc6-dev clang libbpf-dev libjson-c-dev linux-libc-dev chromium python3 git ca-certificates \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /coexist
COPY . .
RUN npm run setup
VOLUME /coexist/runs
ENTRYPOINT ["node", "harness/setup/run.mjs"]
CMD ["experiment", "hello"]
