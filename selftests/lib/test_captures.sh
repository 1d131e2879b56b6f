#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Job files of all captured compute and vertex jobs of the corpus, made by mali-capture and
# run in the process. TAP on stdout.
#
#   VSHADER=PATH TOOL=PATH CORPUS=DIR sh test_captures.sh

: "${VSHADER:?path of the command}" "${TOOL:?path of mali-capture}"
mali=${CORPUS:+$CORPUS/mali}
gpus="bifrost-g52 midgard-t860"

skip()
{
	echo "TAP version 13"
	echo "1..0 # SKIP $1"
	echo "# Totals: pass:0 fail:0 xfail:0 xpass:0 skip:0 error:0"
	exit 4
}

[ -n "$mali" ] || skip "no corpus given"
[ -d "$mali/capture" ] || skip "no captures in the corpus"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# Renderers round intermediate results of their own; halves have 11 bits.
tolerance() # CASE: nothing if two renderers agree bit for bit
{
	case $1 in
	v_half)
		echo 2e-3
		;;
	*)
		grep -q "^$1 exact" "$mali/expect/index.txt" || echo 5e-6
		;;
	esac
}

status=0
for folder in $gpus; do
	made=0
	bad=0
	gpu=${folder#*-}
	for submit in "$mali/capture/$folder"/[cv]_*.submit00.txt; do
		case=$(basename "$submit" .submit00.txt)
		rel=$(tolerance "$case")
		if "$TOOL" --gpu "$gpu" --io "${submit%.submit00.txt}.io.txt" \
			--expect "$mali/expect/$case.txt" ${rel:+--tolerance "$rel"} \
			--output "$tmp/$gpu-$case.json" "$submit" >"$tmp/err" 2>&1 &&
			grep -q '"name": "\(ssbo\|tf\) ' "$tmp/$gpu-$case.json"; then
			made=$((made + 1))
		else
			bad=$((bad + 1))
			sed "s/^/# $gpu $case: /" "$tmp/err"
		fi
	done
	echo "# $gpu: job files of $made captures, $bad failed"
	if [ $bad != 0 ] || [ $made -lt 20 ]; then
		status=1
	fi
done
# Wrong input is told, not traced.
refused() # ARGUMENTS
{
	if "$TOOL" "$@" >"$tmp/out" 2>"$tmp/err" || grep -q Traceback "$tmp/err"; then
		echo "# not refused: $*"
		status=1
	fi
}

one=$mali/capture/bifrost-g52/c_int.submit00.txt
refused --gpu g99 "$one"
refused --gpu g52 "$tmp/none.txt"
refused --gpu g52 "$TOOL"
printf 'jc\nbo\nbo 1000\n' >"$tmp/short.txt"
refused --gpu g52 "$tmp/short.txt"
printf '\377\n' >"$tmp/bytes.txt"
refused --gpu g52 "$tmp/bytes.txt"
# A job file on standard output finds its image from anywhere.
if ! "$TOOL" --gpu g52 "$one" | grep -q "\"image\": \"/"; then
	echo "# standard output: no absolute path"
	status=1
fi
VSHADER=$(realpath "$VSHADER")
cd "$tmp" || exit 1
"$VSHADER" test --device local . || status=1
exit $status
