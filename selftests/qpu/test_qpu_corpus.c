// SPDX-License-Identifier: GPL-2.0
/*
 * Cases of format qpu-job/1 on the reference model and on every build of the engine, at
 * their original address and elsewhere: the case kept here, and all cases of the corpus
 * if one is given.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "../pica/json_util.h"
#include "qcase.h"

#define ELSEWHERE	0x01230000u

static void run_case(const char *folder, const char *name)
{
	static const uint32_t offset[] = { 0, ELSEWHERE };
	struct qx_result res;
	unsigned int ex, i, wrong;
	struct qcase c;

	if (qcase_load(folder, name, &c)) {
		tap_result(false, "%s: %s", name, ju_error());
		qcase_free(&c);
		return;
	}
	for (ex = 0; ex < qx_count(); ex++) {
		for (i = 0; i < 2; i++) {
			wrong = qcase_run(&c, ex, offset[i], &res);
			tap_result(!wrong && !res.status && res.counters.insns == c.insns,
				   "%s, %s%s: %s, %u words wrong, %llu instructions", name,
				   qx_name(ex), i ? ", moved" : "", qx_status_name(res.status),
				   wrong, (unsigned long long)res.counters.insns);
		}
	}
	qcase_free(&c);
}

static int is_json(const struct dirent *d)
{
	const char *dot = strrchr(d->d_name, '.');

	return dot && !strcmp(dot, ".json");
}

static void run_folder(const char *folder)
{
	struct dirent **list;
	char path[1024];
	int i, n;

	snprintf(path, sizeof(path), "%s/cases", folder);
	n = scandir(path, &list, is_json, alphasort);
	tap_result(n > 0, "cases found: %d", n);
	for (i = 0; i < n; i++) {
		*strrchr(list[i]->d_name, '.') = 0;
		run_case(folder, list[i]->d_name);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

int main(void)
{
	char path[512];

	tap_start();
	run_case(qx_data(), "perf_mandel_qpulib");
	if (qx_corpus()) {
		snprintf(path, sizeof(path), "%s/qpu", qx_corpus());
		run_folder(path);
	} else {
		tap_skip("no corpus given", "cases recorded on hardware");
	}
	return tap_done();
}
