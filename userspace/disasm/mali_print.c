// SPDX-License-Identifier: MIT
/* Text of job chains and rejects. */
#include "native/mali/mali_desc.h"
#include "mali_print.h"

/**
 * mali_swizzle_text - letters of a swizzle
 * @swizzle: of a format or texture
 * @text: result
 */
void mali_swizzle_text(const u8 swizzle[4], char text[5])
{
	u32 i;

	for (i = 0; i < 4; i++)
		text[i] = "RGBA01"[min_t(u32, swizzle[i], PX_SWZ_1)];
	text[4] = 0;
}

struct out {
	char *buf;
	size_t size;
	size_t len;
};

static const char * const types[MALI_NUM_JOB_TYPES] = {
	"not started", "null", "write value", "cache flush", "compute", "vertex", "geometry",
	"tiler", "fused", "fragment", "indexed vertex"
};

static const char * const write_types[] = {
	"?", "cycle counter", "system timestamp", "zero", "8 bits", "16 bits", "32 bits",
	"64 bits"
};

static const char * const buf_types[] = {
	[MALI_BUF_1D] = "1D", [MALI_BUF_POT_DIVISOR] = "1D POT divisor",
	[MALI_BUF_MODULUS] = "1D modulus", [MALI_BUF_NPOT_DIVISOR] = "1D NPOT divisor",
	[MALI_BUF_3D_LINEAR] = "3D linear", [MALI_BUF_3D_INTERLEAVED] = "3D interleaved",
	[MALI_BUF_PRIMITIVE_INDEX] = "1D primitive index",
	[MALI_BUF_POT_DIVISOR_WR] = "1D POT divisor, write reduction",
	[MALI_BUF_MODULUS_WR] = "1D modulus, write reduction",
	[MALI_BUF_NPOT_DIVISOR_WR] = "1D NPOT divisor, write reduction",
	[MALI_BUF_POINT_COORD_MIN] = "point coordinate, y down",
	[MALI_BUF_VERTEX_ID] = "vertex number", [MALI_BUF_INSTANCE_ID] = "instance number",
	[MALI_BUF_FRAG_COORD] = "fragment coordinate",
	[MALI_BUF_FRONT_FACING] = "front facing",
	[MALI_BUF_POINT_COORD_MAX] = "point coordinate, y up",
};

static const char * const dims[] = { "cube", "1D", "2D", "3D" };
static const char * const comps[] = { "unorm", "snorm", "uint", "sint", "float", "fixed" };
static const char * const layouts[] = { "", " unsigned", " shared exponent", " ETC2",
					" constant", " snap 4" };

/**
 * mali_job_type_name - name of a job type
 * @type: enum mali_job_type
 *
 * Return: name.
 */
const char *mali_job_type_name(u32 type)
{
	return type < MALI_NUM_JOB_TYPES ? types[type] : "?";
}

static __printf(2, 3) void put(struct out *o, const char *fmt, ...)
{
	size_t room = o->size > o->len ? o->size - o->len : 0;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(room ? o->buf + o->len : NULL, room, fmt, ap);
	va_end(ap);
	if (n > 0)
		o->len += n;
}

static unsigned long long ull(u64 v)
{
	return v;
}

static void put_format(struct out *o, const struct px_format *f)
{
	char swizzle[5];
	u32 i;

	mali_swizzle_text(f->swizzle, swizzle);
	for (i = 0; i < f->ncomp; i++)
		put(o, "%s%u", i ? "." : "", f->bits[i]);
	put(o, " %s%s%s %s", comps[f->comp], layouts[f->layout], f->srgb ? " sRGB" : "",
	    swizzle);
}

static void put_program(struct out *o, const char *what, const struct mali_program *p)
{
	put(o, "  %s 0x%llx tag %u, %u registers, preload 0x%04x, flags 0x%x, fp mode %u\n",
	    what, ull(p->va), p->tag, p->work_regs, p->preload, p->flags, p->fp_mode);
}

static void put_push(struct out *o, const struct mali_launch *l)
{
	u32 i;

	if (!l->prog.uniforms)
		return;
	put(o, "  push uniforms 0x%llx:", ull(l->push_va));
	for (i = 0; i < l->prog.uniforms; i++)
		put(o, "%s%08x", i % 8 ? " " : "\n    ", l->push[i]);
	put(o, "\n");
}

static void put_buf(struct out *o, u32 i, const struct mali_attr_buf *b)
{
	if (!b->type)
		return;
	put(o, "    buffer %u: %s, 0x%llx, %u bytes, stride %u", i, buf_types[b->type],
	    ull(b->va), b->size, b->stride);
	if (b->type == MALI_BUF_3D_LINEAR || b->type == MALI_BUF_3D_INTERLEAVED)
		put(o, ", %u x %u x %u, row %u, slice %d", b->dim[0], b->dim[1], b->dim[2],
		    b->row_stride, b->slice_stride);
	else if (b->magic)
		put(o, ", divisor %u: times 0x%08x, shift %u, add %u", b->divisor, b->magic,
		    b->r, b->e);
	else if (b->type != MALI_BUF_1D)
		put(o, ", shift %u, odd %u", b->r, 2U * b->p + 1);
	put(o, "\n");
}

static void put_attrs(struct out *o, const char *what, const struct mali_attr_table *t)
{
	const struct mali_attr *a;
	u32 i;

	if (!t->n)
		return;
	put(o, "  %s:\n", what);
	for (i = 0; i < t->n; i++) {
		a = &t->attr[i];
		if (!a->va)
			continue;
		if (a->bad) {
			put(o, "    %u: bad, %s\n", i, mali_reason_text(a->bad));
			continue;
		}
		put(o, "    %u: buffer %u offset %d%s, ", i, a->buf, a->offset,
		    a->offset_enable ? " and start" : "");
		put_format(o, &a->format);
		put(o, "\n");
	}
	for (i = 0; i < t->nbufs; i++)
		put_buf(o, i, &t->bufs[i]);
}

