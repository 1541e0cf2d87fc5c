/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of guard: what the lists say of a source. */
#ifndef AETHER_GUARD_LISTS_BPF_H
#define AETHER_GUARD_LISTS_BPF_H

#include "guard_maps.bpf.h"

#define FOREVER_NS (1ULL << 62)

/* A word of both lists; the union of what a lookup may say. */
enum guard_word { WORD_NONE, WORD_MANAGEMENT, WORD_ALLOWED, WORD_BLOCKED };

/* How long the entry still counts, ns; 0 when it is over. The loader takes it out then, should it not come to it. */
static __always_inline __u64 guard_left(const struct guard_entry *entry)
{
	__u64 now;

	if (!entry->expires_ns)
		return FOREVER_NS;
	now = bpf_ktime_get_ns();
	return now < entry->expires_ns ? entry->expires_ns - now : 0;
}

static __always_inline enum guard_word guard_look_up(void *trusted, void *blocked, const void *key, __u64 *left)
{
	const struct guard_entry *entry = bpf_map_lookup_elem(trusted, key);

	*left = FOREVER_NS;
	if (entry && entry->management)
		return WORD_MANAGEMENT;
	if (entry) {
		*left = guard_left(entry);
		if (*left)
			return WORD_ALLOWED;
	}
	*left = FOREVER_NS;
	entry = bpf_map_lookup_elem(blocked, key);
	if (!entry)
		return WORD_NONE;
	*left = guard_left(entry);
	if (*left)
		return WORD_BLOCKED;
	*left = FOREVER_NS;
	return WORD_NONE;
}

static __always_inline bool guard_same(const struct guard_recent *recent, const __u32 *addr, bool ipv6)
{
	return recent->addr[0] == addr[0] && recent->ipv6 == ipv6 &&
	       (!ipv6 || (recent->addr[1] == addr[1] && recent->addr[2] == addr[2] && recent->addr[3] == addr[3]));
}

/*
 * A walk through a trie of 100,000 networks takes as long as everything else together, and a source that sends once
 * mostly sends again. addr has one word or four, by the family.
 */
static __always_inline enum guard_word guard_listed(void *trusted, void *blocked, const void *key, const __u32 *addr,
						    bool ipv6)
{
	__u64 source = ipv6 ? ((__u64)addr[0] << 32 | addr[1]) ^ addr[2] ^ (__u64)addr[3] << 32 : addr[0], left;
	__u32 index = source * secrets[0] >> (64 - GUARD_RECENT_BITS), zero = 0;
	struct guard_recent *recent = bpf_map_lookup_elem(&recents, &index);
	__u32 *lists = bpf_map_lookup_elem(&version, &zero), now;
	enum guard_word word;

	if (!recent || !lists)
		return guard_look_up(trusted, blocked, key, &left);
	/* Before the look-up: what changes meanwhile makes this one count no longer. */
	now = *(volatile __u32 *)lists;
	if (recent->version == now && guard_same(recent, addr, ipv6) && guard_now() < recent->until_ns)
		return recent->word;
	word = guard_look_up(trusted, blocked, key, &left);
	recent->version = now;
	recent->ipv6 = ipv6;
	recent->word = word;
	recent->addr[0] = addr[0];
	if (ipv6) {
		recent->addr[1] = addr[1];
		recent->addr[2] = addr[2];
		recent->addr[3] = addr[3];
	}
	recent->until_ns = guard_now() + left;
	return word;
}

#endif /* AETHER_GUARD_LISTS_BPF_H */
