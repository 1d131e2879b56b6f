/* SPDX-License-Identifier: GPL-2.0 */
/* Nothing: vc4_drv.h has it. */
