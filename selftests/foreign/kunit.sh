#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Prints the kunit.py of each kernel source that this machine has: what scripts/source-kernel has
# unpacked, and if 6.1 is not among it, that of Debian's linux-source-6.1, unpacked into the cache once.
# Status 1: there is none.
#
#   VSHADER_CACHE=FOLDER kunit.sh

tarball=/usr/src/linux-source-6.1.tar.xz
found=1

unpack_once()
{
	[ ! -e "$to/tools/testing/kunit/kunit.py" ] || return 0
	rm -rf "$to.new"
	mkdir -p "$to.new"
	tar -xJf "$tarball" -C "$to.new" --strip-components=1 --wildcards '*/tools/testing/kunit' &&
		mv "$to.new" "$to"
}

for file in "${VSHADER_CACHE:?}"/linux-source-*/tools/testing/kunit/kunit.py; do
	[ ! -e "$file" ] || { echo "$file" && found=0; }
done
if [ -e "$tarball" ] && [ ! -e "$(echo "$VSHADER_CACHE"/linux-source-6.1.*/Kbuild | cut -d' ' -f1)" ]; then
	to=${VSHADER_CACHE:?}/foreign-kunit-$(stat -L -c '%s-%Y' "$tarball")
	mkdir -p "$VSHADER_CACHE"
	(
		flock 9
		unpack_once
	) 9>"$VSHADER_CACHE/.lock-foreign-kunit" && echo "$to/tools/testing/kunit/kunit.py" && found=0
fi
exit $found
