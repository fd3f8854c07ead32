/* SPDX-License-Identifier: Apache-2.0 */
/* lmhlo.custom_call @target: one call of the runtime, which finds the target among the functions of the embedder.
 *
 *   "lmhlo.custom_call"(%x, %y) {call_target_name = "f"}   ->   words: counts, name, attributes, tensors
 *                                                               hd.ral_call "ral_custom_call...", words, count
 *
 * The words are those of runtime/custom_call_abi.h, the attributes those of heddle/runtime.h.
 * Tensors have the dims that the program wrote, also where hlo-expand put their memory into another
 * order (hd.operand_dims, hd.result_dims). */
#include <string.h>

#include "heddle/runtime.h"
#include "ir/element_types.h"
#include "ir/ops/discardable.h"
#include "ir/ops/stablehlo.h"
#include "passes/lowering/library.h"
#include "passes/lowering/ral_call.h"
#include "runtime/custom_call_abi.h"

typedef hd_vec(uint8_t) bytes;

static void put(hd_arena *arena, bytes *out, const void *data, size_t size) {
  hd_vec_append(arena, out, (const uint8_t *)data, size);
}
static void put_u8(hd_arena *arena, bytes *out, uint8_t value) { put(arena, out, &value, 1); }
static void put_u32(hd_arena *arena, bytes *out, uint32_t value) { put(arena, out, &value, 4); }
static void put_u64(hd_arena *arena, bytes *out, uint64_t value) { put(arena, out, &value, 8); }

static bool put_string(hd_arena *arena, bytes *out, hd_attr attr) {
  put_u8(arena, out, HD_CUSTOM_STRING);
  put_u64(arena, out, attr->string->len);
  put(arena, out, attr->string->text, attr->string->len);
  return true;
}

static bool put_element(hd_arena *arena, bytes *out, hd_attr attr) {
  hd_element_type type = hd_element_type_of(attr->type);
  size_t size = hd_element_bytes(type);
  if (!size || size > 8) return false;
  uint64_t bits = attr->kind == HD_ATTR_INTEGER ? (uint64_t)attr->integer : attr->floating.bits;
  put_u8(arena, out, HD_CUSTOM_SCALAR);
  put_u8(arena, out, (uint8_t)type);
  put(arena, out, &bits, size);
  return true;
}

/* Elements as in memory; splats written out. */
static bool put_elements(hd_arena *arena, bytes *out, hd_attr attr, hd_type element, size_t count) {
  hd_element_type type = hd_element_type_of(element);
  size_t size = hd_element_bytes(type);
  if (!size) return false;
  put_u8(arena, out, HD_CUSTOM_ARRAY);
  put_u8(arena, out, (uint8_t)type);
  put_u64(arena, out, count);
  bool splat = attr->kind == HD_ATTR_DENSE && attr->dense.splat;
  for (size_t i = 0; i < count; ++i) put(arena, out, attr->dense.data + (splat ? 0 : i * size), size);
  return true;
}

static bool put_dictionary(hd_arena *arena, bytes *out, hd_attr dict);

static bool put_attr(hd_arena *arena, bytes *out, hd_attr attr) {
  switch (attr->kind) {
    case HD_ATTR_STRING:
      return put_string(arena, out, attr);
    case HD_ATTR_INTEGER:
    case HD_ATTR_FLOAT:
      return put_element(arena, out, attr);
    case HD_ATTR_DENSE:
      return put_elements(arena, out, attr, hd_type_element(attr->type), (size_t)hd_type_num_elements(attr->type));
    case HD_ATTR_DENSE_ARRAY:
      return put_elements(arena, out, attr, attr->dense.element, attr->dense.count);
    case HD_ATTR_DICT:
      put_u8(arena, out, HD_CUSTOM_DICTIONARY);
      return put_dictionary(arena, out, attr);
    default:
      return false;
  }
}

static bool put_dictionary(hd_arena *arena, bytes *out, hd_attr dict) {
  put_u32(arena, out, dict ? dict->dict.count : 0);
  for (uint32_t i = 0; dict && i < dict->dict.count; ++i) {
    const hd_named_attr *item = &dict->dict.items[i];
    put_u32(arena, out, (uint32_t)item->name->len);
    put(arena, out, item->name->text, item->name->len);
    if (!put_attr(arena, out, item->value)) return false;
  }
  return true;
}

static bool encode_attributes(hd_op *op, hd_arena *arena, bytes *out) {
  hd_attr config = hd_discardable_mhlo_backend_config(op);
  if (!config) config = hd_stablehlo_custom_call_backend_config(op);
  if (hd_attr_is(config, HD_ATTR_STRING)) {
    put_u32(arena, out, 1);
    put_u32(arena, out, 0);
    return put_string(arena, out, config);
  }
  if (config && config->kind != HD_ATTR_DICT) return false;
  return put_dictionary(arena, out, config);
}

