// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.guard;

import io.aether.agent.AgentProperties;
import io.aether.agent.bpf.Cidr;
import io.aether.agent.bpf.GuardInterface;
import io.aether.agent.bpf.GuardList;
import io.aether.agent.bpf.GuardVerdict;
import io.aether.agent.bpf.KernelGuard;
import io.aether.agent.bpf.PinSettings;
import io.aether.agent.bpf.Privileges;
import io.aether.agent.bpf.ProbeStatus;
import io.aether.agent.bpf.ProbesUnavailableException;
import io.aether.core.NanoClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Owns the kernel's guard and its lists. Whatever is missing costs only the guard. Interfaces that appear, are replaced or
 * are given up by another program are taken at the next look, 5 s later at most. Thread-safe.
 */
@Component
public class GuardService implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(GuardService.class);

    private static final String NAME = "guard";
    /** How long an entry may outlive its time: it still blocks then, which the operator asked for until just now. */
    private static final long EXPIRY_MILLIS = 50;

    private static final long LOOK_MILLIS = 5_000;

    /** CAP_NET_ADMIN and CAP_BPF, as numbered in linux/capability.h: interfaces come later than the rest is given up. */
    private static final long TO_ATTACH = 1L << 12 | 1L << 39;

    private final GuardProperties properties;
    private final AgentProperties.Pin pins;
    private final GuardLists lists;
    private final Map<String, GuardInterface> reported = new HashMap<>();

    private ProbeStatus.State state = ProbeStatus.State.DISABLED;
    private String reason = "no interface is named";
    private String fix = "name some in aether.agent.guard.interfaces";
    private @Nullable KernelGuard guard;
    private @Nullable ScheduledExecutorService housekeeper;

    public GuardService(GuardProperties properties, AgentProperties agent, NanoClock clock) {
        this.properties = properties;
        pins = agent.pin();
        lists = new GuardLists(properties.maxEntries(), clock);
    }

    /** After the web server, so that an agent whose port is taken touches no interface; before the probes report it. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 1;
    }

    @Override
    public synchronized void start() {
        if (properties.interfaces().isEmpty() || isRunning()) {
            return;
        }
        try {
            guard = KernelGuard.open(properties.settings());
        } catch (ProbesUnavailableException e) {
            state = ProbeStatus.State.UNSUPPORTED;
            reason = e.reason();
            fix = e.fix();
            return;
        }
        pin(guard);
        KernelGuard.Status loaded = guard.status();
        if (loaded.state() == ProbeStatus.State.ATTACHED) {
            if (!loaded.reason().isEmpty()) {
                log.warn("The guard goes on {}. Fix: {}.", loaded.reason(), loaded.fix());
            }
            fill(guard);
        }
        look(); // Attaches, now that the lists are filled.
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(GuardService::daemon);
        CompletableFuture.runAsync(() -> Privileges.keepOnThisThread(TO_ATTACH), thread)
                .join();
        ScheduledFuture<?> unusedExpiry =
                thread.scheduleWithFixedDelay(this::expire, EXPIRY_MILLIS, EXPIRY_MILLIS, TimeUnit.MILLISECONDS);
        ScheduledFuture<?> unusedLooks =
                thread.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        housekeeper = thread;
    }

    private void pin(KernelGuard opened) {
        if (!pins.enabled()) {
            return;
        }
        List<String> refusal = opened.pin(new PinSettings(pins.directory().toAbsolutePath(), pins.keepOnStop()));
        if (!refusal.get(0).isEmpty()) {
            log.warn("A killed agent leaves nothing guarded: {}. Fix: {}.", refusal.get(0), refusal.get(1));
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "aether-guard");
        thread.setDaemon(true);
        return thread;
    }

    private void fill(KernelGuard opened) {
        try {
            lists.configure(opened, GuardList.ALLOW, properties.allowed());
            lists.configure(opened, GuardList.BLOCK, properties.blocked());
            for (GuardList list : GuardList.values()) {
                int count = lists.takeOver(opened, list);
                if (count > 0) {
                    log.info("{} networks set at run time taken over into the {} list", count, lower(list));
                }
            }
        } catch (ListFullException e) {
            log.error("Not all networks were entered: {}", e.getMessage());
        }
    }

    private synchronized void expire() {
        if (guard != null) {
            lists.expire(guard);
        }
    }

    /** Attaches where that has become possible, and logs what changed. */
    private synchronized void look() {
        if (guard == null) {
            return;
        }
        guard.attach();
        KernelGuard.Status status = guard.status();
        status.interfaces().forEach(this::report);
        judge(status);
    }

    private void report(GuardInterface now) {
        GuardInterface before = reported.put(now.name(), now);
        if (now.equals(before)) {
            return;
        }
        if (now.state() == ProbeStatus.State.ATTACHED) {
            log.info(
                    "Guard on {}: {} mode, {}{}",
                    now.name(),
                    now.hook(),
                    lower(properties.mode()),
                    now.reason().isEmpty() ? "" : " (" + now.reason() + ")");
        } else {
            log.warn("Guard on {}: {}: {}. Fix: {}.", now.name(), lower(now.state()), now.reason(), now.fix());
        }
    }

    private void judge(KernelGuard.Status status) {
        state = status.interfaces().stream()
                .map(GuardInterface::state)
                .filter(one -> one != ProbeStatus.State.ATTACHED)
                .findFirst()
                .orElse(status.state());
        reason = joined(status.reason(), status, GuardInterface::reason);
        fix = joined(status.fix(), status, GuardInterface::fix);
    }

    /** What is said of the program and of each interface; a program that could not be loaded is why of all of them. */
    static String joined(String program, KernelGuard.Status status, Function<GuardInterface, String> of) {
        return Stream.concat(Stream.of(program), status.interfaces().stream().map(of))
                .filter(text -> !text.isEmpty())
                .distinct()
                .collect(Collectors.joining("; "));
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public synchronized void stop() {
        if (housekeeper != null) {
            housekeeper.shutdownNow();
        }
        if (guard != null) {
            guard.close();
        }
        housekeeper = null;
        guard = null;
        reported.clear();
        lists.clear();
        state = ProbeStatus.State.DISABLED;
    }

    @Override
    public synchronized boolean isRunning() {
        return guard != null;
    }

    /**
     * Enters networks into a list, or changes the expiry of those that are in it: all or none.
     *
     * @param lifetime null for ever
     */
    public synchronized void add(GuardList list, List<Cidr> networks, @Nullable Duration lifetime)
            throws ListFullException, GuardOffException {
        lists.add(running(), list, networks, lifetime);
    }

    /** Makes these the whole of a list: what stays in it is never absent in between. */
    public synchronized void replace(GuardList list, List<Cidr> networks, @Nullable Duration lifetime)
            throws ListFullException, GuardOffException {
        lists.replace(running(), list, networks, lifetime);
    }

    /** Removes networks from a list; those that were in it. */
    public synchronized List<Cidr> remove(GuardList list, List<Cidr> networks) throws GuardOffException {
        return lists.remove(running(), list, networks);
    }

    private KernelGuard running() throws GuardOffException {
        if (guard == null || guard.status().state() != ProbeStatus.State.ATTACHED) {
            throw new GuardOffException("the guard does not run: " + reason + (fix.isEmpty() ? "" : "; " + fix));
        }
        return guard;
    }

    /** A list, oldest first; the time left of each, negative for ever. */
    public synchronized Map<Cidr, Duration> list(GuardList list) {
        return lists.left(list);
    }

    /** Networks in a list. */
    public synchronized int size(GuardList list) {
        return lists.size(list);
    }

    /** The guard as one of the agent's probes; DISABLED when no interface is named. */
    public synchronized ProbeStatus probe() {
        int program = guard == null ? 0 : guard.programId();
        Map<String, Integer> programs = program == 0 ? Map.of() : Map.of("aether_guard", program);
        return new ProbeStatus(NAME, state, reason, fix, programs);
    }

    /** Each interface; empty while the guard is off. */
    public synchronized List<GuardInterface> interfaces() {
        return guard == null ? List.of() : guard.status().interfaces();
    }

    /** Packets by verdict; empty while the guard is off. */
    public synchronized Map<GuardVerdict, Long> verdicts() {
        return guard == null ? Map.of() : guard.verdicts();
    }

    public GuardProperties.Mode mode() {
        return properties.mode();
    }

    /** Networks that each list can hold, for IPv4 and IPv6 each. */
    public int maxEntries() {
        return properties.maxEntries();
    }
}
