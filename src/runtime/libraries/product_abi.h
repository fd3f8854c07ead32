/* SPDX-License-Identifier: Apache-2.0 */
/* The words of ral_dot_general and ral_convolution. Steps and strides count elements. */
#ifndef HD_RUNTIME_LIBRARIES_PRODUCT_ABI_H_
#define HD_RUNTIME_LIBRARIES_PRODUCT_ABI_H_

#include <stdbool.h>

#include "heddle/element.h"
#include "runtime/words_abi.h"

/* The types of a product in one word: a byte each, from the low end. |library| is an hd_gemm_library; |tf32|: of f32, a
 * device's library may round factors to TF32; |deterministic|: it adds in one order. */
typedef struct hd_product_types {
  hd_element_type lhs, rhs, out;
  int64_t library;
  bool tf32, deterministic;
} hd_product_types;

static inline int64_t hd_product_types_word(hd_product_types t) {
  return (int64_t)t.lhs | (int64_t)t.rhs << 8 | (int64_t)t.out << 16 | t.library << 24 | (int64_t)t.tf32 << 32 |
         (int64_t)t.deterministic << 33;
}

static inline hd_product_types hd_product_types_of(int64_t word) {
  return (hd_product_types){.lhs = (hd_element_type)(word & 255),
                            .rhs = (hd_element_type)(word >> 8 & 255),
                            .out = (hd_element_type)(word >> 16 & 255),
                            .library = word >> 24 & 255,
                            .tf32 = (word >> 32 & 1) != 0,
                            .deterministic = (word >> 33 & 1) != 0};
}

/* What a dim of a product is of. */
typedef enum hd_gemm_role { HD_GEMM_BATCH, HD_GEMM_M, HD_GEMM_N, HD_GEMM_K } hd_gemm_role;

/* One dim of a dot; those of one role are from outer to inner. */
typedef struct hd_dot_dim {
  int64_t role; /* hd_gemm_role: batch, m, n, k */
  int64_t size;
  int64_t lhs_stride, rhs_stride, out_stride; /* 0 where the operand has no such dim */
} hd_dot_dim;
HD_ABI_LAYOUT(hd_dot_dim, 5, out_stride);

enum { HD_CONV_MAX_SPATIAL = 3 };

/* A convolution; |spatial| windows follow. */
typedef struct hd_conv_descriptor {
  int64_t batch;          /* of the output */
  int64_t input_features; /* of one group: the kernel's input-feature dim */
  int64_t output_features;
  int64_t feature_groups, batch_groups;
  int64_t input_batch_step, input_feature_step;
  int64_t kernel_input_step, kernel_output_step;
  int64_t output_batch_step, output_feature_step;
  int64_t spatial; /* dims, at most HD_CONV_MAX_SPATIAL */
} hd_conv_descriptor;
HD_ABI_LAYOUT(hd_conv_descriptor, 12, spatial);

/* One spatial dim of a convolution. */
typedef struct hd_conv_window_descriptor {
  int64_t input, output, kernel; /* sizes */
  int64_t stride, pad_low, input_dilation, kernel_dilation;
  int64_t reversed; /* 0 or 1 */
  int64_t input_step, kernel_step, output_step;
} hd_conv_window_descriptor;
HD_ABI_LAYOUT(hd_conv_window_descriptor, 11, output_step);

/* Are |count| words those of a convolution and its windows? */
static inline bool hd_conv_descriptor_is_complete(const hd_conv_descriptor *f, int64_t count) {
  return count >= HD_WORDS(hd_conv_descriptor) && f->spatial >= 0 && f->spatial <= HD_CONV_MAX_SPATIAL &&
         count == HD_WORDS(hd_conv_descriptor) + HD_WORDS(hd_conv_window_descriptor) * f->spatial;
}

/* Two products with reductions of the first one's rows between (ral_attention); the dims of both follow, hd_dot_dim,
 * first those of the rows that both have, batch or m, in the same order. */
typedef struct hd_attention_descriptor {
  int64_t row_dims, first_dims, second_dims;
  int64_t first_types, second_types; /* hd_product_types */
  int64_t scores_type;               /* hd_element_type */
  int64_t epilogue_scores;           /* which of the epilogue's own words is the address of the scores */
  int64_t row_scores, row_weights;   /* which of the row kernel's own words are those of the scores and the weights */
  int64_t query;  /* which dim of the rows, -1: none: of the row at its index q nothing reads the scores of the keys */
  int64_t unread; /* from q + unread on, which all have one value */
} hd_attention_descriptor;
HD_ABI_LAYOUT(hd_attention_descriptor, 11, unread);

/* Of the arguments of the kernel over rows the first ones; its own words follow. */
typedef struct hd_attention_row_descriptor {
  int64_t keys; /* how many elements of each row count */
} hd_attention_row_descriptor;
HD_ABI_LAYOUT(hd_attention_row_descriptor, 1, keys);

/* The words of a convolution with as many spatial dims as there may be. */
typedef struct hd_conv_words {
  hd_conv_descriptor descriptor;
  hd_conv_window_descriptor windows[HD_CONV_MAX_SPATIAL];
} hd_conv_words;

#endif
