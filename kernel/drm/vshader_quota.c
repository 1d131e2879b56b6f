// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: Limits
 *
 * All memory of a client is charged to the memory control group of the process that asks
 * for it. Three limits apply in addition, because not everybody has control groups:
 *
 * - a client (an open file) has at most client_memory MiB of kernel memory whose amount it
 *   chooses: the table in Documentation/clients.rst lists it;
 * - a device has at most memory MiB for all clients, by default a quarter of the RAM, and
 *   max_clients clients with queues, that is with threads and a scheduler;
 * - a user without CAP_SYS_RESOURCE has at most three quarters of the memory and half of the
 *   clients that others leave of the device, so that there are always some for the next one.
 *
 * The user of a client is the one that opens the file and, in a user namespace, also its owner
 * and the owners of the namespaces above it: subordinate ids do not make more users of one.
 *
 * -EDQUOT means that the caller has to give something back, -ENOSPC that the device is
 * full. The pages of buffer objects do not count here: they are shmem pages, charged to the
 * control group of the process that touches them first. They are pinned while a buffer
 * object is bound to an address space, because jobs access them without faulting.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>

#include "vshader_device.h"
#include "vshader_quota.h"

static unsigned int max_clients = 256;
module_param(max_clients, uint, 0644);
MODULE_PARM_DESC(max_clients, "open files with queues, per device (default 256)");

static unsigned int client_memory = 256;
module_param(client_memory, uint, 0644);
MODULE_PARM_DESC(client_memory, "kernel memory, MiB per open file (default 256)");

static unsigned int memory;
module_param(memory, uint, 0644);
MODULE_PARM_DESC(memory, "kernel memory, MiB per device (default 0: a quarter of the RAM)");

static u64 device_limit(void)
{
	u32 mib = READ_ONCE(memory);

	return mib ? (u64)mib << 20 : ((u64)totalram_pages() << PAGE_SHIFT) / 4;
}

/* Users have this much of what @others leave of a limit, unless they are privileged. */
static u64 user_part(const struct vshader_account *acct, u64 limit, u64 others, u32 quarters)
{
	return acct->privileged ? limit : (limit - min(limit, others)) * quarters / 4;
}

void vshader_quota_init(struct vshader_quota *quota)
{
	spin_lock_init(&quota->lock);
	INIT_LIST_HEAD(&quota->users);
}

static struct vshader_user *quota_lookup(struct vshader_quota *quota, kuid_t uid)
{
	struct vshader_user *u;

	list_for_each_entry(u, &quota->users, node) {
		if (uid_eq(u->uid, uid))
			return u;
	}
	return NULL;
}

static bool account_has(const struct vshader_account *acct, kuid_t uid)
{
	u32 i;

	for (i = 0; i < acct->nusers; i++) {
		if (uid_eq(acct->users[i]->uid, uid))
			return true;
	}
	return false;
}

static int account_add_user(struct vshader_account *acct, kuid_t uid)
{
	struct vshader_quota *quota = acct->quota;
	struct vshader_user *new, *u;

	if (account_has(acct, uid))
		return 0;
	new = kzalloc(sizeof(*new), GFP_KERNEL_ACCOUNT);
	if (!new)
		return -ENOMEM;
	new->uid = uid;
	spin_lock(&quota->lock);
	u = quota_lookup(quota, uid);
	if (!u) {
		u = new;
		new = NULL;
		list_add(&u->node, &quota->users);
	}
	u->accounts++;
	acct->users[acct->nusers++] = u;
	spin_unlock(&quota->lock);
	kfree(new);
	return 0;
}

static void account_release(struct kref *ref)
{
	struct vshader_account *acct = container_of(ref, struct vshader_account, ref);
	struct vshader_user *u;

	WARN_ON_ONCE(acct->bytes);
	while (acct->nusers) {
		u = acct->users[--acct->nusers];
		spin_lock(&acct->quota->lock);
		if (--u->accounts)
			u = NULL;
		else
			list_del(&u->node);
		spin_unlock(&acct->quota->lock);
		kfree(u);
	}
	mem_cgroup_put(acct->memcg);
	kfree(acct);
}

