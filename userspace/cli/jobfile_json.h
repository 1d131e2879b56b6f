/* SPDX-License-Identifier: MIT */
/*
 * Checked access to the JSON of a job file. Every error names its location.
 */
#ifndef VSHADER_JOBFILE_JSON_H
#define VSHADER_JOBFILE_JSON_H

#include <json-c/json.h>
#include <sys/stat.h>

#include "jobfile.h"

#define JF_PATH_MAX	512

/**
 * struct jf_ctx - state of parsing
 * @jf: job file under construction
 * @dir: folder of relative file names, with a final slash, or ""
 * @flags: VSHADER_JOBFILE_*
 * @path: location in the file, as in "jobs[2].outputs[0].reg"
 * @path_len: its length
 * @err: buffer of the error message
 * @err_size: bytes at @err
 * @data_left: bytes of data that may still be asked for
 * @values_left: expected values that may still be asked for
 */
struct jf_ctx {
	struct vshader_jobfile *jf;
	const char *dir;
	unsigned int flags;
	char path[JF_PATH_MAX];
	size_t path_len;
	char *err;
	size_t err_size;
	uint64_t data_left;
	uint64_t values_left;
};

/** struct jf_name - name of an enumeration */
struct jf_name {
	const char *name;
	uint32_t value;
};

