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
/* Pieces with traffic, half a second of it, after which a limit that nothing confirms is over. */
#define LIMITED_PIECES 64

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

/* A piece is over; `whole` when the next one follows at once. Pieces without traffic are never seen. */
static __always_inline void fan_close(struct aether_fan *fan, bool whole)
{
	__u32 present = __sync_lock_test_and_set(&fan->present, 0) * 16;
	__u32 overrun = __sync_lock_test_and_set(&fan->overrun, 0);
	__u64 bytes = __sync_lock_test_and_set(&fan->bytes, 0), rate = fan->rate;

	fan->held = present >= fan->held ? present : fan->held - (fan->held - present + 15) / 16;
	if (bytes > rate)
		fan->rate = bytes;
	else if (overrun && whole)
		fan->rate = rate - (rate - bytes) / 8;
	if (overrun || (fan->limited && bytes > rate - rate / 8))
		fan->limited = LIMITED_PIECES;
	else if (fan->limited)
		fan->limited--;
}

/* A connection asks, or something has come for it. */
static __always_inline void fan_count(struct aether_fan *fan, struct cc_socket *socket, __u64 bytes, __u32 overrun,
				      __u64 now)
{
	__u64 piece = now >> AETHER_PIECE_SHIFT, before = *(volatile __u64 *)&fan->piece;

	if (piece > before && __sync_val_compare_and_swap(&fan->piece, before, piece) == before)
		fan_close(fan, piece == before + 1);
	if (socket->piece != piece) {
		socket->piece = piece;
		__sync_fetch_and_add(&fan->present, 1);
	}
	if (bytes)
		__sync_fetch_and_add(&fan->bytes, bytes);
	if (overrun)
		__sync_fetch_and_add(&fan->overrun, overrun);
}

static __always_inline struct aether_word fan_word(const struct aether_fan *fan)
{
	struct aether_word word = {.version = AETHER_WORD_VERSION};
	__u32 count = fan->held / 16;

	if (fan->present > count)
		count = fan->present;
	word.fan = aether_quantise(count);
	if (fan->limited && count >= FAN_FROM)
		word.share = aether_share((fan->rate * NSEC_PER_SEC >> AETHER_PIECE_SHIFT) / count);
	return word;
}

#endif /* AETHER_CC_FAN_BPF_H */
