// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.http.Http11SslContextSpec;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.tcp.AbstractProtocolSslContextSpec;

/**
 * A reactor-netty server and client in a process of its own, told by lines on standard input, each answered by one line.
 * Protocols are {@code http}, {@code h2c}, {@code https} and {@code h2}; the last two use OpenSSL's API (netty-tcnative).
 *
 * <pre>
 *   serve PROTOCOL HOST                              answers with the port
 *   get PROTOCOL HOST PORT STATUS MILLIS TIMES       one request after the other, on one connection
 * </pre>
 *
 * The server answers {@code /STATUS/MILLIS} with that status after that time.
 */
public final class WebMain {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final HttpClient client = HttpClient.create();

    public static void main(String[] args) throws IOException {
        WebMain web = new WebMain();
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("ready");
        String line;
        while ((line = commands.readLine()) != null) {
            try {
                System.out.println("ok " + web.obey(line.split(" ")));
            } catch (RuntimeException e) {
                System.out.println("failed " + e);
            }
        }
        System.exit(0);
    }

    private String obey(String[] words) {
        return switch (words[0]) {
            case "serve" -> serve(words[1], words[2]);
            case "get" -> get(words);
            default -> throw new IllegalArgumentException("unknown command " + words[0]);
        };
    }

    private static String serve(String protocol, String host) {
        File certificate = new File(System.getProperty("certificate", "none"));
        File key = new File(System.getProperty("key", "none"));
        HttpServer server = HttpServer.create().host(host).port(0).handle(WebMain::answer);
        server = switch (protocol) {
            case "h2c" -> server.protocol(HttpProtocol.H2C);
            case "https" -> {
                SslContext context = context(Http11SslContextSpec.forServer(certificate, key));
                yield server.secure(spec -> spec.sslContext(context));
            }
            case "h2" -> {
                SslContext context = context(Http2SslContextSpec.forServer(certificate, key));
                yield server.protocol(HttpProtocol.H2).secure(spec -> spec.sslContext(context));
            }
            default -> server;
        };
        return Integer.toString(server.bindNow(LIMIT).port());
    }

    private static Publisher<Void> answer(HttpServerRequest request, HttpServerResponse response) {
        String[] path = request.path().split("/");
        Mono<String> body = Mono.just("body");
        long millis = Long.parseLong(path[1]);
        response.status(Integer.parseInt(path[0]));
        return response.sendString(millis == 0 ? body : body.delayElement(Duration.ofMillis(millis)));
    }

    private String get(String[] words) {
        boolean secure = words[1].equals("https") || words[1].equals("h2");
        String host = words[2].contains(":") ? "[" + words[2] + "]" : words[2];
        String url = (secure ? "https://" : "http://") + host + ":" + words[3] + "/" + words[4] + "/" + words[5];
        HttpClient speaking = speaking(words[1]);
        for (int i = 0; i < Integer.parseInt(words[6]); i++) {
            Integer status = speaking.get()
                    .uri(url)
                    .responseSingle((response, body) ->
                            body.asString().thenReturn(response.status().code()))
                    .block(LIMIT);
            if (status == null || status != Integer.parseInt(words[4])) {
                throw new IllegalStateException("status " + status);
            }
        }
        return words[6];
    }

    private HttpClient speaking(String protocol) {
        return switch (protocol) {
            case "h2c" -> client.protocol(HttpProtocol.H2C);
            case "https" -> {
                SslContext context = context(Http11SslContextSpec.forClient());
                yield client.secure(spec -> spec.sslContext(context));
            }
            case "h2" -> {
                SslContext context = context(Http2SslContextSpec.forClient());
                yield client.protocol(HttpProtocol.H2).secure(spec -> spec.sslContext(context));
            }
            default -> client;
        };
    }

    private static SslContext context(AbstractProtocolSslContextSpec<?> spec) {
        try {
            return spec.configure(ssl ->
                            ssl.sslProvider(SslProvider.OPENSSL).trustManager(InsecureTrustManagerFactory.INSTANCE))
                    .sslContext();
        } catch (SSLException e) {
            throw new IllegalStateException(e);
        }
    }
}
