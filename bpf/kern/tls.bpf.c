// SPDX-License-Identifier: GPL-2.0-only
/*
 * tls: status classes and time to first byte of HTTP inside TLS, seen where a process hands plaintext to its TLS
 * library or takes it back.
 *
 * Which connection an SSL object belongs to is nowhere to be read: libraries differ, and with memory BIOs they do not
 * know it themselves. But whoever reads a record has read its bytes from the socket on the same thread, inside the
 * call (OpenSSL with a socket) or just before it (an event loop). So the socket is the one that the thread read last,
 * and what was sent before the first read waits for it.
 */
#define HTTP_ANSWERS http_answers
#include <linux/ptrace.h>

#include "http_answers.bpf.h"

enum { EVENT_ENTER, EVENT_LEAVE, EVENT_SOCKET };

struct tls_socket {
	__u8 addr[16]; /* of the peer */
	__u32 netns;
	__u16 remote_port;
	__u16 local_port;
};

/* A thread that uses the library. */
struct tls_thread {
	__u64 ssl;	    /* of the read under way; 0 */
	__u64 buffer;	    /* ... where its data go */
	__u64 length;	    /* ... and where their length, 0 if it is returned */
	__u64 reads;	    /* from sockets, so far */
	__u64 reads_before; /* ... when the call began */
	struct tls_socket socket;
};

struct tls_key {
	__u64 ssl;
	__u32 process;
	__u32 pad;
};

struct tls_session {
	struct http_exchange exchange;
	struct tls_socket socket;
	__u8 matched;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct tls_thread);
} threads SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, AETHER_MAX_SESSIONS);
	__type(key, struct tls_key);
	__type(value, struct tls_session);
} sessions SEC(".maps");

static const struct tls_session no_session;

static __always_inline struct tls_key tls_key(__u64 ssl)
{
	struct tls_key key = {.ssl = ssl, .process = bpf_get_current_pid_tgid() >> 32};

	return key;
}

static __always_inline struct tls_session *tls_open(const struct tls_key *key, bool out)
{
	long error = bpf_map_update_elem(&sessions, key, &no_session, BPF_NOEXIST);
	struct tls_session *session = bpf_map_lookup_elem(&sessions, key);

	if (session)
		session->exchange.role = out ? HTTP_CLIENT : HTTP_SERVER;
	else
		aether_map_failed(error);
	return session;
}

/* A read inside the call is certain; one before it holds unless something better is known. */
static __always_inline void tls_match(struct tls_session *session, const struct tls_thread *thread)
{
	if (thread->reads == thread->reads_before && (session->matched || !thread->reads))
		return;
	session->socket = thread->socket;
	session->matched = 1;
}

static __always_inline void tls_count(const struct tls_session *session, enum http_class class, __u64 since, __u64 now)
{
	struct aether_http_key key = {.netns = session->socket.netns};
	struct aether_counts *c;

	if (!session->matched) {
		c = aether_counts();
		if (c)
			c->unmatched++;
		return;
	}
	if (session->exchange.role == HTTP_CLIENT) {
		__builtin_memcpy(key.addr, session->socket.addr, sizeof(key.addr));
		key.port = session->socket.remote_port;
		key.kind = AETHER_PEER;
	} else {
		key.port = session->socket.local_port;
		key.kind = AETHER_LOCAL;
	}
	http_count(&key, class, since, now);
}

/* One call's data: the end of a read or the beginning of a write. */
static __always_inline void tls_record(struct tls_thread *thread, __u64 ssl, __u64 buffer, __u64 length, bool out,
				       int event)
{
	struct tls_key key = tls_key(ssl);
	struct tls_session *session = bpf_map_lookup_elem(&sessions, &key);
	bool asks = !session || (session->exchange.role == HTTP_CLIENT) == out;
	struct http_start start = {};
	enum http_class class;
	__u64 now, since;

	if (length > START_SIZE)
		length = START_SIZE;
	if (length < START_LEAST || (!asks && !http_awaits(&session->exchange)))
		return;
	if (bpf_probe_read_user(start.bytes, length, (void *)buffer))
		return;
	if (!session && http_opens(&start))
		session = tls_open(&key, out);
	if (!session)
		return;
	if (!out)
		tls_match(session, thread);
	now = bpf_ktime_get_ns();
	if (asks) {
		http_asked(&session->exchange, &start, now);
		return;
	}
	class = http_answered(&session->exchange, &start, &since);
	if (class == HTTP_NOTHING)
		return;
	tls_count(session, class, since, now);
	aether_count(event, now);
}

SEC("uprobe")
int BPF_KPROBE(aether_tls_enter, __u64 ssl, __u64 buffer, __u64 size, __u64 length)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task_btf();
	__u64 call = bpf_get_attach_cookie(ctx);
	struct tls_thread *thread;
	struct tls_key key;

	if (!aether_my_turn() || !aether_watched(task->cgroups->dfl_cgrp))
		return 0;
	thread = bpf_task_storage_get(&threads, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!thread) {
		aether_map_error();
		return 0;
	}
	if (call == AETHER_TLS_WRITE) {
		tls_record(thread, ssl, buffer, size, true, EVENT_ENTER);
	} else if (call == AETHER_TLS_HANDSHAKE) {
		/* A new connection, maybe at the address of an old one's object. */
		key = tls_key(ssl);
		bpf_map_delete_elem(&sessions, &key);
	} else {
		thread->ssl = ssl;
		thread->buffer = buffer;
		thread->length = call == AETHER_TLS_READ_EX ? length : 0;
		thread->reads_before = thread->reads;
	}
	return 0;
}

SEC("uprobe")
int BPF_KRETPROBE(aether_tls_leave, int returned)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task_btf();
	struct tls_thread *thread = bpf_task_storage_get(&threads, task, 0, 0);
	__u64 ssl, length;

	if (!thread || !thread->ssl || !aether_my_turn())
		return 0;
	ssl = thread->ssl;
	thread->ssl = 0;
	if (returned <= 0)
		return 0;
	length = returned;
	if (thread->length && bpf_probe_read_user(&length, sizeof(length), (void *)thread->length))
		return 0;
	tls_record(thread, ssl, thread->buffer, length, false, EVENT_LEAVE);
	return 0;
}

/* Attached only while some library is: see libraries.c. */
SEC("tp_btf/tcp_rcv_space_adjust")
int BPF_PROG(aether_tls_socket, struct sock *sk)
{
	struct tls_thread *thread = bpf_task_storage_get(&threads, bpf_get_current_task_btf(), 0, 0);
	struct sock_common *skc = &sk->__sk_common;

	if (!thread || !aether_my_turn())
		return 0;
	thread->reads++;
	aether_remote(thread->socket.addr, skc);
	thread->socket.netns = skc->skc_net.net->ns.inum;
	thread->socket.remote_port = bpf_ntohs(skc->skc_dport);
	thread->socket.local_port = skc->skc_num;
	aether_count(EVENT_SOCKET, bpf_ktime_get_ns());
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
