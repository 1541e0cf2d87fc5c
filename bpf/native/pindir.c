// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pindir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define BPF_MAGIC 0xcafe4a11
#define USUAL_MOUNT "/sys/fs/bpf"

static int is_bpffs(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && (unsigned int)fs.f_type == BPF_MAGIC;
}

static int open_directory(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* The directory in which ours is, for looking at only: it may be unreadable. */
static int open_parent(const char *path, char *parent)
{
	char *slash;

	snprintf(parent, PATH_MAX, "%s", path);
	slash = strrchr(parent, '/');
	if (slash && slash != parent)
		*slash = '\0';
	return open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static int mount_usual(const char *parent)
{
	if (strcmp(parent, USUAL_MOUNT))
		return -1;
	/* As systemd does it. */
	return mount("bpf", USUAL_MOUNT, "bpf", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RELATIME, "mode=0700");
}

static int make(const char *path, struct error *error)
{
	char parent[PATH_MAX];
	int fd = open_parent(path, parent), missing = fd >= 0 && !is_bpffs(fd);

	if (fd >= 0)
		close(fd);
	if (fd < 0) {
		error_set(error, "cannot open %s: %s", parent, strerror(errno));
		error_fix(error, "set aether.agent.pin.directory to a directory right below a bpf file system");
		return -1;
	}
	if (missing && mount_usual(parent)) {
		error_set(error, "%s is no bpf file system", parent);
		error_fix(error, "mount -t bpf bpf " USUAL_MOUNT
				 ", or set aether.agent.pin.directory to a directory right below one");
		return -1;
	}
	if (!mkdir(path, 0700) || errno == EEXIST)
		return open_directory(path);
	error_set(error, "cannot make %s: %s", path, strerror(errno));
	error_fix(error, "make %s writable for the agent, or set aether.agent.pin.directory", parent);
	return -1;
}

/* Whether this is the directory that the path names, ours, and nobody else's at the moment. */
static int lock(int fd, const char *path, struct error *error)
{
	struct stat here, there;

	if (!is_bpffs(fd)) {
		error_set(error, "%s is not in a bpf file system", path);
		error_fix(error, "set aether.agent.pin.directory to a directory right below one");
		return -1;
	}
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		error_set(error, "another agent holds %s", path);
		error_fix(error, "stop it, or give this one a directory of its own: aether.agent.pin.directory");
		return -1;
	}
	if (fstat(fd, &here) || here.st_uid != geteuid()) {
		error_set(error, "%s belongs to another user", path);
		error_fix(error, "remove it, or set aether.agent.pin.directory");
		return -1;
	}
	if (stat(path, &there) || here.st_ino != there.st_ino) /* removed by whoever held it until now */
		return error_set(error, "%s was removed meanwhile", path);
	return 0;
}

int pindir_open(const char *path, enum pindir_mode mode, struct error *error)
{
	int fd = open_directory(path), missing = fd < 0 && errno == ENOENT;

	if (missing && mode == PINDIR_EXISTING)
		return -1;
	if (missing)
		fd = make(path, error);
	if (fd < 0 && !error->reason[0]) {
		error_set(error, "cannot open %s: %s", path, strerror(errno));
		error_fix(error, "do this as the agent's user, or set aether.agent.pin.directory");
	}
	if (fd < 0 || !lock(fd, path, error))
		return fd;
	close(fd);
	return -1;
}

int pindir_open_part(const char *path, const char *part, struct error *error)
{
	int whole = open_directory(path), fd = -1;
	char name[PATH_MAX];

	if (whole < 0 && errno == ENOENT)
		whole = make(path, error);
	if (whole >= 0 && !pindir_make(whole, part))
		fd = openat(whole, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && !error->reason[0]) {
		error_set(error, "cannot open %s/%s: %s", path, part, strerror(errno));
		error_fix(error, "do this as the agent's user, or set aether.agent.pin.directory");
	}
	if (whole >= 0)
		close(whole);
	if (fd < 0)
		return -1;
	if (snprintf(name, sizeof(name), "%s/%s", path, part) < (int)sizeof(name) && !lock(fd, name, error))
		return fd;
	close(fd);
	return -1;
}

int pindir_has(int directory, const char *feature)
{
	return !faccessat(directory, feature, F_OK, 0);
}

int pindir_make(int directory, const char *feature)
{
	return mkdirat(directory, feature, 0700) && errno != EEXIST ? -errno : 0;
}

/* Nothing but what an agent calls its pins is ever removed. */
static int is_pin(const char *name)
{
	return !strncmp(name, "map_", 4) || !strncmp(name, "link_", 5) || !strncmp(name, "new_", 4) ||
	       !strcmp(name, "layout");
}

static DIR *list(int directory, const char *name)
{
	int fd = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !entries)
		close(fd);
	return entries;
}

int pindir_empty(int directory, const char *feature, int (*keep)(const char *, const void *), const void *context)
{
	DIR *entries = list(directory, feature);
	struct dirent *entry;
	int count = 0;

	while (entries && (entry = readdir(entries))) {
		if (is_pin(entry->d_name) && !(keep && keep(entry->d_name, context)))
			count += !unlinkat(dirfd(entries), entry->d_name, 0);
	}
	if (entries)
		closedir(entries);
	return count;
}

int pindir_remove(int directory, const char *feature)
{
	int count = pindir_empty(directory, feature, NULL, NULL);

	unlinkat(directory, feature, AT_REMOVEDIR);
	return count;
}

static int is_held(int directory, const char *feature)
{
	int fd = openat(directory, feature, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int held = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;

	if (fd >= 0)
		close(fd);
	return held;
}

int pindir_prune(int directory, int (*knows)(const char *feature))
{
	DIR *entries = list(directory, ".");
	struct dirent *entry;
	int count = 0;

	while (entries && (entry = readdir(entries))) {
		if (entry->d_name[0] != '.' && !(knows && knows(entry->d_name)) && !is_held(directory, entry->d_name))
			count += pindir_remove(directory, entry->d_name);
	}
	if (entries)
		closedir(entries);
	return count;
}
