/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of ecn: whether a segment of a local endpoint is marked. */
#ifndef AETHER_ECN_MARK_BPF_H
#define AETHER_ECN_MARK_BPF_H

#include "ecn_maps.bpf.h"

#define TALLY_TRIES 4

/* Adds to the present half; true when nobody had before. Exact under concurrency, unless it fails for several times. */
static __always_inline bool ecn_tally(struct aether_tally *tally, __u32 half, __u32 count)
{
	__u64 *word = &tally->half[half & 1];

	for (int i = 0; i < TALLY_TRIES; i++) {
		__u64 before = *(volatile __u64 *)word;
		bool first = before >> 32 != half;
		__u64 after = first ? (__u64)half << 32 | count : before + count;

		if (__sync_val_compare_and_swap(word, before, after) == before)
			return first;
	}
	return false;
}

/* The count of the half before. */
static __always_inline __u32 ecn_last(const struct aether_tally *tally, __u32 half)
{
	__u64 word = *(const volatile __u64 *)&tally->half[(half - 1) & 1];

	return word >> 32 == half - 1 ? (__u32)word : 0;
}

static __always_inline __u32 ecn_level(const struct aether_local_key *key, __u64 now)
{
	struct aether_level *level = bpf_map_lookup_elem(&levels, key);
	__u32 zero = 0;
	__u64 *last;

	if (!level || !level->probability)
		return 0;
	last = bpf_map_lookup_elem(&levels_last, &zero);
	return last && aether_since(*last, now) < AETHER_LEVEL_VALID_NS ? level->probability : 0;
}

/* A share that counts as one, and the largest that is told apart. */
#define WEIGHT_ONE 256
#define WEIGHT_MOST (256 * WEIGHT_ONE)

/*
 * The level, times the square of this client's segments in the last full half second over the mean of all clients: who
 * takes more is marked more. Before there is such a half all clients are alike.
 */
static __always_inline bool ecn_chosen(__u64 level, const struct aether_marking *marking,
				       const struct aether_tally *client, __u32 half)
{
	__u64 all = ecn_last(&marking->segments, half), weight = WEIGHT_ONE;

	if (all)
		weight = (__u64)ecn_last(client, half) * ecn_last(&marking->clients, half) * WEIGHT_ONE / all;
	if (weight > WEIGHT_MOST)
		weight = WEIGHT_MOST;
	level = level * weight * weight / (WEIGHT_ONE * WEIGHT_ONE);
	return (bpf_get_prandom_u32() & (AETHER_LEVEL_ALL - 1)) < level;
}

static __always_inline void ecn_send(struct __sk_buff *skb, const struct aether_local_key *local, __u64 now)
{
	struct aether_client_key key = {.local = *local};
	__u32 half = now / AETHER_HALF_NS, segments = ecn_segments(skb), level;
	struct aether_marking *marking = ecn_marking(local);
	struct aether_tally *client;

	if (!marking || !ecn_destination(skb, key.addr))
		return;
	client = ecn_client(&key);
	if (!client)
		return;
	ecn_tally(&marking->segments, half, segments);
	if (ecn_tally(client, half, segments))
		ecn_tally(&marking->clients, half, 1);
	marking->time_ns = now;
	level = ecn_level(local, now);
	if (level && ecn_chosen(level, marking, client, half) && bpf_skb_ecn_set_ce(skb))
		__sync_fetch_and_add(&marking->ce, segments);
	else
		__sync_fetch_and_add(&marking->ect, segments);
}

#endif /* AETHER_ECN_MARK_BPF_H */
