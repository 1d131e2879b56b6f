# SPDX-License-Identifier: MIT
"""Programs: assembler, containers, verifier, disassembler."""

import collections
import ctypes
import os
import pathlib
from ctypes import byref, c_char_p, c_size_t, c_void_p

from ._lib import LOAD, Diag, Error, Include, Line, ProgramInfo, Register, Source, Symbol, \
    engine_number, lib, libc, listed, names_of, stage_number, take, text

LOG_SIZE = 65536
INSN_SIZE = 4096

Instruction = collections.namedtuple("Instruction", "offset text")
SourceLine = collections.namedtuple("SourceLine", "offset file line last")
NamedRegister = collections.namedtuple("NamedRegister", "name kind first count mask")
Info = collections.namedtuple("Info", [name for name, _ in ProgramInfo._fields_
                                       if name not in ("engine", "stage")])


class Rejected(Error):
    """The verifier has rejected a program: its log, offset, (lowest, highest bit), value."""

    def __init__(self, log, reject, errno):
        super().__init__(log.strip() or "the verifier has rejected the program", errno)
        self.log = log
        self.offset = reject.offset
        self.field = (reject.field_lo, reject.field_hi)
        self.value = reject.value


def c_words(words):
    for word in words:
        if not 0 <= word <= 0xffffffff:
            raise ValueError("%#x is no word of 32 bits" % word)
    return (ctypes.c_uint32 * len(words))(*words)


def source_bytes(source):
    if isinstance(source, str):
        return source.encode()
    return memoryview(source).tobytes()


class Program:
    """Machine words of one engine. Binary[n] makes them, too."""

    def __init__(self, engine, words, opdesc=(), stage="vertex", entries=(0,)):
        self.engine = engine
        self.stage = stage
        self.words = tuple(words)
        self.opdesc = tuple(opdesc)
        self.entries = tuple(entries)
        self.labels = {}
        self.names = {}
        self.registers = ()
        self.lines = ()
        self.warnings = ""
        self.origin = None
        self._source()

    def _source(self):
        source = Source(engine_number(self.engine), stage_number(self.stage))
        for n, words in enumerate((self.words, self.opdesc)):
            if words:
                source.words[n] = c_words(words)
            source.num_words[n] = len(words)
        source.entries = c_words(self.entries)
        source.num_entries = len(self.entries)
        return source

    def verify(self):
        """The verifier's report as Info; raises Rejected. warnings has its warnings."""
        source, info = self._source(), ProgramInfo()
        log = ctypes.create_string_buffer(LOG_SIZE)
        diag = Diag(log=ctypes.cast(log, c_char_p), log_size=LOG_SIZE)
        ret = lib.vshader_verify(byref(source), byref(info), byref(diag))
        if ret and diag.reject.reason:
            raise Rejected(text(log.value), diag.reject, -ret)
        if ret:
            raise Error(text(lib.vshader_error()), -ret)
        self.warnings = text(log.value)
        return Info(*(getattr(info, name) for name in Info._fields))

    def disassemble(self):
        """Text that the assembler takes back."""
        pointer = c_void_p()
        lib.vshader_disasm(byref(self._source()), byref(pointer))
        return take(pointer)

    def instructions(self):
        """Instruction(offset, text) one after the other; of undefined ones the text has "?"."""
        source = self._source()
        line = ctypes.create_string_buffer(INSN_SIZE)
        for offset in range(len(self.words)):
            ret = lib.vshader_disasm_word(byref(source), offset, line, INSN_SIZE)
            if ret and not line.value:
                return
            if ret == -22:
                return
            yield Instruction(offset, text(line.value))

    def as_job_file(self):
        """What a job file has in "programs": where it comes from, or its words."""
        if self.origin:
            return dict(self.origin, engine=self.engine)
        program = {"engine": self.engine, "stage": self.stage, "words": list(self.words),
                   "entries": list(self.entries)}
        if self.opdesc:
            program["opdesc"] = list(self.opdesc)
        return program

    def __repr__(self):
        return "<Program %s %s, %d words>" % (self.engine, self.stage, len(self.words))


