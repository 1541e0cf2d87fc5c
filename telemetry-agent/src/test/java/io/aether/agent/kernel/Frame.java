// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.io.ByteArrayOutputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Ethernet frames made by hand, whose headers may be as wrong as a test wants. Checksums are left out. */
final class Frame {
    static final int FIN = 1;
    static final int SYN = 2;
    static final int RST = 4;
    static final int ACK = 16;
    static final int TCP = 6;
    static final int UDP = 17;
    static final int ICMP6 = 58;
    static final int HOP_BY_HOP = 0;
    static final int FRAGMENT = 44;
    static final int DESTINATION = 60;

    private static final int ETHERNET = 14;
    private static final int V4 = 20;
    private static final int V6 = 40;

    private Frame() {}

    /** A TCP segment without options. */
    static byte[] tcp(int sourcePort, int targetPort, int flags) {
        return ByteBuffer.allocate(20)
                .putShort(0, (short) sourcePort)
                .putShort(2, (short) targetPort)
                .put(12, (byte) 0x50)
                .put(13, (byte) flags)
                .array();
    }

    /** A packet from one literal address to another of the same family. */
    static byte[] ip(String source, String target, int protocol, byte[] payload) {
        InetAddress from = address(source);
        return from instanceof Inet4Address
                ? v4(from, address(target), protocol, payload)
                : v6(from, address(target), protocol, payload);
    }

    static byte[] syn(String source) {
        return ip(source, target(source), TCP, tcp(40_000, 80, SYN));
    }

    static byte[] udp(String source) {
        return ip(source, target(source), UDP, new byte[20]);
    }

    private static String target(String source) {
        return source.indexOf(':') < 0 ? "10.86.0.1" : "fd86::1";
    }

    private static byte[] v4(InetAddress from, InetAddress to, int protocol, byte[] payload) {
        ByteBuffer packet = ethernet(0x0800, V4 + payload.length);
        packet.put(ETHERNET, (byte) 0x45).putShort(ETHERNET + 2, (short) (V4 + payload.length));
        packet.put(ETHERNET + 8, (byte) 64).put(ETHERNET + 9, (byte) protocol);
        packet.put(ETHERNET + 12, from.getAddress()).put(ETHERNET + 16, to.getAddress());
        return packet.put(ETHERNET + V4, payload).array();
    }

    private static byte[] v6(InetAddress from, InetAddress to, int next, byte[] payload) {
        ByteBuffer packet = ethernet(0x86dd, V6 + payload.length);
        packet.put(ETHERNET, (byte) 0x60).putShort(ETHERNET + 4, (short) payload.length);
        packet.put(ETHERNET + 6, (byte) next).put(ETHERNET + 7, (byte) 255);
        packet.put(ETHERNET + 8, from.getAddress()).put(ETHERNET + 24, to.getAddress());
        return packet.put(ETHERNET + V6, payload).array();
    }

    private static ByteBuffer ethernet(int type, int length) {
        return ByteBuffer.allocate(ETHERNET + length).putShort(12, (short) type);
    }

    /** With VLAN tags, the outermost first. */
    static byte[] tagged(byte[] frame, int... ids) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(frame, 0, 12);
        for (int id : ids) {
            out.writeBytes(new byte[] {(byte) 0x81, 0, (byte) (id >> 8), (byte) id});
        }
        out.write(frame, 12, frame.length - 12);
        return out.toByteArray();
    }

    /** With another fragment field, in units of 8 bytes. */
    static byte[] fragment(byte[] v4, int offset, boolean more) {
        return with(v4, ETHERNET + 6, (offset | (more ? 0x2000 : 0)) >> 8, offset);
    }

    /** With other bytes from a place on. */
    static byte[] with(byte[] frame, int at, int... values) {
        byte[] changed = frame.clone();
        for (int i = 0; i < values.length; i++) {
            changed[at + i] = (byte) values[i];
        }
        return changed;
    }

    static byte[] cut(byte[] frame, int length) {
        return Arrays.copyOf(frame, length);
    }

    /** An IPv6 extension header of 8 bytes, and what follows it. */
    static byte[] extension(int next, byte[] rest) {
        return ByteBuffer.allocate(8 + rest.length)
                .put(0, (byte) next)
                .put(8, rest)
                .array();
    }

    /** A fragment header and what follows it. */
    static byte[] fragment6(int next, int offset, boolean more, byte[] rest) {
        byte[] whole = extension(next, rest);
        return with(whole, 2, offset >> 5, offset << 3 | (more ? 1 : 0));
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
