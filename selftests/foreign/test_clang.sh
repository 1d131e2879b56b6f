#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# clang, each version that is installed: its front end warns of no source of the library, the command and
# their tests; the engine, the instruction sets and the native formats compile without a warning of it or
# of its optimiser, executors of arm64 too; permutations of vectors give what gcc's give. Kernels that
# clang has built: "make check-clang".

. "$(dirname "$0")/foreign.sh"

arm64=/usr/aarch64-linux-gnu/include
sse2="-msse2"
avx2="$sse2 -mavx -mavx2"
avx512="$avx2 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512"

# The installed versions, one command for each.
clangs()
{
	for _dir in $(echo "$PATH" | tr : ' '); do
		for _file in "$_dir"/clang "$_dir"/clang-[0-9] "$_dir"/clang-[0-9][0-9]; do
			[ ! -x "$_file" ] || "$_file" -dumpversion 2>/dev/null | sed "s|$| $(basename "$_file")|"
		done
	done | sort -u -k1,1 | cut -d ' ' -f 2
}

# permutes FLAGS TEXT COMPILER [EMULATOR]
permutes()
{
	_text="permutations: $2"
	shown()
	{
		shows "$1" "$work/said"
		result "$1" "$_text"
	}
	# shellcheck disable=SC2086
	$3 -std=gnu11 -O2 -Wall -Wextra -Werror -Wno-sign-compare -Wno-unused-parameter $1 -ffp-contract=off \
		-fwrapv -I"$TOP/kernel" "$(dirname "$0")/permute.c" -o "$work/permute" >"$work/said" 2>&1 || {
		shown 1
		return
	}
	# shellcheck disable=SC2086
	${4:-} "$work/permute" >"$work/said" 2>&1
	_code=$?
	if [ $_code = 4 ]; then
		skip "$_text" "not on this processor"
	else
		shown $_code
	fi
}

# permutes_all COMPILER TEXT: with the flags of every executor
permutes_all()
{
	if [ "$(uname -m)" = x86_64 ]; then
		permutes "$sse2" "$2, SSE2" "$1"
		permutes "$avx2" "$2, AVX2" "$1"
		permutes "$avx512" "$2, AVX-512" "$1"
	else
		permutes "" "$2, $(uname -m)" "$1"
	fi
}

# built TEXT COMPILER TARGET
built()
{
	make --no-print-directory -C "$TOP/userspace" O="$work/${2%% *}" CC="$2" ${KHDR:+KHDR="$KHDR"} \
		-j2 "$3" >"$work/said" 2>&1
	_code=$?
	shows $_code "$work/said"
	result $_code "$1"
}

# front_end TEXT COMPILER: all but the vector executors; SUITE may be that of the make around
front_end()
{
	_front=$work/front
	{
		make --no-print-directory -C "$TOP/userspace" O="$_front" CC="$2 -fsyntax-only" \
			${KHDR:+KHDR="$KHDR"} -j2 syntax &&
			make --no-print-directory -f "$TOP/selftests/userspace.mk" O="$_front/tests" \
				PROJECT="$_front" CC="$2 -fsyntax-only" SUITE= -j2 syntax &&
			[ -e "$_front/obj/raster/setup.d" ] && [ -e "$_front/tests/obj/lib/test_api.d" ]
	} >"$work/said" 2>&1
	_code=$?
	rm -rf "$_front"
	shows $_code "$work/said"
	result $_code "$1"
}

permutes_all "${CC:-gcc}" "${CC:-gcc}"
compilers=$(clangs)
if [ -z "$compilers" ]; then
	skip "the engine compiles with clang" "no clang: scripts/deps --install foreign"
	finish
fi
for clang in $compilers; do
	version="$clang $($clang -dumpversion)"
	permutes_all "$clang" "$version"
	if [ "${GATE:-}" ]; then
		skip "$version: library, command, tests" "in make check"
	else
		front_end "$version: library, command, tests" "$clang"
	fi
	if [ "${QUICK:-}" ]; then
		skip "$version: engine, instruction sets, native formats, executors of arm64" \
			"minutes, in make check-all"
		continue
	fi
	built "$version: engine, instruction sets, native formats" "$clang" engine
	if [ -e "$arm64" ] && [ "$(uname -m)" = x86_64 ]; then
		built "$version: executors of arm64" "$clang --target=aarch64-linux-gnu -isystem $arm64" vectors
	else
		skip "$version: executors of arm64" "no headers of arm64 for this machine's compiler"
	fi
	if [ "$(uname -m)" = x86_64 ] && command -v qemu-aarch64-static >/dev/null 2>&1 &&
	   command -v aarch64-linux-gnu-gcc >/dev/null 2>&1; then
		permutes "-isystem $arm64 --target=aarch64-linux-gnu -static --ld-path=$(command -v aarch64-linux-gnu-ld)" \
			"$version, NEON" "$clang" qemu-aarch64-static
	else
		skip "permutations: $version, NEON" "no compiler or emulator for arm64"
	fi
done
finish
