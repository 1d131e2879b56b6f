#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# run.sh FOLDER SECONDS TARGET
#
# Runs one fuzzer of FOLDER: first all known inputs (regressions, and seeds made from the
# project's data), then random ones for SECONDS. Inputs that are worth keeping for the next run,
# and those that break something, stay in FOLDER.

here=$(cd "$(dirname "$0")" && pwd)
out=$1
seconds=$2
target=$3

name=${target#fuzz_}
corpus=$out/corpus/$name
log=$out/$target.log
mkdir -p "$corpus" "$out/seeds/$name"
set -- "$corpus" "$out/seeds/$name"
[ ! -d "$here/regressions/$name" ] || set -- "$@" "$here/regressions/$name"
[ ! -e "$here/$name.dict" ] || set -- "-dict=$here/$name.dict" "$@"

echo "TAP version 13"
echo "1..1"
ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=1} \
	timeout $((seconds + 1200)) "$out/$target" -max_total_time="$seconds" -timeout=20 \
	-rss_limit_mb=1500 -max_len=16384 -print_final_stats=1 \
	-artifact_prefix="$out/artifacts/$target-" "$@" >"$log" 2>&1
status=$?
runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
if [ $status -eq 0 ] && [ "${runs:-0}" -gt 0 ]; then
	echo "ok 1 $target: $runs inputs"
	exit 0
fi
echo "# $target ended with status $status; its whole log is $log"
grep -v '^#[0-9]' "$log" | tail -n 40 | sed 's/^/# /'
echo "not ok 1 $target"
exit 1
