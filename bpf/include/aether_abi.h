/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/*
 * The health table: the one file through which the kernel's view reaches applications.
 *
 * Written by the pump of one agent per node, mapped read-only by every application. All numbers are
 * little-endian, all times are CLOCK_MONOTONIC nanoseconds (what bpf_ktime_get_ns() and, on Linux,
 * System.nanoTime() return). Zero in a time field means "this group was never written".
 *
 * The Java reader (io.aether.core.table.TableLayout) draws the same picture; one test compares both.
 *
 *   file    +-----------------+ 0
 *           | header          |
 *           +-----------------+ AETHER_HEADER_SIZE
 *           | slot 0          |
 *           +-----------------+ + AETHER_SLOT_SIZE
 *           | slot 1 ...      |    slot_count slots, a power of two
 *           +-----------------+
 *
 *   slot    0       4    5    6     8        16               32
 *           +-------+----+----+-----+--------+----------------+
 *           | seq   |kind|flag|port | netns  | addr (16)      |  key
 *           +-------+----+----+-----+--------+----------------+ 32
 *           | path   (PEER)    or  queue  (LOCAL)             |
 *           +-------------------------------------------------+ 96
 *           | report: what the endpoint says, or shows, of    |
 *           |         itself (stall, run queue, pressure)     |
 *           +-------------------------------------------------+ 160
 *           | http: status classes and time to first byte     |
 *           +-------------------------------------------------+ 208
 *           | ecn: marks                                      |
 *           +-------------------------------------------------+ 240
 *           | reserved                                        |
 *           +-------------------------------------------------+ 256
 *
 * Lookup: start at aether_hash(key) & (slot_count - 1), walk forward at most AETHER_MAX_PROBE slots,
 * stop at kind AETHER_EMPTY, step over AETHER_TOMBSTONE.
 *
 * Reading a slot: seq, then the fields, then seq again; an odd or changed seq means a torn read. Try at
 * most AETHER_READ_RETRIES times, then treat the endpoint as unknown.
 */
#ifndef AETHER_ABI_H
#define AETHER_ABI_H

#ifndef __bpf__
#include <stddef.h>
#endif
#include <linux/types.h>

#define AETHER_MAGIC 0x31484c4145485445ULL /* "ETHEALH1" in memory order */
#define AETHER_ABI_VERSION 1
#define AETHER_HEADER_SIZE 4096
#define AETHER_SLOT_SIZE 256
#define AETHER_DEFAULT_SLOTS 4096
#define AETHER_MAX_PROBE 64
#define AETHER_READ_RETRIES 3

/* Slot kinds. */
#define AETHER_EMPTY 0
#define AETHER_PEER 1  /* a remote endpoint as this node's clients see it */
#define AETHER_LOCAL 2 /* an endpoint that listens on this node */
#define AETHER_TOMBSTONE 255

/* Slot flags. */
#define AETHER_CONGESTED 0x01 /* PEER: smoothed RTT above its threshold, with hysteresis */
#define AETHER_STALLED 0x02   /* requests arrive and nobody reads them */
#define AETHER_GONE 0x04      /* was listening on this node, does no longer */

struct aether_header {
	__u64 magic;
	__u32 abi_version;
	__u32 header_size;
	__u32 slot_count;
	__u32 slot_size;
	__u8 boot_id[16]; /* of this boot: a file of an earlier boot is foreign */
	__u32 writer_pid;
	__u32 used;	    /* live slots */
	__u64 start_ns;	    /* when this writer opened the table */
	__u64 heartbeat_ns; /* at most 10 ms old while the writer lives */
	__u64 refused;	    /* endpoints left out because no slot was free within the probe limit */
};

struct aether_key {
	__u64 netns;   /* inode of the network namespace, as in /proc/self/ns/net */
	__u8 addr[16]; /* IPv6, or IPv4 as ::ffff:a.b.c.d; LOCAL wildcard listeners are :: */
	__u16 port;    /* host order */
	__u8 kind;
	__u8 pad[5];
};

/* PEER: the path, from the sockets of this node's clients. */
struct aether_path {
	__u64 time_ns;
	__u32 srtt_us;	       /* smoothed RTT of the last sample over all connections */
	__u32 min_rtt_us;      /* minimum of the last 10 s */
	__u32 cwnd;	       /* segments */
	__u32 in_flight_bytes; /* sent and not acknowledged */
	__u32 connections;
	__u32 retrans_permille; /* of segments sent, over the last second */
	__u64 segs_out;		/* totals since the agent started */
	__u64 retrans;
	__u32 syn_retrans;
	__u32 rtt_samples;
	__u64 congested_since_ns;
};

/* LOCAL: the receive queue, from the sockets that listen here. */
struct aether_queue {
	__u64 time_ns;
	__u32 sojourn_us;     /* EWMA of arrival to the application's read */
	__u32 sojourn_max_us; /* worst of the last second */
	__u32 unread;	      /* connections with data that nobody has read */
	__u32 accept_queue;   /* connections waiting for accept() */
	__u32 accept_max;     /* the listener's backlog */
	__u32 connections;
	__u64 cgroup; /* id of the owning cgroup */
	__u64 reads;  /* totals since the agent started */
	__u64 arrivals;
	__u64 reserved;
};

