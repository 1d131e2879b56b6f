#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# scripts/release in a repository of its own, with the files as they are. TAP on stdout.
#
#   sh test_release.sh TOP

top=$1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
number=0
failed=0

# expect STATUS PATTERN TEXT COMMAND...
expect()
{
	want=$1
	pattern=$2
	text=$3
	shift 3
	"$@" >"$tmp/out" 2>&1 </dev/null
	got=$?
	number=$((number + 1))
	if [ $got = "$want" ] && grep -q "$pattern" "$tmp/out"; then
		echo "ok $number $text"
	else
		sed "s/^/# $got: /" "$tmp/out" | head -n 20
		echo "not ok $number $text"
		failed=$((failed + 1))
	fi
}

echo "TAP version 13"
git -C "$top" ls-files >/dev/null 2>&1 || {
	echo "1..0 # SKIP no git, or no checkout"
	exit 4
}
# a git of our own: no configuration, hooks or environment of this machine's user
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export HOME="$tmp" GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
git config --global safe.directory '*'
mkdir "$tmp/tree"
git -C "$top" ls-files -z --cached --others --exclude-standard |
	tar -C "$top" --null --ignore-failed-read -T - -c -f - 2>/dev/null |
	tar -C "$tmp/tree" -x -f -
cd "$tmp/tree" || exit 1
sed -i 's/^## \([0-9.]*\), .*/## \1, not released/' CHANGELOG.md
git init -q . && git add -A && git commit -q -m first
version=$(cat VERSION)

expect 2 "^release: usage" "usage" scripts/release
expect 2 "expected MAJOR.MINOR.PATCH" "a bad version" scripts/release next 2
expect 2 "does not follow" "an older version" scripts/release next 0.0.1
echo >>README.md
expect 2 "not committed" "a changed file" scripts/release tag
git checkout -q README.md
expect 0 "publish with" "the tag" scripts/release tag
expect 0 "^v$version\$" "its name" git tag --points-at HEAD
expect 0 "^## $version, 20" "the date" cat CHANGELOG.md
expect 2 "v$version exists" "the same again" scripts/release tag
next=${version%.*}.$((${version##*.} + 1))
expect 0 "is one of the interface" "the next version" scripts/release next "$next"
expect 0 "^$next\$" "its file" cat VERSION
expect 0 "^## $next, not released\$" "its changes" cat CHANGELOG.md
expect 0 "^vshader ($next) " "its entry for Debian" head -n 1 debian/changelog
git commit -q -a -m next
expect 0 "v$next" "its tag" scripts/release tag

echo "1..$number"
[ $failed = 0 ]
