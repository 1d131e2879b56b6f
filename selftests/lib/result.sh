# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034
#
# Results of shell tests, for ". result.sh": $n is their number, $status the exit status.

n=0
status=0

# result STATUS TEXT: it is good if the status is 0.
result()
{
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n $2"
	else
		echo "not ok $n $2"
		status=1
	fi
}
