#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# scripts/kernel and scripts/lib.sh on small archives of Debian packages that are made here, with
# an apt configuration of their own: whatever state the archive is in, the release chosen or the
# message. TAP on stdout. No network, no root rights.
#
#   sh test_archive.sh TOP

top=$(cd "$1" && pwd -P) || exit 2
echo "TAP version 13"
for tool in apt-get apt-cache apt-config dpkg-deb; do
	command -v $tool >/dev/null 2>&1 || {
		echo "1..0 # SKIP no $tool"
		exit 4
	}
done
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
number=0
failed=0
cases=0
unset VSHADER_BUILD VSHADER_CACHE
export LC_ALL=C

# ---- packages ----

# The files of a package, by its name.
contents()
{
	case $2 in
	linux-headers-*-common)
		mkdir -p "$1/usr/src/$2/include/uapi/drm"
		;;
	linux-headers-*)
		mkdir -p "$1/usr/src/$2"
		_common=${2%-*}-common
		echo "include /usr/src/$_common/Makefile" >"$1/usr/src/$2/Makefile"
		: >"$1/usr/src/$2/Module.symvers"
		;;
	linux-image-*-unsigned) ;;
	linux-image-*)
		mkdir -p "$1/boot" "$1/lib/modules/${2#linux-image-}/kernel"
		echo "$3" >"$1/boot/vmlinuz-${2#linux-image-}"
		: >"$1/lib/modules/${2#linux-image-}/modules.order"
		: >"$1/lib/modules/${2#linux-image-}/modules.builtin"
		;;
	*)
		mkdir -p "$1/usr/bin"
		echo "$3" >"$1/usr/bin/$2"
		;;
	esac
}

# deb NAME VERSION ARCHITECTURE [FIELD...]: make the package once, add it to the next archive. The
# entry of the index is written here: that takes no package that the tests do not need otherwise.
deb()
{
	_deb=$1_$2_$3.deb
	_fields=$(shift 3 && printf '%s\n' "$@" | cksum | cut -d ' ' -f 1)
	_made=$tmp/made/$_fields
	if [ ! -e "$_made/$_deb.entry" ]; then
		_tree=$tmp/tree
		rm -rf "$_tree"
		mkdir -p "$_tree/DEBIAN" "$_made"
		contents "$_tree" "$1" "$2"
		{
			printf 'Package: %s\nVersion: %s\nArchitecture: %s\n' "$1" "$2" "$3"
			echo "Maintainer: nobody <nobody@example.org>"
			shift 3
			[ $# -eq 0 ] || printf '%s\n' "$@"
			echo "Description: made up"
		} >"$_tree/DEBIAN/control"
		dpkg-deb -Znone --root-owner-group -b "$_tree" "$_made/$_deb" >/dev/null || exit 2
		{
			cat "$_tree/DEBIAN/control"
			echo "Filename: pool/$_deb"
			echo "Size: $(wc -c <"$_made/$_deb")"
			echo "SHA256: $(sha256sum <"$_made/$_deb" | cut -d ' ' -f 1)"
			echo
		} >"$_made/$_deb.entry"
	fi
	debs="$debs $_made/$_deb"
}

headers()
{
	deb "linux-headers-$1-$3" "$2" "$3" \
		"Depends: linux-headers-$1-common (= $2), linux-kbuild-6.1 (>= $2), gcc-12"
	deb "linux-headers-$1-common" "$2" all
}

image()
{
	deb "linux-image-$1-$3" "$2" "$3"
}

kbuild()
{
	deb linux-kbuild-6.1 "$1" amd64
}

# whole RELEASE VERSION: all of a release for amd64, but kbuild
whole()
{
	headers "$1" "$2" amd64
	image "$1" "$2" amd64
}

# ---- archives ----

# publish [SUITE]: the packages since the last time are the whole suite.
publish()
{
	_suite=${1:-bookworm}
	rm -rf "$dir/archive/dists/$_suite"
	for _arch in amd64 arm64; do
		_index=$dir/archive/dists/$_suite/main/binary-$_arch
		mkdir -p "$_index" "$dir/archive/pool"
		for _deb in $debs; do
			case $_deb in
			*_"$_arch".deb | *_all.deb)
				cat "$_deb.entry"
				ln -f "$_deb" "$dir/archive/pool/"
				;;
			esac
		done >"$_index/Packages"
	done
	debs=
}

