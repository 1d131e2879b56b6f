/* SPDX-License-Identifier: MIT */
/*
 * The library's part of an instruction set, see userspace/families. The shared files of the
 * library name no instruction set.
 */
#ifndef VSHADER_VSH_ISA_H
#define VSHADER_VSH_ISA_H

#include "disasm.h"
#include "priv.h"
#include "vs_as.h"

/** struct vsh_file - source of an assembly */
struct vsh_file {
	char *name;
	char *text;
};

/**
 * struct vshader_binary - a program with the names in it
 * @engine: enum drm_vshader_engine
 * @shbin: container of @as, or NULL
 * @as: entry points and labels of an assembled program
 * @prog: program without a container
 * @files: sources that it was assembled from, the main one first
 * @num_files: number of @files
 * @warnings: of the assembler, a line each; NULL: not assembled
 */
struct vshader_binary {
	uint32_t engine;
	struct vs_shbin *shbin;
	struct vs_as_result as;
	struct vs_as_program prog;
	struct vsh_file *files;
	uint32_t num_files;
	char *warnings;
};

/**
 * struct vsh_isa - library functions of an instruction set
 * @disasm: disassembler
 * @lint: warnings about an accepted program, a line each to @log, which may be NULL. Return:
 *	their number or -ENOMEM
 * @assemble: fills @bin->as or @bin->prog. Return: 0, -EINVAL with messages in @diag, -ENOMEM
 * @link: the same for several sources of one program. NULL: there is one only
 * @check_native: fields of native jobs that only this ISA limits. Return: 0 or a negative
 *	errno with the error text set
 * @hazard_text: text of the reason of a HAZARD or HANG fault, or NULL
 * @unit: name of the processors if faults name processor and thread; NULL: faults name
 *	invocation and draw
 *
 * Only @disasm and @assemble must be there.
 */
struct vsh_isa {
	struct vs_disasm disasm;
	int (*lint)(const struct vs_src *src, struct vs_log *log);
	int (*assemble)(const char *text, size_t size, const struct vs_as_options *opt,
			struct vshader_binary *bin, struct vs_as_diag *diag);
	int (*link)(const struct vs_as_source *src, uint32_t num, struct vshader_binary *bin,
		    struct vs_as_diag *diag);
	int (*check_native)(const struct drm_vshader_native_job *n);
	const char *(*hazard_text)(uint32_t reason);
	const char *unit;
};

#define VS_ISA(NAME, number, isa, family) extern const struct vsh_isa vsh_##isa;
#include "isa/isas.def"
#undef VS_ISA

/* Never NULL: an unknown engine has a structure of zeros. */
const struct vsh_isa *vsh_isa_of(uint32_t engine);

struct vs_shbin_dvle;

/* Program of a container, or NULL. */
const struct vs_shbin_dvle *vsh_find_dvle(const struct vshader_binary *bin, unsigned int index);

/* The words of an assembler whose language has neither entry points nor stages. */
int vsh_assemble_words(int (*as)(const char *text, size_t len, uint32_t **words, uint32_t *nwords,
				 struct vs_as_debug *debug, struct vs_as_diag *diag),
		       uint32_t stage, const char *text, size_t size, struct vs_as_program *out,
		       struct vs_as_diag *diag);

#endif /* VSHADER_VSH_ISA_H */
