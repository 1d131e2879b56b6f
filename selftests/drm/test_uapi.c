// SPDX-License-Identifier: GPL-2.0
/*
 * Layout of the interface, version 1.4: numbers here never change, structures only
 * grow behind what is listed.
 */
#include "vshader_test.h"

struct item {
	const char *what;
	size_t want;
	size_t have;
};

#define S(type, want)		{ #type, want, sizeof(struct drm_vshader_##type) }
#define F(type, field, want)	\
	{ #type "." #field, want, offsetof(struct drm_vshader_##type, field) }

static const struct item items[] = {
	S(obj_array, 16),
	F(obj_array, stride, 0),
	F(obj_array, count, 4),
	F(obj_array, array, 8),
	S(dev_query, 16),
	F(dev_query, type, 0),
	F(dev_query, size, 4),
	F(dev_query, pointer, 8),
	S(dev_info, 56),
	F(dev_info, engine_mask, 0),
	F(dev_info, min_va, 8),
	F(dev_info, max_va_32, 16),
	F(dev_info, max_va_48, 24),
	F(dev_info, page_size, 32),
	F(dev_info, num_workers, 36),
	F(dev_info, simd, 40),
	F(dev_info, simd_mask, 44),
	F(dev_info, block_size, 48),
	F(dev_info, pad, 52),
	S(limits, 88),
	F(limits, max_bo_size, 0),
	F(limits, max_budget, 8),
	F(limits, max_job_memory, 16),
	F(limits, max_code_size, 24),
	F(limits, max_entries, 28),
	F(limits, max_jobs, 32),
	F(limits, max_syncs, 36),
	F(limits, max_streams, 40),
	F(limits, max_bind_ops, 44),
	F(limits, max_mappings, 48),
	F(limits, max_objects, 52),
	F(limits, max_time_ms, 56),
	F(limits, default_time_ms, 60),
	F(limits, max_invocations, 64),
	F(limits, max_label, 68),
	F(limits, max_native_draws, 72),
	F(limits, max_native_size, 76),
	F(limits, max_queued_jobs, 80),
	F(limits, pad, 84),
	S(engine_info, 40),
	F(engine_info, engine, 0),
	F(engine_info, caps, 4),
	F(engine_info, stage_mask, 8),
	F(engine_info, va_bits, 12),
	F(engine_info, max_code_words, 16),
	F(engine_info, word_bytes, 20),
	F(engine_info, name, 24),
	S(numeric_info, 24),
	F(numeric_info, engine, 0),
	F(numeric_info, model_mask, 4),
	F(numeric_info, default_model, 8),
	F(numeric_info, pad, 12),
	F(numeric_info, switches, 16),
	S(vm_create, 16),
	F(vm_create, flags, 0),
	F(vm_create, id, 4),
	F(vm_create, kernel_va_start, 8),
	S(vm_destroy, 8),
	F(vm_destroy, id, 0),
	F(vm_destroy, pad, 4),
	S(vm_bind_op, 32),
	F(vm_bind_op, flags, 0),
	F(vm_bind_op, bo_handle, 4),
	F(vm_bind_op, bo_offset, 8),
	F(vm_bind_op, va, 16),
	F(vm_bind_op, size, 24),
	S(vm_bind, 24),
	F(vm_bind, vm_id, 0),
	F(vm_bind, failed_op, 4),
	F(vm_bind, ops, 8),
	S(bo_create, 24),
	F(bo_create, size, 0),
	F(bo_create, flags, 8),
	F(bo_create, exclusive_vm_id, 12),
	F(bo_create, handle, 16),
	F(bo_create, pad, 20),
	S(bo_mmap_offset, 16),
	F(bo_mmap_offset, handle, 0),
	F(bo_mmap_offset, pad, 4),
	F(bo_mmap_offset, offset, 8),
	S(bo_set_label, 16),
	F(bo_set_label, handle, 0),
	F(bo_set_label, pad, 4),
	F(bo_set_label, label, 8),
	S(program_section, 24),
	F(program_section, type, 0),
	F(program_section, pad, 4),
	F(program_section, data, 8),
	F(program_section, size, 16),
	S(reject, 24),
	F(reject, reason, 0),
	F(reject, section, 4),
	F(reject, offset, 8),
	F(reject, field_lo, 12),
	F(reject, field_hi, 13),
	F(reject, pad, 14),
	F(reject, value, 16),
	F(reject, limit, 20),
	S(program_create, 80),
	F(program_create, engine, 0),
	F(program_create, stage, 4),
	F(program_create, flags, 8),
	F(program_create, id, 12),
	F(program_create, sections, 16),
	F(program_create, entries, 32),
	F(program_create, num_entries, 40),
	F(program_create, log_size, 44),
	F(program_create, log, 48),
	F(program_create, reject, 56),
	S(program_destroy, 8),
	F(program_destroy, id, 0),
	F(program_destroy, pad, 4),
	S(program_info, 64),
	F(program_info, engine, 0),
	F(program_info, stage, 4),
	F(program_info, features, 8),
	F(program_info, code_words, 16),
	F(program_info, reachable_words, 20),
	F(program_info, uops, 24),
	F(program_info, slots, 28),
	F(program_info, inputs, 32),
	F(program_info, outputs, 36),
	F(program_info, temps, 40),
	F(program_info, uniform_rows, 44),
	F(program_info, const_bools, 48),
	F(program_info, const_ints, 52),
	F(program_info, memory, 56),
	S(program_query, 16),
	F(program_query, id, 0),
	F(program_query, size, 4),
	F(program_query, pointer, 8),
	S(queue_create, 32),
	F(queue_create, engine, 0),
	F(queue_create, vm_id, 4),
	F(queue_create, priority, 8),
	F(queue_create, flags, 12),
	F(queue_create, budget, 16),
	F(queue_create, time_limit_ms, 24),
	F(queue_create, id, 28),
	S(queue_destroy, 8),
	F(queue_destroy, id, 0),
	F(queue_destroy, pad, 4),
	S(fault, 64),
	F(fault, kind, 0),
	F(fault, engine, 4),
	F(fault, address, 8),
	F(fault, pc, 16),
	F(fault, size, 20),
	F(fault, invocation, 24),
	F(fault, job, 32),
	F(fault, draw, 40),
	F(fault, stream, 44),
	F(fault, depth, 48),
	F(fault, info, 52),
	F(fault, active, 56),
	S(qpu_state, 24),
	F(qpu_state, wait, 0),
	F(qpu_state, info, 4),
	F(qpu_state, pc, 8),
	F(qpu_state, thread, 12),
	F(qpu_state, insns, 16),
	S(queue_get_state, 120),
	F(queue_get_state, id, 0),
	F(queue_get_state, state, 4),
	F(queue_get_state, submitted, 8),
	F(queue_get_state, completed, 16),
	F(queue_get_state, busy_ns, 24),
	F(queue_get_state, invocations, 32),
	F(queue_get_state, fault, 40),
	F(queue_get_state, engine_state, 104),
	F(queue_get_state, engine_state_size, 112),
	F(queue_get_state, pad, 116),
	S(sync, 16),
	F(sync, flags, 0),
	F(sync, handle, 4),
	F(sync, timeline_value, 8),
	S(stream, 32),
	F(stream, va, 0),
	F(stream, stride, 8),
	F(stream, format, 12),
	F(stream, reg, 16),
	F(stream, components, 20),
	F(stream, divisor, 24),
	F(stream, pad, 28),
	S(pica_job, 72),
	F(pica_job, model, 0),
	F(pica_job, switches, 4),
	F(pica_job, float_uniforms, 8),
	F(pica_job, num_float_uniforms, 16),
	F(pica_job, float_format, 20),
	F(pica_job, int_uniforms, 24),
	F(pica_job, bool_uniforms, 40),
	F(pica_job, output_mask, 44),
	F(pica_job, max_prims, 48),
	F(pica_job, pad, 52),
	F(pica_job, prims_va, 56),
	F(pica_job, prim_info_va, 64),
	S(shader_job, 80),
	F(shader_job, program, 0),
	F(shader_job, entry, 4),
	F(shader_job, first, 8),
	F(shader_job, count, 12),
	F(shader_job, instances, 16),
	F(shader_job, index_type, 20),
	F(shader_job, index_va, 24),
	F(shader_job, attributes, 32),
	F(shader_job, outputs, 48),
	F(shader_job, engine_block, 64),
	F(shader_job, engine_block_size, 72),
	F(shader_job, pad, 76),
	S(qpu_thread, 24),
	F(qpu_thread, uniforms, 0),
	F(qpu_thread, pc, 4),
	F(qpu_thread, payload, 8),
	F(qpu_thread, x, 12),
	F(qpu_thread, y, 14),
	F(qpu_thread, coverage, 16),
	F(qpu_thread, flags, 18),
	F(qpu_thread, pad, 20),
	S(qpu_job, 64),
	F(qpu_job, model, 0),
	F(qpu_job, switches, 4),
	F(qpu_job, threads, 8),
	F(qpu_job, color_va, 24),
	F(qpu_job, zs_va, 32),
	F(qpu_job, color_stride, 40),
	F(qpu_job, zs_stride, 44),
	F(qpu_job, width, 48),
	F(qpu_job, height, 52),
	F(qpu_job, samples, 56),
	F(qpu_job, depth, 60),
	S(mali_table, 16),
	F(mali_table, va, 0),
	F(mali_table, count, 8),
	F(mali_table, pad, 12),
	S(mali_target, 40),
	F(mali_target, va, 0),
	F(mali_target, row_stride, 8),
	F(mali_target, order, 12),
	F(mali_target, format, 16),
	F(mali_target, blend, 20),
	F(mali_target, sample_stride, 36),
	S(mali_fragment, 248),
	F(mali_fragment, x, 0),
	F(mali_fragment, y, 4),
	F(mali_fragment, width, 8),
	F(mali_fragment, height, 12),
	F(mali_fragment, prim, 16),
	F(mali_fragment, flags, 20),
	F(mali_fragment, vertex, 24),
	F(mali_fragment, index, 72),
	F(mali_fragment, provoking, 84),
	F(mali_fragment, point_size, 88),
	F(mali_fragment, primitive, 92),
	F(mali_fragment, depth_func, 96),
	F(mali_fragment, pad, 100),
	F(mali_fragment, depth, 104),
	F(mali_fragment, targets, 144),
	F(mali_fragment, samples, 160),
	F(mali_fragment, sample_mask, 164),
	F(mali_fragment, stencil, 168),
	F(mali_fragment, stencil_side, 208),
	F(mali_fragment, stencil_write, 216),
	F(mali_fragment, alpha_func, 220),
	F(mali_fragment, alpha_ref, 224),
	F(mali_fragment, pad2, 228),
	F(mali_fragment, sample_positions, 232),
	F(mali_fragment, blend_base, 240),
	S(mali_job, 240),
	F(mali_job, gpu, 0),
	F(mali_job, switches, 4),
	F(mali_job, local, 8),
	F(mali_job, preload, 20),
	F(mali_job, groups, 24),
	F(mali_job, ubos, 48),
	F(mali_job, push, 64),
	F(mali_job, attributes, 80),
	F(mali_job, varyings, 96),
	F(mali_job, textures, 112),
	F(mali_job, samplers, 128),
	F(mali_job, attribute_buffers, 144),
	F(mali_job, varying_buffers, 152),
	F(mali_job, tls_va, 160),
	F(mali_job, wls_va, 168),
	F(mali_job, tls_size, 176),
	F(mali_job, wls_size, 180),
	F(mali_job, wls_instances, 184),
	F(mali_job, offset_start, 188),
	F(mali_job, instance_size, 192),
	F(mali_job, message, 196),
	F(mali_job, position_va, 200),
	F(mali_job, memory, 208),
	F(mali_job, fragment, 216),
	F(mali_job, fragment_size, 224),
	F(mali_job, work_registers, 228),
	F(mali_job, fp_mode, 232),
	F(mali_job, pad, 236),
	S(utgard_gp_job, 24),
	F(utgard_gp_job, uniforms, 0),
	F(utgard_gp_job, num_rows, 8),
	F(utgard_gp_job, switches, 12),
	F(utgard_gp_job, memory, 16),
	S(utgard_target, 24),
	F(utgard_target, va, 0),
	F(utgard_target, row_stride, 8),
	F(utgard_target, order, 12),
	F(utgard_target, format, 16),
	F(utgard_target, reg, 20),
	S(utgard_pp_job, 168),
	F(utgard_pp_job, uniforms, 0),
	F(utgard_pp_job, textures, 8),
	F(utgard_pp_job, num_rows, 16),
	F(utgard_pp_job, num_textures, 20),
	F(utgard_pp_job, switches, 24),
	F(utgard_pp_job, temporaries, 28),
	F(utgard_pp_job, x, 32),
	F(utgard_pp_job, y, 36),
	F(utgard_pp_job, width, 40),
	F(utgard_pp_job, height, 44),
	F(utgard_pp_job, prim, 48),
	F(utgard_pp_job, flags, 52),
	F(utgard_pp_job, vertex, 56),
	F(utgard_pp_job, index, 104),
	F(utgard_pp_job, point_size, 116),
	F(utgard_pp_job, targets, 120),
	F(utgard_pp_job, mask_va, 136),
	F(utgard_pp_job, depth_va, 144),
	F(utgard_pp_job, mask_stride, 152),
	F(utgard_pp_job, depth_stride, 156),
	F(utgard_pp_job, memory, 160),
	S(native_job, 56),
	F(native_job, format, 0),
	F(native_job, flags, 4),
	F(native_job, va, 8),
	F(native_job, size, 16),
	F(native_job, output_va, 24),
	F(native_job, output_size, 32),
	F(native_job, model, 40),
	F(native_job, switches, 44),
	F(native_job, memory, 48),
	S(pica_draw, 32),
	F(pica_draw, size, 0),
	F(pica_draw, flags, 4),
	F(pica_draw, topology, 8),
	F(pica_draw, vertices, 12),
	F(pica_draw, input_vertices, 16),
	F(pica_draw, list_offset, 20),
	F(pica_draw, pad, 24),
	S(job_result, 96),
	F(job_result, status, 0),
	F(job_result, stray_reads, 4),
	F(job_result, invocations, 8),
	F(job_result, weight, 16),
	F(job_result, busy_ns, 24),
	F(job_result, fault, 32),
	S(job, 48),
	F(job, queue_id, 0),
	F(job, type, 4),
	F(job, flags, 8),
	F(job, desc_size, 12),
	F(job, desc, 16),
	F(job, syncs, 24),
	F(job, result_va, 40),
	S(submit, 88),
	F(submit, jobs, 0),
	F(submit, flags, 16),
	F(submit, failed_job, 20),
	F(submit, fault, 24),
};

TEST(layout)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(items); i++)
		EXPECT_EQ(items[i].want, items[i].have)
			TH_LOG("%s moved", items[i].what);
}

