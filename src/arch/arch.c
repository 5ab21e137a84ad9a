/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arch.c: selects the architecture of the build.
 */
#include "arch/arch.h"

#if defined(__x86_64__)
#define NATIVE arch_x86_64
#define NUREGS "26"
#elif defined(__aarch64__)
#define NATIVE arch_aarch64
#define NUREGS "36"
#else
#error "no file of src/arch/ describes this architecture"
#endif

const struct arch *const arch_native = &NATIVE;
const char arch_regs[] = "uint64_t regs[" NUREGS "]";
const char arch_uregs[] = "uint64_t uregs[" NUREGS "]";
