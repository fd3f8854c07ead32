/* SPDX-License-Identifier: Apache-2.0 */
/* rng_bit_generator and rng: Threefry-2x32 and Philox-4x32 on tensors of counters, with the bits of
 * eval/graph/random.c, which says how blocks are in the result. rng depends on the number of its call in the run, which
 * the runtime counts.
 */
#include "passes/graph/expand/expand_random.h"

#include "ir/ops/stablehlo.h"
#include "passes/graph/expand/expand_hlo.h"

static hd_value *low(bits *r, hd_value *x) { return hd_hlo_convert(r->b, x, r->u32); }
static hd_value *high(bits *r, hd_value *x) { return hd_hlo_convert(r->b, SHR(x, 32), r->u32); }
static hd_value *joined(bits *r, hd_value *low, hd_value *high) {
  return OR(hd_hlo_convert(r->b, low, r->u64), SHL(hd_hlo_convert(r->b, high, r->u64), 32));
}
static hd_value *like(bits *r, hd_value *scalar, hd_value *x) { return hd_hlo_broadcast_like(r->b, scalar, x, NULL); }

/* 0, 1, 2, ... in row-major order of |dims|. */
static hd_value *numbers(bits *r, const int64_t *dims, size_t rank) {
  int64_t count = 1;
  for (size_t i = 0; i < rank; ++i) count *= dims[i];
  hd_value *flat = hd_hlo_iota(r->b, hd_type_tensor(r->u64, &count, 1, NULL), NULL, 0);
  return hd_hlo_reshape_to(r->b, flat, dims, rank);
}

static void threefry(bits *r, hd_value *key, hd_value *counter, hd_value *out[2]) {
  static const int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  hd_value *k[3] = {low(r, key), high(r, key), NULL};
  k[2] = XOR(XOR(k[0], k[1]), hd_hlo_int_like(r->b, k[0], 0x1BD11BDA));
  hd_value *x = ADD(low(r, counter), like(r, k[0], counter)), *y = ADD(high(r, counter), like(r, k[1], counter));
  for (int group = 0; group < 5; ++group) {
    for (int i = 0; i < 4; ++i) {
      int by = rotations[group & 1][i];
      x = ADD(x, y);
      y = XOR(OR(SHL(y, by), SHR(y, 32 - by)), x);
    }
    x = ADD(x, like(r, k[(group + 1) % 3], x));
    y = ADD(y, like(r, ADD(k[(group + 2) % 3], hd_hlo_int_like(r->b, k[0], group + 1)), y));
  }
  out[0] = x;
  out[1] = y;
}

static void philox(bits *r, hd_value *key, hd_value *counter_low, hd_value *counter_high, hd_value *x[4]) {
  hd_value *k0 = low(r, key), *k1 = high(r, key);
  x[0] = low(r, counter_low), x[1] = high(r, counter_low), x[2] = low(r, counter_high), x[3] = high(r, counter_high);
  for (int round = 0; round < 10; ++round) {
    hd_value *a = hd_hlo_convert(r->b, x[0], r->u64), *c = hd_hlo_convert(r->b, x[2], r->u64);
    a = MUL(a, hd_hlo_int_like(r->b, a, 0xD2511F53));
    c = MUL(c, hd_hlo_int_like(r->b, c, 0xCD9E8D57));
    x[0] = XOR(XOR(high(r, c), x[1]), like(r, k0, x[1]));
    x[2] = XOR(XOR(high(r, a), x[3]), like(r, k1, x[3]));
    x[1] = low(r, c);
    x[3] = low(r, a);
    k0 = ADD(k0, hd_hlo_int_like(r->b, k0, 0x9E3779B9));
    k1 = ADD(k1, hd_hlo_int_like(r->b, k1, 0xBB67AE85));
  }
}

