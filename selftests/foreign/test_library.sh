#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The installed library in projects of others: linked by pkg-config, CMake and meson, shared and static;
# its headers in C++; what it exports, and its ABI by abidiff.

. "$(dirname "$0")/foreign.sh"

CC=${CC:-cc}
root=$work/root
export CCACHE_DISABLE=1
make --no-print-directory -C "$TOP/userspace" O="$PROJECT" CC="$CC" ${KHDR:+KHDR="$KHDR"} \
	DESTDIR="$root" PREFIX=/usr/local install >"$work/out" 2>&1
shows $? "$work/out"
result $? "make install"
installed=$root/usr/local

# As an installation that was moved: only the prefix is another one.
mkdir "$work/bin" "$work/pc"
for file in "$installed"/lib/pkgconfig/*.pc; do
	sed "s|^prefix=.*|prefix=$installed|" "$file" >"$work/pc/${file##*/}"
	[ "$(PKG_CONFIG_PATH=$installed/lib/pkgconfig pkg-config --define-prefix --variable=libdir \
		"$(basename "$file" .pc)")" = "$installed/lib" ] && ! grep -q '^[a-z]*dir=/' "$file"
	result $? "${file##*/}: its folders are those of its prefix"
done
cat >"$work/bin/pkg-config" <<END
#!/bin/sh
PKG_CONFIG_PATH="$work/pc" exec $(command -v pkg-config) "\$@"
END
chmod +x "$work/bin/pkg-config"
PKG_CONFIG=$work/bin/pkg-config
export PKG_CONFIG
unset MAKEFLAGS MFLAGS

# check TEXT COMMAND...: the command succeeds
check()
{
	_text=$1
	shift
	"$@" >"$work/out" 2>&1 </dev/null
	shows $? "$work/out"
	result $? "$_text"
}

# runs TEXT PROGRAM shared|static: it prints what the page says, with the library where it is or without
runs()
{
	_got=$(VSHADER_DEVICE=local LD_LIBRARY_PATH=$([ "$3" = static ] || echo "$installed/lib") "$2" 2>"$work/out")
	[ "$_got" = "0 2 4 3 8 10 12 7 " ]
	shows $? "$work/out"
	result $? "$1: it runs"
	if [ "$3" = static ]; then
		! readelf -d "$2" 2>/dev/null | grep -q 'NEEDED.*libdrm_vshader'
	else
		readelf -d "$2" | grep -q 'NEEDED.*libdrm_vshader\.so\.[0-9]*\]'
	fi
	result $? "$1: which is linked as it should be"
}

mkdir "$work/project"
cd "$work/project" || exit 1
sed -n '/code-block:: c$/,/code-block:: sh$/s/^   //p' "$TOP/Documentation/library.rst" >main.c

