#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Translate the shaders of GLSL files with glslangValidator and write them as a C header.

usage: shaders.py OUTPUT.h FILE.glsl...

A shader begins with a line "@shader NAME.STAGE"; lines before the first one precede all of the
file's shaders. "@extension NAME" after a shader's first line enables an extension of GLSL.
"""

import os
import struct
import subprocess
import sys
import tempfile


def read_shaders(path):
    """[(name, text)]"""
    common, shaders = "", []
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            if line.startswith("@shader "):
                shaders.append([line.split()[1], "#line %d\n" % (number + 1), ""])
            elif line.startswith("@extension "):
                shaders[-1][2] += "#extension %s : require\n" % line.split()[1]
                shaders[-1][1] += "\n"
            elif shaders:
                shaders[-1][1] += line
            else:
                common += line
    return [(name, "#version 450\n" + extensions + common + text)
            for name, text, extensions in shaders]


def translate(folder, path, name, text):
    source, result = os.path.join(folder, name), os.path.join(folder, "out.spv")
    with open(source, "w", encoding="utf-8") as f:
        f.write(text)
    run = subprocess.run(["glslangValidator", "-V", "--quiet", "-o", result, source],
                         stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode:
        sys.exit("%s: %s:\n%s" % (path, name, run.stdout))
    with open(result, "rb") as f:
        data = f.read()
    return struct.unpack("<%dI" % (len(data) // 4), data)


def main(output, paths):
    out, table = [], []
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            for name, text in read_shaders(path):
                words = translate(folder, path, name, text)
                symbol = "spv_" + name.replace(".", "_")
                out.append("static const uint32_t %s[] = {" % symbol)
                out += ["\t" + " ".join("0x%08x," % w for w in words[i:i + 8])
                        for i in range(0, len(words), 8)]
                out.append("};\n")
                table.append('\t{ "%s", %s, sizeof(%s) },' % (name, symbol, symbol))
    with open(output, "w", encoding="utf-8") as f:
        f.write("#include <stddef.h>\n#include <stdint.h>\n\n" + "\n".join(out))
        f.write("\nstatic const struct {\n\tconst char *name;\n\tconst uint32_t *words;\n"
                "\tsize_t size;\n} shaders[] = {\n" + "\n".join(table) + "\n};\n")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
