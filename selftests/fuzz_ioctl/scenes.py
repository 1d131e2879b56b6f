#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Scenes for the ioctl fuzzer: dumps of jobs (vshader_drm_dump.h), one after the other.

usage: scenes.py [--long] VSHADER OUTPUT JOB-FILE...

Runs the job files with the command VSHADER on the in-process device, takes what a recorder
is sent for each job, and keeps a few small jobs for each combination of engine, kind and stage.
--long, for test_cancel: the heaviest job of each combination instead, and all that ended for lack
of time.
"""

import array
import errno
import os
import socket
import struct
import subprocess
import sys

MAX_SIZE = 640 << 10		# bytes of a dump
MAX_MAPPED = 2 << 20		# bytes that are mapped
KEEP = 4			# jobs for each combination
HEAD = struct.Struct("<8sQQQ")
SECTION = struct.Struct("<QQQQ")
DEVICE, QUEUE, JOB, NATIVE_JOB, PROGRAM, MAP, MEMORY = 1, 2, 3, 5, 13, 17, 18


def sections_of(dump):
    found = {}
    at = HEAD.size
    for _ in range(HEAD.unpack_from(dump)[3]):
        kind, _, count, size = SECTION.unpack_from(dump, at)
        at += SECTION.size
        found[kind] = (count, dump[at:at + size])
        at += (size + 7) & ~7
    return found


def receive(sock):
    """The dumps of one run, until all writers have gone."""
    dumps = []
    while True:
        fds = array.array("i")
        message, ancillary, _, _ = sock.recvmsg(4096, socket.CMSG_SPACE(fds.itemsize))
        if not message:
            return dumps
        for level, kind, data in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                fds.frombytes(data[:fds.itemsize])
        for number in fds:
            with os.fdopen(number, "rb") as file:
                dumps.append(os.pread(file.fileno(), 1 << 30, 0))


def record(command, path):
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours:
        with theirs:
            child = subprocess.Popen(
                [command, "test", "--device", "local", path], pass_fds=[theirs.fileno()],
                env=dict(os.environ, VSHADER_RECORD_FD=str(theirs.fileno())),
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        dumps = receive(ours)
    child.wait()
    return dumps


def key_of(sections):
    engine = struct.unpack_from("<I", sections[QUEUE][1])[0]
    status = struct.unpack_from("<i", sections[JOB][1], 16)[0]
    if NATIVE_JOB in sections:
        what = struct.unpack_from("<I", sections[NATIVE_JOB][1])[0]
        return engine, "native", what, bool(status)
    return engine, "shader", struct.unpack_from("<II", sections[PROGRAM][1])[1], bool(status)


def mapped(sections):
    count, data = sections[MAP]
    return sum(size for _, size, _ in struct.iter_unpack("<QQQ", data[:24 * count]))


def usable(dump):
    sections = sections_of(dump)
    return len(dump) <= MAX_SIZE and JOB in sections and MAP in sections and \
        MEMORY in sections and mapped(sections) <= MAX_MAPPED


def choose(dumps):
    """Some of each combination's small jobs: the fuzzer makes and fills their memory each time."""
    groups = {}
    for dump in dumps:
        groups.setdefault(key_of(sections_of(dump)), []).append(dump)
    for key in sorted(groups):
        group = sorted(set(groups[key]), key=lambda d: (len(d), d))
        group = [dump for dump in group if len(dump) <= 2 * len(group[0])]
        step = max(1, len(group) // KEEP)
        yield from group[::step][:KEEP]


def ended(dump):
    """Status and weight of a job."""
    job = sections_of(dump)[JOB][1]
    return struct.unpack_from("<i", job, 16)[0], struct.unpack_from("<Q", job, 40)[0]


def choose_long(dumps):
    for dump in dumps:
        if ended(dump)[0] == -errno.ETIME:
            yield dump
    heaviest = {}
    for dump in dumps:
        status, weight = ended(dump)
        key = key_of(sections_of(dump))
        if not status and weight > heaviest.get(key, (0, None))[0]:
            heaviest[key] = weight, dump
    for key in sorted(heaviest):
        yield heaviest[key][1]


def main(arguments):
    long = arguments[:1] == ["--long"]
    if long:
        arguments = arguments[1:]
    if len(arguments) < 3:
        sys.exit(__doc__)
    dumps = []
    for path in arguments[2:]:
        dumps += [dump for dump in record(arguments[0], path) if long or usable(dump)]
    if long:
        dumps = [dump for dump in dumps if JOB in sections_of(dump) and MAP in sections_of(dump)]
    chosen = list(choose_long(dumps) if long else choose(dumps))
    if not chosen:
        sys.exit("scenes.py: no job was recorded")
    with open(arguments[1] + ".new", "wb") as file:
        file.write(b"".join(chosen))
    os.rename(arguments[1] + ".new", arguments[1])
    print("scenes.py: %d jobs of %d, %d bytes" % (len(chosen), len(dumps),
                                                  sum(map(len, chosen))))


if __name__ == "__main__":
    main(sys.argv[1:])
