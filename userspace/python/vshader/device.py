# SPDX-License-Identifier: MIT
"""Devices, and jobs on them."""

import ctypes
import json
import os
import pathlib
import threading
from ctypes import byref, c_uint, c_void_p

from ._lib import EngineInfo, Error, JobsBuffer, jobs, lib, take, text
from .debug import Session
from .program import Program

# The parser of job files runs in one thread at a time.
parsing = threading.Lock()


class Failed(Error):
    """A job has not done what was expected. result has everything."""

    def __init__(self, message, result):
        super().__init__(message)
        self.result = result


class Result(dict):
    """Buffers by name. A name that one job has may be used without the job's name."""

    def __init__(self, buffers, report):
        super().__init__(buffers)
        self.report = report
        self.jobs = report["jobs"]

    def __missing__(self, key):
        found = [name for name in self if name.endswith("." + str(key))]
        if len(found) == 1:
            return self[found[0]]
        raise KeyError(key if not found else "%s: one of %s" % (key, ", ".join(found)))

    @property
    def passed(self):
        return not self.report["failed"]

    def failures(self):
        """A text for each check that has failed."""
        for outcome in self.report["programs"] + self.jobs:
            for failure in outcome["failures"]:
                parts = [outcome["name"], failure]
                if outcome["message"] and outcome["message"] not in failure:
                    parts.append(outcome["message"].strip())
                yield ": ".join(part for part in parts if part)


def plain(value):
    """What JSON does not know: programs, arrays, numbers of other libraries."""
    if isinstance(value, Program):
        return value.as_job_file()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "item"):
        return value.item()
    return memoryview(value).tolist()


def as_piece(value):
    """The bytes of an array as a piece of a region's data."""
    try:
        return {"hex": memoryview(value).tobytes().hex()}
    except TypeError:
        return value


def with_arrays(job):
    """Arrays in regions become pieces; elsewhere lists of values do."""
    if "memory" not in job:
        return job
    memory = []
    for region in job["memory"]:
        region = dict(region)
        if isinstance(region.get("data"), list):
            region["data"] = [as_piece(piece) for piece in region["data"]]
        elif "data" in region:
            region["data"] = as_piece(region["data"])
        memory.append(region)
    return dict(job, memory=memory)


def job_text(job, folder):
    """(bytes of a job file, name whose folder is that of the files in it)."""
    if isinstance(job, dict):
        data = json.dumps(with_arrays({"vshader": 1, **job}), default=plain).encode()
        return data, os.path.join(folder, "job")
    path = os.fspath(job)
    return pathlib.Path(path).read_bytes(), path


def read_buffers(calls, handle):
    info = JobsBuffer()
    n = 0
    while (ret := calls.vshader_jobs_buffer(handle, n, byref(info))) != -2:
        if not ret:
            data = bytearray(info.size)
            if data:
                calls.vshader_jobs_read(handle, n, (ctypes.c_char * len(data)).from_buffer(data))
            shape = list(info.shape[:info.num_dims])
            kind = text(info.format)
            view = memoryview(data)
            # no view has a dimension of 0 and a shape
            yield text(info.name), view.cast(kind, shape) if data else view.cast(kind)
        n += 1


class Device:
    """A device: "auto", "local", "local:workers=2,simd=portable", or a device node."""

    def __init__(self, spec="auto"):
        self._pointer = c_void_p()
        lib.vshader_open(os.fsencode(spec), byref(self._pointer))
        self.local = lib.vshader_device_is_local(self._pointer)
        self.name = text(lib.vshader_device_name(self._pointer))
        self.spec = os.fsdecode(spec) if self.local and spec != "auto" else self.name

    def close(self):
        """Close it. Also done at the end of a "with" and by the garbage collector."""
        if getattr(self, "_pointer", None):
            lib.vshader_close(self._pointer)
            self._pointer = None

    def __enter__(self):
        return self

    def __exit__(self, *_exception):
        self.close()

    def __del__(self):
        self.close()

    def _open(self):
        if not self._pointer:
            raise Error("the device is closed")
        return self._pointer

    @property
    def version(self):
        """(major, minor) of its interface."""
        major, minor = c_uint(), c_uint()
        lib.vshader_device_version(self._open(), byref(major), byref(minor))
        return major.value, minor.value

    @property
    def engines(self):
        """Names of its engines."""
        infos = (EngineInfo * 32)()
        count = lib.vshader_get_engines(self._open(), infos, len(infos))
        return [text(info.name) for info in infos[:min(count, len(infos))]]

    def run(self, job, folder=".", check=True):
        """Run a job file, a dict or the path of a file; its buffers as a Result.

        folder: of the files that a dict names. Raises Failed if a check fails or a job faults
        unexpectedly, unless check is false.
        """
        device = self._open()
        data, name = job_text(job, folder)
        handle, calls = c_void_p(), jobs()
        with parsing:
            calls.vshader_jobs_parse(data, len(data), os.fsencode(name), byref(handle))
        try:
            calls.vshader_jobs_run(handle, device)
            report = json.loads(take(calls.vshader_jobs_report(handle)))
            result = Result(read_buffers(calls, handle), report)
        finally:
            calls.vshader_jobs_free(handle)
        if check and not result.passed:
            raise Failed("\n".join(result.failures()), result)
        return result

    def debug(self, job, folder="."):
        """A debug session over the jobs of a job file, see Session."""
        self._open()
        if isinstance(job, dict):
            return Session(self.spec, job_text(job, folder)[0], folder)
        return Session(self.spec, os.fspath(job))

    def __repr__(self):
        return "<Device %s>" % self.name
