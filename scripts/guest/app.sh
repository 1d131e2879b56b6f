#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
#   app.sh ARGUMENT...  in a guest: scripts/desktop with these arguments after its first, on the
#                       module's device; results in /results
#
# The programs of the shared folder /mesa become the guest's. There is no Python to look at
# screenshots: one that is as the last one is complete, and the host tests what it shows.

if [ "${0##*/}" = settled ]; then
	for file; do
		:
	done
	cmp -s "$file" /tmp/settled.png
	same=$?
	cp "$file" /tmp/settled.png
	exit $same
fi
for dir in usr lib etc; do
	mkdir -p /$dir
	mount --bind /mesa/$dir /$dir || exit 1
done
mkdir /tmp/bin
cp "$0" /tmp/bin/settled
chmod +x /tmp/bin/settled
export ROOT="" RUN="" PICTURE=/tmp/bin/settled MESA_SHADER_CACHE_DISABLE=true
exec sh /stage/bin/desktop /results "$@"
