#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Folders that variables and make's command line name are relative to where a script, the command or
# make was started, whatever folder it changes to.
#
#   VSHADER=COMMAND LIBRARY=FILE CC=COMPILER sh test_folders.sh TOP
#
# LIBRARY is libvshader_gl.so; without it there is no "vshader gl" to test.

top=$1
. "$(dirname "$0")/result.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
work=$(cd "$work" && pwd -P)
from=$work/from
unset MAKEFLAGS MFLAGS MAKEOVERRIDES DESTDIR INSTALL_MOD_PATH CORPUS RESULTS O PREFIX
unset VSHADER_BUILD VSHADER_CACHE XDG_CACHE_HOME CCACHE_DIR CCACHE_BASEDIR
mkdir -p "$from" "$work/elsewhere" "$work/bin" "$work/tree"
cd "$from" || exit 1

# explained STATUS TEXT: the result, with the output if it is bad.
explained()
{
	[ "$1" = 0 ] || tail -n 20 "$work/out" | sed 's/^/# /'
	result "$1" "$2"
}

# says TEXT STRING COMMAND...: the command's output has the string.
says()
{
	_text=$1
	_string=$2
	shift 2
	"$@" >"$work/out" 2>&1 </dev/null
	grep -qF -e "$_string" "$work/out"
	explained $? "$_text"
}

echo "TAP version 13"

# ---- scripts ----
# an apt that gets nothing: which folders it is to use
cat >"$work/bin/apt-get" <<END
#!/bin/sh
printf '%s\n' "\$@" >>"$work/apt"
exit 1
END
chmod +x "$work/bin/apt-get"
# with programs that are here already
PATH=$work/bin:$PATH VSHADER_CACHE=rel "$top/scripts/arm64" root >"$work/out" 2>&1
grep -q "^Dir::State=$from/rel/" "$work/apt" && ! grep '^Dir::[A-Za-z:]*=[^/]' "$work/apt"
explained $? "scripts/arm64 root: apt's folders"
# a script that changes to another folder, and starts one there
mkdir scripts
ln -s "$top/scripts/lib.sh" scripts/
cat >scripts/test <<END
. "$top/scripts/lib.sh"
echo "\$cache \$build \$RESULTS \$CORPUS \$VSHADER_SRC \$TMPDIR"
mkdir -p "\$TMPDIR"
cd "$work/elsewhere" && mktemp -d && "$top/scripts/cache" clean && sh -c 'echo "\$VSHADER_CACHE"'
END
for folder in VSHADER_CACHE=rel=rel XDG_CACHE_HOME=.=./vshader HOME=./home=./home/.cache/vshader; do
	cache=$from/${folder##*=}
	mkdir -p "$cache/entry"
	says "${folder%=*}, and others" "$cache $from/../b $from/r $from/./c $from/s $from/t" env "${folder%=*}" \
		VSHADER_BUILD=../b RESULTS=r CORPUS=./c VSHADER_SRC=s TMPDIR=t sh scripts/test
	grep -q "^$from/t/tmp" "$work/out" && [ ! -e "$cache/entry" ] && [ "$(tail -n 1 "$work/out")" = "$cache" ]
	explained $? "and where it starts others"
done
for script in lint deqp piglit mutants; do
	# shellcheck disable=SC2016
	says "scripts/$script" "$from/rel $from/b" env VSHADER_CACHE=rel VSHADER_BUILD=b python3 -c '
import os, runpy, sys
sys.dont_write_bytecode = True
names = runpy.run_path(sys.argv[1], run_name="module")
print(os.environ["VSHADER_CACHE"], names["BUILD"])' "$top/scripts/$script"
done
VSHADER_BUILD=rel "$top/scripts/tap-sum" one x -- true >"$work/out" 2>&1
[ -d "$from/rel/check-x" ]
explained $? "scripts/tap-sum"
if [ -e "$top/.ci/run" ]; then
	VSHADER_BUILD=rel "$top/.ci/run" nothing >"$work/out" 2>&1
	[ -d "$from/rel/ci" ]
	explained $? ".ci/run"
fi

# ---- makefiles: what they would do ----
says "make install DESTDIR=" " $top/rel/usr/bin" make -n -C "$top" KHDR= install DESTDIR=rel PREFIX=/usr
grep -q 'rel/' "$work/out" && ! grep -qE '(^|[^/a-z])rel/' "$work/out"
explained $? "all of it"
says "make install PREFIX= from the environment" " $top/rel/lib/pkgconfig" \
	env PREFIX=rel make -n -C "$top" KHDR= install
says "VSHADER_BUILD of the command line, in makefiles below" " $top/rel/userspace/bin/vshader.new" \
	make -n -C "$top" KHDR= userspace VSHADER_BUILD=rel
says "make -C userspace O=" " -o $top/userspace/rel/obj/" make -n -C "$top/userspace" O=rel V=1
says "make -C selftests O= INSTALL_PATH=" "installed into $top/selftests/i" \
	make -n -C "$top/selftests" O=rel INSTALL_PATH=i install
says "make -C Documentation O=" " html $top/Documentation/rel/source" \
	make -n -C "$top/Documentation" O=rel html

# ---- the command: programs that change to another folder ----
if [ -n "${LIBRARY:-}" ]; then
	triplet=$("${CC:-cc}" -print-multiarch)
	rm -rf rel home
	root=rel/mesa-trixie-amd64
	mkdir -p "$root/usr/lib/$triplet" t
	: >"$root/.complete"
	ln -s "$LIBRARY" gl.so
	says "vshader gl, TMPDIR" "drm 1.1.0" env TMPDIR=t "$VSHADER" gl --allow-unused -- \
		sh -c 'cd / && exec cat /sys/class/drm/version'
	for cache in VSHADER_CACHE=rel XDG_CACHE_HOME=xdg HOME=home; do
		mkdir -p home/.cache xdg
		ln -sfn ../rel xdg/vshader
		ln -sfn ../../rel home/.cache/vshader
		# shellcheck disable=SC2016
		says "vshader gl, $cache" "root: $from/$root/usr/lib/$triplet/dri" \
			env "$cache" "$VSHADER" gl --sysroot trixie --allow-unused -- \
			sh -c 'echo "root: $LIBGL_DRIVERS_PATH"'
	done
	# shellcheck disable=SC2016
	says "vshader gl --sysroot" "root: $from/$root/usr/lib/$triplet/dri" \
		"$VSHADER" gl --sysroot "$root" --allow-unused -- sh -c 'echo "root: $LIBGL_DRIVERS_PATH"'
	says "vshader gl --library" "drm 1.1.0" "$VSHADER" gl --library gl.so --allow-unused -- \
		sh -c 'cd / && exec cat /sys/class/drm/version'
fi
echo "1..$n"
exit $status
