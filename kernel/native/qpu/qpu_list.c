// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lists of QPU threads in the form that the firmware of the VideoCore IV accepts: for each thread
 * the bus address of its uniforms and that of its code. No registers persist between jobs.
 *
 * Source: the mailbox interface of the Raspberry Pi firmware ("execute QPU") as programs
 * for it use it.
 */
#include "../../isa/qpu/qpu_launch.h"
#include "qpu_list.h"

#define PAIR_WORDS	2

static const char * const reasons[QPU_LIST_NUM_REASONS] = {
	[QPU_LIST_OK] = "no error",
	[QPU_LIST_MISALIGNED_CODE] = "the address of code is not a multiple of 8",
	[QPU_LIST_MISALIGNED_UNIFORMS] = "the address of uniforms is not a multiple of 4",
};

struct qpu_list {
	struct vs_native base;
	const struct vs_map *map;
	struct qpu_job *machine;
	u64 memory;
};

static struct qpu_list *to_list(const struct vs_native *n)
{
	return container_of(n, struct qpu_list, base);
}

static int qpu_list_reject(const struct vs_native_in *in, u32 thread, enum qpu_list_reason reason,
			   struct vs_fault *fault)
{
	u32 word = thread * PAIR_WORDS + (reason == QPU_LIST_MISALIGNED_CODE);

	vs_fault_command(fault, in->va + word * sizeof(u32), reason, in->words[word]);
	fault->invocation = thread;
	return -ENOEXEC;
}

/* Other errors in the addresses are detected when they are used. */
static int read_threads(const struct vs_native_in *in, struct qpu_thread *t, u32 n,
			struct vs_fault *fault)
{
	u32 i;

	for (i = 0; i < n; i++) {
		t[i].uniforms = in->words[i * PAIR_WORDS];
		t[i].pc = in->words[i * PAIR_WORDS + 1];
		if (t[i].pc % 8)
			return qpu_list_reject(in, i, QPU_LIST_MISALIGNED_CODE, fault);
		if (t[i].uniforms % 4)
			return qpu_list_reject(in, i, QPU_LIST_MISALIGNED_UNIFORMS, fault);
	}
	return 0;
}

/* Words from one address to a later one, 0: it is not later. */
static u32 qpu_list_distance(u32 from, u32 to)
{
	u32 d = (to & QPU_ADDR_MASK) - (from & QPU_ADDR_MASK);

	return (s32)d > 0 ? d / 4 : 0;
}

/* Strict mode: a thread's uniforms end where those of another one begin. */
static void bound_uniforms(struct qpu_thread *t, u32 n)
{
	u32 i, k, d;

	for (i = 0; i < n; i++) {
		for (k = 0; k < n; k++) {
			d = qpu_list_distance(t[i].uniforms, t[k].uniforms);
			if (d && (!t[i].nuniforms || d < t[i].nuniforms))
				t[i].nuniforms = d;
		}
		vs_cond_resched();
	}
}

static int qpu_list_new_machine(const struct vs_native_in *in, u32 n, struct qpu_job **out,
				struct vs_fault *fault)
{
	struct qpu_launch l = { .map = in->map, .nthreads = n, .switches = in->switches };
	struct qpu_thread *threads;
	const char *what;
	int ret;

	threads = vs_zalloc_array(n, sizeof(*threads));
	if (!threads)
		return -ENOMEM;
	l.threads = threads;
	ret = read_threads(in, threads, n, fault);
	if (!ret && in->switches & QPU_SW_STRICT_HAZARDS)
		bound_uniforms(threads, n);
	if (!ret)
		ret = qpu_launch_new(&l, in->max_memory, &what, out);
	vs_free(threads);
	return ret;
}

static int qpu_list_parse(const struct vs_native_in *in, struct vs_native_state *s,
			  struct vs_native **out, struct vs_fault *fault)
{
	u32 n = in->nwords / PAIR_WORDS;
	struct qpu_list *list;
	int ret;

	if (!n || in->nwords % PAIR_WORDS || in->output_va || in->output_size || in->model ||
	    (in->switches & ~QPU_SW_ALL))
		return -EINVAL;
	if (n > QPU_MAX_THREADS)
		return -E2BIG;
	list = vs_zalloc(sizeof(*list));
	if (!list)
		return -ENOMEM;
	list->map = in->map;
	list->memory = sizeof(*list) + qpu_job_memory(n);
	ret = qpu_list_new_machine(in, n, &list->machine, fault);
	if (ret) {
		vs_free(list);
		return ret;
	}
	*out = &list->base;
	return 0;
}

static const struct vs_map *qpu_list_map(const struct vs_native *n)
{
	return to_list(n)->map;
}

static u32 qpu_list_phases(const struct vs_native *n)
{
	return 1;
}

static int qpu_list_add_phases(struct vs_native *n, struct vs_job *job)
{
	return qpu_job_add(to_list(n)->machine, job);
}

static u64 qpu_list_memory(const struct vs_native *n)
{
	return to_list(n)->memory;
}

static const char *qpu_list_reason_text(u32 reason)
{
	return reason < QPU_LIST_NUM_REASONS ? reasons[reason] : "?";
}

static void list_free(struct vs_native *n)
{
	struct qpu_list *list = to_list(n);

	qpu_job_free(list->machine);
	vs_free(list);
}

/**
 * qpu_list_machine - the machine of a parsed list
 * @n: parsed list
 *
 * Return: machine.
 */
const struct qpu_job *qpu_list_machine(const struct vs_native *n)
{
	return to_list(n)->machine;
}

const struct vs_native_ops qpu_list_ops = {
	.isa = VS_ISA_QPU,
	.parse = qpu_list_parse,
	.map = qpu_list_map,
	.phases = qpu_list_phases,
	.add_phases = qpu_list_add_phases,
	.memory = qpu_list_memory,
	.reason_text = qpu_list_reason_text,
	.free = list_free,
};
