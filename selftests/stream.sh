# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Several programs that print TAP, as one stream; sourced. Documentation/ci.rst has its form. The
# plan comes first, so that results are printed when all programs have ended; meanwhile stderr tells,
# in comments, which program runs and what has failed. $here is the folder of stream.awk.

# stream_begin: once, before the others.
stream_begin()
{
	stream=$(mktemp -d) || exit 1
	: >"$stream/all"
	trap 'rm -rf "$stream"' EXIT
	# the program that runs comes to its end first
	trap 'stream_add interrupted 130 /dev/null; stream_end; exit 1' HUP INT TERM
	echo "TAP version 13"
}

# stream_add NAME STATUS FILE [LIMIT [SECONDS]]: a program has printed the file and has ended with this
# status.
stream_add()
{
	tr '\000' '?' <"$3" |
		LC_ALL=C awk -f "${here:?}/stream.awk" -v program="$1" -v status="$2" -v limit="${4:-}" \
			>"$stream/one"
	cat "$stream/one" >>"$stream/all"
	grep '^not ok' "$stream/one" | sed 's/^/# /' >&2
	echo "# $1: $(grep -c '^ok' "$stream/one") passed or skipped," \
		"$(grep -c '^not ok' "$stream/one") failed${5:+ ($5 s)}" >&2
}

# stream_run NAME LIMIT COMMAND...: run a program, for at most LIMIT seconds if that is not empty.
stream_run()
{
	_name=$1
	_limit=$2
	shift 2
	echo "# $_name ..." >&2
	_began=$(date +%s)
	${_limit:+timeout -k 10 "$_limit"} "$@" >"$stream/out" 2>"$stream/err"
	_status=$?
	sed 's/^/# stderr: /' "$stream/err" >>"$stream/out"
	stream_add "$_name" $_status "$stream/out" "$_limit" $(($(date +%s) - _began))
}

# stream_end: print the stream. Status 1 if a result is bad.
stream_end()
{
	LC_ALL=C awk -f "${here:?}/stream.awk" -v join=1 "$stream/all"
}
