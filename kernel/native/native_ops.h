/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Operations of a native job format; for native.c and the formats only. */
#ifndef VS_NATIVE_OPS_H
#define VS_NATIVE_OPS_H

#include "native.h"

/**
 * struct vs_native_ops - Operations of a native format; see native.h.
 * @isa:	engine that accepts the format
 * @in_memory:	jobs are read when they run
 * @state_bytes: size of a queue's registers, which zeros reset; 0: the format has none
 * @parse:	parse a job
 * @map:	address space for the engine job
 * @phases:	number of phases that the engine job needs
 * @add_phases:	add them
 * @memory:	bytes held
 * @strays:	accesses of the list that had no effect; NULL: none are counted
 * @reason_text: text of a reject reason
 * @free:	free a parsed job
 */
struct vs_native_ops {
	enum vs_isa_id isa;
	bool in_memory;
	u32 state_bytes;
	int (*parse)(const struct vs_native_in *in, struct vs_native_state *s,
		     struct vs_native **out, struct vs_fault *fault);
	const struct vs_map *(*map)(const struct vs_native *n);
	u32 (*phases)(const struct vs_native *n);
	int (*add_phases)(struct vs_native *n, struct vs_job *job);
	u64 (*memory)(const struct vs_native *n);
	u32 (*strays)(const struct vs_native *n);
	const char *(*reason_text)(u32 reason);
	void (*free)(struct vs_native *n);
};

/* First member of every format's own structures. */
struct vs_native_state {
	const struct vs_native_ops *ops;
};

struct vs_native {
	const struct vs_native_ops *ops;
};

#define VS_NATIVE(name, ops) extern const struct vs_native_ops ops;
#include "formats.def"
#undef VS_NATIVE

#endif /* VS_NATIVE_OPS_H */
