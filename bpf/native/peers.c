// SPDX-License-Identifier: Apache-2.0
/* PEER slots: the kernel's view of the path, and the report of peers that live on this node. */
#include <bpf/bpf.h>
#include <string.h>

#include "clock.h"
#include "engine.h"

static struct aether_key slot_key(const struct aether_flow_key *flow)
{
	struct aether_key key = {.netns = flow->netns, .port = flow->port, .kind = AETHER_PEER};

	memcpy(key.addr, flow->addr, sizeof(key.addr));
	return key;
}

static int is_loopback(const __u8 *addr)
{
	static const __u8 mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
	static const __u8 v6[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

	return (!memcmp(addr, mapped, sizeof(mapped)) && addr[12] == 127) || !memcmp(addr, v6, sizeof(v6));
}

/* The endpoint of this node behind a peer's address, or -1. */
static int co_located(const struct engine *engine, const struct aether_flow_key *peer)
{
	struct aether_served_key key = {.port = peer->port};
	__u32 netns = peer->netns;

	if (!engine->settings.node_reports)
		return -1;
	if (!is_loopback(peer->addr)) {
		memcpy(key.addr, peer->addr, sizeof(key.addr));
		if (engine->served_map < 0 || bpf_map_lookup_elem(engine->served_map, &key, &netns))
			return -1;
	}
	return locals_find(engine, netns, peer->port);
}

struct aether_slot *peers_take(struct engine *engine, const struct aether_flow_key *flow, __u64 now)
{
	struct aether_key key = slot_key(flow);
	struct aether_slot *slot = table_take(&engine->table, &key);
	struct peer *peer;

	if (!slot)
		return NULL;
	peer = &engine->peers[slot - engine->table.slots];
	if (!peer->seen_ns) {
		*peer = (struct peer){.key = *flow, .seen_ns = 1, .second_ns = now};
		peer->local = co_located(engine, flow);
		engine->live[engine->live_count++] = slot - engine->table.slots;
	}
	return slot;
}

static void count_retransmissions(struct peer *peer, const struct aether_flow *flow, __u64 now)
{
	__u64 segs = flow->segs_out - peer->second_segs;
	__u64 retrans = flow->retrans - peer->second_retrans;

	if (clock_since(peer->second_ns, now) < NSEC_PER_SEC)
		return;
	peer->retrans_permille = segs ? (retrans < segs ? retrans * 1000 / segs : 1000) : 0;
	peer->second_ns = now;
	peer->second_segs = flow->segs_out;
	peer->second_retrans = flow->retrans;
}

static __u32 minimum(const struct aether_flow *flow)
{
	__u32 a = flow->min_us[0], b = flow->min_us[1];

	return !a || (b && b < a) ? b : a;
}

static void write_path(struct engine *engine, struct aether_slot *slot, const struct peer *peer,
		       const struct aether_flow *flow)
{
	__u8 before = slot->flags;

	slot_begin(slot);
	slot->flags = (slot->flags & ~AETHER_CONGESTED) | (flow->congested_since_ns ? AETHER_CONGESTED : 0);
	slot->path = (struct aether_path){
		.time_ns = flow->time_ns,
		.srtt_us = flow->rtt_us,
		.min_rtt_us = minimum(flow),
		.cwnd = flow->cwnd,
		.in_flight_bytes = flow->in_flight_bytes,
		.connections = flow->connections > 0 ? flow->connections : 0,
		.retrans_permille = peer->retrans_permille,
		.segs_out = flow->segs_out,
		.retrans = flow->retrans,
		.syn_retrans = flow->syn_retrans,
		.rtt_samples = flow->rtt_samples,
		.congested_since_ns = flow->congested_since_ns,
	};
	slot_end(slot);
	edges_note(engine->edges, slot, before);
}

static void update(struct engine *engine, const struct aether_flow_key *key, const struct aether_flow *flow, __u64 now)
{
	struct aether_slot *slot = peers_take(engine, key, now);
	struct peer *peer;
	__u32 permille;

	if (!slot)
		return;
	peer = &engine->peers[slot - engine->table.slots];
	/* What an earlier agent's programs counted is no news of this second. */
	if (peer->seen_ns == 1 && flow->window_ns < engine->table.header->start_ns) {
		peer->second_segs = flow->segs_out;
		peer->second_retrans = flow->retrans;
	}
	permille = peer->retrans_permille;
	count_retransmissions(peer, flow, now);
	peer->connections = flow->connections;
	peer->ecn_connections = flow->ecn_connections;
	if (peer->seen_ns == flow->time_ns && permille == peer->retrans_permille)
		return;
	peer->seen_ns = flow->time_ns;
	write_path(engine, slot, peer, flow);
}

static void look_at_live(struct engine *engine, __u64 now)
{
	for (__u32 i = 0; i < engine->live_count; i++) {
		const struct aether_flow_key *key = &engine->peers[engine->live[i]].key;

		peers_edge(engine, key, now);
	}
}

void peers_tick(struct engine *engine, __u64 now)
{
	const struct aether_flow_key *keys = engine->keys;
	const struct aether_flow *flows = engine->values;
	int count;

	if (engine->live_count <= FEW && !engine->walk) {
		look_at_live(engine, now);
		return;
	}
	count = batch_read(engine, engine->peers_map, AETHER_MAX_PEERS);
	for (int i = 0; i < count; i++) {
		/* Idle ones are on their way out of the table. */
		if (flows[i].connections > 0 || clock_since(flows[i].time_ns, now) < IDLE_NS)
			update(engine, &keys[i], &flows[i], now);
	}
}

void peers_edge(struct engine *engine, const struct aether_flow_key *key, __u64 now)
{
	struct aether_flow flow;

	if (engine->peers_map >= 0 && !bpf_map_lookup_elem(engine->peers_map, key, &flow))
		update(engine, key, &flow, now);
}

static void copy_report(struct engine *engine, struct aether_slot *peer, const struct aether_slot *local)
{
	static const struct aether_report nothing;
	const __u8 copied = AETHER_STALLED | AETHER_GONE;
	__u8 before = peer->flags;

	slot_begin(peer);
	peer->flags = (peer->flags & ~copied) | (local ? local->flags & copied : 0);
	peer->report = local ? local->report : nothing;
	peer->report.source = local ? AETHER_FROM_NODE : AETHER_FROM_NOWHERE;
	slot_end(peer);
	edges_note(engine->edges, peer, before);
}

void peers_report(struct engine *engine, int all)
{
	for (__u32 i = 0; i < engine->live_count; i++) {
		struct peer *peer = &engine->peers[engine->live[i]];

		const struct local *local = peer->local < 0 ? NULL : &engine->locals[peer->local];

		if (local && local->slot && (all || local->dirty))
			copy_report(engine, &engine->table.slots[engine->live[i]], local->slot);
	}
}

/* Silent and idle for a minute, or forgotten by the kernel's LRU. */
static int is_idle(const struct engine *engine, const struct peer *peer, __u64 now)
{
	struct aether_flow flow;

	if (clock_since(peer->seen_ns, now) < IDLE_NS || clock_since(peer->heard_ns, now) < IDLE_NS ||
	    clock_since(peer->answering.time_ns, now) < IDLE_NS)
		return 0;
	return peer->connections <= 0 || bpf_map_lookup_elem(engine->peers_map, &peer->key, &flow);
}

/* Once a second: links peers to endpoints of this node, and drops the idle ones. */
void peers_sweep(struct engine *engine, __u64 now)
{
	for (__u32 i = 0; i < engine->live_count;) {
		__u32 index = engine->live[i];
		struct peer *peer = &engine->peers[index];
		int before = peer->local;

		peer->local = co_located(engine, &peer->key);
		if (before >= 0 && peer->local < 0)
			copy_report(engine, &engine->table.slots[index], NULL);
		if (!is_idle(engine, peer, now)) {
			i++;
			continue;
		}
		bpf_map_delete_elem(engine->peers_map, &peer->key);
		if (engine->arrived_map >= 0)
			bpf_map_delete_elem(engine->arrived_map, &peer->key);
		edges_drop(engine->edges, &engine->table.slots[index]);
		table_remove(&engine->table, &engine->table.slots[index]);
		peer->seen_ns = 0;
		engine->live[i] = engine->live[--engine->live_count];
	}
}
