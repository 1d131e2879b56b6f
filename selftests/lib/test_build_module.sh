#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# When scripts/build-module builds, what it keeps, and for whom it waits: with a made-up kernel and a make that
# writes down that it was called; when scripts/sparse-scalar has sparse look at a unit.
#
#   sh test_build_module.sh TOP

top=$1
. "$(dirname "$0")/result.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS KCFLAGS LLVM VSHADER_SIMD VSHADER_MODEL VSHADER_STRICT
export VSHADER_SRC="$work/src" VSHADER_BUILD="$work/build" VSHADER_CACHE="$work/cache"
mkdir -p "$work/bin" "$work/kernel" "$work/src/kernel" "$work/src/uapi"
touch "$work/kernel/.config" "$work/src/Kbuild" "$work/src/VERSION" "$work/src/kernel/a.c" "$work/src/kernel/b.c"
cat >"$work/bin/make" <<'END'
#!/bin/sh
echo "$*" >>"$CALLS"
echo "${SAY:-}"
for word; do
	case $word in
	M=*)
		cat "${word#M=}"/kernel/*.c >"${word#M=}/vshader.ko"
		echo "${word#M=}/vshader.o" >"${word#M=}/modules.order"
		;;
	esac
done
[ -z "${HELD:-}" ] || { echo >"$HELD.here" && read -r _ <"$HELD"; }
END
chmod +x "$work/bin/make"
PATH=$work/bin:$PATH
CALLS=$work/calls
export PATH CALLS

# builds COUNT TEXT ARGUMENT...: make is called so often
builds()
{
	_want=$1
	_text=$2
	shift 2
	: >"$CALLS"
	_out=$("$top/scripts/build-module" --kdir made "$work/kernel" "$@" 2>"$work/err")
	_status=$?
	_calls=$(wc -l <"$CALLS")
	[ $_status -eq 0 ] && [ "$_out" = "$work/build/module-made" ] && [ "$_calls" -eq "$_want" ] &&
		[ -e "$_out/vshader.ko" ]
	result $? "$_text ($_calls calls)"
}

echo "TAP version 13"
builds 1 "the first time"
builds 0 "nothing has changed"
: >"$CALLS"
(cd "$top" && scripts/build-module --kdir made "$work/kernel" >/dev/null 2>&1) && [ ! -s "$CALLS" ]
result $? "whatever the script is called by"
echo change >"$work/src/kernel/a.c"
touch -d "1 minute" "$work/src/kernel/a.c"
builds 1 "a source has changed"
# in the future: it is newer than any build
builds 0 "whose time says nothing, as builds are kept by their contents"
touch "$work/src/kernel/a.c"
builds 0 "nor does another time"
echo more >>"$work/src/kernel/a.c"
builds 1 "it changes again"
builds 0 "and no more"
touch "$work/src/kernel/c.c"
builds 1 "a source is new"
rm "$work/src/kernel/b.c"
builds 1 "a source has gone"
builds 1 "another argument" FLAG=1
builds 0 "the same argument" FLAG=1
KCFLAGS=-g builds 1 "another variable" FLAG=1
builds 1 "without both"
echo CONFIG_MADE_UP=y >"$work/kernel/.config"
builds 1 "the kernel has another configuration"
rm "$work/build/module-made/vshader.ko"
builds 0 "the module was removed: it is kept"
grep -q more "$work/build/module-made/vshader.ko" && [ "$(ls "$VSHADER_CACHE"/built-made-*.tar | wc -l)" -eq 2 ]
result $? "as are two builds"
echo w >>"$work/src/kernel/a.c"
SAY="a.c:1: warning: made up" builds 1 "a build with a warning"
grep -q "made up" "$work/err"
result $? "which is shown"
VSHADER_STRICT=1 builds 1 "is not taken for one without"

# In other checkouts, with the same cache.
cp -r "$work/src" "$work/copy"
VSHADER_BUILD=$work/third
VSHADER_SRC=$work/copy
there=$work/third/module-made
# of_copy COUNT TEXT ARGUMENT...
of_copy()
{
	_want=$1
	_text=$2
	shift 2
	rm -rf "$work/third"
	: >"$CALLS"
	"$top/scripts/build-module" --kdir made "$work/kernel" "$@" >/dev/null 2>&1
	_calls=$(wc -l <"$CALLS")
	[ "$_calls" -eq "$_want" ] && cat "$work"/copy/kernel/*.c | cmp -s - "$there/vshader.ko"
	result $? "$_text ($_calls calls)"
}
of_copy 0 "another checkout has it"
[ "$(cat "$there/modules.order")" = "$there/vshader.o" ] && [ "$(readlink "$there/Kbuild")" = "$work/copy/Kbuild" ]
result $? "with its own names"
VSHADER_STRICT=doc of_copy 1 "but for kernel-doc"
for kernel in one two; do
	: >"$CALLS"
	rm -rf "$work/third"
	there=$("$top/scripts/build-module" --kdir custom "$work/kernel" 2>/dev/null)
	[ "$(cat "$there/modules.order")" = "$there/vshader.o" ] && [ "$(wc -l <"$CALLS")" -eq 1 ]
	result $? "nor a build for any kernel, time $kernel"
done
there=$work/third/module-made
for file in "$VSHADER_CACHE"/built-made-*.tar; do
	head -c 1000 "$file" >"$file.part" && mv "$file.part" "$file"
done
of_copy 1 "a file that is damaged is none"
of_copy 0 "and is made again"
rm "$VSHADER_CACHE"/built-made-*.tar
of_copy 1 "it was removed"
printf '#!/bin/sh\necho "$COMPILER"\n' >"$work/bin/made-gcc"
chmod +x "$work/bin/made-gcc"
COMPILER=1 of_copy 1 "another compiler's" CROSS_COMPILE=made-
COMPILER=1 of_copy 0 "again" CROSS_COMPILE=made-
COMPILER=2 of_copy 1 "a newer compiler's" CROSS_COMPILE=made-
export VSHADER_BUILD="$work/build" VSHADER_SRC="$work/src"
builds 1 "a checker looks each time" C=2 CHECK=true
builds 1 "and again" C=2 CHECK=true
builds 0 "and leaves the build as it is"

# hold ARGUMENT...: a build that lasts until "release"
hold()
{
	mkfifo "$work/held"
	HELD=$work/held "$top/scripts/build-module" --kdir made "$work/kernel" "$@" >/dev/null 2>&1 &
	holder=$!
	until [ -e "$work/held.here" ]; do
		sleep 0.05
	done
}

release()
{
	echo >"$work/held"
	wait $holder
	rm "$work/held" "$work/held.here"
}

hold C=2
builds 0 "beside a checker, of this checkout"
release
# another checkout, with the same cache
VSHADER_BUILD=$work/other
hold FLAG=2
VSHADER_BUILD=$work/build
builds 0 "while another checkout builds"
echo late >>"$work/src/kernel/a.c"
: >"$CALLS"
"$top/scripts/build-module" --kdir made "$work/kernel" >/dev/null 2>&1 &
waiting=$!
sleep 1
[ ! -s "$CALLS" ]
result $? "what has changed waits for it"
release
wait $waiting && [ "$(wc -l <"$CALLS")" -eq 1 ]
result $? "and is built"
sed -i '$d' "$work/src/kernel/a.c"
builds 1 "what changed while it was built is not kept" FLAG=2

# looks COUNT TEXT ARGUMENT...: sparse looks at the unit so often
looks()
{
	_want=$1
	_text=$2
	shift 2
	: >"$CALLS"
	(cd "$work/kernel" && "$top/scripts/sparse-scalar" "$@" "$unit/a.c" 2>"$work/err")
	_status=$?
	_calls=$(wc -l <"$CALLS")
	[ "$_calls" -eq "$_want" ]
	result $? "$_text ($_calls calls)"
}

unit=$work/src/kernel
mkdir -p "$work/kernel/include/generated"
touch "$work/kernel/include/generated/autoconf.h"
echo "int a;" >"$unit/a.c"
echo "int h;" >"$unit/h.h"
printf 'cmd := cc a.c\ndeps_a.o := \\\n  %s \\\n  /usr/include/other.h \\\n' "$unit/h.h" >"$unit/.a.o.cmd"
cat >"$work/bin/sparse" <<'END'
#!/bin/sh
[ "$1" != --version ] || { echo 0.6.4 && exit; }
echo "$*" >>"$CALLS"
[ -z "${SAY:-}" ] || { echo "$SAY" >&2 && exit "${STATUS:-0}"; }
END
chmod +x "$work/bin/sparse"
looks 1 "a unit"
looks 1 "without a memory each time"
VSHADER_SPARSE_CLEAN=$work/clean
export VSHADER_SPARSE_CLEAN
looks 1 "the first time"
looks 0 "not again"
looks 1 "with another argument" -DA
echo "int g;" >"$unit/h.h"
looks 1 "with another header"
echo "int b;" >"$unit/a.c"
SAY="a.c:1: warning: made up" looks 1 "with another source"
grep -q "made up" "$work/err" && [ $_status -eq 0 ]
result $? "whose warning is shown"
SAY="a.c:1: error: made up" STATUS=1 looks 1 "and not remembered"
grep -q "made up" "$work/err" && [ $_status -eq 1 ]
result $? "nor is an error"
looks 1 "until it is clean"
looks 0 "and then it is"
touch -d "2 minutes ago" "$work/kernel/include/generated/autoconf.h"
looks 1 "of a kernel with another configuration"
mv "$unit/.a.o.cmd" "$unit/.b.o.cmd"
looks 1 "what it consists of is not known"
looks 1 "so that it is looked at each time"
echo "1..$n"
exit $status
