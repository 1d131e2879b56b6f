#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# "vshader gl" as a DRM device, and what it says of programs that do not use it.
#
#   VSHADER=COMMAND PROGRAM=FILE LIMA=FILE VC4=FILE DMABUF=FILE NODE=FILE PRIMARY=FILE
#   ORDER=FILE RAW="DYNAMIC STATIC" TOP=DIR [CC=...] test_gl.sh

work=$(mktemp -d) || exit 1
# for programs that become another user
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
TMPDIR=$work
export TMPDIR
. "$(dirname "$0")/result.sh"

# run_test GPU ARGUMENT... -- PROGRAM: a kernel test on the device of "vshader gl". Its status is in
# "code", the number of tests that passed in "passed": none if one failed.
run_test()
{
	gpu=$1
	shift
	"$VSHADER" gl --gpu "$gpu" "$@" >"$work/out" 2>"$work/err"
	code=$?
	grep -E '^(not ok|#.*[Ee]xpected )' "$work/out" | sed 's/^not ok/# failed:/'
	passed=$(awk '/^not ok/ { bad = 1 } /^ok/ && !/SKIP/ { n++ } END { print bad ? 0 : n + 0 }' "$work/out")
}

echo "TAP version 13"
chips="t760 t860 g31 g52 g71 g72"
# one of each driver's kind
if [ -n "${QUICK:-}" ]; then
	chips="t860 g52"
	SYNC_FILES=200
	export SYNC_FILES
fi
for gpu in $chips; do
	"$VSHADER" gl --gpu $gpu -- "$PROGRAM" >"$work/out" 2>"$work/err"
	code=$?
	grep -E '^(not ok|#)' "$work/out" | sed 's/^not ok/# failed:/'
	[ $code = 0 ] && grep -q '^1\.\.[0-9]' "$work/out" && grep -q "$gpu: [1-9][0-9]* jobs, 0 faults" "$work/err"
	result $? "the device of a $gpu (exit $code) $(grep -c '^ok' "$work/out") checks"
	"$VSHADER" gl --gpu $gpu -- "$PROGRAM" sizes >"$work/out" 2>"$work/err"
	code=$?
	grep -E '^(not ok|#)' "$work/out" | sed 's/^not ok/# failed:/'
	[ $code = 1 ] && ! grep -q '^not ok' "$work/out" && grep -q '^1\.\.[0-9]' "$work/out" &&
		grep -q "$gpu: [1-9][0-9]* jobs, 0 faults, [1-9][0-9]* rejected" "$work/err"
	result $? "ioctls of a $gpu with arguments of all sizes (exit $code) $(grep -c '^ok' "$work/out") ioctls"
done
# the tests of the module's personality; those of the other chip, and without vgem, are skipped
for gpu in mali400 mali450; do
	run_test $gpu -- "$LIMA"
	# some of their jobs fault
	[ $code = 1 ] && [ "$passed" -ge 20 ] && grep -q "^vshader gl: $gpu: [1-9][0-9]* jobs" "$work/err"
	result $? "the device of a $gpu passes the personality's tests (exit $code) $passed checks"
	grep -q "^ok .*$gpu.no_timelines\$" "$work/out"
	result $? "the device of a $gpu has no timelines"
done
for gpu in mali400mp1 mali400mp2 mali400mp3 mali400mp4; do
	"$VSHADER" gl --gpu $gpu -- "$LIMA" -t draw >"$work/out" 2>&1
	result $? "the device of a $gpu draws"
done
for gpu in vc4 cygnus; do
	run_test $gpu -- "$VC4"
	# one of their jobs faults
	[ $code = 1 ] && [ "$passed" -ge 20 ] && grep -q "^vshader gl: $gpu: [1-9][0-9]* jobs, 1 faults" "$work/err"
	result $? "the device of a $gpu passes the personality's tests (exit $code) $passed checks"
done
# the tests of exported buffers that the module passes
for gpu in t860 g52 mali400 vc4; do
	run_test $gpu -- "$DMABUF"
	[ $code = 0 ] && [ "$passed" -ge 17 ]
	result $? "exported buffers of a $gpu are dma-bufs (exit $code) $passed checks"
done
# those of calls that take the node's path or descriptor
for gpu in g52 mali400 vc4; do
	run_test $gpu --allow-unused -- "$NODE"
	[ $code = 0 ] && [ "$passed" -ge 38 ]
	result $? "paths and descriptors of both nodes of a $gpu are those of a device (exit $code) $passed checks"
	run_test $gpu -- "$PRIMARY"
	[ $code = 0 ] && [ $((passed + $(grep -c '# SKIP a user namespace' "$work/out"))) -ge 9 ]
	result $? "the primary node of a $gpu is one without displays (exit $code) $passed checks"
	run_test $gpu --allow-unused -- "$ORDER"
	# of its two nodes; jobs that are rejected are a failure of the program's
	[ $code = 1 ] && [ "$passed" -ge 24 ]
	result $? "errors of a $gpu's ioctls are in the drivers' order (exit $code) $passed checks"
