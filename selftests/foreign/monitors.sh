#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Prints a folder with Debian 13's nvtop and gputop and the libraries that they need, which it
# downloads into the cache once: Debian 12's know no panfrost. Status 1: this machine cannot have them;
# a message says why.
#
#   TOP=CHECKOUT VSHADER_CACHE=FOLDER monitors.sh

. "${TOP:?}/scripts/lib.sh"
to=${VSHADER_CACHE:?}/foreign-monitors-trixie

download()
{
	cd "$to.apt/cache/archives" && apt_own download nvtop intel-gpu-tools libdrm2 libc6 libsystemd0 \
		libcap2 libncursesw6 libtinfo6
}

unpack()
{
	rm -rf "$to.new"
	mkdir -p "$to.new"
	for deb in "$to.apt"/cache/archives/*.deb; do
		dpkg-deb -x "$deb" "$to.new" || return
		dpkg-deb -f "$deb" Package Version | paste -s -d ' ' >>"$to.new/versions"
	done
	rm -rf "$to.apt"
	mv "$to.new" "$to"
}

get_once()
{
	[ ! -e "$to/versions" ] || return 0
	with_apt "$to.apt" amd64 trixie deb download >"$to.log" 2>&1 && unpack >>"$to.log" 2>&1
}

for tool in dpkg-deb apt-get; do
	command -v $tool >/dev/null || {
		echo "no $tool" >&2
		exit 1
	}
done
with_lock foreign-monitors get_once || {
	echo "cannot get them: $(tail -n 1 "$to.log")" >&2
	exit 1
}
cache_used foreign-monitors-trixie
echo "$to"
