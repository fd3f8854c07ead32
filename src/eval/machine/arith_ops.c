/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of the arith dialect on scalars, vectors and tensors; comparisons are in arith_compare.c, conversions in
 * arith_convert.c. Where arith leaves a result undefined (division by zero, a shift by the width or more), the result
 * is fixed here and no program should ask for it. */
#include "eval/machine/arith_ops.h"

#include <math.h>
#include <string.h>

#include "eval/machine/memory.h"
#include "ir/number.h"
#include "ir/ops/arith.h"
#include "ir/ops/interfaces.h"

hd_status hd_eval_check_lanes(const hd_tensor *values, uint32_t count, size_t lanes) {
  for (uint32_t i = 0; i < count; ++i)
    if (hd_lanes_of(values[i].type) != lanes)
      return hd_make_status(HD_INVALID_ARGUMENT, "expects values of %zu lanes, got %zu", lanes,
                            hd_lanes_of(values[i].type));
  return HD_STATUS_OK;
}

enum { RUN = 64 };

hd_status hd_eval_lanes(hd_eval_frame *frame, hd_op *op, const hd_elementwise *kernel, const hd_tensor *in,
                        hd_tensor *out) {
  HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], out));
  hd_type element = hd_type_element(out->type);
  hd_number_class class = hd_class_of(element);
  size_t count = hd_lanes_of(out->type), bytes = hd_type_element_bytes(element);
  for (uint32_t i = 0; i < kernel->operands; ++i)
    if (hd_lanes_of(in[i].type) != count || hd_class_of(hd_type_element(in[i].type)) != class)
      return hd_make_status(HD_INVALID_ARGUMENT, "operand %u is of another kind than the result", i);
  if (class == HD_CLASS_INT ? !kernel->ints : class == HD_CLASS_FLOAT ? !kernel->floats : true)
    return hd_make_status(HD_INVALID_ARGUMENT, "is not defined for elements of this type");
  for (size_t at = 0; at < count; at += RUN) {
    size_t n = count - at < RUN ? count - at : RUN;
    char *to = (char *)hd_tensor_data(out) + at * bytes;
    if (class == HD_CLASS_INT) {
      int64_t runs[3][RUN], result[RUN];
      for (uint32_t i = 0; i < kernel->operands; ++i)
        hd_load_ints(element, (char *)hd_tensor_data(&in[i]) + at * bytes, n, runs[i]);
      kernel->ints(n, (const int64_t *const[]){runs[0], runs[1], runs[2]}, result, element);
      hd_store_ints(element, to, n, result);
    } else {
      double runs[3][RUN], result[RUN];
      for (uint32_t i = 0; i < kernel->operands; ++i)
        hd_load_doubles(element, (char *)hd_tensor_data(&in[i]) + at * bytes, n, runs[i]);
      kernel->floats(n, (const double *const[]){runs[0], runs[1], runs[2]}, result);
      hd_store_doubles(element, to, n, result);
    }
  }
  return HD_STATUS_OK;
}

static int64_t quotient(int64_t x, int64_t y) { return y == 0 ? 0 : y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y; }
static int64_t rest(int64_t x, int64_t y) { return y == 0 || y == -1 ? 0 : x % y; }
static int64_t floor_quotient(int64_t x, int64_t y) {
  int64_t q = quotient(x, y);
  return rest(x, y) != 0 && (rest(x, y) < 0) != (y < 0) ? q - 1 : q;
}
static int64_t ceil_quotient(int64_t x, int64_t y) {
  int64_t q = quotient(x, y);
  return rest(x, y) != 0 && (rest(x, y) < 0) == (y < 0) ? q + 1 : q;
}

