/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the guard's lists that only the guard itself calls. */
#ifndef AETHER_GUARD_LISTS_H
#define AETHER_GUARD_LISTS_H

#include "guard.h"

/* Tells the program that they are others than before. */
void guard_lists_changed(struct guard *guard);

/* Pins them, once, in the place of an earlier agent's: whoever comes next finds there what was entered at run time. */
void guard_lists_pin(struct guard *guard);

#endif /* AETHER_GUARD_LISTS_H */
