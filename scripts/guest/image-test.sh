#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# In a disk image of scripts/disk-image: a stock Mesa draws on stock drivers. TAP; progress on stderr.
#
#   image-test.sh RENDERER DRIVER [RENDERER DRIVER]...   as OpenGL and the kernel name them
#
# Pictures of the compositor are /results/DRIVER.png, if the host shares this folder.

n=0
status=0
XDG_RUNTIME_DIR=/run/image-test
WAYLAND_DISPLAY="test"
export XDG_RUNTIME_DIR WAYLAND_DISPLAY
mkdir -m 700 $XDG_RUNTIME_DIR || exit 1
cd $XDG_RUNTIME_DIR || exit 1
log=$XDG_RUNTIME_DIR/log

# result TEXT: of the last command
result()
{
	good=$?
	n=$((n + 1))
	if [ $good -eq 0 ]; then
		echo "ok $n $1"
	else
		[ ! -s $log ] || tail -n 25 $log | sed 's/^/# /'
		echo "not ok $n $1"
		status=1
	fi
	: >$log
}

uptime()
{
	cut -d. -f1 /proc/uptime
}

progress()
{
	echo "image-test: $driver: $1, $(uptime) s after the boot" >&2
}

# until_done SECONDS COMMAND...: repeat it until it succeeds
until_done()
{
	_end=$(($(uptime) + $1))
	shift
	until "$@"; do
		[ "$(uptime)" -lt $_end ] || return 1
		sleep 1
	done
}

# Sets render, the driver's device file.
find_device()
{
	for _node in /sys/class/drm/renderD*; do
		render=${_node##*/}
		[ "$(basename "$(readlink "$_node/device/driver")")" != "$driver" ] || return 0
	done
	return 1
}

# Sets gpu, as vshader-model names it.
find_gpu()
{
	for _node in /proc/device-tree/vshader-model@*; do
		gpu=$(tr -d '\0' <"$_node/vshader,model")
		[ "$(tr -d '\0' <"$_node/vshader,driver")" != "$driver" ] || return 0
	done
	return 1
}

# Mesa takes the first device that it finds.
hide_others()
{
	mkdir -p hidden
	for _file in /dev/dri/renderD* hidden/renderD*; do
		[ -e "$_file" ] || continue
		_to=hidden
		[ "${_file##*/}" != "$render" ] || _to=/dev/dri
		[ "${_file%/*}" = $_to ] || mv "$_file" $_to/
	done
}

# A picture with a triangle in it: one of a single colour is below 1 KiB.
screenshot()
{
	rm -f wayland-screenshot-*.png
	timeout 60 weston-screenshooter >>$log 2>&1 &&
		[ "$(stat -c %s wayland-screenshot-*.png)" -gt 1500 ]
}

# interrupts: of the jobs
interrupts()
{
	awk '$NF ~ /^(panfrost-job|gp|pp[0-9]*)$/ { for (i = 2; $i ~ /^[0-9]+$/; i++) sum += $i }
		END { print sum + 0 }' /proc/interrupts
}

gone()
{
	! kill -0 "$1" 2>/dev/null
}

# end_process PID: by force if it does not listen
end_process()
{
	kill "$1" 2>/dev/null
	until_done 60 gone "$1"
	_ended=$?
	kill -9 "$1" 2>/dev/null
	return $_ended
}

test_gpu()
{
	progress "waiting for the driver"
	until_done 60 find_device
	result "$driver is bound: $(uname -r)"
	hide_others
	before=$(interrupts)

	progress "Weston starts"
	weston --backend=headless --renderer=gl --shell=kiosk --width=256 --height=192 --debug \
		--socket=$WAYLAND_DISPLAY --idle-time=0 >weston.log 2>&1 &
	weston=$!
	until_done 120 test -S $WAYLAND_DISPLAY
	cp weston.log $log
	grep -q "GL renderer: .*$renderer" $log
	result "Weston composes on $renderer"

	progress "a triangle"
	weston-simple-egl -o >$log 2>&1 &
	client=$!
	until_done 120 screenshot
	result "Weston's picture has a triangle"
	end_process $client
	[ ! -d /results ] || cp wayland-screenshot-*.png "/results/$driver.png"

	progress "glmark2"
	timeout 200 glmark2-es2-wayland --validate -b build -b texture >$log 2>&1
	sed 's/^/# /' $log
	grep -q "GL_RENDERER: *.*$renderer" $log && [ "$(grep -c 'Validation: Success' $log)" -eq 2 ]
	result "glmark2 draws on $renderer"

	progress "Weston ends"
	end_process $weston
	result "Weston ends"

	after=$(interrupts)
	[ $((after - before)) -ge 10 ]
	result "jobs had interrupts: $((after - before))"
	find_gpu && vshader-model --gpu "$gpu" findings >$log && [ "$(head -n 1 $log)" = 0 ]
	result "the register model $gpu found nothing"
	vshader-model --gpu "$gpu" log 4 >$log
	[ "$(grep -c -E '^ *[0-9]+ ([RW] [A-Z]|interrupt)' $log)" -eq 4 ]
	result "its log has accesses"
}

echo "TAP version 13"
while [ $# -ge 2 ]; do
	renderer=$1
	driver=$2
	shift 2
	test_gpu
done
echo "1..$n"
exit $status
