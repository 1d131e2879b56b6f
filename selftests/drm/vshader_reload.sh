#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Loads the module anew with other parameters and runs tests that need them: several
# devices and workers, every executor, long and short slices; parameters that are wrong;
# removal while files, buffers or fences are still held.
#
# VSHADER_MODULE names the module.

here=$(cd "$(dirname "$0")" && pwd)
module=${VSHADER_MODULE:-}
number=0
failed=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

skip_all()
{
	echo "TAP version 13"
	echo "1..0 # SKIP $*"
	exit 4
}

# result STATUS NAME
result()
{
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number $2"
	else
		echo "not ok $number $2"
		failed=1
	fi
}

unload()
{
	_tries=0
	while [ -d /sys/module/vshader ] && ! rmmod vshader 2>/dev/null; do
		_tries=$((_tries + 1))
		[ $_tries -lt 600 ] || return 1
		sleep 0.1
	done
}

# with PARAMETERS -- PROGRAM [TEST...]: every test of the program must pass
with()
{
	_parameters=
	while [ "$1" != -- ]; do
		_parameters="$_parameters $1"
		shift
	done
	shift
	_name="$*, with$_parameters"
	unload
	# parameters are words
	# shellcheck disable=SC2086
	if ! insmod "$module" ${scale:+time_scale=$scale} $_parameters 2>/dev/null; then
		case $_parameters in
		" simd=avx"* | " simd=sse"* | " simd=neon")
			number=$((number + 1))
			echo "ok $number $_name # SKIP this machine has no such executor"
			;;
		*)
			result 1 "$_name"
			;;
		esac
		return
	fi
	sleep 0.1
	_program=$1
	shift
	"$here/$_program" "$@" >"$tmp/log" 2>&1
	_status=$?
	if [ $_status -eq 4 ]; then
		number=$((number + 1))
		echo "ok $number $_name # SKIP" \
			"$(sed -n 's/.*# SKIP //p' "$tmp/log" | head -n 1)"
		return
	fi
	[ $_status -eq 0 ] || sed 's/^/# /' "$tmp/log"
	result $_status "$_name"
}

# count PARAMETER WANT: so many devices
count()
{
	unload
	insmod "$module" "$1"
	[ "$(find $driver/ -name 'vshader.*' | wc -l)" -eq "$2" ]
	result $? "$1 gives $2"
}

driver=/sys/bus/platform/drivers/vshader
# that of the machine
scale=$(cat /sys/module/vshader/parameters/time_scale 2>/dev/null)
[ -n "$module" ] && [ -e "$module" ] || skip_all "VSHADER_MODULE does not name the module"
[ "$(id -u)" = 0 ] || skip_all "only root can load modules"
if [ -d /sys/module/vshader ] && ! unload; then
	skip_all "the module is in use"
fi

echo "TAP version 13"
echo "1..29"
with devices=3 threads=1 -- test_unplug several_devices
with threads=2 -- test_fault spinning_does_not_block_others
with threads=16 slice_us=5 -- test_submit many_invocations
with threads=1 slice_us=1000 -- test_submit many_invocations
with simd=portable -- test_submit
with simd=sse2 -- test_submit
with simd=avx2 -- test_submit
with simd=avx512 -- test_submit
with simd=neon -- test_submit
# the device keeps the state of a job with a fault, for GET_HANG_STATE
with personality=vc4 -- test_vc4 fault
unload
result $? "removal with a hang state of vc4"
count devices=0 1
count devices=5 5
count devices=99 16
unload
! insmod "$module" simd=mmx 2>/dev/null
result $? "refuses simd=mmx"
for word in panfrost panfrost:t999 nouveau:nv50; do
	! insmod "$module" devices=2 personality=vshader,$word 2>/dev/null
	result $? "refuses personality=vshader,$word"
done

# a file that is open keeps the module
unload
insmod "$module"
sleep 0.1
node=
for path in $driver/vshader.0/drm/renderD*; do
	node=/dev/dri/${path##*/}
done
exec 3<>"$node"
rmmod vshader 2>/dev/null
[ -d /sys/module/vshader ]
result $? "an open file keeps the module"
exec 3>&-
unload
result $? "removal after the last file"
insmod "$module" && [ -d /sys/module/vshader ]
result $? "loads again"

# leftover KIND: the module stays as long as something needs it, however its devices have gone; once
# it is gone, the kernel calls nothing of it when it wants memory
leftover()
{
	unload
	insmod "$module" devices=4 personality=vshader,vshader,panfrost:t860,panfrost:g52
	sleep 0.2
	if [ ! -x "$here/vshader_leave" ]; then
		number=$((number + 1))
		echo "ok $number leftover: $1 # SKIP not built"
		return
	fi
	rm -f "$tmp/leave"
	"$here/vshader_leave" "$1" >"$tmp/leave" 2>&1 &
	holder=$!
	_tries=0
	while ! grep -q ready "$tmp/leave" && [ $_tries -lt 600 ]; do
		_tries=$((_tries + 1))
		sleep 0.1
	done
	for _device in "$driver"/vshader.*; do
		[ "$1" = named ] || echo "${_device##*/}" >"$driver/unbind"
	done
	echo 2 >/proc/sys/vm/drop_caches
	_status=0
	if ! grep -q ready "$tmp/leave"; then
		sed 's/^/# /' "$tmp/leave"
		_status=1
	elif [ "$1" != named ] && [ "$1" != record ]; then
		rmmod vshader 2>/dev/null && _status=1
	fi
	kill $holder 2>/dev/null
	wait $holder 2>/dev/null
	unload || _status=1
	for _tries in 1 2 3; do
		echo 2 >/proc/sys/vm/drop_caches
		sleep 0.5
	done
	result $_status "leftover: $1"
}

for kind in file unneeded dmabuf mapping fence debugger record named; do
	leftover $kind
done
insmod "$module"
exit $failed
