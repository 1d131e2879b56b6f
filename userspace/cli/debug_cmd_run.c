// SPDX-License-Identifier: MIT
/*
 * Commands that let jobs run.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debug.h"

static int wait_for(struct dbg *d, int ret)
{
	return ret || d->ops->async ? ret : dbg_wait(d);
}

static int count_of(struct dbg *d, const char *args, uint32_t *count)
{
	uint64_t n;
	int ret;

	*count = 1;
	if (!*args)
		return 0;
	ret = dbg_eval_u64(d, args, &n);
	if (!ret && (!n || n > UINT32_MAX))
		return dbg_error(d, "\"%s\" is no number of times.", args);
	*count = (uint32_t)n;
	return ret;
}

static int do_run(struct dbg *d, const char *args)
{
	if (*args)
		return dbg_error(d, "Jobs have no arguments.");
	d->attach &= ~(uint32_t)DRM_VSHADER_DEBUG_STOP_START;
	return wait_for(d, dbg_start(d));
}

static int do_start(struct dbg *d, const char *args)
{
	if (*args)
		return dbg_error(d, "Jobs have no arguments.");
	d->attach |= DRM_VSHADER_DEBUG_STOP_START;
	return wait_for(d, dbg_start(d));
}

/* continue N: ignore the breakpoint it is at N - 1 times */
static int do_continue(struct dbg *d, const char *args)
{
	struct dbg_point *p = dbg_point_by_id(d, d->stop.point);
	uint32_t count;
	int ret = dbg_need_stop(d);

	if (!ret)
		ret = count_of(d, args, &count);
	if (!ret && count > 1) {
		if (!p)
			return dbg_error(d, "Not stopped at any breakpoint; argument ignored.");
		p->p.ignore = count - 1;
		ret = dbg_update_point(d, p);
	}
	if (ret)
		return ret;
	if (!d->from_point)
		dbg_printf(d, "Continuing.\n");
	return wait_for(d, dbg_continue(d));
}

static int step(struct dbg *d, const char *args, uint32_t action)
{
	uint32_t count;
	int ret = count_of(d, args, &count);

	if (!ret)
		ret = dbg_resume(d, action, d->inv, 0, count);
	return wait_for(d, ret);
}

static int do_step(struct dbg *d, const char *args)
{
	return step(d, args, DRM_VSHADER_DEBUG_STEP);
}

static int do_next(struct dbg *d, const char *args)
{
	return step(d, args, DRM_VSHADER_DEBUG_STEP_OVER);
}

/* By operations of an instruction that has several. */
static int do_stepi(struct dbg *d, const char *args)
{
	return step(d, args, DRM_VSHADER_DEBUG_STEP_OPERATION);
}

/* Programs whose instructions have several operations are not stepped over calls. */
static int do_nexti(struct dbg *d, const char *args)
{
	bool operations = d->code && dbg_code_has_operations(d->code);

	return step(d, args, operations ? DRM_VSHADER_DEBUG_STEP_OPERATION :
			     DRM_VSHADER_DEBUG_STEP_OVER);
}

static int do_finish(struct dbg *d, const char *args)
{
	int ret = dbg_need_stop(d);

	if (ret)
		return ret;
	ret = vshader_debug_resume(d->session, DRM_VSHADER_DEBUG_STEP_OUT, d->inv, 0, 0);
	if (ret == -EINVAL)
		return dbg_error(d, "\"finish\" not meaningful outside of functions.");
	if (ret)
		return dbg_error(d, "%s", vshader_error());
	d->state = DBG_RUNNING;
	return wait_for(d, 0);
}

static int do_until(struct dbg *d, const char *args)
{
	uint32_t program, pc;
	int ret = dbg_need_stop(d);

	if (ret)
		return ret;
	/* Without a location: past the end of a loop, i.e. to the following instruction. */
	if (!*args) {
		const struct dbg_insn *i = dbg_code_at(d->code, dbg_pc(d));

		if (!i || !dbg_code_at(d->code, i->pc + i->size))
			return dbg_error(d, "There is no next instruction.");
		pc = i->pc + i->size;
	} else {
		ret = dbg_location(d, args, &program, &pc);
		if (ret)
			return ret;
		if (program != JF_NONE && d->programs[program] != d->code)
			return dbg_error(d, "The job is not in %s.", d->programs[program]->name);
	}
	return wait_for(d, dbg_resume(d, DRM_VSHADER_DEBUG_UNTIL, d->inv, pc, 0));
}

