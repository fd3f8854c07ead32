/* SPDX-License-Identifier: Apache-2.0 */
#include "codegen/library/kernel_emitter.h"

#include <string.h>

#include "ir/ops/arith.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"

hd_kernel_element hd_kernel_element_of(hd_kernel_emitter *e, const char *name) {
  hd_context *c = e->b.context;
  hd_kernel_element out = {0};
  if (!strcmp(name, "f32"))
    out = (hd_kernel_element){hd_type_float(c, HD_F32), true, false, false, 4};
  else if (!strcmp(name, "f64"))
    out = (hd_kernel_element){hd_type_float(c, HD_F64), true, false, false, 8};
  else if (!strcmp(name, "bf16"))
    out = (hd_kernel_element){hd_type_float(c, HD_BF16), true, false, false, 2};
  else if (!strcmp(name, "f16"))
    out = (hd_kernel_element){hd_type_float(c, HD_F16), true, false, false, 2};
  else if (!strcmp(name, "i1"))
    out = (hd_kernel_element){hd_type_integer(c, 8, HD_SIGNLESS), false, true, true, 1};
  else {
    out.is_unsigned = name[0] == 'u';
    const char *digits = name + (out.is_unsigned ? 2 : 1);
    uint32_t width = !strcmp(digits, "8") ? 8 : !strcmp(digits, "16") ? 16 : !strcmp(digits, "32") ? 32 : 64;
    out.type = hd_type_integer(c, width, HD_SIGNLESS);
    out.bytes = width / 8;
  }
  return out;
}

static hd_type vector_of(hd_type type, int64_t lanes) { return hd_type_vector(type, &lanes, 1, NULL); }
hd_type hd_kernel_memref_type(hd_type type) {
  int64_t unknown = HD_DYNAMIC;
  return hd_type_memref(type, &unknown, 1, NULL, NULL);
}

hd_value *hd_kernel_index(hd_kernel_emitter *e, int64_t value) { return hd_build_index(&e->b, value); }
hd_value *hd_kernel_add(hd_kernel_emitter *e, hd_value *x, hd_value *y) {
  return hd_build(&e->b, HD_OP_arith_addi, x->type, x, y);
}
hd_value *hd_kernel_mul(hd_kernel_emitter *e, hd_value *x, hd_value *y) {
  return hd_build(&e->b, HD_OP_arith_muli, x->type, x, y);
}
hd_value *hd_kernel_add_constant(hd_kernel_emitter *e, hd_value *x, int64_t value) {
  return value ? hd_kernel_add(e, x, hd_kernel_index(e, value)) : x;
}
hd_value *hd_kernel_times(hd_kernel_emitter *e, hd_value *x, int64_t value) {
  return value == 1 ? x : hd_kernel_mul(e, x, hd_kernel_index(e, value));
}

hd_value *hd_kernel_not_zero(hd_kernel_emitter *e, hd_value *x) {
  hd_value *zero = hd_type_is(x->type, HD_TYPE_VECTOR) ? hd_build_int(&e->b, x->type, 0) : hd_kernel_index(e, 0);
  return hd_arith_cmpi(&e->b, HD_ARITH_CMPI_NE, x, zero);
}

hd_value *hd_kernel_below(hd_kernel_emitter *e, hd_value *x, hd_value *y) {
  return hd_arith_cmpi(&e->b, HD_ARITH_CMPI_SLT, x, y);
}

hd_value *hd_kernel_splat(hd_kernel_emitter *e, hd_value *x, int64_t lanes) {
  return hd_build(&e->b, HD_OP_vector_broadcast, vector_of(x->type, lanes), x);
}

hd_value *hd_kernel_zero_vector(hd_kernel_emitter *e, hd_kernel_element t, int64_t lanes) {
  hd_type type = vector_of(t.type, lanes);
  return t.is_float ? hd_build_float(&e->b, type, 0) : hd_build_int(&e->b, type, 0);
}

hd_value *hd_kernel_load(hd_kernel_emitter *e, hd_kernel_element t, int64_t lanes, hd_value *memref, hd_value *at) {
  hd_value *operands[] = {memref, at};
  return hd_build_one_(&e->b, HD_OP_vector_load, vector_of(t.type, lanes), operands, 2, NULL, 0);
}

hd_value *hd_kernel_masked_load(hd_kernel_emitter *e, hd_kernel_element t, int64_t lanes, hd_value *memref,
                                hd_value *at, hd_value *mask) {
  hd_value *operands[] = {memref, at, mask, hd_kernel_zero_vector(e, t, lanes)};
  return hd_build_one_(&e->b, HD_OP_vector_maskedload, vector_of(t.type, lanes), operands, 4, NULL, 0);
}

void hd_kernel_store(hd_kernel_emitter *e, hd_value *value, hd_value *memref, hd_value *at) {
  hd_build0(&e->b, HD_OP_vector_store, value, memref, at);
}

void hd_kernel_masked_store(hd_kernel_emitter *e, hd_value *value, hd_value *memref, hd_value *at, hd_value *mask) {
  hd_build0(&e->b, HD_OP_vector_maskedstore, memref, at, mask, value);
}

