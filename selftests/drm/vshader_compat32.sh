#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The ioctls from a 32-bit process. Needs an x86-64 kernel that executes such programs.

here=$(cd "$(dirname "$0")" && pwd)

skip()
{
	echo "TAP version 13"
	echo "1..0 # SKIP $1"
	exit 4
}

[ -x "$here/compat32" ] || skip "compat32 was not built: needs gcc -m32"
"$here/compat32" 2>/dev/null
status=$?
# 2: the shell takes for a script of its own what the kernel refuses to execute
case $status in
2 | 126) skip "this kernel executes no 32-bit programs" ;;
esac
exit $status
