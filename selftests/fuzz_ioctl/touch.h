/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Accesses to mappings that may have lost their memory: a SIGBUS or SIGSEGV between begin and
 * end makes begin return false, for a second time.
 */
#ifndef FZ_TOUCH_H
#define FZ_TOUCH_H

#include <setjmp.h>

extern __thread sigjmp_buf fz_touch_env;
extern __thread int fz_touching;

/* The accesses stay between these. */
#define fz_fence()		__atomic_signal_fence(__ATOMIC_SEQ_CST)
#define fz_touch_begin()	(fz_touching = 1, fz_fence(), !sigsetjmp(fz_touch_env, 1))
#define fz_touch_end()		(fz_fence(), fz_touching = 0)

#endif
