/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What queue and http know of one socket, side by side: both look at it for the same segment, and what is cold is cold
 * once. queue's map; http has one of its own where that object is not attached.
 */
#ifndef AETHER_SOCKET_BPF_H
#define AETHER_SOCKET_BPF_H

#include "shared_maps.bpf.h"

#include "http_record.bpf.h"

struct http_socket {
	struct http_exchange exchange;
	__u32 asked_seq;  /* first byte of the last request */
	__u32 answer_seq; /* ... and of its answer; HTTP/2: the first that was not looked at */
	struct aether_http_key key;
};

struct aether_socket {
	struct aether_queue_socket queue;
	struct http_socket http; /* without a role: none yet */
};

#endif /* AETHER_SOCKET_BPF_H */
