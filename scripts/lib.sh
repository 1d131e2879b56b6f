# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck shell=sh
# Shared by the scripts in this folder; sourced, never run.

top=$(cd "$(dirname "$0")/.." && pwd -P)

# absolute NAME...: folders that these variables of the environment name are relative to where the
# script was started, whatever folder it or a program of it changes to. In makefiles: folders.mk.
absolute()
{
	_absolute_folder=
	for _absolute_name; do
		eval "_absolute_folder=\${$_absolute_name:-}"
		case $_absolute_folder in
		'' | /*) ;;
		*) export "$_absolute_name=$PWD/$_absolute_folder" ;;
		esac
	done
}

absolute VSHADER_BUILD VSHADER_CACHE VSHADER_SRC XDG_CACHE_HOME HOME TMPDIR CCACHE_DIR CORPUS RESULTS \
	VSHADER_QEMU_LIBRARY VSHADER_KERNEL_LOG
build=${VSHADER_BUILD:-$top/build}
# Downloads and what compilers made of them, for all checkouts of a user: see scripts/cache.
cache=${VSHADER_CACHE:-${XDG_CACHE_HOME:-${HOME:-$build}/.cache}/vshader}
export VSHADER_CACHE="$cache"
me=$(basename "$0")

# ccache, if it is installed. Paths below the checkout are keys relative to where the compiler runs, and
# names of objects in lists of headers are make's variables, so that checkouts share what is compiled.
# The lists say what an object depends on: no file goes through the preprocessor for its key, which is
# a quarter of the time that the module takes if nothing is cached.
for _ccache_dir in /usr/lib/ccache /usr/lib64/ccache; do
	[ ! -e "$_ccache_dir/gcc" ] || case :$PATH: in
	*:$_ccache_dir:*) ;;
	*) PATH=$_ccache_dir:$PATH ;;
	esac
done
export PATH CCACHE_BASEDIR="$top" CCACHE_DIR="${CCACHE_DIR:-$cache/ccache}"
export CCACHE_MAXSIZE="${CCACHE_MAXSIZE:-2G}" CCACHE_DEPEND=1

say()
{
	printf '%s: %s\n' "$me" "$*" >&2
}

die()
{
	say "$*"
	exit 2
}

# need_disk GB FOLDER WHAT: end with a message if there is no room for something large.
need_disk()
{
	mkdir -p "$2" || exit 2
	_disk_gb=$(($(df -Pk "$2" | awk 'NR == 2 { print $4 }') / 1048576))
	[ "$_disk_gb" -ge "$1" ] || die "$3 needs $1 GB in $2, which has $_disk_gb GB free"
}

# as_root COMMAND...: run with the rights that apt needs, or fail. Only on a terminal
# sudo may ask for a password.
as_root()
{
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null 2>&1 && [ -t 2 ]; then
		sudo "$@"
	elif command -v sudo >/dev/null 2>&1; then
		sudo -n "$@"
	else
		return 1
	fi
}

# with_lock NAME COMMAND...: one at a time per cache entry, so that parallel
# make runs do not build or unpack the same thing twice. with_build_lock: the same
# for what is in the build folder; checkouts that share a cache do not wait for each other.
# with_build_lock_shared: beside others that have it shared.
with_lock()
{
	locked "$cache" "$@"
}

with_build_lock()
{
	locked "$build" "$@"
}

with_build_lock_shared()
{
	(
		_locked_how=-s
		locked "$build" "$@"
	)
}

# cache_used NAME: remember when an entry of the cache was used last, for scripts/cache.
cache_used()
{
	mkdir -p "$cache/.used" && : >"$cache/.used/$1"
}

locked()
{
	_locked_file=$1/.lock-$2
	mkdir -p "$1"
	shift 2
	(
		flock ${_locked_how:--x} 9
		# not those inside
		_locked_how=
		"$@"
	) 9>"$_locked_file"
}

# watched LOG COMMAND...: run a long command with its output in LOG, print a line
# after 3 s and every 15 s.
watched()
{
	_watched_log=$1
	shift
	_watched_began=$(date +%s)
	"$@" </dev/null >"$_watched_log" 2>&1 &
	_watched_pid=$!
	_watched_n=0
	while kill -0 $_watched_pid 2>/dev/null; do
		sleep 1
		_watched_n=$((_watched_n + 1))
		if [ $_watched_n -eq 3 ] || [ $((_watched_n % 15)) -eq 0 ]; then
			say "$(($(date +%s) - _watched_began)) s, $(wc -l <"$_watched_log") lines of log," \
				"now: $(tail -n 1 "$_watched_log" | cut -c1-60)"
		fi
	done
	wait $_watched_pid
}

# progress LOG COMMAND...: the same, and the end of the log when it fails.
progress()
{
	if watched "$@"; then
		return 0
	fi
	tail -n 40 "$_watched_log" >&2
	say "failed; the whole log is $_watched_log"
	return 1
}

# apt_sources RELEASE TYPE: the machine's sources for another release of Debian. Sid has neither
# updates nor security, so that these lines and, in the newer format, paragraphs are left out.
apt_sources()
{
	sed -e "s/^deb[[:space:]]/$2 /" -e "s/^Types:.*/Types: $2/" |
		if [ "$1" = sid ]; then
			sed -e '/^deb.*bookworm-/d' -e 's/bookworm-[a-z]*//g' |
				awk 'BEGIN { RS = ""; ORS = "\n\n" } !/(^|\n)Suites:[ \t]*(\n|$)/'
		else
			cat
		fi | sed -e "s/bookworm/$1/g"
}

