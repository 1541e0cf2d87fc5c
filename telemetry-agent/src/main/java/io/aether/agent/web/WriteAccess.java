// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Lets requests that change something pass only with the configured token, and looks before it reads their body.
 * Thread-safe.
 */
@Component
class WriteAccess implements HandlerInterceptor, WebMvcConfigurer {
    private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");
    private static final String SCHEME = "Bearer ";
    /** Over a million networks; enough, and what the agent's memory can take. */
    private static final long MOST_BYTES = 32L << 20;

    private static final String FIX =
            "set aether.agent.token, or aether.agent.token-file to a file that only the agent can read";

    private final AccessProperties properties;

    WriteAccess(AccessProperties properties) {
        this.properties = properties;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this).addPathPatterns("/api/**");
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (!READS.contains(request.getMethod())) {
            check(request.getHeader(HttpHeaders.AUTHORIZATION));
            checkLength(request);
        }
        return true;
    }

    private static void checkLength(HttpServletRequest request) {
        if (request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null) {
            throw refusal(HttpStatus.LENGTH_REQUIRED, "send the body's length in Content-Length");
        }
        if (request.getContentLengthLong() > MOST_BYTES) {
            throw refusal(HttpStatus.CONTENT_TOO_LARGE, "the body must not be longer than " + MOST_BYTES + " bytes");
        }
    }

    private void check(@Nullable String header) {
        String expected = token();
        String given = header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? header.substring(SCHEME.length()).strip()
                : null;
        // Digests are of one length, so the comparison's time tells nothing about the token.
        if (given == null || !MessageDigest.isEqual(digest(given), digest(expected))) {
            ErrorResponseException refusal = refusal(
                    HttpStatus.UNAUTHORIZED,
                    given == null
                            ? "changes need the agent's token: send 'Authorization: Bearer TOKEN'"
                            : "this is not the agent's token");
            refusal.getHeaders().set(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
            throw refusal;
        }
    }

    private String token() {
        if (properties.token() != null) {
            return properties.token();
        }
        Path file = properties.tokenFile();
        if (file == null) {
            throw refusal(HttpStatus.FORBIDDEN, "changes are refused because no token is configured: " + FIX);
        }
        String token;
        try (Stream<String> lines = Files.lines(file, UTF_8)) {
            token = lines.findFirst().orElse("").strip();
        } catch (IOException | UncheckedIOException e) {
            throw refusal(
                    HttpStatus.FORBIDDEN,
                    "changes are refused because the token file " + file + " cannot be read: " + e.getMessage());
        }
        if (token.length() < AccessProperties.LEAST) {
            throw refusal(
                    HttpStatus.FORBIDDEN,
                    "changes are refused because the first line of " + file + " has less than " + AccessProperties.LEAST
                            + " characters");
        }
        return token;
    }

    private static ErrorResponseException refusal(HttpStatus status, String detail) {
        return new ErrorResponseException(status, ProblemDetail.forStatusAndDetail(status, detail), null);
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // Every Java has it.
        }
    }
}
