/* SPDX-License-Identifier: Apache-2.0 */
#ifndef AETHER_SURVEY_H
#define AETHER_SURVEY_H

struct bpf_object;

/*
 * Runs an iter/tcp program of a loaded object in every network namespace that a process lives in. Returns
 * the number of namespaces that could not be visited (those that it may not even know of count as one), -1 when the
 * program is not there.
 */
int survey(struct bpf_object *object, const char *program);

/* The same on the calling thread, which is back in its namespace at the end. */
int survey_here(struct bpf_object *object, const char *program);

#endif /* AETHER_SURVEY_H */
