#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""How others count a stream of results.

usage: readers.py READER FILE

READER is prove, tappy, tap-parser, kunit, lava or tap-sum for TAP, junitparser for JUnit XML.
Prints "P passed, F failed, S skipped", and what the reader complains about. Status 77: the reader
is not on this machine; a message says why. Environment: KUNIT, a kernel's kunit.py; NODE_MODULES;
TOP.
"""

import os
import re
import subprocess
import sys


class Missing(Exception):
    pass


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=60, check=False).stdout


def need(program):
    if not any(os.access(os.path.join(folder, program), os.X_OK)
               for folder in os.environ["PATH"].split(":")):
        raise Missing("no %s, see scripts/deps foreign" % program)


# Results as perl's TAP::Harness has them, which prove prints.
PERL = r"""
use TAP::Parser;
open(my $file, "<", $ARGV[0]) or die;
my $parser = TAP::Parser->new({ iterator => TAP::Parser::Iterator::Stream->new($file) });
$parser->run;
my @skipped = $parser->skipped;
my @failed = $parser->failed;
printf("%d %d %d\n", $parser->passed - @skipped, scalar @failed, scalar @skipped);
print("$_\n") for $parser->parse_errors;
"""


def prove(path):
    need("prove")
    lines = output("perl", "-MTAP::Parser::Iterator::Stream", "-e", PERL, path).splitlines()
    said = output("prove", "-e", "cat", path).splitlines()
    counts = [int(word) for word in lines[0].split()]
    good = bool(said) and said[-1] == "Result: " + (
        "FAIL" if counts[1] else "PASS" if sum(counts) else "NOTESTS")
    return counts, lines[1:] + ([] if good else said)


def tappy(path):
    try:
        import tap.main
    except ImportError as error:
        raise Missing("no python3-tap, see scripts/deps foreign") from error
    code = "import sys; from tap.main import main; main()"
    said = output(sys.executable, "-c", code, path)
    del tap.main
    ran = re.search(r"^Ran (\d+) test", said, re.M)
    if not ran:
        return (0, 0, 0), said.splitlines()[-1:]
    ran = int(ran.group(1))
    counts = {key: int(value) for key, value in
              re.findall(r"\b(failures|errors|skipped)=(\d+)", said)}
    failed, skipped = counts.get("failures", 0) + counts.get("errors", 0), counts.get("skipped", 0)
    complaints = re.findall(r"^(?:FAIL|ERROR): .*:.*:.*\n-+\n.*", said, re.M)
    return (ran - failed - skipped, failed, skipped), [
        line for line in complaints if re.search("plan|version|order|number", line, re.I)]


NODE = """
const { Parser } = require(process.argv[1] + '/tap-parser');
const extra = [];
const parser = new Parser(r => {
	console.log(r.pass - r.skip, r.fail, r.skip);
	for (const f of r.failures)
		if (f.tapError)
			console.log(JSON.stringify(f));
	if (r.bailout)
		console.log('bail out');
	if (r.ok !== (r.fail === 0))
		console.log('ok is', r.ok);
	for (const line of extra)
		console.log('not TAP:', line.trimEnd());
});
parser.on('extra', line => extra.push(line));
require('fs').createReadStream(process.argv[2]).pipe(parser);
"""


def tap_parser(path):
    modules = os.environ.get("NODE_MODULES")
    if not modules:
        raise Missing("no tap-parser of npm")
    lines = output("node", "-e", NODE, modules, path).splitlines()
    return [int(word) for word in lines[0].split()], lines[1:]


def kunit(path):
    tool = os.environ.get("KUNIT")
    if not tool:
        raise Missing("no kunit.py of a kernel's source")
    said = output(sys.executable, tool, "parse", os.path.abspath(path))
    text = re.search(r"Testing complete\. (.*)", said)
    if not text:
        return (0, 0, 0), said.splitlines()[-3:]
    text = text.group(1)
    found = dict((key.lower(), int(value)) for key, value in
                 re.findall(r"(passed|failed|crashed|skipped|errors): (\d+)", text, re.I))
    failed = found.get("failed", 0) + found.get("crashed", 0)
    complaints = re.findall(r"\[ERROR\].*", said)
    if found.get("errors") and not complaints:
        complaints.append(text)
    return (found.get("passed", 0), failed, found.get("skipped", 0)), complaints


def lava(path):
    """Lines with the pattern of our test definition, as LAVA has it: no directive but what it says."""
    try:
        import yaml
    except ImportError as error:
        raise Missing("no python3-yaml, see scripts/deps foreign") from error
    with open(os.path.join(os.environ["TOP"], "contrib/ci/lava.yaml"), encoding="utf-8") as file:
        parse = yaml.safe_load(file)["parse"]
    with open(path, encoding="utf-8", newline="") as file:
        found = [match.groupdict() for match in
                 re.finditer(parse["pattern"], file.read().replace("\n", "\r\n"), re.M)]
    results = [parse["fixupdict"][each["result"]] for each in found]
    names = [each["test_case_id"] for each in found]
    return [results.count(word) for word in ("pass", "fail", "skip")], [
        "one name for several results: " + name for name in sorted(set(names))
        if names.count(name) > 1]


def tap_sum(path):
    said = output(sys.executable, os.path.join(os.environ["TOP"], "scripts/tap-sum"), "count", path)
    counts = re.search(r"(\d+) passed, (\d+) failed(?:, (\d+) skipped)?", said).groups(default="0")
    return [int(word) for word in counts], []


def junit(path):
    try:
        import junitparser
    except ImportError as error:
        raise Missing("no python3-junitparser, see scripts/deps foreign") from error
    passed = failed = skipped = 0
    complaints = []
    seen = set()
    xml = junitparser.JUnitXml.fromfile(path)
    for suite in xml if isinstance(xml, junitparser.JUnitXml) else [xml]:
        before = (failed, skipped, passed)
        for case in suite:
            key = (case.classname, case.name)
            if key in seen or not all(key):
                complaints.append("classname and name are not unique: %s, %s" % key)
            seen.add(key)
            kinds = {type(result) for result in case.result}
            if kinds & {junitparser.Failure, junitparser.Error}:
                failed += 1
            elif junitparser.Skipped in kinds:
                skipped += 1
            else:
                passed += 1
        said = (suite.failures + suite.errors, suite.skipped)
        if said != (failed - before[0], skipped - before[1]) or \
                suite.tests != failed + skipped + passed - sum(before):
            complaints.append("attributes of suite %s are not its cases'" % suite.name)
    return (passed, failed, skipped), complaints


READERS = {"prove": prove, "tappy": tappy, "tap-parser": tap_parser, "kunit": kunit, "lava": lava,
           "tap-sum": tap_sum, "junitparser": junit}


def main(arguments):
    if len(arguments) != 2 or arguments[0] not in READERS:
        sys.exit(__doc__)
    try:
        counts, complaints = READERS[arguments[0]](arguments[1])
    except Missing as missing:
        print(missing)
        return 77
    print("%d passed, %d failed, %d skipped" % tuple(counts))
    for complaint in complaints:
        print(complaint)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
