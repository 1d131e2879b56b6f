#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""libvshader_qemu.so in a QEMU whose processors are stopped: this test is guest and driver, by the
protocol of QEMU's own tests (-qtest). TAP.

usage: test_qemu.py LIBRARY
"""

import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

RAM = 0x40000000
GPU = 0x0d000000
CTL = 0x0d800000
GIC = 0x08000000
FIRST_SPI = 176
CODE, DATA, HEAP = 0x2000000, 0x3000000, 0x4000000
UPDATE, LOCK, FLUSH_PT = 1, 2, 4
number = 0
failed = False


def result(good, text):
    global number, failed
    number += 1
    failed |= not good
    print("%s %d %s" % ("ok" if good else "not ok", number, text))


class Machine:
    def __init__(self, library, gpus):
        self.folder = tempfile.mkdtemp()
        monitor = self.folder + "/monitor"
        env = dict(os.environ, VSHADER_QEMU_GPUS=gpus, LD_PRELOAD=library)
        self.qemu = subprocess.Popen(
            ["qemu-system-aarch64", "-machine", "virt,gic-version=2,memory-backend=vsmem",
             "-object", "memory-backend-memfd,id=vsmem,size=64M,share=on", "-m", "64",
             "-S", "-qtest", "stdio", "-qtest-log", "none", "-display", "none",
             "-nodefaults", "-monitor", "unix:%s,server=on,wait=off" % monitor],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
        self.monitor = monitor
        self.next_page = RAM + 0x100000

    def end(self):
        self.qemu.stdin.close()
        self.qemu.terminate()
        errors = self.qemu.stderr.read().decode()
        self.qemu.wait()
        shutil.rmtree(self.folder)
        return errors

    def ask(self, text):
        self.qemu.stdin.write(text.encode() + b"\n")
        self.qemu.stdin.flush()
        while True:
            line = self.qemu.stdout.readline().decode().split()
            if not line:
                raise EOFError(self.qemu.stderr.read().decode())
            if line[0] == "OK":
                return line[1:]

    def rd(self, address):
        return int(self.ask("readl 0x%x" % address)[0], 16)

    def wr(self, address, value):
        self.ask("writel 0x%x 0x%x" % (address, value))

    def put(self, address, data):
        self.ask("write 0x%x 0x%x 0x%s" % (address, len(data), data.hex()))

    def get(self, address, size):
        return bytes.fromhex(self.ask("read 0x%x 0x%x" % (address, size))[0][2:])

    def reset(self):
        with socket.socket(socket.AF_UNIX) as s:
            s.connect(self.monitor)
            s.settimeout(300)
            text = b""
            s.sendall(b"system_reset\ninfo status\n")
            while b"VM status" not in text:
                text += s.recv(4096)

    def page(self):
        self.next_page += 0x1000
        return self.next_page - 0x1000

    def wait(self, address, value, seconds=100):
        end = time.time() + seconds
        while self.rd(address) != value and time.time() < end:
            time.sleep(0.002)
        return self.rd(address) == value

    def text(self, which, ctl=CTL):
        self.wr(ctl + 8, which)
        data = b""
        while True:
            word = self.rd(ctl + 12)
            if not word:
                return data.decode()
            data += struct.pack("<I", word).rstrip(b"\0")

    def inject(self, text, ctl=CTL):
        for c in text.encode():
            self.wr(ctl + 16, c)
        self.wr(ctl + 20, 1)
        return self.rd(ctl + 20) == 0

    def pending(self, line, seconds=0):
        """Whether a line reaches the interrupt controller, in some seconds."""
        spi = 32 + FIRST_SPI + line
        end = time.time() + seconds
        while True:
            level = self.rd(GIC + 0x200 + spi // 32 * 4) >> spi % 32 & 1
            if level or time.time() >= end:
                return level
            time.sleep(0.002)


class Driver:
    """A Mali with one address space, number 1."""

    def __init__(self, m):
        self.m = m
        self.root = m.page()
        self.code = m.page()
        # consecutive addresses, pages in the wrong order
        second = m.page()
        first = m.page()
        self.data = (first, second)
        self.map(CODE, self.code)
        self.map(DATA, first)
        self.map(DATA + 0x1000, second)

    def map(self, va, pa):
        table = self.root
        for shift in (39, 30, 21):
            at = table + (va >> shift & 511) * 8
            entry, = struct.unpack("<Q", self.m.get(at, 8))
            if not entry:
                entry = self.m.page() | 3
                self.m.put(at, struct.pack("<Q", entry))
            table = entry & ~0xfff
        self.m.put(table + (va >> 12 & 511) * 8, struct.pack("<Q", pa | 1 | 3 << 6 | 1 << 10))

    def wr(self, offset, value):
        self.m.wr(GPU + offset, value)

    def rd(self, offset):
        return self.m.rd(GPU + offset)

    def power_up(self):
        self.wr(0x030, 1)
        self.wr(0x024, self.rd(0x020))
        for offset, value in ((0x1008, 0x70007), (0x2008, 0xff00ff), (0x1a0, 1), (0x180, 1),
                              (0x190, 1), (0x2440, self.root | 3), (0x2444, 0), (0x2458, UPDATE)):
            self.wr(offset, value)

    def start(self, va, value):
        """A job that writes a word."""
        job = struct.pack("<4I4I4I4I", 0, 0, 0, 0, 1 | 2 << 1, 0, 0, 0, va, 0, 6, 0, value, 0, 0, 0)
        self.m.put(self.code, job)
        for offset, v in ((0x18c0, CODE), (0x18c4, 0), (0x18d0, 1), (0x18d4, 0),
                          (0x18d8, 0x83301), (0x18e0, 1)):
            self.wr(offset, v)

    def done(self, raw):
        good = self.m.wait(GPU + 0x1000, raw)
        self.wr(0x1004, raw)
        return good

    def word(self, page, offset=0):
        return struct.unpack("<I", self.m.get(page + offset, 4))[0]


def test_jobs(m):
    d = Driver(m)
    result(m.rd(GPU) == 0x72120000, "identity")
    d.power_up()
    d.start(DATA, 0x11223344)
    result(m.wait(GPU + 0x1000, 2), "a job is done")
    result(m.pending(0, 100) and not m.pending(1) and not m.pending(2), "its interrupt is pending")
    result(d.done(2) and not m.pending(0), "and is not when it is cleared")
    result(d.word(d.data[0]) == 0x11223344, "memory has its value")
    d.start(DATA + 0x1ffc, 0x55667788)
    result(d.done(2) and d.word(d.data[1], 0xffc) == 0x55667788, "scattered pages are one range")
    d.start(HEAP, 0x99aabbcc)
    result(m.wait(GPU + 0x2000, 2) and m.pending(1, 100), "a page fault interrupts")
    result(d.rd(0x245c) == 0x3c2 and d.rd(0x2460) == HEAP, "its status and address")
    page = m.page()
    d.map(HEAP, page)
    d.wr(0x2004, 2)
    for offset, value in ((0x2450, 47), (0x2454, 0), (0x2458, LOCK), (0x2458, FLUSH_PT)):
        d.wr(offset, value)
    result(d.done(2) and d.word(page) == 0x99aabbcc, "the job goes on in the new page")
    result(m.text(0) == "0\n", "nothing is found")
    return d


def test_control(m, d):
    log = m.text(8192)
    result("W JS1_COMMAND_NEXT         0x00000001" in log and "interrupt 0 on" in log,
           "the log has names and interrupts")
    d.wr(0x1820, 1)
    lines = m.text(0).split("\n")
    result(lines[0] == "1" and lines[1].startswith("JS0_COMMAND 0x00000001 jobs are started with"),
           "a wrong access is found: %s" % lines[1:2])
    result(m.rd(CTL + 4) == 1, "and counted")
    result(len(m.text(3).split("\n")) == 4, "the last lines of the log")
    result(not m.inject("rain"), "an unknown failure is refused")
    result(m.inject("lost-irq 1"), "a failure is accepted")
    d.start(DATA, 1)
    result(m.wait(GPU + 0x1000, 2) and not m.pending(0, 0.1), "the lost interrupt does not arrive")
    d.wr(0x1004, 2)


def test_reset(m, d):
    m.inject("hang 1")
    d.start(DATA, 2)
    time.sleep(0.1)
    result(m.wait(GPU + 0x18a4, 8), "a job hangs")
    # a request: the monitor answers before it
    m.reset()
    result(m.wait(GPU + 0x18a4, 0), "the machine's reset ends it")
    result(not m.rd(GPU + 0x160) and not m.rd(GPU + 0x1008), "power and masks are lost")
    d.power_up()
    d.start(DATA, 0x77777777)
    result(d.done(2) and d.word(d.data[0]) == 0x77777777, "the next job is done")
    result(not m.pending(0) and not m.pending(1), "no interrupt is left")


def test_second(m):
    gpu, ctl = GPU + 0x40000, CTL + 0x1000
    for offset in (0x2018, 0x2000):
        m.wr(gpu + offset, 0xffff)
    m.wr(gpu + 0x200c, 1)
    result("PMU" in m.text(8192, ctl) and "PMU" not in m.text(8192), "a log for each GPU")
    result(not m.inject("gpu-fault", ctl) and m.inject("out-of-heap", ctl), "and its own failures")


def main():
    m = Machine(sys.argv[1], "g52 mali450")
    print("TAP version 13")
    try:
        d = test_jobs(m)
        test_control(m, d)
        test_reset(m, d)
        test_second(m)
    except EOFError as e:
        result(False, "QEMU has ended: %s" % str(e).replace("\n", " "))
    errors = m.end()
    result("vshader: finding: g52: JS0_COMMAND" in errors, "findings are printed")
    print("1..%d" % number)
    return failed


if __name__ == "__main__":
    if not shutil.which("qemu-system-aarch64"):
        print("TAP version 13\nok 1 the machine # SKIP no qemu-system-aarch64\n1..1")
        sys.exit(0)
    sys.exit(main())
