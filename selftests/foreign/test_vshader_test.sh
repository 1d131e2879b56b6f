#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# "vshader test" of files with names of all kinds, with failures, and that cannot be read or run: TAP
# and JUnit, counted by the readers of others.

. "$(dirname "$0")/foreign.sh"

mkdir "$work/jobs"
python3 - "$work/jobs" <<'END'
import json, sys
def file(name, *jobs, program=None):
    """Jobs that double a vector: good ones, and bad ones that expect something else."""
    with open("%s/%s" % (sys.argv[1], name), "w", encoding="utf-8") as out:
        json.dump({"vshader": 1, "programs": [{**({"name": program} if program else {}), "asm":
                   ".fvec scale\n.out pos position\n.in place\n.proc main\n\tmul pos, scale, place"
                   "\n\tend\n.end\n"}], "jobs": [
            {**({"name": job} if job else {}), "count": 1, "outputs": ["position"],
             "attributes": [{"reg": "place", "data": [[1, 2, 3, 4]]}],
             "pica": {"model": "f24", "uniforms": {"scale": [2, 2, 2, 1]}},
             "expect": [{"output": "position", "f32": [[2, 4, 6, 4 if good else 5]]}]}
            for job, good in jobs]}, out)
file("1 digits first.json", ("5 lights", True), ("10", True))
file("same.json", ("same", True), ("same", True), ("same (2)", True), ("same", False),
     program="same")
file("unnamed.json", (None, True), (None, True))
file("names.json", ("light # 1", True), ("# SKIP none", True), ("todo # TODO", False),
     ("C:\\dir\\file", True), ("ends in \\", True), ("100% %41 %23", True), ("- dash", True),
     ("new\nline\tand tab\r", True), ("not ok 3", False), ("gr\u00f6\u00dfe \U0001f600", True),
     ("<b>&\"quoted'", True), ("1..3", True), ("Bail out!", True), ("a" * 300, True), ("t", True), ("t ", True), (" t", True),
     ("t t", True), ("t  t", True), ("t\u2028t", True), ("t\u00a0", True))
with open(sys.argv[1] + "/broken.json", "w") as out:
    out.write("{")
# a region that the address space does not have
with open(sys.argv[1] + "/unnamed.json", encoding="utf-8") as text:
    cannot_run = json.load(text)
cannot_run["vms"] = [{"name": "small", "bits": 32}]
cannot_run["memory"] = [{"vm": "small", "va": "0xffffff000", "size": 4096}]
with open(sys.argv[1] + "/cannot-run.json", "w", encoding="utf-8") as out:
    json.dump(cannot_run, out)
END
# programs are results, too
"$VSHADER" test --device local --junit "$work/j.xml" "$work/jobs" >"$work/j.tap" 2>"$work/j.err"
test $? = 1
result $? "vshader test: status of a failure"
counted "$work/j.tap" "$((3 + 4 + 3 + 20)) passed, $((1 + 2 + 1 + 3)) failed, 0 skipped" "vshader test"
names "$work/j.tap" "vshader test"
reader junitparser "$work/j.xml" "$((3 + 4 + 3 + 20)) passed, $((1 + 2 + 1 + 3)) failed, 0 skipped" \
	"vshader test"
# a file given twice, and one that can be read once only
# shellcheck disable=SC2002
cat "$work/jobs/same.json" | "$VSHADER" test --device local --junit "$work/j.xml" \
	"$work/jobs/same.json" "$work/jobs/same.json" /dev/stdin >"$work/j.tap" 2>"$work/j.err"
counted "$work/j.tap" "12 passed, 3 failed, 0 skipped" "vshader test, a file twice"
names "$work/j.tap" "vshader test, a file twice"
reader junitparser "$work/j.xml" "12 passed, 3 failed, 0 skipped" "vshader test, a file twice"
mkfifo "$work/fifo"
echo '{' >"$work/fifo" &
"$VSHADER" test --device local "$work/fifo" >"$work/j.tap"
test $? = 1
result $? "vshader test: status of a fifo that is no job file"
counted "$work/j.tap" "0 passed, 1 failed, 0 skipped" "vshader test, a fifo that is no job file"
"$VSHADER" test --device local --shard 2/2 "$work/jobs/same.json" >"$work/j.tap"
result $? "vshader test: status of an empty shard"
counted "$work/j.tap" "0 passed, 0 failed, 1 skipped" "vshader test, an empty shard"
finish
