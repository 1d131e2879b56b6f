#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# "make modules_install" with the headers of Debian, which have no System.map: a module of one file in
# place of ours is installed below a stage and, in a mount namespace, in /lib/modules, and modprobe
# finds it.
#
#   sh test_modules_install.sh TOP

top=$1
. "$(dirname "$0")/result.sh"
PATH=$PATH:/usr/sbin:/sbin

kdir=$("$top/scripts/kernel" headers 6.1 2>/dev/null) || {
	echo "TAP version 13"
	echo "1..0 # SKIP no headers of a kernel"
	exit 0
}
release=$(sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' "$kdir/include/generated/utsrelease.h")
lib=lib/modules/$release

# ---- outside: a namespace in which /lib/modules is empty, or none ----
if [ -z "${INSIDE:-}" ]; then
	work=$(mktemp -d) || exit 1
	trap 'rm -rf "$work"' EXIT
	mkdir -p "$work/source/kernel" "$work/upper" "$work/overlay"
	printf '#include <linux/module.h>\nMODULE_LICENSE("GPL");\n' >"$work/source/kernel/core.c"
	printf 'obj-m := vshader.o\nvshader-y := kernel/core.o\n' >"$work/source/Kbuild"
	export work
	# shellcheck disable=SC2016
	set -- sh -c 'mount -t tmpfs none "$work/overlay" && mkdir "$work/overlay/up" "$work/overlay/work" &&
		if [ -d /lib/modules ]; then
			mount -t tmpfs none /lib/modules
		else
			mount -t overlay -o "lowerdir=/usr/lib,upperdir=$work/overlay/up,workdir=$work/overlay/work" \
				overlay /usr/lib
		fi && mkdir -p "/lib/modules/$0" && exec "$@"' "$release"
	flags=--mount
	[ "$(id -u)" = 0 ] || flags="--mount --map-root-user"
	# shellcheck disable=SC2086
	if unshare $flags "$@" true 2>/dev/null; then
		INSIDE=yes unshare $flags "$@" sh "$0" "$top"
	else
		INSIDE=no sh "$0" "$top"
	fi
	exit $?
fi

# install VARIABLE=VALUE...: the target, for the module of one file
install()
{
	make --no-print-directory -C "$top" modules_install KDIR="$kdir" VSHADER_BUILD="$work/build" "$@" \
		>"$work/out" 2>&1
}

# explained STATUS TEXT: the result, with the output if it is bad.
explained()
{
	[ "$1" = 0 ] || sed 's/^/# /' "$work/out"
	result "$1" "$2"
}

unset DESTDIR INSTALL_MOD_PATH DEPMOD
# what is tested is make itself
unset MAKEFLAGS MFLAGS MAKEOVERRIDES
export VSHADER_SRC="$work/source"
echo "TAP version 13"

install DESTDIR="$work/a"
explained $? "modules_install with DESTDIR"
[ -s "$work/a/$lib/extra/vshader.ko" ]
explained $? "the module is below it"
[ "$INSIDE" = no ] || [ -z "$(ls -A "/$lib")" ]
explained $? "and not in /lib/modules"
modprobe -d "$work/a" -S "$release" -n -v vshader >>"$work/out" 2>&1
explained $? "modprobe finds it there"
! grep -q 'Skipping depmod' "$work/out"
explained $? "no word of an index that is missing"

install INSTALL_MOD_PATH="$work/b" INSTALL_MOD_DIR=updates
[ -s "$work/b/$lib/updates/vshader.ko" ] && modprobe -d "$work/b" -S "$release" -n vshader >>"$work/out" 2>&1
explained $? "modules_install with INSTALL_MOD_PATH"
install DESTDIR="$work/c" INSTALL_MOD_PATH=/usr
[ -s "$work/c/usr/$lib/extra/vshader.ko" ]
explained $? "with both: DESTDIR comes first"
install KDIR="$(realpath -s --relative-to="$top" "$kdir")" DESTDIR="$(realpath --relative-to="$top" "$work/r")" \
	VSHADER_BUILD="$(realpath --relative-to="$top" "$work/build")"
[ -s "$work/r/$lib/extra/vshader.ko" ]
explained $? "relative folders"
DESTDIR=$work/d install
[ -s "$work/d/$lib/extra/vshader.ko" ]
explained $? "DESTDIR from the environment"

install DESTDIR="$work/e" DEPMOD=no-such-depmod
code=$?
[ $code = 0 ] && grep -q "run depmod -b $work/e $release\$" "$work/out"
explained $? "without depmod, the command to run is named"
install DESTDIR="$work/e" DEPMOD=false
code=$?
[ $code != 0 ] && grep -q "run depmod -b $work/e $release\$" "$work/out"
explained $? "depmod fails: status $code, and the command"
install DESTDIR="$work/e" DEPMOD=true
code=$?
[ $code = 0 ] && grep -q "run depmod -b $work/e $release\$" "$work/out"
explained $? "DEPMOD=true: none, for packages"
install KDIR="$work/source"
code=$?
[ $code = 2 ] && grep -q "KDIR: no folder where a kernel was built: $work/source" "$work/out"
explained $? "a KDIR without a kernel"

# the compiler saw another folder
VSHADER_BUILD=$work/build "$top/scripts/build-module" 6.1 >"$work/folder" 2>"$work/out" &&
	make --no-print-directory -C "$kdir" M="$(cat "$work/folder")" INSTALL_MOD_PATH="$work/f" \
		modules_install >>"$work/out" 2>&1
[ -s "$work/f/$lib/extra/vshader.ko" ]
explained $? "kbuild's own modules_install for the folder of \"make module\""

if [ "$INSIDE" = yes ]; then
	install
	explained $? "modules_install"
	[ "$(modinfo -k "$release" -n vshader 2>&1)" = "/$lib/extra/vshader.ko" ]
	explained $? "modinfo finds the module in /lib/modules"
	modprobe -n -S "$release" vshader >>"$work/out" 2>&1
	explained $? "modprobe, too"
else
	result 0 "modules_install # SKIP no mount namespace"
fi
echo "1..$n"
exit $status
