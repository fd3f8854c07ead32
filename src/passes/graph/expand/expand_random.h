/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of hlo-expand: what the expansions of random ops share. */
#ifndef HD_PASSES_GRAPH_EXPAND_EXPAND_RANDOM_H_
#define HD_PASSES_GRAPH_EXPAND_EXPAND_RANDOM_H_

#include "ir/rng_state.h"
#include "passes/graph/hlo_build.h"

typedef struct bits {
  hd_builder *b;
  hd_type u32, u64;
} bits;

/* Of a |bits *r| in scope. */
#define ADD(x, y) hd_build_binary(r->b, HD_OP_stablehlo_add, x, y)
#define MUL(x, y) hd_build_binary(r->b, HD_OP_stablehlo_multiply, x, y)
#define XOR(x, y) hd_build_binary(r->b, HD_OP_stablehlo_xor, x, y)
#define OR(x, y) hd_build_binary(r->b, HD_OP_stablehlo_or, x, y)
#define SHL(x, by) hd_build_binary(r->b, HD_OP_stablehlo_shift_left, x, hd_hlo_int_like(r->b, x, by))
#define SHR(x, by) hd_build_binary(r->b, HD_OP_stablehlo_shift_right_logical, x, hd_hlo_int_like(r->b, x, by))

/* The low bits of |x| as elements of |type|. */
hd_value *hd_random_elements(bits *r, hd_value *x, hd_type type);

/* A state as a line of unsigned integers, and where its words are in the line (ir/rng_state.h). */
typedef struct hd_random_state {
  hd_rng_state layout;
  hd_value *state, *line;
  hd_value *key_bits; /* tensor<ui64>: bits of the key; null where |layout| says it */
} hd_random_state;

/* Reads |state|, of integers or floats of 64 bits at most and of known rank, into |words|, HD_RNG_STATE_WORDS of
 * tensor<ui64>: the key, the counter, and the counter's high half, which is the key itself where the state has none. */
hd_random_state hd_random_read_state(bits *r, hd_value *state, hd_value **words);

/* The state with |words|, which it changes, in their places. */
hd_value *hd_random_write_state(bits *r, const hd_random_state *s, hd_value **words);

#endif
