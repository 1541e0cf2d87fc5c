// SPDX-License-Identifier: Apache-2.0
/* The loop that keeps the table true: edges at once, everything else every tick. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "engine.h"
#include "marks.h"
#include "surveyor.h"

#define PENDING 64
/*
 * Each look at an entry of a map is a call into the kernel, of some 5 us on a core that slept; a look at the unread
 * data is none. So endpoints where nothing waits are looked at in every other tick, peers, whose changes come as edges,
 * and their marks, which limiters look at every 50 ms, in every fourth.
 */
#define LOCAL_TICKS 2
#define PEER_TICKS 4
#define WAITS_NS (TICK_NS / 5)
/*
 * So close to the next tick, one that is awake anyway does its work: on a busy server there is always a request that
 * would be a stall just before it, and waking up is most of what a tick costs.
 */
#define EARLY_NS (TICK_NS / 2)

struct pump {
	struct engine *engine;
	int epoll;
	__u64 start_ns, next_tick;
	__u64 pending[PENDING]; /* times of the LOCAL edges to be written */
	int pending_count;
};

static void note_latency(struct pump *pump, __u64 since)
{
	struct engine *engine = pump->engine;
	__u64 us = (clock_now() - since + NSEC_PER_USEC / 2) / NSEC_PER_USEC;

	if (since >= pump->start_ns)
		engine->counters.latency_us[engine->counters.edges++ % LATENCIES] = us;
}

static int on_edge(void *context, void *data, size_t size)
{
	struct pump *pump = context;
	const struct aether_edge *edge = data;

	if (size < sizeof(*edge)) {
		pump->engine->counters.dropped++;
		return 0;
	}
	if (edge->type == AETHER_EDGE_PEER || edge->type == AETHER_EDGE_HEARD) {
		if (edge->type == AETHER_EDGE_PEER)
			peers_edge(pump->engine, &edge->peer, clock_now());
		else
			reports_edge(pump->engine, &edge->peer, clock_now());
		note_latency(pump, edge->time_ns);
	} else {
		if (edge->type == AETHER_EDGE_QUOTA)
			loads_edge(pump->engine, &edge->quota, clock_now());
		else
			locals_touch(pump->engine, &edge->local);
		if (pump->pending_count < PENDING)
			pump->pending[pump->pending_count++] = edge->time_ns;
	}
	return 0;
}

static void write_locals(struct pump *pump, int all)
{
	locals_refresh(pump->engine, all, clock_now());
	peers_report(pump->engine, all);
	locals_settle(pump->engine);
	for (int i = 0; i < pump->pending_count; i++)
		note_latency(pump, pump->pending[i]);
	pump->pending_count = 0;
}

/* Where marks may come in: the network namespaces with connections that negotiated ECN; and whether any may go out. */
static void want_scrubbing(struct engine *engine)
{
	__u32 count = 0;

	for (__u32 i = 0; i < engine->live_count && count < SCRUB_NAMESPACES; i++) {
		const struct peer *peer = &engine->peers[engine->live[i]];
		__u32 known = 0;

		while (known < count && engine->scrub.wanted[known] != peer->key.netns)
			known++;
		if (peer->ecn_connections > 0 && known == count)
			__atomic_store_n(&engine->scrub.wanted[count++], peer->key.netns, __ATOMIC_RELAXED);
	}
	__atomic_store_n(&engine->scrub.wanted_count, count, __ATOMIC_RELEASE);
	for (__u32 i = 0; i < engine->local_count && !count; i++)
		count = engine->locals[i].kernel.ecn_connections > 0;
	__atomic_store_n(&engine->scrub.connections, count > 0, __ATOMIC_RELAXED);
}

/* Ten times a second. */
static void tick_loads(struct engine *engine, __u64 now)
{
	engine->load_ns = now;
	loads_tick(engine);
	reports_beat(engine, now);
	answers_tick(engine, now);
	engine->walked = 0;
	marks_beat(engine, now);
	marks_locals(engine, now);
}

static void tick_peers(struct engine *engine, __u64 now)
{
	peers_tick(engine, now);
	reports_tick(engine, now);
	marks_peers(engine, now);
	if (now - engine->sweep_ns < NSEC_PER_SEC)
		return;
	engine->sweep_ns = now;
	peers_sweep(engine, now);
	want_scrubbing(engine);
}

static void schedule(struct pump *pump, __u64 now)
{
	if (now < pump->next_tick) {
		pump->next_tick = now + TICK_NS;
		return;
	}
	pump->next_tick += TICK_NS;
	if (pump->next_tick > now)
		return;
	pump->engine->counters.late_ticks++;
	pump->next_tick = now + TICK_NS;
}

