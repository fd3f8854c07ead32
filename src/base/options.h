/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a struct of options: its first field, size_t struct_size, says how much of it the caller knows. */
#ifndef HD_BASE_OPTIONS_H_
#define HD_BASE_OPTIONS_H_

#include <string.h>

#include "base/status.h"

/* |given|, which may be null, over zeros in |own| of |size| bytes, whose struct_size becomes |size|. The sizes of all
 * versions of a struct are multiples of its alignment, so INVALID_ARGUMENT for any other: it would cut a field, and
 * half of a pointer is no pointer. Nor is it 0, whose caller forgot it and would find none of its options heeded. */
static inline hd_status HD_MUST_USE hd_options_read(const char *type, const void *given, void *own, size_t size) {
  size_t known = size;
  if (given) memcpy(&known, given, sizeof known);
  memset(own, 0, size);
  if (!known || known % _Alignof(uint64_t))
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: struct_size is %zu, expected the sizeof of the struct, now %zu",
                          type, known, size);
  if (given) memcpy(own, given, known < size ? known : size);
  memcpy(own, &size, sizeof size);
  return HD_STATUS_OK;
}

/* INVALID_ARGUMENT for a |list| of |count| entries that is null: "mcpu: expected 2 entries, got null". */
static inline hd_status HD_MUST_USE hd_list_check(const char *name, const void *list, size_t count) {
  if (!count || list) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "%s: expected %zu entries, got null", name, count);
}

#endif
