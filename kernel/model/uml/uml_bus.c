// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A bus of User-Mode-Linux with one register model on it: memory-mapped registers, interrupt
 * controller, and the threads that stand for the hardware. The GPU's node in the device tree
 * has its model's name in "vshader,model" and its interrupts in the order of the model's lines.
 *
 * Interrupts are raised by a thread: drivers hold locks without disabling interrupts when they
 * access registers, and User-Mode-Linux has no interrupt to send to itself.
 */
#include <linux/delay.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/irqdomain.h>
#include <linux/kthread.h>
#include <linux/logic_iomem.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/of_address.h>
#include <linux/platform_device.h>
#include <linux/vmalloc.h>

#include "uml_bus.h"

/* Interrupts below are User-Mode-Linux's own. */
#define FIRST_IRQ	64
#define NUM_IRQS	32

/* Rounds in which a line stays active although its handlers ran. */
#define STORM		1000
#define STACKS		16

/* Time of a round of work, where time passes by waiting only (time-travel=inf-cpu). */
#define WORK_NS		20000

static struct model_bus the_bus;

/* ---- memory ---- */

static void *host_page(void *priv, u64 pa)
{
	return pfn_valid(pa >> PAGE_SHIFT) ? phys_to_virt(pa) : NULL;
}

static bool contiguous(const u64 *pa, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++) {
		if (pa[i] != pa[0] + (u64)i * PAGE_SIZE || !pfn_valid(pa[i] >> PAGE_SHIFT))
			return false;
	}
	return true;
}

static void *host_map(void *priv, const u64 *pa, u32 n)
{
	struct page **pages;
	void *p = NULL;
	u32 i;

	if (contiguous(pa, n))
		return phys_to_virt(pa[0]);
	pages = kvmalloc_array(n, sizeof(*pages), GFP_KERNEL);
	for (i = 0; pages && i < n && pfn_valid(pa[i] >> PAGE_SHIFT); i++)
		pages[i] = pfn_to_page(pa[i] >> PAGE_SHIFT);
	if (pages && i == n)
		p = vmap(pages, n, VM_MAP, PAGE_KERNEL);
	kvfree(pages);
	return p;
}

static void host_unmap(void *priv, void *p, u32 n)
{
	if (is_vmalloc_addr(p))
		vunmap(p);
}

static bool host_is_free(void *priv, u64 pa)
{
	struct page *page = pfn_valid(pa >> PAGE_SHIFT) ? pfn_to_page(pa >> PAGE_SHIFT) : NULL;

	return page && (!page_count(page) || PageSlab(page));
}

static u64 host_page_new(void *priv)
{
	unsigned long p = get_zeroed_page(GFP_KERNEL);

	return p ? virt_to_phys((void *)p) : 0;
}

static void host_page_free(void *priv, u64 pa)
{
	free_page((unsigned long)phys_to_virt(pa));
}

/* ---- threads ---- */

static void host_irq(void *priv)
{
	struct model_bus *b = priv;

	b->irq = true;
	wake_up(&b->irq_wait);
}

static void host_kick(void *priv)
{
	struct model_bus *b = priv;

	b->work = true;
	wake_up(&b->work_wait);
}

static void host_wait(void *priv)
{
	struct model_bus *b = priv;

	wait_event_timeout(b->work_wait, b->written, msecs_to_jiffies(20));
	b->written = false;
}

static void uml_bus_deliver(struct model_bus *b, u32 lines)
{
	u32 n;

	for (n = 0; n < MODEL_MAX_LINES; n++) {
		if (!(lines & BIT(n)))
			continue;
		model_log(b, MODEL_IRQ, n, 0);
		b->irqs[n]++;
		generic_handle_domain_irq_safe(b->domain, n);
	}
}

static int irq_main(void *arg)
{
	struct model_bus *b = arg;
	u32 lines, rounds = 0;

	for (;;) {
		wait_event_interruptible(b->irq_wait, b->irq);
		b->irq = false;
		lines = vs_model_lines(b->model);
		uml_bus_deliver(b, lines);
		if (vs_model_lines(b->model)) {
			/* level-triggered */
			b->irq = true;
			if (++rounds >= STORM) {
				pr_warn_once("vshader-model: lines 0x%x stay active\n", lines);
				msleep(20);
			}
		} else {
			rounds = 0;
		}
		cond_resched();
	}
	return 0;
}

static int work_main(void *arg)
{
	struct model_bus *b = arg;

	for (;;) {
		wait_event_interruptible(b->work_wait, b->work);
		b->work = false;
		while (vs_model_work(b->model)) {
			/* without it, an endless chain would keep time from passing */
			if (time_travel_mode == TT_MODE_INFCPU)
				ndelay(WORK_NS);
			cond_resched();
		}
	}
	return 0;
}

static void host_report(void *priv, u32 reg, u32 value, const char *text)
{
	struct model_bus *b = priv;
	char name[40];

	vs_model_reg_name(b->model, reg, name, sizeof(name));
	model_log_finding(b, name, value, text);
	pr_warn("vshader-model: %s, 0x%08x: %s\n", name, value, text);
	if (b->stacks < STACKS) {
		b->stacks++;
		dump_stack();
	}
}