static void put_texture(struct out *o, u32 i, const struct tx_texture *t)
{
	const struct tx_surface *s;
	char swizzle[5];
	u32 k;

	if (t->bad) {
		put(o, "  texture %u: bad, %s\n", i, mali_reason_text(t->bad));
		return;
	}
	if (!t->va) {
		put(o, "  texture %u: none\n", i);
		return;
	}
	mali_swizzle_text(t->swizzle, swizzle);
	put(o, "  texture %u: %s %u x %u x %u, array %u, levels %u, samples %u, %s, ", i,
	    dims[t->dim], t->width, t->height, t->depth, t->array_size, t->levels, t->samples,
	    t->order == PX_TILED ? "u-interleaved" : "linear");
	put_format(o, &t->format);
	put(o, " then %s, lod %u to %u / 256, from level %u%s\n", swizzle, t->min_lod,
	    t->max_lod, t->min_level, t->normalized ? ", normalised" : "");
	for (k = 0; k < t->nsurfaces; k++) {
		s = &t->surfaces[k];
		put(o, "    surface 0x%llx, row %d, surface %d\n", ull(s->va), s->row_stride,
		    s->surface_stride);
	}
}

static void put_sampler(struct out *o, u32 i, const struct tx_sampler *s)
{
	if (s->bad) {
		put(o, "  sampler %u: bad, %s\n", i, mali_reason_text(s->bad));
		return;
	}
	if (!s->va) {
		put(o, "  sampler %u: none\n", i);
		return;
	}
	put(o, "  sampler %u: wrap %u %u %u, mag %s, min %s, mip %u, compare %u, ", i,
	    s->wrap[0], s->wrap[1], s->wrap[2], s->mag_nearest ? "nearest" : "linear",
	    s->min_nearest ? "nearest" : "linear", s->mip, s->func);
	put(o, "lod %u to %u bias %d / 256, anisotropy %u%s%s, border %08x %08x %08x %08x\n",
	    s->min_lod, s->max_lod, s->lod_bias, s->max_aniso,
	    s->normalized ? ", normalised" : "", s->seamless ? ", seamless" : "",
	    s->border[0], s->border[1], s->border[2], s->border[3]);
}

static void put_launch(struct out *o, const struct mali_launch *l)
{
	const struct mali_storage *s = &l->storage;
	u32 i;

	put(o, "  invocation (%u, %u, %u) x (%llu, %llu, %llu), split %u, tasks %u\n",
	    l->local[0], l->local[1], l->local[2], ull(l->groups[0]), ull(l->groups[1]),
	    ull(l->groups[2]), l->group_split, l->task_split);
	put(o, "  draw flags 0x%08x, start %u, instance size %u, position 0x%llx\n",
	    l->draw_flags, l->offset_start, l->instance_size, ull(l->position));
	put(o, "  state 0x%llx\n", ull(l->state_va));
	put_program(o, "program", &l->prog);
	for (i = 0; i < l->nubos; i++)
		put(o, "  uniform buffer %u: 0x%llx, %u bytes\n", i, ull(l->ubos[i].va),
		    l->ubos[i].size);
	put_push(o, l);
	put_attrs(o, "attributes", &l->attrs);
	put_attrs(o, "varyings", &l->varyings);
	for (i = 0; i < l->ntextures; i++)
		put_texture(o, i, &l->textures[i]);
	for (i = 0; i < l->nsamplers; i++)
		put_sampler(o, i, &l->samplers[i]);
	if (!s->va)
		return;
	put(o, "  storage 0x%llx: thread 0x%llx %u bytes sp %u, ", ull(s->va), ull(s->tls_va),
	    s->tls_size, s->tls_sp);
	put(o, "workgroup 0x%llx %u bytes, instances %u\n", ull(s->wls_va), s->wls_size,
	    s->wls_instances);
}

static void put_job(struct out *o, const struct mali_job *job)
{
	put(o, "job %u at 0x%llx: %s, index %u, after %u %u%s%s%s\n", job->pos, ull(job->va),
	    mali_job_type_name(job->type), job->index, job->dep[0], job->dep[1],
	    job->flags & MALI_JF_BARRIER ? ", barrier" : "",
	    job->flags & MALI_JF_NO_PREFETCH ? ", no prefetch" : "",
	    job->flags & MALI_JF_64BIT ? "" : ", 32-bit");
	if (job->type == MALI_JOB_WRITE_VALUE)
		put(o, "  write %s to 0x%llx, immediate 0x%llx\n",
		    write_types[job->write_type], ull(job->write_va), ull(job->write_value));
	else if (job->type == MALI_JOB_CACHE_FLUSH)
		put(o, "  flush 0x%08x 0x%08x\n", job->flush[0], job->flush[1]);
	else if (job->launch)
		put_launch(o, job->launch);
}

size_t mali_job_print(const struct mali_job *job, char *buf, size_t size)
{
	struct out o = { buf, size, 0 };

	if (size)
		*buf = 0;
	put_job(&o, job);
	return o.len;
}

size_t mali_reject_print(const struct mali_reject *why, char *buf, size_t size)
{
	struct out o = { buf, size, 0 };

	if (size)
		*buf = 0;
	put(&o, "job %u: %s: %s at 0x%llx (value 0x%llx)", why->job,
	    why->field ? why->field : "?", mali_reason_text(why->reason), ull(why->va),
	    ull(why->value));
	return o.len;
}