typedef struct words {
  hd_lowering *ctx;
  hd_builder *b;
  hd_op *op;
  hd_vec(hd_value *) values; /* i64 */
} words;

static void add(words *w, hd_value *value) { hd_vec_push(&w->ctx->pass->arena, &w->values, value); }
static hd_value *number(words *w, int64_t value) { return hd_build_int(w->b, hd_i64(w->b->context), value); }

/* Room for |count| words, to be filled before others are added. */
static hd_value **add_struct(words *w, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) add(w, NULL);
  return &w->values.data[w->values.len - count];
}

static void add_bytes(words *w, const void *data, size_t size) {
  for (size_t at = 0; at < size; at += 8) {
    int64_t word = 0;
    memcpy(&word, (const char *)data + at, size - at < 8 ? size - at : 8);
    add(w, number(w, word));
  }
}

/* |written|: which dim of the buffer each dim of the program is; null: the same. */
static bool add_tensor(words *w, hd_value *buffer, hd_attr written) {
  hd_type i64 = hd_i64(w->b->context), index = hd_type_index(w->b->context);
  hd_element_type type = hd_element_type_of(hd_type_element(buffer->type));
  if (type == HD_ELEMENT_INVALID)
    return hd_op_error(w->op, "has an operand or result of a type that the runtime does not have");
  hd_value *address = hd_build(w->b, HD_OP_memref_extract_aligned_pointer_as_index, index, buffer);
  uint32_t rank = hd_type_rank(buffer->type);
  hd_value **head = add_struct(w, HD_WORDS(hd_custom_call_tensor));
  head[HD_WORD(hd_custom_call_tensor, address)] = hd_build(w->b, HD_OP_arith_index_cast, i64, address);
  head[HD_WORD(hd_custom_call_tensor, type)] = number(w, type);
  head[HD_WORD(hd_custom_call_tensor, rank)] = number(w, rank);
  for (uint32_t d = 0; d < rank; ++d) {
    uint32_t at = written ? (uint32_t)hd_attr_int_at(written, d) : d;
    hd_value *dim = hd_host_dim(w->ctx, w->b, hd_shapes_dim(w->ctx->shapes, buffer, at), w->op);
    if (!dim) return false;
    add(w, hd_build(w->b, HD_OP_arith_index_cast, i64, dim));
  }
  return true;
}

static hd_attr order_of(hd_attr orders, uint32_t i) {
  hd_attr order = orders && i < orders->array.count ? orders->array.items[i] : NULL;
  return order && hd_attr_count(order) ? order : NULL;
}

bool hd_lower_custom_call(hd_lowering *ctx, hd_op *op) {
  hd_builder b = hd_builder_before(op);
  hd_str target = hd_stablehlo_custom_call_call_target_name(op);
  hd_attr called = hd_stablehlo_custom_call_called_computations(op);
  words w = {.ctx = ctx, .b = &b, .op = op};
  bytes attributes = {0};
  if (called && called->array.count) return hd_op_error(op, "calls back into the program, which has no compiled path");
  if (!encode_attributes(op, &ctx->pass->arena, &attributes))
    return hd_op_error(op, "has a backend_config that custom calls cannot take");
  uint32_t inputs = hd_buffer_input_count(op), outputs = hd_buffer_output_count(op);
  hd_value **head = add_struct(&w, HD_WORDS(hd_custom_call_descriptor));
  head[HD_WORD(hd_custom_call_descriptor, inputs)] = number(&w, inputs);
  head[HD_WORD(hd_custom_call_descriptor, outputs)] = number(&w, outputs);
  head[HD_WORD(hd_custom_call_descriptor, name_bytes)] = number(&w, (int64_t)target.len);
  head[HD_WORD(hd_custom_call_descriptor, attribute_bytes)] = number(&w, (int64_t)attributes.len);
  add_bytes(&w, target.data, target.len);
  add_bytes(&w, attributes.data, attributes.len);
  for (uint32_t i = 0; i < inputs; ++i)
    if (!add_tensor(&w, hd_operand(op, i), order_of(hd_discardable_operand_dims(op), i))) return false;
  for (uint32_t i = 0; i < outputs; ++i)
    if (!add_tensor(&w, hd_buffer_output(op, i), order_of(hd_discardable_result_dims(op), i))) return false;
  hd_value *memory = hd_words_area(&b, (int64_t)w.values.len);
  for (size_t i = 0; i < w.values.len; ++i)
    hd_build0(&b, HD_OP_memref_store, w.values.data[i], memory, hd_build_index(&b, (int64_t)i));
  hd_value *stream = hd_lower_stream(ctx, &b);
  hd_value *operands[] = {stream, memory, hd_build_int(&b, hd_i64(b.context), (int64_t)w.values.len)};
  hd_build_ral_call(&b, "ral_custom_call___pvoid_pvoid_pvoid_i64___void", NULL, operands, 3);
  hd_op_erase(op);
  return true;
}
