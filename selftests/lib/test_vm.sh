#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Options of "vshader vm", and libvshader_qemu.so in QEMU without a guest: the device tree, and
# what it refuses. scripts/check-drivers boots kernels.
#
#   VSHADER=COMMAND LIB=FOLDER STUB=FILE test_vm.sh

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/result.sh"
library=$LIB/libvshader_qemu.so

# says STATUS PATTERN COMMAND...: exit status and message
says()
{
	want=$1
	pattern=$2
	shift 2
	"$@" >"$work/out" 2>&1
	code=$?
	[ $code = "$want" ] && grep -q -e "$pattern" "$work/out"
	good=$?
	[ $good = 0 ] || sed 's/^/# /' "$work/out"
	result $good "$pattern (exit $code)"
}

# with_gpus GPUS COMMAND...: with the library
with_gpus()
{
	gpus=$1
	shift
	timeout $((300 * ${KSFT_TIMEOUT_SCALE:-1})) env VSHADER_QEMU_GPUS="$gpus" LD_PRELOAD="$library" "$@"
}

echo "TAP version 13"
says 2 '--gpu is missing' "$VSHADER" vm -- true
says 2 'no GPU "g53"' "$VSHADER" vm --gpu g53 -- true
says 2 'more than 4 GPUs' "$VSHADER" vm -g g52 -g g52 -g g52 -g g52 -g g52
says 2 '--smp 5: expected 1 to 4' "$VSHADER" vm --gpu g52 --smp 5
says 2 '--memory 64k: expected 256 to' "$VSHADER" vm --gpu g52 --memory 64k
says 2 '--kernel 6.2: No such file.*expected 6.1, 6.12' "$VSHADER" vm --gpu g52 --kernel 6.2
says 2 '--image none: No such file' "$VSHADER" vm --gpu g52 --image none
says 2 "the image's own kernel" "$VSHADER" vm --gpu g52 --image "$0" --kernel 6.1
says 0 'usage: vshader vm' "$VSHADER" vm --help

# other programs and versions
says 0 '^fine$' with_gpus g52 echo fine
says 1 'QEMU 8.2 is none of 7.2, 10.0' env MAJOR=8 MINOR=2 VSHADER_QEMU_GPUS=g52 \
	LD_PRELOAD="$library" "$STUB"
says 1 'QEMU 10.1 is none of 7.2, 10.0' env MAJOR=10 MINOR=1 VSHADER_QEMU_GPUS=g52 \
	LD_PRELOAD="$library" "$STUB"
says 1 'has no function qemu_register_reset' env MAJOR=7 MINOR=2 VSHADER_QEMU_GPUS=g52 \
	LD_PRELOAD="$library" "$STUB"
says 1 'has no function qemu_register_reset' env MAJOR=8 MINOR=2 VSHADER_QEMU_ANY=1 \
	VSHADER_QEMU_GPUS=g52 LD_PRELOAD="$library" "$STUB"
says 0 '^end$' env MAJOR=8 MINOR=2 LD_PRELOAD="$library" "$STUB"

command -v qemu-system-aarch64 >/dev/null 2>&1 || {
	echo "ok $((n + 1)) the machine # SKIP no qemu-system-aarch64"
	echo "1..$((n + 1))"
	exit $status
}
machine="qemu-system-aarch64 -machine virt,gic-version=2,memory-backend=vsmem -m 64 -nodefaults
	-object memory-backend-memfd,id=vsmem,size=64M,share=on -display none -serial none"
with_gpus "g52 mali450" $machine -machine dumpdtb="$work/tree" >"$work/out" 2>&1
result $? "a device tree"
for text in gpu@d000000 arm,mali-bifrost gpu@d040000 arm,mali-450 ppmmu7 vshader-model@d801000; do
	grep -q -a -e "$text" "$work/tree"
	result $? "the device tree has $text"
done
says 1 'there is no GPU "g99"' with_gpus g99 $machine -S
says 1 'too many GPUs' with_gpus "g52,g52,g52,g52,g52" $machine -S
says 1 'no memory vsmem: -object memory-backend-memfd' with_gpus g52 qemu-system-aarch64 -machine virt -S \
	-display none
says 1 'the memory vsmem has no file' with_gpus g52 qemu-system-aarch64 -display none -S -m 64 \
	-machine virt,memory-backend=vsmem -object memory-backend-ram,id=vsmem,size=64M
says 1 'the machine is not "virt"' with_gpus g52 qemu-system-aarch64 -machine raspi3b -S \
	-display none
# the control page through QEMU's memory: text of no finding, then a reset
printf '%s\n' 'xp /1wx 0xd800000' 'xp /1wx 0xd000000' 'system_reset' 'xp /1wx 0xd800004' quit |
	with_gpus g52 $machine -S -monitor stdio >"$work/out" 2>&1
grep -q 'd800000: 0x444d5356' "$work/out"
result $? "the control page"
grep -q 'd000000: 0x72120000' "$work/out"
result $? "the GPU's identity"
grep -q 'd800004: 0x00000000' "$work/out"
result $? "no finding after a reset"
printf '%s\n' 'xp /1bx 0xd000001' 'xp /1wx 0xd800004' quit |
	with_gpus g52 $machine -S -monitor stdio >"$work/out" 2>"$work/err"
grep -q 'vshader: finding: g52: .* registers are read as 32 bits' "$work/err"
result $? "a finding is printed"
grep -q 'd800004: 0x00000001' "$work/out"
result $? "a finding is counted"
echo "1..$n"
exit $status
