#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# dkms.conf of the package vshader-dkms with the machine's dkms, or that of DKMS=FILE, and those of Debian
# 13 and sid, in folders of its own: a kernel that cannot have the module is skipped, with a word and
# status 0. The kernels are made up: a configuration, and a makefile in place of kbuild.

. "$(dirname "$0")/foreign.sh"

dkms=${DKMS:-$(PATH=$PATH:/usr/sbin command -v dkms)}
as_root=
[ "$(id -u)" = 0 ] || as_root="unshare --map-root-user"
if ! $as_root true 2>/dev/null; then
	skip "dkms" "no root rights"
	finish
fi

version=1.2.3
needs="CONFIG_DRM CONFIG_DRM_SCHED CONFIG_DRM_GEM_SHMEM_HELPER CONFIG_SYNC_FILE"
all=$(for option in $needs; do echo "$option=m"; done)

# kernel RELEASE OPTION...: its configuration, and a build that leaves a module
kernel()
{
	mkdir -p "$at/$1/include"
	# shellcheck disable=SC2016
	printf 'all:\n\t%s -c -x c -o $(M)/vshader.ko /dev/null\nclean:\n' "${CC:-cc}" >"$at/$1/Makefile"
	_config=$at/$1/.config
	shift
	printf '%s\n' "$@" >"$_config"
}

# runs ACTION RELEASE [WORD...]: its status is $status_of, its output in $at/out
runs()
{
	_action=$1
	_release=$2
	shift 2
	# shellcheck disable=SC2086
	env -u MAKEFLAGS -u MFLAGS TMPDIR="$at" $as_root "$dkms" "$_action" "$@" -k "$_release" -a x86_64 \
		--kernelsourcedir "$at/$_release" --dkmstree "$at/tree" --sourcetree "$at/source" \
		--installtree "$at/install" >"$at/out" 2>&1 </dev/null
	status_of=$?
}

# skipped RELEASE TEXT: autoinstall, as the installation of a kernel has it, and an explicit build
skipped()
{
	runs autoinstall "$1"
	[ $status_of = 0 ] && grep -q "skipped for .*" "$at/out" && grep -q vshader "$at/out"
	shows $? "$at/out"
	result $? "$who: autoinstall skips $2 (status $status_of)"
	runs build "$1" "vshader/$version"
	[ $status_of = 77 ] && grep -q BUILD_EXCLUSIVE "$at/out"
	shows $? "$at/out"
	result $? "$who: build says why: $2 (status $status_of)"
}

# tests DKMS FOLDER: in a folder of its own
tests()
{
	dkms=$1
	who="dkms $($as_root "$dkms" --version | sed 's/^dkms-//')"
	at=$work/$2
	source=$at/source/vshader-$version
	mkdir -p "$at/tree" "$source/kernel" "$at/install"
	sed "s/#MODULE_VERSION#/$version/" "$TOP/debian/vshader-dkms.dkms" >"$source/dkms.conf"
	echo "obj-m := vshader.o" >"$source/Kbuild"
	echo "$version" >"$source/VERSION"

	# shellcheck disable=SC2086
	kernel 6.1.0-57-amd64 $all
	kernel 6.1.0-57-cloud-amd64 "# CONFIG_DRM is not set" CONFIG_SYNC_FILE=y
	kernel 7.2.13+deb14-cloud-amd64 "# CONFIG_DRM is not set" CONFIG_SYNC_FILE=y
	# shellcheck disable=SC2086
	kernel 5.10.0-30-amd64 $all

	runs add 6.1.0-57-amd64 "vshader/$version"
	shows $status_of "$at/out"
	result $? "$who: add"
	skipped 6.1.0-57-cloud-amd64 "a kernel for clouds"
	runs build 6.1.0-57-amd64 "vshader/$version"
	shows $status_of "$at/out"
	result $? "$who: build for a kernel with DRM"
	# with a build for another kernel, there are two lines of status
	skipped 7.2.13+deb14-cloud-amd64 "one when the module is built for another kernel"
	skipped 5.10.0-30-amd64 "an older kernel"
	for option in $needs; do
		# shellcheck disable=SC2046
		kernel 6.12.1-partly $(echo "$all" | grep -v "^$option=")
		skipped 6.12.1-partly "a kernel without $option"
	done
	# a kernel that can have it is not skipped: it gets as far as the folder of its modules, which is missing
	# shellcheck disable=SC2086
	kernel 6.12.2-amd64 $all
	runs autoinstall 6.12.2-amd64
	[ $status_of != 0 ] && grep -q "directory $at/install/6.12.2-amd64 doesn't exist" "$at/out"
	shows $? "$at/out"
	result $? "$who: autoinstall for a kernel with DRM (status $status_of)"
	[ -e "$at/tree/vshader/$version/6.12.2-amd64/x86_64/module/vshader.ko" ]
	result $? "$who: has built it"
}

if [ "$dkms" ]; then
	tests "$dkms" own
else
	skip "dkms of the machine" "no dkms, see scripts/deps foreign-all"
fi
for suite in trixie sid; do
	if [ "${QUICK:-}${DKMS:-}" ]; then
		skip "dkms of $suite" "a package of another release, in make check-all"
	elif root=$(sh "$(dirname "$0")/packages.sh" --alone $suite amd64 dkms 2>"$work/said"); then
		tests "$root/usr/sbin/dkms" $suite
	else
		skip "dkms of $suite" "$(tail -n 1 "$work/said")"
	fi
done
finish
