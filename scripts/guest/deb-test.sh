#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# In a new Debian with /proc, as root: install the packages of /debs, use them, purge them. TAP.
#
#   deb-test.sh KERNEL-RELEASE VERSION

rel=$1
version=$2
number=0
failed=0

# check TEXT COMMAND...
check()
{
	_text=$1
	shift
	number=$((number + 1))
	if "$@" >/debs/log 2>&1 </dev/null; then
		echo "ok $number $_text"
	else
		tail -n 30 /debs/log | sed 's/^/# /'
		echo "not ok $number $_text"
		failed=$((failed + 1))
	fi
}

ours()
{
	dpkg-query -f '${Package} ${Status}\n' -W 'vshader*' 'libdrm-vshader*' 'python3-vshader' 2>/dev/null |
		sed -n 's/ .* installed$//p'
}

all_installed()
{
	[ "$(ours | wc -l)" -eq "$(ls /debs/*.deb | wc -l)" ]
}

is_version()
{
	[ "$(modinfo -k "$rel" -F version vshader)" = "$version" ]
}

module_is_built()
{
	dkms status -k "$rel" vshader | grep -q "vshader/$version, $rel, .*: installed" ||
		dkms install -k "$rel" "vshader/$version"
	cp "$(modinfo -k "$rel" -n vshader)" /debs/vshader.ko.any || return 1
	case $(modinfo -k "$rel" -n vshader) in
	*.xz) xz -dc /debs/vshader.ko.any >/debs/vshader.ko ;;
	*) cp /debs/vshader.ko.any /debs/vshader.ko ;;
	esac
}

# A test of the source package, in its tree.
autopkgtest()
{
	(cd /debs/vshader-* && sh "debian/tests/$1")
}

# Everything with our name outside of /debs, and files that dpkg does not know.
remains()
{
	find / -xdev \( -path /proc -o -path /sys -o -path /debs -o -path /var/lib/apt \
		-o -path /var/cache -o -path /var/log \) -prune -o \
		-name '*vshader*' -print
}

nothing_remains()
{
	remains
	[ -z "$(remains)" ] && [ -z "$(ours)" ]
}

apt-get -q update >/debs/log 2>&1 || tail -n 5 /debs/log
# a kernel's headers first, as on a machine
check "headers of $rel, tools" apt-get -q -y --no-install-recommends install \
	"linux-headers-$rel" gcc libc6-dev man-db pkg-config python3-minimal
check "the packages install" apt-get -q -y --no-install-recommends install /debs/*.deb
check "all of them" all_installed
check "DKMS builds the module" module_is_built
check "modinfo has its version" is_version
check "the command runs" vshader --version
jobs=/usr/share/doc/vshader-tools/examples
check "demo jobs, in-process" vshader test --device local --junit /debs/junit.xml "$jobs"
for name in command library python module; do
	check "autopkgtest: $name" autopkgtest $name
done
check "the mailbox library" pkg-config --exists --print-errors libvshader_mailbox
check "the library of the 3DS" pkg-config --exists --print-errors libvshader_gx
check "libvshader_gl.so is found" sh -c \
	'vshader gl --gpu g52 --allow-unused -- sh -c "grep -q libvshader_gl.so /proc/self/maps"'
check "a library to preload is found" sh -c \
	'LD_PRELOAD=$(dpkg -L vshader-tools | grep vcio) true 2>&1 | { ! grep .; }'
check "the module of Python runs a job" python3 -c "
import vshader
assert vshader.Device('local').run('$jobs/10-utgard.json')['utgard-triangle'].shape == (8, 8, 4)"
for file in /usr/share/vshader/job-file.schema.json \
	/usr/lib/udev/rules.d/60-vshader.rules /usr/share/bash-completion/completions/vshader \
	"/usr/src/vshader-$version/dkms.conf"; do
	check "$file" test -s "$file"
done
# shellcheck disable=SC2046
check "the packages are purged" apt-get -q -y purge $(ours)
check "nothing remains" nothing_remains
# the caller has one more, and prints the plan
echo $((number + 1)) >/debs/plan
[ $failed -eq 0 ]
