/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of http and tls: what endpoints answer. One map for both, so that each endpoint has one view. */
#ifndef AETHER_HTTP_ANSWERS_BPF_H
#define AETHER_HTTP_ANSWERS_BPF_H

#include "shared_maps.bpf.h"

#include "aether_abi.h"

#include "http_record.bpf.h"

#define MAX_US 0xffffffffULL

/* In tls the map of http, if that object is attached. */
#ifndef HTTP_ANSWERS
#define HTTP_ANSWERS answers
#endif

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, AETHER_MAX_HTTP);
	__type(key, struct aether_http_key);
	__type(value, struct aether_answers);
} HTTP_ANSWERS SEC(".maps");

static const struct aether_answers no_answers;

static __always_inline struct aether_answers *http_endpoint(const struct aether_http_key *key)
{
	struct aether_answers *seen = bpf_map_lookup_elem(&HTTP_ANSWERS, key);

	long error;

	if (seen)
		return seen;
	error = bpf_map_update_elem(&HTTP_ANSWERS, key, &no_answers, BPF_NOEXIST);
	seen = bpf_map_lookup_elem(&HTTP_ANSWERS, key);
	if (!seen)
		aether_map_failed(error);
	return seen;
}

/* asked_ns is 0 when the answer's request was not timed. */
static __always_inline void http_count(const struct aether_http_key *key, enum http_class class, __u64 asked_ns,
				       __u64 now)
{
	struct aether_answers *seen = http_endpoint(key);
	__u64 us = aether_since(asked_ns, now) / 1000;
	__u32 sample = us > MAX_US ? MAX_US : us;
	__s64 error;

	if (!seen)
		return;
	if (class == HTTP_2XX)
		__sync_fetch_and_add(&seen->class_2xx, 1);
	else if (class == HTTP_4XX)
		__sync_fetch_and_add(&seen->class_4xx, 1);
	else if (class == HTTP_5XX)
		__sync_fetch_and_add(&seen->class_5xx, 1);
	else
		__sync_fetch_and_add(&seen->unknown, 1);
	seen->time_ns = now;
	if (!asked_ns)
		return;
	error = (__s64)sample - seen->ttfb_us;
	seen->ttfb_us += seen->timed ? error >> 3 : error;
	seen->timed = 1;
}

#endif /* AETHER_HTTP_ANSWERS_BPF_H */
