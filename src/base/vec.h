/* SPDX-License-Identifier: Apache-2.0 */
/* Growable arrays on an arena, typed by macro.
 *
 *   hd_vec(int64_t) dims = {0};
 *   hd_vec_push(arena, &dims, 4);
 *   for (size_t i = 0; i < dims.len; ++i) use(dims.data[i]);
 *
 * A zeroed vector is empty. Old storage stays in the arena until the arena is freed. */
#ifndef HD_BASE_VEC_H_
#define HD_BASE_VEC_H_

#include <string.h>

#include "base/arena.h"

#define hd_vec(T)    \
  struct {           \
    T *data;         \
    size_t len, cap; \
  }

/* Makes room for |n| more elements. */
#define hd_vec_reserve(arena, v, n) \
  ((v)->data = hd_vec_grow_((arena), (v)->data, sizeof *(v)->data, (v)->len, &(v)->cap, (n)))

#define hd_vec_push(arena, v, ...)                             \
  do {                                                         \
    if ((v)->len == (v)->cap) hd_vec_reserve((arena), (v), 1); \
    (v)->data[(v)->len++] = (__VA_ARGS__);                     \
  } while (0)

#define hd_vec_append(arena, v, items, n)                                   \
  do {                                                                      \
    size_t hd_vec_n_ = (n);                                                 \
    if (hd_vec_n_) {                                                        \
      hd_vec_reserve((arena), (v), hd_vec_n_);                              \
      memcpy((v)->data + (v)->len, (items), hd_vec_n_ * sizeof *(v)->data); \
      (v)->len += hd_vec_n_;                                                \
    }                                                                       \
  } while (0)

#define hd_vec_last(v) ((v)->data[(v)->len - 1])
#define hd_vec_pop(v) ((v)->data[--(v)->len])

static inline void *hd_vec_grow_(hd_arena *arena, void *data, size_t size, size_t len, size_t *cap, size_t extra) {
  if (len + extra <= *cap) return data;
  size_t want = *cap ? *cap * 2 : 8;
  if (want < len + extra) want = len + extra;
  void *grown = hd_arena_calloc(arena, want, size);
  if (len) memcpy(grown, data, len * size);
  *cap = want;
  return grown;
}

#endif
