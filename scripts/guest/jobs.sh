#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
#   jobs.sh        all job files that carry expectations, Python, and programs for the 3DS, through a
#                  guest's device
#   jobs.sh --all  the debugger on some of them too, and records of them that are run again

device=$(ls /dev/dri/renderD* 2>/dev/null | head -n 1)
if [ -z "$device" ]; then
	echo "Bail out! no render node"
	exit 1
fi
status=0

# Python is the host's, if its /usr is shared.
if [ -x /usr/bin/python3 ]; then
	[ -e /lib64 ] || ln -s usr/lib64 /lib64
	for dir in /usr/lib/*-linux-gnu; do
		[ -e "/lib/${dir##*/}" ] || ln -s "$dir" /lib/
	done
	PATH=$PATH:/usr/bin
	export PYTHONDONTWRITEBYTECODE=1
	python3 -c 'import json' || PATH=${PATH%:/usr/bin}
fi

for folder in /stage/jobs/*/; do
	ls "$folder"*.json >/dev/null 2>&1 || continue
	echo "# selftests: jobs: $(basename "$folder")"
	vshader test --device "$device" "${folder%/}" || status=1
done
for name in debugger record; do
	[ "${1:-}" = --all ] || continue
	echo "# selftests: lib: test_$name.sh"
	DEVICE=$device VSHADER=vshader JOBS=/stage/jobs LIMA=/stage/selftests/test_lima \
		sh "/stage/bin/test_$name.sh" || status=1
done
if command -v python3 >/dev/null; then
	echo "# selftests: lib: test_python.py"
	PYTHONPATH=/stage/python VSHADER_LIBDIR=/stage/python/lib VSHADER=vshader \
		python3 /stage/bin/test_python.py /stage/jobs "$device" || status=1
	echo "# selftests: lib: test_gx_device.sh"
	LD_LIBRARY_PATH=/stage/python/lib DEVICE=$device VSHADER=vshader PROGRAM=/stage/bin/gx_prog \
		EXAMPLE=/stage/bin/gx-cube SHADER=/stage/bin/gx_cube.pica \
		sh /stage/bin/test_gx_device.sh || status=1
fi
exit $status
