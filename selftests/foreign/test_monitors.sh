#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Monitors read a device with the personality panfrost in the guest of scripts/vm: Debian 13's nvtop
# and gputop. Of Debian 12, nvtop 3.0.1 knows no panfrost, and intel-gpu-tools 1.27.1 has no gputop that
# reads fdinfo.

. "$(dirname "$0")/foreign.sh"

if [ "${QUICK:-}" ]; then
	skip monitors "a guest and packages of Debian 13, in make check-all"
	finish
fi
stage=${VSHADER_BUILD:-$TOP/build}/stage
if ! "$TOP/scripts/deps" vm >/dev/null 2>&1; then
	skip monitors "no QEMU, see scripts/deps vm"
	finish
fi
if [ ! -x "$stage/selftests/vshader_busy" ]; then
	skip monitors "no vshader_busy in $stage, see make stage"
	finish
fi
if ! monitors=$(sh "$(dirname "$0")/monitors.sh" 2>"$work/said"); then
	skip monitors "$(cat "$work/said")"
	finish
fi
sed 's/^/# /' "$monitors/versions"

cat >"$work/guest.sh" <<'END'
# in the guest
lib=/monitors/usr/lib/x86_64-linux-gnu
run()
{
	"$lib/ld-linux-x86-64.so.2" --library-path "$lib" "/monitors/usr/bin/$@"
}
cat /sys/devices/platform/vshader.1/profiling >/results/before
# one snapshot: has no usage of processes. It leaves profiling on, as it has freed the file's name
run nvtop -s >/results/nvtop 2>/results/nvtop.err
echo $? >/results/nvtop.code
echo 1 >/sys/devices/platform/vshader.1/profiling
for kind in fragment vertex; do
	/stage/selftests/vshader_busy $kind >/dev/null &
	for try in 1 2 3 4 5 6 7 8 9 10; do
		# without a terminal it prints nothing; clients that were idle for a second have no row
		run gputop -n 3 -d 1 </dev/console >/results/$kind 2>&1
		grep -q vshader_busy /results/$kind && break
	done
	kill $!
	wait
done
END
mkdir -p "$work/results"
"$TOP/scripts/vm" run --quiet --results "$work/results" --share "test=$work" \
	--share "monitors=$monitors" --module-args "devices=2 personality=vshader,panfrost:g52" -- \
	sh /test/guest.sh >"$work/out" 2>&1
code=$?
shows $code "$work/out"
result $? "the guest"

[ "$(cat "$work/results/before" 2>/dev/null)" = 1 ]
result $? "profiling is on at first"
grep -q '"device_name": "g52"' "$work/results/nvtop"
shows $? "$work/results/nvtop"
result $? "nvtop finds the GPU by its name"
! grep -q "Profiling state not available" "$work/results/nvtop.err"
shows $? "$work/results/nvtop.err"
result $? "nvtop finds the file profiling"

# usage KIND: percents of the last row of the client, fragment and vertex-tiler
usage()
{
	grep vshader_busy "$work/results/$1" | tail -n 1 | grep -o '[0-9.]*%' | tr -d '%'
}

grep -q 'fragment.*vertex-tiler' "$work/results/fragment"
shows $? "$work/results/fragment"
result $? "gputop has both engines"
usage fragment | awk 'NR == 1 && $1 > 0 { a = 1 } NR == 2 && $1 == 0 { b = 1 } END { exit !(a && b) }'
shows $? "$work/results/fragment"
result $? "gputop: fragment jobs"
usage vertex | awk 'NR == 1 && $1 == 0 { a = 1 } NR == 2 && $1 > 0 { b = 1 } END { exit !(a && b) }'
shows $? "$work/results/vertex"
result $? "gputop: vertex jobs"
finish
