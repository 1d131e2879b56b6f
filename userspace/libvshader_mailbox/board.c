// SPDX-License-Identifier: MIT
/*
 * The board that programs see: a Raspberry Pi 2 at its usual clocks. Rates, voltages and power
 * are those of the process, and do not change how fast anything runs.
 */
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "board.h"
#include "core.h"

#define MODEL		0u
#define REVISION	0x00a01041u	/* Raspberry Pi 2 B 1.1 */
#define SERIAL		1u
#define DMA_CHANNELS	0x00007f35u	/* those of the ARM */

/* States of devices and clocks. */
#define IS_ON		0x1u
#define IS_MISSING	0x2u

#define NUM_POWER	9		/* from the SD card, 0, to CCP2, 8 */
#define MHZ		1000000u

/**
 * struct clock - a clock
 * @rate: Hz, as it is set
 * @min: lowest rate
 * @max: highest rate
 * @on: it runs
 */
struct clock {
	uint32_t rate;
	uint32_t min;
	uint32_t max;
	bool on;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* By number; there is no clock 0. */
static struct clock clocks[] = {
	[1] = { 250 * MHZ, 250 * MHZ, 250 * MHZ, true },	/* EMMC */
	[2] = { 48 * MHZ, 0, 1000 * MHZ, true },		/* UART */
	[3] = { 900 * MHZ, 600 * MHZ, 900 * MHZ, true },	/* ARM */
	[4] = { 250 * MHZ, 250 * MHZ, 250 * MHZ, true },	/* core */
	[5] = { 250 * MHZ, 250 * MHZ, 250 * MHZ, true },	/* V3D */
	[6] = { 250 * MHZ, 250 * MHZ, 250 * MHZ, true },	/* H.264 */
	[7] = { 250 * MHZ, 250 * MHZ, 250 * MHZ, true },	/* ISP */
	[8] = { 450 * MHZ, 400 * MHZ, 450 * MHZ, true },	/* SDRAM */
	[9] = { 0, 0, 340 * MHZ, false },			/* pixels */
	[10] = { 0, 0, 500 * MHZ, false },			/* PWM */
};

#define NUM_CLOCKS	(sizeof(clocks) / sizeof(clocks[0]))

/* Microvolts of the core and the SDRAM's three supplies, by number from 1. */
static uint32_t volts[] = { 0, 1200000, 1200000, 1225000, 1200000 };

#define NUM_VOLTS	(sizeof(volts) / sizeof(volts[0]))
#define MIN_VOLTS	1200000u
#define MAX_VOLTS	1400000u

static bool powered[NUM_POWER] = { true, true, false, true };

static uint32_t one(uint32_t *out, uint32_t value)
{
	out[0] = value;
	return 4;
}

static uint32_t two(uint32_t *out, uint32_t first, uint32_t second)
{
	out[0] = first;
	out[1] = second;
	return 8;
}

/* ---- the board ---- */

uint32_t board_firmware(const uint32_t *args, uint32_t *out)
{
	return one(out, MBOX_VERSION);
}

uint32_t board_model(const uint32_t *args, uint32_t *out)
{
	return one(out, MODEL);
}

uint32_t board_revision(const uint32_t *args, uint32_t *out)
{
	return one(out, REVISION);
}

/* An address of nobody's network. */
uint32_t board_mac(const uint32_t *args, uint32_t *out)
{
	static const uint8_t mac[] = { 0x02, 0, 0, 0, 0, SERIAL };

	memcpy(out, mac, sizeof(mac));
	return sizeof(mac);
}

uint32_t board_serial(const uint32_t *args, uint32_t *out)
{
	return two(out, SERIAL, 0);
}

/* The split is where allocated memory begins. */
uint32_t board_arm_memory(const uint32_t *args, uint32_t *out)
{
	return two(out, 0, MBOX_MEMORY);
}

uint32_t board_vc_memory(const uint32_t *args, uint32_t *out)
{
	return two(out, MBOX_MEMORY, MBOX_PERIPHERALS - MBOX_MEMORY);
}

uint32_t board_throttled(const uint32_t *args, uint32_t *out)
{
	return one(out, 0);
}

uint32_t board_command_line(const uint32_t *args, uint32_t *out)
{
	return 0;
}

uint32_t board_dma_channels(const uint32_t *args, uint32_t *out)
{
	return one(out, DMA_CHANNELS);
}

/* ---- power ---- */

uint32_t board_power(const uint32_t *args, uint32_t *out)
{
	uint32_t state = IS_MISSING;

	pthread_mutex_lock(&lock);
	if (args[0] < NUM_POWER)
		state = powered[args[0]] ? IS_ON : 0;
	pthread_mutex_unlock(&lock);
	return two(out, args[0], state);
}

/* Microseconds to wait after it was switched on. */
uint32_t board_power_timing(const uint32_t *args, uint32_t *out)
{
	return two(out, args[0], 0);
}

uint32_t board_set_power(const uint32_t *args, uint32_t *out)
{
	pthread_mutex_lock(&lock);
	if (args[0] < NUM_POWER)
		powered[args[0]] = args[1] & IS_ON;
	pthread_mutex_unlock(&lock);
	return board_power(args, out);
}

/* ---- clocks ---- */

/* Rates and states need the lock. Return: clock or NULL. */
static struct clock *find_clock(uint32_t id)
{
	return id && id < NUM_CLOCKS ? &clocks[id] : NULL;
}

/* All numbers, each after that of its parent: none. */
uint32_t board_clocks(const uint32_t *args, uint32_t *out)
{
	uint32_t i;

	for (i = 1; i < NUM_CLOCKS; i++)
		two(out + 2 * (i - 1), 0, i);
	return 8 * (NUM_CLOCKS - 1);
}

uint32_t board_clock_state(const uint32_t *args, uint32_t *out)
{
	uint32_t state = IS_MISSING;
	struct clock *c;

	pthread_mutex_lock(&lock);
	c = find_clock(args[0]);
	if (c)
		state = c->on ? IS_ON : 0;
	pthread_mutex_unlock(&lock);
	return two(out, args[0], state);
}

uint32_t board_set_clock_state(const uint32_t *args, uint32_t *out)
{
	struct clock *c;

	pthread_mutex_lock(&lock);
	c = find_clock(args[0]);
	if (c)
		c->on = args[1] & IS_ON;
	pthread_mutex_unlock(&lock);
	return board_clock_state(args, out);
}

/* Rates of clocks that do not exist are 0. */
uint32_t board_clock_rate(const uint32_t *args, uint32_t *out)
{
	struct clock *c;
	uint32_t rate;

	pthread_mutex_lock(&lock);
	c = find_clock(args[0]);
	rate = c ? c->rate : 0;
	pthread_mutex_unlock(&lock);
	return two(out, args[0], rate);
}

uint32_t board_max_clock(const uint32_t *args, uint32_t *out)
{
	const struct clock *c = find_clock(args[0]);

	return two(out, args[0], c ? c->max : 0);
}

uint32_t board_min_clock(const uint32_t *args, uint32_t *out)
{
	const struct clock *c = find_clock(args[0]);

	return two(out, args[0], c ? c->min : 0);
}

uint32_t board_set_clock_rate(const uint32_t *args, uint32_t *out)
{
	struct clock *c;

	pthread_mutex_lock(&lock);
	c = find_clock(args[0]);
	if (c)
		c->rate = args[1] < c->min ? c->min : args[1] > c->max ? c->max : args[1];
	pthread_mutex_unlock(&lock);
	return board_clock_rate(args, out);
}

/* The rates have no turbo range: the level stays 0. */
uint32_t board_turbo(const uint32_t *args, uint32_t *out)
{
	return two(out, args[0], 0);
}

/* ---- voltages and temperature ---- */

static bool has_voltage(uint32_t id)
{
	return id && id < NUM_VOLTS;
}

uint32_t board_voltage(const uint32_t *args, uint32_t *out)
{
	uint32_t value;

	pthread_mutex_lock(&lock);
	value = has_voltage(args[0]) ? volts[args[0]] : 0;
	pthread_mutex_unlock(&lock);
	return two(out, args[0], value);
}

uint32_t board_max_voltage(const uint32_t *args, uint32_t *out)
{
	return two(out, args[0], has_voltage(args[0]) ? MAX_VOLTS : 0);
}

uint32_t board_min_voltage(const uint32_t *args, uint32_t *out)
{
	return two(out, args[0], has_voltage(args[0]) ? MIN_VOLTS : 0);
}

uint32_t board_set_voltage(const uint32_t *args, uint32_t *out)
{
	uint32_t value = args[1] < MIN_VOLTS ? MIN_VOLTS :
			 args[1] > MAX_VOLTS ? MAX_VOLTS : args[1];

	pthread_mutex_lock(&lock);
	if (has_voltage(args[0]))
		volts[args[0]] = value;
	pthread_mutex_unlock(&lock);
	return board_voltage(args, out);
}

/* Thousandths of a degree Celsius of the only sensor, 0. */
uint32_t board_temperature(const uint32_t *args, uint32_t *out)
{
	return two(out, args[0], args[0] ? 0 : 45000);
}

uint32_t board_max_temperature(const uint32_t *args, uint32_t *out)
{
	return two(out, args[0], args[0] ? 0 : 85000);
}
