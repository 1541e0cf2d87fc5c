/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* Part of aether_kern.h: what servers tell their clients in a TCP option, and what is kept of it. */
#ifndef AETHER_HEALTH_H
#define AETHER_HEALTH_H

#include <linux/types.h>

/*
 * health: the TCP option, in the order of its bytes. Experimental kind and identifier as RFC 6994 has them.
 *
 *   0      1      2      3      4              5       6          7
 *   +------+------+------+------+-------+------+-------+----------+-----------+
 *   | 254  |  8   |   0xAE7E    |version| flags| stall | pressure | in flight |
 *   +------+------+------+------+-------+------+-------+----------+-----------+
 */
#define AETHER_OPTION_KIND 254
#define AETHER_OPTION_SIZE 8
#define AETHER_OPTION_EXID_0 0xae
#define AETHER_OPTION_EXID_1 0x7e
#define AETHER_OPTION_VERSION 0x10
#define AETHER_OPTION_VERSION_MASK 0xf0
#define AETHER_OPTION_STALLED 0x01
#define AETHER_STALL_STEP_NS 4000000ULL
#define AETHER_IN_FLIGHT_MAX 63 /* quantised */
#define AETHER_PRESSED 64	/* from a quarter of the limit on, every acknowledgement says so */

struct aether_health {
	__u8 flags;	/* and version */
	__u8 stall;	/* age in steps, saturating; 0 unless stalled */
	__u8 pressure;	/* 255 is the hard limit */
	__u8 in_flight; /* requests, see aether_quantise() */
};

/* health: what a peer said last. */
struct aether_heard {
	__u64 time_ns;
	struct aether_health health;
	__u32 pad;
};

/* health: what the pump tells about a local endpoint; no longer after it has not been heard of for this long. */
#define AETHER_OWN_VALID_NS 1000000000ULL

struct aether_own {
	__u8 pressure;
	__u8 in_flight;
	__u16 pad;
};

/* health: about all of them. */
struct aether_own_all {
	__u64 time_ns; /* of the pump's last sign of life */
	__u32 telling; /* endpoints with anything but zeroes; 0 spares the look at each */
	__u32 pad;
};

/* Powers of two and their halves: 0, 1, 2, 3, 4, 6, 8, 12, ... are the values 0, 1, 2, 3, ... */
static inline __u8 aether_quantise(__u32 n)
{
	int power = 0;

	if (n < 4)
		return n;
	while (n >> power > 3)
		power++;
	return 2 * power + (n >> power);
}

static inline __u32 aether_unquantise(__u8 q)
{
	int power = q < 4 ? 0 : (q - 2) / 2;

	return (__u32)(q - 2 * power) << power;
}

#endif /* AETHER_HEALTH_H */
