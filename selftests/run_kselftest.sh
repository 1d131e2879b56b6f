#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs installed tests, each with a time limit, one TAP stream per program.
# Needs a POSIX shell and timeout(1) only: busybox is enough.

here=$(cd "$(dirname "$0")" && pwd)
list=$here/kselftest-list.txt

usage()
{
	cat <<-END
	usage: run_kselftest.sh [-l] [-t NAME]... [-x NAME]...
	  -l        list the tests
	  -t NAME   run this test (may be repeated; default: all)
	  -x NAME   leave this test out
	Environment: KSFT_TIMEOUT seconds per program (default: settings, times
	KSFT_TIMEOUT_SCALE, which also stretches the tests' own limits and is 4 on
	an emulated machine).
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
	[ "$VSHADER_GUEST" != vm ] || KSFT_TIMEOUT_SCALE=4
fi
export KSFT_TIMEOUT_SCALE
limit=$(sed -n 's/^timeout=//p' "$here/settings" 2>/dev/null)
limit=${KSFT_TIMEOUT:-$((${limit:-120} * KSFT_TIMEOUT_SCALE))}

# The tests of fences and sharing use vgem if they can have it.
modprobe vgem 2>/dev/null

passed=0
failed=0
skipped=0
cd "$here" || exit 1
for name in $wanted; do
	case " $left_out " in
	*" $name "*) continue ;;
	esac
	echo "# selftests: vshader: $name"
	if [ ! -x "./$name" ]; then
		echo "not ok - $name: no such test"
		failed=$((failed + 1))
		continue
	fi
	timeout -k 10 "$limit" "./$name"
	status=$?
	case $status in
	0)
		passed=$((passed + 1))
		;;
	4)
		skipped=$((skipped + 1))
		;;
	1)
		failed=$((failed + 1))
		;;
	124 | 137 | 143)
		# the program did not come to print all of its results
		echo "not ok - $name: out of time after $limit s"
		failed=$((failed + 1))
		;;
	*)
		echo "not ok - $name: ended with status $status"
		failed=$((failed + 1))
		;;
	esac
done
echo "# vshader: programs: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
