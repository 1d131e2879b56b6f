#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What readline of an interactive bash makes of a line and a tab.

    complete.py FOLDER RCFILE < CASES

FOLDER is where bash is started; it reads RCFILE. A case is "LINE | LINE AFTER THE TAB", in which "~" is a
blank at the end, or "LINE | LINE AFTER THE TAB | REPLIES", with all words that the function offers in any order.
Prints "STATUS LINE" for each, and comments.
"""

import os
import pty
import sys
import time

SECONDS = 300	# of a shell that does not answer
RC = """
bind 'set bell-style none'
bind 'set completion-query-items -1'
_probe() {
	COMPREPLY=()
	_vshader "$@"
	local _code=$?
	printf '%s\\n' "${COMPREPLY[@]}" >"$PROBE/replies"
	return $_code
}
complete -F _probe vshader
_tell() { printf '%s\\n' "$READLINE_LINE" >"$PROBE/line.new" && mv "$PROBE/line.new" "$PROBE/line"; }
bind -x '"\\C-x\\C-p": _tell'
PROMPT_COMMAND=': >"$PROBE/ready"'
"""


def wait_for(path):
    end = time.monotonic() + SECONDS
    while not os.path.exists(path):
        if time.monotonic() > end:
            sys.exit("bash does not answer")
        time.sleep(0.01)


def read(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    os.unlink(path)
    return lines[:-1]


def start(folder, rcfile, probe):
    with open(rcfile, "a", encoding="utf-8") as file:
        file.write(RC)
    pid, tty = pty.fork()
    if not pid:
        os.chdir(folder)
        env = dict(os.environ, PROBE=probe, TERM="dumb", LC_ALL="C.UTF-8", INPUTRC="/dev/null", HISTFILE="")
        os.execvpe("bash", ["bash", "--noprofile", "--rcfile", rcfile, "-i"], env)
    wait_for(os.path.join(probe, "ready"))
    return tty


def main(folder, rcfile):
    probe = os.path.dirname(os.path.abspath(rcfile))
    tty = start(folder, rcfile, probe)
    for case in sys.stdin.read().splitlines():
        if not case.strip() or case.startswith("#"):
            continue
        given, expected, *replies = [part[1:] if part.startswith(" ") else part for part in case.split("|")]
        given = given[:-1]
        expected = (expected[:-1] if replies else expected).replace("~", " ")
        # an end of the line, a tab, the line as it is then, an empty line
        os.write(tty, given.encode() + b"\t\x18\x10")
        wait_for(os.path.join(probe, "line"))
        got = read(os.path.join(probe, "line"))[0]
        offered = read(os.path.join(probe, "replies"))
        os.write(tty, b"\x15")
        good = got == expected and (not replies or sorted(offered) == sorted(replies[0].split()))
        if not good:
            print("# %r became %r, expected %r" % (given, got, expected))
            print("# offered: %s" % " ".join(offered))
        print("%d %s" % (not good, given.strip() or "nothing"))
    os.close(tty)


if __name__ == "__main__":
    main(*sys.argv[1:])
