/* SPDX-License-Identifier: Apache-2.0 */
/* A constant as the runtime has it: its bytes in memory and its name, content hash and type. */
#ifndef HD_IR_CONSTANT_CONTENT_H_
#define HD_IR_CONSTANT_CONTENT_H_

#include "base/hash128.h"
#include "ir/attributes.h"

typedef struct hd_constant_content {
  const void *data; /* the attribute's, or |arena|'s where a splat is written out */
  size_t size;
  hd_hash128 hash;
  const char *type; /* RAL name of the element and the sizes: "i32_2x3", "f32" */
  const char *name; /* "<32 hex digits of the hash>_<type>" */
} hd_constant_content;

/* Of a dense |value|. False for an element type that the runtime does not know. */
bool hd_constant_content_of(hd_arena *arena, hd_attr value, hd_constant_content *out);

#endif
