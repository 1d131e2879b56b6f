#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# dkms.conf of the package vshader-dkms with the machine's dkms, or that of DKMS=FILE, in folders of its
# own: a kernel that cannot have the module is skipped, with a word and status 0. The kernels are made
# up: a configuration, and a makefile in place of kbuild.

. "$(dirname "$0")/foreign.sh"

dkms=${DKMS:-$(PATH=$PATH:/usr/sbin command -v dkms)}
if [ -z "$dkms" ]; then
	skip "dkms" "no dkms, see scripts/deps foreign-all"
	finish
fi
as_root=
[ "$(id -u)" = 0 ] || as_root="unshare --map-root-user"
if ! $as_root true 2>/dev/null; then
	skip "dkms" "no root rights"
	finish
fi

version=1.2.3
source=$work/source/vshader-$version
mkdir -p "$work/tree" "$source/kernel" "$work/install"
sed "s/#MODULE_VERSION#/$version/" "$TOP/debian/vshader-dkms.dkms" >"$source/dkms.conf"
echo "obj-m := vshader.o" >"$source/Kbuild"
echo "$version" >"$source/VERSION"

# kernel RELEASE OPTION...: its configuration, and a build that leaves a module
kernel()
{
	mkdir -p "$work/$1/include"
	# shellcheck disable=SC2016
	printf 'all:\n\t%s -c -x c -o $(M)/vshader.ko /dev/null\nclean:\n' "${CC:-cc}" >"$work/$1/Makefile"
	_config=$work/$1/.config
	shift
	printf '%s\n' "$@" >"$_config"
}

# runs ACTION RELEASE [WORD...]: its status is $status_of, its output in $work/out
runs()
{
	_action=$1
	_release=$2
	shift 2
	# shellcheck disable=SC2086
	env -u MAKEFLAGS -u MFLAGS TMPDIR="$work" $as_root "$dkms" "$_action" "$@" -k "$_release" -a x86_64 \
		--kernelsourcedir "$work/$_release" --dkmstree "$work/tree" --sourcetree "$work/source" \
		--installtree "$work/install" >"$work/out" 2>&1 </dev/null
	status_of=$?
}

# skipped RELEASE TEXT: autoinstall, as the installation of a kernel has it, and an explicit build
skipped()
{
	runs autoinstall "$1"
	[ $status_of = 0 ] && grep -q "skipped for .*" "$work/out" && grep -q vshader "$work/out"
	shows $? "$work/out"
	result $? "autoinstall skips $2 (status $status_of)"
	runs build "$1" "vshader/$version"
	[ $status_of = 77 ] && grep -q BUILD_EXCLUSIVE "$work/out"
	shows $? "$work/out"
	result $? "build says why: $2 (status $status_of)"
}

$as_root "$dkms" --version | sed 's/^/# /'
needs="CONFIG_DRM CONFIG_DRM_SCHED CONFIG_DRM_GEM_SHMEM_HELPER CONFIG_SYNC_FILE"
all=$(for option in $needs; do echo "$option=m"; done)
# shellcheck disable=SC2086
kernel 6.1.0-57-amd64 $all
kernel 6.1.0-57-cloud-amd64 "# CONFIG_DRM is not set" CONFIG_SYNC_FILE=y
kernel 7.2.13+deb14-cloud-amd64 "# CONFIG_DRM is not set" CONFIG_SYNC_FILE=y
# shellcheck disable=SC2086
kernel 5.10.0-30-amd64 $all

runs add 6.1.0-57-amd64 "vshader/$version"
shows $status_of "$work/out"
result $? "add"
skipped 6.1.0-57-cloud-amd64 "a kernel for clouds"
runs build 6.1.0-57-amd64 "vshader/$version"
shows $status_of "$work/out"
result $? "build for a kernel with DRM"
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
[ $status_of != 0 ] && grep -q "directory $work/install/6.12.2-amd64 doesn't exist" "$work/out"
shows $? "$work/out"
result $? "autoinstall for a kernel with DRM (status $status_of)"
[ -e "$work/tree/vshader/$version/6.12.2-amd64/x86_64/module/vshader.ko" ]
result $? "has built it"
finish
