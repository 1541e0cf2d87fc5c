// SPDX-License-Identifier: Apache-2.0
/*
 * Anybody may put anything into the directory. A file is read when it is a plain one of the right size on the
 * directory's own file system (nothing that could block the pump), says the right words, and a process that can be seen
 * from here holds its lock. What it says then counts for that process's endpoints alone.
 */
#define _GNU_SOURCE
#include "app_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define CGROUP2_MAGIC 0x63677270
/* Left by a process that is gone; a living one takes its lock at once. */
#define ABANDONED_S 60
#define YOUNG_S 2

static int is_cgroup(const char *path)
{
	struct statfs fs;

	return !statfs(path, &fs) && (unsigned int)fs.f_type == CGROUP2_MAGIC;
}

static void find_hierarchy(struct app_files *files, const char *cgroup)
{
	char path[PATH_MAX], *slash;

	if (!realpath(cgroup, path))
		return;
	while (is_cgroup(path)) {
		snprintf(files->hierarchy, sizeof(files->hierarchy), "%s", path);
		slash = strrchr(path, '/');
		if (!slash || slash == path)
			return;
		*slash = '\0';
	}
}

int app_files_open(struct app_files *files, const char *path, const char *cgroup, struct error *error)
{
	struct stat stat_;

	files->directory = -1;
	find_hierarchy(files, cgroup);
	if (!mkdir(path, 0700) || errno == EEXIST)
		files->directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	/* Not one that somebody else prepared: its owner could remove everybody's files. */
	if (files->directory >= 0 && !fstat(files->directory, &stat_) && stat_.st_uid == geteuid() &&
	    !fchmod(files->directory, 01777)) {
		files->device = stat_.st_dev;
		return 0;
	}
	error_set(error, "applications cannot publish their queues: %s: %s", path,
		  files->directory < 0 ? strerror(errno) : "it belongs to somebody else");
	error_fix(error, "remove it, or make its parent writable for the agent alone");
	return -1;
}

void app_files_close(struct app_files *files)
{
	for (int i = 0; i < APPS_MAX; i++) {
		if (files->all[i].state != FILE_FREE)
			close(files->all[i].fd);
	}
	if (files->directory >= 0)
		close(files->directory);
}

/* The process that holds the file's lock, as numbered here: 0 for none, -1 for one that cannot be seen. */
static int holder(int fd)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	if (fcntl(fd, F_GETLK, &lock))
		return -1;
	if (lock.l_type == F_UNLCK)
		return 0;
	return lock.l_pid > 0 ? lock.l_pid : -1;
}

static __u32 namespace_of(int pid)
{
	char path[64];
	struct stat stat_;

	snprintf(path, sizeof(path), "/proc/%d/ns/net", pid);
	return stat(path, &stat_) ? 0 : stat_.st_ino;
}

/* The line "0::/path" is that of version 2. */
static __u64 cgroup_of(const struct app_files *files, int pid)
{
	char name[64], line[PATH_MAX + 8], path[2 * PATH_MAX + 8];
	struct stat stat_;
	__u64 id = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/cgroup", pid);
	file = fopen(name, "re");
	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "0::/", 4))
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(path, sizeof(path), "%s%s", files->hierarchy, line + 3);
		id = stat(path, &stat_) ? 0 : stat_.st_ino;
	}
	if (file)
		fclose(file);
	return id;
}

/* Who writes it; -1 when nobody does, or nobody that can be known. */
static int identify(const struct app_files *files, struct app_file *file)
{
	int pid = holder(file->fd);
	__u32 netns = pid > 0 ? namespace_of(pid) : 0;
	__u64 cgroup = netns ? cgroup_of(files, pid) : 0;

	if (!cgroup)
		return -1;
	__atomic_store_n(&file->netns, netns, __ATOMIC_RELAXED);
	__atomic_store_n(&file->cgroup, cgroup, __ATOMIC_RELAXED);
	return 0;
}

static int makes_sense(const struct aether_app *app)
{
	return app->magic == AETHER_APP_MAGIC && app->version == AETHER_APP_VERSION && app->size == AETHER_APP_SIZE &&
	       app->port_count && app->port_count <= AETHER_APP_PORTS;
}

/* The place of a known file, else a free one, else NULL. */
static struct app_file *place_of(struct app_files *files, ino_t inode)
{
	struct app_file *vacant = NULL;

	for (int i = 0; i < APPS_MAX; i++) {
		struct app_file *file = &files->all[i];

		if (file->state != FILE_FREE && file->inode == inode)
			return file;
		if (file->state == FILE_FREE && !vacant)
			vacant = file;
	}
	return vacant;
}

