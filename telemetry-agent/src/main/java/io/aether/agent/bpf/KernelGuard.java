// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The kernel program that judges packets as they arrive. Thread-safe. It holds nothing in the kernel after {@link #close}
 * or the end of the process, unless {@link #pin} was called.
 *
 * <p>The kernel's lists are longest-prefix tries: of two entries that hold an address only the longer one is seen. Whoever
 * enters a network with an expiry takes it out in time, so that a shorter one around it is seen again.
 */
public final class KernelGuard implements AutoCloseable {
    private static final int HEAD_FIELDS = 3;
    private static final int INTERFACE_FIELDS = 5;
    private static final int XDP_PASS = 2;
    private static final int MANAGEMENT = 1; // flags of a network
    private static final int AT_RUN_TIME = 2;

    private final GuardSettings settings;
    private long handle;

    private KernelGuard(GuardSettings settings, long handle) {
        this.settings = settings;
        this.handle = handle;
    }

    /**
     * The program as a whole.
     *
     * @param state ATTACHED once it is loaded
     */
    public record Status(ProbeStatus.State state, String reason, String fix, List<GuardInterface> interfaces) {
        public Status {
            interfaces = List.copyOf(interfaces);
        }
    }

    /**
     * What one packet meets.
     *
     * @param passes whether it goes on
     * @param nanos time of one run, ns, mean
     */
    public record Trial(boolean passes, long nanos) {}

    /**
     * Loads the program and enters the management networks. It judges nothing before {@link #attach}. Where it cannot be
     * loaded, {@link #status} tells why.
     *
     * @throws ProbesUnavailableException off Linux, without the library, or when a management network would be missing
     */
    public static KernelGuard open(GuardSettings settings) {
        NativeLibrary.load();
        long handle = NativeGuard.open(settings.numbers());
        if (handle == 0) {
            throw new ProbesUnavailableException("out of memory", "");
        }
        KernelGuard guard = new KernelGuard(settings, handle);
        settings.interfaces().forEach(name -> NativeGuard.addInterface(handle, name));
        NativeGuard.load(handle);
        int size = settings.management().size();
        if (guard.status().state() == ProbeStatus.State.ATTACHED
                && guard.enter(GuardList.ALLOW, settings.management(), 0) < size) {
            guard.close();
            throw new ProbesUnavailableException(
                    "the kernel did not take all of the management networks", "give the agent more memory");
        }
        return guard;
    }

    /**
     * Has {@link #attach} pin what it attaches, and take over what an earlier agent pinned; before it. The interfaces stay
     * guarded by what the lists hold when the process is killed.
     *
     * @return why that cannot be and the fix; both empty when it can
     */
    public synchronized List<String> pin(PinSettings pins) {
        return List.of(NativeGuard.pin(handle(), pins.directory().toString(), pins.keepOnStop()));
    }

    /**
     * Attaches to each interface where the program is not attached; {@link #status} tells where it cannot. Called again, it
     * takes interfaces that were missing, held by another program, or replaced.
     */
    public synchronized void attach() {
        NativeGuard.attach(handle());
    }

    public synchronized Status status() {
        String[] fields = NativeGuard.status(handle());
        List<GuardInterface> interfaces = new ArrayList<>();
        for (int i = HEAD_FIELDS; i < fields.length; i += INTERFACE_FIELDS) {
            interfaces.add(new GuardInterface(
                    fields[i], ProbeStatus.State.valueOf(fields[i + 1]), fields[i + 2], fields[i + 3], fields[i + 4]));
        }
        return new Status(ProbeStatus.State.valueOf(fields[0]), fields[1], fields[2], interfaces);
    }

    /**
     * Enters networks into a list, or changes the expiry of those that are in it.
     *
     * @param expires CLOCK_MONOTONIC ns; 0 for never
     * @return how many the kernel took, from the first on; fewer than given when the list is full
     */
    public synchronized int enter(GuardList list, Collection<Cidr> networks, long expires) {
        return NativeGuard.enter(handle(), list.number(), bytes(list, networks, 0), expires);
    }

    /** The same, of networks that the next agent shall find with {@link #earlier} if this one is killed. */
    public synchronized int enterAtRunTime(GuardList list, Collection<Cidr> networks, long expires) {
        return NativeGuard.enter(handle(), list.number(), bytes(list, networks, AT_RUN_TIME), expires);
    }

    /**
     * What an earlier agent, whose pins are there, was given at run time, with the expiry of each; before the first
     * {@link #attach}. Some may have ended meanwhile.
     */
    public synchronized Map<Cidr, Long> earlier(GuardList list) {
        byte[] entries = NativeGuard.earlier(handle(), list.number());
        Map<Cidr, Long> expiries = new LinkedHashMap<>();
        ByteBuffer from =
                ByteBuffer.wrap(entries == null ? new byte[0] : entries).order(ByteOrder.nativeOrder());
        while (from.hasRemaining()) {
            expiries.put(Cidr.take(from), from.getLong());
        }
        return expiries;
    }

    /** Takes networks out of a list; how many were in it. Management networks stay. */
    public synchronized int takeOut(GuardList list, Collection<Cidr> networks) {
        List<Cidr> others = networks.stream()
                .filter(cidr ->
                        list == GuardList.BLOCK || !settings.management().contains(cidr))
                .toList();
        return NativeGuard.takeOut(handle(), list.number(), bytes(list, others, 0));
    }

    private byte[] bytes(GuardList list, Collection<Cidr> networks, int flags) {
        ByteBuffer bytes = ByteBuffer.allocate(networks.size() * Cidr.BYTES);
        networks.forEach(
                cidr -> cidr.put(bytes, list == GuardList.ALLOW && managed(cidr) ? flags | MANAGEMENT : flags));
        return bytes.array();
    }

    /** Else an allowed network would hide the management network around it once it has expired. */
    private boolean managed(Cidr cidr) {
        return settings.management().stream().anyMatch(management -> management.covers(cidr));
    }

    /** Packets by verdict since the start. */
    public synchronized Map<GuardVerdict, Long> verdicts() {
        long[] counts = NativeGuard.verdicts(handle());
        Map<GuardVerdict, Long> verdicts = new EnumMap<>(GuardVerdict.class);
        GuardVerdict[] order = GuardVerdict.values();
        for (int i = 0; i < order.length; i++) {
            verdicts.put(order[i], counts[i]);
        }
        return verdicts;
    }

    /**
     * Runs the program on an Ethernet frame that never was on a wire, as if it came by this namespace's loopback; it counts
     * like any other.
     *
     * @param repeat how often, at least 1
     * @throws IllegalStateException when the kernel cannot
     */
    public synchronized Trial tryPacket(byte[] frame, int repeat) {
        long[] answer = NativeGuard.tryPacket(handle(), frame, repeat);
        if (answer.length < 2) {
            throw new IllegalStateException("the kernel cannot run the program: error " + -answer[0]);
        }
        return new Trial(answer[0] == XDP_PASS, answer[1]);
    }

    /** The kernel's id, as {@code bpftool prog show id} takes it; 0 when it is not loaded. */
    public synchronized int programId() {
        return (int) NativeGuard.program(handle())[0];
    }

    /** Instructions that the verifier walked; 0 when the program is not loaded, or the kernel does not tell. */
    public synchronized long verifiedInstructions() {
        return NativeGuard.program(handle())[1];
    }

    /** Detaches everywhere. May be called again. */
    @Override
    public synchronized void close() {
        if (handle != 0) {
            NativeGuard.close(handle);
            handle = 0;
        }
    }

    private long handle() {
        if (handle == 0) {
            throw new IllegalStateException("closed");
        }
        return handle;
    }
}
