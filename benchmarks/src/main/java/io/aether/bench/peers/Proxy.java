// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers;

import io.aether.bench.PrerequisiteException;
import io.aether.bench.demo.Launcher;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * HAProxy or nginx before the servers: installed ones, else those of {@code benchmarks/proxies}. They try another server where
 * nobody listens, as they do by default, and nothing else again.
 */
final class Proxy {
    /** One thread each: they share two processors with everything else, and a thread serves ten thousands a second. */
    @SuppressWarnings("InlineFormatString") // A whole file, which is read better by itself.
    private static final String HAPROXY = """
            global
              nbthread 1
            defaults
              mode http
              timeout connect 500ms
              timeout client 60s
              timeout server 1s
              retries 1
              option redispatch
              default-server check inter 500ms observe layer7 error-limit 5 on-error mark-down
            frontend clients
              bind 127.0.0.1:%d
              default_backend servers
            backend servers
              balance random(2)
            %s
            """;

    @SuppressWarnings("InlineFormatString")
    private static final String NGINX = """
            daemon off;
            master_process off;
            pid %1$s/nginx.pid;
            error_log stderr error;
            events { worker_connections 4096; }
            http {
              access_log off;
              client_body_temp_path %1$s;
              proxy_temp_path %1$s;
              fastcgi_temp_path %1$s;
              uwsgi_temp_path %1$s;
              scgi_temp_path %1$s;
              keepalive_requests 1000000;
              upstream servers {
                zone servers 64k;
                random two least_conn;
            %3$s
                keepalive 64;
              }
              server {
                listen 127.0.0.1:%2$d backlog=512;
                location / {
                  proxy_pass http://servers;
                  proxy_http_version 1.1;
                  proxy_set_header Connection "";
                  proxy_connect_timeout 500ms;
                  proxy_read_timeout 1s;
                }
              }
            }
            """;

    private final Policy policy;
    private final Path binary;
    private final Path libraries;

    private Proxy(Policy policy, Path binary, Path libraries) {
        this.policy = policy;
        this.binary = binary;
        this.libraries = libraries;
    }

    /**
     * Looks for one.
     *
     * @param unpacked where {@code benchmarks/proxies} puts them
     */
    static Proxy find(Policy policy, Path unpacked) throws PrerequisiteException {
        String name = policy.label();
        List<Path> places = new ArrayList<>();
        Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .map(Path::of)
                .forEach(places::add);
        places.addAll(List.of(Path.of("/usr/sbin"), unpacked.resolve("usr/sbin")));
        return places.stream()
                .map(place -> place.resolve(name))
                .filter(Files::isExecutable)
                .findFirst()
                .map(binary -> new Proxy(policy, binary, unpacked.resolve("usr/lib")))
                .orElseThrow(() -> new PrerequisiteException(name + " is not there: apt-get install " + name));
    }

    /** Starts it and waits until it listens. */
    Process start(int port, List<InetSocketAddress> servers, Path directory, Launcher launcher)
            throws IOException, InterruptedException {
        Path place = Files.createDirectories(directory.resolve(policy.label()));
        Path file = place.resolve("conf");
        boolean haproxy = policy == Policy.HAPROXY;
        Files.writeString(file, haproxy ? haproxy(port, servers) : nginx(place, port, servers));
        List<String> command = new ArrayList<>(List.of("env", "LD_LIBRARY_PATH=" + libraryPath(), binary.toString()));
        command.addAll(
                haproxy
                        ? List.of("-db", "-f", file.toString())
                        : List.of("-e", "stderr", "-p", place.toString(), "-c", file.toString()));
        Process process = launcher.start(policy.label(), policy.label(), null, command);
        try {
            Listening.await(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                    process,
                    launcher.log(policy.label()));
        } catch (IOException e) {
            Launcher.end(process, true);
            throw e;
        }
        return process;
    }

    /** Those of the machine are found anyway. */
    private String libraryPath() throws IOException {
        if (!Files.isDirectory(libraries)) {
            return "";
        }
        try (Stream<Path> places = Files.list(libraries)) {
            return places.map(Path::toString).collect(Collectors.joining(":"));
        }
    }

    private static String haproxy(int port, List<InetSocketAddress> servers) {
        return HAPROXY.formatted(port, lines("  server s%d %s", servers));
    }

    private static String nginx(Path place, int port, List<InetSocketAddress> servers) {
        return NGINX.formatted(place, port, lines("    server %2$s;", servers));
    }

    private static String lines(String line, List<InetSocketAddress> servers) {
        return IntStream.range(0, servers.size())
                .mapToObj(i -> line.formatted(
                        i, servers.get(i).getHostString() + ":" + servers.get(i).getPort()))
                .collect(Collectors.joining("\n"));
    }
}
