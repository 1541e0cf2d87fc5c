// SPDX-License-Identifier: Apache-2.0
package io.aether.sample.load;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks for one page at a fixed rate, whatever becomes of the requests before (an open loop), and prints a line every ten
 * seconds. Latency counts from the moment that a request was due, so a generator that falls behind shows it. Before that it
 * asks once at a time until it has had some answers, and the rate is reached within a minute, because cold processes would
 * drown in it.
 *
 * <p>Arguments: the page's URL, and requests per second (10 when missing). Exit code 2 when they make no sense.
 */
public final class Load {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration REPORT = Duration.ofSeconds(10);
    private static final Duration RAMP = Duration.ofMinutes(1);

    /** Answers after which processes are warm enough to be asked by more than one at a time. */
    private static final int WARM = 50;

    private static final Duration LONGEST_WARM_UP = Duration.ofMinutes(2);

    /** After a failure: what fails at once would otherwise be asked at once again. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    /** More than this in flight would only show how many a client can hold; those beyond count as failed. */
    private static final int MOST_IN_FLIGHT = 500;

    private static final double MOST_PER_SECOND = 10_000;

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private final Semaphore room = new Semaphore(MOST_IN_FLIGHT);
    private final Tally tally = new Tally();
    private final HttpRequest request;
    private final double perSecond;
    private final Duration ramp;
    private volatile boolean stopped;

    /**
     * @param perSecond requests a second, above 0 and at most 10,000
     * @param ramp until when the rate rises evenly from nothing
     */
    Load(URI page, double perSecond, Duration ramp) {
        if (!(perSecond > 0 && perSecond <= MOST_PER_SECOND)) {
            throw new IllegalArgumentException("the rate must be above 0 and at most " + (int) MOST_PER_SECOND);
        }
        this.request = HttpRequest.newBuilder(page).timeout(TIMEOUT).build();
        this.perSecond = perSecond;
        this.ramp = ramp;
    }

    public static void main(String[] args) {
        try {
            Load load = new Load(URI.create(args[0]), args.length > 1 ? Double.parseDouble(args[1]) : 10, RAMP);
            load.warmUp(System.out, WARM, LONGEST_WARM_UP);
            load.run(System.out, REPORT);
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            System.err.println("usage: Load URL [REQUESTS-PER-SECOND]: " + e.getMessage());
            System.exit(2);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks again as soon as there is an answer, until there were {@code wanted} or {@code limit} has passed; says so. */
    void warmUp(PrintStream out, int wanted, Duration limit) throws InterruptedException {
        long begun = System.nanoTime();
        int answers = 0;
        while (answers < wanted && System.nanoTime() - begun < limit.toNanos()) {
            if (isAnswered()) {
                answers++;
            } else {
                Thread.sleep(PAUSE.toMillis());
            }
        }
        long seconds = Duration.ofNanos(System.nanoTime() - begun).toSeconds();
        out.println("warmed up by " + answers + " answers in " + seconds + " s");
    }

    private boolean isAnswered() throws InterruptedException {
        try {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** Sends until {@link #stop} or an interrupt, and reports at every {@code interval}. */
    void run(PrintStream out, Duration interval) {
        long begun = System.nanoTime();
        long reported = begun;
        for (long sent = 0; !stopped && !Thread.currentThread().isInterrupted(); sent++) {
            long due = begun + dueNanos(sent);
            awaitDue(due);
            send(due);
            if (System.nanoTime() - reported >= interval.toNanos()) {
                reported += interval.toNanos();
                out.println(tally.next());
            }
        }
    }

    /** When request {@code n} is due, from the beginning: their number grows with the square of time during the ramp. */
    long dueNanos(long n) {
        double seconds = ramp.toNanos() / 1e9;
        double inRamp = perSecond * seconds / 2;
        double due = n < inRamp ? seconds * Math.sqrt(n / inRamp) : seconds + (n - inRamp) / perSecond;
        return (long) (due * 1e9);
    }

    private static void awaitDue(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
        }
    }

    private void send(long due) {
        if (!room.tryAcquire()) {
            tally.failed();
            return;
        }
        var unused = http.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                .whenComplete((response, failure) -> {
                    room.release();
                    if (failure == null && response.statusCode() == 200) {
                        tally.answered(System.nanoTime() - due);
                    } else {
                        tally.failed();
                    }
                });
    }

    void stop() {
        stopped = true;
    }
}