done
# what the preloaded library does not see, where seccomp and ptrace are allowed
refused=$("$VSHADER" gl --system-calls --allow-unused -- true 2>&1 | sed -n 's/.*--system-calls: //p')
[ "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" -lt 2 ] || refused="ptrace is not allowed"
for program in $RAW; do
	for run in one two; do
		if [ -n "$refused" ]; then
			result 0 "${program##*/}: system calls of a program, run $run # SKIP $refused"
			continue
		fi
		timeout 300 "$VSHADER" gl --system-calls -- "$program" >"$work/out" 2>"$work/err"
		code=$?
		grep -E '^(not ok|#)' "$work/out" | sed 's/^not ok/# failed:/'
		[ $code = 0 ] && grep -q '^1\.\.[0-9]' "$work/out" && grep -q 't860: 1 jobs, 0 faults' "$work/err"
		result $? "${program##*/}: system calls of a program, run $run (exit $code) $(grep -c '^ok' "$work/out") checks"
	done
done
"$VSHADER" record -o "$work/frame" -- "$VSHADER" gl --gpu vc4 -- "$VC4" -t draw >"$work/out" 2>&1 &&
	"$VSHADER" test "$work"/frame/*.json >"$work/out" && [ "$(grep -c '^ok' "$work/out")" = 2 ]
result $? "a recorded frame of vc4 has a bin job and a render job with the same results"
[ -z "$(ls -d "$work"/vshader-gl-* 2>/dev/null)" ]
result $? "the folder of the device is removed"

# says STATUS PATTERN COMMAND...: exit status and message
says()
{
	want=$1
	pattern=$2
	shift 2
	out=$("$@" 2>&1)
	code=$?
	[ $code = "$want" ] && echo "$out" | grep -q -e "$pattern"
	result $? "$pattern (exit $code)"
}

# folders that would be made, of nothing that is downloaded
in_work()
{
	(cd "$work" && "$@")
}

for arguments in "vulkan g52" "vulkan sid" "compare built" "draw g52 g31" "app weston vc4" "guest g52 -q" \
		"native g52 mali400 triangle" "uml panfrost:g52 g52" "qemu g52 g52 triangle"; do
	# shellcheck disable=SC2086
	says 2 "^mesa ${arguments%% *}: DIR is \"" in_work "$TOP/scripts/mesa" $arguments
done
says 2 '^mesa: no suite "g52"; expected bookworm' in_work "$TOP/scripts/mesa" vulkan pictures g52
[ -z "$(ls -d "$work"/*g52 "$work"/sid "$work"/pictures 2>/dev/null)" ]
result $? "which makes no folder"

# as "says", of --system-calls
calls()
{
	if [ -n "$refused" ]; then
		result 0 "$2 # SKIP $refused"
	else
		says "$@"
	fi
}

says 0 '^crw.* 226, 128 .* renderD128$' "$VSHADER" gl --allow-unused -- ls -l /dev/dri
says 0 '^crw.* 226, *0 .* card0$' "$VSHADER" gl --allow-unused -- ls -l /dev/dri
[ "$("$VSHADER" gl --allow-unused -q -- ls -l /dev/dri 2>&1 >/dev/null)" = "" ]
result $? "ls has no complaints"
says 1 'did not open /dev/dri/renderD128' "$VSHADER" gl -- true
says 0 '0 jobs, 0 faults' "$VSHADER" gl --allow-unused -- true
dynamic=${RAW% *}
says 0 't860: 1 jobs, 0 faults' "$VSHADER" gl -- "$dynamic" library
calls 0 't860: 1 jobs, 0 faults' "$VSHADER" gl --system-calls -- "$dynamic" library
static=${RAW#* }
says 1 "gl_static is linked statically: use --system-calls" "$VSHADER" gl -- "$static"
says 1 'calls the kernel itself: --system-calls' "$VSHADER" gl -- "$dynamic"
says 1 'gl_static is linked statically' env PATH="${static%/*}:$PATH" "$VSHADER" gl -- gl_static
calls 1 'for another driver or architecture$' "$VSHADER" gl --system-calls -- true
calls 0 't860: 1 jobs' "$VSHADER" gl -- sh -c '"$0" gl --system-calls -- "$1"' "$VSHADER" "$static"
calls 0 't860: 1 jobs' "$VSHADER" gl --system-calls -- "$VSHADER" gl --system-calls -- "$static"
calls 3 '0 jobs' "$VSHADER" gl --system-calls -- sh -c 'exit 3'
calls 143 '0 jobs' "$VSHADER" gl --system-calls -- sh -c 'kill $$'
calls 127 'no-such-program: No such file' "$VSHADER" gl --system-calls -- no-such-program
# a system call takes ten times as long there
calls 0 't860: [1-9][0-9]* jobs, 0 faults' env SYNC_FILES=20 "$VSHADER" gl --system-calls -- "$PROGRAM"
says 1 'submitted no job' "$VSHADER" gl -- sh -c 'exec 3<>/dev/dri/renderD128'
says 1 'in buffer red\\x1b\[31m$' "$VSHADER" gl -- "$PROGRAM" fault
# by a process of the same number in another container with the same network
taken='import os, socket, sys
held = []
for name in ("", ".0"):
	held.append(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
	held[-1].bind("\0vshader-gl-%d%s" % (os.getpid(), name))
	held[-1].set_inheritable(True)
os.execv(sys.argv[1], sys.argv[1:])'
says 1 'in buffer red' python3 -c "$taken" "$VSHADER" gl -- "$PROGRAM" fault
says 1 '1 of 2 opens of the device were refused' sh -c 'ulimit -n 64; exec "$0" gl -- "$1" hoard' "$VSHADER" "$PROGRAM"
! ls -d "$work"/vshader-gl-* >/dev/null 2>&1
result $? "a device without a free descriptor removes its folder"
says 1 't860: 1 jobs, 0 faults, 4 rejected: No such file or directory$' "$VSHADER" gl -- "$PROGRAM" rejected
says 3 '0 jobs' "$VSHADER" gl -- sh -c 'exit 3'
says 2 'none.so: No such file' "$VSHADER" gl -l none.so -- true
says 2 "$work: Is a directory" "$VSHADER" gl -l "$work" -- true
says 2 'test_gl.sh: not a shared library' "$VSHADER" gl -l "$0" -- true
says 2 'none: No such file' "$VSHADER" gl -d none -- true
says 2 'unknown option' "$VSHADER" gl -d local:frob=1 -- true
says 2 'sysroot: the name is empty' "$VSHADER" gl --sysroot '' -- true
says 0 't860: [1-9][0-9]* jobs, 0 faults' "$VSHADER" gl -- sh -c '"$0" gl -- "$1" && "$0" gl -- true' "$VSHADER" "$PROGRAM"
says 2 'are those of the "vshader gl" around' "$VSHADER" gl -- "$VSHADER" gl --gpu g52 -- true
says 2 'are those of the "vshader gl" around' "$VSHADER" gl -- "$VSHADER" gl -d local -- true
VSHADER_GL_SOCKET=vshader-gl-none VSHADER_GL_ROOT=none says 0 'g52: 0 jobs' "$VSHADER" gl --gpu g52 --allow-unused -- true
says 127 'no-such-program: No such file' "$VSHADER" gl -- no-such-program
TMPDIR=$work/none says 2 'none/vshader-gl-.*: No such file' "$VSHADER" gl -- true

# folders: those there are
folders()
{
	ls -d "$work"/vshader-gl-* 2>/dev/null
}

# begin: a device in the background, $device its process
begin()
{
	"$VSHADER" gl -- sh -c 'echo $$ >"$0"; exec sleep 100' "$work/pid" 2>/dev/null &
	device=$!
	i=0
	while [ ! -s "$work/pid" ] && [ $((i += 1)) -lt 600 ]; do
		sleep 0.1
	done
}

begin
kill "$device"
wait "$device"
code=$?
[ $code = 143 ] && [ -z "$(folders)" ] && ! kill -0 "$(cat "$work/pid")" 2>/dev/null
result $? "SIGTERM is the program's, and the folder is removed (exit $code)"
rm "$work/pid"
begin
folder=$(folders)
"$VSHADER" gl --allow-unused -q -- true
[ -n "$folder" ] && [ "$(folders)" = "$folder" ]
result $? "a folder in use stays"
kill -9 "$device"
wait "$device" 2>/dev/null
kill "$(cat "$work/pid")"
[ "$(folders)" = "$folder" ]
result $? "SIGKILL leaves the folder"
"$VSHADER" gl --allow-unused -q -- true
[ -z "$(folders)" ]
result $? "the next device removes it"
# A library that sends the signal when the folder has just been made: the program gets it. Shells ignore it
# for tests in their background.
cat >"$work/early.c" <<'END'
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
char *mkdtemp(char *name)
{
	sprintf(strrchr(name, '-') + 1, "%06d", getpid() % 1000000);
	if (mkdir(name, 0700))
		return NULL;
	signal(SIGINT, SIG_DFL);
	raise(SIGINT);
	return name;
}
END
"${CC:-gcc}" -shared -fPIC "$work/early.c" -o "$work/early.so" &&
	LD_PRELOAD=$work/early.so "$VSHADER" gl --allow-unused -- sleep 100 >"$work/out" 2>&1
code=$?
[ $code = 130 ] && [ -z "$(folders)" ]
result $? "SIGINT that comes before the program ends it, and the folder is removed (exit $code)"
rm -rf "$work"/vshader-gl-*
# Mesa that was set up; nothing is downloaded
root=$work/cache/mesa-trixie-arm64
mkdir -p "$root/usr/lib/aarch64-linux-gnu"
"$TOP/scripts/mesa" packages gl >"$root/.complete"
VSHADER_CACHE=$work/cache
export VSHADER_CACHE
printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\267\0%044d' 0 >"$work/arm64"
chmod +x "$work/arm64"
says 2 'arm64 is a program of arm64: "vshader gl --setup"' "$VSHADER" gl -- "$work/arm64"
says 2 '"vshader gl --setup sid" gets it' "$VSHADER" gl --sysroot sid -- true
says 2 '"vshader gl --setup sid" gets it' "$VSHADER" gl --sysroot newest -- true
says 2 'no suite "none"' "$VSHADER" gl --setup none
if command -v qemu-aarch64-static >/dev/null; then
	mkdir "$work/no-archive"
	printf '#!/bin/sh\nexit 100\n' >"$work/no-archive/apt-get"
	chmod +x "$work/no-archive/apt-get"
	says 0 "gl --gpu g52 --sysroot trixie" env PATH="$work/no-archive:$PATH" "$VSHADER" gl --setup trixie
fi
# the compiler alone, without the headers that Debian only recommends with it, builds nothing
for code in 0 1; do
	printf '#!/bin/sh\nexit %d\n' $code >"$work/cross-gcc"
	chmod +x "$work/cross-gcc"
	# shellcheck disable=SC2086
	env -u MAKEFLAGS -u MFLAGS PATH="$work:$PATH" make -n -C "$TOP/userspace" O="$work/none" GL_CROSS=cross \
		${KHDR:+KHDR="$KHDR"} all >"$work/out" 2>&1
	grep -q 'cross/libvshader_gl.so' "$work/out"
	[ $? = $code ]
	result $? "a compiler for arm64 that $([ $code = 0 ] && echo works || echo "does not work") is $([ $code = 0 ] || echo not) used"
done
# make notices that it has the header now
for header in "" panfrost_drm.h "" ; do
	env -u MAKEFLAGS -u MFLAGS make -s -C "$TOP/userspace" O="$work/none" PANFROST_H=$header "$work/none/.gl"
	cat "$work/none/.gl"
done >"$work/out" 2>&1
[ "$(tr '\n' . <"$work/out")" = ".-DVSHADER_GL.." ]
result $? "a build without the kernel's header is none with it"
# without a compiler for arm64 there is no library
if command -v qemu-aarch64-static >/dev/null &&
		[ -e "${VSHADER%/bin/*}/lib/aarch64-linux-gnu/libvshader_gl.so" ]; then
	# the emulator runs it, and finds that it is none
	says 255 'Invalid ELF' "$VSHADER" gl --allow-unused -- "$work/arm64"
	mkdir "$work/emulator"
	printf '#!/bin/sh\necho "CPU $QEMU_CPU" >&2\n' >"$work/emulator/qemu-aarch64-static"
	chmod +x "$work/emulator/qemu-aarch64-static"
	says 0 'CPU max,pauth=off' env PATH="$work/emulator:$PATH" \
		"$VSHADER" gl --allow-unused -- "$work/arm64"
	says 0 'CPU neoverse-n1' env PATH="$work/emulator:$PATH" QEMU_CPU=neoverse-n1 \
		"$VSHADER" gl --allow-unused -- "$work/arm64"
fi
# a command that was built without the kernel's header; it is linked without the sub-commands
# shellcheck disable=SC2046
"${CC:-gcc}" -std=gnu11 -D_GNU_SOURCE -w -I"$TOP/uapi/drm" -I"$TOP/kernel" \
	-idirafter "$TOP/userspace/libdrm_vshader" $(pkg-config --cflags libdrm json-c) \
	"$TOP/userspace/cli/main.c" "$TOP/userspace/cli/jobfile_json.c" -o "$work/without" -static -Wl,--unresolved-symbols=ignore-all
says 2 'this build has no gl: .*install linux-headers-amd64' "$work/without" gl -- true
says 2 'unknown command "glx"' "$work/without" glx
echo "1..$n"
exit $status
