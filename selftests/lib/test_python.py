#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The Python module. TAP on stdout.

usage: VSHADER=PATH VSHADER_LIBDIR=DIR PYTHONPATH=DIR test_python.py JOBS [DEVICE]
"""

import array
import json
import math
import os
import pathlib
import signal
import sys
import tempfile
import threading

try:
    import vshader
except ImportError as error:
    print("TAP version 13\n1..1\nnot ok 1 the module is imported\n# %s" % error)
    sys.exit(1)

try:
    import numpy
except ImportError:
    numpy = None

SCALE = ".fvec scale\n.out pos position\n.in place\n.proc main\n\tmul pos, scale, place\n" \
        "\tend\n.end\n"
SPIN = {"engine": "qpu",
        "programs": [{"name": "spin", "asm": ":top\nbrr -, :top\nnop\nnop\nnop\n"}],
        "jobs": [{"name": "spin", "program": "spin", "qpu": {"threads": [{"uniforms": [1]}]}}]}


class Tests:
    def __init__(self):
        self.number = 0
        self.failed = 0

    def check(self, good, name, seen=None):
        self.number += 1
        if not good:
            self.failed += 1
            print("# %s" % (seen,))
        print("%sok %d %s" % ("" if good else "not ", self.number, name), flush=True)

    def equal(self, seen, wanted, name):
        self.check(seen == wanted, name, "%r, expected %r" % (seen, wanted))

    def raises(self, function, wanted, name, kind=vshader.Error):
        """Is an exception raised whose text has @wanted? Returns it."""
        try:
            seen = function()
        except kind as error:
            self.check(wanted in str(error), name, "%r, expected %r" % (error, wanted))
            return error
        except Exception as error:  # pylint: disable=broad-except
            self.check(False, name, repr(error))
            return error
        self.check(False, name, "%r, expected an exception" % (seen,))
        return None


def scale_job(**members):
    return dict({"programs": [vshader.assemble("pica", SCALE)[0]],
                 "jobs": [{"name": "scale", "count": 2,
                           "attributes": [{"reg": "place", "data": list(range(8))}],
                           "outputs": ["position"],
                           "pica": {"uniforms": {"scale": [2, 2, 2, 1]}}}]}, **members)


def programs(t, jobs):
    t.equal(vshader.__version__, "1.0", "version")
    t.equal(vshader.engines,
            ["pica", "qpu", "bifrost", "midgard", "utgard-gp", "utgard-pp"], "engines")
    binary = vshader.assemble("pica", SCALE)
    program = binary[0]
    t.equal((len(binary), program.engine, program.stage, len(program.words)),
            (1, "pica", "vertex", 2), "a program is assembled")
    t.equal((program.labels, program.names["scale"]), ({"main": 0}, "$c0"), "its names")
    t.equal([(line.offset, line.line) for line in program.lines], [(0, 5), (1, 6)], "its lines")
    t.equal([(r.name, r.kind) for r in program.registers if r.name],
            [("place", "v"), ("scale", "c")], "its registers")
    t.check("mul o0, c0, v0" in program.disassemble(), "its listing")
    t.equal([i.text for i in program.instructions()], ["mul o0, c0, v0", "end"],
            "its instructions")
    again = vshader.assemble("pica", program.disassemble())[0]
    t.equal((again.words, again.opdesc), (program.words, program.opdesc),
            "the listing assembles to the same words")
    t.equal(vshader.disassemble("pica", program.words, program.opdesc), program.disassemble(),
            "disassemble() of words")
    info = program.verify()
    t.equal((info.code_words, info.inputs, info.outputs), (2, 1, 1), "the verifier's report")
    loaded = vshader.load(binary.write())
    t.equal(loaded[0].words, program.words, "a container is written and loaded")
    lit = vshader.load(jobs / "demo/lit.shbin")
    t.check(len(lit) >= 1 and len(lit[0].words) > 20, "a container is loaded from a file")
    odd = vshader.assemble("pica", SCALE.replace("mul pos, scale, place", "mov pos.zw, place.zw"))
    t.check(odd.warnings.startswith("source:5:14: warning: '.zw' is '.zwww'"),
            "warnings of the assembler", odd.warnings)
    for engine, source in (("qpu", "mov r0, 1\nthrend\nnop\nnop\n"),
                           ("bifrost", (jobs / "bifrost/shaders.json", 0)),
                           ("midgard", (jobs / "midgard/shaders.json", 0))):
        if isinstance(source, tuple):
            source = json.loads(source[0].read_text())["programs"][source[1]]["asm"]
        program = vshader.assemble(engine, source)[0]
        again = vshader.assemble(engine, program.disassemble())[0]
        t.equal(again.words, program.words, "%s: a listing is assembled again" % engine)


def program_errors(t, folder):
    error = t.raises(lambda: vshader.assemble("pica", "foo\n", "shader.v"),
                     "shader.v:1:1: error: 'foo' is not an instruction", "an assembler's error")
    t.equal(error.errno, 22, "its number")
    t.raises(lambda: vshader.assemble("vax", "nop"), "no engine \"vax\"; engines are pica, qpu",
             "no such engine")
    t.raises(lambda: vshader.Program("pica", [0x100000000]), "0x100000000 is no word of 32 bits",
             "a word that is too large", ValueError)
    t.raises(lambda: vshader.disassemble("qpu", [0, -1]), "-0x1 is no word", "a negative word",
             ValueError)
    t.raises(lambda: vshader.disassemble("qpu", [0, 0, 0]), "groups of 2 words", "half a word")
    t.raises(lambda: vshader.assemble("pica", 5), "", "a number for a source", TypeError)
    t.raises(lambda: vshader.Program("pica", [0], stage="pixel"), "no stage \"pixel\"",
             "no such stage")
    t.raises(lambda: vshader.load(b"DVLB"), "SHBIN", "a damaged container")
    error = t.raises(vshader.Program("bifrost", [0xffffffff] * 4, stage="compute").verify, "",
                     "a rejected program", vshader.Rejected)
    t.equal((error.errno, error.offset, bool(error.log)), (8, 0, True), "the verifier's place")
    t.raises(lambda: vshader.Program("pica", [0x84000000], (), "vertex", (7,)).verify(), "entr",
             "a bad entry")
    (folder / "a.qinc").write_text(".set four, 4\n")
    source = ".include \"a.qinc\"\nmov r0, four\nthrend\nnop\nnop\n"
    by_folder = vshader.assemble("qpu", source, include=folder)[0]
    by_call = vshader.assemble("qpu", source, include=lambda name: (folder / name).read_text())[0]
    t.equal(by_folder.words, by_call.words, "included files")
    t.raises(lambda: vshader.assemble("qpu", source, include=lambda name: 1 // 0), "a.qinc",
             "an include that fails")


def arrays(t, device, jobs):
    result = device.run(scale_job())
    t.equal(list(result), ["scale.position"], "the name of an output")
    view = result["position"]
    t.equal((view.format, view.shape), ("f", (2, 4)), "its format and shape")
    t.equal(view.tolist(), [[0, 2, 4, 3], [8, 10, 12, 7]], "its values")
    t.check(result.passed and result.jobs[0]["status"] == "ok" and
            result.jobs[0]["invocations"] == 2, "the report")
    numbers = array.array("f", [1, 2, 3, 4])
    job = scale_job(memory=[{"name": "in", "data": numbers},
                            {"name": "two", "data": [b"\x01\x02", {"u32": [7]}]}])
    job["jobs"][0].update(count=1, attributes=[{"reg": "place", "data": numbers}])
    result = device.run(job)
    t.equal(result["position"].tolist(), [[2, 4, 6, 4]], "an array as input")
    t.equal(result["in"].cast("f").tolist(), [1, 2, 3, 4], "an array as memory")
    t.equal(bytes(result["two"]), b"\x01\x02\x07\0\0\0", "pieces of memory")
    result = device.run(jobs / "bifrost/frame.json")
    t.equal((result["fragments.depth"].format, result["fragments.depth"].shape),
            ("I", (96, 96)), "depth of a frame")
    view = device.run(jobs / "demo/09-bifrost.json")["bifrost-triangle"]
    t.equal((view.format, view.shape), ("B", (8, 8, 4)), "an image of a job file")
    t.check(len(set(view.tobytes())) > 5, "something has been drawn")
    result = device.run(jobs / "demo/02-number-formats.json")
    t.check(all(view.format == "f" for name, view in result.items() if "." in name),
            "formats of outputs become binary32", {n: v.format for n, v in result.items()})
    result = device.run(jobs / "utgard/shaders.json")
    t.check(all(math.isfinite(x) for name in result if name.endswith(".o0")
                for row in result[name].tolist() for x in row), "Utgard's outputs")
    if numpy:
        seen = numpy.asarray(device.run(scale_job())["position"])
        t.check(seen.dtype == numpy.float32 and seen.shape == (2, 4) and seen[1, 2] == 12,
                "numpy.asarray()", seen)
    twice = scale_job()
    twice["jobs"].append(dict(twice["jobs"][0], name="other"))
    result = device.run(twice)
    t.raises(lambda: result["position"], "one of scale.position, other.position",
             "an output of two jobs", KeyError)
    t.equal(result["other.position"].tolist()[1], [8, 10, 12, 7], "with the job's name")
    t.raises(lambda: result["nothing"], "nothing", "an unknown name", KeyError)
    del twice["jobs"][0]["name"]
    t.equal(sorted(device.run(twice)), ["0.position", "other.position"], "a job without a name")


def formats(t, device):
    """Images of each kind, drawn by nobody: what memory has."""
    def image(name, data, **members):
        job = scale_job(memory=[{"name": "pixels", "data": bytes(data), "size": 4096}],
                        images=[dict({"name": name, "at": "pixels", "width": 2, "height": 2},
                                     **members)])
        return device.run(job)[name]

    view = image("rgba", range(16))
    t.equal((view.format, view.shape, view[1, 0, 2]), ("B", (2, 2, 4), 10), "rgba8")
    view = image("flipped", range(16), flip=True)
    t.equal(view[0, 0, 0], 8, "the first row is the upper one")
    view = image("packed", range(8), format="rgb565")
    t.equal((view.format, view.shape, view[0, 1]), ("H", (2, 2), 0x302), "rgb565: words")
    view = image("half", b"\x00\x3c\x00\xc0" * 4, format="r16g16f")
    t.equal((view.format, view.shape, view.tolist()[1][1]), ("f", (2, 2, 2), [1, -2]),
            "binary16 becomes binary32")
    view = image("signed", b"\xff\xff\xff\xff" * 4, format="r32si")
    t.equal((view.format, view[0, 0]), ("i", -1), "signed integers")
    view = image("gaps", range(64), stride=32)
    t.equal(view[1, 1, 0], 36, "rows with gaps")
    view = image("blocks", range(256), layout="u-interleaved", format="r8")
    t.equal(view.tolist(), [[0, 1], [3, 2]], "blocks of Mali")


def job_errors(t, device, folder, jobs):
    job = scale_job()
    job["jobs"][0]["expect"] = [{"output": "position", "f32": [[1, 2, 3, 4]]}]
    error = t.raises(lambda: device.run(job), "scale: position: 3 of 4 values differ",
                     "a result that differs", vshader.Failed)
    t.equal(error.result["position"].tolist()[0], [0, 2, 4, 3], "its buffers are there")
    t.check(not device.run(job, check=False).passed, "without a check")
    faulty = {"programs": [{"words": ["0x88000000"]}],
              "jobs": [{"count": 1, "attributes": [{"reg": 0, "at": 0x10000000}]}]}
    error = t.raises(lambda: device.run(faulty), "read of an unmapped address 0x10000000",
                     "a fault", vshader.Failed)
    fault = error.result.jobs[0]["fault"]
    t.equal((fault["kind"], fault["address"], error.result.jobs[0]["status"]),
            ("read", 0x10000000, "EIO"), "its record")
    t.raises(lambda: device.run({"jobs": [{}]}), "jobs[0]: a shader job needs a program",
             "an error in a job file")
    t.raises(lambda: device.run({"jobs": [{}], "colour": 1}), "colour", "an undefined member")
    t.raises(lambda: device.run(folder / "none.json"), "none.json", "a missing file", OSError)
    t.raises(lambda: device.run({"memory": [{"name": "m", "data": {"file": "none.bin"}}],
                                 **scale_job()}, folder), "none.bin", "a file that it names")
    (folder / "m.bin").write_bytes(b"abcd")
    result = device.run(scale_job(memory=[{"name": "m", "data": {"file": "m.bin"}}]), folder)
    t.equal(bytes(result["m"]), b"abcd", "a file in the folder")
    t.raises(lambda: vshader.Device("local:frob=1"), "frob", "a bad option of a device")
    t.raises(lambda: vshader.Device("/dev/null"), "/dev/null", "a device of something else")
    with vshader.Device("local:workers=1,simd=portable") as other:
        t.equal((other.name, other.local, other.version[0]), ("local", True, 1), "another device")
        t.equal(other.run(scale_job())["position"].tolist()[1], [8, 10, 12, 7], "runs the job")
    t.raises(lambda: other.run(scale_job()), "closed", "a closed device")
    t.check("pica" in device.engines, "engines of the device")
    results = []
    threads = [threading.Thread(target=lambda: results.append(
        device.run(jobs / "demo/01-lit-mesh.json").passed)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    t.equal(results, [True] * 4, "four threads")


def sessions(t, device, folder, jobs):
    with device.debug(jobs / "demo/01-lit-mesh.json") as session:
        number = session.break_at("lit:0x10", "invocation == 5")
        stop = session.run()
        t.equal((stop.reason, stop.breakpoint, stop.invocation, stop.pc),
                ("breakpoint", number, 5, 0x10), "a breakpoint stops")
        t.equal(session.floats("r3")["r3"][1:], (0, 0, 0), "a register")
        t.equal(round(session.value("$r3.x"), 4), 0.828, "a component")
        t.equal(len(session.value("$r3")), 4, "a vector")
        session.set("$r3.x", 0.25)
        t.equal(session.step().reason, "step", "a step")
        t.equal(session.value("$r4"), (0.125, 0.125, 0.25, 1), "the changed register counts")
        t.equal(len(session.invocations()), 36, "invocations")
        session.select(7)
        t.equal(session.value("$invocation"), 7, "another invocation")
        t.equal(dict(session.disassemble())[0x10], "mov r4, c10", "instructions")
        t.raises(lambda: session.value("$nothing"), "no register or variable \"$nothing\"",
                 "an error of the debugger")
        t.raises(lambda: session.break_at("lit:0x999"), "No instruction of lit begins at 0x999",
                 "a bad place")
        session.delete()
        stop = session.resume()
        t.check(stop.ended and stop.failed == 1, "the end", stop)
    t.raises(lambda: session("run"), "ended", "a closed session")
    (folder / "scale.v").write_text(SCALE)
    job = scale_job(programs=[{"name": "main", "asm": {"file": "scale.v"}}])
    job["memory"] = [{"name": "m", "data": b"\x00\x00\x80\x3f\x01\x02\x03\x04"}]
    with device.debug(job, folder) as session:
        session.start()
        t.equal(session.read("m", 8), bytes(job["memory"][0]["data"]), "memory is read")
        session.write("m", b"\x00\x00\x00\x40")
        t.equal(session.value("{f32} m"), 2.0, "memory is written")
        session.break_at("scale.v:6")
        t.equal((session.resume().pc, session("bt") and "scale.v:6" in session.text),
                (1, True), "a line of the source")
    with device.debug(jobs / "bifrost/shaders.json") as session:
        session.catch_nan()
        stop = session.run()
        t.check(stop.ended, "no NaN is caught where there is none", stop)
    t.raises(lambda: device.debug(folder / "none.json"), "none.json", "no such file")
    t.raises(lambda: device.debug({"jobs": [{}]}), "a shader job needs a program",
             "an error in the job file")
    with device.debug(SPIN) as session:
        stopped = threading.Event()

        def interrupt():
            # one that comes before the job is nothing
            while not stopped.wait(0.5):
                os.kill(session._process.pid, signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        try:
            reason = session.run().reason
        finally:
            stopped.set()
            thread.join()
        t.equal(reason, "interrupt", "a job that does not end is interrupted")


def nan_job():
    source = ".out pos position\n.in a\n.proc main\n\trsq r0, a\n\tmul r0, r0, r0\n" \
             "\tmov pos, r0\n\tend\n.end\n"
    return {"programs": [vshader.assemble("pica", source)[0]],
            "jobs": [{"name": "root", "attributes": [{"reg": "a", "data": [-1, 1, 1, 1]}],
                      "outputs": ["position"]}]}


def nans(t, device):
    t.check(math.isnan(device.run(nan_job())["position"][0, 0]), "a job that makes a NaN")
    with device.debug(nan_job()) as session:
        session.catch_nan()
        stop = session.run()
        t.equal((stop.reason, session.events[-1]["insn"][:3]), ("nan", "mul"),
                "stops after the instruction that makes it")


def main(jobs, device="local"):
    t = Tests()
    jobs = pathlib.Path(jobs)
    print("TAP version 13")
    with tempfile.TemporaryDirectory() as name, vshader.Device(device) as opened:
        folder = pathlib.Path(name)
        t.equal(opened.name, device, "the device")
        programs(t, jobs)
        program_errors(t, folder)
        arrays(t, opened, jobs)
        formats(t, opened)
        job_errors(t, opened, folder, jobs)
        sessions(t, opened, folder, jobs)
        nans(t, opened)
    print("1..%d" % t.number)
    return 1 if t.failed else 0


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
