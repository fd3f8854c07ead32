/* SPDX-License-Identifier: Apache-2.0 */
/* rng and rng_bit_generator.
 *
 * rng_bit_generator gives the bits of XLA: word 0 of the state is the key, the rest a counter (ir/rng_state.h says what
 * the words of a state are).
 *   THREE_FRY  Threefry-2x32, 20 rounds. 64-bit elements take one block each; narrower ones take two 32-bit halves of a
 *              block that are side by side along the first even dim (else the longest one).
 *   PHILOX     Philox-4x32, 10 rounds; blocks are laid out in order of elements. DEFAULT is PHILOX.
 * Elements below 32 bits are the low bits of 32-bit ones.
 *
 * rng has no state in the program: call number c of a run gives element k the bits mix(mix((c + 1) * G) + (k + 1) * G),
 * mix and G as in heddle/tensor_file.h: the top 53 as a uniform number in [0, 1); normal numbers by Box-Muller from
 * elements 2k and 2k + 1. */
#include <math.h>
#include <string.h>

#include "base/mix.h"
#include "eval/core/frame.h"
#include "ir/ops/stablehlo.h"
#include "ir/rng_state.h"

static uint32_t rotate(uint32_t x, int by) { return x << by | x >> (32 - by); }

static void threefry(uint64_t key, uint64_t counter, uint32_t out[2]) {
  static const int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  uint32_t k[3] = {(uint32_t)key, (uint32_t)(key >> 32), 0};
  k[2] = k[0] ^ k[1] ^ 0x1BD11BDA;
  uint32_t x = (uint32_t)counter + k[0], y = (uint32_t)(counter >> 32) + k[1];
  for (uint32_t group = 0; group < 5; ++group) {
    for (int i = 0; i < 4; ++i) {
      x += y;
      y = rotate(y, rotations[group & 1][i]) ^ x;
    }
    x += k[(group + 1) % 3];
    y += k[(group + 2) % 3] + group + 1;
  }
  out[0] = x;
  out[1] = y;
}

