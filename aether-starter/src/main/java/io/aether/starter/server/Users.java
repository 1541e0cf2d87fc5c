// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import io.aether.core.limit.UserRank;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The rank of a user in this hour, the same in every service. Pure but for the hour; thread-safe. */
public final class Users {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final InstantSource time;
    private final @Nullable String header;

    /** @param header whose value tells users apart; null for none */
    public Users(InstantSource time, @Nullable String header) {
        this.time = time;
        this.header = header;
    }

    /** The header whose value tells users apart; null for none. */
    @Nullable
    String header() {
        return header;
    }

    /** The rank of a user by his name or whatever else tells him apart; that of nobody without. */
    public float rank(@Nullable String identity) {
        if (identity == null || identity.isEmpty()) {
            return UserRank.NOBODY;
        }
        long hash = FNV_OFFSET; // FNV-1a over UTF-16: 64 bits, and any language can compute it.
        for (int i = 0; i < identity.length(); i++) {
            hash = (hash ^ identity.charAt(i)) * FNV_PRIME;
        }
        return UserRank.of(hash, TimeUnit.MILLISECONDS.toHours(time.millis()));
    }
}
