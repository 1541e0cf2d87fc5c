// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "throttle.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

#define FILEID_KERNFS 0xfe
#define MAX_WALK 4096

/* By its number alone, which takes CAP_DAC_READ_SEARCH. */
static int open_by_id(int mount, __u64 cgroup)
{
	union {
		struct file_handle handle;
		char space[sizeof(struct file_handle) + sizeof(cgroup)];
	} file = {.handle = {.handle_bytes = sizeof(cgroup), .handle_type = FILEID_KERNFS}};

	memcpy(file.handle.f_handle, &cgroup, sizeof(cgroup));
	return open_by_handle_at(mount, &file.handle, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* A directory at or below this one whose inode is the cgroup's id; looks at so many at most. */
static int find_below(int directory, __u64 cgroup, int *left)
{
	int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), found = -1;
	DIR *entries = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;

	if (copy >= 0 && !entries)
		close(copy);
	while (entries && found < 0 && *left > 0 && (entry = readdir(entries))) {
		int child;

		if (entry->d_type != DT_DIR || !strcmp(entry->d_name, ".."))
			continue;
		(*left)--;
		child = openat(directory, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (child < 0)
			continue;
		if (entry->d_ino == cgroup)
			return closedir(entries), child;
		if (strcmp(entry->d_name, "."))
			found = find_below(child, cgroup, left);
		close(child);
	}
	if (entries)
		closedir(entries);
	return found;
}

/* The pump, which asks once for each cgroup with a listener, can afford a walk through a few thousand directories. */
static int open_cgroup(int mount, __u64 cgroup)
{
	int directory = open_by_id(mount, cgroup), left = MAX_WALK;

	return directory < 0 && errno == EPERM ? find_below(mount, cgroup, &left) : directory;
}

static int first_process(int directory)
{
	int fd = openat(directory, "cgroup.procs", O_RDONLY | O_CLOEXEC);
	char text[32] = "";
	ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	return length > 0 ? atoi(text) : 0;
}

/* Is name one of the words of a comma-separated list? */
static int lists(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (const char *word = list; word; word = strchr(word, ',')) {
		word += *word == ',';
		if (!strncmp(word, name, length) && (word[length] == ',' || !word[length]))
			return 1;
	}
	return 0;
}

/* Where the version 1 hierarchy of the cpu controller is mounted; 0 when there is none. */
static int find_mount(char *path, size_t size)
{
	FILE *mounts = setmntent("/proc/self/mounts", "r");
	struct mntent *mount;
	int found = 0;

	while (mounts && !found && (mount = getmntent(mounts))) {
		found = !strcmp(mount->mnt_type, "cgroup") && lists(mount->mnt_opts, "cpu");
		if (found)
			snprintf(path, size, "%s", mount->mnt_dir);
	}
	if (mounts)
		endmntent(mounts);
	return found;
}

/* The process's group in that hierarchy: a line "number:controllers:path". */
static int find_group(int pid, char *path, size_t size)
{
	char name[64], line[PATH_MAX + 128];
	int found = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/cgroup", pid);
	file = fopen(name, "re");
	while (file && !found && fgets(line, sizeof(line), file)) {
		char *controllers = strchr(line, ':');
		char *group = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!group)
			continue;
		*group++ = '\0';
		group[strcspn(group, "\n")] = '\0';
		found = lists(controllers + 1, "cpu");
		if (found)
			snprintf(path, size, "%s", group);
	}
	if (file)
		fclose(file);
	return found;
}

static int open_version_1(int directory)
{
	char mount[PATH_MAX], group[PATH_MAX], path[2 * PATH_MAX + 16];
	int pid = first_process(directory);

	if (!pid || !find_mount(mount, sizeof(mount)) || !find_group(pid, group, sizeof(group)))
		return -1;
	snprintf(path, sizeof(path), "%s%s/cpu.stat", mount, group);
	return open(path, O_RDONLY | O_CLOEXEC);
}

int throttle_open(int mount, __u64 cgroup)
{
	int directory = open_cgroup(mount, cgroup);
	__u64 ignored;
	int stat;

	if (directory < 0)
		return -1;
	stat = openat(directory, "cpu.stat", O_RDONLY | O_CLOEXEC);
	if (stat >= 0 && throttle_read(stat, &ignored)) {
		close(stat);
		stat = -1;
	}
	if (stat < 0)
		stat = open_version_1(directory);
	close(directory);
	return stat;
}

int throttle_read(int stat, __u64 *ns)
{
	char text[1024];
	ssize_t length = pread(stat, text, sizeof(text) - 1, 0);
	const char *found;

	if (length <= 0)
		return -1;
	text[length] = '\0';
	found = strstr(text, "throttled_usec ");
	if (found) {
		*ns = strtoull(found + strlen("throttled_usec "), NULL, 10) * NSEC_PER_USEC;
		return 0;
	}
	found = strstr(text, "throttled_time ");
	if (!found)
		return -1;
	*ns = strtoull(found + strlen("throttled_time "), NULL, 10);
	return 0;
}
