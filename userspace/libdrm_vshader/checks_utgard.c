// SPDX-License-Identifier: MIT
/*
 * What can be said about shader jobs of the Utgard engines without a device, and what they
 * are to the engine.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "engine/vs_job.h"
#include "limits.h"
#include "families/utgard/vshader_utgard_conv.h"

static int copy_streams(const struct drm_vshader_obj_array *array, bool output,
			struct utgard_stream *to, u32 *n)
{
	const char *what = output ? "output" : "attribute";
	struct drm_vshader_stream *s;
	uint32_t i, bad;
	void *copy;
	int ret;

	ret = vsl_copy_array(array, UGP_NUM_ATTRIBUTES, sizeof(*s), sizeof(*s), &copy, &bad,
			     output ? "outputs" : "attributes");
	if (ret)
		return ret;
	s = copy;
	for (i = 0; i < array->count && !ret; i++) {
		if (vshader_utgard_stream_in(&to[i], &s[i], output))
			continue;
		ret = vsh_fail(EINVAL, s[i].pad ? "Utgard job: %s %u: pad is not 0" :
			       s[i].divisor && output ? "Utgard job: %s %u: it has a divisor" :
			       "Utgard job: %s %u: no such format, or not 1 to 4 components",
			       what, i);
	}
	*n = array->count;
	free(s);
	return ret;
}

static int copy_gp(const struct drm_vshader_shader_job *d, struct utgard_shader *s)
{
	struct drm_vshader_utgard_gp_job b;
	int ret;

	ret = vsl_copy_struct(&b, sizeof(b), d->engine_block, d->engine_block_size, sizeof(b),
			      "Utgard block");
	if (!ret && b.switches)
		ret = vsh_fail(EINVAL, "Utgard block: switches are not 0");
	if (!ret)
		ret = vsh_check_range(d, VSL_MAX_VA_32);
	if (!ret)
		ret = copy_streams(&d->attributes, false, s->in, &s->gp.nattr);
	if (!ret)
		ret = copy_streams(&d->outputs, true, s->out, &s->gp.nout);
	if (ret)
		return ret;
	vshader_utgard_gp_in(s, &b);
	vshader_utgard_range_in(s, d);
	return 0;
}

static int copy_targets(const struct drm_vshader_obj_array *array, struct upp_work *w)
{
	struct drm_vshader_utgard_target *t;
	uint32_t i, bad;
	void *copy;
	int ret;

	ret = vsl_copy_array(array, UPP_MAX_TARGETS, sizeof(*t), sizeof(*t), &copy, &bad,
			     "targets");
	if (ret)
		return ret;
	t = copy;
	for (i = 0; i < array->count && !ret; i++)
		if (!vshader_utgard_target_in(&w->target[i], &t[i]))
			ret = vsh_fail(EINVAL, "Utgard block: target %u: unknown format %u", i,
				       t[i].format);
	w->ntargets = array->count;
	free(t);
	return ret;
}

static int copy_pp(const struct drm_vshader_shader_job *d, struct utgard_shader *s)
{
	const char *what = d->pad ? "pad" : vshader_utgard_bad_pp_desc(d);
	struct drm_vshader_utgard_pp_job b;
	int ret;

	if (what)
		return vsh_fail(EINVAL, "Utgard job: %s is not valid for fragments", what);
	ret = vsl_copy_struct(&b, sizeof(b), d->engine_block, d->engine_block_size, sizeof(b),
			      "Utgard block");
	if (ret)
		return ret;
	what = vshader_utgard_bad_pp(&b);
	if (what)
		return vsh_fail(EINVAL, "Utgard block: %s is not valid", what);
	vshader_utgard_pp_in(s, &b);
	ret = copy_streams(&d->attributes, false, s->in, &s->pp.nin);
	return ret ? ret : copy_targets(&b.targets, &s->pp);
}

int vsh_check_utgard(const struct drm_vshader_shader_job *d, bool gp, struct utgard_shader *s)
{
	const char *what;
	int ret = gp ? copy_gp(d, s) : copy_pp(d, s);

	if (ret)
		return ret;
	what = vshader_utgard_bad_va(s, gp, VSL_MAX_VA_32);
	if (what)
		return vsh_fail(EINVAL, "Utgard job: %s is no address of a 32-bit address space",
				what);
	return 0;
}
