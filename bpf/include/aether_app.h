/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/*
 * An application's word about its own queue: one small file per process in the directory "apps" beside the health table
 * (by default /run/aether/apps), mapped and written by the application, read by the agent's pump. Little-endian, times
 * are CLOCK_MONOTONIC nanoseconds.
 *
 * The writer holds a lock on the file (fcntl, as Java's FileChannel takes it) for as long as it lives. That lock, not a
 * number in the file, tells the agent which process speaks: the kernel translates process ids between containers, and
 * drops the lock with its holder. What the file says counts only for ports on which that process's cgroup listens in
 * that process's network namespace, for a second after time_ns.
 *
 * The Java writer (io.aether.core.publish.QueueLayout) draws the same picture; one test compares both.
 *
 *   0        8        12       16      20           24            40
 *   +--------+--------+--------+-------+------------+-------------+
 *   | magic  |version | size   | seq   | port_count | ports (8)   |
 *   +--------+--------+--------+-------+------------+-------------+
 *   | time_ns 40 | running 48 | waiting 52 | est_wait_us 56       |
 *   | mark_from_us 60 | mark_all_us 64 | pressure 68 | reserved   |
 *   +-------------------------------------------------------------+ 128
 *
 * Writing: seq becomes odd, then the fields from time_ns on, then seq becomes even. Ports never change.
 */
#ifndef AETHER_APP_H
#define AETHER_APP_H

#ifndef __bpf__
#include <stddef.h>
#endif
#include <linux/types.h>

#define AETHER_APP_MAGIC 0x3150504148544541ULL /* "AETHAPP1" in memory order */
#define AETHER_APP_VERSION 1
#define AETHER_APP_SIZE 128
#define AETHER_APP_PORTS 8

struct aether_app {
	__u64 magic;
	__u32 version;
	__u32 size;
	__u32 seq;
	__u32 port_count; /* 1 to AETHER_APP_PORTS */
	__u16 ports[AETHER_APP_PORTS];
	__u64 time_ns;	    /* of the last change; at least twice a second */
	__u32 running;	    /* requests being worked on, without those that wait for other services */
	__u32 waiting;	    /* requests that nobody works on yet */
	__u32 est_wait_us;  /* how long one that comes now would wait */
	__u32 mark_from_us; /* 0, or the wait from which answers are to be marked: the median service time, say */
	__u32 mark_all_us;  /* 0, or the wait from which all are: 0.4 of the objective, say */
	__u8 pressure;	    /* 0-255, 255 is the hard limit; 0 leaves it to the wait */
	__u8 reserved[59];
};

#ifndef __bpf__
_Static_assert(offsetof(struct aether_app, ports) == 24, "ports");
_Static_assert(offsetof(struct aether_app, time_ns) == 40, "time_ns");
_Static_assert(offsetof(struct aether_app, pressure) == 68, "pressure");
_Static_assert(sizeof(struct aether_app) == AETHER_APP_SIZE, "app");
#endif

#endif /* AETHER_APP_H */
