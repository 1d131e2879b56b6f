// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Images of textures. */
#include "tx_texture.h"

/**
 * tx_find_surface - image of a texture
 * @t: texture
 * @level: mip level
 * @layer: layer; cubes: group of six faces
 * @face: cubes: face, else 0
 * @sample: sample index
 *
 * Return: the image, or NULL if it does not exist.
 */
const struct tx_surface *tx_find_surface(const struct tx_texture *t, u32 level, u32 layer,
					 u32 face, u32 sample)
{
	u32 faces = t->dim == TX_DIM_CUBE ? TX_CUBE_FACES : 1, i;

	if (level >= t->levels || layer >= t->array_size || face >= faces ||
	    sample >= t->samples)
		return NULL;
	if (t->level_inner)
		i = ((layer * faces + face) * t->samples + sample) * t->levels + level;
	else
		i = ((layer * t->levels + level) * faces + face) * t->samples + sample;
	return i < t->nsurfaces ? &t->surfaces[i] : NULL;
}
