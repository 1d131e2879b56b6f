#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Programs that look at a DRM device in "vshader gl", in qemu-user: eglinfo, libdrm's drmdevice, drm_info, all
# of Debian 12; and a program that opens a thousand displays in one process, beside threads and
# children (displays.c).

. "$(dirname "$0")/foreign.sh"

here=$(cd "$(dirname "$0")" && pwd)
if [ "${QUICK:-}" ]; then
	skip "tools" "Debian's Mesa for arm64, in make check-all"
	finish
fi
if [ ! -e "$PROJECT/lib/libvshader_gl.so" ]; then
	skip "tools" "no vshader gl without the kernel's headers"
	finish
fi
for tool in qemu-aarch64-static aarch64-linux-gnu-gcc; do
	command -v $tool >/dev/null || {
		skip "tools" "no $tool, see scripts/deps mesa"
		finish
	}
done
if ! root=$(sh "$here/packages.sh" bookworm arm64 libdrm-tests drm-info mesa-utils-bin libegl-mesa0 \
	libgl1-mesa-dri libgles2 libgbm1 2>"$work/said") ||
	! headers=$("$TOP/scripts/mesa" root bookworm 2>"$work/said"); then
	skip "tools" "$(tail -n 1 "$work/said")"
	finish
fi
sed 's/^/# /' "$root/versions"
aarch64-linux-gnu-gcc -std=gnu11 -O2 -Wall -Wextra -Werror -idirafter "$headers/usr/include" \
	"$here/displays.c" -o "$work/displays" -L"$root/usr/lib/aarch64-linux-gnu" \
	-Wl,--unresolved-symbols=ignore-in-shared-libs -l:libEGL.so.1 -l:libGLESv2.so.2 -lpthread ||
	exit 1

# on GPU PROGRAM...: its status is $code, its output in $work/out, that of the device in $work/err
on()
{
	_gpu=$1
	shift
	env MESA_SHADER_CACHE_DISABLE=true "$VSHADER" gl --gpu "$_gpu" --allow-unused \
		--sysroot "$root" -- "$@" >"$work/out" 2>"$work/err"
	code=$?
}

# has PATTERN TEXT
has()
{
	grep -q -e "$1" "$work/out"
	shows $? "$work/out"
	result $? "$gpu: $2"
}

# with GPU DRIVER COMPATIBLE
with()
{
	gpu=$1
	on "$gpu" "$root/usr/bin/eglinfo.aarch64-linux-gnu"
	# its status is 1 if a platform has no display
	awk '/ platform:$/ { at = $1 } /^EGL driver name: / { print at, $4 }
		/eglInitialize failed$/ { print at, "none" }' "$work/out" >"$work/drivers"
	! grep -v -e "^Surfaceless $2\$" -e "^Device $2\$" -e '^Device swrast$' -e '^Wayland none$' \
		-e '^X11 none$' -e "^GBM $2\$" "$work/drivers"
	result $? "$gpu: eglinfo (exit $code): no platform but those that need a screen lacks a display"
	grep -q "^Surfaceless $2\$" "$work/drivers" && grep -q "^Device $2\$" "$work/drivers"
	shows $? "$work/drivers"
	result $? "$gpu: eglinfo: $2 draws without a surface and as a device"
	grep -q "^GBM $2\$" "$work/drivers"
	result $? "$gpu: eglinfo: $2 is GBM's default device"
	[ "$(grep -c '^0x[0-9a-f][0-9a-f] ' "$work/out")" -ge 20 ]
	result $? "$gpu: eglinfo: configurations"
	on "$gpu" "$root/usr/bin/drmdevice"
	shows $code "$work/err"
	result $code "$gpu: drmdevice"
	has '^--- Devices reported 1 ---$' "drmdevice: one device"
	has '+-> available_nodes 0x05$' "drmdevice: a primary and a render node"
	has '^--- Opening device node /dev/dri/renderD128 ---$' "drmdevice: opens it"
	has "^  *$3\$" "drmdevice: is compatible with $3"
	# drm_info shows displays: of a driver without any it has nothing to say, on a board as here
	on "$gpu" "$root/usr/bin/drm_info" -j
	[ $code = 0 ] && [ "$(tr -d '\n' <"$work/out")" = "{}" ]
	shows $? "$work/out"
	result $? "$gpu: drm_info: no node with displays"
	on "$gpu" "$root/usr/bin/drm_info" /dev/dri/renderD128
	grep -q '^drmModeGetResources: Permission denied$' "$work/err"
	shows $? "$work/err"
	result $? "$gpu: drm_info: render nodes have no displays"
	on "$gpu" "$root/usr/bin/drm_info" /dev/dri/card0
	grep -q '^drmModeGetResources: Operation not supported$' "$work/err"
	shows $? "$work/err"
	result $? "$gpu: drm_info: the primary node has none either"
	displays 20 2 2
}

# displays ROUNDS [THREADS [CHILDREN]]: the numbers of jobs are those of the clears
displays()
{
	on "$gpu" "$work/displays" "$@"
	[ $code = 0 ] && grep -q ": $1 rounds, .* 0 refused\$" "$work/out" &&
		! grep -q llvmpipe "$work/out" && grep -q "$gpu: [1-9][0-9]* jobs, 0 faults\$" "$work/err"
	_code=$?
	shows $_code "$work/out"
	shows $_code "$work/err"
	result $_code "$gpu: $1 displays in a process, ${2:-no} threads beside, ${3:-no} children"
}

with g52 panfrost arm,mali-bifrost
with t860 panfrost arm,mali-t860
with mali450 lima arm,mali-450
with vc4 vc4 brcm,bcm2835-v3d
gpu=g52
displays 1000
finish
