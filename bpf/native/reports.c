// SPDX-License-Identifier: Apache-2.0
/* What endpoints say of themselves in the health option, in both directions. */
#include <bpf/bpf.h>
#include <string.h>

#include "clock.h"
#include "engine.h"

/* Readers give a report no weight after a second; then a stall that nobody confirmed is unknown too. */
#define SILENCE_NS NSEC_PER_SEC
#define PRESSURE_STEP 16
#define NOISE 4

static void write_heard(struct engine *engine, struct aether_slot *slot, const struct aether_heard *heard)
{
	const struct aether_health *health = &heard->health;
	__u64 age = health->stall * AETHER_STALL_STEP_NS;
	int stalled = health->flags & AETHER_OPTION_STALLED;
	__u8 before = slot->flags;

	slot_begin(slot);
	slot->flags = (slot->flags & ~(AETHER_STALLED | AETHER_GONE)) | (stalled ? AETHER_STALLED : 0);
	slot->report = (struct aether_report){
		.time_ns = heard->time_ns,
		.stalled_since_ns = stalled ? heard->time_ns - age : 0,
		.stall_age_us = age / NSEC_PER_USEC,
		.pressure = health->pressure,
		.source = AETHER_FROM_OPTION,
		.in_flight = aether_unquantise(health->in_flight),
	};
	slot_end(slot);
	edges_note(engine->edges, slot, before);
}

/* An endpoint of this node is known better from here. */
static void hear(struct engine *engine, const struct aether_flow_key *key, const struct aether_heard *heard, __u64 now)
{
	struct aether_slot *slot = peers_take(engine, key, now);
	struct peer *peer;

	if (!slot)
		return;
	peer = &engine->peers[slot - engine->table.slots];
	if (peer->local >= 0 || peer->heard_ns == heard->time_ns)
		return;
	peer->heard_ns = heard->time_ns;
	peer->silent_ns = heard->time_ns + SILENCE_NS;
	write_heard(engine, slot, heard);
}

static void fall_silent(struct engine *engine, __u64 now)
{
	for (__u32 i = 0; i < engine->live_count; i++) {
		struct peer *peer = &engine->peers[engine->live[i]];
		struct aether_slot *slot = &engine->table.slots[engine->live[i]];
		__u8 before = slot->flags;

		if (!peer->silent_ns || now < peer->silent_ns)
			continue;
		peer->silent_ns = 0;
		if (peer->local >= 0)
			continue;
		slot_begin(slot);
		slot->flags &= ~AETHER_STALLED;
		slot_end(slot);
		edges_note(engine->edges, slot, before);
	}
}

/* Anything since the last look? */
static int heard_more(struct engine *engine)
{
	__u64 last = 0, before = engine->heard_ns;
	__u32 zero = 0;

	if (engine->heard_last_map < 0 || bpf_map_lookup_elem(engine->heard_last_map, &zero, &last))
		return 0;
	engine->heard_ns = last;
	return last != before;
}

void reports_edge(struct engine *engine, const struct aether_flow_key *key, __u64 now)
{
	struct aether_heard heard;

	if (!bpf_map_lookup_elem(engine->heard_map, key, &heard) && clock_since(heard.time_ns, now) < SILENCE_NS)
		hear(engine, key, &heard, now);
}

static void hear_all(struct engine *engine, __u64 now)
{
	const struct aether_flow_key *keys = engine->keys;
	const struct aether_heard *heard = engine->values;
	int count = batch_read(engine, engine->heard_map, AETHER_MAX_PEERS);

	for (int i = 0; i < count; i++) {
		if (clock_since(heard[i].time_ns, now) < SILENCE_NS)
			hear(engine, &keys[i], &heard[i], now);
		else if (clock_since(heard[i].time_ns, now) > IDLE_NS)
			bpf_map_delete_elem(engine->heard_map, &keys[i]);
	}
}

static void hear_live(struct engine *engine, __u64 now)
{
	for (__u32 i = 0; i < engine->live_count; i++)
		reports_edge(engine, &engine->peers[engine->live[i]].key, now);
}

void reports_tick(struct engine *engine, __u64 now)
{
	int more = heard_more(engine);

	engine->heard_since_walk |= more;
	if (engine->walk || engine->live_count > FEW) {
		if (engine->heard_since_walk)
			hear_all(engine, now);
		engine->heard_since_walk = 0;
	} else if (more) {
		hear_live(engine, now);
	}
	fall_silent(engine, now);
}

/*
 * What the option has no field for counts as pressure: the share of the time without CPU for want of quota, and how
 * full the accept queue is.
 */
static __u8 pressure_of(const struct local *local)
{
	const struct aether_report *report = &local->slot->report;
	const struct aether_queue *queue = &local->slot->queue;
	__u32 pressure = report->pressure, throttled = report->throttled_permille * 255 / 1000;
	__u64 accept = queue->accept_max ? (__u64)queue->accept_queue * 255 / queue->accept_max : 0;

	if (throttled > pressure)
		pressure = throttled;
	if (accept > pressure)
		pressure = accept > 255 ? 255 : accept;
	/* In coarse steps: a change costs an option on every connection. */
	return pressure / PRESSURE_STEP * PRESSURE_STEP;
}

/*
 * What the application says, at least those that nobody has read yet. A few of these are noise, and a step up or down
 * is not worth an option on every connection.
 */
static __u8 in_flight_of(const struct local *local)
{
	__u32 said = local->slot->report.in_flight, unread = local->unread < NOISE ? 0 : local->unread;
	__u8 now = aether_quantise(said > unread ? said : unread), before = local->own.in_flight;

	return now && (now == before + 1 || now + 1 == before) ? before : now;
}

static int tells(const struct local *local)
{
	return local->own.pressure || local->own.in_flight;
}

static void count_telling(struct engine *engine, int change, __u64 now)
{
	engine->telling += change;
	if (change)
		reports_beat(engine, now);
}

void reports_tell(struct engine *engine, struct local *local, __u64 now)
{
	const struct aether_own own = {.pressure = pressure_of(local), .in_flight = in_flight_of(local)};
	int before = tells(local);

	if (engine->own_map < 0 || !memcmp(&own, &local->own, sizeof(own)))
		return;
	if (bpf_map_update_elem(engine->own_map, &local->key, &own, BPF_ANY))
		return;
	local->own = own;
	count_telling(engine, tells(local) - before, now);
}

void reports_beat(struct engine *engine, __u64 now)
{
	const struct aether_own_all all = {.time_ns = now, .telling = engine->telling};
	const __u32 zero = 0;

	if (engine->own_all_map >= 0)
		bpf_map_update_elem(engine->own_all_map, &zero, &all, BPF_ANY);
}

void reports_forget(struct engine *engine, const struct local *local, __u64 now)
{
	if (engine->own_map < 0)
		return;
	bpf_map_delete_elem(engine->own_map, &local->key);
	count_telling(engine, -tells(local), now);
}
