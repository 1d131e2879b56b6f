# SPDX-License-Identifier: MIT
"""The libraries, and what their functions take and return."""

import ctypes
import functools
import os
import pathlib
import sysconfig
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint, c_uint8, c_uint16, \
    c_uint32, c_uint64, c_void_p

SONAME = "libdrm_vshader.so.1"
NUM_SECTIONS = 2


class Error(Exception):
    """What the library says; errno is positive, 0 if there is none."""

    def __init__(self, text, errno=0):
        super().__init__(text)
        self.errno = errno


class Source(ctypes.Structure):
    """struct vshader_source"""
    _fields_ = [("engine", c_uint32), ("stage", c_uint32),
                ("words", POINTER(c_uint32) * NUM_SECTIONS),
                ("num_words", c_uint32 * NUM_SECTIONS),
                ("entries", POINTER(c_uint32)), ("num_entries", c_uint32)]


class Reject(ctypes.Structure):
    """struct drm_vshader_reject"""
    _fields_ = [("reason", c_uint32), ("section", c_uint32), ("offset", c_uint32),
                ("field_lo", c_uint8), ("field_hi", c_uint8), ("pad", c_uint16),
                ("value", c_uint32), ("limit", c_uint32)]


class Diag(ctypes.Structure):
    """struct vshader_diag"""
    _fields_ = [("reject", Reject), ("log", c_char_p), ("log_size", c_uint32),
                ("log_len", c_uint32), ("warnings", c_uint32)]


class ProgramInfo(ctypes.Structure):
    """struct drm_vshader_program_info"""
    _fields_ = [("engine", c_uint32), ("stage", c_uint32), ("features", c_uint64)] + \
        [(name, c_uint32) for name in (
            "code_words", "reachable_words", "uops", "slots", "inputs", "outputs", "temps",
            "uniform_rows", "const_bools", "const_ints")] + [("memory", c_uint64)]


class EngineInfo(ctypes.Structure):
    """struct drm_vshader_engine_info"""
    _fields_ = [(name, c_uint32) for name in (
        "engine", "caps", "stage_mask", "va_bits", "max_code_words", "word_bytes")] + \
        [("name", ctypes.c_char * 16)]


class Line(ctypes.Structure):
    """struct vshader_line"""
    _fields_ = [("word", c_uint32), ("file", c_uint32), ("line", c_uint32), ("last", c_uint32)]


class Symbol(ctypes.Structure):
    """struct vshader_symbol"""
    _fields_ = [("name", c_char_p), ("value", c_char_p), ("word", c_uint32), ("count", c_uint32)]


class Register(ctypes.Structure):
    """struct vshader_register"""
    _fields_ = [("kind", ctypes.c_char), ("first", c_uint8), ("count", c_uint8),
                ("mask", c_uint8), ("type", c_uint16), ("name", c_char_p)]


LOAD = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, POINTER(c_void_p), POINTER(c_size_t))


class Include(ctypes.Structure):
    """struct vshader_include"""
    _fields_ = [("load", LOAD), ("ctx", c_void_p)]


class JobsBuffer(ctypes.Structure):
    """struct vshader_jobs_buffer"""
    _fields_ = [("name", c_char_p), ("size", c_uint64), ("shape", c_uint32 * 3),
                ("num_dims", c_uint32), ("format", ctypes.c_char)]


# Functions that return 0 or a negative errno, unless a type is given.
FUNCTIONS = {
    "vshader_version": ([], c_char_p),
    "vshader_error": ([], c_char_p),
    "vshader_open": [c_char_p, POINTER(c_void_p)],
    "vshader_close": ([c_void_p], None),
    "vshader_device_is_local": ([c_void_p], ctypes.c_bool),
    "vshader_device_name": ([c_void_p], c_char_p),
    "vshader_device_version": ([c_void_p, POINTER(c_uint), POINTER(c_uint)], None),
    "vshader_get_engines": [c_void_p, POINTER(EngineInfo), c_uint],
    "vshader_engine_name": ([c_uint32], c_char_p),
    "vshader_engine_by_name": ([c_char_p], c_int),
    "vshader_stage_name": ([c_uint32], c_char_p),
    "vshader_verify": ([POINTER(Source), POINTER(ProgramInfo), POINTER(Diag)], c_int),
    "vshader_binary_load": [c_char_p, c_size_t, POINTER(c_void_p)],
    "vshader_assemble_with": [c_uint32, c_char_p, c_size_t, c_char_p, POINTER(Include),
                              POINTER(c_void_p)],
    "vshader_binary_free": ([c_void_p], None),
    "vshader_binary_write": [c_void_p, POINTER(c_void_p), POINTER(c_size_t)],
    "vshader_binary_warnings": ([c_void_p], c_char_p),
    "vshader_binary_count": ([c_void_p], c_uint),
    "vshader_binary_source": [c_void_p, c_uint, POINTER(Source)],
    "vshader_binary_line": ([c_void_p, c_uint, c_uint, POINTER(Line)], c_int),
    "vshader_binary_file": ([c_void_p, c_uint, POINTER(c_char_p), POINTER(c_char_p)], c_int),
    "vshader_binary_symbol": ([c_void_p, c_uint, c_uint, POINTER(Symbol)], c_int),
    "vshader_binary_register": ([c_void_p, c_uint, c_uint, POINTER(Register)], c_int),
    "vshader_disasm_word": ([POINTER(Source), c_uint32, c_char_p, c_size_t], c_int),
    "vshader_disasm": [POINTER(Source), POINTER(c_void_p)],
}

