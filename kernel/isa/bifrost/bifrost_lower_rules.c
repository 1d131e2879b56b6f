// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bifrost lowering: the table of rules.
 */
#include "bifrost_lower_priv.h"
#include "../mali/mali_ext.h"

#define BL_RULE(name, fn, arg, flags) { name, bl_##fn, arg, flags },

static const struct bl_rule rules[] = {
#include "bifrost_rules.def"
};

const struct bl_rule *bl_rule_find(const char *name)
{
	u32 lo = 0, hi = ARRAY_SIZE(rules);

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;
		int cmp = strcmp(rules[mid].name, name);

		if (!cmp)
			return &rules[mid];
		if (cmp < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}
