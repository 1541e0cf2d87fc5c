// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEEPEST 32
#define DELETED " (deleted)"

static void visit_members(int cgroup, void (*visit)(void *context, int pid), void *context)
{
	int fd = openat(cgroup, "cgroup.procs", O_RDONLY | O_CLOEXEC), pid;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");

	if (fd >= 0 && !file)
		close(fd);
	/* Those of other pid namespaces are shown as 0. */
	while (file && fscanf(file, "%d", &pid) == 1) {
		if (pid > 0)
			visit(context, pid);
	}
	if (file)
		fclose(file);
}

static void visit_tree(int cgroup, int depth, void (*visit)(void *context, int pid), void *context)
{
	int copy = openat(cgroup, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *directory = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;

	if (copy >= 0 && !directory)
		close(copy);
	visit_members(cgroup, visit, context);
	while (directory && depth < DEEPEST && (entry = readdir(directory))) {
		int child;

		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		child = openat(cgroup, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (child < 0)
			continue;
		visit_tree(child, depth + 1, visit, context);
		close(child);
	}
	if (directory)
		closedir(directory);
}

void processes_visit(int cgroup, void (*visit)(void *context, int pid), void *context)
{
	if (cgroup >= 0)
		visit_tree(cgroup, 0, visit, context);
}

/* "start-end r-xp offset major:minor inode   path", and the path alone may hold spaces. */
static int parse(char *line, struct mapping *mapping)
{
	char *path = strchr(line, '/');
	size_t length;
	char mode[5];

	if (!path || sscanf(line, "%lx-%lx %4s %*x %x:%x %lu", &mapping->start, &mapping->end, mode, &mapping->major,
			    &mapping->minor, &mapping->inode) != 6)
		return -1;
	path[strcspn(path, "\n")] = '\0';
	length = strlen(path);
	mapping->deleted = length > strlen(DELETED) && !strcmp(path + length - strlen(DELETED), DELETED);
	if (mapping->deleted)
		path[length - strlen(DELETED)] = '\0';
	mapping->path = path;
	return mode[2] == 'x' ? 0 : -1;
}

long processes_mapped(int pid)
{
	char path[32], line[128];
	long all, data;
	int fd, length;

	snprintf(path, sizeof(path), "/proc/%d/statm", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	length = read(fd, line, sizeof(line) - 1);
	close(fd);
	line[length > 0 ? length : 0] = '\0';
	return sscanf(line, "%ld %*d %*d %*d %*d %ld", &all, &data) == 2 ? all - data : -1;
}

int processes_mappings(int pid, void (*visit)(void *context, const struct mapping *mapping), void *context)
{
	char name[32], *line = NULL;
	struct mapping mapping;
	size_t size = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/maps", pid);
	file = fopen(name, "re");
	if (!file)
		return -1;
	while (getline(&line, &size, file) > 0) {
		/* Only libraries: most lines of a JVM are something else. */
		if (strstr(line, ".so") && !parse(line, &mapping))
			visit(context, &mapping);
	}
	free(line);
	fclose(file);
	return 0;
}
