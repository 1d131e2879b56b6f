#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Installs the npm packages of npm/package-lock.json into the cache, once for each lock file, and
# prints the folder node_modules. Status 1: this machine cannot have them; a message says why.
#
#   VSHADER_CACHE=FOLDER npm.sh

here=$(cd "$(dirname "$0")" && pwd)
for tool in node npm; do
	command -v $tool >/dev/null || {
		echo "no $tool, see scripts/deps foreign" >&2
		exit 1
	}
done
to=${VSHADER_CACHE:?}/foreign-npm-$(cat "$here/npm/package.json" "$here/npm/package-lock.json" |
	sha256sum | cut -c1-12)

install_once()
{
	[ ! -e "$to/node_modules" ] || return 0
	rm -rf "$to.new"
	mkdir -p "$to.new"
	cp "$here"/npm/*.json "$to.new/"
	npm ci --prefix "$to.new" --silent --no-fund --no-audit --ignore-scripts >"$to.log" 2>&1 &&
		mv "$to.new" "$to"
}

mkdir -p "$VSHADER_CACHE"
(
	flock 9
	install_once
) 9>"$VSHADER_CACHE/.lock-foreign-npm" || {
	echo "npm cannot install them: $(tail -n 1 "$to.log")" >&2
	exit 1
}
echo "$to/node_modules"
