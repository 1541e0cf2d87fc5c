// SPDX-License-Identifier: Apache-2.0
/*
 * A library is known by the file it is, not by its name: netty unpacks one per JVM and deletes it at once, so that only
 * the mapping leads to it.
 */
#define _GNU_SOURCE
#include "libraries.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "clock.h"
#include "uprobes.h"

/* A library with a name may be used again by the next short-lived process. */
#define KEEP_NS (60 * NSEC_PER_SEC)

static void fail(struct libraries *libraries, int error)
{
	__atomic_store_n(&libraries->figures->error, error, __ATOMIC_RELAXED);
	__atomic_fetch_add(&libraries->figures->failures, 1, __ATOMIC_RELAXED);
}

/* Through the mapping, which needs CAP_CHECKPOINT_RESTORE; what still has a name can also be reached by that. */
static int open_library(int pid, const struct mapping *mapping)
{
	char path[4200];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/map_files/%lx-%lx", pid, mapping->start, mapping->end);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 || mapping->deleted)
		return fd;
	snprintf(path, sizeof(path), "/proc/%d/root%s", pid, mapping->path);
	return open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
}

static int attach(const struct libraries *libraries, const char *program, int fd, const struct library_offsets *offsets,
		  int returns)
{
	struct bpf_program *found = bpf_object__find_program_by_name(libraries->tls->object, program);
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return uprobes_attach(bpf_program__fd(found), path, returns ? offsets->leave : offsets->enter,
			      returns ? NULL : offsets->cookies, returns ? offsets->leave_count : offsets->enter_count,
			      returns);
}

static void detach(struct library *library)
{
	if (library->enter >= 0)
		close(library->enter);
	if (library->leave >= 0)
		close(library->leave);
	library->enter = library->leave = -1;
}

/* The program that sees every read of a socket on the node is there only while somebody can call a library. */
static void watch_sockets(struct libraries *libraries)
{
	struct bpf_program *program = bpf_object__find_program_by_name(libraries->tls->object, "aether_tls_socket");

	if (libraries->sockets)
		return;
	libraries->sockets = bpf_program__attach(program);
	if (!libraries->sockets)
		fail(libraries, errno);
}

static void unwatch_sockets(struct libraries *libraries)
{
	bpf_link__destroy(libraries->sockets);
	libraries->sockets = NULL;
}

/* One that cannot be attached to keeps its place too, so that it is not tried again at every pass. */
static void attach_library(struct libraries *libraries, struct library *library, int pid, const struct mapping *mapping)
{
	int fd = open_library(pid, mapping);
	struct library_offsets offsets;

	if (fd < 0) {
		fail(libraries, errno);
		return;
	}
	if (library_offsets(fd, &libraries->cache, &offsets)) {
		fail(libraries, ENOEXEC);
	} else {
		watch_sockets(libraries);
		library->enter = attach(libraries, "aether_tls_enter", fd, &offsets, 0);
		library->leave = library->enter < 0 ? -1 : attach(libraries, "aether_tls_leave", fd, &offsets, 1);
		if (library->leave < 0) {
			fail(libraries, errno);
			detach(library);
		}
	}
	close(fd);
}

int libraries_find(struct libraries *libraries, int pid, const struct mapping *mapping)
{
	int vacant = -1;

	for (int i = 0; i < MAX_LIBRARIES; i++) {
		struct library *library = &libraries->all[i];

		if (library->inode == mapping->inode && library->major == mapping->major &&
		    library->minor == mapping->minor)
			return i;
		if (!library->inode && vacant < 0)
			vacant = i;
	}
	if (vacant < 0) {
		fail(libraries, ENOSPC);
		return -1;
	}
	libraries->all[vacant] = (struct library){.inode = mapping->inode,
						  .major = mapping->major,
						  .minor = mapping->minor,
						  .deleted = mapping->deleted,
						  .enter = -1,
						  .leave = -1};
	attach_library(libraries, &libraries->all[vacant], pid, mapping);
	return vacant;
}

void libraries_seen(struct libraries *libraries, int index)
{
	libraries->all[index].seen = libraries->pass;
	libraries->all[index].seen_ns = libraries->now;
}

static int is_unused(const struct libraries *libraries, const struct library *library)
{
	if (!library->inode || library->seen == libraries->pass)
		return 0;
	return library->deleted || library->enter < 0 || libraries->now - library->seen_ns > KEEP_NS;
}

void libraries_settle(struct libraries *libraries)
{
	__u32 attached = 0;

	for (int i = 0; i < MAX_LIBRARIES; i++) {
		struct library *library = &libraries->all[i];

		if (is_unused(libraries, library)) {
			detach(library);
			library->inode = 0;
		}
		attached += library->inode && library->enter >= 0;
	}
	if (!attached)
		unwatch_sockets(libraries);
	__atomic_store_n(&libraries->figures->libraries, attached, __ATOMIC_RELAXED);
}

void libraries_close(struct libraries *libraries)
{
	for (int i = 0; i < MAX_LIBRARIES; i++) {
		if (libraries->all[i].inode)
			detach(&libraries->all[i]);
	}
	unwatch_sockets(libraries);
}
