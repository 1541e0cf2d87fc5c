// SPDX-License-Identifier: Apache-2.0
/* The ecn group of both kinds of slots: what ecn counts. */
#include <bpf/bpf.h>
#include <string.h>

#include "clock.h"
#include "marks.h"

/* Peers that the kernel is asked about in one turn: a tenth of a millisecond. */
#define MOST_ASKED 256

static void count_second(struct marked *marked, __u64 ce, __u64 all, __u64 now)
{
	__u64 more = all - marked->second_all;

	if (marked->second_ns && clock_since(marked->second_ns, now) < NSEC_PER_SEC)
		return;
	marked->ce_permille = marked->second_ns && more ? (ce - marked->second_ce) * 1000 / more : 0;
	marked->second_ns = now;
	marked->second_ce = ce;
	marked->second_all = all;
}

static void write_group(struct aether_slot *slot, const struct aether_ecn *ecn)
{
	if (!memcmp(&slot->ecn, ecn, sizeof(*ecn)))
		return;
	slot_begin(slot);
	slot->ecn = *ecn;
	slot_end(slot);
}

static __u16 able(const struct peer *peer)
{
	if (peer->ecn_connections <= 0 || peer->connections <= 0)
		return 0;
	return peer->ecn_connections < peer->connections ? peer->ecn_connections * 1000 / peer->connections : 1000;
}

/*
 * The test of each peer: marks can reach this node when a connection agreed on ECN and what comes over it still says
 * so, which some networks wipe out; reports can when one came.
 */
static __u8 rungs(const struct aether_slot *slot, const struct peer *peer, const struct aether_arrived *arrived,
		  __u64 now)
{
	__u8 live = slot->report.source == AETHER_FROM_NOWHERE ? 0 : AETHER_RUNG_REPORT;

	if (peer->ecn_connections > 0 && arrived->time_ns && clock_since(arrived->time_ns, now) < IDLE_NS)
		live |= AETHER_RUNG_MARKS;
	return live;
}

/* Whether the kernel had to be asked. */
static int write_peer(struct engine *engine, __u32 index, __u64 now)
{
	struct peer *peer = &engine->peers[index];
	struct aether_slot *slot = &engine->table.slots[index];
	struct aether_arrived arrived = {};
	/* Only what has connections with ECN can have anything new. */
	int asks = peer->ecn_connections > 0 || slot->ecn.time_ns;
	struct aether_ecn ecn;

	if (asks)
		bpf_map_lookup_elem(engine->arrived_map, &peer->key, &arrived);
	if (arrived.ce > arrived.able) /* its last mark was taken off, and the rest is on its way */
		arrived.able = arrived.ce;
	count_second(&peer->marked, arrived.ce, arrived.able, now);
	ecn = (struct aether_ecn){
		.time_ns = arrived.time_ns,
		.ce = arrived.ce,
		.ect = arrived.able - arrived.ce,
		.ce_permille = peer->marked.ce_permille,
		.able_permille = able(peer),
		.rungs = rungs(slot, peer, &arrived, now),
	};
	write_group(slot, &ecn);
	return asks;
}

/* All of them, or, when there are very many, the next ones. */
void marks_peers(struct engine *engine, __u64 now)
{
	int asked = 0;

	for (__u32 i = 0; engine->arrived_map >= 0 && i < engine->live_count && asked < MOST_ASKED; i++) {
		if (engine->marks_next >= engine->live_count)
			engine->marks_next = 0;
		asked += write_peer(engine, engine->live[engine->marks_next++], now);
	}
}

void marks_locals(struct engine *engine, __u64 now)
{
	for (__u32 i = 0; engine->markings_map >= 0 && i < engine->local_count; i++) {
		struct local *local = &engine->locals[i];
		struct aether_marking marking;
		struct aether_ecn ecn;

		if (!local->slot || bpf_map_lookup_elem(engine->markings_map, &local->key, &marking))
			continue;
		count_second(&local->marked, marking.ce, marking.ce + marking.ect, now);
		ecn = (struct aether_ecn){
			.time_ns = marking.time_ns,
			.ce = marking.ce,
			.ect = marking.ect,
			.ce_permille = local->marked.ce_permille,
		};
		write_group(local->slot, &ecn);
	}
}
