/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * map.h: hash maps from byte strings (or integers) to pointers.  Keys are copied.  Iteration is in
 * order of insertion, so that results are the same in every run.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map;

struct map *map_new(void);
void map_free(struct map *m); /* NULL is allowed; values are not freed */

void *map_get(const struct map *m, const void *key, size_t len);     /* NULL: absent */
void map_set(struct map *m, const void *key, size_t len, void *val); /* replaces */
bool map_del(struct map *m, const void *key, size_t len);	     /* true if it existed */

void *map_get_str(const struct map *m, const char *key);
void map_set_str(struct map *m, const char *key, void *val);
void *map_get_int(const struct map *m, uint64_t key);
void map_set_int(struct map *m, uint64_t key, void *val);

size_t map_count(const struct map *m);

/* Numbers keys from 1 on, in the order of their first calls: returns the number of a key, which is
 * the value in the map.  Nothing else sets or deletes keys of such a map. */
uint32_t map_number(struct map *m, const void *key, size_t len, bool *is_new);

/*
 * Returns the value at *pos or the next live one, and advances *pos (start at 0); NULL at the end.
 */
void *map_next(const struct map *m, size_t *pos, const void **key, size_t *len);

/* Returns a 64-bit hash of bytes (not for adversarial input). */
uint64_t map_hash(const void *p, size_t len);

#endif
