/* SPDX-License-Identifier: Apache-2.0 */
/* Where elements may be. Generated code and C read whole elements, so an address between two of them is undefined
 * behaviour, and for vectors a trap on some machines. */
#ifndef HD_RUNTIME_ALIGNMENT_H_
#define HD_RUNTIME_ALIGNMENT_H_

#include "base/element_types.h"
#include "base/status.h"

/* Bytes that memory of a device begins at a multiple of: allocations, inputs and constants as programs have them. */
enum { HD_DEVICE_ALIGNMENT = 64 };

/* Bytes that an element's address is a multiple of: its size, of a complex one that of its parts; at least 1. */
static inline size_t hd_element_alignment(hd_element_type type) {
  size_t bytes = hd_element_bytes(hd_element_part(type));
  return bytes ? bytes : 1;
}

/* INVALID_ARGUMENT for memory of the caller's, |what|, that is not aligned to elements of |type|. */
static inline hd_status HD_MUST_USE hd_check_aligned(const char *what, hd_element_type type, const void *data) {
  size_t over = (uintptr_t)data % hd_element_alignment(type);
  if (!over) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "%s: expected memory of %s at a multiple of %zu bytes, got %zu over one",
                        what, hd_element_text(type), hd_element_alignment(type), over);
}

#endif
