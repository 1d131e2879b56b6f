#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# SPIRV-Tools' assembler cuts off a decimal constant of 16 bits.
#
# Version:  spirv-tools 2023.1-2 of Debian bookworm (2025.1~rc1-1 of trixie and 2026.4~rc2-1 of
#           sid agree)
# Guess:    OpConstant of a decimal number is the nearest number of its type, as in C: 0.3 is
#           0x34cd as a half, 1.9999 is 2.0 (0x4000), and 5e-8 the smallest subnormal (0x0001).
# Really:   The text is read as a number of 32 bits, and that one is cut to 16: 0.3 is 0x34cc,
#           1.9999 is 0x3fff, 0.00000005 is zero. A constant of 32 bits is rounded to nearest.
#           What the disassembler prints is exact and comes back unchanged, so that a round trip
#           of text shows nothing. Those who write shaders of 16 bits by hand get other constants
#           than those who compile them.
# Seen:     2e66 3fff 34cc 7bff 0000 3dcccccd (nearest: 2e66 4000 34cd 7bff 0001 3dcccccd)

set -u
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2

apt-get -qq -o APT::Sandbox::User=root download spirv-tools=2023.1-2 >&2 || {
	echo "spirv-tools 2023.1-2 cannot be had: the archive has it no longer, or apt-get update" >&2
	exit 2
}
dpkg-deb -x spirv-tools_*.deb . || exit 2

cat >halves.spvasm <<EOF
OpCapability Shader
OpCapability Float16
OpCapability Linkage
OpMemoryModel Logical GLSL450
%half = OpTypeFloat 16
%float = OpTypeFloat 32
%1 = OpConstant %half 0.1
%2 = OpConstant %half 1.9999
%3 = OpConstant %half 0.3
%4 = OpConstant %half 65519
%5 = OpConstant %half 0.00000005
%6 = OpConstant %float 0.1
EOF
usr/bin/spirv-as halves.spvasm -o halves.spv || exit 2
usr/bin/spirv-val halves.spv || exit 2

# the last word of each of the six instructions of four words at the end
got=$(od -An -v -tx4 -w16 -j$(($(wc -c <halves.spv) - 96)) halves.spv |
	awk '{ printf "%s%s", sep, NR < 6 ? substr($4, 5) : $4; sep = " " }')
echo "spirv-as: $got"
[ "$got" = "2e66 3fff 34cc 7bff 0000 3dcccccd" ] || exit 1
usr/bin/spirv-dis --raw-id halves.spv -o again.spvasm || exit 2
usr/bin/spirv-as again.spvasm -o again.spv && cmp halves.spv again.spv || exit 1
