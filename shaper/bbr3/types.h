/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * Integer types and inlining for sources that are compiled both as BPF and as ordinary C.
 *
 * These are all sources of this folder that have no ".bpf" in the name and do not belong to the loader. The
 * state machine uses neither sockets nor clocks, so that tests/bbr3 can drive it step by step.
 */
#ifndef COEXIST_BBR3_TYPES_H
#define COEXIST_BBR3_TYPES_H

#ifdef __bpf__
#include "kernel-types.h"
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
#endif

#define BBR3_INLINE static inline __attribute__((always_inline, unused))

BBR3_INLINE u32 bbr3_min32(u32 a, u32 b)
{
	return a < b ? a : b;
}

BBR3_INLINE u32 bbr3_max32(u32 a, u32 b)
{
	return a > b ? a : b;
}

BBR3_INLINE u64 bbr3_min64(u64 a, u64 b)
{
	return a < b ? a : b;
}

BBR3_INLINE u64 bbr3_max64(u64 a, u64 b)
{
	return a > b ? a : b;
}

/*
 * Returns true if `a` is later than `b`, that is, ahead by less than 2^31. Packet counters and sequence numbers
 * wrap around.
 */
BBR3_INLINE bool bbr3_after(u32 a, u32 b)
{
	return (s32)(b - a) < 0;
}

#endif
