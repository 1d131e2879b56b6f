/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Limits of the resources that clients and users may use on a device. */
#ifndef VSHADER_QUOTA_H
#define VSHADER_QUOTA_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/uidgid.h>

struct mem_cgroup;
struct vshader_file;

/**
 * struct vshader_user - A user with accounts on a device.
 * @node: in &vshader_quota.users
 * @uid: user
 * @accounts: accounts that are charged to the user
 * @clients: files with queues
 * @bytes: memory charged
 */
struct vshader_user {
	struct list_head node;
	kuid_t uid;
	u32 accounts;
	u32 clients;
	u64 bytes;
};

/**
 * struct vshader_quota - Totals of a device.
 * @lock: protects everything here, in users and in accounts
 * @users: users
 * @clients: files with queues
 * @bytes: memory charged
 */
struct vshader_quota {
	/** @lock: see above */
	spinlock_t lock;
	struct list_head users;
	u32 clients;
	u64 bytes;
};

/**
 * struct vshader_account - Account to which the memory of a client is charged.
 * @ref: held by the file, and by objects that are charged and may outlive it
 * @quota: totals of the device, which lives longer
 * @memcg: memory control group of the process that opened the file, for works and threads, which
 *	are in none; holds a reference; NULL: the kernel has none
 * @privileged: limits for users do not apply
 * @bytes: memory charged
 * @nusers: number of @users
 * @users: user that opened the file, and owners of its user namespace and of the namespaces above
 *	it; each once
 */
struct vshader_account {
	struct kref ref;
	struct vshader_quota *quota;
	struct mem_cgroup *memcg;
	bool privileged;
	u64 bytes;
	u32 nusers;
	struct vshader_user *users[];
};

void vshader_quota_init(struct vshader_quota *quota);

/**
 * vshader_account_new - account of the calling process
 * @quota: totals of the device
 *
 * Return: a reference or NULL.
 */
struct vshader_account *vshader_account_new(struct vshader_quota *quota);

/**
 * vshader_account_get - take a reference
 * @acct: account
 *
 * Return: @acct.
 */
static inline struct vshader_account *vshader_account_get(struct vshader_account *acct)
{
	kref_get(&acct->ref);
	return acct;
}

/**
 * vshader_account_put - drop a reference
 * @acct: account or NULL
 */
void vshader_account_put(struct vshader_account *acct);

/**
 * vshader_quota_add_client - the file is about to have its first queue
 * @vf: file
 *
 * Return: 0, -EDQUOT: a user has too many such files, -ENOSPC: the device has.
 */
int vshader_quota_add_client(struct vshader_file *vf);

/**
 * vshader_quota_drop_client - the file is gone
 * @vf: file
 */
void vshader_quota_drop_client(struct vshader_file *vf);

/**
 * vshader_quota_charge - charge memory
 * @acct: account
 * @bytes: amount
 *
 * Return: 0, -EDQUOT: limit of the client or of a user, -ENOSPC: limit of the device.
 */
int vshader_quota_charge(struct vshader_account *acct, u64 bytes);

/**
 * vshader_quota_exceed - charge memory, whatever the limits
 * @acct: account
 * @bytes: amount
 */
void vshader_quota_exceed(struct vshader_account *acct, u64 bytes);

/**
 * vshader_quota_uncharge - give memory back
 * @acct: account
 * @bytes: as charged
 */
void vshader_quota_uncharge(struct vshader_account *acct, u64 bytes);

#endif /* VSHADER_QUOTA_H */