static void philox(uint64_t key, const uint64_t counter[2], uint32_t out[4]) {
  uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
  uint32_t x[4] = {(uint32_t)counter[0], (uint32_t)(counter[0] >> 32), (uint32_t)counter[1],
                   (uint32_t)(counter[1] >> 32)};
  for (int round = 0; round < 10; ++round) {
    uint64_t a = (uint64_t)x[0] * 0xD2511F53u, b = (uint64_t)x[2] * 0xCD9E8D57u;
    x[0] = (uint32_t)(b >> 32) ^ x[1] ^ k0;
    x[1] = (uint32_t)b;
    x[2] = (uint32_t)(a >> 32) ^ x[3] ^ k1;
    x[3] = (uint32_t)a;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  memcpy(out, x, sizeof x);
}

static void put_bits(const hd_tensor *out, size_t i, uint64_t bits) {
  hd_type element = hd_tensor_element(out);
  size_t bytes = hd_type_element_bytes(element);
  if (element->kind == HD_TYPE_INTEGER)
    hd_element_store(element, (char *)hd_tensor_data(out) + i * bytes, (int64_t)bits);
  else
    memcpy((char *)hd_tensor_data(out) + i * bytes, &bits, bytes);
}

static void fill_threefry(uint64_t key, uint64_t *counter, hd_tensor *out) {
  uint32_t rank = hd_tensor_rank(out), block[2];
  const int64_t *dims = hd_tensor_dims(out);
  size_t count = hd_tensor_count(out);
  uint64_t first = *counter;
  if (hd_type_bits(hd_tensor_element(out)) == 64) {
    for (size_t i = 0; i < count; ++i) {
      threefry(key, first + i, block);
      put_bits(out, i, block[0] | (uint64_t)block[1] << 32);
    }
    *counter += count;
    return;
  }
  if (rank == 0) {
    threefry(key, first, block);
    put_bits(out, 0, block[0]);
    *counter += 1;
    return;
  }
  int64_t split = -1;
  for (uint32_t i = 0; i < rank && split < 0; ++i)
    if (dims[i] % 2 == 0) split = i;
  for (uint32_t i = 0; i < rank && (split < 0 || dims[split] % 2); ++i)
    if (split < 0 || dims[i] > dims[split]) split = i;
  /* Blocks are numbered in the shape with half of dim |split|. */
  int64_t half[HD_MAX_RANK], strides[HD_MAX_RANK], index[HD_MAX_RANK] = {0}, blocks;
  memcpy(half, dims, rank * sizeof *half);
  half[split] = (dims[split] + 1) / 2;
  hd_strides_of(rank, half, strides);
  if (!hd_dims_product(rank, half, &blocks)) blocks = 0;
  *counter += (uint64_t)blocks;
  if (!count) return;
  size_t i = 0;
  do {
    uint64_t number = 0;
    for (uint32_t d = 0; d < rank; ++d) number += (uint64_t)((d == split ? index[d] / 2 : index[d]) * strides[d]);
    threefry(key, first + number, block);
    put_bits(out, i++, block[index[split] & 1]);
  } while (hd_index_next(rank, dims, index));
}

static void add_to_counter(uint64_t counter[2], uint64_t n, uint64_t out[2]) {
  out[0] = counter[0] + n;
  out[1] = counter[1] + (out[0] < counter[0]);
}

static void fill_philox(uint64_t key, uint64_t counter[2], hd_tensor *out) {
  size_t count = hd_tensor_count(out), per_block = hd_type_bits(hd_tensor_element(out)) == 64 ? 2 : 4;
  uint32_t block[4];
  uint64_t at[2];
  for (size_t i = 0; i < count; ++i) {
    if (i % per_block == 0) {
      add_to_counter(counter, i / per_block, at);
      philox(key, at, block);
    }
    size_t k = i % per_block;
    put_bits(out, i, per_block == 2 ? block[2 * k] | (uint64_t)block[2 * k + 1] << 32 : block[k]);
  }
  add_to_counter(counter, (count + per_block - 1) / per_block, at);
  memcpy(counter, at, sizeof at);
}

static uint64_t load_bits(hd_type element, const void *at) {
  uint64_t bits = 0;
  if (element->kind == HD_TYPE_INTEGER) {
    int64_t value;
    hd_load_ints(element, at, 1, &value);
    bits = (uint64_t)value;
  } else {
    memcpy(&bits, at, hd_type_element_bytes(element));
  }
  return bits & hd_low_bits(hd_type_bits(element));
}

static void read_state(const hd_rng_state *layout, const hd_tensor *state, uint64_t word[HD_RNG_STATE_WORDS]) {
  hd_type element = hd_tensor_element(state);
  size_t bytes = hd_type_element_bytes(element);
  memset(word, 0, HD_RNG_STATE_WORDS * sizeof *word);
  for (int64_t k = 0; k < layout->read; ++k) {
    uint64_t bits = load_bits(element, (const char *)hd_tensor_data(state) + (size_t)k * bytes);
    for (uint32_t w = 0; w < HD_RNG_STATE_WORDS; ++w) word[w] |= hd_rng_to_word(layout, w, k, bits);
  }
}

static void write_state(const hd_rng_state *layout, const uint64_t word[HD_RNG_STATE_WORDS], hd_tensor *state) {
  for (int64_t k = 0; k < layout->written; ++k) {
    uint64_t bits = 0;
    for (uint32_t w = 0; w < HD_RNG_STATE_WORDS; ++w) bits |= hd_rng_from_word(layout, w, k, word[w]);
    put_bits(state, (size_t)k, bits & hd_low_bits(layout->width));
  }
}

hd_status hd_eval_random_bits(hd_eval_frame *frame, hd_op *op, const hd_tensor *state, uint32_t rank,
                              const int64_t *dims, hd_tensor *out) {
  hd_type element = hd_tensor_element(state);
  if (op->result_count != 2 || (hd_class_of(element) != HD_CLASS_INT && hd_class_of(element) != HD_CLASS_FLOAT))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a state of integers or floats and two results");
  HD_TRY(hd_eval_result(frame, op, 0, hd_tensor_rank(state), hd_tensor_dims(state), &out[0]));
  HD_TRY(hd_eval_result(frame, op, 1, rank, dims, &out[1]));
  hd_type bits = hd_tensor_element(&out[1]);
  if (hd_type_bits(bits) > 64 || (hd_class_of(bits) != HD_CLASS_INT && hd_class_of(bits) != HD_CLASS_FLOAT))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected an output of integers or floats");
  if (hd_tensor_element(&out[0]) != element)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected an output state of the state's type");
  hd_rng_state layout = hd_rng_state_of(hd_type_bits(element), (int64_t)hd_tensor_count(state));
  uint64_t s[HD_RNG_STATE_WORDS];
  read_state(&layout, state, s);
  if (hd_attr_int_or(hd_op_attr_get(op, HD_NAME_rng_algorithm), 0) == HD_STABLEHLO_RNG_ALGORITHM_THREE_FRY) {
    fill_threefry(s[0], &s[1], &out[1]);
  } else {
    /* without a third word the high half of the counter is the key itself, and only the low half is stored */
    uint64_t counter[2] = {s[1], layout.words > 2 ? s[2] : s[0]};
    fill_philox(s[0], counter, &out[1]);
    s[1] = counter[0];
    if (layout.words > 2) s[2] = counter[1];
  }
  memcpy(hd_tensor_data(&out[0]), hd_tensor_data(state), state->buffer->size);
  write_state(&layout, s, &out[0]);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(rng_bit_generator) {
  hd_type type = op->result_count == 2 ? hd_result_type(op, 1) : NULL;
  if (!hd_type_is_static(type)) return hd_make_status(HD_INVALID_ARGUMENT, "expected an output of known dims");
  return hd_eval_random_bits(frame, op, &in[0], type->shaped.rank, type->shaped.dims, out);
}

static uint64_t random_bits(uint64_t call, uint64_t k) {
  return hd_mix(hd_mix((call + 1) * HD_MIX_STEP) + (k + 1) * HD_MIX_STEP);
}

static double unit(uint64_t bits) { return (double)(bits >> 11) * 0x1p-53; }

HD_EVAL_HOOK(rng) {
  hd_eval_ints shape;
  HD_TRY(hd_eval_operand_ints(frame, &in[2], "shape", &shape));
  if (shape.count > HD_MAX_RANK) return hd_make_status(HD_UNIMPLEMENTED, "rank is above the evaluator's limit");
  HD_TRY(hd_eval_result(frame, op, 0, (uint32_t)shape.count, shape.data, out));
  hd_type element = hd_tensor_element(out);
  hd_number_class class = hd_class_of(element);
  bool normal = hd_stablehlo_rng_rng_distribution(op) == HD_STABLEHLO_RNG_DISTRIBUTION_NORMAL;
  for (int i = 0; i < 2; ++i)
    if (hd_tensor_element(&in[i]) != element || hd_tensor_count(&in[i]) != 1)
      return hd_make_status(HD_INVALID_ARGUMENT, "operand %d: expected a scalar of the result's element type", i);
  if (class != HD_CLASS_FLOAT && (class != HD_CLASS_INT || normal))
    return hd_make_status(HD_INVALID_ARGUMENT, "has no such distribution for elements of this type");
  uint64_t call = hd_eval_next_call(frame);
  size_t bytes = hd_type_element_bytes(element);
  for (size_t k = 0, count = hd_tensor_count(out); k < count; ++k) {
    char *to = (char *)hd_tensor_data(out) + k * bytes;
    if (class == HD_CLASS_INT) {
      int64_t a, b;
      hd_load_ints(element, hd_tensor_data(&in[0]), 1, &a);
      hd_load_ints(element, hd_tensor_data(&in[1]), 1, &b);
      uint64_t range = (uint64_t)b - (uint64_t)a;
      bool empty = hd_is_unsigned(element) ? (uint64_t)b <= (uint64_t)a : b <= a;
      int64_t value = empty ? a : (int64_t)((uint64_t)a + random_bits(call, k) % range);
      hd_store_ints(element, to, 1, &value);
      continue;
    }
    double a, b, value;
    hd_load_doubles(element, hd_tensor_data(&in[0]), 1, &a);
    hd_load_doubles(element, hd_tensor_data(&in[1]), 1, &b);
    if (normal) {
      double u = 1 - unit(random_bits(call, 2 * k)), v = unit(random_bits(call, 2 * k + 1));
      value = a + b * sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
    } else {
      value = a + (b - a) * unit(random_bits(call, k));
    }
    hd_store_doubles(element, to, 1, &value);
    if (!normal && a < b) {
      /* rounding may reach the end, which is excluded */
      double stored;
      hd_load_doubles(element, to, 1, &stored);
      if (stored >= b) memcpy(to, hd_tensor_data(&in[0]), bytes);
    }
  }
  return HD_STATUS_OK;
}
