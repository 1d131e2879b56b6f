// SPDX-License-Identifier: MIT
/*
 * vshader info: devices, engines, limits, numeric models.
 */
#include <getopt.h>
#include <string.h>

#include "cli.h"
#include "jobfile_isa.h"

#define MAX_NODES	16
#define MAX_ENGINES	16

struct device_info {
	unsigned int major;
	unsigned int minor;
	struct drm_vshader_dev_info dev;
	struct drm_vshader_limits limits;
	struct drm_vshader_engine_info engines[MAX_ENGINES];
	struct drm_vshader_numeric_info numerics[MAX_ENGINES];
	int num_engines;
	int num_numerics;
};

static const struct {
	const char *name;
	size_t offset;
	bool wide;
} limits[] = {
#define LIMIT(m) { #m, offsetof(struct drm_vshader_limits, m), \
		   sizeof(((struct drm_vshader_limits *)0)->m) == 8 }
	LIMIT(max_bo_size), LIMIT(max_budget), LIMIT(max_job_memory), LIMIT(max_code_size),
	LIMIT(max_entries), LIMIT(max_jobs), LIMIT(max_syncs), LIMIT(max_streams),
	LIMIT(max_bind_ops), LIMIT(max_mappings), LIMIT(max_objects), LIMIT(max_time_ms),
	LIMIT(default_time_ms), LIMIT(max_invocations), LIMIT(max_label),
	LIMIT(max_native_draws), LIMIT(max_native_size), LIMIT(max_queued_jobs),
};

static const char *model_name(uint32_t engine, uint32_t i)
{
	const struct jf_name *names = jf_isa_of(engine)->models;

	return names ? jf_name_of(names, i) : NULL;
}

static const char *switch_name(uint32_t engine, uint32_t i)
{
	const struct jf_name *names = jf_isa_of(engine)->switches;

	return names ? jf_name_of(names, 1u << i) : NULL;
}

static uint64_t limit_value(const struct drm_vshader_limits *l, unsigned int i)
{
	uint64_t wide;
	uint32_t narrow;

	if (limits[i].wide) {
		memcpy(&wide, (const char *)l + limits[i].offset, 8);
		return wide;
	}
	memcpy(&narrow, (const char *)l + limits[i].offset, 4);
	return narrow;
}

static int query(struct vshader_device *dev, struct device_info *info)
{
	int ret;

	vshader_device_version(dev, &info->major, &info->minor);
	ret = vshader_get_dev_info(dev, &info->dev);
	if (!ret)
		ret = vshader_get_limits(dev, &info->limits);
	if (ret)
		return ret;
	info->num_engines = vshader_get_engines(dev, info->engines, MAX_ENGINES);
	info->num_numerics = vshader_get_numerics(dev, info->numerics, MAX_ENGINES);
	if (info->num_engines > MAX_ENGINES)
		info->num_engines = MAX_ENGINES;
	if (info->num_numerics > MAX_ENGINES)
		info->num_numerics = MAX_ENGINES;
	return info->num_engines < 0 ? info->num_engines :
	       info->num_numerics < 0 ? info->num_numerics : 0;
}

static const struct drm_vshader_numeric_info *numeric_of(const struct device_info *info,
							 uint32_t engine)
{
	int i;

	for (i = 0; i < info->num_numerics; i++) {
		if (info->numerics[i].engine == engine)
			return &info->numerics[i];
	}
	return NULL;
}

/* ---- text ---- */

static void print_simds(uint32_t mask, uint32_t active)
{
	unsigned int i;

	printf("  executors    ");
	for (i = 0; i < 32; i++) {
		if (mask >> i & 1 && vshader_simd_name(i))
			printf(" %s%s", vshader_simd_name(i), i == active ? "*" : "");
	}
	printf("  (* in use)\n");
}

static void print_engine(const struct device_info *info, const struct drm_vshader_engine_info *e)
{
	const struct drm_vshader_numeric_info *n = numeric_of(info, e->engine);
	unsigned int i;

	printf("  engine %-9.16s %s%s; stages", e->name,
	       e->caps & DRM_VSHADER_CAP_SHADER_JOBS ? "shader jobs" : "",
	       e->caps & DRM_VSHADER_CAP_NATIVE_JOBS ? ", native jobs" : "");
	for (i = 0; i < 32; i++) {
		if (e->stage_mask >> i & 1 && vshader_stage_name(i))
			printf(" %s", vshader_stage_name(i));
	}
	printf("; %u-bit addresses; %u words of %u bytes\n", e->va_bits, e->max_code_words,
	       e->word_bytes);
	if (!n)
		return;
	printf("    numeric models");
	for (i = 0; i < 32; i++) {
		if (n->model_mask >> i & 1 && model_name(e->engine, i))
			printf(" %s%s", model_name(e->engine, i),
			       i == n->default_model ? "*" : "");
	}
	printf("; switches");
	for (i = 0; i < 64; i++) {
		if (n->switches >> i & 1 && switch_name(e->engine, i))
			printf(" %s", switch_name(e->engine, i));
	}
	putchar('\n');
}

