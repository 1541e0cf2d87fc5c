// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import io.aether.core.table.EndpointAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A network: the first bits of an address's 16 bytes. IPv4 is mapped, so its prefixes are 96 bits longer. */
record Prefix(EndpointAddress address, int bits) {
    /** Length of one in the form that the native side takes. */
    static final int BYTES = 17;

    private static final int MAPPED_BITS = 96;

    /** Of {@code address/bits}, or of one address. */
    static Prefix parse(String text) {
        int slash = text.indexOf('/');
        EndpointAddress address = EndpointAddress.parse(slash < 0 ? text : text.substring(0, slash), 0);
        if (address == null) {
            throw malformed(text);
        }
        int length = address.address().getAddress().length * 8;
        int bits = slash < 0 ? length : number(text, slash + 1);
        if (bits < 0 || bits > length) {
            throw malformed(text);
        }
        return new Prefix(address, length == 32 ? bits + MAPPED_BITS : bits);
    }

    private static int number(String text, int from) {
        try {
            return Integer.parseUnsignedInt(text, from, text.length(), 10);
        } catch (NumberFormatException e) {
            throw malformed(text);
        }
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException("a prefix must not be " + text + ": write 10.0.0.0/8 or fc00::/7");
    }

    void put(ByteBuffer bytes) {
        bytes.order(ByteOrder.LITTLE_ENDIAN);
        bytes.put((byte) bits).putLong(address.hi()).putLong(address.lo());
    }
}