/* Memory with the lifetime of its list, or NULL. */
void *jf_alloc(struct jf_block **list, size_t size);
char *jf_strdup(struct jf_block **list, const char *s);
char *jf_printf(struct jf_block **list, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void jf_free_blocks(struct jf_block *list);

/* Texts of others are printed: "?" for control characters that change a terminal. */
void jf_mask(char *text);

/* Record an error at the current location. Return: -EINVAL. */
int jf_error(struct jf_ctx *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Enter a member or an element; returns the argument of the matching jf_leave(). */
size_t jf_enter(struct jf_ctx *c, const char *key);
size_t jf_enter_index(struct jf_ctx *c, size_t n);
void jf_leave(struct jf_ctx *c, size_t mark);

/*
 * All getters take the object that holds the member @key. A missing member leaves
 * the destination alone, unless @required.
 */
int jf_is_object(struct jf_ctx *c, struct json_object *o);
/*
 * The name of element @n differs from those before it. @first: its member in the first of the
 * elements, which have @size bytes
 */
int jf_unique(struct jf_ctx *c, const char *kind, const char * const *first, size_t size, size_t n);
/* Refuse members that are not in the NULL-terminated list. */
int jf_keys(struct jf_ctx *c, struct json_object *o, const char * const *allowed);
struct json_object *jf_get(struct json_object *o, const char *key);
int jf_require(struct jf_ctx *c, struct json_object *o, const char *key);
int jf_u64(struct jf_ctx *c, struct json_object *o, const char *key, uint64_t max, uint64_t *out);
int jf_u32(struct jf_ctx *c, struct json_object *o, const char *key, uint32_t max, uint32_t *out);
int jf_bool(struct jf_ctx *c, struct json_object *o, const char *key, bool *out);
int jf_double(struct jf_ctx *c, struct json_object *o, const char *key, double *out);
int jf_string(struct jf_ctx *c, struct json_object *o, const char *key, const char **out);
int jf_enum(struct jf_ctx *c, struct json_object *o, const char *key,
	    const struct jf_name *names, uint32_t *out);
/* List of names, ORed. */
int jf_flag_list(struct jf_ctx *c, struct json_object *o, const char *key,
		 const struct jf_name *names, uint32_t *out);
/* List of at most @max elements; *@list is NULL if the member is missing. */
int jf_list(struct jf_ctx *c, struct json_object *o, const char *key, size_t max,
	    struct json_object **list, size_t *n);
/* The value itself: integer, or text in decimal or with 0x. */
int jf_value_u64(struct jf_ctx *c, struct json_object *v, uint64_t max, uint64_t *out);
int jf_value_name(struct jf_ctx *c, struct json_object *v, const struct jf_name *names,
		  uint32_t *out);
const char *jf_name_of(const struct jf_name *names, uint32_t value);
/* Whole number at the start of @s; advances *@end past it. */
bool jf_parse_u64(const char *s, const char **end, uint64_t *out);
/* Assemble; included files are searched in the directory of @name. */
int jf_assemble(struct jf_ctx *c, uint32_t engine, const char *text, size_t len, const char *name,
		struct vshader_binary **bin);
/* Absolute path of a file named in the job file, for editors. Return: 0 or -ENOMEM. */
int jf_source_path(struct jf_ctx *c, const char *name, const char **out);
/* Contents of a file named in the job file. */
int jf_read_file(struct jf_ctx *c, const char *name, uint8_t **data, size_t *len);
/*
 * A file of at most @max bytes; a NUL follows the contents. One that a job file or a source names
 * has to be a regular one. Return: 0 or a negative errno.
 */
int jf_read_path(const char *path, size_t max, uint8_t **data, size_t *len);
/* The same for a file that the user names: it may be a pipe, or "-" for standard input. */
int jf_read_argument(const char *path, size_t max, uint8_t **data, size_t *len);
/* Whether the file has been read. */
bool jf_is_input(const struct stat *st);

extern const struct jf_name jf_stages[];
extern const struct jf_name jf_formats[];
extern const struct jf_name jf_fault_kinds[];

/* ---- parts of the parser, one file each ---- */

/* jobfile_value.c */
int jf_parse_values(struct jf_ctx *c, struct json_object *list, enum jf_type type, bool expect,
		    struct jf_values *out);
/* Type name ("u8" ... "f32") present in @o, or JF_NUM_TYPES. */
enum jf_type jf_values_type(struct json_object *o);

/* jobfile_data.c */
int jf_parse_data(struct jf_ctx *c, struct json_object *data, struct jf_region *r);
int jf_parse_words(struct jf_ctx *c, struct json_object *v, uint32_t **words, uint32_t *n);

/* jobfile_words.c */
/* Words and addresses; the piece must be resolved once all regions are known. */
int jf_parse_mixed(struct jf_ctx *c, struct json_object *list, struct jf_piece *p);
int jf_parse_code(struct jf_ctx *c, struct json_object *v, uint32_t **words, uint32_t *n);
int jf_new_words(struct jf_ctx *c, struct json_object *list, uint32_t vm, uint32_t *index);
int jf_resolve_piece(struct jf_ctx *c, struct jf_piece *p);
int jf_resolve_regions(struct jf_ctx *c);

/* jobfile_memory.c */
int jf_parse_vms(struct jf_ctx *c, struct json_object *root);
int jf_parse_regions(struct jf_ctx *c, struct json_object *root);
int jf_parse_loc(struct jf_ctx *c, struct json_object *v, struct jf_loc *out);
int jf_get_loc(struct jf_ctx *c, struct json_object *o, const char *key, struct jf_loc *out);
int jf_new_region(struct jf_ctx *c, const char *name, uint32_t vm, uint64_t size, uint32_t *index);
int jf_parse_binds(struct jf_ctx *c, struct json_object *o, struct jf_job *job);
int jf_vm_index(struct jf_ctx *c, struct json_object *o, uint32_t *out);

/* jobfile_output.c */
int jf_parse_images(struct jf_ctx *c, struct json_object *root);
/* Members "format", "layout", "stride" and "flip" of images. */
int jf_parse_format(struct jf_ctx *c, struct json_object *o, struct jf_picture *p);

/* jobfile_job.c */
uint32_t jf_stream_bytes(const struct jf_stream *s);

/* jobfile_image.c */
/* Member "image", a file. */
int jf_load_image(struct jf_ctx *c, struct json_object *o, struct vshader_image **img);
int jf_parse_image(struct jf_ctx *c, struct json_object *o);

/* jobfile_program.c */
int jf_parse_programs(struct jf_ctx *c, struct json_object *root);
int jf_program_word(struct jf_ctx *c, const struct jf_program *p, struct json_object *v,
		    uint32_t *word);
int jf_program_reg(struct jf_ctx *c, const struct jf_program *p, const char *name, char kind,
		   struct vshader_register *reg);

/* jobfile_mbs1.c */
int jf_load_mbs1(struct jf_ctx *c, const char *name, struct jf_program *p);
void jf_free_mbs1(struct jf_program *p);
bool jf_mbs1_register(const struct jf_program *p, const char *name, char kind, uint32_t *reg);
uint32_t jf_mbs1_temporaries(const struct jf_program *p);
/* @values: numbers by name, or NULL. */
int jf_mbs1_uniforms(struct jf_ctx *c, const struct jf_program *p, struct json_object *values,
		     uint32_t vm, struct jf_loc *at, uint32_t *rows);

/* jobfile_gpu.c */

/**
 * struct jf_element - elements of a list
 * @parse: fills one, which is zero before; 0 or -errno after jf_error()
 * @size: of one, in bytes
 */
struct jf_element {
	int (*parse)(struct jf_ctx *c, struct json_object *o, void *item);
	size_t size;
};

/*
 * Parse the list @key of @o, of at most @max elements, into the array @items; a missing
 * list leaves it unchanged. jf_each_new() allocates the array.
 */
int jf_each(struct jf_ctx *c, struct json_object *o, const char *key, size_t max,
	    const struct jf_element *e, void *items, uint32_t *count);
int jf_each_new(struct jf_ctx *c, struct json_object *o, const char *key, size_t max,
		const struct jf_element *e, void *items, uint32_t *count);
/* At most @max words; bits of @want binary32 numbers. */
int jf_parse_u32s(struct jf_ctx *c, struct json_object *o, const char *key, uint32_t max,
		  uint32_t *out);
int jf_parse_floats(struct jf_ctx *c, struct json_object *list, uint32_t want, uint32_t *out);
/* {at, count}; @buffers: of attributes, which have a second address, or NULL. */
int jf_parse_table(struct jf_ctx *c, struct json_object *o, const char *key,
		   struct jf_table *t, struct jf_loc *buffers);
/* Members of fragments; @point: element of @prims with a single corner and a size. */
int jf_parse_raster(struct jf_ctx *c, struct json_object *o, const struct jf_name *prims,
		    const struct jf_name *flags, uint32_t point, struct jf_raster *r);

/* jobfile_job.c, jobfile_expect.c */
/*
 * Store inline values of @s->format in a new region, which @s->at is set to;
 * @s->stride 0: elements of @components follow each other.
 */
int jf_inline_stream(struct jf_ctx *c, struct json_object *data, struct jf_stream *s,
		     uint32_t vm, uint32_t components);
int jf_parse_queues(struct jf_ctx *c, struct json_object *root);
int jf_parse_queue_params(struct jf_ctx *c, struct json_object *o, struct jf_queue *q);
int jf_parse_jobs(struct jf_ctx *c, struct json_object *root);
/* jobfile_args.c: fill the job from the file @name; its program is known. */
int jf_parse_args(struct jf_ctx *c, const char *name, struct jf_job *job);
int jf_parse_expects(struct jf_ctx *c, struct json_object *o, struct jf_job *job);

#endif /* VSHADER_JOBFILE_JSON_H */
