#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Downloads packages of a release of Debian, with all that they depend on, into the cache, once, and
# prints the folder in which they are unpacked; its file "versions" has theirs. Status 1: this machine
# cannot have them; a message says why.
#
#   TOP=CHECKOUT VSHADER_CACHE=FOLDER packages.sh [--alone] SUITE ARCHITECTURE PACKAGE...
#
# --alone: without what they depend on

. "${TOP:?}/scripts/lib.sh"
alone=
if [ "$1" = --alone ]; then
	alone=yes
	shift
fi
suite=$1
arch=$2
shift 2
name=foreign-$1-$suite-$arch
to=${VSHADER_CACHE:?}/$name

unpack()
{
	rm -rf "$to.new"
	mkdir -p "$to.new"
	for _deb in "$to.apt"/cache/archives/*.deb; do
		dpkg-deb -x "$_deb" "$to.new" || return
	done
	for _package in $packages; do
		dpkg-deb -f "$to.apt/cache/archives/${_package}"_*.deb Package Version |
			paste -s -d ' ' >>"$to.new/versions"
	done
	echo "$packages" >"$to.new/.packages"
	for _link in lib lib64; do
		[ -e "$to.new/$_link" ] || [ ! -e "$to.new/usr/$_link" ] ||
			ln -s "usr/$_link" "$to.new/$_link"
	done
	rm -rf "$to.apt" "$to"
	mv "$to.new" "$to"
}

get_once()
{
	[ "$(cat "$to/.packages" 2>/dev/null)" != "$packages" ] || return 0
	if [ "$alone" ]; then
		get_packages "$to" "$arch" "$suite" "" "$packages" >&2
	else
		get_packages "$to" "$arch" "$suite" "$packages" >&2
	fi && unpack
}

for tool in dpkg-deb apt-get; do
	command -v $tool >/dev/null || {
		echo "no $tool" >&2
		exit 1
	}
done
packages=$*
with_lock "$name" get_once || {
	echo "cannot get $packages of $suite" >&2
	exit 1
}
cache_used "$name"
echo "$to"
