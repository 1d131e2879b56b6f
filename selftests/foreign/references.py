#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The measured cells of Documentation/references.rst, from the output of the programs beside this.

  references.py --json|--csv|--cells FOLDER   print what was measured
  references.py --check PAGE FOLDER           compare it with the page; 1 if a cell differs

scripts/references writes FOLDER: a file "RENDERER@VERSION" for each run, of lines "key|value".
"""
import csv
import json
import os
import re
import sys

# the columns of the page and the renderers whose values they have
COLUMNS = {"llvmpipe": ["llvmpipe"], "softpipe": ["softpipe"], "vshader": ["G52", "T860"],
           "lavapipe": ["lavapipe"], "rusticl": ["rusticl"]}
UNKNOWN = "not measured"


def load(folder):
    """{renderer: {version: {key: value}}}"""
    runs = {}
    for name in sorted(os.listdir(folder)):
        renderer, at, version = name.partition("@")
        if not at:
            continue
        with open(os.path.join(folder, name), encoding="ascii") as lines:
            values = dict(line.rstrip("\n").split("|", 1) for line in lines if "|" in line)
        runs.setdefault(renderer, {})[version] = values
    return runs


def order(version):
    return [int(number) for number in re.findall(r"\d+", version)]


def grouped(values):
    """[(names, value)] with equal values together, in the order of the first name"""
    groups = []
    for name, value in values:
        for names, other in groups:
            if other == value:
                names.append(name)
                break
        else:
            groups.append(([name], value))
    return groups


def cell(runs, column, key):
    """The text of a cell: the values, each after the versions or chips that have it."""
    several = len(COLUMNS[column]) > 1
    values = []
    for renderer in COLUMNS[column]:
        for version in sorted(runs.get(renderer, {}), key=order):
            if key in runs[renderer][version]:
                values.append((renderer if several else version, runs[renderer][version][key]))
    groups = grouped(values)
    if not groups:
        return UNKNOWN
    if len(groups) == 1:
        return "``%s``" % groups[0][1]
    return "; ".join("%s: ``%s``" % (", ".join(names), value) for names, value in groups)


def keys(runs):
    found = []
    for versions in runs.values():
        for values in versions.values():
            found += [key for key in values
                      if key not in found and key not in ("renderer", "version")]
    return found


def page_rows(page):
    """{key: {column: text}} of the list-tables whose first column begins with ``key``"""
    rows = {}
    header = cells = None
    with open(page, encoding="ascii") as file:
        text = file.read()
    for block in re.findall(r"^\.\. list-table::.*?(?=^\S|\Z)", text, re.M | re.S):
        header = None
        for row in re.split(r"^   \* ", block, flags=re.M)[1:]:
            cells = [" ".join(part.split())
                     for part in re.split(r"^ {5}- |\A- ", row, flags=re.M)[1:]]
            if header is None:
                header = cells
                continue
            key = re.match(r"``([a-z0-9-]+)``", cells[0])
            if key:
                if key.group(1) in rows:
                    sys.exit("references: two rows %s" % key.group(1))
                rows[key.group(1)] = dict(zip(header, cells))
    return rows


def versions_of(page):
    """{renderer: versions} that the page says it was measured with, a field each"""
    with open(page, encoding="ascii") as file:
        fields = re.findall(r"^:([A-Za-z0-9]+):\s+(.*)$", file.read(), re.M)
    return {name: re.findall(r"\d+\.\d+\.\d+", text) for name, text in fields}


def check(page, folder):
    runs = load(folder)
    known = versions_of(page)
    rows = page_rows(page)
    for renderer, versions in known.items():
        runs.setdefault(renderer, {})
        for version in sorted(set(versions) ^ set(runs[renderer])):
            if version in versions:
                print("# %s %s is on the page and was not run" % (renderer, version))
            else:
                print("# %s %s was run and is not on the page" % (renderer, version))
                for key, value in runs[renderer].pop(version).items():
                    if key in rows and value not in str(rows[key].values()):
                        print("#   %s is %s" % (key, value))
    wrong = compared = 0
    for key, row in rows.items():
        for column, renderers in COLUMNS.items():
            if column not in row or any(set(known.get(renderer, [])) != set(runs.get(renderer, {}))
                                        for renderer in renderers):
                continue
            got = cell(runs, column, key)
            compared += 1
            # what follows the measured part says why; some depend on the processor
            cells = row[column].partition(". ")[0].split(", or ")
            if got not in cells and not row[column].startswith(got + ". "):
                print("%s, %s: measured %s, the page has %s" % (key, column, got, row[column]))
                wrong += 1
    for key in keys(runs):
        if key not in rows:
            print("%s: not on the page" % key)
            wrong += 1
    print("%d rows, %d cells compared, %d differ" % (len(rows), compared, wrong))
    return 1 if wrong or not compared else 0


def main(args):
    if len(args) == 3 and args[0] == "--check":
        return check(args[1], args[2])
    if len(args) != 2 or args[0] not in ("--json", "--csv", "--cells"):
        print(__doc__, file=sys.stderr)
        return 2
    runs = load(args[1])
    if args[0] == "--json":
        json.dump(runs, sys.stdout, indent=1)
        print()
    elif args[0] == "--csv":
        out = csv.writer(sys.stdout)
        names = [(renderer, version) for renderer in runs
                 for version in sorted(runs[renderer], key=order)]
        out.writerow(["key"] + ["%s %s" % name for name in names])
        for key in keys(runs):
            out.writerow([key] + [runs[r][v].get(key, UNKNOWN) for r, v in names])
    else:
        for key in keys(runs):
            for column in COLUMNS:
                print("%s\t%s\t%s" % (key, column, cell(runs, column, key)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
