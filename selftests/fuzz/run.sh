#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# run.sh FOLDER|none SECONDS TARGET...
#
# Runs fuzzers that are in FOLDER: first all known inputs (regressions, and seeds made
# from the project's data), then random ones for SECONDS each. Inputs that are worth
# keeping for the next run, and those that break something, stay in FOLDER.

here=$(cd "$(dirname "$0")" && pwd)
out=$1
seconds=$2
shift 2

echo "TAP version 13"
if [ "$out" = none ]; then
	echo "1..0 # SKIP no clang with libFuzzer (clang-14, libclang-rt-14-dev)"
	exit 4
fi
echo "1..$#"
mkdir -p "$out/artifacts"
if ! python3 "$here/seeds.py" "$here/.." "$out/seeds" >"$out/seeds.log" 2>&1; then
	sed 's/^/# /' "$out/seeds.log"
	echo "Bail out! the seeds cannot be made"
	exit 1
fi

number=0
failed=0
for target in "$@"; do
	number=$((number + 1))
	name=${target#fuzz_}
	corpus=$out/corpus/$name
	log=$out/$target.log
	mkdir -p "$corpus" "$out/seeds/$name"
	known=$out/seeds/$name
	[ ! -d "$here/regressions/$name" ] || known="$known $here/regressions/$name"
	dict=
	[ ! -e "$here/$name.dict" ] || dict=-dict=$here/$name.dict
	# $known is several folders
	# shellcheck disable=SC2086
	ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=1} \
		timeout $((seconds + 120)) "$out/$target" -max_total_time="$seconds" -timeout=20 \
		-rss_limit_mb=1500 -max_len=16384 -print_final_stats=1 $dict \
		-artifact_prefix="$out/artifacts/$target-" "$corpus" $known >"$log" 2>&1
	status=$?
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	if [ $status -eq 0 ] && [ "${runs:-0}" -gt 0 ]; then
		echo "ok $number $target: $runs inputs"
	else
		failed=1
		echo "# $target ended with status $status; its whole log is $log"
		grep -v '^#[0-9]' "$log" | tail -n 40 | sed 's/^/# /'
		echo "not ok $number $target"
	fi
done
exit $failed