static int do_advance(struct dbg *d, const char *args)
{
	return *args ? do_until(d, args) : dbg_error(d, "Argument required (a location).");
}

/* Move the selected invocation's PC; it resumes there now or with the job. */
static int do_jump(struct dbg *d, const char *args)
{
	uint32_t program, pc;
	int ret = dbg_need_stop(d);

	if (!ret && !*args)
		ret = dbg_error(d, "Argument required (a location).");
	if (!ret)
		ret = dbg_location(d, args, &program, &pc);
	if (!ret && program != JF_NONE && d->programs[program] != d->code)
		ret = dbg_error(d, "The job is not in %s.", d->programs[program]->name);
	if (!ret)
		ret = dbg_set_pc(d, pc);
	if (ret)
		return ret;
	dbg_printf(d, "Continuing at 0x%x.\n", pc);
	return wait_for(d, dbg_resume(d, DRM_VSHADER_DEBUG_CONTINUE, 0, 0, 0));
}

static int do_interrupt(struct dbg *d, const char *args)
{
	if (d->state != DBG_RUNNING)
		return dbg_error(d, "The job is not running.");
	if (vshader_debug_interrupt(d->session))
		return dbg_error(d, "%s", vshader_error());
	return wait_for(d, 0);
}

/* The job ends canceled; the others of the file follow. */
static int do_kill(struct dbg *d, const char *args)
{
	if (d->state == DBG_IDLE)
		return dbg_error(d, "No job is being run.");
	if (!strcmp(args, "job")) {
		if (vshader_debug_resume(d->session, DRM_VSHADER_DEBUG_KILL, 0, 0, 0))
			return dbg_error(d, "%s", vshader_error());
		d->state = DBG_RUNNING;
		return wait_for(d, 0);
	}
	if (*args)
		return dbg_error(d, "\"kill\" or \"kill job\"");
	dbg_kill(d);
	dbg_printf(d, "[The run has been given up]\n");
	return 0;
}

/* Run the job to its end: points no longer stop it or the following jobs. */
static int do_detach(struct dbg *d, const char *args)
{
	int ret = dbg_need_stop(d);

	if (ret)
		return ret;
	if (vshader_debug_resume(d->session, DRM_VSHADER_DEBUG_DETACH, 0, 0, 0))
		return dbg_error(d, "%s", vshader_error());
	d->state = DBG_RUNNING;
	return wait_for(d, 0);
}

const struct dbg_cmd dbg_cmds_run[] = {
	{ "run", "", "Run the jobs of the file in order, from the first one on.",
	  do_run, "r" },
	{ "start", "", "As run, and stop every job at its first instruction.", do_start },
	{ "continue", "[N]",
	  "Resume; with N, ignore the next N - 1 hits of the current breakpoint.", do_continue,
	  "c fg", true },
	{ "step", "[N]", "Resume until the selected invocation has executed N instructions.",
	  do_step, "s", true },
	{ "next", "[N]", "As step, but calls count as one instruction.", do_next, "n", true },
	{ "stepi", "[N]",
	  "As step, by operations: those of a clause, of a bundle, the fields of an instruction.\n"
	  "Where instructions have no operations, as step.", do_stepi, "si", true },
	{ "nexti", "[N]", "As stepi; where instructions have no operations, as next.", do_nexti,
	  "ni", true },
	{ "finish", "",
	  "Resume until the selected invocation has returned from its function.", do_finish,
	  "fin" },
	{ "until", "[LOCATION]",
	  "Resume until the selected invocation is at LOCATION, by default the next instruction.",
	  do_until, "u", true },
	{ "jump", "LOCATION",
	  "Resume the selected invocation at LOCATION. \"set var $pc = N\" only moves it.",
	  do_jump, "j" },
	{ "advance", "LOCATION", "Resume until the selected invocation is at LOCATION.",
	  do_advance },
	{ "interrupt", "", "Stop a running job before its next instruction.", do_interrupt },
	{ "kill", "[job]", "End the run; \"kill job\": only this job.", do_kill, "k" },
	{ "detach", "", "Remove all stops of this job and resume it.", do_detach },
	{ }
};
