/* SPDX-License-Identifier: MIT */
/* Messages of libbpf and of the kernel's verifier for a refused program. */
#ifndef COEXIST_BBR3_REFUSAL_H
#define COEXIST_BBR3_REFUSAL_H

/* From now on the last message of libbpf is stored, and not printed. */
void refusal_keep_words(void);

/* The last line of the verifier before its statistics, or else the last message of libbpf. */
const char *refusal_words(void);

#endif
