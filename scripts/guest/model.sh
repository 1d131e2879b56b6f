#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck shell=dash
#
# In a guest with a register model: what it has found, what the driver did, and failures.
#
#   vshader-model [--gpu NAME] findings | log [LINES] | inject FAILURE [COUNT]
#
# Under QEMU this is the control page of the GPU, the first one by default; under
# User-Mode-Linux files in debugfs.

files=/sys/kernel/debug/vshader-model

usage()
{
	echo "usage: vshader-model [--gpu NAME] findings|log [LINES]|inject FAILURE [COUNT]" >&2
	exit 2
}

# Sets page, the address of the control page.
find_page()
{
	for _node in /proc/device-tree/vshader-model@*; do
		[ -e "$_node" ] || break
		[ -z "$gpu" ] || [ "$(tr -d '\0' <"$_node/vshader,model")" = "$gpu" ] || continue
		page=$((0x${_node##*@}))
		return
	done
	echo "vshader-model: there is no register model ${gpu:-here}" >&2
	exit 1
}

reg()
{
	devmem $((page + $1)) 32 ${2:+"$2"}
}

# Four bytes a word. Processes are slow in an emulated machine: one a word.
show_text()
{
	reg 8 "$1"
	while :; do
		_word=$(($(reg 12)))
		[ $_word -ne 0 ] || return 0
		_text=
		while [ $_word -ne 0 ]; do
			_byte=$((_word & 255))
			_text=$_text\\$((_byte >> 6))$((_byte >> 3 & 7))$((_byte & 7))
			_word=$((_word >> 8))
		done
		# shellcheck disable=SC2059
		printf "$_text"
	done
}

inject()
{
	_text=$*
	while [ "$_text" ]; do
		_rest=${_text#?}
		reg 16 "$(printf %d "'${_text%"$_rest"}")"
		_text=$_rest
	done
	reg 20 1
	[ $(($(reg 20))) -eq 0 ] || {
		echo "vshader-model: there is no failure \"$*\"" >&2
		return 1
	}
}

gpu=
if [ "${1:-}" = --gpu ]; then
	gpu=${2:-}
	shift 2 || usage
fi
what=${1:-}
[ $# -ge 1 ] && shift
case $what in
findings)
	if [ -e $files ]; then
		cat $files/findings
		exit
	fi
	find_page
	show_text 0
	;;
log)
	if [ -e $files ]; then
		tail -n "${1:-20}" $files/log
		exit
	fi
	find_page
	show_text "${1:-20}"
	;;
inject)
	[ $# -ge 1 ] || usage
	if [ -e $files ]; then
		echo "$*" >$files/inject
		exit
	fi
	find_page
	inject "$@"
	;;
*)
	usage
	;;
esac
