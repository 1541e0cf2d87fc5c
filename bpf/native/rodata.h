/* SPDX-License-Identifier: Apache-2.0 */
#ifndef AETHER_RODATA_H
#define AETHER_RODATA_H

#include <bpf/libbpf.h>

/* Sets a `const volatile` setting of an object before its load; an object without it is left alone. */
void rodata_set(struct bpf_object *object, const char *name, const void *value, size_t size);

#endif /* AETHER_RODATA_H */
