#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Job files for validators of others: right ones, and wrong ones with what the parser says.

    job_files.py list TOP [FILE...]         JSON: [name, text, verdict, message] of each; FILEs are right, too
    job_files.py validate SCHEMA < LIST     with python3-jsonschema
    job_files.py compare LIST VERDICTS...   TAP without plan: "STATUS TEXT"

The verdict is true for a file that the schema should accept. A verdict of a validator is true, false, or null
for text that its reader of JSON refuses. A message is of a file that the parser refuses.
"""

import json
import math
import os
import re
import sys

# What a schema cannot say, by the parser's message.
BEYOND = (
    (r"overlap|two regions|the image has|do not fit|\"r9\" is no format", "sums and differences of numbers"),
    (r"has \d+ elements|not \d$|multiple of the 4|without \"textures\"", "lengths and counts that depend on others"),
    (r"there is no|no region|no register|^o1$|\"programs\" is empty", "names that others declare, or a program does"),
    (r"none\.|PNG: |cannot read file", "contents of files"),
    (r"cannot be the name|outputs are called|has no jobs", "options of the command"),
    (r"a second member", "members of the same name, of which readers of JSON keep one"),
    (r"there are two", "names of things in a list, which differ"),
    (r"the whole number is too large|is too large for f", "how a number is written, and what it is rounded to"),
    (r"a list of null", "lists in lists, all of them of null"),
)


def misuses(top):
    """Files of misuses.txt, as test_misuse.sh makes them."""
    with open(os.path.join(top, "selftests/lib/test_misuse.sh"), encoding="utf-8") as file:
        script = file.read()
    parts = {"{P}": re.search(r"^program='(.*)'$", script, re.M)[1],
             "{J}": re.search(r"^job='(.*)'$", script, re.M)[1]}
    with open(os.path.join(top, "selftests/lib/misuses.txt"), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not re.match(r"\d", line):
                continue
            status, rest = line.rstrip("\n").split(" |", 1)
            rest, message = rest.rsplit(" | ", 1)
            text = rest.partition("|")[2].strip()
            for short, long in parts.items():
                text = text.replace(short, long)
            if text and status in "02":
                yield "misuses.txt:%d" % number, text, status == "0", message


def documented(top):
    """Examples of pages."""
    folder = os.path.join(top, "Documentation")
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".rst"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            page = file.read()
        for number, match in enumerate(re.finditer(r"^   \{\n(?:(?:   .*)?\n)*", page, re.M), 1):
            if '"vshader"' in match[0]:
                yield "%s, example %d" % (name, number), match[0]
    with open(os.path.join(folder, "man/vshader-job-file.5"), encoding="utf-8") as file:
        yield "vshader-job-file(5)", re.search(r"\.nf\n(.*)\.fi", file.read(), re.S)[1].replace("\\e", "\\")


def collect(top, files):
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.join(top, "selftests/lib"))
    import test_schema
    jobs = os.path.join(top, "selftests/jobs")
    for folder in sorted(os.listdir(jobs)):
        if os.path.isdir(os.path.join(jobs, folder)):
            files += [os.path.join(jobs, folder, name) for name in sorted(os.listdir(os.path.join(jobs, folder)))
                      if name.endswith(".json")]
    for name in files:
        with open(name, encoding="utf-8") as file:
            yield "/".join(name.split("/")[-2:]), file.read(), True, ""
    for name, text in documented(top):
        yield name, text, True, ""
    for name, base, changes in (("base", test_schema.BASE, test_schema.CHANGES),
                                ("Mali", test_schema.MALI_BASE, test_schema.MALI_CHANGES),
                                ("gx", test_schema.GX_BASE, test_schema.GX_CHANGES)):
        yield name, json.dumps(base), True, ""
        for path, value in changes:
            yield ("%s, %s = %s" % (name, ".".join(map(str, path)), json.dumps(value)),
                   json.dumps(test_schema.changed(base, path, value)), False, "refused by test_schema.py")
    for short in test_schema.SHORT:
        yield json.dumps(short), json.dumps(short), False, "refused by test_schema.py"
    yield from misuses(top)


def number(text):
    """A finite one."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def validate(schema_name):
    import jsonschema
    with open(schema_name, encoding="utf-8") as file:
        schema = json.load(file)
    kind = jsonschema.validators.validator_for(schema, default=None)
    print("jsonschema takes the draft %s" % kind.META_SCHEMA["$id"], file=sys.stderr)
    kind.check_schema(schema)
    validator = kind(schema)
    verdicts = []
    for _, text, _, _ in json.load(sys.stdin):
        try:
            verdicts.append(validator.is_valid(json.loads(text, parse_constant=number, parse_float=number)))
        except ValueError:
            verdicts.append(None)
    json.dump(verdicts, sys.stdout)


def compare(list_name, names):
    with open(list_name, encoding="utf-8") as file:
        cases = json.load(file)
    verdicts = []
    for name in names:
        with open(name, encoding="utf-8") as file:
            verdicts.append(json.load(file))
    used = set()
    for number, (name, _, right, message) in enumerate(cases):
        said = [v[number] for v in verdicts]
        why = [reason for pattern, reason in BEYOND if re.search(pattern, message)] if not right else []
        if right:
            good, text = all(v is True for v in said), "accepted: " + name
        elif why and any(said):
            # a reader that refuses what another accepts has its own reason
            good, text = len({v for v in said if v is not None}) == 1, "beyond the schema (%s): %s" % (why[0], name)
            used.add(why[0])
        else:
            good, text = not any(said), "refused: " + name
        if not good:
            print("# %s: %s, the parser says %r" % (name, said, message))
        print("%d %s" % (not good, text.replace("#", " ")))
    for _, reason in BEYOND:
        print("%d an example of %s" % (reason not in used, reason))


def main(what, *words):
    if what == "list":
        json.dump(list(collect(words[0], list(words[1:]))), sys.stdout)
    elif what == "validate":
        validate(words[0])
    else:
        compare(words[0], words[1:])


if __name__ == "__main__":
    main(*sys.argv[1:])