# Sources that copy: apt installs from "file:" without a copy.
reachable()
{
	echo "deb [trusted=yes] copy:$dir/archive bookworm main" >"$etc/sources.list"
}

unreachable()
{
	echo "deb [trusted=yes] http://127.0.0.1:1/ bookworm main" >"$etc/sources.list"
}

update()
{
	apt-get -q update >"$dir/update.log" 2>&1
}

# A machine whose lists are empty.
machine()
{
	cases=$((cases + 1))
	dir=$tmp/$cases
	etc=$dir/apt/etc/apt
	mkdir -p "$dir/archive" "$etc/apt.conf.d" "$etc/preferences.d" "$etc/sources.list.d" \
		"$dir/apt/var/lib/apt/lists/partial" "$dir/apt/var/cache/apt/archives/partial"
	: >"$dir/apt/status"
	cat >"$dir/apt.conf" <<-END
		Dir "$dir/apt";
		Dir::State::status "$dir/apt/status";
		APT::Architecture "amd64";
		APT::Architectures "amd64";
		APT::Sandbox::User "root";
		Acquire::Languages "none";
		Acquire::Retries "0";
		Acquire::http::Proxy "DIRECT";
	END
	export APT_CONFIG="$dir/apt.conf" VSHADER_CACHE="$dir/cache" VSHADER_BUILD="$dir/build"
	debs=
	reachable
}

# ---- results ----

kernel()
{
	sh "$top/scripts/kernel" "$@" >"$dir/out" 2>"$dir/err" </dev/null
	status=$?
}

# check TEXT COMMAND...
check()
{
	_text=$1
	shift
	number=$((number + 1))
	if "$@"; then
		echo "ok $number $_text"
		return
	fi
	echo "# exit status $status, printed: $(cat "$dir/out")"
	sed 's/^/# /' "$dir/err" | tail -n 20
	echo "not ok $number $_text"
	failed=$((failed + 1))
}

# chosen FLAVOUR RELEASE headers|image: recorded, printed and unpacked
chosen()
{
	[ $status = 0 ] && [ "$(cat "$VSHADER_CACHE/release-$1")" = "$2" ] || return 1
	_root=$VSHADER_CACHE/linux-$2
	case $3 in
	headers)
		[ "$(cat "$dir/out")" = "$_root/usr/src/linux-headers-$2" ] &&
			[ -e "$_root/usr/src/linux-headers-$2/Makefile" ] &&
			[ -e "$_root/usr/src/linux-headers-${2%-*}-common" ] &&
			[ -e "$_root/usr/bin/linux-kbuild-6.1" ]
		;;
	image)
		[ "$(cat "$dir/out")" = "$_root" ] && [ -e "$_root/boot/vmlinuz-$2" ]
		;;
	esac
}

# says LINE: on stderr, and no other line about a release instead of another
says()
{
	[ "$(grep -x 'kernel: [^ ]* .*: 6[^ ]*' "$dir/err")" = "kernel: $1" ]
}

silent()
{
	! grep -q -x 'kernel: [^ ]* .*: 6[^ ]*' "$dir/err"
}

# failed_with PATTERN: nothing is recorded, and the last line is the reason
failed_with()
{
	[ $status = 2 ] && [ ! -s "$dir/out" ] && ! ls "$VSHADER_CACHE"/release-* >/dev/null 2>&1 &&
		tail -n 1 "$dir/err" | grep -q "$1"
}

is_version()
{
	[ "$(cat "$1")" = "$2" ]
}

