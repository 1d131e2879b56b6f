#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The answers of "vshader debug --dap" have the form of those of gdb's own adapter: this machine's gdb,
# if it has one, and those of Debian 13 and sid.

. "$(dirname "$0")/foreign.sh"

here=$(cd "$(dirname "$0")" && pwd)
text=$here/dap_gdb.c
# one job that ends, of a demo
cp "$JOBS/demo/saxpy.qasm" "$JOBS/demo/mandelbrot.qasm" "$work/"
source=$work/saxpy.qasm
python3 - "$JOBS/demo/08-qpu.json" "$work/job.json" <<'END' || exit 1
import json
import sys
with open(sys.argv[1], encoding="utf-8") as file:
    job = json.load(file)
job["jobs"] = [j for j in job["jobs"] if j["name"] == "saxpy"]
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump(job, file)
END

line_of()
{
	grep -n "$1" "$2" | head -n 1 | cut -d : -f 1
}

# session NAME GDB...
session()
{
	_name=$1
	shift
	python3 "$here/dap_gdb.py" "$VSHADER" "$work/job.json" "$source" \
		"$(line_of '^	mov t0s, ra0' "$source")" "$work/program" "$text" \
		"$(line_of breakpoint "$text")" "$_name" "$@" -nx -i=dap >"$work/said" 2>"$work/error"
	_code=$?
	while read -r _line; do
		case $_line in
		'ok - '*) result 0 "${_line#ok - }" ;;
		'not ok - '*) result 1 "${_line#not ok - }" ;;
		*) echo "$_line" ;;
		esac
	done <"$work/said"
	[ $_code = 0 ] && grep -q "^ok" "$work/said"
	shows $? "$work/error"
	result $? "$_name: a session"
}

if [ "${QUICK:-}" ]; then
	skip gdb "packages of Debian 13 and sid, in make check-all"
	finish
fi
if [ "$(dpkg --print-architecture 2>/dev/null)" != amd64 ]; then
	skip gdb "the packages are for amd64"
	finish
fi
${CC:-gcc} -g -O0 "$text" -o "$work/program" || exit 1
for suite in trixie sid; do
	root=$(sh "$here/packages.sh" $suite amd64 gdb 2>"$work/error") || {
		skip "gdb of $suite" "$(tail -n 1 "$work/error")"
		continue
	}
	sed 's/^/# /' "$root/versions"
	version=$(sed 's/.*Version: \([0-9]*\).*/\1/' "$root/versions")
	lib=$root/usr/lib/x86_64-linux-gnu
	# gdb's Python is that of the packages
	session "gdb $version" env PYTHONHOME="$root/usr" "$lib/ld-linux-x86-64.so.2" \
		--library-path "$lib" "$root/usr/bin/gdb" --data-directory "$root/usr/share/gdb"
done
finish
