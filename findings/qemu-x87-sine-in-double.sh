#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# QEMU's x87 has 64 bits for the arctangent and the root, and 53 for the sine.
#
# Version:  qemu-user-static 1:7.2+dfsg-7+deb12u18+b3 of Debian bookworm (-cpu max); 1:10.0.13 of
#           trixie agrees
# Guess:    The emulated x87 has one precision: 64 bits as the processor's, or a double's. fsin
#           and fcos leave an argument of 2^63 as it is and set C2, as the manual says.
# Really:   Both: fsqrt, f2xm1 and fpatan have 64 significant bits, the processor's to the last
#           one; fsin, fcos and fptan end in 11 zero bits, as they are the host's functions of
#           doubles. Where the manual has C2 for an argument out of range, 2^63 gets a sine, and
#           C2 stays clear: the loop that reduces the argument until C2 is clear never runs.
# Seen:     fsqrt b504f333f9de6484, f2xm1 d413cccfe7799211, fpatan e58100f2fd2302cd (all as the
#           processor's); fsin d76aa47848677000, fcos 8a51407da8346000, fptan c75922e5f71d3000; C2
#           0

set -u
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2

version=1:7.2+dfsg-7+deb12u18+b3
apt-get -qq -o APT::Sandbox::User=root download "qemu-user-static=$version" >&2 || {
	echo "qemu-user-static $version cannot be had: the archive has it no longer, or" \
		"apt-get update" >&2
	exit 2
}
dpkg-deb --fsys-tarfile qemu-user-static_*.deb | tar x ./usr/bin/qemu-x86_64-static || exit 2

cat >x87.c <<EOF
#include <stdio.h>
#include <string.h>

/* the significand that TEXT makes of an operand in st(0) */
#define SHOW(name, text, operand) do {						\\
	long double value = (operand);						\\
	unsigned long long bits;						\\
										\\
	__asm__ volatile(text : "+t"(value));					\\
	memcpy(&bits, &value, sizeof(bits));					\\
	printf("%s %016llx, ", name, bits);					\\
} while (0)

int main(void)
{
	long double value = 0x1p63L;
	unsigned short status;

	SHOW("fsqrt", "fsqrt", 2.0L);
	SHOW("f2xm1", "f2xm1", 0.5L);
	SHOW("fpatan", "fldl2e; fxch; fpatan", 3.0L);
	SHOW("fsin", "fsin", 1.0L);
	SHOW("fcos", "fcos", 1.0L);
	SHOW("fptan", "fptan; fstp %%st(0)", 1.0L);
	__asm__ volatile("fsin; fnstsw %1" : "+t"(value), "=a"(status));
	printf("C2 %d\\n", !!(status & 0x400));
	return 0;
}
EOF
gcc -O1 -static x87.c -o x87 || exit 2
got=$(usr/bin/qemu-x86_64-static -cpu max ./x87)
[ "$(uname -m)" != x86_64 ] || echo "processor: $(./x87)"
echo "QEMU:      $got"
exact="fsqrt b504f333f9de6484, f2xm1 d413cccfe7799211, fpatan e58100f2fd2302cd"
double="fsin d76aa47848677000, fcos 8a51407da8346000, fptan c75922e5f71d3000"
[ "$got" = "$exact, $double, C2 0" ]
