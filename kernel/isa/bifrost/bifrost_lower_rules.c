// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bifrost lowering: the table of rules, indexed by enum bi_rule.
 */
#include "bifrost_ext.h"
#include "bifrost_lower_priv.h"

#define BL_RULE(id, fn, arg, flags) [BI_RULE_##id] = { bl_##fn, arg, flags },

static const struct bl_rule rules[BI_NUM_RULES] = {
#include "bifrost_rules.def"
};

const struct bl_rule *bl_rule(const struct bi_op *op)
{
	return op->rule ? &rules[op->rule] : NULL;
}

bool bifrost_executes(const char *name)
{
	const struct bi_op *ops;
	u32 unit, i, n;

	for (unit = 0; unit < BI_NUM_UNITS; unit++) {
		ops = bi_ops(unit, &n);
		for (i = 0; i < n; i++)
			if (ops[i].rule && !strcmp(ops[i].name, name))
				return true;
	}
	return false;
}