# ---- pkg-config ----
for package in "$installed"/lib/pkgconfig/*.pc; do
	package=$(basename "$package" .pc)
	check "pkg-config --validate $package" "$PKG_CONFIG" --validate "$package"
	[ "$("$PKG_CONFIG" --modversion "$package")" = "$(cat "$TOP/VERSION")" ]
	result $? "$package: the version"
done
# words of their own
# shellcheck disable=SC2046
check "pkg-config, shared" "$CC" -Wall -Werror -o shared main.c $("$PKG_CONFIG" --cflags --libs libdrm_vshader)
runs "pkg-config, shared" ./shared shared
# shellcheck disable=SC2046
check "pkg-config, static" "$CC" -Wall -Werror -static -o static main.c \
	$("$PKG_CONFIG" --static --cflags --libs libdrm_vshader)
runs "pkg-config, static" ./static static
cat >mailbox.c <<'END'
#include <mailbox.h>
int main(void)
{
	return !(mbox_open() >= 0);
}
END
# shellcheck disable=SC2046
check "pkg-config, libvshader_mailbox, static" "$CC" -static -o mailbox mailbox.c \
	$("$PKG_CONFIG" --static --cflags --libs libvshader_mailbox)
check "it runs" env VSHADER_DEVICE=local ./mailbox

# ---- CMake ----
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(example C)
option(STATIC "link statically" OFF)
find_package(PkgConfig REQUIRED)
if(STATIC)
	set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
	set(PKG_CONFIG_ARGN --static)
endif()
pkg_check_modules(VSHADER REQUIRED IMPORTED_TARGET libdrm_vshader)
add_executable(example main.c)
target_link_libraries(example PkgConfig::VSHADER)
if(STATIC)
	target_link_options(example PRIVATE -static)
	target_link_libraries(example ${VSHADER_STATIC_LIBRARIES})
	target_link_directories(example PRIVATE ${VSHADER_STATIC_LIBRARY_DIRS})
endif()
END
if command -v cmake >/dev/null; then
	cmake --version | sed -n '1s/^/# /p'
	for kind in shared static; do
		check "CMake, $kind: configure" cmake -S . -B "cmake-$kind" -DCMAKE_C_COMPILER="$CC" \
			-DSTATIC="$([ $kind = static ] && echo ON || echo OFF)"
		check "CMake, $kind: build" cmake --build "cmake-$kind"
		runs "CMake, $kind" "cmake-$kind/example" $kind
	done
else
	skip "CMake" "no cmake, see scripts/deps foreign-all"
fi

# ---- meson ----
cat >meson.build <<'END'
project('example', 'c')
vshader = dependency('libdrm_vshader', version : '>= 1.0', static : get_option('prefer_static'))
executable('example', 'main.c', dependencies : vshader,
  link_args : get_option('prefer_static') ? ['-static'] : [])
END
if command -v meson >/dev/null && command -v ninja >/dev/null; then
	echo "# meson $(meson --version)"
	for kind in shared static; do
		check "meson, $kind: setup" env CC="$CC" meson setup "meson-$kind" \
			-Dprefer_static="$([ $kind = static ] && echo true || echo false)"
		check "meson, $kind: compile" meson compile -C "meson-$kind"
		runs "meson, $kind" "meson-$kind/example" $kind
	done
else
	skip "meson" "no meson with ninja, see scripts/deps foreign-all"
fi

# ---- each header, alone, in C++ and strict C ----
(cd "$installed/include" && find . -name '*.h' | sort) >headers
[ "$(wc -l <headers)" -gt 10 ]
result $? "the headers are found"
# shellcheck disable=SC2046
set -- $("$PKG_CONFIG" --cflags libdrm_vshader libvshader_mailbox libvshader_gx)
while read -r header; do
	echo "#include \"$installed/include/$header\"" >alone.cpp
	cp alone.cpp alone.c
	if command -v g++ >/dev/null; then
		check "C++17: ${header#./}" g++ -std=c++17 -Wall -Wextra -pedantic -Werror -fsyntax-only "$@" alone.cpp
	fi
	check "C11: ${header#./}" "$CC" -std=c11 -Wall -Wextra -pedantic -Werror -fsyntax-only "$@" alone.c
done <headers
if command -v g++ >/dev/null; then
	g++ --version | sed -n '1s/^/# /p'
	cat >main.cpp <<'END'
#include <cstdio>
#include <vshader.h>
#include <vshader_debug.h>
#include <vshader_dump.h>
int main()
{
	struct vshader_device *device = nullptr;
	int ret = vshader_open("local", &device);
	if (!ret)
		vshader_close(device);
	std::puts(ret ? vshader_error() : "opened");
	return ret;
}
END
	# shellcheck disable=SC2046
	check "a program in C++" g++ -std=c++17 -Wall -Wextra -pedantic -Werror -o cpp main.cpp \
		$("$PKG_CONFIG" --cflags --libs libdrm_vshader)
	check "it runs" env LD_LIBRARY_PATH="$installed/lib" ./cpp
else
	skip "C++" "no g++, see scripts/deps foreign-all"
fi

# ---- what is exported ----
# symbols FILE: of a shared library, without its versions' names
symbols()
{
	nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort
}

for lib in libdrm_vshader libvshader_gx libvshader_mailbox; do
	symbols "$installed/lib/$lib.so" >"$work/exported"
	sed -n "/^$lib\\.so\\./,/^lib/s/^ \\([A-Za-z0-9_]*\\)@.*/\\1/p" "$TOP/debian/libdrm-vshader1.symbols" |
		grep -v '^VSHADER_' | sort >"$work/listed"
	[ -s "$work/listed" ] && diff "$work/listed" "$work/exported" >"$work/out"
	shows $? "$work/out"
	result $? "$lib exports what debian/libdrm-vshader1.symbols lists"
