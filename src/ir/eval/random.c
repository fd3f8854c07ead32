/* SPDX-License-Identifier: Apache-2.0 */
/* rng and rng_bit_generator.
 *
 * rng_bit_generator gives the bits of XLA: state[0] is the key, the rest a counter.
 *   THREE_FRY  Threefry-2x32, 20 rounds. 64-bit elements take one block each; narrower ones take two 32-bit halves of a
 *              block that lie side by side along the first even dim (else the longest one).
 *   PHILOX     Philox-4x32, 10 rounds; blocks are laid out in order of elements. DEFAULT is PHILOX.
 * Elements below 32 bits are the low bits of 32-bit ones.
 *
 * rng has no state in the program: call number c of a run gives element k the bits mix(mix((c + 1) * G) + (k + 1) * G),
 * mix and G as in heddle/tensor_file.h: the top 53 as a uniform number in [0, 1); normal numbers by Box-Muller from
 * elements 2k and 2k + 1. */
#include <math.h>
#include <string.h>

#include "base/mix.h"
#include "ir/eval/frame.h"

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
  int64_t half[HD_TENSOR_MAX_RANK], strides[HD_TENSOR_MAX_RANK], index[HD_TENSOR_MAX_RANK] = {0}, blocks;
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

hd_status hd_eval_random_bits(hd_eval_frame *frame, hd_op *op, const hd_tensor *state, uint32_t rank,
                              const int64_t *dims, hd_tensor *out) {
  hd_type element = hd_tensor_element(state);
  size_t words = hd_tensor_count(state);
  if (op->result_count != 2 || hd_tensor_rank(state) != 1 || hd_class_of(element) != HD_CLASS_INT)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a 1-D state and two results");
  /* The state is words of 64 bits; one of 32-bit words is the same bits, the low half first. */
  uint32_t width = hd_type_bits(element);
  if (width == 32) words /= 2;
  if ((width != 64 && width != 32) || words < 2 || words > 3)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a state of 2 or 3 64-bit words");
  HD_TRY(hd_eval_result(frame, op, 0, 1, hd_tensor_dims(state), &out[0]));
  HD_TRY(hd_eval_result(frame, op, 1, rank, dims, &out[1]));
  if (hd_type_bits(hd_tensor_element(&out[1])) > 64 || hd_class_of(hd_tensor_element(&out[1])) == HD_CLASS_COMPLEX)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected an output of integers or floats");
  uint64_t s[3] = {0};
  if (out[0].buffer->size != state->buffer->size || state->buffer->size > sizeof s)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected an output state of the state's type");
  memcpy(s, hd_tensor_data(state), words * 8);
  hd_str algorithm = hd_eval_enum_attr(op, "rng_algorithm");
  if (hd_str_is(algorithm, "THREE_FRY")) {
    if (words != 2)
      return hd_make_status(HD_INVALID_ARGUMENT, "THREE_FRY: expected a state of 2 words, got %zu", words);
    fill_threefry(s[0], &s[1], &out[1]);
  } else if (words == 3) {
    fill_philox(s[0], s + 1, &out[1]);
  } else {
    /* two words: the low half of the counter is word 1, the high half is the key itself; only the low half is kept */
    uint64_t counter[2] = {s[1], s[0]};
    fill_philox(s[0], counter, &out[1]);
    s[1] = counter[0];
  }
  memcpy(hd_tensor_data(&out[0]), s, words * 8);
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
  if (shape.count > HD_TENSOR_MAX_RANK) return hd_make_status(HD_UNIMPLEMENTED, "rank is above the evaluator's limit");
  HD_TRY(hd_eval_result(frame, op, 0, (uint32_t)shape.count, shape.data, out));
  hd_type element = hd_tensor_element(out);
  hd_number_class class = hd_class_of(element);
  bool normal = hd_str_is(hd_eval_enum_attr(op, "rng_distribution"), "NORMAL");
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
