// SPDX-License-Identifier: Apache-2.0
/* LOCAL slots: listening endpoints of this node, their receive queues and stalls. */
#include <bpf/bpf.h>
#include <string.h>

#include "clock.h"
#include "engine.h"
#include "marks.h"

/* A connection left unread for this long is given up by its client too: it says nothing about now. */
#define STALL_LIMIT_NS (30 * NSEC_PER_SEC)
/*
 * A busy server always has some request that came just now and will be read at once: only one that has waited for this
 * share of a stall is worth waking up for at the moment at which it would be one. The others have the next tick.
 */
#define NEWS(stall_after_ns) ((stall_after_ns) / 5)

int locals_find(const struct engine *engine, __u32 netns, __u16 port)
{
	for (__u32 i = 0; i < engine->local_count; i++) {
		const struct local *local = &engine->locals[i];

		if (local->key.port == port && local->key.netns == netns)
			return i;
	}
	return -1;
}

static struct local *find_or_add(struct engine *engine, const struct aether_local_key *key)
{
	int index = locals_find(engine, key->netns, key->port);

	if (index < 0)
		index = locals_find(engine, 0, 0); /* left by an endpoint that is gone */
	if (index < 0 && engine->local_count < AETHER_MAX_LOCALS)
		index = engine->local_count++;
	if (index < 0)
		return NULL;
	if (engine->locals[index].key.netns != key->netns || engine->locals[index].key.port != key->port)
		engine->locals[index] = (struct local){.key = *key, .load = -1};
	return &engine->locals[index];
}

static void drop_slot(struct engine *engine, struct local *local)
{
	if (local->slot) {
		edges_drop(engine->edges, local->slot);
		table_remove(&engine->table, local->slot);
	}
	local->slot = NULL;
}

/* An endpoint without a listener for a minute. One that listened again in between is kept. */
static int drop_if_gone(struct engine *engine, struct local *local, __u64 now)
{
	struct aether_local kernel;

	if (!local->kernel.gone_ns || clock_since(local->kernel.gone_ns, now) < IDLE_NS)
		return 0;
	if (bpf_map_lookup_elem(engine->locals_map, &local->key, &kernel) || !kernel.gone_ns)
		return 0;
	bpf_map_delete_elem(engine->locals_map, &local->key);
	reports_forget(engine, local, now);
	marks_forget(engine, local);
	drop_slot(engine, local);
	*local = (struct local){.load = -1};
	return 1;
}

static void read_locals(struct engine *engine)
{
	const struct aether_local_key *keys = engine->keys;
	const struct aether_local *values = engine->values;
	int count = batch_read(engine, engine->locals_map, AETHER_MAX_LOCALS);

	for (int i = 0; i < count; i++) {
		struct local *local = find_or_add(engine, &keys[i]);

		if (local)
			local->kernel = values[i];
	}
}

/* Those that are known: new ones announce themselves by an edge. */
static void read_known(struct engine *engine, int all)
{
	for (__u32 i = 0; i < engine->local_count; i++) {
		struct local *local = &engine->locals[i];
		struct aether_local kernel;

		if ((all || local->dirty) && !bpf_map_lookup_elem(engine->locals_map, &local->key, &kernel))
			local->kernel = kernel;
	}
}

/*
 * Data that has waited since `arrival` shows a stall unless the server has meanwhile read data that came
 * clearly later: then it is at work, and this connection alone is left aside (an upload under back
 * pressure, say).
 */
static int shows_stall(const struct engine *engine, const struct local *local, __u64 arrival, __u64 now)
{
	if (clock_since(arrival, now) > STALL_LIMIT_NS)
		return 0;
	return local->kernel.served_ns <= arrival + engine->settings.stall_after_ns;
}

static void read_unread(struct engine *engine, __u64 now)
{
	const struct aether_unread_table *unread = engine->unread;
	__u64 age;

	engine->oldest_ns = 0;
	for (__u32 i = 0; i < engine->local_count; i++) {
		engine->locals[i].oldest_ns = 0;
		engine->locals[i].unread = 0;
	}
	for (int i = 0, end = unread_end(engine); i < end; i++) {
		const struct aether_unread *slot = &unread->slots[i];
		__u64 arrival = __atomic_load_n(&slot->arrival_ns, __ATOMIC_ACQUIRE);
		int index = arrival ? locals_find(engine, slot->local.netns, slot->local.port) : -1;
		struct local *local = index < 0 ? NULL : &engine->locals[index];

		if (!local)
			continue;
		local->unread++;
		if (!shows_stall(engine, local, arrival, now))
			continue;
		if (!local->oldest_ns || arrival < local->oldest_ns)
			local->oldest_ns = arrival;
		age = clock_since(arrival, now);
		if (age < NEWS(engine->settings.stall_after_ns) || age >= engine->settings.stall_after_ns)
			continue;
		if (!engine->oldest_ns || arrival < engine->oldest_ns)
			engine->oldest_ns = arrival;
	}
}

