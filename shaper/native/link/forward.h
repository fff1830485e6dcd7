/* SPDX-License-Identifier: MIT */
/* Packets between the devices and the link: read with the time of their arrival, written when they are due. */
#ifndef COEXIST_LINK_FORWARD_H
#define COEXIST_LINK_FORWARD_H

#include "control.h"

/* Reads what waits at the device of one direction, but not for ever: there are others. */
void forward_read(struct control *control, int device, enum direction direction);

/* Writes what is due, each into the device it came from. */
void forward_write(struct control *control, const int devices[DIRECTIONS]);

#endif
