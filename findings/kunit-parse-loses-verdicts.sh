#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# The kernel's own reader of KTAP ends with 0 for a failed suite and with 1 for a skipped one.
#
# Version:  linux-source-6.1 6.1.176-1 of Debian bookworm, tools/testing/kunit/kunit.py parse
# Guess:    The status is 0 if nothing failed: 1 for a suite that is "not ok" (its exit function
#           may have failed after its tests passed), 0 where every test is skipped, as its text
#           has the word passed or skipped for each. A failure with "# TODO", which
#           KTAP's documentation lists, is an expected one.
# Really:   A suite's own "not ok" is printed as [FAILED] and counted nowhere: status 0 with
#           "passed: 2". One test that is skipped and nothing else gives status 1, "not ok # SKIP"
#           and "ok # SKIP" alike; with one that passes beside it the status is 0. "# TODO" is not
#           known: the failure counts. So a board that lacks the hardware for all tests of a run
#           turns red, and a leak that is found at a suite's end does not.
# Seen:     suite 0, all-skipped 1, some-skipped 0, todo 1

set -u
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2

apt-get -qq -o APT::Sandbox::User=root download linux-source-6.1=6.1.176-1 >&2 || {
	echo "linux-source-6.1 6.1.176-1 cannot be had: the archive has it no longer, or" \
		"apt-get update" >&2
	exit 2
}
dpkg-deb --fsys-tarfile linux-source-6.1_*.deb | tar xO ./usr/src/linux-source-6.1.tar.xz |
	tar xJ --wildcards --strip-components=1 'linux-source-6.1/tools/testing/kunit/*.py' || exit 2

# verdict NAME LINE...: write KTAP, print the reader's words and its status
verdict()
{
	name=$1
	shift
	printf '%s\n' 'KTAP version 1' "$@" >"$name.ktap"
	python3 tools/testing/kunit/kunit.py parse "$name.ktap" >"$name.out" 2>&1
	seen="$seen$name $?, "
	cat "$name.ktap" "$name.out"
}

seen=
verdict suite 1..1 '  KTAP version 1' '  1..2' '  ok 1 one' '  ok 2 two' 'not ok 1 suite'
verdict all-skipped 1..2 'ok 1 one # SKIP no device' 'not ok 2 two # SKIP no device'
verdict some-skipped 1..2 'ok 1 one' 'ok 2 two # SKIP no device'
verdict todo 1..2 'ok 1 one' 'not ok 2 two # TODO later'
seen=${seen%, }
echo "$seen"
grep -q 'passed: 2' suite.out && grep -q 'FAILED.*suite' suite.out &&
	[ "$seen" = "suite 0, all-skipped 1, some-skipped 0, todo 1" ]