#define S(v) hd_int_signed(v, element)
#define U(v) hd_int_bits(v, element)
HD_INT2(addi, (int64_t)((uint64_t)x + (uint64_t)y))
HD_INT2(subi, (int64_t)((uint64_t)x - (uint64_t)y))
HD_INT2(muli, (int64_t)((uint64_t)x * (uint64_t)y))
HD_INT2(andi, x &y)
HD_INT2(ori, x | y)
HD_INT2(xori, x ^ y)
HD_INT2(shli, U(y) >= hd_int_width(element) ? 0 : (int64_t)((uint64_t)x << U(y)))
HD_INT2(shrui, U(y) >= hd_int_width(element) ? 0 : (int64_t)(U(x) >> U(y)))
HD_INT2(shrsi, S(x) >> (U(y) >= hd_int_width(element) ? hd_int_width(element) - 1 : U(y)))
HD_INT2(divsi, quotient(S(x), S(y)))
HD_INT2(divui, U(y) ? (int64_t)(U(x) / U(y)) : 0)
HD_INT2(remsi, rest(S(x), S(y)))
HD_INT2(remui, U(y) ? (int64_t)(U(x) % U(y)) : 0)
HD_INT2(floordivsi, floor_quotient(S(x), S(y)))
HD_INT2(ceildivsi, ceil_quotient(S(x), S(y)))
HD_INT2(ceildivui, U(y) ? (int64_t)(U(x) / U(y) + (U(x) % U(y) != 0)) : 0)
HD_INT2(maxsi, S(x) > S(y) ? x : y)
HD_INT2(minsi, S(x) < S(y) ? x : y)
HD_INT2(maxui, U(x) > U(y) ? x : y)
HD_INT2(minui, U(x) < U(y) ? x : y)
HD_FLOAT2(addf, x + y)
HD_FLOAT2(subf, x - y)
HD_FLOAT2(mulf, x *y)
HD_FLOAT2(divf, x / y)
HD_FLOAT2(remf, fmod(x, y))
HD_FLOAT2(maximumf, hd_float_maximum(x, y))
HD_FLOAT2(minimumf, hd_float_minimum(x, y))
HD_FLOAT2(maxnumf, fmax(x, y))
HD_FLOAT2(minnumf, fmin(x, y))
HD_FLOAT1(negf, -x)

