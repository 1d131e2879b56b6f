// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Usage of the panfrost personality, for monitors: the keys of the panfrost driver in fdinfo, and
 * its file "profiling" in sysfs, which switches times and cycles on.
 *
 * An engine is a job slot: fragment jobs, and all others. Its time is that from the start of jobs
 * to their end, as in the driver, not CPU time: a job that several threads execute uses one engine.
 * Cycles are those of the clock that jobs read.
 */
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/kstrtox.h>
#include <linux/seq_file.h>
#include <linux/sysfs.h>

#include "drm/vshader_perf.h"
#include "drm/vshader_personality.h"
#include "personality/panfrost.h"

static const char *const panfrost_engines[] = {
	[PANFROST_QUEUE_FRAGMENT] = "fragment",
	[PANFROST_QUEUE_OTHER] = "vertex-tiler",
};

static void panfrost_show_engine(struct seq_file *m, const struct vshader_file *vf, u32 i)
{
	const char *name = panfrost_engines[i];
	u64 ns = atomic64_read(&vf->profiled_ns[i]);

	static_assert(PAN_CLOCK_HZ == NSEC_PER_SEC);
	if (READ_ONCE(vf->vdev->profiling)) {
		seq_printf(m, "drm-engine-%s:\t%llu ns\n", name, ns);
		seq_printf(m, "drm-cycles-%s:\t%llu\n", name, ns);
	}
	seq_printf(m, "drm-maxfreq-%s:\t%llu Hz\n", name, PAN_CLOCK_HZ);
	seq_printf(m, "drm-curfreq-%s:\t%llu Hz\n", name, PAN_CLOCK_HZ);
}

void panfrost_show_fdinfo(struct seq_file *m, struct file *f)
{
	struct drm_file *file = f->private_data;
	const struct vshader_file *vf = file->driver_priv;
	struct vshader_memory mem;
	u32 i;

	vshader_fdinfo_client(m, vf);
	for (i = 0; i < ARRAY_SIZE(panfrost_engines); i++)
		panfrost_show_engine(m, vf, i);
	vshader_memory_of(file, &mem);
	seq_printf(m, "drm-total-memory:\t%llu KiB\n", mem.total >> 10);
	seq_printf(m, "drm-shared-memory:\t%llu KiB\n", mem.shared >> 10);
	seq_printf(m, "drm-active-memory:\t%llu KiB\n", mem.active >> 10);
	seq_printf(m, "drm-resident-memory:\t%llu KiB\n", mem.resident >> 10);
	seq_printf(m, "drm-purgeable-memory:\t%llu KiB\n", mem.purgeable >> 10);
}

static ssize_t profiling_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	const struct vshader_device *vdev = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%d\n", READ_ONCE(vdev->profiling));
}

static ssize_t profiling_store(struct device *dev, struct device_attribute *attr, const char *buf,
			       size_t len)
{
	struct vshader_device *vdev = dev_get_drvdata(dev);
	bool on;
	int ret;

	ret = kstrtobool(buf, &on);
	if (ret)
		return ret;
	WRITE_ONCE(vdev->profiling, on);
	return len;
}

static DEVICE_ATTR_RW(profiling);

static struct attribute *panfrost_attrs[] = {
	&dev_attr_profiling.attr,
	NULL,
};

static umode_t panfrost_attr_visible(struct kobject *kobj, struct attribute *attr, int n)
{
	const struct vshader_device *vdev = dev_get_drvdata(kobj_to_dev(kobj));

	return vdev->personality == &vshader_panfrost ? attr->mode : 0;
}

const struct attribute_group vshader_panfrost_group = {
	.attrs = panfrost_attrs,
	.is_visible = panfrost_attr_visible,
};
