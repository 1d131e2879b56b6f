#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Each shell script with the shells that may be /bin/sh, and with shellcheck; what scripts say to a
# wrong call in each of these shells.

. "$(dirname "$0")/foreign.sh"

# of a checkout or a release
scripts=$(cd "$TOP" && find scripts selftests debian contrib userspace .ci Documentation -type f 2>/dev/null |
	grep -v '^selftests/build/' | sort | while read -r file; do
		case $file in
		*.sh) echo "$file" ;;
		*) head -n 1 "$file" | grep -qaE '^#! ?/bin/(busybox )?sh' && echo "$file" ;;
		esac
	done)
count=$(echo "$scripts" | wc -l)
[ "$count" -gt 50 ] && echo "$scripts" | grep -q -x scripts/mesa
result $? "the scripts are found"

# as several words
for shell in dash "busybox sh" "bash --posix" mksh; do
	if ! command -v "${shell%% *}" >/dev/null; then
		[ "$shell" = mksh ] || skip "scripts parse in $shell" "no ${shell%% *}, see scripts/deps foreign"
		continue
	fi
	(cd "$TOP" && for file in $scripts; do
		$shell -n "$file"
	done) >"$work/out" 2>&1
	[ ! -s "$work/out" ]
	shows $? "$work/out"
	result $? "scripts parse in $shell"
	bad=
	for script in arm64 build-module cache deb disk-image install-module kernel mesa release source-kernel \
		uml vm; do
		# shellcheck disable=SC2086
		env VSHADER_CACHE="$work/cache" VSHADER_BUILD="$work/build" $shell "$TOP/scripts/$script" \
			no such thing >"$work/out" 2>&1 </dev/null
		code=$?
		[ $code = 2 ] && ! grep -qiE 'syntax error|not found|bad substitution' "$work/out" || {
			bad="$bad $script"
			shows 1 "$work/out"
		}
	done
	[ -z "$bad" ]
	result $? "scripts in $shell refuse what they do not know$bad"
done

if command -v shellcheck >/dev/null; then
	# scripts that have passed together are not checked again until one of them changes, as in scripts/lint
	passed=${VSHADER_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/vshader}/lint/shellcheck
	# shellcheck disable=SC2086
	key=$( (shellcheck --version && cd "$TOP" && grep -H '' $scripts) | sha256sum)
	if grep -qsxF -- "$key" "$passed"; then
		echo "# nothing has changed since they passed"
		result 0 "shellcheck finds nothing in $count scripts"
	else
		# shellcheck disable=SC2086
		(cd "$TOP" && shellcheck -x -P SCRIPTDIR -S warning $scripts) >"$work/out" 2>&1
		shows $? "$work/out" && mkdir -p "${passed%/*}" && echo "$key" >>"$passed"
		[ ! -s "$work/out" ]
		result $? "shellcheck finds nothing in $count scripts"
	fi
	shellcheck -s bash "$PROJECT/completion/vshader.bash" >"$work/out" 2>&1
	shows $? "$work/out"
	result $? "shellcheck finds nothing in the completion for bash"
else
	skip "shellcheck" "no shellcheck, see scripts/deps foreign"
fi
finish
