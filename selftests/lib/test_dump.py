#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Dumps of faults: each job of the job files that is to fault leaves one; it can be shown, and
becomes a job file that faults again with the same registers. TAP on stdout.

  test_dump.py VSHADER JOBS [DEVICE]
"""
import json
import os
import subprocess
import sys
import tempfile

FILES = ("bifrost/faults", "bifrost/chains", "midgard/faults", "midgard/chains", "qpu/jobs",
         "utgard/faults", "utgard/frame-faults", "demo/06-faults")
# What a dump and that of its job file have in common.
SAME = ("engine", "type", "fault", "code", "exact", "uniforms", "invocations")
count = 0
failed = 0


def result(ok, text, why=""):
    global count, failed
    count += 1
    print(("ok" if ok else "not ok"), count, text)
    if not ok:
        failed += 1
        for line in why[-1000:].splitlines():
            print("#", line)
    return ok


def call(*args):
    p = subprocess.run(args, capture_output=True, timeout=120, check=False)
    return p.returncode, p.stdout.decode(errors="replace"), p.stderr.decode(errors="replace")


def faults(job):
    return any(e.get("fault") not in (None, "none", "canceled", "timeout") and "submit" not in e
               for e in job.get("expect", [])) and not job.get("with_previous")


def show(vshader, dump, text):
    for option in ([], ["--all", "--memory"], ["--json"]):
        status, out, err = call(vshader, "dump", *option, dump)
        if status or not out:
            return result(False, text, err)
    return True


def again(vshader, device, tmp, dump, text):
    """The job file does it again."""
    second = os.path.join(tmp, "second.dump")
    status, _, err = call(vshader, "dump", "--job-file", tmp, dump)
    if status:
        return result(False, text, err)
    status, out, err = call(vshader, "run", "-d", device, "--dump", second,
                            os.path.join(tmp, "first.json"))
    if status:
        return result(False, text, out + err)
    one, two = (json.loads(call(vshader, "dump", "--json", d)[1]) for d in (dump, second))
    other = [k for k in SAME if one.get(k) != two.get(k)]
    return result(not other, text, "differ: " + " ".join(other))


def try_job(vshader, device, tmp, path, content, n):
    job = content["jobs"][n]
    text = "%s: %s" % (path, job.get("name", "job %d" % n))
    # beside the original, as it may name other files
    one = os.path.join(os.path.dirname(path), ".dump-%d.json" % os.getpid())
    dump = os.path.join(tmp, "first.dump")
    with open(one, "w", encoding="utf-8") as f:
        json.dump(dict(content, jobs=[job]), f)
    status, out, err = call(vshader, "run", "-d", device, "--dump", dump, one)
    os.unlink(one)
    if status:
        result(False, text, out + err)
        return
    if show(vshader, dump, text):
        again(vshader, device, tmp, dump, text)


def broken(vshader, tmp):
    """What is cut off or changed gives a message, never more."""
    with open(os.path.join(tmp, "first.dump"), "rb") as f:
        good = f.read()
    bad = os.path.join(tmp, "bad.dump")
    ok = True
    for cut in range(0, min(len(good), 4096), 41):
        with open(bad, "wb") as f:
            f.write(good[:cut])
        ok = ok and call(vshader, "dump", bad)[0] == 2
    result(ok, "dumps that are cut off")
    ok = True
    for at in range(8, min(len(good), 4096), 61):
        with open(bad, "wb") as f:
            f.write(good[:at] + bytes([good[at] ^ 0xff]) + good[at + 1:])
        ok = ok and call(vshader, "dump", "--all", bad)[0] in (0, 2)
    result(ok, "dumps with bytes changed")
    result(call(vshader, "dump", __file__)[0] == 2, "a file that is no dump")
    result(call(vshader, "dump", "--job-file", "/dev/null/x",
                os.path.join(tmp, "first.dump"))[0] == 2, "a folder that cannot be made")


NOP = "0x84000000"
# The triangle's programs: without an end, in both units.
PICA_DRAWS = (
    ("vertex", 1, [{"reg": "0x2cb", "values": [3]}, {"reg": "0x2cc", "values": [NOP]}]),
    ("geometry", 1, [
        {"reg": "0x229", "values": [2]}, {"reg": "0x244", "values": [1]},
        {"reg": "0x29b", "values": [0]}, {"reg": "0x29c", "values": [NOP] * 4},
        {"reg": "0x252", "values": [0]}, {"reg": "0x289", "values": ["0x08000002"]},
        {"reg": "0x28a", "values": ["0x7fff0000"]}, {"reg": "0x28d", "values": [7]},
        {"reg": "0x28b", "values": ["0x76543210", "0xfedcba98"], "consecutive": True}]),
)


def pica_draws(vshader, device, jobs, tmp):
    """Programs that a command list uploads: the dump has the draw, the vertex and the code."""
    with open(os.path.join(jobs, "demo/12-pica-picture.json"), encoding="utf-8") as f:
        text = f.read()
    dump = os.path.join(tmp, "first.dump")
    for stage, draw, changes in PICA_DRAWS:
        content = json.loads(text)
        commands = [m for m in content["memory"] if m["name"] == "commands"][0]
        commands = commands["data"]["commands"]
        last = [n for n, c in enumerate(commands) if c["reg"] == "0x22e"][draw]
        commands[last:last] = changes
        content["jobs"] = [dict(content["jobs"][1], expect=[{"fault": "fetch", "pc": 4}])]
        one = os.path.join(tmp, "draw.json")
        with open(one, "w", encoding="utf-8") as f:
            json.dump(content, f)
        what = "PICA200 draw, %s program" % stage
        status, out, err = call(vshader, "run", "-d", device, "--dump", dump, one)
        if not result(not status, what + ": it faults", out + err):
            continue
        seen = json.loads(call(vshader, "dump", "--json", dump)[1])
        result(seen["fault"]["text"].endswith("at word 0x004, invocation 0, draw %d" % draw) and
               [i["text"] for i in seen.get("code", [])][3:4] == ["nop"] and
               ", %s stage" % stage in call(vshader, "dump", dump)[1],
               what + ": draw, program, instruction, vertex", json.dumps(seen)[:900])
        result(seen["invocations"][0]["registers"]["v0"] is not None, what + ": registers")
        again(vshader, device, tmp, dump, what + ": again")


def nothing(vshader, device, jobs, tmp):
    names = sorted(os.listdir(os.path.join(jobs, "demo")))
    path = os.path.join(jobs, "demo", [n for n in names if n.endswith(".json")][0])
    if device == "local":
        status = call(vshader, "run", "-d", device, "--dump", os.path.join(tmp, "none"), path)[0]
        result(status == 2, "a job file without faults leaves no dump")


def uniforms(vshader, device, jobs, tmp):
    """Those that a program does not read are unknown."""
    dump = os.path.join(tmp, "uniforms.dump")
    status, out, err = call(vshader, "run", "-d", device, "--dump", dump,
                            os.path.join(jobs, "bifrost/faults.json"))
    seen = json.loads(call(vshader, "dump", "--json", dump)[1]).get("uniforms", {})
    result(status == 0 and seen.get("u0") and seen.get("u1") and seen.get("u2", 0) is None,
           "bifrost/faults: uniforms", out + err + json.dumps(seen)[:300])


def main(vshader, jobs, device):
    print("TAP version 13")
    with tempfile.TemporaryDirectory() as tmp:
        for name in FILES:
            path = os.path.join(jobs, name + ".json")
            with open(path, encoding="utf-8") as f:
                content = json.load(f)
            for n, job in enumerate(content["jobs"]):
                if faults(job):
                    try_job(vshader, device, tmp, path, content, n)
        broken(vshader, tmp)
        uniforms(vshader, device, jobs, tmp)
        pica_draws(vshader, device, jobs, tmp)
        nothing(vshader, device, jobs, tmp)
    print("1..%d" % count)
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], os.path.abspath(sys.argv[2]),
                  sys.argv[3] if len(sys.argv) > 3 else "local"))