class Binary:
    """A container, or what the assembler has made: a sequence of programs.

    origin(index): the same program in a job file, so that jobs can use its names and constants.
    """

    def __init__(self, pointer, origin=None):
        self._pointer = pointer
        self._origin = origin
        try:
            self.warnings = text(lib.vshader_binary_warnings(pointer))
            self._programs = [self._program(n) for n in range(lib.vshader_binary_count(pointer))]
        except BaseException:
            self.__del__()
            raise

    def __del__(self):
        if getattr(self, "_pointer", None):
            lib.vshader_binary_free(self._pointer)
            self._pointer = None

    def _files(self):
        name, contents = c_char_p(), c_char_p()
        n = 0
        while not lib.vshader_binary_file(self._pointer, n, byref(name), byref(contents)):
            yield text(name.value)
            n += 1

    def _program(self, index):
        source = Source()
        lib.vshader_binary_source(self._pointer, index, byref(source))
        words = [source.words[n][:source.num_words[n]] if source.num_words[n] else ()
                 for n in range(2)]
        program = Program(list(names_of(lib.vshader_engine_name))[source.engine], *words,
                          stage=text(lib.vshader_stage_name(source.stage)),
                          entries=source.entries[:source.num_entries])
        program.warnings = self.warnings
        program.origin = self._origin(index) if self._origin else None
        for symbol in listed(lib.vshader_binary_symbol, Symbol, self._pointer, index):
            if symbol.value is None:
                program.labels[text(symbol.name)] = symbol.word
            else:
                program.names[text(symbol.name)] = text(symbol.value)
        program.registers = tuple(
            NamedRegister(text(reg.name), text(reg.kind), reg.first, reg.count, reg.mask)
            for reg in listed(lib.vshader_binary_register, Register, self._pointer, index))
        files = list(self._files())
        program.lines = tuple(
            SourceLine(line.word, files[line.file] if line.file < len(files) else "", line.line,
                       line.last)
            for line in listed(lib.vshader_binary_line, Line, self._pointer, index))
        return program

    def __len__(self):
        return len(self._programs)

    def __getitem__(self, index):
        return self._programs[index]

    def write(self):
        """The file form: bytes of an SHBIN."""
        pointer, size = c_void_p(), c_size_t()
        lib.vshader_binary_write(self._pointer, byref(pointer), byref(size))
        return take(pointer, size.value)


def include_from(read):
    """struct vshader_include that calls read(name), which returns str or bytes."""
    def load(_ctx, name, out, size):
        try:
            data = read(os.fsdecode(name))
            data = source_bytes(data)
        except OSError as error:
            return -(error.errno or 2)
        except Exception:  # pylint: disable=broad-except; nothing passes through C
            return -2
        pointer = libc.malloc(len(data) + 1)
        if not pointer:
            return -12
        ctypes.memmove(pointer, data + b"\0", len(data) + 1)
        out[0] = pointer
        size[0] = len(data)
        return 0
    return Include(load=LOAD(load))


def assemble(engine, source, name="source", include=None):
    """Assemble text to a Binary. include: folder of included files, or function of a name."""
    if include is not None and not callable(include):
        folder = pathlib.Path(include)
        include = lambda file: (folder / file).read_bytes()  # noqa: E731
    callbacks = include_from(include) if include else None
    data = source_bytes(source)
    pointer = c_void_p()
    lib.vshader_assemble_with(engine_number(engine), data, len(data), os.fsencode(name),
                              byref(callbacks) if callbacks else None, byref(pointer))
    if include:
        return Binary(pointer)
    return Binary(pointer, lambda index: {"asm": text(data)})


def load(container):
    """Load a container, bytes or the path of a file: SHBIN."""
    origin = None
    if isinstance(container, (bytes, bytearray, memoryview)):
        data = bytes(container)
    else:
        path = pathlib.Path(container).resolve()
        data = path.read_bytes()
        origin = lambda index: {"shbin": {"file": str(path), "program": index}}  # noqa: E731
    pointer = c_void_p()
    lib.vshader_binary_load(data, len(data), byref(pointer))
    return Binary(pointer, origin)


def disassemble(engine, words, opdesc=(), stage="vertex"):
    """Text of machine words that the assembler takes back."""
    return Program(engine, words, opdesc, stage).disassemble()
