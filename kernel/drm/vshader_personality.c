// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Personalities by name.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include <drm/drm_drv.h>

#include "vshader_device.h"
#include "vshader_personality.h"

/* The longest DRIVER:CHIP. */
#define MAX_WORD	32

static const struct vshader_personality *const all[] = {
	&vshader_lima,
	&vshader_panfrost,
	&vshader_vc4,
};

int vshader_personality_parse(const char *word, size_t len, const struct vshader_personality **p,
			      const void **chip)
{
	char name[MAX_WORD] = {};
	char *colon;
	u32 i;

	*p = NULL;
	*chip = NULL;
	if (len >= sizeof(name))
		return -EINVAL;
	memcpy(name, word, len);
	if (!len || !strcmp(name, VSHADER_NAME))
		return 0;
	colon = strchr(name, ':');
	if (colon)
		*colon++ = 0;
	else
		colon = name;
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		if (strcmp(name, all[i]->driver->name))
			continue;
		*p = all[i];
		*chip = all[i]->chip(colon);
	}
	return *chip ? 0 : -EINVAL;
}
