/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Limits of the resources that clients and users may use on a device. */
#ifndef VSHADER_QUOTA_H
#define VSHADER_QUOTA_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/uidgid.h>

struct vshader_file;

/**
 * struct vshader_user - A user with open files of a device.
 * @node: in &vshader_quota.users
 * @uid: user
 * @files: open files
 * @clients: files with queues
 * @bytes: memory charged
 */
struct vshader_user {
	struct list_head node;
	kuid_t uid;
	u32 files;
	u32 clients;
	u64 bytes;
};

/**
 * struct vshader_quota - Totals of a device.
 * @lock: protects everything here and in users, and &vshader_file.bytes
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

void vshader_quota_init(struct vshader_quota *quota);

/**
 * vshader_quota_join - account for a file under the user that opens it
 * @vf: file
 *
 * Return: 0 or -ENOMEM.
 */
int vshader_quota_join(struct vshader_file *vf);

/**
 * vshader_quota_leave - the file is gone, and its charges are
 * @vf: file
 */
void vshader_quota_leave(struct vshader_file *vf);

/**
 * vshader_quota_add_client - the file is about to have its first queue
 * @vf: file
 *
 * Return: 0, -EDQUOT: the user has too many such files, -ENOSPC: the device has.
 */
int vshader_quota_add_client(struct vshader_file *vf);

/**
 * vshader_quota_charge - charge memory
 * @vf: file
 * @bytes: how much
 *
 * Return: 0, -EDQUOT: limit of the client or user, -ENOSPC: limit of the device.
 */
int vshader_quota_charge(struct vshader_file *vf, u64 bytes);

/**
 * vshader_quota_uncharge - give memory back
 * @vf: file
 * @bytes: as charged
 */
void vshader_quota_uncharge(struct vshader_file *vf, u64 bytes);

#endif /* VSHADER_QUOTA_H */