/* What the server has read since the last look can only speak against a stall. */
__u64 locals_waited(struct engine *engine, __u64 now)
{
	__u64 longest = 0;

	read_unread(engine, now);
	for (__u32 i = 0; i < engine->local_count; i++) {
		__u64 oldest = engine->locals[i].oldest_ns, waited = oldest ? clock_since(oldest, now) : 0;

		if (waited > longest)
			longest = waited;
	}
	return longest;
}

static struct aether_slot *slot_of(struct engine *engine, struct local *local)
{
	struct aether_key key = {.netns = local->key.netns, .port = local->key.port, .kind = AETHER_LOCAL};

	if (local->slot && memcmp(local->slot->addr, local->kernel.addr, sizeof(key.addr)))
		drop_slot(engine, local); /* a second listener made the address a wildcard */
	if (local->slot)
		return local->slot;
	memcpy(key.addr, local->kernel.addr, sizeof(key.addr));
	local->slot = table_take(&engine->table, &key);
	return local->slot;
}

static __u32 worst(const struct aether_local *kernel, __u64 now)
{
	__u64 age = clock_since(kernel->window_ns, now);

	if (age > 2 * NSEC_PER_SEC)
		return 0;
	if (age > NSEC_PER_SEC || kernel->worst_us[0] > kernel->worst_us[1])
		return kernel->worst_us[0];
	return kernel->worst_us[1];
}

static __u32 floor_zero(__s32 value)
{
	return value > 0 ? value : 0;
}

static struct aether_queue queue_of(const struct local *local, __u64 now)
{
	const struct aether_local *kernel = &local->kernel;

	return (struct aether_queue){
		.time_ns = kernel->time_ns,
		.sojourn_us = kernel->sojourn_us,
		.sojourn_max_us = worst(kernel, now),
		.unread = local->unread,
		.accept_queue = kernel->accept_queue,
		.accept_max = kernel->accept_max,
		.connections = floor_zero(kernel->connections),
		.cgroup = kernel->cgroup,
		.reads = kernel->reads,
		.arrivals = kernel->arrivals,
	};
}

static struct aether_report report_of(const struct engine *engine, const struct local *local, __u64 now)
{
	const struct load *load = local->load < 0 ? NULL : &engine->loads[local->load];
	__u64 age = local->oldest_ns ? clock_since(local->oldest_ns, now) / NSEC_PER_USEC : 0;
	/* Without traffic the average says nothing about now. */
	int quiet = !local->unread && clock_since(local->kernel.time_ns, now) > NSEC_PER_SEC;

	struct aether_report report = {
		.time_ns = now,
		.stalled_since_ns = local->oldest_ns,
		.stall_age_us = age,
		.sojourn_us = quiet ? 0 : local->kernel.sojourn_us,
		.runq_us = load ? load->mean_us : 0,
		.runq_p99_us = load ? load->p99_us : 0,
		.throttled_permille = load ? load_throttled(load) : 0,
		.source = AETHER_FROM_NODE,
		.in_flight = local->said.running + local->said.waiting,
		.waiting = local->said.waiting,
		.est_wait_us = local->said.est_wait_us,
	};

	report.pressure = marks_pressure(engine, local, &report);
	return report;
}

static void write_local(struct engine *engine, struct local *local, __u64 now)
{
	struct aether_slot *slot = slot_of(engine, local);
	__u8 flags = 0, before;

	if (!slot)
		return;
	before = slot->flags;
	if (local->oldest_ns && clock_since(local->oldest_ns, now) >= engine->settings.stall_after_ns)
		flags |= AETHER_STALLED;
	if (local->kernel.gone_ns)
		flags |= AETHER_GONE;
	slot_begin(slot);
	slot->flags = flags;
	slot->queue = queue_of(local, now);
	slot->report = report_of(engine, local, now);
	slot_end(slot);
	edges_note(engine->edges, slot, before);
	reports_tell(engine, local, now);
	marks_tell(engine, local);
}

void locals_touch(struct engine *engine, const struct aether_local_key *key)
{
	struct local *local = find_or_add(engine, key);

	engine->locals_dirty = 1;
	if (local)
		local->dirty = 1;
}

void locals_settle(struct engine *engine)
{
	for (__u32 i = 0; i < engine->local_count; i++)
		engine->locals[i].dirty = 0;
	engine->locals_dirty = 0;
}

void locals_refresh(struct engine *engine, int all, __u64 now)
{
	if (all && (engine->walk || engine->local_count > FEW))
		read_locals(engine);
	else
		read_known(engine, all);
	read_unread(engine, now);
	for (__u32 i = 0; i < engine->local_count; i++) {
		struct local *local = &engine->locals[i];

		if (local->key.netns && (all || local->dirty) && !drop_if_gone(engine, local, now))
			write_local(engine, local, now);
	}
}