# apt_refresh: bring the machine's package lists up to date; root rights only if they are root's.
# Fails if any source cannot be reached; lists that are there stay then.
apt_refresh()
{
	say "bringing the package lists up to date"
	_apt_lists=
	eval "$(apt-config shell _apt_lists Dir::State::lists/d)"
	if [ -w "$_apt_lists" ]; then
		apt-get -q -o APT::Update::Error-Mode=any update
	else
		as_root apt-get -q -o APT::Update::Error-Mode=any update
	fi </dev/null >&2
}

# An apt of our own, for another architecture or another release of Debian, with the machine's
# sources, keys and settings, as apt-config has them. apt_begin FOLDER ARCHITECTURE [SUITE
# [deb|deb-src]] makes it; apt_own ARGS... is its apt-get, apt_own_cache ARGS... its apt-cache. It
# fails if it gets no lists at all: a source of others need not have the suite.
apt_begin()
{
	apt_folder=$1
	apt_arch=$2
	apt_suite=${3:-bookworm}
	rm -rf "$1"
	mkdir -p "$1/state/lists/partial" "$1/cache/archives/partial" \
		"$1/etc/preferences.d" "$1/etc/sources.list.d"
	: >"$1/state/status"
	_apt_list=
	_apt_parts=
	eval "$(apt-config shell _apt_list Dir::Etc::sourcelist/f _apt_parts Dir::Etc::sourceparts/d)"
	: >"$1/etc/sources.list"
	for _apt_file in "$_apt_list" "$_apt_parts"*.list "$_apt_parts"*.sources; do
		_apt_to=$1/etc/sources.list
		[ "$_apt_file" = "$_apt_list" ] || _apt_to=$1/etc/sources.list.d/${_apt_file##*/}
		[ ! -f "$_apt_file" ] || apt_sources "$apt_suite" "${4:-deb}" <"$_apt_file" >"$_apt_to"
	done
	# a machine of another distribution
	grep -rqs "$apt_suite" "$1/etc/sources.list" "$1/etc/sources.list.d" ||
		echo "${4:-deb} [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
			"http://deb.debian.org/debian $apt_suite main" >"$1/etc/sources.list"
	echo "$apt_suite" >"$1/suite"
	apt_own update || [ -n "$(find "$1/state/lists" -name '*_Packages*' -o -name '*_Sources*')" ]
}

# with_apt FOLDER ARCHITECTURE SUITE deb|deb-src COMMAND...: the command, which uses apt_own, with
# such an apt. Once more with new lists if it fails: the archive may have changed since the first.
# Packages of sid may not be there yet for the architecture or with all that they need; then those
# of testing. apt_suite is the suite that it was.
with_apt()
{
	_with_folder=$1
	_with_arch=$2
	_with_suite=$3
	_with_type=$4
	shift 4
	_with_tries="$_with_suite $_with_suite"
	[ "$_with_suite" != sid ] || _with_tries="$_with_tries testing"
	for _with_try in $_with_tries; do
		apt_begin "$_with_folder" "$_with_arch" "$_with_try" "$_with_type" && "$@" && return
	done
	say "not from $_with_suite for $_with_arch: $*"
	return 1
}

# get_packages FOLDER ARCHITECTURE SUITE PACKAGES [ALONE]: download packages with all that they
# depend on, and ALONE by themselves, to FOLDER.apt/cache/archives; FOLDER.log is apt's output.
get_packages()
{
	_get_folder=$1.apt
	_get_packages=$4
	_get_alone=${5:-}
	if ! progress "$1.log" with_apt "$1.apt" "$2" "$3" deb install_packages; then
		say "cannot get $4${5:+ $5} of $3 for $2:" \
			"apt-get -o APT::Architecture=$2 update && apt-get -o APT::Architecture=$2 install $4"
		return 1
	fi
	_get_suite=$(cat "$1.apt/suite")
	[ "$_get_suite" = "$3" ] || say "$4: $3 has not all for $2 yet: $_get_suite"
}

install_packages()
{
	# names of packages have no blanks
	# shellcheck disable=SC2086
	apt_own -y --download-only install $_get_packages &&
		{ [ -z "$_get_alone" ] ||
			(cd "$_get_folder/cache/archives" && apt_own download $_get_alone); }
}

apt_own()
{
	apt_tool apt-get "$@"
}

apt_own_cache()
{
	apt_tool apt-cache "$@"
}

apt_tool()
{
	_apt_tool=$1
	shift
	"$_apt_tool" -q -o Dir::State="$apt_folder/state" -o Dir::State::lists="$apt_folder/state/lists" \
		-o Dir::State::status="$apt_folder/state/status" -o Dir::Cache="$apt_folder/cache" \
		-o Dir::Cache::archives="$apt_folder/cache/archives" \
		-o Dir::Etc::sourcelist="$apt_folder/etc/sources.list" \
		-o Dir::Etc::sourceparts="$apt_folder/etc/sources.list.d" \
		-o Dir::Etc::preferences=/dev/null \
		-o Dir::Etc::preferencesparts="$apt_folder/etc/preferences.d" \
		-o APT::Architecture="$apt_arch" -o APT::Architectures="$apt_arch" \
		-o APT::Install-Recommends=false -o APT::Sandbox::User=root \
		-o Debug::NoLocking=1 "$@"
}
