#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs installed tests, each with a time limit, and prints the results of all as one stream of TAP.
# Needs a POSIX shell, awk and timeout(1): busybox is enough.

here=$(cd "$(dirname "$0")" && pwd)
. "$here/stream.sh"
list=$here/kselftest-list.txt

usage()
{
	cat <<-END
	usage: run_kselftest.sh [-l] [-t NAME]... [-x NAME]...
	  -l        list the tests
	  -t NAME   run this test (may be repeated; default: all)
	  -x NAME   leave this test out
	Environment: KSFT_TIMEOUT seconds per program (default: settings, times
	KSFT_TIMEOUT_SCALE, which also stretches the tests' own limits and is 4 in
	the guests of scripts/vm and scripts/uml).
	Prints TAP when all have ended; stderr tells which one runs and what failed.
	Exit status: 0 all passed or skipped, 1 failures.
	END
}

wanted=
left_out=
while [ $# -gt 0 ]; do
	case $1 in
	-l)
		cat "$list"
		exit 0
		;;
	-t | -x)
		[ $# -ge 2 ] || { usage >&2; exit 2; }
		if [ "$1" = -t ]; then
			wanted="$wanted ${2#*:}"
		else
			left_out="$left_out ${2#*:}"
		fi
		shift
		;;
	-h | --help)
		usage
		exit 0
		;;
	*)
		usage >&2
		exit 2
		;;
	esac
	shift
done
[ -n "$wanted" ] || wanted=$(cut -d: -f2 "$list")

if [ -z "$KSFT_TIMEOUT_SCALE" ]; then
	KSFT_TIMEOUT_SCALE=1
	[ -z "${VSHADER_GUEST:-}" ] || KSFT_TIMEOUT_SCALE=4
fi
export KSFT_TIMEOUT_SCALE
limit=$(sed -n 's/^timeout=//p' "$here/settings" 2>/dev/null)
limit=${KSFT_TIMEOUT:-$((${limit:-120} * KSFT_TIMEOUT_SCALE))}

# The tests of fences and sharing use vgem if they can have it.
modprobe vgem 2>/dev/null

cd "$here" || exit 1
# Events that record the names of processes patch the scheduler, whose code runs at that time: QEMU 7.2
# without KVM and with two processors was seen to execute a breakpoint that was there no more, for ever.
for names in /sys/kernel/tracing/options/record-cmd /sys/kernel/debug/tracing/options/record-cmd; do
	[ ! -w "$names" ] || echo 0 >"$names"
done
stream_begin
for name in $wanted; do
	case " $left_out " in
	*" $name "*) ;;
	*)
		if [ -x "./$name" ]; then
			stream_run "$name" "$limit" "./$name"
		else
			printf '1..1\nnot ok 1 no such test\n' | stream_add "$name" 1 /dev/stdin
		fi
		;;
	esac
done
stream_end