/* op, operands, kernel of floats, kernel of integers */
#define KERNEL(name, operands, floats, ints)                                  \
  static const hd_elementwise name##_kernel = {operands, floats, ints, NULL}; \
  HD_EVAL_HOOK(arith_##name) { return hd_eval_lanes(frame, op, &name##_kernel, in, out); }
KERNEL(addi, 2, NULL, addi)
KERNEL(subi, 2, NULL, subi)
KERNEL(muli, 2, NULL, muli)
KERNEL(andi, 2, NULL, andi)
KERNEL(ori, 2, NULL, ori)
KERNEL(xori, 2, NULL, xori)
KERNEL(shli, 2, NULL, shli)
KERNEL(shrui, 2, NULL, shrui)
KERNEL(shrsi, 2, NULL, shrsi)
KERNEL(divsi, 2, NULL, divsi)
KERNEL(divui, 2, NULL, divui)
KERNEL(remsi, 2, NULL, remsi)
KERNEL(remui, 2, NULL, remui)
KERNEL(floordivsi, 2, NULL, floordivsi)
KERNEL(ceildivsi, 2, NULL, ceildivsi)
KERNEL(ceildivui, 2, NULL, ceildivui)
KERNEL(maxsi, 2, NULL, maxsi)
KERNEL(minsi, 2, NULL, minsi)
KERNEL(maxui, 2, NULL, maxui)
KERNEL(minui, 2, NULL, minui)
KERNEL(addf, 2, addf, NULL)
KERNEL(subf, 2, subf, NULL)
KERNEL(mulf, 2, mulf, NULL)
KERNEL(divf, 2, divf, NULL)
KERNEL(remf, 2, remf, NULL)
KERNEL(maximumf, 2, maximumf, NULL)
KERNEL(minimumf, 2, minimumf, NULL)
KERNEL(maxnumf, 2, maxnumf, NULL)
KERNEL(minnumf, 2, minnumf, NULL)
KERNEL(negf, 1, negf, NULL)
#undef KERNEL

static const hd_elementwise *combination_of(hd_opcode op) {
  switch (op) {
#define CASE(name)         \
  case HD_OP_arith_##name: \
    return &name##_kernel;
    CASE(addi)
    CASE(muli)
    CASE(andi)
    CASE(ori)
    CASE(xori)
    CASE(maxsi)
    CASE(minsi)
    CASE(maxui)
    CASE(minui)
    CASE(addf)
    CASE(mulf)
    CASE(maximumf)
    CASE(minimumf)
    CASE(maxnumf)
    CASE(minnumf)
#undef CASE
    default:
      return NULL;
  }
}

hd_status hd_eval_combine(hd_opcode op, hd_type element, const void *a, const void *b, void *to) {
  const hd_elementwise *kernel = combination_of(op);
  hd_number_class class = hd_class_of(element);
  if (!kernel || !(class == HD_CLASS_FLOAT ? (void *)kernel->floats
                   : class == HD_CLASS_INT ? (void *)kernel->ints
                                           : NULL))
    return hd_make_status(HD_UNIMPLEMENTED, "does not combine elements of this type by '%s'",
                          kernel ? hd_op_info_of(op)->name : "this kind");
  hd_elementwise_apply2(kernel, element, a, b, to);
  return HD_STATUS_OK;
}

hd_opcode hd_arith_op_of_vector_kind(hd_enum_vector_kind kind, hd_type element) {
  bool is_float = hd_class_of(element) == HD_CLASS_FLOAT;
  switch (kind) {
    case HD_VECTOR_KIND_ADD:
      return is_float ? HD_OP_arith_addf : HD_OP_arith_addi;
    case HD_VECTOR_KIND_MUL:
      return is_float ? HD_OP_arith_mulf : HD_OP_arith_muli;
#define CASE(kind, op)        \
  case HD_VECTOR_KIND_##kind: \
    return HD_OP_arith_##op;
      CASE(MINUI, minui)
      CASE(MINSI, minsi)
      CASE(MINNUMF, minnumf)
      CASE(MAXUI, maxui)
      CASE(MAXSI, maxsi)
      CASE(MAXNUMF, maxnumf)
      CASE(AND, andi)
      CASE(OR, ori)
      CASE(XOR, xori)
      CASE(MAXIMUMF, maximumf)
      CASE(MINIMUMF, minimumf)
#undef CASE
  }
  return HD_OP_UNREGISTERED;
}

hd_opcode hd_arith_op_of_atomic_rmw(hd_enum_arith_atomic_rmw_kind kind) {
  switch (kind) {
#define CASE(kind, op)                  \
  case HD_ARITH_ATOMIC_RMW_KIND_##kind: \
    return HD_OP_arith_##op;
    CASE(ADDF, addf)
    CASE(ADDI, addi)
    CASE(ANDI, andi)
    CASE(MAXIMUMF, maximumf)
    CASE(MAXNUMF, maxnumf)
    CASE(MAXS, maxsi)
    CASE(MAXU, maxui)
    CASE(MINIMUMF, minimumf)
    CASE(MINNUMF, minnumf)
    CASE(MINS, minsi)
    CASE(MINU, minui)
    CASE(MULF, mulf)
    CASE(MULI, muli)
    CASE(ORI, ori)
    CASE(XORI, xori)
#undef CASE
    case HD_ARITH_ATOMIC_RMW_KIND_ASSIGN:
      break;
  }
  return HD_OP_UNREGISTERED;
}

HD_EVAL_HOOK(arith_constant) {
  hd_attr value = hd_constant_like_value(op);
  hd_type type = hd_result_type(op, 0);
  if (hd_attr_is(value, HD_ATTR_DENSE) && hd_type_is(type, HD_TYPE_TENSOR))
    return hd_tensor_from_attr(hd_frame_heap(frame), value, out);
  HD_TRY(hd_eval_value(frame, type, out));
  hd_type element = hd_type_element(type);
  char *to = hd_tensor_data(out);
  if (hd_attr_is(value, HD_ATTR_INTEGER)) {
    hd_element_store(element, to, value->integer);
  } else if (hd_attr_is(value, HD_ATTR_FLOAT)) {
    hd_element_store(element, to, (int64_t)value->floating.bits);
  } else if (hd_attr_is(value, HD_ATTR_DENSE)) {
    size_t bytes = hd_type_element_bytes(element), size = out->buffer->size;
    if (!value->dense.splat && value->dense.size < size)
      return hd_make_status(HD_INTERNAL, "a constant has %zu bytes where %zu are needed", value->dense.size, size);
    if (!value->dense.splat) memcpy(to, value->dense.data, size);
    for (size_t at = 0; value->dense.splat && at < size; at += bytes) memcpy(to + at, value->dense.data, bytes);
  } else {
    return hd_make_status(HD_UNIMPLEMENTED, "expected a number or dense elements");
  }
  return HD_STATUS_OK;
}

/* ---- products and sums of double width ---- */

static hd_status extended(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out, bool is_signed) {
  HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], &out[0]));
  HD_TRY(hd_eval_value_like(frame, op, 1, &in[0], &out[1]));
  HD_TRY(hd_eval_check_lanes(in, 2, hd_lanes_of(out[0].type)));
  HD_TRY(hd_eval_check_lanes(out, 2, hd_lanes_of(in[0].type)));
  hd_type element = hd_type_element(in[0].type);
  size_t bytes = hd_type_element_bytes(element);
  for (size_t i = 0; i < hd_lanes_of(in[0].type); ++i) {
    int64_t x = hd_element_load(element, (char *)hd_tensor_data(&in[0]) + i * bytes);
    int64_t y = hd_element_load(element, (char *)hd_tensor_data(&in[1]) + i * bytes);
    __int128 product = is_signed ? (__int128)hd_int_signed(x, element) * hd_int_signed(y, element)
                                 : (__int128)((unsigned __int128)hd_int_bits(x, element) * hd_int_bits(y, element));
    hd_element_store(element, (char *)hd_tensor_data(&out[0]) + i * bytes, (int64_t)product);
    hd_element_store(element, (char *)hd_tensor_data(&out[1]) + i * bytes, (int64_t)(product >> hd_int_width(element)));
  }
  return HD_STATUS_OK;
}
HD_EVAL_HOOK(arith_mulsi_extended) { return extended(frame, op, in, out, true); }
HD_EVAL_HOOK(arith_mului_extended) { return extended(frame, op, in, out, false); }

HD_EVAL_HOOK(arith_addui_extended) {
  HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], &out[0]));
  HD_TRY(hd_eval_value_like(frame, op, 1, &in[0], &out[1]));
  HD_TRY(hd_eval_check_lanes(in, 2, hd_lanes_of(out[0].type)));
  HD_TRY(hd_eval_check_lanes(out, 2, hd_lanes_of(in[0].type)));
  hd_type element = hd_type_element(in[0].type);
  size_t bytes = hd_type_element_bytes(element);
  for (size_t i = 0; i < hd_lanes_of(in[0].type); ++i) {
    int64_t x = hd_element_load(element, (char *)hd_tensor_data(&in[0]) + i * bytes);
    int64_t y = hd_element_load(element, (char *)hd_tensor_data(&in[1]) + i * bytes);
    uint64_t sum = hd_int_bits((int64_t)((uint64_t)x + (uint64_t)y), element);
    hd_element_store(element, (char *)hd_tensor_data(&out[0]) + i * bytes, (int64_t)sum);
    ((char *)hd_tensor_data(&out[1]))[i] = sum < hd_int_bits(x, element);
  }
  return HD_STATUS_OK;
}