static void print_text(struct vshader_device *dev, const struct device_info *info)
{
	unsigned int k;
	int i;

	printf("%s\n  interface     %u.%u, %s backend\n", vshader_device_name(dev), info->major,
	       info->minor, vshader_device_is_local(dev) ? "local" : "kernel");
	print_simds(info->dev.simd_mask, info->dev.simd);
	printf("  workers       %u, %u invocations side by side\n", info->dev.num_workers,
	       info->dev.block_size);
	for (i = 0; i < info->num_engines; i++)
		print_engine(info, &info->engines[i]);
	printf("  limits\n");
	for (k = 0; k < sizeof(limits) / sizeof(limits[0]); k++)
		printf("    %-17s %llu\n", limits[k].name,
		       (unsigned long long)limit_value(&info->limits, k));
}

/* ---- JSON ---- */

static void add_names(struct json_object *o, const char *key, uint64_t mask,
		      const char *(*name)(uint32_t))
{
	struct json_object *a = js_array(o, key);
	uint32_t i;

	for (i = 0; i < 64; i++) {
		if (mask >> i & 1 && name(i))
			json_object_array_add(a, json_object_new_string(name(i)));
	}
}

/* The same for names that depend on the engine. */
static void add_engine_names(struct json_object *o, const char *key, uint64_t mask,
			     uint32_t engine, const char *(*name)(uint32_t, uint32_t))
{
	struct json_object *a = js_array(o, key);
	uint32_t i;

	for (i = 0; i < 64; i++) {
		if (mask >> i & 1 && name(engine, i))
			json_object_array_add(a, json_object_new_string(name(engine, i)));
	}
}

static void add_engine(struct json_object *list, const struct device_info *info,
		       const struct drm_vshader_engine_info *e)
{
	const struct drm_vshader_numeric_info *n = numeric_of(info, e->engine);
	struct json_object *o = json_object_new_object();
	char name[sizeof(e->name) + 1] = "";

	memcpy(name, e->name, sizeof(e->name));
	json_object_array_add(list, o);
	js_str(o, "name", name);
	js_bool(o, "shader_jobs", e->caps & DRM_VSHADER_CAP_SHADER_JOBS);
	js_bool(o, "native_jobs", e->caps & DRM_VSHADER_CAP_NATIVE_JOBS);
	add_names(o, "stages", e->stage_mask, vshader_stage_name);
	js_int(o, "va_bits", e->va_bits);
	js_int(o, "max_code_words", e->max_code_words);
	js_int(o, "word_bytes", e->word_bytes);
	if (!n)
		return;
	add_engine_names(o, "models", n->model_mask, e->engine, model_name);
	js_str(o, "default_model", model_name(e->engine, n->default_model));
	add_engine_names(o, "switches", n->switches, e->engine, switch_name);
}

static void add_device(struct json_object *list, struct vshader_device *dev,
		       const struct device_info *info)
{
	struct json_object *o = json_object_new_object(), *l, *e;
	char version[24];
	unsigned int k;
	int i;

	json_object_array_add(list, o);
	js_str(o, "device", vshader_device_name(dev));
	js_str(o, "backend", vshader_device_is_local(dev) ? "local" : "kernel");
	snprintf(version, sizeof(version), "%u.%u", info->major, info->minor);
	js_str(o, "interface", version);
	js_str(o, "simd", vshader_simd_name(info->dev.simd));
	add_names(o, "simd_available", info->dev.simd_mask, vshader_simd_name);
	js_int(o, "workers", info->dev.num_workers);
	js_int(o, "block_size", info->dev.block_size);
	e = js_array(o, "engines");
	for (i = 0; i < info->num_engines; i++)
		add_engine(e, info, &info->engines[i]);
	l = js_object(o, "limits");
	for (k = 0; k < sizeof(limits) / sizeof(limits[0]); k++)
		js_int(l, limits[k].name, limit_value(&info->limits, k));
}

/* ---- command ---- */

static int show(const char *spec, struct json_object *list)
{
	struct device_info info = { };
	struct vshader_device *dev;
	int ret = open_device(spec, &dev);

	if (ret)
		return ret;
	if (query(dev, &info))
		ret = fail("%s: %s", spec, vshader_error());
	else if (list)
		add_device(list, dev, &info);
	else
		print_text(dev, &info);
	vshader_close(dev);
	return ret;
}

static int show_all(struct json_object *list)
{
	struct vshader_node nodes[MAX_NODES];
	int i, n = vshader_list_nodes(nodes, MAX_NODES), ret = 0;

	if (n < 0)
		return fail("%s", vshader_error());
	if (n > MAX_NODES)
		n = MAX_NODES;
	for (i = 0; i < n && !ret; i++)
		ret = show(nodes[i].path, list);
	return ret ? ret : show("local", list);
}

static const char info_help[] =
"  -d, --device DEV  auto, local, or a device node; default: all\n"
"  -j, --json        machine-readable output\n";

int cmd_info(int argc, char **argv)
{
	static const struct option options[] = {
		{ "device", required_argument, NULL, 'd' }, { "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' }, { }
	};
	struct json_object *root = NULL, *list = NULL;
	const char *device = NULL;
	int opt, ret;

	while ((opt = getopt_long(argc, argv, "d:jh", options, NULL)) != -1) {
		switch (option_once(opt, options, NULL)) {
		case 'd':
			device = optarg;
			break;
		case 'j':
			root = json_object_new_object();
			list = js_array(root, "devices");
			break;
		case 'h':
			return print_help(info_help);
		default:
			return usage_error();
		}
	}
	if (optind < argc)
		return usage_error();
	ret = device ? show(device, list) : show_all(list);
	if (!ret && root)
		js_print(root);
	else
		json_object_put(root);
	return ret;
}
