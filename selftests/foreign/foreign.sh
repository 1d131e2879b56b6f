# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# For tests of this folder, which begin with
#
#   . "$(dirname "$0")/foreign.sh"
#
# $work is a folder of their own; result STATUS TEXT and skip TEXT REASON print a result each, and
# finish the plan. TOP, PROJECT, VSHADER, JOBS, KHDR, CC and VSHADER_CACHE are set by suite.mk.

. "$(dirname "$0")/../lib/result.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
echo "TAP version 13"

# skip TEXT REASON: a result that this machine cannot have.
skip()
{
	n=$((n + 1))
	echo "ok $n $1 # SKIP $2"
}

# shows STATUS FILE: the file as comments if the status is not 0; returns the status.
shows()
{
	[ "$1" = 0 ] || sed 's/^/# | /' "$2" | tail -n 40
	return "$1"
}

# python_has MODULE
python_has()
{
	python3 -c "import $1" >/dev/null 2>&1
}

# reader NAME FILE WANT TEXT: what this reader counts, and that it complains about nothing.
reader()
{
	/usr/bin/python3 "$(dirname "$0")/readers.py" "$1" "$2" >"$work/said" 2>&1
	_code=$?
	if [ $_code = 77 ]; then
		skip "$1: $4" "$(cat "$work/said")"
		return
	fi
	printf '%s\n' "$3" >"$work/want"
	cmp -s "$work/said" "$work/want" || {
		echo "# $1: expected: $3"
		_code=1
	}
	shows $_code "$work/said"
	result $_code "$1: $4"
}

# counted FILE WANT TEXT [READERS]: a stream of TAP is the same for all readers.
counted()
{
	find_readers
	for _reader in ${4:-prove tappy tap-parser kunit lava tap-sum}; do
		if [ "$_reader" = kunit ] && [ "$sources" ]; then
			for _source in $sources; do
				KUNIT=$_source/tools/testing/kunit/kunit.py
				reader kunit "$1" "$2" "$3 (Linux $(version_of "$_source"))"
			done
		else
			reader "$_reader" "$1" "$2" "$3"
		fi
	done
}

# names FILE TEXT: each result of a stream has a name of its own, also for readers that remove blanks
names()
{
	sed -n 's/^\(not \)\{0,1\}ok [0-9]* //p' "$1" |
		sed 's/ # SKIP .*//; s/[[:space:]][[:space:]]*/ /g; s/ $//' | sort >"$work/names"
	uniq -d "$work/names" >"$work/twice"
	[ -s "$work/names" ] && [ ! -s "$work/twice" ]
	shows $? "$work/twice"
	result $? "$2: names are unique"
}

# version_of SOURCE: of Linux, from the name of the folder.
version_of()
{
	echo "${1##*/}" | sed 's/^[a-z-]*-\([0-9]*\.[0-9]*\).*/\1/'
}

# Once: those that are installed into the cache.
find_readers()
{
	[ -z "${sources+found}" ] || return 0
	sources=$(sh "$(dirname "$0")/linux.sh")
	NODE_MODULES=$(sh "$(dirname "$0")/npm.sh" 2>"$work/npm") || echo "# $(cat "$work/npm")"
	export KUNIT NODE_MODULES TOP
}

finish()
{
	echo "1..$n"
	exit $status
}
