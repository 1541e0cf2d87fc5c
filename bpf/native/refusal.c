// SPDX-License-Identifier: Apache-2.0
#include "refusal.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cgroup.h"
#include "privileges.h"

/* The last warnings of libbpf on this thread: the verifier's verdict is in there. */
static __thread char last_log[4096];

int refusal_hear(enum libbpf_print_level level, const char *format, va_list args)
{
	size_t used = strlen(last_log);

	if (level != LIBBPF_WARN)
		return 0;
	if (used > sizeof(last_log) / 2)
		used = 0;
	vsnprintf(last_log + used, sizeof(last_log) - used, format, args);
	return 0;
}

/* The last line of a verifier log that says something. */
static void last_words(char *text, size_t size)
{
	char *line, *save = NULL;

	text[0] = '\0';
	for (line = strtok_r(last_log, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (!strncmp(line, "libbpf:", 7) || !strncmp(line, "processed ", 10) || !strncmp(line, "--", 2))
			continue;
		snprintf(text, size, "%s", line);
	}
}

static void refuse(struct feature *feature, enum feature_state state, int err, const char *what)
{
	char words[160];

	last_words(words, sizeof(words));
	feature->state = state;
	error_set(&feature->error, "%s: %s%s%s", what, strerror(err), words[0] ? ": " : "", words);
	if (state == DENIED)
		privileges_explain(&feature->error);
	else
		error_fix(&feature->error, "this kernel lacks what the program needs; Linux 5.15 or newer has it");
}

void refusal_forget(void)
{
	last_log[0] = '\0';
}

void refusal_load(struct feature *feature, int err, const char *what)
{
	/* The verifier calls a helper unknown, and the call invalid, when it is a capability that is missing. */
	int denied = err == EPERM || privileges_lacking(PRIVILEGES_TO_ATTACH);

	refuse(feature, denied ? DENIED : UNSUPPORTED, err, what);
}

void refusal_attach(struct feature *feature, const struct bpf_program *program, const struct settings *settings,
		    int err)
{
	int conflict = loader_at_cgroup(program) && err == EPERM && !privileges_lacking(PRIVILEGES_TO_ATTACH);
	char what[128], holders[300];

	snprintf(what, sizeof(what), "cannot attach %s", bpf_program__name(program));
	refusal_forget();
	refuse(feature, err == EPERM ? DENIED : UNSUPPORTED, err, what);
	if (!conflict)
		return;
	cgroup_holders(settings->cgroup, bpf_program__expected_attach_type(program), holders, sizeof(holders));
	feature->state = CONFLICT;
	error_set(&feature->error, "%s: the attach point is held alone by %s", what,
		  holders[0] ? holders : "a program above the cgroups that can be seen from here");
	error_fix(&feature->error, "attach that program with BPF_F_ALLOW_MULTI or watch another cgroup");
}
