#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# In a disk image with systemd (scripts/vm run --image): mounts what the host shares and runs the
# command with its streams wired to the host.

export HOME=/root TERM=linux VSHADER_GUEST=vm
# programs cannot be executed from /run
tools=/usr/local/bin
install -m 755 /run/host/model.sh $tools/vshader-model
[ ! -e /bin/busybox ] || ln -sf /bin/busybox $tools/devmem
PATH=$tools:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin
export PATH

while read -r name mode _path; do
	where=/$name
	[ "$name" != module ] || continue
	mkdir -p "$where"
	mount -t 9p -o "$mode,trans=virtio,version=9p2000.L,msize=262144" "$name" "$where"
done </run/host/shares
_tries=0
until { [ -e /dev/virtio-ports/out ] && [ -e /dev/virtio-ports/err ]; } || [ $_tries -ge 120 ]; do
	_tries=$((_tries + 1))
	sleep 1
done
cd /root || exit
# Of a port only one opener is allowed: the command's streams are pipes, which programs may open again.
pumps=
for stream in out err; do
	mkfifo -m 666 "/run/host-$stream" || exit
	cat "/run/host-$stream" >"/dev/virtio-ports/$stream" &
	pumps="$pumps $!"
done
# the host's console, for a run that does not end
: >/run/host/began
echo "vshader: the command begins" >/dev/console
sh /run/host/command </dev/null >/run/host-out 2>/run/host-err
status=$?
# the pipes end when no process of this service has them any more
while read -r process; do
	case " $$ $pumps " in
	*" $process "*) ;;
	*) kill -9 "$process" 2>/dev/null ;;
	esac
done <"/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)/cgroup.procs"
# numbers
# shellcheck disable=SC2086
wait $pumps
echo "vshader: the command ended with status $status" >/dev/console
dmesg >/run/host/dmesg
echo $status >/run/host/status
sync