static void tick(struct pump *pump, __u64 now)
{
	struct engine *engine = pump->engine;
	__u64 number = engine->counters.ticks++;
	int peers = number % PEER_TICKS == 0;

	table_beat(&engine->table, now);
	/* Without flow nothing announces peers. */
	engine->walk = peers && now - engine->walk_ns >= (engine->peers_map < 0 ? LOAD_NS : WALK_NS);
	if (engine->walk)
		engine->walk_ns = now;
	engine->walked |= engine->walk;
	if (now - engine->load_ns >= LOAD_NS)
		tick_loads(engine, now);
	if (number % LOCAL_TICKS == 0 || locals_waited(engine, now) >= WAITS_NS) {
		marks_listen(engine, now);
		write_locals(pump, 1);
	}
	if (peers)
		tick_peers(engine, now);
	schedule(pump, now);
}

/* The next tick, or the moment at which data that is unread now becomes a stall. */
static __u64 next_look(const struct pump *pump)
{
	const struct engine *engine = pump->engine;
	__u64 stall = engine->oldest_ns ? engine->oldest_ns + engine->settings.stall_after_ns : pump->next_tick;

	return stall < pump->next_tick ? stall : pump->next_tick;
}

static void look(struct pump *pump, __u64 now)
{
	if (now + EARLY_NS >= pump->next_tick)
		tick(pump, now);
	else if (locals_waited(pump->engine, now) >= pump->engine->settings.stall_after_ns)
		write_locals(pump, 1);
}

static int watch(struct pump *pump, int fd)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

	return epoll_ctl(pump->epoll, EPOLL_CTL_ADD, fd, &event);
}

static int add_ring(struct pump *pump, int map)
{
	struct engine *engine = pump->engine;

	if (map < 0)
		return 0;
	if (engine->ring)
		return ring_buffer__add(engine->ring, map, on_edge, pump);
	engine->ring = ring_buffer__new(map, on_edge, pump, NULL);
	return engine->ring ? watch(pump, ring_buffer__epoll_fd(engine->ring)) : -errno;
}

/* Until something happens, or until then. Before Linux 5.11, and in sandboxes of that time, to the millisecond. */
static int wait_for(struct pump *pump, struct epoll_event *events, int most, __u64 until)
{
	__u64 now = clock_now(), left = until > now ? until - now : 0;
	struct timespec timeout = {.tv_sec = left / NSEC_PER_SEC, .tv_nsec = left % NSEC_PER_SEC};
	int count = syscall(SYS_epoll_pwait2, pump->epoll, events, most, &timeout, NULL, 0);

	if (count < 0 && (errno == ENOSYS || errno == EPERM))
		return epoll_wait(pump->epoll, events, most, (left + NSEC_PER_MSEC - 1) / NSEC_PER_MSEC);
	return count;
}

static void loop(struct pump *pump)
{
	struct engine *engine = pump->engine;
	__u64 at = pump->next_tick, now;
	struct epoll_event events[4];

	for (;;) {
		int count = wait_for(pump, events, 4, at);

		for (int i = 0; i < count; i++) {
			if (events[i].data.fd == engine->stop)
				return;
			ring_buffer__consume(engine->ring);
		}
		now = clock_now();
		if (now >= at)
			look(pump, now);
		if (engine->locals_dirty)
			write_locals(pump, 0);
		at = next_look(pump);
	}
}

/* Its work is short and bounded, so it may run before others; without the privilege it just competes. */
static void hurry(void)
{
	struct sched_param param = {.sched_priority = 1};

	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param))
		setpriority(PRIO_PROCESS, 0, -15);
}

static void unhurry(void)
{
	struct sched_param param = {};

	sched_setscheduler(0, SCHED_OTHER, &param);
	setpriority(PRIO_PROCESS, 0, 0);
}

int pump_run(struct engine *engine)
{
	struct surveyor *surveyor;
	struct scanner *scanner;
	struct scrubber *scrubber;
	struct pump pump = {.engine = engine, .start_ns = clock_now()};
	const struct rest ecn = {.feature = &engine->features[ECN], .pins = &engine->pins, .cgroup = engine->cgroup};

	pump.next_tick = pump.start_ns;
	pump.epoll = epoll_create1(EPOLL_CLOEXEC);
	if (pump.epoll < 0 || watch(&pump, engine->stop))
		return -errno;
	add_ring(&pump, loader_map(&engine->features[FLOW], "edges"));
	add_ring(&pump, loader_map(&engine->features[QUEUE], "edges"));
	add_ring(&pump, loader_map(&engine->features[HEALTH], "edges"));
	add_ring(&pump, loader_map(&engine->features[SCHED], "edges"));
	surveyor = surveyor_start(&engine->features[QUEUE]);
	scanner = scanner_start(&engine->features[TLS], engine->cgroup, &engine->scan);
	scrubber = engine->marks.scrub ? scrubber_start(&ecn, &engine->scrub) : NULL;
	apps_start(engine->apps);
	hurry();
	/* From here on it needs no privilege. */
	__atomic_store_n(&engine->hurried, 1, __ATOMIC_RELEASE);
	loop(&pump);
	unhurry();
	apps_stop(engine->apps);
	scrubber_stop(scrubber);
	scanner_stop(scanner);
	surveyor_stop(surveyor);
	ring_buffer__free(engine->ring);
	engine->ring = NULL;
	close(pump.epoll);
	return 0;
}
