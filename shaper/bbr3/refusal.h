/* SPDX-License-Identifier: MIT */
/* Messages of libbpf and of the kernel's verifier about a refused program. */
#ifndef COEXIST_BBR3_REFUSAL_H
#define COEXIST_BBR3_REFUSAL_H

/* Makes libbpf's messages go to a buffer that keeps the last one, and not to the terminal. */
void refusal_keep_words(void);

/*
 * Returns the last line of the verifier before its statistics, or the last message of libbpf if there is none.
 */
const char *refusal_words(void);

#endif
