/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Part of cc: how many answers come to the clients of a network namespace at once, and how fast they can. The way is
 * known to be the limit when segments are missing or marked, and stays so while as much comes as then; a mere trickle
 * is no measure of it, and whoever gets one soon hears that there is no limit.
 */
#ifndef AETHER_CC_FAN_BPF_H
#define AETHER_CC_FAN_BPF_H

#include "cc_maps.bpf.h"

/* Up to four at once have the way to themselves: their first ten segments each fit into most buffers. */
#define FAN_FROM 5
/* Half a second of traffic, after which a limit that nothing confirms is over. */
#define LIMITED_TAKINGS 64
#define TAKING_NS (1 << AETHER_PIECE_SHIFT)
/* A longer pause is the senders' own. */
#define PAUSE_NS 4000000
/* Powers of a half: 1/128, growing to 1/8 once chance no longer explains the direction. */
#define LEAST_STEP 7
#define LONGEST_STEP 3
#define BY_CHANCE 4

static const struct aether_fan no_fan;

static __always_inline struct aether_fan *fan_of(struct bpf_sock_ops *ops)
{
	__u64 cookie = bpf_get_netns_cookie(ops);
	struct aether_fan *fan = bpf_map_lookup_elem(&fans, &cookie);
	long error;

	if (fan)
		return fan;
	error = bpf_map_update_elem(&fans, &cookie, &no_fan, BPF_NOEXIST);
	fan = bpf_map_lookup_elem(&fans, &cookie);
	if (!fan)
		aether_map_failed(error);
	return fan;
}

/* A piece is over. Those in which nothing happens are never seen: what was present before a pause is what is expected.
 */
static __always_inline void fan_recount(struct aether_fan *fan)
{
	__u32 present = __sync_lock_test_and_set(&fan->present, 0) * 16;

	fan->held = present >= fan->held ? present : fan->held - (fan->held - present + 15) / 16;
}

/*
 * The rate is the median of what comes while the way is the limit: a step up or down each time, whatever the
 * difference, because some times are far off on a busy machine. Steps in the same direction get longer.
 */
static __always_inline void fan_step(struct aether_fan *fan, bool up)
{
	__s32 trend = fan->trend;
	__u32 run, longer;

	trend = up ? (trend > 0 ? trend + 1 : 1) : (trend < 0 ? trend - 1 : -1);
	run = trend > 0 ? trend : -trend;
	longer = run > BY_CHANCE ? (run - BY_CHANCE + 1) / 2 : 0;
	if (longer > LEAST_STEP - LONGEST_STEP)
		longer = LEAST_STEP - LONGEST_STEP;
	if (up)
		fan->rate += fan->rate >> (LEAST_STEP - longer);
	else
		fan->rate -= fan->rate >> (LEAST_STEP - longer);
	fan->trend = trend;
}

/* What is far less than the rate is a trickle, and no measure, unless something was lost. */
static __always_inline void fan_take(struct aether_fan *fan, __u64 busy)
{
	__u64 came = __sync_lock_test_and_set(&fan->bytes, 0) * NSEC_PER_SEC / (busy ?: 1);
	__u32 lost = __sync_lock_test_and_set(&fan->lost, 0);
	__u32 marked = __sync_lock_test_and_set(&fan->marked, 0);
	bool full = came > fan->rate - fan->rate / 4;

	if (!fan->limited && (lost || marked)) {
		if (came > fan->rate)
			fan->rate = came;
	} else if (fan->limited && (full || lost)) {
		fan_step(fan, came > fan->rate && !lost);
	}
	if (lost || marked || (fan->limited && full))
		fan->limited = LIMITED_TAKINGS;
	else if (fan->limited)
		fan->limited--;
}

/* A connection asks (`bytes` is 0), or something has come for it. */
static __always_inline void fan_count(struct aether_fan *fan, struct cc_socket *socket, __u64 bytes, __u32 lost,
				      bool marked, __u64 now)
{
	__u64 piece = now >> AETHER_PIECE_SHIFT, before = *(volatile __u64 *)&fan->piece, busy;

	if (piece > before && __sync_val_compare_and_swap(&fan->piece, before, piece) == before)
		fan_recount(fan);
	if (socket->piece != piece) {
		socket->piece = piece;
		__sync_fetch_and_add(&fan->present, 1);
	}
	before = __sync_lock_test_and_set(&fan->last_ns, now);
	if (!bytes)
		return;
	__sync_fetch_and_add(&fan->bytes, bytes);
	if (lost)
		__sync_fetch_and_add(&fan->lost, lost);
	if (marked)
		__sync_fetch_and_add(&fan->marked, 1);
	if (aether_since(before, now) < PAUSE_NS)
		__sync_fetch_and_add(&fan->busy_ns, aether_since(before, now));
	busy = *(volatile __u64 *)&fan->busy_ns;
	if (busy >= TAKING_NS && __sync_val_compare_and_swap(&fan->busy_ns, busy, 0) == busy)
		fan_take(fan, busy);
}

static __always_inline struct aether_word fan_word(const struct aether_fan *fan)
{
	struct aether_word word = {.version = AETHER_WORD_VERSION};
	__u32 count = fan->held / 16;

	if (fan->present > count)
		count = fan->present;
	word.fan = aether_quantise(count);
	if (fan->limited && count >= FAN_FROM)
		word.share = aether_share(fan->rate / count);
	return word;
}

#endif /* AETHER_CC_FAN_BPF_H */
