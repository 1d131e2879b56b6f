#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# In a User-Mode-Linux guest: runs a command with the host's root folder, which is /system, as its
# own, and /results as its /mnt.
#
#   system.sh COMMAND...

for folder in proc sys dev tmp; do
	mount --bind /$folder /system/$folder || exit 1
done
mount --bind /results /system/mnt || exit 1
exec chroot /system /usr/bin/env PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
