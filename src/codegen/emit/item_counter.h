/* SPDX-License-Identifier: Apache-2.0 */
/* The place of an item: dims of the row, with the run that is walked as one in its last, and blocks of the row,
 * innermost first. Counting takes a few instructions an item, where divisions of its number take tens for each dim. */
#ifndef HD_CODEGEN_EMIT_ITEM_COUNTER_H_
#define HD_CODEGEN_EMIT_ITEM_COUNTER_H_

#include "codegen/emit/generator.h"

enum { HD_BLOCK_DIGIT = HD_COMPILED_MAX_RANK };

typedef struct hd_item_counter {
  uint32_t count;
  uint32_t dims[HD_COMPILED_MAX_RANK + 1]; /* HD_BLOCK_DIGIT: the block */
  hd_value *sizes[HD_COMPILED_MAX_RANK + 1], *digits[HD_COMPILED_MAX_RANK + 1];
} hd_item_counter;

/* The digits of |item| of dims [0, end) of |root|; |blocks| is null where a row is one block. */
hd_item_counter hd_count_items(hd_generator *g, hd_value *root, const bool *merged, uint32_t end, hd_dim blocks,
                               hd_value *item);
/* Those of the next item, in |counter|. */
void hd_count_on(hd_builder *b, hd_item_counter *counter);

#endif
