/* SPDX-License-Identifier: Apache-2.0 */
#ifndef AETHER_ERROR_H
#define AETHER_ERROR_H

/* Why something failed, and what the operator can do about it. */
struct error {
	char reason[512];
	char fix[256];
};

__attribute__((format(printf, 2, 3))) int error_set(struct error *error, const char *format, ...);
__attribute__((format(printf, 2, 3))) void error_fix(struct error *error, const char *format, ...);

#endif /* AETHER_ERROR_H */
