#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
#   jobs.sh         all job files that carry expectations, Python, and programs for the 3DS, through a
#                   guest's device
#   jobs.sh --files   the job files only
#   jobs.sh --some  a session of the debugger for each instruction set too, and records that are run again
#   jobs.sh --all   all of the debugger too, and records

device=$(ls /dev/dri/renderD* 2>/dev/null | head -n 1)
if [ -z "$device" ]; then
	echo "Bail out! no render node"
	exit 1
fi
here=/stage/selftests
. $here/stream.sh
stream_begin

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
	stream_run "jobs: $(basename "$folder")" "" vshader test --device "$device" "${folder%/}"
done
if [ "${1:-}" = --files ]; then
	stream_end
	exit
fi
[ "${VSHADER_GUEST:-}" != vm ] || export KSFT_TIMEOUT_SCALE="${KSFT_TIMEOUT_SCALE:-4}"
export DEVICE="$device" VSHADER=vshader JOBS=/stage/jobs LIMA=/stage/selftests/test_lima
case ${1:-} in
--some) export SESSIONS=only ;;
--all) ;;
*) tests= ;;
esac
for name in ${tests-debugger record}; do
	stream_run "lib: test_$name.sh" "" sh "/stage/bin/test_$name.sh"
done
if command -v python3 >/dev/null; then
	stream_run "lib: test_python.py" "" env PYTHONPATH=/stage/python \
		VSHADER_LIBDIR=/stage/python/lib python3 /stage/bin/test_python.py /stage/jobs "$device"
	stream_run "lib: test_gx_device.sh" "" env LD_LIBRARY_PATH=/stage/python/lib \
		PROGRAM=/stage/bin/gx_prog EXAMPLE=/stage/bin/gx-cube \
		SHADER=/stage/bin/gx_cube.pica sh /stage/bin/test_gx_device.sh
fi
stream_end