# picks RELEASE LINE TEXT: headers of 6.1 for amd64
picks()
{
	kernel headers 6.1
	check "$3" chosen 6.1 "$1-amd64" headers
	if [ -n "$2" ]; then
		check "$3: the message" says "$2"
	else
		check "$3: no message" silent
	fi
}

# ---- cases ----

machine
whole 6.1.0-56 6.1.192-2
whole 6.1.0-57 6.1.192-3
kbuild 6.1.192-3
publish
picks 6.1.0-57 "" "all of two releases, empty lists: the newer"
kernel image 6.1
check "its image" chosen 6.1 6.1.0-57-amd64 image
kernel release 6.1
check "its name" is_version "$dir/out" 6.1.0-57-amd64

# the same machine without a network
unreachable
for what in headers image; do
	kernel $what 6.1
	check "unreachable, full cache: $what" chosen 6.1 6.1.0-57-amd64 $what
	check "unreachable, full cache: $what without a word" [ ! -s "$dir/err" ]
done
kernel renew 6.1
check "unreachable, full cache: renew keeps it" is_version "$dir/out" 6.1.0-57-amd64
kernel refresh
kernel headers 6.1
check "unreachable, forgotten: what is unpacked" chosen 6.1 6.1.0-57-amd64 headers
check "unreachable, forgotten: the message" grep -q -x \
	"kernel: 6.1: nothing from bookworm for amd64; 6.1.0-57 is unpacked" "$dir/err"

machine
whole 6.1.0-56 6.1.192-2
headers 6.1.0-57 6.1.192-3 amd64
kbuild 6.1.192-3
publish
update
picks 6.1.0-56 "6.1.0-57 has no signed image yet: 6.1.0-56" "headers without image"
kernel image 6.1
check "headers without image: its image" chosen 6.1 6.1.0-56-amd64 image
check "kbuild without the same version: the next newer" \
	is_version "$VSHADER_CACHE/linux-6.1.0-56-amd64/usr/bin/linux-kbuild-6.1" 6.1.192-3
# the archive gets the image
whole 6.1.0-56 6.1.192-2
whole 6.1.0-57 6.1.192-3
kbuild 6.1.192-3
publish
update
picks 6.1.0-56 "" "a chosen release stays"
kernel renew 6.1
check "renew keeps what the archive has" is_version "$dir/out" 6.1.0-56-amd64
kernel refresh
picks 6.1.0-57 "" "refresh"
whole 6.1.0-58 6.1.193-1
kbuild 6.1.193-1
publish
kernel renew 6.1
check "renew replaces what the archive has lost" is_version "$dir/out" 6.1.0-58-amd64

machine
whole 6.1.0-56 6.1.192-2
deb linux-headers-6.1.0-57-amd64 6.1.192-3 amd64 \
	"Depends: linux-headers-6.1.0-57-common (= 6.1.192-3), linux-kbuild-6.1 (>= 6.1.192-3)"
image 6.1.0-57 6.1.192-3 amd64
kbuild 6.1.192-3
publish
update
picks 6.1.0-56 "6.1.0-57 has no linux-headers-6.1.0-57-common of 6.1.192-3 yet: 6.1.0-56" \
	"headers without the common ones"

machine
whole 6.1.0-56 6.1.192-2
image 6.1.0-57 6.1.192-3 amd64
kbuild 6.1.192-3
kbuild 6.1.192-2
publish
update
picks 6.1.0-56 "6.1.0-57 has no headers yet: 6.1.0-56" "image without headers"
check "kbuild of the same version" \
	is_version "$VSHADER_CACHE/linux-6.1.0-56-amd64/usr/bin/linux-kbuild-6.1" 6.1.192-2