/* |parts| side by side along a new dim before |axis|, merged into it; of dim |axis| the first |size| are left. */
static hd_value *interleaved(bits *r, hd_value **parts, uint32_t count, uint32_t axis, int64_t size) {
  uint32_t rank = hd_type_rank(parts[0]->type);
  int64_t dims[66];
  for (uint32_t d = 0, at = 0; d < rank; ++d) {
    dims[at++] = hd_type_dim(parts[0]->type, d);
    if (d == axis) dims[at++] = 1;
  }
  for (uint32_t i = 0; i < count; ++i) parts[i] = hd_hlo_reshape_to(r->b, parts[i], dims, rank + 1);
  hd_value *all = hd_stablehlo_concatenate(r->b, axis + 1, parts, count);
  for (uint32_t d = 0; d < rank; ++d) dims[d] = d < axis ? hd_type_dim(all->type, d) : hd_type_dim(all->type, d + 1);
  dims[axis] = hd_type_dim(all->type, axis) * count;
  all = hd_hlo_reshape_to(r->b, all, dims, rank);
  return dims[axis] == size ? all : hd_hlo_slice(r->b, all, axis, 0, size);
}

/* Elements from the counter; |*counter| moves on. */
static hd_value *threefry_elements(bits *r, hd_value *key, hd_value **counter, hd_type type) {
  uint32_t rank = hd_type_rank(type), axis = UINT32_MAX;
  const int64_t *dims = type->shaped.dims;
  bool wide = hd_type_bits(hd_type_element(type)) == 64;
  int64_t blocks[HD_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) blocks[d] = dims[d];
  if (!wide) { /* two elements side by side share a block */
    for (uint32_t d = 0; d < rank && axis == UINT32_MAX; ++d)
      if (dims[d] % 2 == 0) axis = d;
    for (uint32_t d = 0; d < rank && (axis == UINT32_MAX || dims[axis] % 2); ++d)
      if (axis == UINT32_MAX || dims[d] > dims[axis]) axis = d;
    if (axis != UINT32_MAX) blocks[axis] = (dims[axis] + 1) / 2;
  }
  int64_t count = 1;
  for (uint32_t d = 0; d < rank; ++d) count *= blocks[d];
  hd_value *at = numbers(r, blocks, rank), *words[2];
  threefry(r, key, ADD(at, like(r, *counter, at)), words);
  *counter = ADD(*counter, hd_hlo_int_like(r->b, *counter, count));
  if (wide) return joined(r, words[0], words[1]);
  return axis == UINT32_MAX ? words[0] : interleaved(r, words, 2, axis, dims[axis]);
}

/* |counter| + |n| in 128 bits. */
static void advanced(bits *r, hd_value *counter[2], hd_value *n, hd_value *out[2]) {
  hd_value *before = like(r, counter[0], n);
  out[0] = ADD(before, n);
  hd_value *carry = hd_hlo_convert(r->b, hd_stablehlo_compare(r->b, HD_STABLEHLO_COMPARE_LT, out[0], before), r->u64);
  out[1] = ADD(like(r, counter[1], n), carry);
}

static hd_value *philox_elements(bits *r, hd_value *key, hd_value *counter[2], hd_type type) {
  int64_t count = hd_type_num_elements(type), per_block = hd_type_bits(hd_type_element(type)) == 64 ? 2 : 4,
          blocks = (count + per_block - 1) / per_block;
  hd_value *at[2], *words[4];
  advanced(r, counter, numbers(r, &blocks, 1), at);
  philox(r, key, at[0], at[1], words);
  if (per_block == 2) {
    words[0] = joined(r, words[0], words[1]);
    words[1] = joined(r, words[2], words[3]);
  }
  advanced(r, counter, hd_hlo_int_like(r->b, counter[0], blocks), at);
  counter[0] = at[0];
  counter[1] = at[1];
  return hd_hlo_reshape_to(r->b, interleaved(r, words, (uint32_t)per_block, 0, count), type->shaped.dims,
                           hd_type_rank(type));
}