/*
 * PEER and LOCAL: the endpoint's own state. For a LOCAL slot from this kernel; for a PEER slot copied from
 * the LOCAL slot when the peer lives on this node, else from the health option it sends.
 */
struct aether_report {
	__u64 time_ns;
	__u64 stalled_since_ns; /* arrival of the oldest unread data; 0 when everything is read */
	__u32 stall_age_us;	/* at time_ns */
	__u32 sojourn_us;
	__u32 runq_us;		  /* mean run-queue wait of the endpoint's cgroup over the last 100 ms */
	__u32 runq_p99_us;	  /* over the last second */
	__u16 throttled_permille; /* of the last 100 ms, share without CPU for want of quota */
	__u8 pressure;		  /* 0-255, 255 is the hard limit */
	__u8 source;		  /* AETHER_FROM_* */
	__u32 in_flight;	  /* requests, as the endpoint says */
	__u32 waiting;
	__u32 est_wait_us;
	__u64 reserved[2];
};

#define AETHER_FROM_NOWHERE 0
#define AETHER_FROM_NODE 1   /* the peer lives on this node */
#define AETHER_FROM_OPTION 2 /* the health option of its packets */

/* PEER: what its clients on this node got. LOCAL: what it gave. Totals since the agent started. */
struct aether_http {
	__u64 time_ns;	 /* of the last answer */
	__u32 ttfb_us;	 /* first byte of the request to first byte of the answer, EWMA */
	__u32 rate;	 /* answers in the last second */
	__u64 class_2xx; /* with 3xx and 101: done, not failed. Other 1xx are no answers yet */
	__u64 class_4xx;
	__u64 class_5xx;
	__u64 unknown; /* HTTP/2 outside the static table, or no number where the status belongs */
};

/* PEER: what arrived from it. LOCAL: what it sent. Segments with data, totals since the agent started. */
struct aether_ecn {
	__u64 time_ns;
	__u64 ce;	     /* marked, also those whose mark was taken off again here */
	__u64 ect;	     /* could have been marked and were not */
	__u32 ce_permille;   /* marked ones among both, over the last second */
	__u16 able_permille; /* PEER: open connections with ECN among all */
	__u8 rungs;	     /* PEER: AETHER_RUNG_*, the ways on which its overload is told to this node */
	__u8 reserved;
};

#define AETHER_RUNG_MARKS 1  /* marks: segments that can be marked arrive from it as such */
#define AETHER_RUNG_REPORT 2 /* its report is young: from this node, or in the health option */

struct aether_slot {
	__u32 seq;
	__u8 kind;
	__u8 flags;
	__u16 port;
	__u64 netns;
	__u8 addr[16];
	union {
		struct aether_path path;
		struct aether_queue queue;
	};
	struct aether_report report;
	struct aether_http http;
	struct aether_ecn ecn;
	__u8 reserved[16];
};

#ifndef __bpf__
/*
 * Mixes the key into a slot number. The multipliers are those of the 64-bit finaliser of MurmurHash3
 * (public domain): any well-mixing constants do, both sides only have to agree.
 */
static inline __u64 aether_mix(__u64 h)
{
	h ^= h >> 33;
	h *= 0xff51afd7ed558ccdULL;
	h ^= h >> 33;
	h *= 0xc4ceb9fe1a85ec53ULL;
	h ^= h >> 33;
	return h;
}

/* hi and lo are the address's two halves read as little-endian words. */
static inline __u64 aether_hash(__u64 netns, __u64 hi, __u64 lo, __u16 port, __u8 kind)
{
	__u64 h = aether_mix(netns ^ ((__u64)kind << 56) ^ ((__u64)port << 32));

	h = aether_mix(h ^ hi);
	return aether_mix(h ^ lo);
}

#define AETHER_AT(type, field, offset) _Static_assert(offsetof(struct type, field) == (offset), #type "." #field)
AETHER_AT(aether_header, boot_id, 24);
AETHER_AT(aether_header, writer_pid, 40);
AETHER_AT(aether_header, start_ns, 48);
AETHER_AT(aether_header, heartbeat_ns, 56);
AETHER_AT(aether_header, refused, 64);
AETHER_AT(aether_slot, path, 32);
AETHER_AT(aether_slot, queue, 32);
AETHER_AT(aether_slot, report, 96);
AETHER_AT(aether_slot, http, 160);
AETHER_AT(aether_slot, ecn, 208);
_Static_assert(sizeof(struct aether_path) == 64, "path");
_Static_assert(sizeof(struct aether_queue) == 64, "queue");
_Static_assert(sizeof(struct aether_report) == 64, "report");
_Static_assert(sizeof(struct aether_http) == 48, "http");
_Static_assert(sizeof(struct aether_ecn) == 32, "ecn");
_Static_assert(sizeof(struct aether_slot) == AETHER_SLOT_SIZE, "slot");
#undef AETHER_AT
#endif

#endif /* AETHER_ABI_H */
