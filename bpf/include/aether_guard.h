/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* What the guard's program and its loader say to each other: the maps' keys and values, and the verdicts. */
#ifndef AETHER_GUARD_H
#define AETHER_GUARD_H

#include <linux/types.h>

/* Why a packet passed or not; the counters are indexed by it. GuardVerdict in Java lists the same. */
enum guard_verdict {
	GUARD_ESTABLISHED, /* of a connection that a socket of this node has */
	GUARD_MANAGEMENT,  /* from a network that always passes */
	GUARD_ALLOWED,
	GUARD_SYN,	 /* asks for a connection, within its source's rate */
	GUARD_NEIGHBOUR, /* neighbour discovery, without which IPv6 ends */
	GUARD_STRAY,	 /* of no connection that a socket of this node has: to a container, or to nobody */
	GUARD_FRAGMENT,	 /* a later one: judged by its source alone */
	GUARD_OTHER,	 /* nothing to say against it */
	GUARD_COOKIE,	 /* asks for a connection while all sources flood: answered with a SYN cookie */
	/* From here on packets are dropped when the guard enforces. */
	GUARD_BLOCKED,
	GUARD_SYN_RATE,	  /* asks for one connection too many */
	GUARD_TRUNCATED,  /* ends within a header */
	GUARD_MALFORMED,  /* headers or flags that make no sense, or that hide them */
	GUARD_EXTENSIONS, /* too long a chain of IPv6 extension headers */
	GUARD_VERDICTS
};

#define GUARD_FIRST_DROP GUARD_BLOCKED

/* Of the sketch that holds the sources' rates: rows for SYNs, then rows for strays. */
#define GUARD_ROWS 2
#define GUARD_BUCKET_BITS 16
#define GUARD_BUCKETS (1 << GUARD_BUCKET_BITS)

/* The lists. An entry of the trusted one is the allow list's or a management network. */
struct guard_entry {
	__u64 expires_ns; /* CLOCK_MONOTONIC; 0: never */
	__u8 management;  /* or within such a network: passes whatever the entry's expiry */
	__u8 at_run_time; /* not configured: an agent that comes later takes it over */
	__u8 pad[6];
};

/* What the lists said of a source a moment ago; each CPU remembers a few. */
#define GUARD_RECENT_BITS 8

struct guard_recent {
	__u32 addr[4]; /* IPv4: in the first word, the others 0 */
	__u32 version; /* of the lists, 0: nothing is remembered here */
	__u8 ipv6, word;
	__u16 pad;
	__u64 until_ns; /* the end of the entry that said it, on the clock of ticks */
};

struct guard_prefix4 {
	__u32 bits;
	__u32 addr; /* network order */
};

struct guard_prefix6 {
	__u32 bits;
	__u32 addr[4];
};

/* Connections, as their segments arrive: the source is the remote end. Ports in network order. */
struct guard_conn4 {
	__u32 source, target;
	__u16 source_port, target_port;
};

struct guard_conn6 {
	__u32 source[4], target[4];
	__u16 source_port, target_port;
};

#endif /* AETHER_GUARD_H */
