/* SPDX-License-Identifier: Apache-2.0 */
/* Attention on the CPU: a product (scores), a kernel over its rows (their softmax: weights), and a product of those.
 * Scores and weights are never whole in memory: strips of rows go through all three while they are in the cache.
 *
 *   for strips of rows, on all threads:  scores = epilogue(A[rows] B)   in scratch of the thread
 *                                        weights = row kernel(scores)   likewise
 *                                        C[rows] = weights D
 *
 * Every element is computed as the two products and the kernel alone would do, so neither strips nor threads change
 * bits.
 *
 * Keys that the program masks after a row's own (causal attention) are left out of all three, since what they add
 * is exactly zero: their weight is, which is looked at afterwards (a row with nothing but masked keys, or with
 * none that is larger than the mask, takes the long way), and so is its product with any finite number, which the
 * rows of D after them are looked at for. */
#ifndef HD_RUNTIME_LIBRARIES_ATTENTION_H_
#define HD_RUNTIME_LIBRARIES_ATTENTION_H_

#include <stdbool.h>

#include "runtime/libraries/gemm.h"
#include "runtime/libraries/product_abi.h"

typedef struct hd_attention_call {
  hd_gemm_call first, second; /* addresses of scores and weights are ignored; the first |row_dims| dims are the rows' */
  int32_t row_dims;
  hd_element_type scores_type; /* what the epilogue stores, else the first product */
  int32_t epilogue_scores;     /* which of the epilogue's words is the address of the scores */
  /* Codegen's limited row kernel: its words are hd_attention_row_descriptor, then |row_words|. */
  hd_kernel_fn row;
  const uint64_t *row_words;
  int32_t row_word_count, row_scores, row_weights;
  int32_t query; /* hd_attention_descriptor */
  int64_t unread;
  const hd_gemm_env *env;
  bool (*is_stopped)(const void *user); /* of |env|: ends it early, for the caller to say why; null: never */
} hd_attention_call;

enum { HD_ATTENTION_ROW_WORDS = 240 }; /* most of a row kernel */

hd_status hd_attention_run(hd_gemm_context *context, const hd_attention_call *call) HD_MUST_USE;

#endif
