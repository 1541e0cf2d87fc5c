/* SPDX-License-Identifier: Apache-2.0 */
/* What the pump keeps between its ticks. Everything here belongs to the pump's thread once it runs. */
#ifndef AETHER_ENGINE_H
#define AETHER_ENGINE_H

#include "aether_kern.h"
#include "apps.h"
#include "edges.h"
#include "loader.h"
#include "scanner.h"
#include "scrubber.h"
#include "table.h"

#define TICK_NS (10 * 1000000ULL)
#define LOAD_NS (100 * 1000000ULL) /* period of the run-queue figures */
#define LOAD_PERIODS 10		   /* ... of which a second is made */
/*
 * A walk through a whole map costs as much as looking up a few entries: with no more, walks only look for new ones,
 * which mostly have announced themselves.
 */
#define WALK_NS (1000 * 1000000ULL)
#define FEW 32
#define IDLE_NS (60 * 1000000000ULL)
#define LATENCIES 4096

/* What was last written of an endpoint's answers. */
struct answering {
	__u64 time_ns;	 /* of the last answer */
	__u64 second_ns; /* start of the second that is counted */
	__u64 total;	 /* answers at that time */
	__u32 rate;
};

/* The second of marks that is counted. */
struct marked {
	__u64 second_ns;
	__u64 second_ce, second_all; /* segments at that time */
	__u32 ce_permille;
};

/* Marks: the wait from which answers get any, and from which all do, us; which ones end at the client's interface. */
struct mark_settings {
	__u32 from_us, all_us;
	int scrub;
	struct aether_prefix trusted[AETHER_MAX_PREFIXES]; /* of peers whose marks end there whatever they say */
	__u32 trusted_count;
};

/* One PEER slot, parallel to the table's slots. */
struct peer {
	struct aether_flow_key key;
	__u64 seen_ns;	   /* time of the kernel's entry when last copied; 0: not ours */
	__u64 second_ns;   /* start of the second that counts retransmissions */
	__u64 second_segs; /* totals at that time */
	__u64 second_retrans;
	__u32 retrans_permille;
	__s32 connections, ecn_connections;
	int local;	 /* index of the co-located endpoint, -1 */
	__u64 heard_ns;	 /* time of its last word when last written */
	__u64 silent_ns; /* when its word is too old to count; 0: there is none */
	struct answering answering;
	struct marked marked;
};

struct local {
	struct aether_local_key key;
	struct aether_local kernel;
	struct aether_slot *slot;
	__u64 oldest_ns; /* arrival of the oldest unread data that counts as a stall's beginning; 0 */
	__u32 unread;
	int dirty;	       /* changed since it was written */
	int load;	       /* index of its cgroup's figures, -1 */
	struct aether_own own; /* as last given to its sockets */
	struct answering answering;
	struct app_words said; /* by its applications, at the last tick */
	__u32 level;	       /* as last given to the kernel */
	struct marked marked;
};

/* Run-queue figures of one cgroup that owns a LOCAL endpoint. */
struct load {
	__u64 cgroup;
	int sampled;
	struct aether_runq past[LOAD_PERIODS];
	__u32 next;
	__u32 mean_us, p99_us;
	__u16 throttled_permille;
	int stat; /* of the cpu controller, -1 */
	__u64 throttled_ns, throttled_at;
	__u16 foretold_permille; /* before it can be measured */
	__u64 foretold_until_ns; /* 0: nothing is */
};

struct pump_counters {
	__u64 ticks;
	__u64 edges;
	__u64 dropped; /* records of the rings that are too short */
	__u64 batch_errors;
	__u64 late_ticks; /* more than one tick behind */
	__u32 latency_us[LATENCIES];
};

struct engine {
	struct settings settings;
	struct feature features[FEATURES];
	struct pins pins;
	struct table table;
	struct edges *edges;
	struct pump_counters counters;
	int stop;	/* eventfd */
	int hurried;	/* the pump has what it needs privileges for */
	int cgroup;	/* directory of the watched cgroup, -1 */
	int statistics; /* the kernel counts runs of programs while this is open, -1 */

