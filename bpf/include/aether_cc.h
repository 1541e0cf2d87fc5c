/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/*
 * What cc remembers, and what a receiver tells those that send to it.
 *
 * The word: a TCP option of its own beside the health option (kind and identifier as RFC 6994 has them), because it
 * goes the other way, from the client that asked to the servers that answer, and only where somebody opted in.
 *
 *   0      1      2      3      4         5        6       7
 *   +------+------+------+------+---------+--------+-------+----------+
 *   | 254  |  8   |   0xAE7F    | version | fan-in | share | reserved |
 *   +------+------+------+------+---------+--------+-------+----------+
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
	__u8 share;   /* of the way to this receiver for each, see aether_share(); 0: as fast as you like */
	__u8 reserved;
};

/* A receiver's time is cut into pieces of 2^23 ns, 8.4 ms: some 140 full segments at 200 Mbit/s. */
#define AETHER_PIECE_SHIFT 23
#define AETHER_MAX_FANS 1024 /* LRU: network namespaces */

/* What comes to the clients of one network namespace. */
struct aether_fan {
	__u64 piece;   /* the present one */
	__u64 bytes;   /* that came in it */
	__u64 rate;    /* the most that came in a piece; less after losses */
	__u32 present; /* connections that asked or were answered in it */
	__u32 overrun; /* segments missing or marked in it */
	__u32 held;    /* sixteenths of connections: what was present lately */
	__u32 limited; /* pieces for which shares are told on */
};

/* How many connections of opted-in cgroups the control took, and how many were left to the system's. Per CPU. */
struct aether_cc_counts {
	__u64 taken;
	__u64 left;
	__u64 words;	/* heard */
	__u64 timeouts; /* of servers' connections */
};

/* KiB/s in sixteen steps for each power of two: from 17 KiB/s to 1 GB/s. */
static inline __u8 aether_share(__u64 bytes_per_second)
{
	__u64 kib = bytes_per_second >> 10;
	__u32 power = 0;

	if (kib < 17)
		return 1;
	for (int i = 0; i < 16 && kib >> power > 31; i++)
		power++;
	return power > 15 ? 255 : power << 4 | ((kib >> power) & 15);
}

static inline __u64 aether_share_rate(__u8 share)
{
	return (__u64)(16 + (share & 15)) << (share >> 4) << 10;
}

#endif /* AETHER_CC_H */
