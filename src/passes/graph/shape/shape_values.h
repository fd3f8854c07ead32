/* SPDX-License-Identifier: Apache-2.0 */
/* What stands for values of the shape, tensor and arith dialects in a graph of tensors: for a number (index, an
 * integer, !shape.size) a tensor<1xT>, for a shape a tensor<Nxi64>, for a value with a shape both of its parts, for a
 * witness whether it holds. Thread-compatible; what it makes lives in the module. */
#ifndef HD_PASSES_GRAPH_SHAPE_SHAPE_VALUES_H_
#define HD_PASSES_GRAPH_SHAPE_SHAPE_VALUES_H_

#include "base/map.h"
#include "ir/builder.h"

typedef struct hd_shape_values {
  hd_arena *arena;
  hd_map known;      /* hd_value -> hd_value that says the same */
  hd_value no_sizes; /* stands for the shape of a scalar */
  hd_value always;   /* stands for a witness that holds */
} hd_shape_values;

/* What stands for |value|: tensors of integers stand for themselves. Null: nothing does. */
hd_value *hd_shape_standing(hd_shape_values *v, hd_value *value);
/* What stands for operand |i| as a shape of known rank, and as a number or a tensor of them; null when nothing does. */
hd_value *hd_shape_operand(hd_shape_values *v, hd_op *op, uint32_t i);
hd_value *hd_shape_numbers(hd_shape_values *v, hd_op *op, uint32_t i);
/* How many sizes a shape has, and size |i| as a number. */
int64_t hd_shape_rank(hd_shape_values *v, hd_value *x);
hd_value *hd_shape_extent(hd_builder *b, hd_value *x, int64_t i);
/* tensor<1xi1> of |value|. */
hd_value *hd_shape_truth(hd_builder *b, bool value);
/* Writes what stands for the results of |op| and remembers it; conditions that |op| demands become assertions. False:
 * |op| is left as it is. */
bool hd_shape_legalize(hd_shape_values *v, hd_builder *b, hd_op *op);
/* custom_call @shape_assertion: the program fails with |message| unless |condition|, of one element, is true. */
void hd_shape_assert(hd_builder *b, hd_value *condition, hd_str message);
/* The same, with the numbers |values| for {0}, {1}, ... in the message. */
void hd_shape_assert_of(hd_builder *b, hd_value *condition, hd_value *const *values, size_t count, hd_str message);

#endif