hd_value *hd_kernel_scalar_load(hd_kernel_emitter *e, hd_kernel_element t, hd_value *memref, hd_value *at) {
  hd_value *operands[] = {memref, at};
  return hd_build_one_(&e->b, HD_OP_memref_load, t.type, operands, 2, NULL, 0);
}

hd_value *hd_kernel_mask(hd_kernel_emitter *e, hd_value *count, int64_t lanes) {
  return hd_build(&e->b, HD_OP_vector_create_mask, vector_of(hd_i1(e->b.context), lanes), count);
}

hd_value *hd_kernel_multiply_add(hd_kernel_emitter *e, hd_kernel_element t, hd_value *x, hd_value *y, hd_value *sum) {
  if (t.is_float) return hd_build(&e->b, HD_OP_vector_fma, sum->type, x, y, sum);
  return hd_kernel_add(e, sum, hd_kernel_mul(e, x, y));
}

hd_value *hd_kernel_sum(hd_kernel_emitter *e, hd_kernel_element t, hd_value *x, hd_value *y) {
  return hd_build(&e->b, t.is_float ? HD_OP_arith_addf : HD_OP_arith_addi, x->type, x, y);
}

hd_value *hd_kernel_convert(hd_kernel_emitter *e, hd_kernel_element from, hd_kernel_element to, hd_value *x) {
  if (to.is_bool) {
    hd_value *set = hd_kernel_not_zero(e, x);
    return hd_build(&e->b, HD_OP_arith_extui, hd_type_with_element(x->type, to.type), set);
  }
  if (from.type == to.type) return x;
  hd_opcode code = from.is_float           ? (from.bytes < to.bytes ? HD_OP_arith_extf : HD_OP_arith_truncf)
                   : from.bytes > to.bytes ? HD_OP_arith_trunci
                   : from.is_unsigned      ? HD_OP_arith_extui
                                           : HD_OP_arith_extsi;
  return hd_build(&e->b, code, hd_type_with_element(x->type, to.type), x);
}

hd_value *hd_kernel_shuffle(hd_kernel_emitter *e, hd_value *x, hd_value *y, const int64_t *lanes, size_t count) {
  hd_value *operands[] = {x, y};
  return hd_build_one_(&e->b, HD_OP_vector_shuffle, vector_of(hd_type_element(x->type), (int64_t)count), operands, 2,
                       &(hd_attr_arg){HD_NAME_mask, hd_attr_i64_array(e->b.context, lanes, count)}, 1);
}

hd_block *hd_kernel_open(hd_kernel_emitter *e, const char *name, const hd_type *types, size_t count, size_t written) {
  hd_context *c = e->b.context;
  hd_type all[16];
  hd_attr attrs[16];
  for (size_t i = 0; i < count + 2; ++i) {
    all[i] = i < count ? types[i] : e->index;
    hd_named_attr noalias = {hd_name_ident(c, HD_NAME_llvm_noalias), hd_attr_unit(c)};
    attrs[i] = hd_attr_dict(c, &noalias, i == written);
  }
  hd_builder outer = hd_builder_at_end(e->b.module, hd_module_body(e->b.module));
  hd_op *func = hd_build_func(&outer, hd_str_of(name), hd_type_function(c, all, count + 2, NULL, 0), false);
  hd_discardable_set_kernel(func, true);
  hd_function_like_set_arg_attrs(func, hd_attr_array(c, attrs, count + 2));
  hd_block *entry = hd_op_region(func, 0)->first;
  e->b = hd_builder_at_end(e->b.module, entry);
  return entry;
}

void hd_kernel_close(hd_kernel_emitter *e) { hd_build_op(&e->b, HD_OP_func_return, NULL, 0, NULL, 0, NULL, 0, 0); }

hd_op *hd_kernel_open_for(hd_kernel_emitter *e, hd_value *from, hd_value *to, int64_t step, hd_value **carried,
                          size_t count, hd_value **out_iv) {
  hd_op *loop = hd_build_for(&e->b, from, to, hd_kernel_index(e, step), carried, count);
  hd_block *body = hd_op_region(loop, 0)->first;
  *out_iv = body->args[0];
  for (size_t i = 0; i < count; ++i) carried[i] = body->args[i + 1];
  e->b = hd_builder_at_end(e->b.module, body);
  return loop;
}

void hd_kernel_close_for(hd_kernel_emitter *e, hd_op *loop, hd_value **values, size_t count) {
  hd_build_yield(&e->b, values, count);
  for (size_t i = 0; i < count; ++i) values[i] = hd_result(loop, (uint32_t)i);
  e->b = hd_builder_after(loop);
}

hd_op *hd_kernel_open_if(hd_kernel_emitter *e, hd_value *condition) {
  hd_op *op = hd_build_if(&e->b, condition, NULL, 0, false);
  e->b = hd_builder_at_end(e->b.module, hd_op_region(op, 0)->first);
  return op;
}

void hd_kernel_close_if(hd_kernel_emitter *e, hd_op *op) {
  hd_build_yield(&e->b, NULL, 0);
  e->b = hd_builder_after(op);
}

hd_value *hd_kernel_whole(hd_kernel_emitter *e, hd_value *n, int64_t lanes) {
  return hd_build(&e->b, HD_OP_arith_andi, n->type, n, hd_kernel_index(e, -lanes));
}
