#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Prints the kernel sources that this machine has, of which only tools/testing/kunit and the runner
# of tools/testing/selftests need be there: what scripts/source-kernel has unpacked, and if 6.1 is
# not among it, Debian's linux-source-6.1, unpacked into the cache once. Status 1: there is none.
#
#   VSHADER_CACHE=FOLDER linux.sh

tarball=/usr/src/linux-source-6.1.tar.xz
to=${VSHADER_CACHE:?}/foreign-linux-6.1

unpack_once()
{
	[ ! -e "$to/tools" ] || return 0
	rm -rf "$to.new"
	mkdir -p "$to.new"
	tar -xJf "$tarball" -C "$to.new" --strip-components=1 --wildcards '*/tools/testing/kunit' \
		'*/tools/testing/selftests/kselftest' '*/tools/testing/selftests/run_kselftest.sh' &&
		mv "$to.new" "$to"
}

found=1
for folder in "$VSHADER_CACHE"/linux-source-*/; do
	[ -e "$folder/tools/testing/kunit/kunit.py" ] || continue
	case $folder in
	# not all of it yet
	*.tmp/) continue ;;
	*/linux-source-6.1.*) tarball= ;;
	esac
	echo "${folder%/}"
	found=0
done
if [ -e "$tarball" ]; then
	mkdir -p "$VSHADER_CACHE"
	(
		flock 9
		unpack_once
	) 9>"$VSHADER_CACHE/.lock-foreign-linux" && echo "$to" && found=0
fi
exit $found
