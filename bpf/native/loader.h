/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and attaches the kernel programs, each object alone: one that fails never stops the others. */
#ifndef AETHER_LOADER_H
#define AETHER_LOADER_H

#include <bpf/libbpf.h>
#include <linux/types.h>

#include "aether_kern.h"
#include "cc.h"
#include "error.h"
#include "pins.h"

enum feature_id { FLOW, QUEUE, SCHED, HEALTH, HTTP, TLS, ECN, CC, FEATURES };

enum feature_state { ATTACHED, UNSUPPORTED, DENIED, CONFLICT, DISABLED };

#define MAX_LINKS 8

struct feature {
	const char *name;
	enum feature_state state;
	struct error error; /* reason is empty when attached in full */
	struct bpf_object *object;
	struct bpf_link *links[MAX_LINKS];
	char link_names[MAX_LINKS][48]; /* under which they are pinned */
	int link_count;
	int control; /* link that registers a congestion control; 0: none */
	enum pinned pinned;
	__u32 generation; /* of its programs among all that used the pinned maps */
};

struct settings {
	char cgroup[4096]; /* directory of a v2 cgroup */
	__u32 congested_rtt_us;
	__u32 congested_floor_us;
	__u32 congested_factor;
	__u32 delayed_ack_us;
	__u64 stall_after_ns;
	__u32 ack_delay_us; /* 0: as the kernel has it */
	__u8 ask_ecn;	    /* of peers that speak, see health_ecn.bpf.h */
	int node_reports;   /* peers on this node are reported from here, whatever they say */
	struct aether_prefix prefixes[AETHER_MAX_PREFIXES]; /* of peers that are listened to */
	__u32 prefix_count;
	int enabled[FEATURES];
	struct cc_settings cc;
};

/* The watched cgroup, as the programs' constants want it. */
struct watched {
	int fd;
	__u64 id;
	__u32 level;
};

void loader_attach(struct feature *features, const struct settings *settings, struct pins *pins);
void loader_detach(struct feature *features);

/* The index of the feature whose map this name refers to in another object ("queue_locals"), or -1. */
int loader_owner(const char *map);
/* Whether it is attached to a cgroup. */
int loader_at_cgroup(const struct bpf_program *program);
/* Whether there is such a feature. */
int loader_knows(const char *feature);

/* -1 when there is no such map, because its object did not load. */
int loader_map(const struct feature *feature, const char *name);

#endif /* AETHER_LOADER_H */