/* ---- registers ---- */

static unsigned long bus_read(void *priv, unsigned int offset, int size)
{
	struct model_bus *b = priv;
	u32 v;

	if (size != 4 || offset % 4) {
		host_report(b, offset, 0, "registers are read as 32 bits");
		return ~0UL;
	}
	v = vs_model_read(b->model, offset);
	model_log(b, MODEL_READ, offset, v);
	return v;
}

static void bus_write(void *priv, unsigned int offset, int size, unsigned long value)
{
	struct model_bus *b = priv;

	if (size != 4 || offset % 4) {
		host_report(b, offset, value, "registers are written as 32 bits");
		return;
	}
	model_log(b, MODEL_WRITE, offset, value);
	vs_model_write(b->model, offset, value);
	b->written = true;
	wake_up(&b->work_wait);
}

static const struct logic_iomem_ops bus_ops = {
	.read = bus_read,
	.write = bus_write,
};

static long bus_map(unsigned long offset, size_t size, const struct logic_iomem_ops **ops,
		    void **priv)
{
	*ops = &bus_ops;
	*priv = &the_bus;
	return offset;
}

static const struct logic_iomem_region_ops bus_region = {
	.map = bus_map,
};

/* ---- device tree ---- */

static int irq_map(struct irq_domain *d, unsigned int virq, irq_hw_number_t hw)
{
	irq_set_chip_and_handler(virq, &dummy_irq_chip, handle_simple_irq);
	return 0;
}

static const struct irq_domain_ops irq_ops = {
	.map = irq_map,
	.xlate = irq_domain_xlate_onecell,
};

static int add_irqs(struct model_bus *b, struct device_node *np)
{
	int first = irq_alloc_descs(-1, FIRST_IRQ, NUM_IRQS, 0);

	if (first < 0)
		return first;
	b->domain = irq_domain_add_legacy(np, NUM_IRQS, first, 0, &irq_ops, NULL);
	return b->domain ? 0 : -ENOMEM;
}

static int add_model(struct model_bus *b, struct device_node *np)
{
	const struct vs_model_host host = {
		.irq = host_irq, .kick = host_kick, .wait = host_wait, .page = host_page,
		.map = host_map, .unmap = host_unmap, .is_free = host_is_free,
		.page_new = host_page_new, .page_free = host_page_free,
		.report = host_report, .priv = b,
	};
	const char *gpu;
	int ret;

	ret = of_property_read_string(np, "vshader,model", &gpu);
	if (ret)
		return ret;
	ret = of_address_to_resource(np, 0, &b->res);
	if (ret)
		return ret;
	b->model = vs_model_new(gpu, &host);
	if (!b->model)
		return -ENODEV;
	b->res.name = "vshader-model";
	b->res.flags = IORESOURCE_MEM;
	ret = logic_iomem_add_region(&b->res, &bus_region);
	pr_info("vshader-model: %s at %pR: %d\n", gpu, &b->res, ret);
	return ret;
}

/* Drivers that poll must not keep the hardware from going on. */
static int run_thread(int (*run)(void *), struct model_bus *b, const char *name)
{
	struct task_struct *t = kthread_run(run, b, "%s", name);

	if (IS_ERR(t))
		return PTR_ERR(t);
	set_user_nice(t, MIN_NICE);
	return 0;
}

static int start_threads(struct model_bus *b)
{
	int ret = run_thread(irq_main, b, "vshader-irq");

	return ret ?: run_thread(work_main, b, "vshader-model");
}

static int bus_probe(struct platform_device *pdev)
{
	struct model_bus *b = &the_bus;
	struct device_node *np;
	int ret;

	np = of_find_node_with_property(NULL, "vshader,model");
	if (!np || b->model)
		return -ENODEV;
	init_waitqueue_head(&b->irq_wait);
	init_waitqueue_head(&b->work_wait);
	ret = model_log_init(b);
	if (ret)
		goto out_put;
	ret = add_model(b, np);
	if (ret)
		goto out_put;
	ret = add_irqs(b, pdev->dev.of_node);
	if (ret)
		goto out_put;
	ret = start_threads(b);
out_put:
	of_node_put(np);
	return ret;
}

static const struct of_device_id bus_match[] = {
	{ .compatible = "vshader,intc" },
	{}
};

/* The region of registers cannot be removed, so nothing can. */
static struct platform_driver bus_driver = {
	.probe = bus_probe,
	.driver = {
		.name = "vshader-model",
		.of_match_table = bus_match,
		.suppress_bind_attrs = true,
	},
};

static int __init bus_init(void)
{
	return platform_driver_register(&bus_driver);
}
module_init(bus_init);

MODULE_DESCRIPTION("Register models of GPUs under User-Mode-Linux");
MODULE_LICENSE("Dual MIT/GPL");
