/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * torture.h: limits that a build with TORTURE makes as small as possible, so that rare events
 * happen all the time: collisions, growth, spills, rings that wrap around.
 */
#ifndef BASE_TORTURE_H
#define BASE_TORTURE_H

#ifdef TORTURE
#define TORTURE_OR(tiny, usual) (tiny)
#else
#define TORTURE_OR(tiny, usual) (usual)
#endif

#endif
