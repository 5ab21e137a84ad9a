/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sys/dtrace.h: where other systems have the part of the interface that the kernel shares.
 */
#include <dtrace.h>
