// SPDX-License-Identifier: GPL-2.0
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../kernel/isa/pica/pica.h"
#include "engine_run.h"

#define USUAL_SLICE	3000
#define MAX_WORKERS	8
/* A descriptor's worth of micro-ops weighs less, even if it has to be done again exactly. */
#define STEP_WEIGHT	128

void *engine_alloc(struct engine_mem *mem, size_t size, u64 *va)
{
	struct vs_extent *e = &mem->ext[mem->map.n];
	u8 *p = calloc(1, size ? size : 1);

	if (!p || mem->map.n == ENGINE_MAX_ALLOCS)
		abort();
	e->lo = mem->map.n ? ((e[-1].hi + 0x1fff) & ~0xfffull) : ENGINE_VA;
	e->hi = e->lo + size;
	e->kva = p;
	e->flags = VS_EXT_WRITE;
	mem->map.ext = mem->ext;
	mem->map.n++;
	*va = e->lo;
	return p;
}

void engine_mem_free(struct engine_mem *mem)
{
	u32 i;

	for (i = 0; i < mem->map.n; i++)
		free(mem->ext[i].kva);
	memset(mem, 0, sizeof(*mem));
}

static enum pica_ref_status refusal_of(const struct vs_reject *rej)
{
	switch (rej->reason) {
	case PICA_REASON_OPCODE:
	case PICA_REASON_CMP_COND:
	case PICA_REASON_EMIT_SLOT:
		return PICA_REF_UNDEFINED;
	case PICA_REASON_GEOMETRY_ONLY:
		return PICA_REF_BAD_STAGE;
	default:
		return PICA_REF_DONE;
	}
}

int engine_program(const struct pica_ref_program *ref, struct vs_program **out,
		   enum pica_ref_status *refusal, char *error, size_t size)
{
	struct vs_src src = {
		.stage = ref->stage == PICA_REF_GEOMETRY ? VS_STAGE_GEOMETRY : VS_STAGE_VERTEX,
		.words = { ref->code, ref->opdesc },
		.nwords = { ref->ncode, ref->nopdesc },
		.entries = &ref->entry,
		.nentries = 1,
	};
	const struct vs_isa *isa = vs_isa_by_name("pica");
	struct vs_reject rej;
	int ret;

	*refusal = PICA_REF_DONE;
	ret = vs_program_create(isa, &src, &rej, NULL, out);
	if (ret == -ENOEXEC) {
		*refusal = refusal_of(&rej);
		snprintf(error, size, "word %u, bits %u..%u: %s", rej.offset, rej.field_lo,
			 rej.field_hi, isa->reason_text(rej.reason));
	} else if (ret) {
		snprintf(error, size, "vs_program_create: %s", strerror(-ret));
	}
	return ret;
}

void engine_model(enum pica_ref_model model, struct pica_launch *pl)
{
	pl->model = model == PICA_REF_F32 ? PICA_MODEL_F32 : PICA_MODEL_F24;
	if (model == PICA_REF_F24_NEAREST)
		pl->switches |= PICA_SW_ROUND_NEAREST;
}

void engine_block(const struct pica_ref_program *ref, const struct pica_ref_uniforms *u,
		  struct pica_launch *pl)
{
	memset(pl, 0, sizeof(*pl));
	engine_model(ref->model, pl);
	if (ref->switches & PICA_REF_OOR_READS_ZERO)
		pl->switches |= PICA_SW_OOR_READS_ZERO;
	if (ref->switches & PICA_REF_NESTED_AL_RESTORE)
		pl->switches |= PICA_SW_LOOP_RESTORES_AL;
	pl->floats = u->f;
	pl->nfloats = PICA_REF_NUM_CF;
	memcpy(pl->ints, u->i, sizeof(pl->ints));
	pl->bools = u->b;
}

u64 engine_budget(u64 steps, unsigned int lanes)
{
	return (steps + 16) * STEP_WEIGHT * lanes;
}

/* State shared by the threads of a job. */
struct crew {
	struct vs_job *job;
	bool over;
};

struct thread {
	struct crew *crew;
	struct vs_worker *worker;
	pthread_t id;
	u64 steps;
	bool done;
};

static void *work(void *arg)
{
	struct thread *t = arg;

	while (!__atomic_load_n(&t->crew->over, __ATOMIC_ACQUIRE)) {
		enum vs_run r = vs_job_step(t->crew->job, t->worker);

		t->steps++;
		if (r == VS_RUN_DONE) {
			t->done = true;
			__atomic_store_n(&t->crew->over, true, __ATOMIC_RELEASE);
		} else if (r == VS_RUN_IDLE) {
			sched_yield();
		}
	}
	return NULL;
}

static void run_workers(struct vs_job *job, unsigned int n, struct engine_done *done)
{
	struct crew crew = { .job = job };
	struct thread t[MAX_WORKERS];
	unsigned int i, ended = 0;

	if (n > MAX_WORKERS)
		abort();
	for (i = 0; i < n; i++) {
		t[i] = (struct thread){ .crew = &crew, .worker = vs_worker_new(0) };
		if (!t[i].worker)
			abort();
	}
	for (i = 1; i < n; i++)
		if (pthread_create(&t[i].id, NULL, work, &t[i]))
			abort();
	work(&t[0]);
	for (i = 1; i < n; i++)
		pthread_join(t[i].id, NULL);
	done->steps = 0;
	for (i = 0; i < n; i++) {
		ended += t[i].done;
		done->steps += t[i].steps;
		vs_worker_free(t[i].worker);
	}
	/* Exactly one call ends a job. */
	if (ended != 1) {
		fprintf(stderr, "%u of %u workers were told that the job is done\n", ended, n);
		abort();
	}
}

void engine_run_all(const struct vs_map *map, const struct vs_launch *l, unsigned int n,
		    const struct engine_how *how, struct engine_done *done)
{
	struct vs_job_limits lim = {
		.budget = how->budget,
		.simd = how->simd,
		.slice = how->slice ? how->slice : USUAL_SLICE,
	};
	struct vs_job *job = vs_job_new(map, &lim, n);
	unsigned int i;

	for (i = 0; i < n; i++)
		if (!job || vs_job_add_launch(job, &l[i]))
			abort();
	run_workers(job, how->workers ? how->workers : 1, done);
	done->fault = *vs_job_get_fault(job);
	done->weight = vs_job_weight(job);
	done->invocations = vs_job_invocations(job);
	vs_job_free(job);
}

void engine_run(const struct vs_map *map, const struct vs_launch *l,
		const struct engine_how *how, struct engine_done *done)
{
	engine_run_all(map, l, 1, how, done);
}

bool engine_status(u32 kind, enum pica_ref_status *status)
{
	switch (kind) {
	case VS_FAULT_NONE:
		*status = PICA_REF_DONE;
		return true;
	case VS_FAULT_BUDGET:
		*status = PICA_REF_STEP_LIMIT;
		return true;
	case VS_FAULT_HANG:
		*status = PICA_REF_HANG;
		return true;
	case VS_FAULT_FETCH:
		*status = PICA_REF_RAN_OFF;
		return true;
	default:
		return false;
	}
}
