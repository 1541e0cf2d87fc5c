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

static void append_holders(const char *path, enum bpf_attach_type type, char *text, size_t size)
{
	__u32 ids[16], count = 16, flags = 0;
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || bpf_prog_query(fd, type, 0, &flags, ids, &count))
		count = 0;
	if (fd >= 0)
		close(fd);
	for (__u32 i = 0; i < count && i < 16; i++) {
		struct bpf_prog_info info = {};
		__u32 length = sizeof(info);
		int program = bpf_prog_get_fd_by_id(ids[i]);
		size_t used = strlen(text);

		if (program >= 0) {
			bpf_obj_get_info_by_fd(program, &info, &length);
			close(program);
		}
		snprintf(text + used, size - used, "%s%s (program %u) on %s", used ? ", " : "",
			 info.name[0] ? info.name : "unnamed", ids[i], path);
	}
}

void cgroup_holders(const char *path, enum bpf_attach_type type, char *text, size_t size)
{
	char real[PATH_MAX];

	text[0] = '\0';
	if (!realpath(path, real))
		return;
	do {
		append_holders(real, type, text, size);
	} while (go_up(real));
}
