#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# In a guest: all job files that carry expectations, through the device.

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
exit $status