void vshader_account_put(struct vshader_account *acct)
{
	if (acct)
		kref_put(&acct->ref, account_release);
}

struct vshader_account *vshader_account_new(struct vshader_quota *quota)
{
	const struct user_namespace *ns = current_user_ns();
	struct vshader_account *acct;
	int ret;

	acct = kzalloc(struct_size(acct, users, ns->level + 1), GFP_KERNEL_ACCOUNT);
	if (!acct)
		return NULL;
	kref_init(&acct->ref);
	acct->quota = quota;
	acct->memcg = get_mem_cgroup_from_mm(current->mm);
	acct->privileged = capable(CAP_SYS_RESOURCE);
	ret = account_add_user(acct, current_uid());
	if (ret)
		goto err_put;
	for (; ns->parent; ns = ns->parent) {
		ret = account_add_user(acct, ns->owner);
		if (ret)
			goto err_put;
	}
	return acct;

err_put:
	vshader_account_put(acct);
	return NULL;
}

/* Whether each user may have another client. */
static bool quota_client_fits(const struct vshader_account *acct, u64 most)
{
	const struct vshader_user *u;
	u32 i;

	for (i = 0; i < acct->nusers; i++) {
		u = acct->users[i];
		if (u->clients >= user_part(acct, most, acct->quota->clients - u->clients, 2))
			return false;
	}
	return true;
}

static void quota_count_client(struct vshader_account *acct, int n)
{
	u32 i;

	lockdep_assert_held(&acct->quota->lock);
	acct->quota->clients += n;
	for (i = 0; i < acct->nusers; i++)
		acct->users[i]->clients += n;
}

int vshader_quota_add_client(struct vshader_file *vf)
{
	struct vshader_account *acct = vf->account;
	u64 most = READ_ONCE(max_clients);
	int ret = 0;

	spin_lock(&acct->quota->lock);
	if (acct->quota->clients >= most) {
		ret = -ENOSPC;
	} else if (!quota_client_fits(acct, most)) {
		ret = -EDQUOT;
	} else {
		quota_count_client(acct, 1);
		vf->is_client = true;
	}
	spin_unlock(&acct->quota->lock);
	return ret;
}

void vshader_quota_drop_client(struct vshader_file *vf)
{
	if (!vf->is_client)
		return;
	spin_lock(&vf->account->quota->lock);
	quota_count_client(vf->account, -1);
	spin_unlock(&vf->account->quota->lock);
}

/* Whether each user may have @bytes more. */
static bool quota_bytes_fit(const struct vshader_account *acct, u64 bytes, u64 most)
{
	const struct vshader_user *u;
	u32 i;

	for (i = 0; i < acct->nusers; i++) {
		u = acct->users[i];
		if (u->bytes + bytes > user_part(acct, most, acct->quota->bytes - u->bytes, 3))
			return false;
	}
	return acct->bytes + bytes <= (u64)READ_ONCE(client_memory) << 20;
}

static void quota_count_bytes(struct vshader_account *acct, s64 bytes)
{
	u32 i;

	lockdep_assert_held(&acct->quota->lock);
	acct->quota->bytes += bytes;
	acct->bytes += bytes;
	for (i = 0; i < acct->nusers; i++)
		acct->users[i]->bytes += bytes;
}

int vshader_quota_charge(struct vshader_account *acct, u64 bytes)
{
	u64 most = device_limit();
	int ret = 0;

	spin_lock(&acct->quota->lock);
	if (acct->quota->bytes + bytes > most)
		ret = -ENOSPC;
	else if (!quota_bytes_fit(acct, bytes, most))
		ret = -EDQUOT;
	else
		quota_count_bytes(acct, bytes);
	spin_unlock(&acct->quota->lock);
	return ret;
}

void vshader_quota_exceed(struct vshader_account *acct, u64 bytes)
{
	spin_lock(&acct->quota->lock);
	quota_count_bytes(acct, bytes);
	spin_unlock(&acct->quota->lock);
}

void vshader_quota_uncharge(struct vshader_account *acct, u64 bytes)
{
	spin_lock(&acct->quota->lock);
	quota_count_bytes(acct, -(s64)bytes);
	spin_unlock(&acct->quota->lock);
}
