// SPDX-License-Identifier: Apache-2.0
/* What the linked-in libbpf takes for stderr, see the Makefile. */
#include <stdio.h>

extern FILE *aether_stderr;
FILE *aether_stderr;

__attribute__((constructor)) static void set_stderr(void)
{
	aether_stderr = stderr;
}
