// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "table.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"

#define MAX_SLOTS (1U << 20)

static int read_boot_id(__u8 *id)
{
	char text[64] = "";
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	int digits = 0;

	if (fd >= 0)
		close(fd);
	memset(id, 0, 16);
	for (ssize_t i = 0; i < length && digits < 32; i++) {
		unsigned int nibble;

		if (sscanf((char[]){text[i], 0}, "%1x", &nibble) != 1)
			continue;
		id[digits / 2] |= nibble << (digits % 2 ? 0 : 4);
		digits++;
	}
	return digits == 32 ? 0 : -1;
}

/* The pid of the living agent that writes this file, or 0. */
static __u32 living_writer(const char *path)
{
	struct aether_header header;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, &header, sizeof(header));
	__u64 now = clock_now();

	if (fd >= 0)
		close(fd);
	if (length != sizeof(header) || header.magic != AETHER_MAGIC || header.heartbeat_ns > now)
		return 0;
	return now - header.heartbeat_ns < NSEC_PER_SEC ? header.writer_pid : 0;
}

static void make_parents(const char *path)
{
	char parent[PATH_MAX];

	snprintf(parent, sizeof(parent), "%s", path);
	for (char *p = parent + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		mkdir(parent, 0755);
		*p = '/';
	}
}

static int create_file(const char *path, const char *fresh, size_t size, struct error *error)
{
	int fd, err;

	make_parents(path);
	unlink(fresh);
	fd = open(fresh, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (fd < 0) {
		error_set(error, "cannot create the health table %s: %s", path, strerror(errno));
		error_fix(error, "make its directory writable for the agent or set another path");
		return -1;
	}
	fchmod(fd, 0644);
	/* Really allocated, so that a full file system fails here and never as a signal in the pump. */
	err = posix_fallocate(fd, 0, size);
	if (!err)
		return fd;
	close(fd);
	unlink(fresh);
	error_set(error, "cannot allocate %zu bytes for the health table %s: %s", size, path, strerror(err));
	error_fix(error, "free space there, use fewer slots or set another path");
	return -1;
}

static void fill_header(struct aether_header *header, __u32 slots)
{
	header->abi_version = AETHER_ABI_VERSION;
	header->header_size = AETHER_HEADER_SIZE;
	header->slot_count = slots;
	header->slot_size = AETHER_SLOT_SIZE;
	read_boot_id(header->boot_id);
	header->writer_pid = getpid();
	header->start_ns = clock_now();
	header->heartbeat_ns = header->start_ns;
	__atomic_store_n(&header->magic, AETHER_MAGIC, __ATOMIC_RELEASE);
}

int table_open(struct table *table, const char *path, __u32 slots, struct error *error)
{
	char fresh[PATH_MAX];
	__u32 count = 64, writer = living_writer(path);
	void *memory;
	int fd;

	if (writer) {
		error_set(error, "another agent (process %u) writes the health table %s", writer, path);
		error_fix(error, "stop it or set another path");
		return -1;
	}
	while (count < slots && count < MAX_SLOTS)
		count *= 2;
	table->size = AETHER_HEADER_SIZE + (size_t)count * AETHER_SLOT_SIZE;
	snprintf(fresh, sizeof(fresh), "%s.%d", path, getpid());
	fd = create_file(path, fresh, table->size, error);
	if (fd < 0)
		return -1;
	memory = mmap(NULL, table->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (memory == MAP_FAILED) {
		unlink(fresh);
		return error_set(error, "cannot map the health table %s: %s", path, strerror(errno));
	}
	table->header = memory;
	table->slots = (struct aether_slot *)((char *)memory + AETHER_HEADER_SIZE);
	table->mask = count - 1;
	fill_header(table->header, count);
	if (rename(fresh, path)) {
		error_set(error, "cannot put the health table at %s: %s", path, strerror(errno));
		unlink(fresh);
		table_close(table);
		return -1;
	}
	return 0;
}

void table_close(struct table *table)
{
	if (!table->header)
		return;
	table_beat(table, 0);
	munmap(table->header, table->size);
	table->header = NULL;
}

void table_beat(struct table *table, __u64 now)
{
	__atomic_store_n(&table->header->heartbeat_ns, now, __ATOMIC_RELEASE);
}

void slot_begin(struct aether_slot *slot)
{
	__atomic_store_n(&slot->seq, slot->seq + 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

void slot_end(struct aether_slot *slot)
{
	__atomic_store_n(&slot->seq, slot->seq + 1, __ATOMIC_RELEASE);
}

static __u32 first_slot(const struct table *table, const struct aether_key *key)
{
	__u64 hi, lo;

	memcpy(&hi, key->addr, 8);
	memcpy(&lo, key->addr + 8, 8);
	return aether_hash(key->netns, hi, lo, key->port, key->kind) & table->mask;
}

static int slot_is(const struct aether_slot *slot, const struct aether_key *key)
{
	return slot->kind == key->kind && slot->port == key->port && slot->netns == key->netns &&
	       !memcmp(slot->addr, key->addr, sizeof(key->addr));
}

/* The slot of this key, or NULL; then *vacant is where it could go, if anywhere. */
static struct aether_slot *probe(const struct table *table, const struct aether_key *key, struct aether_slot **vacant)
{
	__u32 at = first_slot(table, key);

	*vacant = NULL;
	for (int i = 0; i < AETHER_MAX_PROBE; i++, at++) {
		struct aether_slot *slot = &table->slots[at & table->mask];

		if (slot_is(slot, key))
			return slot;
		if (slot->kind != AETHER_EMPTY && slot->kind != AETHER_TOMBSTONE)
			continue;
		if (!*vacant)
			*vacant = slot;
		if (slot->kind == AETHER_EMPTY)
			break;
	}
	return NULL;
}

struct aether_slot *table_find(const struct table *table, const struct aether_key *key)
{
	struct aether_slot *vacant;

	return probe(table, key, &vacant);
}

struct aether_slot *table_take(struct table *table, const struct aether_key *key)
{
	struct aether_slot *vacant, *slot = probe(table, key, &vacant);

	if (slot)
		return slot;
	if (!vacant) {
		table->header->refused++;
		return NULL;
	}
	slot_begin(vacant);
	memset((char *)vacant + sizeof(vacant->seq), 0, sizeof(*vacant) - sizeof(vacant->seq));
	vacant->port = key->port;
	vacant->netns = key->netns;
	memcpy(vacant->addr, key->addr, sizeof(key->addr));
	vacant->kind = key->kind;
	slot_end(vacant);
	table->header->used++;
	return vacant;
}

static void set_kind(struct aether_slot *slot, __u8 kind)
{
	slot_begin(slot);
	slot->kind = kind;
	slot->flags = 0;
	slot_end(slot);
}

void table_remove(struct table *table, struct aether_slot *slot)
{
	__u32 at = slot - table->slots;

	set_kind(slot, AETHER_TOMBSTONE);
	table->header->used--;
	if (table->slots[(at + 1) & table->mask].kind != AETHER_EMPTY)
		return;
	/* Nothing follows: this tombstone and those before it hold no chain together. */
	for (; table->slots[at & table->mask].kind == AETHER_TOMBSTONE; at--)
		set_kind(&table->slots[at & table->mask], AETHER_EMPTY);
}