done
symbols "$installed/lib/libdrm_vshader.so" >"$work/exported"
cat "$installed"/include/libdrm_vshader/vshader*.h | tr '\n' ' ' | grep -oE '\bvshader_[a-z0-9_]+\(' |
	tr -d '(' | sort -u >"$work/declared"
comm -23 "$work/exported" "$work/declared" >"$work/out"
[ ! -s "$work/out" ]
shows $? "$work/out"
result $? "each function that libdrm_vshader exports is declared"
for lib in libvshader_gl libvshader_vcio libvshader_jobs libvshader_qemu; do
	[ -e "$installed/lib/$lib.so" ] || continue
	case $lib in
	# the C library's functions whose place they take
	*_gl)
		allowed='_*[a-z]*(open|stat|readlink|realpath|mmap|scan|access|poll|xattr)[a-z0-9_]*|ioctl'
		allowed="$allowed|canonicalize_file_name|chdir|(get_current_dir_name|getcwd)|syscall"
		allowed="$allowed|(fopen|creat|n?ftw|glob|lseek|readdir|pwrite)(64)?|writev?"
		# for --system-calls
		allowed="$allowed|vshader_gl_(memory|redirect)"
		;;
	*_vcio) allowed='_*[a-z]*(open|mmap|mknod|stat|access)[a-z0-9_]*|bcm_host_.*|close|ioctl|munmap' ;;
	*_jobs) allowed='vshader_jobs_.*' ;;
	*_qemu) allowed='fdt_path_offset' ;;
	esac
	symbols "$installed/lib/$lib.so" | grep -vxE "$allowed" >"$work/out"
	[ ! -s "$work/out" ]
	shows $? "$work/out"
	result $? "$lib exports nothing else"
done
for lib in libdrm_vshader libvshader_mailbox; do
	symbols "$installed/lib/$lib.so" >"$work/exported"
	nm -g --defined-only "$installed/lib/$lib.a" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort >"$work/static"
	diff "$work/exported" "$work/static" >"$work/out"
	shows $? "$work/out"
	result $? "$lib.a has the same names for programs"
done

# ---- ABI: the library linked again, as it is and without a function ----
# linked MAP OUT: a shared library of the same objects
linked()
{
	"$CC" -shared -Wl,-soname,libdrm_vshader.so.1 -Wl,--version-script="$1" -Wl,--whole-archive \
		"$PROJECT/lib/libdrm_vshader.a" -Wl,--no-whole-archive -pthread -ldrm -lz -lm -o "$2"
}

if command -v abidiff >/dev/null; then
	abidiff --version | sed '1s/^/# /'
	real=$(readlink -f "$installed/lib/libdrm_vshader.so")
	map=$TOP/userspace/libdrm_vshader/libdrm_vshader.map
	check "the library is linked again" linked "$map" same.so
	check "abidiff: no change" abidiff "$real" same.so
	sed '/vshader_close;/d' "$map" >less.map
	check "and without a function" linked less.map less.so
	abidiff "$real" less.so >"$work/out" 2>&1
	code=$?
	# 8: an incompatible change
	[ $((code & 8)) = 8 ] && grep -q "vshader_close" "$work/out"
	shows $? "$work/out"
	result $? "abidiff: the function is missed (status $code)"
else
	skip "abidiff" "no abidiff, see scripts/deps foreign-all"
fi
finish
