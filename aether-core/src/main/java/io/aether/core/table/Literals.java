// SPDX-License-Identifier: Apache-2.0
package io.aether.core.table;

import org.jspecify.annotations.Nullable;

/** Tells address literals from names, because {@link java.net.InetAddress#getByName} would look names up. */
final class Literals {
    private Literals() {}

    /** The literal without brackets and zone, or null when the host is a name. */
    static @Nullable String canonical(String host) {
        String text = host;
        if (text.startsWith("[") && text.endsWith("]")) {
            text = text.substring(1, text.length() - 1);
        }
        int zone = text.indexOf('%');
        if (zone >= 0) {
            text = text.substring(0, zone);
        }
        return isIpv4(text) || isIpv6(text) ? text : null;
    }

    private static boolean isIpv4(String text) {
        int dots = 0;
        int value = -1;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.' && value >= 0) {
                dots++;
                value = -1;
            } else if (c >= '0' && c <= '9') {
                value = Math.max(value, 0) * 10 + (c - '0');
                if (value > 255) {
                    return false;
                }
            } else {
                return false;
            }
        }
        return dots == 3 && value >= 0;
    }

    /** Good enough to keep names out: a colon cannot be in one. The platform judges the rest. */
    private static boolean isIpv6(String text) {
        if (text.indexOf(':') < 0) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.digit(c, 16) < 0 && c != ':' && c != '.') {
                return false;
            }
        }
        return true;
    }
}
