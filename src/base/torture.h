/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * torture.h: limits that a build with TORTURE defined makes as small as they can be, so that what
 * happens rarely happens all the time: collisions, growing, spilling, rings that wrap round.
 */
#ifndef BASE_TORTURE_H
#define BASE_TORTURE_H

#ifdef TORTURE
#define TORTURE_OR(tiny, usual) (tiny)
#else
#define TORTURE_OR(tiny, usual) (usual)
#endif

#endif