/* Numbers of the elements of |type|, whose unknown dims |shape| gives. */
static hd_value *numbers_of(bits *r, hd_type type, hd_value *shape) {
  type = hd_type_with_element(type, r->u64);
  if (hd_type_is_static(type)) return numbers(r, type->shaped.dims, hd_type_rank(type));
  hd_value *count = hd_hlo_size(r->b, 1), *sizes = hd_hlo_convert(r->b, shape, hd_i32(r->b->context));
  for (uint32_t d = 0; d < hd_type_rank(type); ++d) count = MUL(count, hd_hlo_slice(r->b, sizes, 0, d, d + 1));
  hd_type flat = hd_type_tensor(r->u64, (int64_t[]){HD_DYNAMIC}, 1, NULL);
  hd_value *all = hd_stablehlo_dynamic_iota(r->b, flat, 0, count);
  return hd_stablehlo_dynamic_reshape(r->b, type, all, shape);
}

static hd_value *number_like(bits *r, hd_value *x, int64_t value) { return hd_hlo_int_like(r->b, x, value); }
static hd_value *divided(bits *r, hd_value *x, hd_value *by) { return hd_stablehlo_divide(r->b, x, by); }
static hd_value *rest_of(bits *r, hd_value *x, hd_value *by) { return hd_stablehlo_remainder(r->b, x, by); }

/* What the run says of a result's dims: how many elements there are, the dim along which two share a block of
 * Threefry, and how many elements one step along it passes. */
typedef struct run_dims {
  hd_value *count, *length, *inner; /* tensor<ui64> */
} run_dims;

/* The first even dim, else the first of the largest ones, as threefry_elements chooses. */
static run_dims dims_of(bits *r, hd_value *shape, uint32_t rank) {
  hd_value *sizes[HD_MAX_RANK] = {NULL}, *inner[HD_MAX_RANK + 1] = {NULL};
  hd_value *flat = hd_hlo_convert(r->b, shape, r->u64);
  for (uint32_t d = 0; d < rank; ++d)
    sizes[d] = hd_hlo_reshape_to(r->b, hd_hlo_slice(r->b, flat, 0, d, d + 1), NULL, 0);
  inner[rank] = hd_hlo_convert(r->b, hd_hlo_reshape_to(r->b, hd_hlo_size(r->b, 1), NULL, 0), r->u64);
  for (uint32_t d = rank; d-- > 0;) inner[d] = MUL(inner[d + 1], sizes[d]);
  run_dims out = {inner[0], sizes[0], inner[1]};
  for (uint32_t d = 1; d < rank; ++d) {
    hd_value *larger = hd_stablehlo_compare(r->b, HD_STABLEHLO_COMPARE_GT, sizes[d], out.length);
    out.length = hd_stablehlo_select(r->b, larger, sizes[d], out.length);
    out.inner = hd_stablehlo_select(r->b, larger, inner[d + 1], out.inner);
  }
  for (uint32_t d = rank; d-- > 0;) {
    hd_value *two = number_like(r, sizes[d], 2);
    hd_value *even =
        hd_stablehlo_compare(r->b, HD_STABLEHLO_COMPARE_EQ, rest_of(r, sizes[d], two), number_like(r, two, 0));
    out.length = hd_stablehlo_select(r->b, even, sizes[d], out.length);
    out.inner = hd_stablehlo_select(r->b, even, inner[d + 1], out.inner);
  }
  out.length = hd_stablehlo_maximum(r->b, out.length, number_like(r, out.length, 1)); /* it divides */
  out.inner = hd_stablehlo_maximum(r->b, out.inner, number_like(r, out.inner, 1));
  return out;
}

