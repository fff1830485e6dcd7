/* SPDX-License-Identifier: MIT */
/* What libbpf and the kernel's verifier say where the kernel refuses a program. */
#ifndef COEXIST_BBR3_REFUSAL_H
#define COEXIST_BBR3_REFUSAL_H

/* From now on the last words of libbpf are kept, and not printed. */
void refusal_keep_words(void);

/* The last line of the verifier before its statistics, or whatever libbpf said last. */
const char *refusal_words(void);

#endif
