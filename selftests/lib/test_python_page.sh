#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The session that Documentation/python.rst shows, with what "make install" installs. TAP on stdout.
#
#   TOP=DIR PROJECT=DIR [KHDR=DIR] [CC=CC] sh test_python_page.sh

: "${TOP:?folder of the project}" "${PROJECT:?its build}"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
number=0
failed=0

check() # TEXT COMMAND...
{
	number=$((number + 1))
	text=$1
	shift
	if "$@" >"$tmp/out" 2>&1; then
		echo "ok $number $text"
	else
		sed 's/^/# /' "$tmp/out" | tail -n 40
		echo "not ok $number $text"
		failed=$((failed + 1))
	fi
}

page()
{
	cd "$TOP" && python3 -m doctest -o ELLIPSIS -o NORMALIZE_WHITESPACE Documentation/python.rst
}

echo "TAP version 13"
unset MAKEFLAGS MFLAGS MAKEOVERRIDES VSHADER VSHADER_LIBDIR
check "make install" make -C "$TOP/userspace" O="$PROJECT" ${KHDR:+KHDR="$KHDR"} ${CC:+CC="$CC"} \
	DESTDIR="$tmp/d" install
PYTHONPATH=$(echo "$tmp"/d/usr/local/lib/python3*/*-packages)
PATH=$tmp/d/usr/local/bin:$PATH
export PATH PYTHONPATH PYTHONDONTWRITEBYTECODE=1
check "the module is installed" python3 -c 'import os, sys, vshader
sys.exit(not vshader.__file__.startswith(os.environ["PYTHONPATH"]))'
check "the session of the page" page
check "make uninstall" make -C "$TOP/userspace" O="$PROJECT" DESTDIR="$tmp/d" uninstall
check "nothing remains of the module" sh -c '! find "$0" -path "*python3*" -type f | grep .' \
	"$tmp/d"
echo "1..$number"
[ $failed = 0 ]
