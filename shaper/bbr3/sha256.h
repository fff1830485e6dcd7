/* SPDX-License-Identifier: MIT */
/* SHA-256 of a file (FIPS 180-4). */
#ifndef COEXIST_BBR3_SHA256_H
#define COEXIST_BBR3_SHA256_H

#include <stdint.h>

/* 0, or an errno. */
int sha256_file(const char *path, uint8_t hash[32]);

#endif
