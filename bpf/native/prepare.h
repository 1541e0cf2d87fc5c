/* SPDX-License-Identifier: Apache-2.0 */
/* What an object is told before it is loaded: its constants, and which of its programs this kernel needs. */
#ifndef AETHER_PREPARE_H
#define AETHER_PREPARE_H

#include "loader.h"

void prepare_object(struct bpf_object *object, const struct settings *settings, const struct watched *watched);

/* Whether the program is attached to functions of libraries. */
int prepare_in_library(const struct bpf_program *program);

#endif /* AETHER_PREPARE_H */