/* The same elements where the run gives the dims: each computes its block and takes its part of it. */
static hd_value *threefry_at(bits *r, hd_value *key, hd_value **counter, hd_value *at, const run_dims *dims,
                             bool wide) {
  hd_value *words[2];
  if (wide) {
    threefry(r, key, ADD(at, like(r, *counter, at)), words);
    *counter = ADD(*counter, dims->count);
    return joined(r, words[0], words[1]);
  }
  hd_value *two = number_like(r, dims->length, 2), *one = number_like(r, two, 1);
  hd_value *halves = divided(r, ADD(dims->length, one), two);
  hd_value *inner = like(r, dims->inner, at), *length = like(r, dims->length, at);
  hd_value *line = divided(r, at, inner), *along = rest_of(r, line, length);
  hd_value *block = ADD(MUL(divided(r, line, length), like(r, halves, at)), SHR(along, 1));
  block = ADD(MUL(block, inner), rest_of(r, at, inner));
  threefry(r, key, ADD(block, like(r, *counter, at)), words);
  *counter = ADD(*counter, MUL(divided(r, dims->count, dims->length), halves));
  hd_value *odd = rest_of(r, along, number_like(r, along, 2));
  return hd_stablehlo_select(r->b, hd_stablehlo_compare(r->b, HD_STABLEHLO_COMPARE_NE, odd, number_like(r, odd, 0)),
                             words[1], words[0]);
}

static hd_value *philox_at(bits *r, hd_value *key, hd_value *counter[2], hd_value *at, const run_dims *dims,
                           bool wide) {
  uint32_t per_block = wide ? 2 : 4;
  hd_value *next[2], *words[4], *size = number_like(r, at, per_block);
  advanced(r, counter, divided(r, at, size), next);
  philox(r, key, next[0], next[1], words);
  if (wide) {
    words[0] = joined(r, words[0], words[1]);
    words[1] = joined(r, words[2], words[3]);
  }
  hd_value *part = rest_of(r, at, size), *out = words[0];
  for (uint32_t k = 1; k < per_block; ++k)
    out = hd_stablehlo_select(r->b, hd_stablehlo_compare(r->b, HD_STABLEHLO_COMPARE_EQ, part, number_like(r, part, k)),
                              words[k], out);
  hd_value *blocks =
      divided(r, ADD(dims->count, number_like(r, dims->count, per_block - 1)), number_like(r, dims->count, per_block));
  advanced(r, counter, blocks, next);
  counter[0] = next[0];
  counter[1] = next[1];
  return out;
}

/* |shape| gives the dims where |type| does not; null where it does. */
static bool generate(hd_builder *b, hd_op *op, hd_value *shape, hd_value **results) {
  bits r = {b, hd_type_integer(b->context, 32, HD_UNSIGNED), hd_type_integer(b->context, 64, HD_UNSIGNED)};
  hd_value *state = hd_operand(op, 0), *words[HD_RNG_STATE_WORDS];
  hd_type type = hd_result_type(op, 1), element = hd_type_element(type), from = hd_type_element(state->type);
  if (!hd_type_has_rank(type) || hd_type_rank(type) > HD_MAX_RANK || !hd_type_has_rank(state->type) ||
      hd_type_rank(state->type) > HD_MAX_RANK)
    return hd_op_error(op, "expects a state and a result of known rank, got one of unknown rank");
  if (!shape && !hd_type_is_static(type)) return hd_op_error(op, "expects a result of known dims, got unknown ones");
  if ((from->kind != HD_TYPE_INTEGER && from->kind != HD_TYPE_FLOAT) || hd_type_bits(from) > 64 ||
      hd_type_bits(element) > 64)
    return hd_op_error(op, "expects a state and bits of integers or floating-point numbers of 64 bits at most");
  hd_random_state source = hd_random_read_state(&r, state, words);
  bool wide = hd_type_bits(element) == 64;
  run_dims dims = {0};
  hd_value *elements, *at = NULL;
  if (shape) {
    at = numbers_of(&r, type, shape);
    dims = dims_of(&r, shape, hd_type_rank(type));
  }
  if (hd_attr_int_or(hd_op_attr_get(op, HD_NAME_rng_algorithm), 0) == HD_STABLEHLO_RNG_ALGORITHM_THREE_FRY) {
    elements =
        at ? threefry_at(&r, words[0], &words[1], at, &dims, wide) : threefry_elements(&r, words[0], &words[1], type);
  } else {
    hd_value *counter[2] = {words[1], words[2]};
    elements = at ? philox_at(&r, words[0], counter, at, &dims, wide) : philox_elements(&r, words[0], counter, type);
    words[1] = counter[0];
    words[2] = counter[1];
  }
  results[0] = hd_random_write_state(&r, &source, words);
  results[1] = hd_random_elements(&r, elements, type);
  return true;
}

