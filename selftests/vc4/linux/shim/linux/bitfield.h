/* SPDX-License-Identifier: GPL-2.0 */
/* Fields of registers, for constant masks. */
#ifndef SHIM_BITFIELD_H
#define SHIM_BITFIELD_H

#define FIELD_GET(mask, word)	(((word) & (mask)) / ((mask) & -(mask)))
#define FIELD_PREP(mask, value)	(((value) * ((mask) & -(mask))) & (mask))
#define FIELD_FIT(mask, value)	(!((value) & ~FIELD_GET(mask, mask)))

#endif /* SHIM_BITFIELD_H */
