/* SPDX-License-Identifier: Apache-2.0 */
/* Attention among fusions: a product, a kernel over its rows, a product of what that gives, which the runtime computes
 * a strip of rows at a time (runtime/libraries/attention.h).
 *
 *   gemm   scores = epilogue(queries keys^T)      read by the second alone, where they are
 *   row    weights = softmax(scores)              any reductions of whole rows
 *   gemm   out = weights values                   or values^T weights^T; nothing on its tiles
 *
 * All sizes may be unknown. join-attention finds them and puts the three side by side, disc-lower-to-kernels makes them
 * one call. */
#ifndef HD_PASSES_KERNEL_ATTENTION_H_
#define HD_PASSES_KERNEL_ATTENTION_H_

#include "passes/lowering/lowering.h"

/* A dim of the rows: of the batch of both products, or of the free dims of queries and weights. */
typedef struct hd_attention_row {
  bool is_batch;
  uint32_t first;  /* dim of the first product's result */
  uint32_t full;   /* dim of the shape that the row kernel walks, which is that of the weights */
  uint32_t second; /* dim of the second product's operand that the weights are */
} hd_attention_row;

typedef struct hd_attention {
  hd_op *fusions[3];
  hd_kernel_set sets[3];
  hd_op *first, *second; /* the products */
  hd_value *scores, *weights;
  uint32_t weights_operand; /* of |second| */
  uint32_t keys;            /* the scores' dim of keys, in the first product's result */
  uint32_t row_count;
  hd_attention_row rows[HD_COMPILED_MAX_RANK];
} hd_attention;

/* The fusions that end with |last|, those before it as join-attention has left them. */
bool hd_attention_at(hd_lowering *ctx, hd_op *last, hd_attention *out);

/* Keys that no row looks at, since the program puts one number in the place of their scores and takes a softmax: of the
 * row at index q of its dim |*out_query|, the keys from q + |*out_unread| on are such. */
bool hd_attention_unread_keys(hd_shapes *shapes, const hd_attention *attention, uint32_t *out_query,
                              hd_dim *out_unread);

bool hd_lower_attention(hd_lowering *ctx, const hd_attention *attention);

#endif