bool hd_expand_rng_bit_generator(hd_builder *b, hd_op *op, hd_value **results) {
  return generate(b, op, NULL, results);
}

bool hd_expand_dynamic_rng(hd_builder *b, hd_op *op, hd_value **results) {
  hd_value *shape = hd_operand(op, 1);
  hd_type type = hd_result_type(op, 1);
  bool fits = hd_type_has_rank(type) && hd_type_is_static(shape->type) && hd_type_rank(shape->type) == 1 &&
              hd_type_dim(shape->type, 0) == (int64_t)hd_type_rank(type) &&
              hd_type_element(shape->type)->kind == HD_TYPE_INTEGER && hd_type_has_rank(hd_operand_type(op, 0));
  if (!fits) return hd_op_error(op, "expects a state and the dims of its result");
  return generate(b, op, hd_type_is_static(type) ? NULL : shape, results);
}

static hd_value *mix(bits *r, hd_value *x) {
  x = XOR(x, SHR(x, 30));
  x = MUL(x, hd_hlo_int_like(r->b, x, (int64_t)0xbf58476d1ce4e5b9ull));
  x = XOR(x, SHR(x, 27));
  x = MUL(x, hd_hlo_int_like(r->b, x, (int64_t)0x94d049bb133111ebull));
  return XOR(x, SHR(x, 31));
}

/* The bits of elements |at| under |key|. */
static hd_value *bits_at(bits *r, hd_value *key, hd_value *at) {
  const int64_t golden = (int64_t)0x9e3779b97f4a7c15ull;
  hd_value *next = ADD(at, hd_hlo_int_like(r->b, at, 1));
  return mix(r, ADD(MUL(next, hd_hlo_int_like(r->b, at, golden)), like(r, key, at)));
}

/* [0, 1) as f64: the top 53 bits. */
static hd_value *unit(bits *r, hd_value *x) {
  hd_type f64 = hd_type_float(r->b->context, HD_F64);
  hd_value *whole = hd_hlo_convert(r->b, SHR(x, 11), f64);
  return MUL(whole, hd_hlo_float_like(r->b, whole, 0x1p-53));
}

/* Integers of [a, b): a + bits mod (b - a); a alone when there are none. */
static hd_value *uniform_ints(bits *r, hd_value *a, hd_value *b, hd_value *random, hd_type type) {
  hd_type element = hd_type_element(type);
  bool no_sign = element->integer.signedness == HD_UNSIGNED;
  hd_type wide = no_sign ? r->u64 : hd_i64(r->b->context);
  hd_value *ends[2] = {hd_hlo_convert(r->b, a, wide), hd_hlo_convert(r->b, b, wide)};
  for (int i = 0; i < 2 && !no_sign; ++i)
    ends[i] = hd_stablehlo_bitcast_convert(r->b, hd_type_with_element(ends[i]->type, r->u64), ends[i]);
  hd_value *range = hd_stablehlo_subtract(r->b, ends[1], ends[0]);
  hd_value *empty = hd_stablehlo_compare(r->b, HD_STABLEHLO_COMPARE_LE, b, a);
  hd_value *value = hd_stablehlo_remainder(r->b, random, like(r, range, random));
  value = ADD(value, like(r, ends[0], value));
  value = hd_stablehlo_select(r->b, like(r, empty, value), like(r, ends[0], value), value);
  return hd_random_elements(r, value, type);
}

