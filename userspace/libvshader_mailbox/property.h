/* SPDX-License-Identifier: MIT */
/*
 * Messages of the property mailbox.
 */
#ifndef MBOX_PROPERTY_H
#define MBOX_PROPERTY_H

#include <stdbool.h>
#include <stdint.h>

/**
 * property_message - answer a message in place
 * @msg: words: bytes of the message, 0, tags, 0. A tag is its number, bytes of its
 *	buffer, bytes of the request, and the buffer
 *
 * Tags that are not known are left without an answer, as the firmware does.
 *
 * Return: false if it is not a message; its code is then an error, too.
 */
bool property_message(uint32_t *msg);

#endif /* MBOX_PROPERTY_H */