TEST(sizes_are_multiples_of_8)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(items); i++)
		if (!strchr(items[i].what, '.'))
			EXPECT_EQ(0, items[i].have % 8)
				TH_LOG("%s", items[i].what);
}

/* Number and direction of every ioctl. */
TEST(ioctl_numbers)
{
	static const struct {
		unsigned long have;
		unsigned int nr;
		size_t size;
	} t[] = {
		{ DRM_IOCTL_VSHADER_DEV_QUERY, 0x40, 16 },
		{ DRM_IOCTL_VSHADER_VM_CREATE, 0x41, 16 },
		{ DRM_IOCTL_VSHADER_VM_DESTROY, 0x42, 8 },
		{ DRM_IOCTL_VSHADER_VM_BIND, 0x43, 24 },
		{ DRM_IOCTL_VSHADER_BO_CREATE, 0x44, 24 },
		{ DRM_IOCTL_VSHADER_BO_MMAP_OFFSET, 0x45, 16 },
		{ DRM_IOCTL_VSHADER_BO_SET_LABEL, 0x46, 16 },
		{ DRM_IOCTL_VSHADER_PROGRAM_CREATE, 0x47, 80 },
		{ DRM_IOCTL_VSHADER_PROGRAM_DESTROY, 0x48, 8 },
		{ DRM_IOCTL_VSHADER_PROGRAM_QUERY, 0x49, 16 },
		{ DRM_IOCTL_VSHADER_QUEUE_CREATE, 0x4a, 32 },
		{ DRM_IOCTL_VSHADER_QUEUE_DESTROY, 0x4b, 8 },
		{ DRM_IOCTL_VSHADER_QUEUE_GET_STATE, 0x4c, 120 },
		{ DRM_IOCTL_VSHADER_SUBMIT, 0x4d, 88 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++)
		EXPECT_EQ(_IOC(_IOC_READ | _IOC_WRITE, 'd', t[i].nr, t[i].size), t[i].have)
			TH_LOG("ioctl %x", t[i].nr);
}

TEST(enum_values)
{
	EXPECT_EQ(0, DRM_VSHADER_ENGINE_PICA);
	EXPECT_EQ(5, DRM_VSHADER_ENGINE_UTGARD_PP);
	EXPECT_EQ(3, DRM_VSHADER_STAGE_COMPUTE);
	EXPECT_EQ(3, DRM_VSHADER_DEV_QUERY_NUMERIC_INFO);
	EXPECT_EQ(8, DRM_VSHADER_VM_BIND_ALLOC_VA);
	EXPECT_EQ(7, DRM_VSHADER_FORMAT_U32);
	EXPECT_EQ(16, DRM_VSHADER_FORMAT_FIXED);
	EXPECT_EQ(14, DRM_VSHADER_UTGARD_IN_FACING);
	EXPECT_EQ(9, DRM_VSHADER_UTGARD_PIXEL_R32F);
	EXPECT_EQ(12, DRM_VSHADER_FAULT_CANCELED);
	EXPECT_EQ(4, DRM_VSHADER_QUEUE_STATE_INNOCENT);
	EXPECT_EQ(1, DRM_VSHADER_JOB_NATIVE);
	EXPECT_EQ(13, DRM_VSHADER_FAULT_HAZARD);
	EXPECT_EQ(1, DRM_VSHADER_NATIVE_QPU_LIST);
	EXPECT_EQ(5, DRM_VSHADER_QPU_WAIT_SCOREBOARD);
	EXPECT_EQ(16, DRM_VSHADER_QPU_HAZARD_TMU_CONFIG);
	EXPECT_EQ(2, DRM_VSHADER_QPU_STRICT_TMU);
	EXPECT_EQ(2, DRM_VSHADER_ENGINE_BIFROST);
	EXPECT_EQ(2, DRM_VSHADER_NATIVE_BIFROST_CHAIN);
	EXPECT_EQ(5, DRM_VSHADER_NATIVE_UTGARD_PP_FRAME);
	EXPECT_EQ(1, DRM_VSHADER_UTGARD_MALI450);
	EXPECT_EQ(0, DRM_VSHADER_MALI_G71);
	EXPECT_EQ(3, DRM_VSHADER_MALI_G52);
	EXPECT_EQ(1, DRM_VSHADER_MALI_FUSED_FMA);
	EXPECT_EQ(2, DRM_VSHADER_MALI_PRIM_POINT);
	EXPECT_EQ(16, DRM_VSHADER_MALI_FRAG_SHADER_Z);
	EXPECT_EQ(32, DRM_VSHADER_MALI_FRAG_STENCIL_TEST);
	EXPECT_EQ(64, DRM_VSHADER_MALI_FRAG_SHADER_S);
	EXPECT_EQ(128, DRM_VSHADER_MALI_FRAG_LATE);
	EXPECT_EQ(256, DRM_VSHADER_MALI_FRAG_ALPHA_TEST);
	EXPECT_EQ(512, DRM_VSHADER_MALI_FRAG_ALPHA_TO_COVERAGE);
	EXPECT_EQ(1024, DRM_VSHADER_MALI_FRAG_PER_SAMPLE);
}

TEST(driver_version)
{
	char name[32] = "", desc[128] = "";
	struct drm_version v = {
		.name = name, .name_len = sizeof(name) - 1,
		.desc = desc, .desc_len = sizeof(desc) - 1,
	};
	int fd;

	OPEN_OR_SKIP(return, fd);
	ASSERT_EQ(0, vst_ioctl(fd, DRM_IOCTL_VERSION, &v));
	EXPECT_STREQ("vshader", name);
	EXPECT_EQ(1, v.version_major);
	EXPECT_EQ(0, v.version_minor);
	EXPECT_NE(0, v.desc_len);
	close(fd);
}

TEST(driver_caps)
{
	static const struct {
		__u64 cap;
		__u64 want;
	} t[] = {
		{ DRM_CAP_PRIME, DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT },
		{ DRM_CAP_SYNCOBJ, 1 },
		{ DRM_CAP_SYNCOBJ_TIMELINE, 1 },
	};
	unsigned int i;
	int fd;

	OPEN_OR_SKIP(return, fd);
	for (i = 0; i < ARRAY_SIZE(t); i++) {
		struct drm_get_cap cap = { .capability = t[i].cap };

		EXPECT_EQ(0, vst_ioctl(fd, DRM_IOCTL_GET_CAP, &cap));
		EXPECT_EQ(t[i].want, cap.value);
	}
	close(fd);
}

/* Numbers behind the last ioctl are unknown (DRM says EINVAL for its own range). */
TEST(unknown_ioctl)
{
	char arg[256] = { 0 };
	unsigned int nr;
	int fd;

	OPEN_OR_SKIP(return, fd);
	for (nr = DRM_VSHADER_DEBUG_ATTACH + 1; nr < 0x60; nr++) {
		unsigned long req = _IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE,
					    DRM_COMMAND_BASE + nr, sizeof(arg));
		int ret = vst_ioctl_once(fd, req, arg);

		EXPECT_TRUE(ret == -ENOTTY || ret == -EINVAL)
			TH_LOG("ioctl %x: %d", nr, ret);
	}
	close(fd);
}

