#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Loads vshader_kunit.ko, which runs its suites, and prints their results (KTAP).
# VSHADER_KUNIT names the module; otherwise it is next to $VSHADER_MODULE or here.

here=$(cd "$(dirname "$0")" && pwd)
results=/sys/kernel/debug/kunit

skip()
{
	echo "TAP version 13"
	echo "1..0 # SKIP $*"
	exit 4
}

fail()
{
	echo "TAP version 13"
	echo "1..1"
	echo "not ok 1 vshader_kunit: $*"
	exit 1
}

module=${VSHADER_KUNIT:-}
for dir in "$(dirname "${VSHADER_MODULE:-/nowhere/x}")" "$here"; do
	[ -n "$module" ] || [ ! -e "$dir/vshader_kunit.ko" ] || module=$dir/vshader_kunit.ko
done
[ -n "$module" ] || skip "no vshader_kunit.ko for this kernel (it has no KUnit)"
[ -d /sys/module/vshader_kunit ] && rmmod vshader_kunit
insmod "$module" || fail "does not load"
if [ ! -d "$results" ]; then
	rmmod vshader_kunit
	skip "KUnit's results are not in debugfs"
fi
failed=0
found=0
for dir in "$results"/vshader_*; do
	[ -r "$dir/results" ] || continue
	found=1
	cat "$dir/results"
	! grep -q '^ *not ok' "$dir/results" || failed=1
done
if [ $failed = 1 ]; then
	# the logs above are short: the kernel's has all of it
	dmesg | grep -A 6 'EXPECTATION FAILED\|ASSERTION FAILED' | sed 's/^/# /' | tail -n 100
fi
rmmod vshader_kunit || fail "does not unload"
[ $found = 1 ] || fail "ran no suite"
exit $failed
