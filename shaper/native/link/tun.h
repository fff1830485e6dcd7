/* SPDX-License-Identifier: MIT */
#ifndef COEXIST_LINK_TUN_H
#define COEXIST_LINK_TUN_H

/*
 * Makes a TUN device in the network namespace of the caller and brings it up. It lives as long as the descriptor, which
 * is non-blocking. -1: `what` says which step failed, errno why.
 */
int tun_open(const char *device, const char **what);

#endif
