// SPDX-License-Identifier: MIT
/*
 * Job files: the top of the parser.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "jobfile_isa.h"

#define JSON_DEPTH	16

/* Line and column of a byte. */
static void find_place(const char *buf, size_t at, size_t *line, size_t *column)
{
	size_t i;

	*line = 1;
	*column = 1;
	for (i = 0; i < at; i++) {
		if (buf[i] == '\n') {
			(*line)++;
			*column = 1;
		} else {
			(*column)++;
		}
	}
}

static int parse_json(struct jf_ctx *c, const char *buf, size_t len, struct json_object **root)
{
	struct json_tokener *tok = json_tokener_new_ex(JSON_DEPTH);
	enum json_tokener_error e;
	size_t line, column, end;
	int ret = 0;

	if (!tok)
		return -ENOMEM;
	json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	*root = json_tokener_parse_ex(tok, buf, (int)len);
	e = json_tokener_get_error(tok);
	end = json_tokener_get_parse_end(tok);
	find_place(buf, end < len ? end : len, &line, &column);
	if (e == json_tokener_continue)
		ret = jf_error(c, "line %zu: the text ends inside a value", line);
	else if (e != json_tokener_success)
		ret = jf_error(c, "line %zu, column %zu: %s", line, column,
			       json_tokener_error_desc(e));
	json_tokener_free(tok);
	if (ret && *root)
		json_object_put(*root);
	return ret;
}

static int parse_root(struct jf_ctx *c, struct json_object *root)
{
	static const char * const keys[] = { "$schema", "vshader", "name", "description", "engine",
					     "vms", "memory", "programs", "queues", "syncobjs",
					     "jobs", "images", NULL };
	struct vshader_jobfile *jf = c->jf;
	uint32_t version = 0;
	int ret;

	ret = jf_keys(c, root, keys);
	if (!ret)
		ret = jf_require(c, root, "vshader");
	if (!ret)
		ret = jf_u32(c, root, "vshader", UINT32_MAX, &version);
	if (!ret && version != 1)
		ret = jf_error(c, "\"vshader\" is %u: this is version 1 of the format", version);
	if (!ret)
		ret = jf_string(c, root, "name", &jf->name);
	if (!ret)
		ret = jf_string(c, root, "description", &jf->description);
	if (!ret)
		ret = jf_engine(c, root, "engine", &jf->engine);
	if (!ret)
		ret = jf_parse_vms(c, root);
	if (!ret)
		ret = jf_parse_regions(c, root);
	if (!ret)
		ret = jf_parse_programs(c, root);
	if (!ret)
		ret = jf_parse_queues(c, root);
	if (!ret)
		ret = jf_parse_jobs(c, root);
	if (!ret)
		ret = jf_parse_images(c, root);
	if (!ret && !jf->num_jobs && !jf->num_programs)
		ret = jf_error(c, "there are neither \"jobs\" nor \"programs\"");
	return ret;
}

/* Folder of a path with its final slash. */
static char *folder_of(struct jf_block **blocks, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash - path) + 1 : 0;
	char *dir = jf_alloc(blocks, len + 1);

	if (dir)
		memcpy(dir, path, len);
	return dir;
}

int vshader_jobfile_parse(const char *buf, size_t len, const char *name, unsigned int flags,
			  struct vshader_jobfile **out, char *err, size_t err_size)
{
	struct jf_ctx c = {
		.flags = flags,
		.err = err,
		.err_size = err_size,
		.data_left = JF_MAX_DATA,
		.values_left = JF_MAX_VALUES,
	};
	struct json_object *root;
	int ret;

	if (err_size)
		err[0] = 0;
	if (len > JF_MAX_FILE)
		return jf_error(&c, "a job file has at most %u bytes", JF_MAX_FILE);
	c.jf = calloc(1, sizeof(*c.jf));
	if (!c.jf)
		return -ENOMEM;
	c.dir = folder_of(&c.jf->blocks, name ? name : "");
	ret = c.dir ? parse_json(&c, buf, len, &root) : -ENOMEM;
	if (!ret) {
		ret = parse_root(&c, root);
		json_object_put(root);
	}
	if (ret) {
		vshader_jobfile_free(c.jf);
		return ret;
	}
	*out = c.jf;
	return 0;
}

int vshader_jobfile_load(const char *path, struct vshader_jobfile **out, char *err,
			 size_t err_size)
{
	struct jf_ctx c = { .err = err, .err_size = err_size };
	uint8_t *data;
	size_t len;
	int ret;

	ret = jf_read_path(path, JF_MAX_FILE, &data, &len);
	if (ret) {
		jf_error(&c, "cannot read: %s", strerror(-ret));
		return ret;
	}
	ret = vshader_jobfile_parse((const char *)data, len, path, 0, out, err, err_size);
	free(data);
	return ret;
}

void vshader_jobfile_free(struct vshader_jobfile *jf)
{
	uint32_t i;

	if (!jf)
		return;
	for (i = 0; i < jf->num_programs; i++) {
		vshader_binary_free(jf->programs[i].bin);
		jf_free_mbs1(&jf->programs[i]);
	}
	for (i = 0; i < jf->num_codes; i++)
		vshader_binary_free(jf->codes[i].bin);
	free(jf->codes);
	jf_free_blocks(jf->blocks);
	free(jf);
}