machine
whole 6.1.0-56 6.1.192-2
headers 6.1.0-57 6.1.192-3 amd64
kbuild 6.1.192-3
deb linux-image-6.1.0-57-amd64-unsigned 6.1.192-3 amd64 "Conflicts: linux-image-6.1.0-57-amd64"
deb other 1 amd64 "Depends: linux-image-6.1.0-57-amd64"
publish
update
# shellcheck disable=SC2016
check "the image's name is purely virtual" sh -c \
	'apt-cache show --no-all-versions linux-headers-6.1.0-57-amd64 linux-image-6.1.0-57-amd64 \
		>/dev/null 2>&1 && [ -z "$(apt-cache madison linux-image-6.1.0-57-amd64)" ]'
picks 6.1.0-56 "6.1.0-57 has no signed image yet: 6.1.0-56" "an image that others conflict with"

machine
whole 6.1.0-56 6.1.192-2
headers 6.1.0-57 6.1.192-3 amd64
image 6.1.0-57 6.1.192-2 amd64
kbuild 6.1.192-3
publish
update
picks 6.1.0-56 "6.1.0-57 has no signed image of 6.1.192-3 yet: 6.1.0-56" \
	"headers and image of two versions"

machine
headers 6.1.0-57 6.1.192-3 amd64
whole 6.1.0-57 6.1.192-2
kbuild 6.1.192-3
publish
update
picks 6.1.0-57 "" "one release in two versions"
check "one release in two versions: the one of which all is there" \
	is_version "$VSHADER_CACHE/linux-6.1.0-57-amd64/.headers" 6.1.192-2
whole 6.1.0-57 6.1.192-3
kbuild 6.1.192-3
publish
update
kernel image 6.1
check "headers of a version that is gone: the image" chosen 6.1 6.1.0-57-amd64 image
check "headers of a version that is gone: its version" \
	is_version "$VSHADER_CACHE/linux-6.1.0-57-amd64/boot/vmlinuz-6.1.0-57-amd64" 6.1.192-3
picks 6.1.0-57 "" "headers of a version that is gone"
check "headers of a version that is gone: again, of the image's" \
	is_version "$VSHADER_CACHE/linux-6.1.0-57-amd64/.headers" 6.1.192-3

machine
whole 6.1.0-56 6.1.192-2
whole 6.1.0-57 6.1.192-3
kbuild 6.1.192-2
publish
update
picks 6.1.0-56 "6.1.0-57 has no linux-kbuild-6.1 of 6.1.192-3 yet: 6.1.0-56" \
	"kbuild older than the headers"

# Lists that name what has gone.
machine
whole 6.1.0-56 6.1.192-2
whole 6.1.0-57 6.1.192-3
kbuild 6.1.192-3
publish
update
rm "$dir"/archive/pool/linux-headers-6.1.0-57-*
whole 6.1.0-56 6.1.192-2
image 6.1.0-57 6.1.192-3 amd64
kbuild 6.1.192-3
publish
picks 6.1.0-56 "6.1.0-57 has no headers yet: 6.1.0-56" "stale lists, 404"
check "stale lists, 404: refreshed once" \
	[ "$(grep -c "bringing the package lists up to date" "$dir/err")" = 1 ]

machine
whole 6.1.0-56 6.1.192-2
whole 6.1.0-57 6.1.192-3
kbuild 6.1.192-3
publish
update
rm "$dir"/archive/pool/linux-headers-6.1.0-57-*
picks 6.1.0-56 "6.1.0-57 could not be downloaded: 6.1.0-56" "new lists, 404"

machine
whole 6.1.0-57 6.1.192-3
kbuild 6.1.192-3
publish
update
rm -r "$dir/archive/pool"
kernel headers 6.1
check "nothing can be downloaded" failed_with "no headers for 6.1: cannot download \
linux-headers-6.1.0-57-amd64=6.1.192-3 .*of bookworm for amd64: \
.*apt-get update && .*apt-get download linux-headers-6.1.0-57-amd64=6.1.192-3"
check "nothing can be downloaded: nothing is left" [ ! -e "$VSHADER_CACHE/linux-6.1.0-57-amd64" ]

