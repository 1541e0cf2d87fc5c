// SPDX-License-Identifier: Apache-2.0
#include "error.h"

#include <stdarg.h>
#include <stdio.h>

/* Returns -1, so that a caller can fail and explain in one statement. */
int error_set(struct error *error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error->reason, sizeof(error->reason), format, args);
	va_end(args);
	error->fix[0] = '\0';
	return -1;
}

void error_fix(struct error *error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error->fix, sizeof(error->fix), format, args);
	va_end(args);
}
