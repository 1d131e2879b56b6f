/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for the header of the same name, so that the validating files of Linux's vc4 driver
 * compile in userspace, unchanged: as much of the kernel as they name. Only for tests; the members
 * are those that the files access.
 */
#ifndef SHIM_VC4_DRV_H
#define SHIM_VC4_DRV_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "uapi/drm/vc4_drm.h"

/* BUG_ON() is a macro of the compiler's command line. */
void lx_oops(void);

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

/* ---- kernel ---- */

#define DRM_DEBUG(...)		((void)0)
#define DRM_INFO(...)		((void)0)
#define DRM_ERROR(...)		((void)0)
#define WARN_ON(c)		((void)(c))
#define WARN_ON_ONCE(c)		(c)

#define BIT(n)			(1UL << (n))
#define GENMASK(h, l)		((~0UL >> (63 - (h))) & (~0UL << (l)))
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define roundup(n, to)		(DIV_ROUND_UP(n, to) * (to))
#define round_up(n, to)		roundup(n, to)
#define max(a, b)		((a) > (b) ? (a) : (b))

#define BITS_TO_LONGS(n)	DIV_ROUND_UP(n, 8 * sizeof(long))
#define set_bit(n, p)		((p)[(n) / 64] |= 1UL << (n) % 64)
#define test_bit(n, p)		((p)[(n) / 64] >> (n) % 64 & 1)

#define GFP_KERNEL		0
#define kcalloc(n, size, how)	calloc(n, size)
#define krealloc(p, size, how)	realloc(p, size)
#define krealloc_array(p, n, size, how)	realloc(p, (size_t)(n) * (size))
#define kfree(p)		free(p)
#define IS_ERR(p)		(!(p))
#define PTR_ERR(p)		(-ENOMEM)
#define ERESTARTSYS		512

struct list_head {
	int unused;
};

#define list_add_tail(what, list)	((void)(what), (void)(list))

/* ---- buffer objects ---- */

struct drm_device {
	int unused;
};

struct drm_gem_object {
	struct drm_device *dev;
	size_t size;
};

struct drm_gem_dma_object {
	struct drm_gem_object base;
	uint64_t dma_addr;
	void *vaddr;
};

struct vc4_texture_sample_info {
	bool is_direct;
	uint32_t p_offset[4];
};

struct vc4_validated_shader_info {
	uint32_t uniforms_size;
	uint32_t uniforms_src_size;
	uint32_t num_texture_samples;
	struct vc4_texture_sample_info *texture_samples;
	uint32_t num_uniform_addr_offsets;
	uint32_t *uniform_addr_offsets;
	bool is_threaded;
};

struct vc4_bo {
	struct drm_gem_dma_object base;
	uint64_t write_seqno;
	struct vc4_validated_shader_info *validated_shader;
	struct list_head unref_head;
};

enum { VC4_BO_TYPE_RCL };

static inline struct vc4_bo *to_vc4_bo(struct drm_gem_object *object)
{
	return (struct vc4_bo *)object;
}

/* ---- device, job ---- */

struct vc4_dev {
	struct drm_device base;
	bool is_vc5;
	uint32_t bin_alloc_size;
	struct vc4_bo *bin_bo;
};

static inline struct vc4_dev *to_vc4_dev(struct drm_device *dev)
{
	return (struct vc4_dev *)dev;
}

struct vc4_shader_state {
	uint32_t addr;
	uint32_t max_index;
};

struct vc4_exec_info {
	struct vc4_dev *dev;
	uint64_t bin_dep_seqno;
	struct drm_vc4_submit_cl *args;
	struct drm_gem_dma_object **bo;
	uint32_t bo_count;
	struct drm_gem_dma_object *rcl_write_bo[4];
	uint32_t rcl_write_bo_count;
	struct list_head unref_list;
	uint32_t bo_index[2];
	struct drm_gem_dma_object *exec_bo;
	struct vc4_shader_state *shader_state;
	uint32_t shader_state_size;
	uint32_t shader_state_count;
	bool found_tile_binning_mode_config_packet;
	bool found_start_tile_binning_packet;
	bool found_increment_semaphore_packet;
	bool found_flush;
	uint8_t bin_tiles_x, bin_tiles_y;
	uint32_t tile_alloc_offset;
	uint32_t bin_slots;
	uint32_t ct0ca, ct0ea;
	uint32_t ct1ca, ct1ea;
	void *bin_u;
	void *shader_rec_u;
	void *shader_rec_v;
	uint32_t shader_rec_p;
	uint32_t shader_rec_size;
	void *uniforms_u;
	void *uniforms_v;
	uint32_t uniforms_p;
	uint32_t uniforms_size;
};

int vc4_v3d_get_bin_slot(struct vc4_dev *vc4);
struct vc4_bo *vc4_bo_create(struct drm_device *dev, size_t size, bool from_cache, int type);

/* ---- the files that are compiled ---- */

struct drm_gem_dma_object *vc4_use_bo(struct vc4_exec_info *exec, uint32_t hindex);
bool vc4_check_tex_size(struct vc4_exec_info *exec, struct drm_gem_dma_object *fbo, uint32_t offset,
			uint8_t tiling_format, uint32_t width, uint32_t height, uint8_t cpp);
int vc4_validate_bin_cl(struct drm_device *dev, void *validated, void *unvalidated,
			struct vc4_exec_info *exec);
int vc4_validate_shader_recs(struct drm_device *dev, struct vc4_exec_info *exec);
int vc4_get_rcl(struct drm_device *dev, struct vc4_exec_info *exec);
struct vc4_validated_shader_info *vc4_validate_shader(struct drm_gem_dma_object *shader_obj);

#endif /* SHIM_VC4_DRV_H */
