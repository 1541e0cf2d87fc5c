/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maps and links that outlive the agent, as files of a bpf file system: DIRECTORY/FEATURE/map_NAME, link_NAME and
 * layout. Programs whose links are pinned keep running while no agent does; the next one takes both over.
 */
#ifndef AETHER_PINS_H
#define AETHER_PINS_H

#include <bpf/libbpf.h>
#include <limits.h>

#include "error.h"

struct feature;
struct watched;

/* What became of a feature's pins. */
enum pinned {
	PINNED_NOT,	 /* see the error of the pins as a whole, if there is one */
	PINNED_NEW,	 /* there were none */
	PINNED_TAKEN,	 /* an earlier agent's maps and links are in use */
	PINNED_REPLACED, /* an earlier agent's could not be: their maps differ or watch another cgroup */
};

struct pins {
	char path[PATH_MAX]; /* empty: nothing is to be pinned */
	int directory;	     /* held with a lock while in use, else -1 */
	int keep;	     /* leave everything behind at the end */
	struct error error;  /* why nothing, or not everything, is pinned */
};

/* Mounts the file system where it is missing from its usual place, makes the directory and locks it. */
void pins_open(struct pins *pins);

/* Before the object is loaded: its maps become those that are pinned, where they fit. */
void pins_reuse(struct pins *pins, struct feature *feature, struct bpf_object *object, const struct watched *watched);

/* Once it is loaded. */
void pins_maps(struct pins *pins, struct feature *feature, const struct watched *watched);

/* The earlier agent's link of this name, which now runs this program; NULL when there is none or it cannot. */
struct bpf_link *pins_relink(const struct pins *pins, const struct feature *feature, const char *name,
			     struct bpf_program *program);
/* The descriptor of an earlier agent's link of its congestion control, or -1. */
int pins_control(const struct pins *pins, const struct feature *feature);

/* Pins the links, in place of an earlier agent's: those of its programs that still run end now. */
void pins_links(struct pins *pins, struct feature *feature);

/* Removes everything that belongs to the feature. */
void pins_remove(const struct pins *pins, const char *feature);

/* Removes everything, unless it is to be kept, and gives the directory up. */
void pins_close(struct pins *pins);

/* Removes what an agent left in this directory: the number of pins, or -1 and why not. */
int pins_clean(const char *path, struct error *error);

#endif /* AETHER_PINS_H */