JOBS_FUNCTIONS = {
    "vshader_jobs_error": ([], c_char_p),
    "vshader_jobs_parse": [c_char_p, c_size_t, c_char_p, POINTER(c_void_p)],
    "vshader_jobs_run": [c_void_p, c_void_p],
    "vshader_jobs_report": ([c_void_p], c_void_p),
    "vshader_jobs_buffer": ([c_void_p, c_uint32, POINTER(JobsBuffer)], c_int),
    "vshader_jobs_read": ([c_void_p, c_uint32, c_void_p], None),
    "vshader_jobs_free": ([c_void_p], None),
}


def text(data):
    """str of a C string."""
    return data.decode("utf-8", "replace") if data is not None else ""


def declare(lib, functions, error):
    """Types; a negative result becomes an Error with the library's text."""
    def check(result, _function, _arguments):
        if result < 0:
            raise Error(text(getattr(lib, error)()), -result)
        return result

    for name, types in functions.items():
        function = getattr(lib, name)
        if isinstance(types, tuple):
            function.argtypes, function.restype = types
        else:
            function.argtypes, function.restype, function.errcheck = types, c_int, check


def folders():
    """Where the library may be without the loader knowing it: $VSHADER_LIBDIR, own prefix."""
    if "VSHADER_LIBDIR" in os.environ:
        yield pathlib.Path(os.environ["VSHADER_LIBDIR"])
        return
    for parent in list(pathlib.Path(__file__).resolve().parents)[2:4]:
        yield parent / (sysconfig.get_config_var("MULTIARCH") or "")
        yield parent


def load_library():
    paths = [str(folder / SONAME) for folder in folders() if (folder / SONAME).exists()]
    try:
        found = ctypes.CDLL(paths[0] if paths else SONAME, mode=ctypes.RTLD_GLOBAL)
    except OSError as error:
        raise ImportError("%s; VSHADER_LIBDIR names the folder of %s" % (error, SONAME)) from None
    declare(found, FUNCTIONS, "vshader_error")
    return found


def library_folder():
    """Of the library that has been loaded."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        for line in maps:
            if "/libdrm_vshader.so" in line:
                return pathlib.Path(line.split(None, 5)[5].strip()).parent
    return pathlib.Path()


@functools.lru_cache(maxsize=None)
def jobs():
    """The library of job files, which programs that only assemble do not need."""
    folder = library_folder()
    name = "libvshader_jobs.so"
    path = next((path for path in (folder / "vshader" / name, folder / name) if path.exists()),
                name)
    try:
        found = ctypes.CDLL(str(path))
    except OSError as error:
        raise ImportError("job files need %s: %s" % (name, error)) from None
    declare(found, JOBS_FUNCTIONS, "vshader_jobs_error")
    return found


lib = load_library()
libc = ctypes.CDLL(None)
libc.free.argtypes, libc.free.restype = [c_void_p], None
libc.malloc.argtypes, libc.malloc.restype = [c_size_t], c_void_p


def take(pointer, size=None):
    """Contents of memory that is to be released: bytes, or a C string as str."""
    data = ctypes.string_at(pointer) if size is None else ctypes.string_at(pointer, size)
    libc.free(pointer)
    return text(data) if size is None else data


def listed(function, structure, *arguments):
    """Structures of function(arguments..., n, &structure) for n = 0, 1, ... up to its error."""
    n = 0
    while True:
        item = structure()
        if function(*arguments, n, byref(item)):
            return
        yield item
        n += 1


def engine_number(name):
    number = lib.vshader_engine_by_name(str(name).encode())
    if number < 0:
        raise Error("no engine \"%s\"; engines are %s" % (name, ", ".join(engine_names())))
    return number


def names_of(function):
    number = 0
    while (name := function(number)) is not None:
        yield text(name)
        number += 1


def engine_names():
    return list(names_of(lib.vshader_engine_name))


def stage_number(name):
    stages = list(names_of(lib.vshader_stage_name))
    if name not in stages:
        raise Error("no stage \"%s\"; stages are %s" % (name, ", ".join(stages)))
    return stages.index(name)
