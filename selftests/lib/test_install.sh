#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# An installation, used without the checkout: command, libraries, preloaded libraries, headers, man
# pages, completions. The checkout is hidden by a mount namespace where one can be created.
#
#   TOP=DIR INSTALLER="make ... install" [PROGRAM=FILE] sh test_install.sh   installs with DESTDIR=
#   TOP=DIR ROOT=DIR PREFIX=DIR [PROGRAM=FILE] sh test_install.sh          has been installed
#
# PROGRAM drives panfrost's interface. Without it there is no "vshader gl" to test.

: "${TOP:?folder of the checkout}"
# programs in quotes have variables of their own
# shellcheck disable=SC2016
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
PREFIX=${PREFIX:-/usr/local}
. "$(dirname "$0")/result.sh"

# check TEXT COMMAND...: the command succeeds; its output explains a failure.
check()
{
	text=$1
	shift
	"$@" >"$work/out" 2>&1 </dev/null
	code=$?
	[ $code = 0 ] || sed 's/^/# /' "$work/out" | tail -n 20
	result $code "$text"
}

# ---- outside: prepare, then run the rest without the checkout ----
if [ -z "${HIDDEN:-}" ]; then
	inside=$work/inside
	mkdir -p "$inside"
	if [ -z "${ROOT:-}" ]; then
		ROOT=$inside/root
		$INSTALLER DESTDIR="$ROOT" PREFIX="$PREFIX" >"$work/install.log" 2>&1 || {
			echo "Bail out! the installation failed: $(tail -n 1 "$work/install.log")"
			exit 1
		}
	else
		cp -a "$ROOT" "$inside/root"
	fi
	# job files read these captures
	mkdir "$inside/bifrost"
	cp -r "$TOP/selftests/jobs" "$inside/"
	cp -r "$TOP/selftests/bifrost/data" "$inside/bifrost/"
	cp "$TOP"/userspace/examples/gx_cube.* "$inside/"
	cp "$0" "$inside/test.sh"
	cp "$(dirname "$0")/result.sh" "$inside/"
	cp "$TOP/userspace/cli/make_completion.py" "$TOP/userspace/cli/completion.txt" "$inside/"
	[ -z "${PROGRAM:-}" ] || cp "$PROGRAM" "$inside/program"
	sed -n '/code-block:: c$/,/code-block:: sh$/s/^   //p' "$TOP/Documentation/library.rst" \
		>"$inside/example.c"
	export TOP PREFIX
	cd "$inside" || exit 1
	# shellcheck disable=SC2016
	set -- sh -c 'mount -t tmpfs none "$1" && shift && exec "$@"' - "$TOP"
	flags=--mount
	[ "$(id -u)" = 0 ] || flags="--mount --map-root-user"
	# shellcheck disable=SC2086
	if unshare $flags "$@" true 2>/dev/null; then
		HIDDEN=yes unshare $flags "$@" sh ./test.sh
	else
		echo "# no mount namespace: the checkout is not hidden"
		HIDDEN=no sh ./test.sh
	fi
	exit $?
fi

# ---- inside ----
here=$(pwd -P)
root=$here/root
installed=$root$PREFIX
vshader=$installed/bin/vshader
gl=
[ ! -e program ] || gl=yes
echo "TAP version 13"
if [ "$HIDDEN" = yes ]; then
	[ -z "$(ls -A "$TOP")" ]
	result $? "the checkout is hidden"
fi
! grep -r -l -F "$TOP" --include='*.pc' --include='*.1' --include='*.json' "$installed" >"$work/out"
result $? "no text names the checkout"

# ---- command ----
check "the command runs" "$vshader" --version
check "demo jobs, in-process" "$vshader" test --device local jobs/demo
"$vshader" help | sed -n 's/^  \([a-z]*\) .*/\1/p' | grep -v -x help >commands
for command in run gl record asm; do
	[ $command = gl ] && [ -z "$gl" ] && continue
	grep -q -x "$command" commands
	result $? "it has $command"
done
check "it assembles" sh -c '"$0" asm --form shbin -o lit.shbin jobs/demo/lit.v.pica && cmp lit.shbin jobs/demo/lit.shbin' \
	"$vshader"

# ---- libraries: as a program of the installation would be built ----
# where they are now, not where the folder will be
mkdir pc
for file in "$installed"/lib/pkgconfig/*.pc; do
	sed "s|=$PREFIX|=$installed|" "$file" >"pc/${file##*/}"
done
PKG_CONFIG_PATH=$here/pc
export PKG_CONFIG_PATH
check "a program is linked with the library" sh -c 'cc -Wall -Werror -o example example.c \
	$(pkg-config --cflags --libs libdrm_vshader)'
[ "$(VSHADER_DEVICE=local LD_LIBRARY_PATH=$installed/lib ./example 2>&1)" = "0 2 4 3 8 10 12 7 " ]
result $? "it runs"
check "one is linked statically" sh -c 'cc -o example-static example.c \
	$(pkg-config --cflags libdrm_vshader) "$0/lib/libdrm_vshader.a" \
	$(pkg-config --libs libdrm zlib) -lm -pthread && VSHADER_DEVICE=local ./example-static' "$installed"
