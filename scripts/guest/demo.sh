#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# In the guest: run every demo job through the render node and end with a
# table. Status 0 only if there was a job and all were as expected.

jobs=/stage/jobs/demo
table=/tmp/table
device=$(ls /dev/dri/renderD* 2>/dev/null | head -n 1)
bad=0
count=0

if [ -z "$device" ]; then
	echo "no render node: the driver did not come up"
	exit 1
fi
echo "kernel $(uname -r), vshader.ko loaded, device $device"
vshader info --device "$device" || exit 1

row='%-24s %-12s %-12s %8s\n'
# shellcheck disable=SC2059
printf "$row" JOB CHECKS RESULT SECONDS >$table
for job in "$jobs"/*.json; do
	[ -e "$job" ] || continue
	name=${job##*/}
	printf '\n--- %s\n' "${name%.json}"
	count=$((count + 1))
	began=$(cut -d ' ' -f 1 /proc/uptime)
	pictures=
	[ -d /results ] && grep -q '"images"' "$job" && pictures="--png /results"
	# shellcheck disable=SC2086
	vshader run --device "$device" $pictures "$job" >/tmp/output
	status=$?
	cat /tmp/output
	result=ok
	if [ $status -ne 0 ]; then
		result="FAILED ($status)"
		bad=$((bad + 1))
	fi
	checks=$(sed -n 's/.*: \([0-9]* of [0-9]*\) checks passed$/\1/p' /tmp/output)
	ended=$(cut -d ' ' -f 1 /proc/uptime)
	# shellcheck disable=SC2059
	printf "$row" "${name%.json}" "${checks:-none}" "$result" \
		"$(echo "$began $ended" | awk '{ printf "%.2f", $2 - $1 }')" >>$table
done

echo
cat $table
[ $count -gt 0 ] || echo "no demo job found"
[ $count -gt 0 ] && [ $bad -eq 0 ]