machine
unreachable
for flavour in 6.1 6.1-arm64; do
	kernel image $flavour
	_arch=amd64
	[ $flavour = 6.1 ] || _arch=arm64
	check "unreachable, empty cache: $flavour" failed_with "no image for $flavour: bookworm for \
$_arch has no linux-headers-6.1.0-\*-$_arch whose packages are all there: .*apt-get .*update"
done

# Each architecture's image is signed by itself; kbuild is of this machine.
machine
whole 6.1.0-56 6.1.192-2
whole 6.1.0-57 6.1.192-3
kbuild 6.1.192-3
headers 6.1.0-56 6.1.192-2 arm64
image 6.1.0-56 6.1.192-2 arm64
headers 6.1.0-57 6.1.192-3 arm64
deb busybox-static 1 arm64
publish
update
kernel headers 6.1-arm64
check "arm64 behind amd64" chosen 6.1-arm64 6.1.0-56-arm64 headers
check "arm64 behind amd64: the message" \
	says "6.1.0-57-arm64 has no signed image yet: 6.1.0-56-arm64"
kernel image 6.1-arm64
check "arm64 behind amd64: image" chosen 6.1-arm64 6.1.0-56-arm64 image
check "arm64 behind amd64: busybox" \
	[ -e "$VSHADER_CACHE/linux-6.1.0-56-arm64/usr/bin/busybox-static" ]
picks 6.1.0-57 "" "amd64 before arm64"

machine
kbuild 6.1.192-2
for release in 56=6.1.192-2 57=6.1.192-3; do
	headers 6.1.0-${release%=*} "${release#*=}" arm64
	image 6.1.0-${release%=*} "${release#*=}" arm64
done
deb busybox-static 1 arm64
publish
update
kernel headers 6.1-arm64
check "amd64 behind arm64: kbuild" chosen 6.1-arm64 6.1.0-56-arm64 headers
check "amd64 behind arm64: the message" \
	says "6.1.0-57-arm64 has no linux-kbuild-6.1 of 6.1.192-3 yet: 6.1.0-56-arm64"

# release-* without what it names
machine
whole 6.1.0-56 6.1.192-2
whole 6.1.0-57 6.1.192-3
kbuild 6.1.192-3
publish
update
mkdir -p "$VSHADER_CACHE"
echo 6.1.0-49-amd64 >"$VSHADER_CACHE/release-6.1"
picks 6.1.0-57 "6.1.0-49 is not in the archive: 6.1.0-57" "a release that has gone"
echo 6.1.0-49-amd64 >"$VSHADER_CACHE/release-6.1"
kernel release 6.1
check "a release that has gone: its name" is_version "$dir/out" 6.1.0-57-amd64
echo 6.1.0-56-amd64 >"$VSHADER_CACHE/release-6.1"
picks 6.1.0-56 "" "a release that is not unpacked, but in the archive"
rm -r "$VSHADER_CACHE/linux-6.1.0-56-amd64"
picks 6.1.0-56 "" "a folder that was removed"
# headers are unpacked, the image has gone
whole 6.1.0-57 6.1.192-3
kbuild 6.1.192-3
publish
update
kernel image 6.1
check "an image that has gone" chosen 6.1 6.1.0-57-amd64 image
check "an image that has gone: the message" says "6.1.0-56 is not in the archive: 6.1.0-57"
picks 6.1.0-57 "" "an image that has gone: headers follow"

# Other flavours.
machine
whole 6.1.0-47 6.1.170-3
whole 6.1.0-50 6.1.176-1
whole 6.1.0-57 6.1.192-3
kbuild 6.1.192-3
publish
update
kernel headers 6.1-old
check "6.1-old: by its name" chosen 6.1-old 6.1.0-50-amd64 headers
kernel refresh
headers 6.1.0-53 6.1.187-1 amd64
whole 6.1.0-54 6.1.190-1
whole 6.1.0-57 6.1.192-3
kbuild 6.1.192-3
publish
update
kernel headers 6.1-old
check "6.1-old: the oldest that is whole" chosen 6.1-old 6.1.0-54-amd64 headers
check "6.1-old: the message" says "6.1.0-50 is not in the archive: 6.1.0-54"

