/* SPDX-License-Identifier: Apache-2.0 */
#ifndef AETHER_UPROBES_H
#define AETHER_UPROBES_H

#include <bpf/libbpf.h>
#include <linux/types.h>

/* Lets a program stand at several functions at once; before its load. */
int uprobes_prepare(struct bpf_program *program);

/*
 * Puts a loaded program at these places of a file, or at the returns from there, in every process that maps it. The
 * descriptor of the link, whose closing takes it away again, or -1 and errno. cookies may be NULL.
 */
int uprobes_attach(int program, const char *path, const __u64 *offsets, const __u64 *cookies, __u32 count, int returns);

#endif /* AETHER_UPROBES_H */
