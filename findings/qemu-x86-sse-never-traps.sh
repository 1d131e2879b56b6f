#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# QEMU's user emulation of x86-64 has no SIGFPE for floating point of SSE.
#
# Version:  qemu-user-static 1:7.2+dfsg-7+deb12u18+b3 of Debian bookworm (-cpu max); 1:10.0.13 of
#           trixie agrees
# Guess:    feenableexcept(FE_DIVBYZERO) is in MXCSR, which the emulator keeps: 1.0f / 0.0f ends
#           in a SIGFPE with the code FPE_FLTDIV, as an integer's division by zero ends in one
#           with FPE_INTDIV. Or no exception works, and then a program can tell by what
#           feenableexcept() and fegetexcept() return.
# Really:   MXCSR reads back as it was written, fegetexcept() says that the exception is enabled,
#           the flag of the exception is set, and the result is infinity: no signal. The integer's
#           signal comes. A test suite that runs with traps on, to find the first NaN, finds none
#           under QEMU and passes.
# Seen:     processor: float 3, int 1; QEMU: enabled 4, raised 4, float 0 (inf), int 1

set -u
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2

version=1:7.2+dfsg-7+deb12u18+b3
[ "$(uname -m)" = x86_64 ] || {
	echo "compares with a processor of x86-64" >&2
	exit 2
}
apt-get -qq -o APT::Sandbox::User=root download "qemu-user-static=$version" >&2 || {
	echo "qemu-user-static $version cannot be had: the archive has it no longer, or" \
		"apt-get update" >&2
	exit 2
}
dpkg-deb --fsys-tarfile qemu-user-static_*.deb | tar x ./usr/bin/qemu-x86_64-static || exit 2

cat >traps.c <<EOF
#define _GNU_SOURCE
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf back;
static volatile int code;

static void caught(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	code = info->si_code;
	siglongjmp(back, 1);
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = caught, .sa_flags = SA_SIGINFO };
	volatile float zero = 0, one = 1, quotient = -1;
	volatile int none = 0, some = 1;
	int raised = 0;

	sigaction(SIGFPE, &action, NULL);
	feenableexcept(FE_DIVBYZERO);
	if (!sigsetjmp(back, 1)) {
		quotient = one / zero;
		raised = fetestexcept(FE_DIVBYZERO);
	}
	printf("enabled %d, raised %d, float %d (%g), ", fegetexcept(), raised, code, quotient);
	feclearexcept(FE_ALL_EXCEPT);
	code = 0;
	if (!sigsetjmp(back, 1))
		none = some / none;
	printf("int %d\n", code);
	return 0;
}
EOF
gcc -O1 -static traps.c -o traps -lm || exit 2
own=$(./traps)
emulated=$(usr/bin/qemu-x86_64-static -cpu max ./traps)
echo "processor: $own"
echo "QEMU:      $emulated"
[ "${own#*float }" = "3 (-1), int 1" ] && \
	[ "$emulated" = "enabled 4, raised 4, float 0 (inf), int 1" ]
