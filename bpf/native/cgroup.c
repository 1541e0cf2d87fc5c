// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "cgroup.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "loader.h"

#define CGROUP2_MAGIC 0x63677270
#define ROOT_ID 1

static int is_cgroup(const char *path)
{
	struct statfs fs;

	return !statfs(path, &fs) && (unsigned int)fs.f_type == CGROUP2_MAGIC;
}

static __u64 cgroup_id(const char *path)
{
	struct stat stat_;

	return stat(path, &stat_) ? 0 : stat_.st_ino;
}

/* Cuts off the last part; 0 when what is left is no cgroup. */
static int go_up(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash || slash == path)
		return 0;
	*slash = '\0';
	return is_cgroup(path);
}

int cgroup_open(struct watched *watched, const char *path, struct error *error)
{
	char real[PATH_MAX];
	__u64 top;

	if (!realpath(path, real)) {
		error_set(error, "cannot open the cgroup %s: %s", path, strerror(errno));
		error_fix(error, "set the directory of an existing v2 cgroup");
		return -1;
	}
	if (!is_cgroup(real)) {
		error_set(error, "%s is not a version 2 cgroup", path);
		error_fix(error, "set a directory below a cgroup2 mount (see: grep cgroup2 /proc/mounts)");
		return -1;
	}
	watched->fd = open(real, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (watched->fd < 0)
		return error_set(error, "cannot open the cgroup %s: %s", path, strerror(errno));
	watched->id = cgroup_id(real);
	watched->level = 0;
	for (top = watched->id; go_up(real); top = cgroup_id(real))
		watched->level++;
	/* In a cgroup namespace the visible root lies at an unknown depth. */
	if (top != ROOT_ID)
		watched->level = LEVEL_UNKNOWN;
	return 0;
}

void cgroup_name_program(__u32 id, char *text, size_t size)
{
	struct bpf_prog_info info = {};
	__u32 length = sizeof(info);
	int program = bpf_prog_get_fd_by_id(id);
	const char *name = "name hidden without CAP_SYS_ADMIN";

	if (program >= 0) {
		bpf_obj_get_info_by_fd(program, &info, &length);
		close(program);
		name = info.name[0] ? info.name : "unnamed";
	}
	snprintf(text, size, "%s (program %u)", name, id);
}

/*
 * Attached without a flag, a program holds its cgroup and all below alone; with BPF_F_ALLOW_OVERRIDE its cgroup only.
 * One that shares (by a link, or BPF_F_ALLOW_MULTI) is in nobody's way.
 */
static int holds(__u32 flags, int itself)
{
	return itself ? !(flags & BPF_F_ALLOW_MULTI) : !flags;
}

static void append(const char *path, int itself, enum bpf_attach_type type, int alone, char *text, size_t size)
{
	__u32 ids[16], count = 16, flags = 0;
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || bpf_prog_query(fd, type, 0, &flags, ids, &count))
		count = 0;
	if (fd >= 0)
		close(fd);
	for (__u32 i = 0; i < count && i < 16 && holds(flags, itself) == alone; i++) {
		size_t used = strlen(text);
		char name[96];

		cgroup_name_program(ids[i], name, sizeof(name));
		snprintf(text + used, size - used, "%s%s on %s", used ? ", " : "", name, path);
	}
}

static void name_all(const char *path, enum bpf_attach_type type, int alone, char *text, size_t size)
{
	char real[PATH_MAX];
	int itself = 1;

	text[0] = '\0';
	if (!realpath(path, real))
		return;
	do {
		append(real, itself, type, alone, text, size);
		itself = 0;
	} while (go_up(real));
}

void cgroup_holders(const char *path, enum bpf_attach_type type, char *text, size_t size)
{
	name_all(path, type, 1, text, size);
}

void cgroup_sharers(const char *path, enum bpf_attach_type type, char *text, size_t size)
{
	name_all(path, type, 0, text, size);
}