	int peers_map, locals_map, served_map, waits_map, heard_map, heard_last_map, own_map, own_all_map;
	int answers_map;
	int levels_map, levels_last_map, markings_map, arrived_map;
	struct mark_settings marks;
	__u32 marks_next;  /* of the live peers, whose marks are looked at next */
	struct apps *apps; /* NULL when applications cannot publish anything */
	struct error apps_error;
	struct scrub_figures scrub;
	struct scan_figures scan;
	struct ring_buffer *ring;
	int cpus;
	int locals_dirty; /* some are, or one is new */

	struct peer *peers;
	__u32 *live; /* indices of live peers */
	__u32 live_count;
	struct local locals[AETHER_MAX_LOCALS];
	__u32 local_count;
	struct load loads[AETHER_MAX_LOCALS];
	__u32 load_count;
	__u64 load_ns, sweep_ns, walk_ns;
	int walk;	/* this tick walks through the maps */
	int walked;	/* one did since the answers were looked at */
	__u32 telling;	/* local endpoints that say anything in the option */
	__u64 heard_ns; /* when anything was heard last, as of the last look */
	int heard_since_walk;
	__u64 oldest_ns;			  /* earliest arrival that may yet become a stall; 0 */
	const struct aether_unread_table *unread; /* the kernel's, read in place; NULL */
	void *keys, *values;			  /* for batches */
};

/* batch.c: reads a whole hash map; the number of entries, or -1. */
int batch_read(struct engine *engine, int map, __u32 capacity);

/* unread.c */
void unread_open(struct engine *engine);
void unread_close(struct engine *engine);
__u32 unread_count(const struct engine *engine);
/* So many slots, the first ones, may be in use. */
int unread_end(const struct engine *engine);

/* peers.c */
void peers_tick(struct engine *engine, __u64 now);
void peers_edge(struct engine *engine, const struct aether_flow_key *key, __u64 now);
/* The slot of a peer, or NULL; taken when it has none. */
struct aether_slot *peers_take(struct engine *engine, const struct aether_flow_key *key, __u64 now);
/* Copies the reports of the local endpoints, or of the dirty ones, to the peers behind which they are. */
void peers_report(struct engine *engine, int all);
void peers_sweep(struct engine *engine, __u64 now);

/* locals.c */
/* Reads and writes all local endpoints, or the dirty ones. */
void locals_refresh(struct engine *engine, int all, __u64 now);
/* How long the oldest unread data that may show a stall have waited, ns; looks at nothing but these data. */
__u64 locals_waited(struct engine *engine, __u64 now);
/* An edge says that this one changed. */
void locals_touch(struct engine *engine, const struct aether_local_key *key);
void locals_settle(struct engine *engine);
int locals_find(const struct engine *engine, __u32 netns, __u16 port);

/* reports.c: what endpoints say of themselves in the health option. */
void reports_tick(struct engine *engine, __u64 now);
void reports_edge(struct engine *engine, const struct aether_flow_key *key, __u64 now);
/* Hands to the sockets of a local endpoint what its slot says. */
void reports_tell(struct engine *engine, struct local *local, __u64 now);
/* Says that this agent lives; more often than AETHER_OWN_VALID_NS. */
void reports_beat(struct engine *engine, __u64 now);
void reports_forget(struct engine *engine, const struct local *local, __u64 now);

/* answers.c: what http and tls count. */
void answers_tick(struct engine *engine, __u64 now);

/* loads.c */
void loads_tick(struct engine *engine);
/* A cgroup is without quota from now on: marks its endpoints to be written. */
void loads_edge(struct engine *engine, const struct aether_quota *quota, __u64 now);
/* Share of the last 100 ms without CPU for want of quota, or of the current period as far as it is known already. */
__u16 load_throttled(const struct load *load);
void loads_close(struct engine *engine);
void runq_add(struct aether_runq *sum, const struct aether_runq *part);
/* Sums one cgroup over the CPUs; buffer holds a struct aether_runq for each. */
int runq_read(int map, int cpus, __u64 cgroup, void *buffer, struct aether_runq *sum);

/* engine.c */
struct engine *engine_open(const struct settings *settings, const char *table, __u32 slots, struct error *error);
void engine_attach(struct engine *engine);
void engine_close(struct engine *engine);

/* Once the pump runs: gives up what is not needed from here on. `kept` is what every thread keeps. 0, or -1 and why. */
int engine_drop_privileges(struct engine *engine, __u64 *kept, struct error *error);

/* pump.c: returns when the engine's stop descriptor is signalled; 0 or -errno. */
int pump_run(struct engine *engine);

#endif /* AETHER_ENGINE_H */