/*
 * Callers of other versions pass smaller or larger structures: DRM fills up with
 * zeros and copies back what was asked for.
 */
TEST(argument_sizes)
{
	struct {
		struct drm_vshader_vm_create arg;
		__u64 more[2];
	} big = { .more = { ~0ULL, ~0ULL } };
	__u64 query[2] = { 0, 0 };
	unsigned long req;
	int fd;

	OPEN_OR_SKIP(return, fd);
	req = _IOC(_IOC_READ | _IOC_WRITE, 'd', 0x41, sizeof(big));
	EXPECT_EQ(0, vst_ioctl(fd, req, &big));
	EXPECT_NE(0, big.arg.id);
	/* the first 8 bytes of a DEV_QUERY only: pointer 0 */
	req = _IOC(_IOC_READ | _IOC_WRITE, 'd', 0x40, 8);
	EXPECT_EQ(0, vst_ioctl(fd, req, query));
	EXPECT_EQ(sizeof(struct drm_vshader_dev_info), query[0] >> 32);
	EXPECT_EQ(0, query[1]);
	close(fd);
}

TEST(bad_argument_pointer)
{
	static const unsigned long req[] = {
		DRM_IOCTL_VSHADER_DEV_QUERY, DRM_IOCTL_VSHADER_VM_CREATE,
		DRM_IOCTL_VSHADER_VM_DESTROY, DRM_IOCTL_VSHADER_VM_BIND,
		DRM_IOCTL_VSHADER_BO_CREATE, DRM_IOCTL_VSHADER_BO_MMAP_OFFSET,
		DRM_IOCTL_VSHADER_BO_SET_LABEL, DRM_IOCTL_VSHADER_PROGRAM_CREATE,
		DRM_IOCTL_VSHADER_PROGRAM_DESTROY, DRM_IOCTL_VSHADER_PROGRAM_QUERY,
		DRM_IOCTL_VSHADER_QUEUE_CREATE, DRM_IOCTL_VSHADER_QUEUE_DESTROY,
		DRM_IOCTL_VSHADER_QUEUE_GET_STATE, DRM_IOCTL_VSHADER_SUBMIT,
	};
	unsigned int i;
	int fd;

	OPEN_OR_SKIP(return, fd);
	for (i = 0; i < ARRAY_SIZE(req); i++)
		EXPECT_EQ(-EFAULT, vst_ioctl(fd, req[i], (void *)BAD_PTR))
			TH_LOG("ioctl %d", i);
	close(fd);
}

TEST_HARNESS_MAIN
