#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""vshader record: the job files of each instruction set are run and recorded; what was recorded is
run again, by the same and by another executor, and gives the same memory. TAP on stdout.

  test_record.py VSHADER JOBS [DEVICE]
"""
import json
import os
import resource
import struct
import subprocess
import sys
import tempfile

FOLDERS = ("bifrost", "midgard", "qpu", "utgard", "pica", "demo")
count = 0
failed = 0


def result(ok, text, why=""):
    global count, failed
    count += 1
    print("ok" if ok else "not ok", count, text)
    if not ok:
        failed += 1
        for line in why[-2000:].splitlines():
            print("#", line)


def call(*args, cwd=None):
    p = subprocess.run(args, capture_output=True, timeout=600, check=False, cwd=cwd)
    return p.returncode, p.stdout.decode(errors="replace") + p.stderr.decode(errors="replace")


def bad_lines(text):
    return "\n".join(line for line in text.splitlines() if not line.startswith("ok"))


def folder(vshader, jobs, device, name, tmp):
    out = os.path.join(tmp, name)
    status, text = call(vshader, "record", "-o", out, "--", vshader, "test", "-d", device,
                        os.path.join(jobs, name))
    result(not status and "could not be" not in text, name + ": recorded", bad_lines(text))
    files = [f for f in os.listdir(out) if f.endswith(".json")]
    result(len(files) > 3, "%s: %d jobs" % (name, len(files)))
    compared = 0
    for f in files:
        with open(os.path.join(out, f), encoding="utf-8") as content:
            compared += sum("image" in e for j in json.load(content)["jobs"]
                            for e in j.get("expect", []))
    result(compared > 1, "%s: memory of %d jobs is compared" % (name, compared))
    for where in (device, "local:simd=portable,workers=1"):
        status, text = call(vshader, "test", "-d", where, out)
        result(not status, "%s: the same again, %s" % (name, where), bad_lines(text))


def first_job(vshader, jobs, device, tmp):
    """A job file, recorded, then with another byte expected."""
    path = os.path.join(jobs, "bifrost")
    path = os.path.join(path, sorted(f for f in os.listdir(path) if f.endswith(".json"))[0])
    out = os.path.join(tmp, "first")
    call(vshader, "record", "-o", out, "--", vshader, "run", "-d", device, path)
    after = sorted(f for f in os.listdir(out) if f.endswith(".after"))
    name = os.path.join(out, after[0])
    with open(name, "rb") as f:
        content = bytearray(f.read())
    content[16] ^= 1
    with open(name, "wb") as f:
        f.write(content)
    status, text = call(vshader, "test", "-d", device, name[:-5] + "json")
    result(status == 1, "a byte that differs is found", text)


def few_pages(vshader, jobs, device, tmp):
    """A job with a large buffer of which it uses little: only that is read, and written before it is run."""
    out = os.path.join(tmp, "few")
    call(vshader, "record", "-o", out, "--", vshader, "run", "-d", device,
         os.path.join(jobs, "bifrost", "shaders.json"))
    path = os.path.join(out, "job00001.json")
    with open(path, encoding="utf-8") as f:
        job = json.load(f)
    ranges = job["memory"][0]["ranges"]
    ranges.append({"va": max(int(r["va"], 0) + r["size"] for r in ranges), "size": 512 << 20})
    with open(path, "w", encoding="utf-8") as f:
        json.dump(job, f)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
    status, text = call(vshader, "run", "-d", device, path)
    faults = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before
    result(not status and faults < 20000, "512 MiB without contents: %d page faults" % faults, text)


def pages(path):
    with open(path, "rb") as f:
        content = f.read()
    found, at = set(), 0
    while at < len(content):
        va, size = struct.unpack_from("<QQ", content, at)
        found.update(range(va // 4096, (va + size - 1) // 4096 + 1))
        at += 16 + size
    return found


def two_jobs(vshader, jobs, device, tmp):
    """Memory of the first job is expected after the second one, which may write it again."""
    with open(os.path.join(jobs, "demo", "02-number-formats.json"), encoding="utf-8") as f:
        content = json.load(f)
    first = content["jobs"][0]
    content["jobs"] = [dict(first, name="first"), dict(first, name="second")]
    path = os.path.join(tmp, "twice.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump(content, f)
    out = os.path.join(tmp, "twice")
    status, text = call(vshader, "record", "-o", out, "--", vshader, "run", "-d", device, path)
    result(not status, "the same job twice: recorded", text)
    before, after = (pages(os.path.join(out, "job00002." + s)) for s in ("image", "after"))
    result(before and before <= after, "all memory is compared", "%d of %d pages"
           % (len(before & after), len(before)))
    status, text = call(vshader, "test", "-d", device, out)
    result(not status, "the same job twice: the same again", bad_lines(text))


def commands(vshader, jobs, device, tmp):
    out = os.path.join(tmp, "commands")
    status, text = call(vshader, "record", "-o", out, "--", "/nonexistent")
    result(status == 127 and "nonexistent" in text, "a command that there is not", text)
    status, text = call(vshader, "record", "-o", out, "--", "sh", "-c", "exit 42")
    result(status == 42, "status of the command", text)
    status, text = call(vshader, "record", "-o", out, "sh", "-c", "kill -9 $$")
    result(status == 137, "a command that is killed", text)
    status, text = call(vshader, "record", "-o", "/dev/null/x", "true")
    result(status == 2, "a folder that cannot be made", text)
    status, text = call(vshader, "record")
    result(status == 2, "no command", text)
    for size in ("0", "1025", "x", ""):
        status, text = call(vshader, "record", "-b", size, "true")
        result(status == 2, "a buffer of \"%s\" MiB" % size, text)
    # as on a full disk
    part = os.path.join(tmp, "part")
    os.makedirs(os.path.join(part, "job00002.image"))
    status, text = call(vshader, "record", "-o", part, "--", vshader, "run", "-d", device,
                        os.path.join(jobs, "demo", "01-lit-mesh.json"))
    result(status == 2 and "record: 1 jobs in" in text, "a file that cannot be written", text)
    status, text = call(vshader, "record", "-d", "/dev/null", "-o", out, "true")
    result(status == 2 and "/dev/null" in text, "a device that cannot be recorded", text)
    path = os.path.join(jobs, "bifrost")
    one = "%s test -d %s %s" % (vshader, device, path)
    status, text = call(vshader, "record", "-o", out, "--", "sh", "-c",
                        "%s & %s; wait" % (one, one))
    files = [f for f in os.listdir(out) if f.endswith(".json")]
    result(not status and len(files) > 10, "two processes at a time", bad_lines(text))
    status, text = call(vshader, "test", "-d", device, out)
    result(not status, "what they did again", bad_lines(text))


def main(vshader, jobs, device):
    print("TAP version 13")
    with tempfile.TemporaryDirectory() as tmp:
        for name in FOLDERS:
            folder(vshader, jobs, device, name, tmp)
        first_job(vshader, jobs, device, tmp)
        few_pages(vshader, jobs, device, tmp)
        two_jobs(vshader, jobs, device, tmp)
        commands(vshader, jobs, device, tmp)
    print("1..%d" % count)
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]),
                  sys.argv[3] if len(sys.argv) > 3 else "local"))
