// SPDX-License-Identifier: Apache-2.0
/* The http group of both kinds of slots: what http and tls count, ten times a second. */
#include <bpf/bpf.h>
#include <string.h>

#include "clock.h"
#include "engine.h"

static __u64 total(const struct aether_answers *answers)
{
	return answers->class_2xx + answers->class_4xx + answers->class_5xx + answers->unknown;
}

/* Answers of a full second; the first counts from the first answer on. */
static void count_rate(struct answering *answering, const struct aether_answers *answers, __u64 now)
{
	__u64 sum = total(answers), age = clock_since(answering->second_ns, now);

	if (answering->second_ns && age < NSEC_PER_SEC)
		return;
	answering->rate =
		answering->second_ns && sum > answering->total ? (sum - answering->total) * NSEC_PER_SEC / age : 0;
	answering->second_ns = now;
	answering->total = sum;
}

static void write_answers(struct aether_slot *slot, struct answering *answering, const struct aether_answers *answers,
			  __u64 now)
{
	__u32 rate = answering->rate;

	count_rate(answering, answers, now);
	if (slot->http.time_ns == answers->time_ns && rate == answering->rate)
		return;
	answering->time_ns = answers->time_ns;
	slot_begin(slot);
	slot->http = (struct aether_http){
		.time_ns = answers->time_ns,
		.ttfb_us = answers->ttfb_us,
		.rate = answering->rate,
		.class_2xx = answers->class_2xx,
		.class_4xx = answers->class_4xx,
		.class_5xx = answers->class_5xx,
		.unknown = answers->unknown,
	};
	slot_end(slot);
}

/* A listener is known from queue only; without that object, or before its first look, there is no slot to write. */
static void write_local(struct engine *engine, const struct aether_http_key *key, const struct aether_answers *answers,
			__u64 now)
{
	int index = locals_find(engine, key->netns, key->port);
	struct local *local = index < 0 ? NULL : &engine->locals[index];

	if (local && local->slot)
		write_answers(local->slot, &local->answering, answers, now);
}

static void write_peer(struct engine *engine, const struct aether_http_key *key, const struct aether_answers *answers,
		       __u64 now)
{
	struct aether_flow_key flow = {.netns = key->netns, .port = key->port};
	struct aether_slot *slot;

	memcpy(flow.addr, key->addr, sizeof(flow.addr));
	slot = peers_take(engine, &flow, now);
	if (slot)
		write_answers(slot, &engine->peers[slot - engine->table.slots].answering, answers, now);
}

/* Silent for a minute. What is still shown keeps its totals; the rest must not fill the map. */
static void retire(struct engine *engine, const struct aether_http_key *key)
{
	struct aether_key slot = {.netns = key->netns, .port = key->port, .kind = key->kind};
	int shown;

	memcpy(slot.addr, key->addr, sizeof(slot.addr));
	shown = key->kind == AETHER_PEER ? table_find(&engine->table, &slot) != NULL
					 : locals_find(engine, key->netns, key->port) >= 0;
	if (!shown)
		bpf_map_delete_elem(engine->answers_map, key);
}

static void look_at_known(struct engine *engine, __u64 now)
{
	struct aether_answers answers;

	for (__u32 i = 0; i < engine->live_count; i++) {
		const struct aether_flow_key *peer = &engine->peers[engine->live[i]].key;
		struct aether_http_key key = {.netns = peer->netns, .port = peer->port, .kind = AETHER_PEER};

		memcpy(key.addr, peer->addr, sizeof(key.addr));
		if (!bpf_map_lookup_elem(engine->answers_map, &key, &answers))
			write_peer(engine, &key, &answers, now);
	}
	for (__u32 i = 0; i < engine->local_count; i++) {
		const struct aether_local_key *local = &engine->locals[i].key;
		struct aether_http_key key = {.netns = local->netns, .port = local->port, .kind = AETHER_LOCAL};

		if (!bpf_map_lookup_elem(engine->answers_map, &key, &answers))
			write_local(engine, &key, &answers, now);
	}
}

void answers_tick(struct engine *engine, __u64 now)
{
	const struct aether_http_key *keys = engine->keys;
	const struct aether_answers *answers = engine->values;
	int count;

	if (engine->answers_map >= 0 && !engine->walked && engine->live_count + engine->local_count <= FEW) {
		look_at_known(engine, now);
		return;
	}
	count = batch_read(engine, engine->answers_map, AETHER_MAX_HTTP);
	for (int i = 0; i < count; i++) {
		if (clock_since(answers[i].time_ns, now) > IDLE_NS)
			retire(engine, &keys[i]);
		else if (keys[i].kind == AETHER_PEER)
			write_peer(engine, &keys[i], &answers[i], now);
		else
			write_local(engine, &keys[i], &answers[i], now);
	}
}
