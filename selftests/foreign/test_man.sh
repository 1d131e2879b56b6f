#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Manual pages as "make install" leaves them, with mandoc and with groff's man.

. "$(dirname "$0")/foreign.sh"

make --no-print-directory -C "$TOP/userspace" O="$PROJECT" CC="${CC:-gcc}" ${KHDR:+KHDR="$KHDR"} \
	DESTDIR="$work/installed" PREFIX=/usr/local install >"$work/out" 2>&1
shows $? "$work/out"
result $? "make install"
pages=$(find "$work/installed/usr/local/share/man" -type f | sort)
[ "$(echo "$pages" | wc -l)" = "$(find "$TOP/Documentation/man" -name '*.[1-9]' | wc -l)" ]
result $? "all pages are installed"

if command -v mandoc >/dev/null; then
	for page in $pages; do
		# lines of the source may be long
		mandoc -T lint "$page" >"$work/out" 2>&1
		grep -v 'STYLE: input text line longer than 80 bytes' "$work/out" >"$work/lines"
		[ ! -s "$work/lines" ]
		shows $? "$work/lines"
		result $? "mandoc: ${page##*/}"
	done
else
	skip "mandoc" "no mandoc, see scripts/deps foreign"
fi

if command -v lexgrog >/dev/null && command -v groff >/dev/null; then
	for page in $pages; do
		LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" \
			2>"$work/out" >/dev/null
		lexgrog "$page" >>"$work/names" 2>>"$work/out"
		[ ! -s "$work/out" ]
		shows $? "$work/out"
		result $? "man, lexgrog: ${page##*/}"
	done
else
	skip "man" "no man with groff, see scripts/deps docs"
fi

# names(section) in bold that no page has
for page in $pages; do
	sed -n 's/^\.BR \([a-z_-]*\) (\([1-9]\)).*/\1.\2/p' "$page" | while read -r to; do
		case $to in
		*vshader*) [ -e "$work/installed/usr/local/share/man/man${to##*.}/$to" ] || echo "${page##*/}: $to" ;;
		esac
	done
done >"$work/out"
[ ! -s "$work/out" ]
shows $? "$work/out"
result $? "pages refer to pages that are there"
finish
