// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: Limits
 *
 * All memory of a client is charged to the memory control group of the process that asks
 * for it. Three limits apply in addition, because not everybody has control groups:
 *
 * - a client (an open file) has at most client_memory MiB of execution slots and parsed
 *   jobs, and %VSHADER_MAX_OBJECTS queues with %VSHADER_MAX_QUEUED unfinished jobs each;
 * - a device has at most memory MiB for all clients, by default a quarter of the RAM, and
 *   max_clients clients with queues, that is with threads and a scheduler;
 * - a user without CAP_SYS_RESOURCE has at most three quarters of the device's memory and
 *   half of its clients, so that others always find some.
 *
 * -EDQUOT means that the caller has to give something back, -ENOSPC that the device is
 * full. Buffer objects do not count here: their pages are shmem pages, charged to the
 * control group of the process that touches them first. Pages are pinned while a buffer
 * object is bound to an address space, because jobs access them without faulting.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "vshader_device.h"
#include "vshader_quota.h"

static unsigned int max_clients = 256;
module_param(max_clients, uint, 0644);
MODULE_PARM_DESC(max_clients, "open files with queues, per device (default 256)");

static unsigned int client_memory = 256;
module_param(client_memory, uint, 0644);
MODULE_PARM_DESC(client_memory, "memory for jobs, MiB per open file (default 256)");

static unsigned int memory;
module_param(memory, uint, 0644);
MODULE_PARM_DESC(memory, "memory for jobs, MiB per device (default 0: a quarter of the RAM)");

static u64 device_limit(void)
{
	u32 mib = READ_ONCE(memory);

	return mib ? (u64)mib << 20 : ((u64)totalram_pages() << PAGE_SHIFT) / 4;
}

/* Users have this much of a limit, unless they are privileged. */
static u64 user_part(const struct vshader_file *vf, u64 limit, u32 quarters)
{
	return vf->privileged ? limit : limit / 4 * quarters;
}

void vshader_quota_init(struct vshader_quota *quota)
{
	spin_lock_init(&quota->lock);
	INIT_LIST_HEAD(&quota->users);
}

static struct vshader_user *lookup_user(struct vshader_quota *quota, kuid_t uid)
{
	struct vshader_user *u;

	list_for_each_entry(u, &quota->users, node) {
		if (uid_eq(u->uid, uid))
			return u;
	}
	return NULL;
}

int vshader_quota_join(struct vshader_file *vf)
{
	struct vshader_quota *quota = &vf->vdev->quota;
	struct vshader_user *new = kzalloc(sizeof(*new), GFP_KERNEL_ACCOUNT), *u;

	if (!new)
		return -ENOMEM;
	new->uid = current_uid();
	vf->privileged = capable(CAP_SYS_RESOURCE);
	spin_lock(&quota->lock);
	u = lookup_user(quota, new->uid);
	if (!u) {
		u = new;
		new = NULL;
		list_add(&u->node, &quota->users);
	}
	u->files++;
	vf->user = u;
	spin_unlock(&quota->lock);
	kfree(new);
	return 0;
}

void vshader_quota_leave(struct vshader_file *vf)
{
	struct vshader_quota *quota = &vf->vdev->quota;
	struct vshader_user *u = vf->user;

	if (!u)
		return;
	spin_lock(&quota->lock);
	if (vf->is_client) {
		quota->clients--;
		u->clients--;
	}
	if (--u->files)
		u = NULL;
	else
		list_del(&u->node);
	spin_unlock(&quota->lock);
	kfree(u);
}

int vshader_quota_add_client(struct vshader_file *vf)
{
	struct vshader_quota *quota = &vf->vdev->quota;
	u64 most = READ_ONCE(max_clients);
	int ret = 0;

	spin_lock(&quota->lock);
	if (vf->user->clients >= user_part(vf, most, 2)) {
		ret = quota->clients >= most ? -ENOSPC : -EDQUOT;
	} else if (quota->clients >= most) {
		ret = -ENOSPC;
	} else {
		quota->clients++;
		vf->user->clients++;
		vf->is_client = true;
	}
	spin_unlock(&quota->lock);
	return ret;
}

int vshader_quota_charge(struct vshader_file *vf, u64 bytes)
{
	struct vshader_quota *quota = &vf->vdev->quota;
	u64 most = device_limit();
	int ret = 0;

	spin_lock(&quota->lock);
	if (quota->bytes + bytes > most) {
		ret = -ENOSPC;
	} else if (vf->bytes + bytes > (u64)READ_ONCE(client_memory) << 20 ||
		   vf->user->bytes + bytes > user_part(vf, most, 3)) {
		ret = -EDQUOT;
	} else {
		quota->bytes += bytes;
		vf->user->bytes += bytes;
		vf->bytes += bytes;
	}
	spin_unlock(&quota->lock);
	return ret;
}

void vshader_quota_uncharge(struct vshader_file *vf, u64 bytes)
{
	struct vshader_quota *quota = &vf->vdev->quota;

	spin_lock(&quota->lock);
	quota->bytes -= bytes;
	vf->user->bytes -= bytes;
	vf->bytes -= bytes;
	spin_unlock(&quota->lock);
}
