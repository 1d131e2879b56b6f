/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Numbers of the numeric models, see exec_num.h. */
#ifndef EXEC_MODELS_H
#define EXEC_MODELS_H

#define VS_M_F32	0
#define VS_M_F32X	1
#define VS_M_F24S	2
#define VS_M_F24T	3
#define VS_M_F24N	4

#endif /* EXEC_MODELS_H */
