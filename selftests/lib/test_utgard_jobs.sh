#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Job files of all Utgard programs of the corpus, made by make_utgard.py and run in the
# process. TAP on stdout.
#
#   VSHADER=PATH TOOL=PATH CORPUS=DIR sh test_utgard_jobs.sh

: "${VSHADER:?path of the command}" "${TOOL:?path of make_utgard.py}"
root=${CORPUS:+$CORPUS/utgard}

skip()
{
	echo "TAP version 13"
	echo "1..0 # SKIP $1"
	echo "# Totals: pass:0 fail:0 xfail:0 xpass:0 skip:0 error:0"
	exit 4
}

[ -n "$root" ] || skip "no corpus given"
[ -d "$root/gp" ] || skip "no Utgard programs in the corpus"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# Synthetic textures that no image can be are told and left out.
if ! PYTHONDONTWRITEBYTECODE=1 python3 "$TOOL" "$root" "$tmp" >"$tmp/left-out" 2>&1; then
	sed 's/^/# /' "$tmp/left-out"
	echo "Bail out! the job files cannot be made"
	exit 1
fi
sed 's/^/# left out: /' "$tmp/left-out"
made=$(find "$tmp" -name '*.json' | wc -l)
echo "# job files of $made programs"
if [ "$made" -lt 60 ]; then
	echo "Bail out! 60 job files or more were expected"
	exit 1
fi
"$VSHADER" test --device local "$tmp"
