/* SPDX-License-Identifier: Apache-2.0 */
/* Which files of the directory are read: all but the atomic fields belong to the thread that finds them. */
#ifndef AETHER_APP_FILES_H
#define AETHER_APP_FILES_H

#include <sys/types.h>

#include "apps.h"

#define APPS_ENTRIES 1024 /* of the directory, looked at in one pass */

/* A place goes round: FREE, READ by the pump, LEAVING until the pump has seen that, LEFT. */
enum app_file_state { FILE_FREE, FILE_READ, FILE_LEAVING, FILE_LEFT };

struct app_file {
	int state; /* atomic */
	int fd;
	ino_t inode;
	__u32 seen;   /* the last pass that found it in the directory */
	__u32 netns;  /* of its writer; atomic */
	__u64 cgroup; /* the same */
	__u32 port_count;
	__u16 ports[AETHER_APP_PORTS];
	struct app_words words; /* the pump's */
};

/* Remembered, so that each is counted once. */
struct refused_file {
	ino_t inode; /* 0: free */
	__u32 seen;
};

struct app_files {
	struct app_file all[APPS_MAX];
	int end; /* so many of them, the first ones, may be in use; atomic */
	struct refused_file refusals[APPS_ENTRIES];
	int directory;
	dev_t device;
	char hierarchy[4096]; /* top of the watched cgroup's tree */
	__u32 pass;
	__u64 read, refused; /* atomic */
};

int app_files_open(struct app_files *files, const char *path, const char *cgroup, struct error *error);
void app_files_pass(struct app_files *files);
void app_files_close(struct app_files *files);

#endif /* AETHER_APP_FILES_H */