static struct refused_file *refusal_of(struct app_files *files, ino_t inode)
{
	for (int i = 0; i < APPS_ENTRIES; i++) {
		if (files->refusals[i].inode == inode)
			return &files->refusals[i];
	}
	return NULL;
}

static void refuse(struct app_files *files, ino_t inode)
{
	struct refused_file *place = refusal_of(files, 0);

	if (place)
		*place = (struct refused_file){.inode = inode, .seen = files->pass};
	__atomic_fetch_add(&files->refused, 1, __ATOMIC_RELAXED);
}

/* Opens and reads one that looks right; 0 when it is right. */
static int check(const struct app_files *files, struct app_file *file, const char *name, const struct stat *stat_)
{
	struct aether_app app;

	if (!S_ISREG(stat_->st_mode) || stat_->st_dev != files->device || stat_->st_size != AETHER_APP_SIZE)
		return -1;
	file->fd = openat(files->directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (file->fd < 0)
		return -1;
	if (pread(file->fd, &app, sizeof(app), 0) != sizeof(app) || !makes_sense(&app) || identify(files, file)) {
		close(file->fd);
		return -1;
	}
	file->port_count = app.port_count;
	memcpy(file->ports, app.ports, sizeof(file->ports));
	return 0;
}

/* One that is not written to its end yet, or not locked yet, has a second chance while it is young. */
static void accept_or_refuse(struct app_files *files, struct app_file *place, const char *name,
			     const struct stat *stat_)
{
	struct app_file file = {.inode = stat_->st_ino, .seen = files->pass};

	if (place && !check(files, &file, name, stat_)) {
		*place = file;
		__atomic_store_n(&place->state, FILE_READ, __ATOMIC_RELEASE);
		if (place - files->all >= files->end)
			__atomic_store_n(&files->end, place - files->all + 1, __ATOMIC_RELEASE);
	} else if (!place || time(NULL) - stat_->st_mtime >= YOUNG_S) {
		refuse(files, stat_->st_ino);
	}
}

static void remove_abandoned(struct app_files *files, const char *name, const struct stat *stat_)
{
	int fd;

	if (!S_ISREG(stat_->st_mode) || stat_->st_size != AETHER_APP_SIZE || time(NULL) - stat_->st_mtime < ABANDONED_S)
		return;
	fd = openat(files->directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!holder(fd))
		unlinkat(files->directory, name, 0);
	close(fd);
}

static void look_at(struct app_files *files, const char *name)
{
	struct refused_file *refusal;
	struct app_file *place;
	struct stat stat_;

	if (fstatat(files->directory, name, &stat_, AT_SYMLINK_NOFOLLOW))
		return;
	refusal = refusal_of(files, stat_.st_ino);
	if (refusal) {
		refusal->seen = files->pass;
		remove_abandoned(files, name, &stat_);
		return;
	}
	place = place_of(files, stat_.st_ino);
	if (!place || place->state == FILE_FREE) {
		accept_or_refuse(files, place, name, &stat_);
		return;
	}
	place->seen = files->pass;
	if (place->state == FILE_READ && (stat_.st_size != AETHER_APP_SIZE || identify(files, place)))
		__atomic_store_n(&place->state, FILE_LEAVING, __ATOMIC_RELEASE);
}

/* Files that are no longer there, and those that the pump has let go. */
static void release(struct app_files *files)
{
	__u64 read = 0;

	for (int i = 0; i < APPS_MAX; i++) {
		struct app_file *file = &files->all[i];
		int state = __atomic_load_n(&file->state, __ATOMIC_ACQUIRE);

		if (state == FILE_READ && file->seen != files->pass)
			__atomic_store_n(&file->state, FILE_LEAVING, __ATOMIC_RELEASE);
		if (state == FILE_LEFT) {
			close(file->fd);
			*file = (struct app_file){};
		}
		read += state == FILE_READ;
	}
	for (int i = 0; i < APPS_ENTRIES; i++) {
		if (files->refusals[i].seen != files->pass)
			files->refusals[i] = (struct refused_file){};
	}
	__atomic_store_n(&files->read, read, __ATOMIC_RELAXED);
}

void app_files_pass(struct app_files *files)
{
	int copy = openat(files->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), entries = 0;
	DIR *directory = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;

	if (copy >= 0 && !directory)
		close(copy);
	files->pass++;
	while (directory && entries < APPS_ENTRIES && (entry = readdir(directory))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		entries++;
		look_at(files, entry->d_name);
	}
	if (directory)
		closedir(directory);
	release(files);
}
