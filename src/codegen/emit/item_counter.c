/* SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/item_counter.h"

#include "ir/ops/arith.h"

hd_item_counter hd_count_items(hd_generator *g, hd_value *root, const bool *merged, uint32_t end, hd_dim blocks,
                               hd_value *item) {
  hd_dim_table *t = &g->shapes->table;
  hd_item_counter c = {0};
  int64_t one;
  if (blocks) c.dims[c.count] = HD_BLOCK_DIGIT, c.sizes[c.count++] = hd_generate_dim(g, blocks);
  for (uint32_t d = end; d-- > 0;) {
    uint32_t last = d;
    hd_dim size = hd_shapes_dim(g->shapes, root, d);
    while (d > 0 && merged[d - 1]) size = hd_dim_mul(t, size, hd_shapes_dim(g->shapes, root, --d));
    if (d > 0 && hd_dim_is_const(t, size, &one) && one == 1) continue;
    c.dims[c.count] = last, c.sizes[c.count++] = d > 0 ? hd_generate_dim(g, size) : NULL;
  }
  for (uint32_t i = 0; i < c.count; ++i) {
    c.digits[i] = item;
    if (i + 1 == c.count) break;
    hd_value *size = hd_build_binary(g->b, HD_OP_arith_maxsi, c.sizes[i], hd_build_index(g->b, 1)); /* 0: no items */
    c.digits[i] = hd_build_binary(g->b, HD_OP_arith_remui, item, size);
    item = hd_build_binary(g->b, HD_OP_arith_divui, item, size);
  }
  return c;
}

void hd_count_on(hd_builder *b, hd_item_counter *c) {
  hd_value *zero = hd_build_index(b, 0), *one = hd_build_index(b, 1), *carry = one;
  for (uint32_t i = 0; i < c->count; ++i) {
    hd_value *next = hd_build_binary(b, HD_OP_arith_addi, c->digits[i], carry);
    c->digits[i] = next;
    if (i + 1 == c->count) break;
    hd_value *over = hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, next, c->sizes[i]);
    c->digits[i] = hd_build(b, HD_OP_arith_select, next->type, over, zero, next);
    carry = hd_build(b, HD_OP_arith_select, next->type, over, one, zero);
  }
}
