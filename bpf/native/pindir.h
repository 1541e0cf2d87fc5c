/* SPDX-License-Identifier: Apache-2.0 */
/* The directory of the pins: a file system of its own kind, and one agent at a time. */
#ifndef AETHER_PINDIR_H
#define AETHER_PINDIR_H

#include "error.h"

enum pindir_mode { PINDIR_EXISTING, PINDIR_CREATE };

/*
 * A locked descriptor, which the kernel unlocks however the process ends; or -1 and why not. Without a reason when it
 * was to exist and does not.
 */
int pindir_open(const char *path, enum pindir_mode mode, struct error *error);

/*
 * The same for one part of such a directory, which is locked alone, for as long as its descriptor is open; the
 * directory is made when missing.
 */
int pindir_open_part(const char *path, const char *part, struct error *error);

int pindir_has(int directory, const char *feature);
/* 0, or -errno; it may exist. */
int pindir_make(int directory, const char *feature);

/* Removes the pins of a feature but those that `keep` wants; returns how many. */
int pindir_empty(int directory, const char *feature, int (*keep)(const char *, const void *), const void *context);
int pindir_remove(int directory, const char *feature);

/*
 * Removes the features that `knows` does not know, all when it is NULL, but never a part that somebody holds; returns
 * how many pins that were.
 */
int pindir_prune(int directory, int (*knows)(const char *feature));

#endif /* AETHER_PINDIR_H */