machine
for release in 6.12.115 6.12.117; do
	deb linux-headers-$release+deb12-amd64 $release-1~deb12u1 amd64 "Depends: linux-base, \
linux-headers-$release+deb12-common (= $release-1~deb12u1), linux-image-$release+deb12-amd64 \
(= $release-1~deb12u1) | linux-image-$release+deb12-amd64-unsigned (= $release-1~deb12u1), \
linux-kbuild-$release+deb12, gcc-12"
	deb linux-headers-$release+deb12-common $release-1~deb12u1 all
	image $release+deb12 $release-1~deb12u1 amd64
done
deb linux-kbuild-6.12.115+deb12 6.12.115-1~deb12u1 amd64
publish
update
kernel release 6.12
check "6.12" is_version "$dir/out" 6.12.115+deb12-amd64
check "6.12: the message" says \
	"6.12.117+deb12 has no linux-kbuild-6.12.117+deb12 yet: 6.12.115+deb12"

# Unstable: what the newest needs is not there yet; the meta package is ahead.
machine
for name in base-files dash coreutils findutils grep sed mawk make gcc; do
	deb $name 1 amd64
done
for release in 7.2.13=1 7.2.14=2; do
	gcc=${release#*=}
	release=${release%=*}
	deb linux-headers-$release+deb14-amd64 $release-1 amd64 \
		"Depends: linux-headers-$release+deb14-common (= $release-1), gcc (>= $gcc)"
	deb linux-headers-$release+deb14-common $release-1 all
done
deb linux-headers-amd64 7.2.15-1 amd64 "Depends: linux-headers-7.2.15+deb14-amd64 (= 7.2.15-1)"
publish sid
publish
update
kernel headers newest
check "newest: an older one that can be installed" \
	is_version "$VSHADER_CACHE/release-newest" 7.2.13+deb14-amd64
check "newest: its folder" [ -e "$(cat "$dir/out")/Module.symvers" ]
check "newest: the message" grep -q -x \
	"kernel: 7.2.14+deb14 cannot be installed yet: 7.2.13+deb14" "$dir/err"
kernel tools newest
check "newest: its tools" [ -e "$(cat "$dir/out")/usr/bin/gcc" ]
unreachable
kernel release newest
check "newest: unreachable, full cache" is_version "$dir/out" 7.2.13+deb14-amd64
kernel image newest
check "newest: no image" grep -q "newest: headers only" "$dir/err"

# Packages with all that they depend on, as Mesa's.
download_mesa()
{
	# shellcheck disable=SC2016
	sh -c '. "$(dirname "$0")/lib.sh"
		get_packages "$1/mesa" arm64 sid mesa && ls "$1/mesa.apt/cache/archives"' \
		"$top/scripts/mesa" "$dir" >"$dir/out" 2>"$dir/err" </dev/null
	status=$?
}

machine
deb mesa 26.1 arm64 "Depends: llvm (= 22)"
deb llvm 21 arm64
publish sid
deb mesa 26.0 arm64 "Depends: llvm (= 21)"
deb llvm 21 arm64
publish testing
publish
download_mesa
check "sid in the middle of a transition: testing" grep -q -x \
	"mesa: mesa: sid has not all for arm64 yet: testing" "$dir/err"
check "sid in the middle of a transition: its package" grep -q -x mesa_26.0_arm64.deb "$dir/out"
deb mesa 26.1 arm64
publish sid
download_mesa
check "sid" grep -q -x mesa_26.1_arm64.deb "$dir/out"
rm -r "$dir/archive"
download_mesa
check "no archive: the message" grep -q \
	"^mesa: cannot get mesa of sid for arm64: apt-get .*install mesa" "$dir/err"

echo "1..$number"
[ $failed = 0 ]
