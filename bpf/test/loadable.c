// SPDX-License-Identifier: Apache-2.0
/* Whether a library can be loaded: every symbol that it refers to is found now, as the JVM will want it. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: loadable LIBRARY\n");
		return 2;
	}
	if (!dlopen(argv[1], RTLD_NOW)) {
		fprintf(stderr, "loadable: %s\n", dlerror());
		return 1;
	}
	return 0;
}
