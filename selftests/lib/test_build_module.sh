#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# When scripts/build-module builds, and for whom it waits: with a made-up kernel and a make that
# writes down that it was called.
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
	M=*) echo module >"${word#M=}/vshader.ko" ;;
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
touch "$work/src/kernel/a.c"
builds 1 "and changes again"
builds 0 "and no more"
touch "$work/src/kernel/c.c"
builds 1 "a source is new"
rm "$work/src/kernel/b.c"
builds 1 "a source has gone"
builds 1 "another argument" FLAG=1
builds 0 "the same argument" FLAG=1
KCFLAGS=-g builds 1 "another variable" FLAG=1
builds 1 "without both"
touch -d "1 minute ago" "$work/kernel/.config"
builds 1 "the kernel has another configuration"
rm "$work/build/module-made/vshader.ko"
builds 1 "the module was removed"
touch "$work/src/kernel/a.c"
SAY="a.c:1: warning: made up" builds 1 "a build with a warning"
grep -q "made up" "$work/err"
result $? "which is shown"
VSHADER_STRICT=1 builds 1 "is not taken for one without"
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
hold
VSHADER_BUILD=$work/build
builds 0 "while another checkout builds"
touch "$work/src/kernel/a.c"
: >"$CALLS"
"$top/scripts/build-module" --kdir made "$work/kernel" >/dev/null 2>&1 &
waiting=$!
sleep 1
[ ! -s "$CALLS" ]
result $? "what has changed waits for it"
release
wait $waiting && [ "$(wc -l <"$CALLS")" -eq 1 ]
result $? "and is built"
echo "1..$n"
exit $status