cat >mailbox.c <<'END'
#include <mailbox.h>
int main(void)
{
	return !(mbox_open() >= 0);
}
END
check "a program of the mailbox library" sh -c 'cc -o mailbox mailbox.c \
	$(pkg-config --cflags --libs libvshader_mailbox) &&
	VSHADER_DEVICE=local LD_LIBRARY_PATH="$0/lib" ./mailbox' "$installed"
check "the example of the 3DS" sh -c 'cc -Wall -Werror -o cube gx_cube.c \
	$(pkg-config --cflags --libs libvshader_gx) && mkdir -p romfs &&
	"$0/bin/vshader" asm --form shbin -o romfs/gx_cube.shbin gx_cube.pica &&
	VSHADER_DEVICE=local VSHADER_GX_FRAMES=1 VSHADER_GX_OUT=frames \
	LD_LIBRARY_PATH="$0/lib" ./cube && [ -s frames/frame-000-top.png ]' "$installed"
[ "$(LD_PRELOAD=$installed/lib/libvshader_vcio.so sh -c 'grep -c libdrm_vshader /proc/self/maps' \
	2>/dev/null)" -gt 0 ]
result $? "libvshader_vcio.so is preloaded and finds libdrm_vshader.so"

# ---- gl ----
if [ -n "$gl" ]; then
	"$vshader" gl --gpu g52 -- ./program >"$work/out" 2>&1
	code=$?
	[ $code = 0 ] && grep -q "g52: [1-9][0-9]* jobs, 0 faults" "$work/out"
	code=$?
	[ $code = 0 ] || sed 's/^/# /' "$work/out" | tail -n 5
	result $code "vshader gl executes a program"
	# shellcheck disable=SC2016
	check "its library is the installed one" "$vshader" gl --allow-unused -- \
		sh -c 'grep -q "$0/lib/libvshader_gl.so" /proc/self/maps' "$installed"
fi

# ---- vm: its script and library; a folder that cannot be made ends it before it looks for QEMU ----
"$vshader" vm --gpu g52 --results /dev/null/none -- true >"$work/out" 2>&1
code=$?
[ $code = 2 ] && grep -q '^vm: --results: cannot make /dev/null/none' "$work/out"
result $? "vshader vm runs its script"
mv "$installed/share/vshader/scripts/guest/host.sh" host.sh
"$vshader" vm --gpu g52 --results /dev/null/none -- true >"$work/out" 2>&1
! grep -q '^vm: --results' "$work/out"
result $? "which is the installed one"
mv host.sh "$installed/share/vshader/scripts/guest/host.sh"

# ---- man pages, completions, schema ----
man=$installed/share/man
for page in vshader.1 vshader-job-file.5 libvshader_mailbox.3 libvshader_gx.3 libdrm_vshader.3 \
	$(sed 's/^/vshader-/; s/$/.1/' commands); do
	name=${page%.*}
	section=${page##*.}
	if command -v man >/dev/null; then
		[ "$(man -M "$man" -w "$section" "$name" 2>/dev/null)" = "$man/man$section/$page" ]
	else
		[ -s "$man/man$section/$page" ]
	fi
	result $? "man $section $name"
done
nm -D --defined-only "$installed/lib/libdrm_vshader.so" | sed -n 's/.* T \(vshader_[a-z0-9_]*\).*/\1/p' |
	while read -r name; do
		grep -q "^.B $name()" "$man/man3/libdrm_vshader.3" || echo "$name"
	done >missing
[ ! -s missing ]
result $? "libdrm_vshader(3) has all functions $(head -n 3 missing)"
check "completions and help agree" python3 make_completion.py check completion.txt "$vshader"
cat >complete.sh <<'END'
. "$1/share/bash-completion/completions/vshader"
COMP_WORDS=(vshader "${@:2}") COMP_CWORD=$(($# - 1))
_vshader
printf '%s ' "${COMPREPLY[@]}"
END
[ "$(bash complete.sh "$installed" re)" = "record " ]
result $? "bash completes vshader re"
[ "$(bash complete.sh "$installed" run --she)" = "--sheet " ]
result $? "bash completes an option"
[ "$(bash complete.sh "$installed" asm --isa b)" = "bifrost " ]
result $? "bash completes a value"
[ "$(bash complete.sh "$installed" asm --output zz)" = " " ]
result $? "and no other's"
for shell in zsh fish; do
	command -v $shell >/dev/null || continue
	check "$shell reads its completions" $shell -n "$installed"/share/$shell/*/*vshader*
done
if command -v fish >/dev/null; then
	words=$(XDG_CONFIG_HOME=$here HOME=$here fish -c "source $installed/share/fish/*/vshader.fish
		complete -C 'vshader re'; complete -C 'vshader run --she'; complete -C 'vshader asm --isa b'" | cut -f 1)
	[ "$(echo $words)" = "record --sheet bifrost" ]
	result $? "fish completes ($(echo $words))"
fi
check "the schema of job files" python3 -m json.tool "$installed/share/vshader/job-file.schema.json"
echo "1..$n"
exit $status
