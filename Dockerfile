# SPDX-License-Identifier: Apache-2.0
# All images of the stack, from this repository's source: agent, gateway, sample (the checkout graph and its load),
# faults.
#
#   docker build --target agent -t aether/agent .
#
# One base for building and for running: what runs finds the same C library that it was built with.
ARG BASE=debian:12.12-slim

# --- building ---------------------------------------------------------------------------------------

FROM ${BASE} AS toolchain
# Slim images have no folder for manuals, and Java's package fails without it.
RUN mkdir -p /usr/share/man/man1 \
    && apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        ca-certificates openjdk-17-jdk-headless maven clang llvm make gcc libc6-dev binutils \
        libbpf-dev libelf-dev zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*

# A Java of the modules that Spring needs, a fifth of a whole one.
FROM toolchain AS java
RUN jlink --output /opt/java --strip-debug --no-man-pages --no-header-files --add-modules \
java.desktop,java.instrument,java.management,java.naming,java.net.http,java.security.jgss,java.sql,jdk.crypto.ec,jdk.management,jdk.naming.dns,jdk.unsupported,jdk.zipfs \
    && /opt/java/bin/java -Xshare:dump

# What the build downloads, in a layer that changes only when a pom does: a build of no source at all.
FROM java AS dependencies
WORKDIR /src
COPY pom.xml .
COPY .mvn .mvn
COPY bpf/pom.xml bpf/
COPY aether-core/pom.xml aether-core/
COPY aether-starter/pom.xml aether-starter/
COPY telemetry-agent/pom.xml telemetry-agent/
COPY gateway/pom.xml gateway/
COPY sample-services/pom.xml sample-services/
COPY benchmarks/pom.xml benchmarks/
COPY compatibility-tests/pom.xml compatibility-tests/
COPY integration-tests/pom.xml integration-tests/
RUN mvn -B -ntp -q -DskipTests -Dspotless.check.skip -Dexec.skip -Dspring-boot.repackage.skip \
    -pl telemetry-agent,gateway,sample-services -am package

FROM dependencies AS build
COPY bpf bpf
COPY aether-core/src aether-core/src
COPY aether-starter/src aether-starter/src
COPY telemetry-agent/src telemetry-agent/src
COPY gateway/src gateway/src
COPY sample-services/src sample-services/src
RUN mvn -B -ntp -q -DskipTests -Dspotless.check.skip -pl telemetry-agent,gateway,sample-services -am package \
    && for module in telemetry-agent gateway sample-services; do \
        java -Djarmode=tools -jar $module/target/*-exec.jar extract --destination /out/$module \
        && mv /out/$module/*-exec.jar /out/$module/application.jar || exit 1; \
    done

# --- running ----------------------------------------------------------------------------------------

FROM ${BASE} AS runtime
COPY --from=java /opt/java /opt/java
COPY docker/healthy docker/train /usr/local/bin/
ENV PATH=/opt/java/bin:$PATH LANG=C.UTF-8 MALLOC_ARENA_MAX=2 SERVER_ADDRESS=0.0.0.0
WORKDIR /app

# Needs capabilities, a view of the node's cgroups and of its processes: see docker-compose.yml.
FROM runtime AS agent
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends libelf1 \
    && rm -rf /var/lib/apt/lists/*
COPY docker/agent.options /app/jvm.options
COPY --from=build /out/telemetry-agent /app
EXPOSE 9464
HEALTHCHECK --interval=5s --timeout=40s --start-period=3m CMD ["healthy", "-w", "30", "9464"]
ENTRYPOINT ["java", "@/app/jvm.options", "-jar", "/app/application.jar"]

FROM runtime AS application
ENV SERVER_PORT=8080
COPY docker/application.options /app/jvm.options
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=40s --start-period=3m CMD ["healthy", "-w", "30", "8080"]
ENTRYPOINT ["java", "@/app/jvm.options", "-XX:SharedArchiveFile=/app/classes.jsa", "-jar", "/app/application.jar"]

FROM application AS gateway
COPY --from=build /out/gateway /app
RUN train /actuator/prometheus
USER 10001:10001

FROM application AS sample
COPY --from=build /out/sample-services /app
RUN train /checkout checkout auth cart profile pricing promo tax inventory shard shipping fraud payment order notify \
    recommend analytics fx ledger catalog model cache db carrier tax-office psp outbox
USER 10001:10001

# Switches the faults of the stack on and off.
FROM ${BASE} AS faults
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends iproute2 \
    && rm -rf /var/lib/apt/lists/*
COPY docker/fault /usr/local/bin/
ENTRYPOINT ["fault", "wait"]
