/* SPDX-License-Identifier: MIT */
/*
 * The board that programs see: a Raspberry Pi 2. Each function answers a property tag: it
 * takes the tag's words and returns the bytes of the answer.
 */
#ifndef MBOX_BOARD_H
#define MBOX_BOARD_H

#include <stdint.h>

/* Without a request. */
uint32_t board_firmware(const uint32_t *args, uint32_t *out);
uint32_t board_model(const uint32_t *args, uint32_t *out);
uint32_t board_revision(const uint32_t *args, uint32_t *out);
uint32_t board_mac(const uint32_t *args, uint32_t *out);
uint32_t board_serial(const uint32_t *args, uint32_t *out);
uint32_t board_arm_memory(const uint32_t *args, uint32_t *out);
uint32_t board_vc_memory(const uint32_t *args, uint32_t *out);
uint32_t board_clocks(const uint32_t *args, uint32_t *out);
uint32_t board_throttled(const uint32_t *args, uint32_t *out);
uint32_t board_command_line(const uint32_t *args, uint32_t *out);
uint32_t board_dma_channels(const uint32_t *args, uint32_t *out);

/* Of the number of a device, clock, voltage or sensor, which comes first in the answer. */
uint32_t board_power(const uint32_t *args, uint32_t *out);
uint32_t board_power_timing(const uint32_t *args, uint32_t *out);
uint32_t board_clock_state(const uint32_t *args, uint32_t *out);
uint32_t board_clock_rate(const uint32_t *args, uint32_t *out);
uint32_t board_max_clock(const uint32_t *args, uint32_t *out);
uint32_t board_min_clock(const uint32_t *args, uint32_t *out);
uint32_t board_turbo(const uint32_t *args, uint32_t *out);
uint32_t board_voltage(const uint32_t *args, uint32_t *out);
uint32_t board_max_voltage(const uint32_t *args, uint32_t *out);
uint32_t board_min_voltage(const uint32_t *args, uint32_t *out);
uint32_t board_temperature(const uint32_t *args, uint32_t *out);
uint32_t board_max_temperature(const uint32_t *args, uint32_t *out);

/* Set, and return what is set now. */
uint32_t board_set_power(const uint32_t *args, uint32_t *out);
uint32_t board_set_clock_state(const uint32_t *args, uint32_t *out);
uint32_t board_set_clock_rate(const uint32_t *args, uint32_t *out);
uint32_t board_set_voltage(const uint32_t *args, uint32_t *out);

#endif /* MBOX_BOARD_H */
