/* SPDX-License-Identifier: Apache-2.0 */
/* The cache of compiled code on disk: entries by 128-bit key, safe against concurrent processes, kills in the middle of
 * a write, full disks and foreign files. It never makes a caller fail: what cannot be read is a miss, what cannot be
 * written is not kept. Thread-safe. */
#ifndef HEDDLE_CACHE_H_
#define HEDDLE_CACHE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_cache hd_cache;

/* The directory by rule: |heddle_cache_dir| (of HEDDLE_CACHE_DIR), else |xdg_cache_home|/heddle, else
 * |home|/.cache/heddle; each may be null or "". Writes at most |capacity| bytes; false when there is none. Front doors
 * read the environment. */
HD_API bool hd_cache_directory(const char *heddle_cache_dir, const char *xdg_cache_home, const char *home, char *out,
                               size_t capacity);

/* Opens |directory|, making it with mode 0700. It must belong to the user, and nobody else may write it: otherwise the
 * status says why and the caller goes on without a cache (a note, not an error). |limit| in bytes, 0: 1 GiB. */
HD_API hd_status hd_cache_open(const char *directory, uint64_t limit, hd_cache **out_cache) HD_MUST_USE;
HD_API void hd_cache_close(hd_cache *cache);

/* The entry of |key| (16 bytes), mapped read only; NOT_FOUND when missing or damaged (a damaged one is deleted).
 * Release with hd_cache_unmap. Marks it as used now. */
HD_API hd_status hd_cache_get(hd_cache *cache, const uint8_t key[16], const void **out_data,
                              size_t *out_size) HD_MUST_USE;
HD_API void hd_cache_unmap(const void *data, size_t size);
/* Keeps |data| under |key|, dropping the longest unused entries beyond the limit. A failure means "not kept". */
HD_API hd_status hd_cache_put(hd_cache *cache, const uint8_t key[16], const void *data, size_t size) HD_MUST_USE;
/* Bytes and entries on disk now. */
HD_API void hd_cache_usage(hd_cache *cache, uint64_t *out_bytes, uint64_t *out_entries);

#ifdef __cplusplus
}
#endif
#endif
