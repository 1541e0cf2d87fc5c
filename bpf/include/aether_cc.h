/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/*
 * What cc remembers, and what a receiver tells those that send to it.
 *
 * The word: a TCP option of its own beside the health option (kind and identifier as RFC 6994 has them), because it
 * goes the other way, from the client that asked to the servers that answer, and only where somebody opted in.
 *
 *   0      1      2      3      4         5        6       7
 *   +------+------+------+------+---------+--------+-------+-------+
 *   | 254  |  8   |   0xAE7F    | version | fan-in |     share     |  in network order
 *   +------+------+------+------+---------+--------+-------+-------+
 */
#ifndef AETHER_CC_H
#define AETHER_CC_H

#include "aether_kern.h"

#define AETHER_CC_NAME "bpf_aether"

#define AETHER_WORD_KIND 254
#define AETHER_WORD_SIZE 8
#define AETHER_WORD_EXID_0 0xae
#define AETHER_WORD_EXID_1 0x7f
#define AETHER_WORD_VERSION 0x10

struct aether_word {
	__u8 version; /* a word of another one is left alone */
	__u8 fan;     /* answers that come at once, see aether_quantise() */
	__u16 share;  /* of the way to this receiver for each, see aether_share(); 0: as fast as you like */
};

/* A receiver's time is cut into pieces of 2^23 ns, 8.4 ms: some 140 full segments at 200 Mbit/s. */
#define AETHER_PIECE_SHIFT 23
#define AETHER_MAX_FANS 1024 /* LRU: network namespaces */

/* What comes to the clients of one network namespace. */
struct aether_fan {
	__u64 piece;   /* the present one */
	__u32 present; /* connections that asked or were answered in it */
	__u32 held;    /* sixteenths of connections: what was present lately */
	__u64 last_ns; /* when anyone asked or was answered */
	__u64 busy_ns; /* since the rate was taken, without the times when nothing was to come */
	__u64 bytes;   /* that came in it */
	__u32 lost;    /* segments missing in it */
	__u32 marked;  /* times that it was marked */
	__u32 limited; /* takings for which shares are told on */
	__u64 rate;    /* bytes a second at which it comes when it comes as fast as it can */
	__s32 trend;   /* steps that the rate made in the same direction */
	__u32 pad;
};

/* How many connections of opted-in cgroups the control took, and how many were left to the system's. Per CPU. */
struct aether_cc_counts {
	__u64 taken;
	__u64 left;
	__u64 words;	/* heard */
	__u64 timeouts; /* of servers' connections */
};

/* 16 bytes a second, as a number with 12 bits behind its first one: from 64 KiB/s to 4 GiB/s. */
#define AETHER_SHARE_BITS 12
static inline __u16 aether_share(__u64 bytes_per_second)
{
	__u64 rate = bytes_per_second >> 4;
	__u32 power = 0;

	if (rate <= 1 << AETHER_SHARE_BITS)
		return 1;
	for (int i = 0; i < 16 && rate >> power >= 2 << AETHER_SHARE_BITS; i++)
		power++;
	return power > 15 ? 0xffff : power << AETHER_SHARE_BITS | (rate >> power & ((1 << AETHER_SHARE_BITS) - 1));
}

static inline __u64 aether_share_rate(__u16 share)
{
	__u64 rate = (1 << AETHER_SHARE_BITS) + (share & ((1 << AETHER_SHARE_BITS) - 1));

	return rate << (share >> AETHER_SHARE_BITS) << 4;
}

#endif /* AETHER_CC_H */
