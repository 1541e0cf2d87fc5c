/* SPDX-License-Identifier: Apache-2.0 */
/* Why the kernel refused, in words, and what to do: a privilege, a foreign program, or a kernel that lacks something.
 */
#ifndef AETHER_REFUSAL_H
#define AETHER_REFUSAL_H

#include <bpf/libbpf.h>
#include <stdarg.h>

#include "loader.h"

/* Keeps libbpf's warnings on this thread, for the verifier's verdict is in there. */
int refusal_hear(enum libbpf_print_level level, const char *format, va_list args);
/* Before something new is tried. */
void refusal_forget(void);

/* Sets the feature's state, reason and fix. */
void refusal_load(struct feature *feature, int err, const char *what);
void refusal_attach(struct feature *feature, const struct bpf_program *program, const struct settings *settings,
		    int err);

#endif /* AETHER_REFUSAL_H */
