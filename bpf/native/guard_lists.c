// SPDX-License-Identifier: Apache-2.0
/* The guard's lists: tries in the kernel, one for each address family. */
#include "guard_lists.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guard_pins.h"

#define BATCH 4096

void guard_lists_changed(struct guard *guard)
{
	int map = guard->object ? bpf_object__find_map_fd_by_name(guard->object, "version") : -1;
	const __u32 zero = 0;

	if (!++guard->version)
		guard->version = 1;
	if (map >= 0)
		bpf_map_update_elem(map, &zero, &guard->version, BPF_ANY);
}

static const char *const names[2][2] = {{"trusted6", "trusted4"}, {"blocked6", "blocked4"}};

static int map_of(const struct guard *guard, enum guard_list list, int v4)
{
	return guard->object ? bpf_object__find_map_fd_by_name(guard->object, names[list][v4]) : -1;
}

static int is_v4(const struct guard_network *network)
{
	static const __u8 mapped[12] = {[10] = 0xff, [11] = 0xff};

	return network->bits >= 96 && !memcmp(network->addr, mapped, sizeof(mapped));
}

/* Keys of both families have the same beginning, and fit into the longer one. */
static struct guard_prefix6 key_of(const struct guard_network *network)
{
	struct guard_prefix6 key = {.bits = network->bits};

	if (is_v4(network)) {
		key.bits -= 96;
		memcpy(key.addr, network->addr + 12, 4);
	} else {
		memcpy(key.addr, network->addr, 16);
	}
	return key;
}

/* One by one where the kernel knows no batches for tries. */
static __u32 enter_batch(int map, const void *keys, size_t key_size, const struct guard_entry *values, __u32 count)
{
	__u32 done = count;

	if (!bpf_map_update_batch(map, keys, values, &done, NULL))
		return count;
	if (errno == EPERM || errno == ENOSPC || done > count)
		done = 0;
	for (; done < count; done++)
		if (bpf_map_update_elem(map, (const char *)keys + done * key_size, &values[done], BPF_ANY))
			break;
	return done;
}

/* As many as are of one family, from the first on. */
static int enter_run(int map, const struct guard_network *networks, int count, __u64 expires_ns)
{
	static __thread char keys[BATCH * sizeof(struct guard_prefix6)];
	static __thread struct guard_entry values[BATCH];
	size_t size = is_v4(networks) ? sizeof(struct guard_prefix4) : sizeof(struct guard_prefix6);
	int n = 0;

	for (; n < count && n < BATCH && is_v4(&networks[n]) == is_v4(networks); n++) {
		struct guard_prefix6 key = key_of(&networks[n]);

		memcpy(keys + n * size, &key, size);
		values[n] = (struct guard_entry){.expires_ns = expires_ns,
						 .management = networks[n].flags & GUARD_MANAGEMENT,
						 .at_run_time = !!(networks[n].flags & GUARD_AT_RUN_TIME)};
	}
	return enter_batch(map, keys, size, values, n) == (__u32)n ? n : 0;
}

int guard_enter(struct guard *guard, enum guard_list list, const struct guard_network *networks, int count,
		__u64 expires_ns)
{
	int done = 0;

	while (done < count) {
		int map = map_of(guard, list, is_v4(&networks[done]));
		int n = map < 0 ? 0 : enter_run(map, networks + done, count - done, expires_ns);

		if (!n)
			break;
		done += n;
	}
	guard_lists_changed(guard);
	return done;
}

int guard_take_out(struct guard *guard, enum guard_list list, const struct guard_network *networks, int count)
{
	int done = 0;

	for (int i = 0; i < count; i++) {
		struct guard_prefix6 key = key_of(&networks[i]);
		int map = map_of(guard, list, is_v4(&networks[i]));

		if (map >= 0 && !bpf_map_delete_elem(map, &key))
			done++;
	}
	guard_lists_changed(guard);
	return done;
}

/* The same map of an earlier agent, or -1; what has another layout is of no use. */
static int earlier_map(const struct guard *guard, enum guard_list list, int v4)
{
	int fd = guard_pins_list(guard, names[list][v4]);
	struct bpf_map_info info = {};
	__u32 length = sizeof(info);

	if (fd < 0 || (!bpf_obj_get_info_by_fd(fd, &info, &length) && info.type == BPF_MAP_TYPE_LPM_TRIE &&
		       info.value_size == sizeof(struct guard_entry) &&
		       info.key_size == (v4 ? sizeof(struct guard_prefix4) : sizeof(struct guard_prefix6))))
		return fd;
	close(fd);
	return -1;
}

static struct guard_network network_of(const struct guard_prefix6 *key, int v4)
{
	struct guard_network network = {.bits = key->bits + (v4 ? 96 : 0), .flags = GUARD_AT_RUN_TIME};

	if (v4) {
		memset(network.addr + 10, 0xff, 2);
		memcpy(network.addr + 12, key->addr, 4);
	} else {
		memcpy(network.addr, key->addr, 16);
	}
	return network;
}

/* Of one address family, behind the `count` that are there. */
static int read_earlier(int map, int v4, struct guard_earlier *all, int count, int most)
{
	struct guard_prefix6 key, *before = NULL;
	struct guard_entry entry;

	while (count < most && !bpf_map_get_next_key(map, before, &key)) {
		before = &key;
		if (bpf_map_lookup_elem(map, &key, &entry) || !entry.at_run_time)
			continue;
		all[count++] = (struct guard_earlier){.network = network_of(&key, v4), .expires_ns = entry.expires_ns};
	}
	return count;
}

int guard_earlier(const struct guard *guard, enum guard_list list, struct guard_earlier *all, int most)
{
	int count = 0;

	for (int v4 = 0; v4 < 2; v4++) {
		int map = earlier_map(guard, list, v4);

		if (map < 0)
			continue;
		count = read_earlier(map, v4, all, count, most);
		close(map);
	}
	return count;
}

void guard_lists_pin(struct guard *guard)
{
	if (guard->lists_pinned || !guard->object)
		return;
	guard->lists_pinned = 1;
	for (int list = 0; list < 2; list++) {
		for (int v4 = 0; v4 < 2; v4++)
			guard_pins_put_list(guard, names[list][v4], map_of(guard, list, v4));
	}
}
