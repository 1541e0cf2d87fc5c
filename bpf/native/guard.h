/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the guard's program, attaches it to interfaces and changes its lists. Callers take turns. */
#ifndef AETHER_NATIVE_GUARD_H
#define AETHER_NATIVE_GUARD_H

#include <net/if.h>

#include "aether_guard.h"
#include "loader.h"

#define GUARD_MAX_PORTS 32
#define GUARD_MAX_MANAGEMENT 256

struct guard_settings {
	int enforce;
	__u64 syn_gap_ns;
	__u64 syn_credit_ns;
	__u32 entries;	     /* of each list, for each address family */
	__u32 connections;   /* remembered, for each address family */
	__u64 cookie_gap_ns; /* between SYNs of all sources, beyond which they are answered with cookies; 0: never */
};

/* One interface. */
struct guard_port {
	char name[IF_NAMESIZE];
	int link;      /* descriptor, -1 */
	int interface; /* its index, while attached */
	int taken;     /* over from an earlier agent */
	int native;
	enum feature_state state;
	struct error error; /* attached in generic mode: why not in native mode */
};

struct guard {
	struct guard_settings settings;
	struct bpf_object *object;
	enum feature_state state; /* of the program: ATTACHED when loaded */
	struct error error;
	struct guard_port ports[GUARD_MAX_PORTS];
	int port_count;
	__u32 version; /* of the lists, as last told to the program */
	int pins;      /* directory, locked; -1 when nothing is pinned */
	int pins_keep; /* leave them behind at the end */
	int lists_pinned;
	char pins_path[PATH_MAX];
};

enum guard_list { GUARD_TRUSTED, GUARD_BLOCK };

/* As GuardSettings and Cidr write it: an IPv4 network in its mapped form, its bits counted from the mapping's start. */
struct guard_network {
	__u8 bits;
	__u8 addr[16];
	__u8 flags;
} __attribute__((packed));

#define GUARD_MANAGEMENT 1
#define GUARD_AT_RUN_TIME 2 /* not by configuration, which the next agent reads for itself */

/* As KernelGuard reads it. */
struct guard_earlier {
	struct guard_network network;
	__u64 expires_ns; /* CLOCK_MONOTONIC; 0: never */
} __attribute__((packed));

struct guard *guard_open(const struct guard_settings *settings);
void guard_add_port(struct guard *guard, const char *name);
/* Loads the program, so that its lists can be filled before it judges anything. */
void guard_load(struct guard *guard);
/* Attaches what is not attached, also an interface that was replaced since. May be called again. */
void guard_attach(struct guard *guard);
/* The number of networks entered, or taken out; fewer than given when the kernel refused one, with errno. */
int guard_enter(struct guard *guard, enum guard_list list, const struct guard_network *networks, int count,
		__u64 expires_ns);
int guard_take_out(struct guard *guard, enum guard_list list, const struct guard_network *networks, int count);
/* What an earlier agent's list was given at run time: how many, `most` at most. Before the first guard_attach(). */
int guard_earlier(const struct guard *guard, enum guard_list list, struct guard_earlier *all, int most);
/* GUARD_VERDICTS counters, summed over the CPUs. */
int guard_verdicts(const struct guard *guard, __u64 *values);
/* Runs the program on one packet: values are its answer and the mean ns of a run. 0, or -errno. */
int guard_try(const struct guard *guard, const void *packet, __u32 size, __u32 repeat, __u64 *values);
/* The kernel's id of the program and the instructions that the verifier walked; 0 when it is not loaded. */
void guard_program(const struct guard *guard, __u64 *values);
void guard_close(struct guard *guard);

#endif /* AETHER_NATIVE_GUARD_H */
