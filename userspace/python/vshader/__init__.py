# SPDX-License-Identifier: MIT
"""The virtual GPU from Python: programs, jobs, debug sessions.

    import vshader

    binary = vshader.assemble("pica", source)
    print(binary[0].disassemble())
    result = vshader.Device("local").run({"programs": [binary[0]], "jobs": [...]})
    numpy.asarray(result["position"])

A thin layer over libdrm_vshader; its errors are exceptions with the library's text. Documentation:
python.rst of the project.
"""

from ._lib import Error, engine_names, lib, text
from .debug import Session, Stop
from .device import Device, Failed, Result
from .program import Binary, Info, Program, Rejected, assemble, disassemble, load

__version__ = text(lib.vshader_version())
engines = engine_names()

# Tracebacks show the names that programs use.
for _kind in (Error, Failed, Rejected):
    _kind.__module__ = __name__

__all__ = ["Binary", "Device", "Error", "Failed", "Info", "Program", "Rejected", "Result",
           "Session", "Stop", "assemble", "disassemble", "engines", "load"]