static hd_value *floats(bits *r, hd_value *a, hd_value *b, hd_value *key, hd_value *at, hd_type type, bool normal) {
  hd_type f64 = hd_type_float(r->b->context, HD_F64);
  hd_value *low = hd_hlo_convert(r->b, a, f64), *high = hd_hlo_convert(r->b, b, f64);
#define F(name, x) hd_build(r->b, HD_OP_stablehlo_##name, (x)->type, x)
  if (normal) { /* Box and Muller's, from elements 2k and 2k + 1 */
    hd_value *even = ADD(at, at), *u = unit(r, bits_at(r, key, even));
    hd_value *v = unit(r, bits_at(r, key, ADD(even, hd_hlo_int_like(r->b, even, 1))));
    u = hd_stablehlo_subtract(r->b, hd_hlo_float_like(r->b, u, 1), u);
    hd_value *radius = F(sqrt, MUL(hd_hlo_float_like(r->b, u, -2), F(log, u)));
    hd_value *turn = F(cosine, MUL(hd_hlo_float_like(r->b, v, 6.283185307179586), v));
    hd_value *value = ADD(like(r, low, turn), MUL(MUL(like(r, high, turn), radius), turn));
    return hd_hlo_convert(r->b, value, hd_type_element(type));
  }
#undef F
  hd_value *u = unit(r, bits_at(r, key, at));
  hd_value *value = ADD(like(r, low, u), MUL(like(r, hd_stablehlo_subtract(r->b, high, low), u), u));
  value = hd_hlo_convert(r->b, value, hd_type_element(type));
  /* rounding may reach the end, which is excluded */
  hd_value *end = like(r, b, value), *out = hd_stablehlo_compare(r->b, HD_STABLEHLO_COMPARE_GE, value, end);
  out = hd_hlo_and(r->b, out, like(r, hd_stablehlo_compare(r->b, HD_STABLEHLO_COMPARE_LT, a, b), out));
  return hd_stablehlo_select(r->b, out, like(r, a, value), value);
}

bool hd_expand_rng(hd_builder *b, hd_op *op, hd_value **results) {
  bits rr = {b, hd_type_integer(b->context, 32, HD_UNSIGNED), hd_type_integer(b->context, 64, HD_UNSIGNED)}, *r = &rr;
  hd_type type = hd_result_type(op, 0), element = hd_type_element(type), scalar = hd_type_tensor(r->u64, NULL, 0, NULL);
  bool normal = hd_stablehlo_rng_rng_distribution(op) == HD_STABLEHLO_RNG_DISTRIBUTION_NORMAL;
  bool integer = element->kind == HD_TYPE_INTEGER;
  if (!hd_type_has_rank(type) || hd_type_rank(type) > HD_MAX_RANK || (integer && normal) ||
      (!integer && element->kind != HD_TYPE_FLOAT))
    return hd_op_error(op, "has no such distribution for elements of this type");
  hd_attr_arg attrs[] = {{HD_NAME_call_target_name, hd_attr_cstring(b->context, "heddle.rng_call")},
                         {HD_NAME_has_side_effect, hd_attr_bool(b->context, true)}};
  hd_value *call = hd_build_one_(b, HD_OP_stablehlo_custom_call, scalar, NULL, 0, attrs, 2);
  hd_value *next = ADD(call, hd_hlo_int_like(b, call, 1));
  hd_value *key = mix(r, MUL(next, hd_hlo_int_like(b, call, (int64_t)0x9e3779b97f4a7c15ull)));
  hd_value *at = numbers_of(r, type, hd_operand(op, 2));
  results[0] = integer ? uniform_ints(r, hd_operand(op, 0), hd_operand(op, 1), bits_at(r, key, at), type)
                       : floats(r, hd_operand(op, 0), hd_operand(op, 1), key, at, type, normal);
  results[0] = hd_hlo_retype(b, results[0], type);
  return true;
}
