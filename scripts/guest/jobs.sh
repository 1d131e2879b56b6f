#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# In a guest: all job files that carry expectations, the debugger on some of them, and records of
# them that are run again, through the device.

device=$(ls /dev/dri/renderD* 2>/dev/null | head -n 1)
if [ -z "$device" ]; then
	echo "Bail out! no render node"
	exit 1
fi
status=0
for folder in /stage/jobs/*/; do
	ls "$folder"*.json >/dev/null 2>&1 || continue
	echo "# selftests: jobs: $(basename "$folder")"
	vshader test --device "$device" "${folder%/}" || status=1
done
echo "# selftests: lib: test_debugger.sh"
DEVICE=$device VSHADER=vshader JOBS=/stage/jobs sh /stage/bin/test_debugger.sh || status=1
echo "# selftests: lib: test_record.sh"
DEVICE=$device VSHADER=vshader JOBS=/stage/jobs sh /stage/bin/test_record.sh || status=1
exit $status
