#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# A test that cmocka skips is a failure for the reader of cmocka's own TAP.
#
# Version:  libcmocka0 1.1.5-2.1 and perl 5.36.0-7+deb12u3 of Debian bookworm
# Guess:    A test that calls skip() is "ok 2 - name # SKIP" in TAP, and prove ends with 0, as the
#           program does. Its four forms of output (text, XML, subunit, TAP) say the same thing.
# Really:   TAP has "not ok 2 # SKIP skipped": the number is there, the name stands where the
#           reason belongs, and the word is that of a failure. prove counts it as one, with status
#           1, and says in the same breath that a subtest was skipped. XML and the program's own
#           status call the same run good. (cmocka 1.1.7 of trixie writes "ok 2 # SKIP skipped".)
# Seen:     not ok 2 # SKIP skipped / program 0, prove 1

set -u
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2

apt-get -qq -o APT::Sandbox::User=root download libcmocka0=1.1.5-2.1 libcmocka-dev=1.1.5-2.1 \
	perl=5.36.0-7+deb12u3 perl-modules-5.36=5.36.0-7+deb12u3 >&2 || {
	echo "cmocka 1.1.5-2.1 or perl 5.36.0-7+deb12u3 cannot be had: the archive has it no" \
		"longer, or apt-get update" >&2
	exit 2
}
for package in *.deb; do
	dpkg-deb -x "$package" . || exit 2
done

cat >skips.c <<EOF
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void passes(void **state)
{
	(void)state;
	assert_int_equal(1, 1);
}

static void skipped(void **state)
{
	(void)state;
	skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(passes), cmocka_unit_test(skipped) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
EOF
lib=$(echo usr/lib/*/libcmocka.so.0)
lib=${lib%/*}
gcc -Iusr/include skips.c -o skips -L"$lib" -lcmocka || exit 2
export LD_LIBRARY_PATH="$dir/$lib" CMOCKA_MESSAGE_OUTPUT=TAP

./skips >skips.tap 2>skips.err
program=$?
perl -Iusr/share/perl/5.36.0 usr/bin/prove -e '' ./skips >prove.out 2>&1
prove=$?
CMOCKA_MESSAGE_OUTPUT=XML ./skips >skips.xml 2>/dev/null
cat skips.tap prove.out skips.xml
echo "program $program, prove $prove"
grep -qx 'not ok 2 # SKIP skipped' skips.tap && grep -q 'less 1 skipped subtest' prove.out &&
	grep -q 'failures="0" errors="0" skipped="1"' skips.xml && [ $program = 0 ] && [ $prove = 1 ]
