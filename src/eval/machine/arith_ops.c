/* SPDX-License-Identifier: Apache-2.0 */
/* The arith dialect on scalars, vectors and tensors. Where arith leaves a result undefined (division by zero, a shift
 * by the width or more, a conversion out of range), the result is fixed here and no program should ask for it. */
#include "eval/machine/arith_ops.h"

#include <math.h>
#include <string.h>

#include "eval/machine/memory.h"
#include "ir/number.h"
#include "ir/ops/arith.h"
#include "ir/ops/interfaces.h"

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

/* The unsigned value of |x| in its own width. */
static uint64_t bits_of(int64_t x, hd_type element) {
  uint32_t width = element->kind == HD_TYPE_INTEGER ? element->integer.width : 64;
  return width >= 64 ? (uint64_t)x : (uint64_t)x & ((1ull << width) - 1);
}
static uint32_t width_of(hd_type element) { return element->kind == HD_TYPE_INTEGER ? element->integer.width : 64; }
/* The signed value; i1 loads as 0 or 1. */
static int64_t signed_of(int64_t x, hd_type element) {
  uint32_t width = width_of(element);
  return width >= 64 ? x : (int64_t)((uint64_t)x << (64 - width)) >> (64 - width);
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

#define S(v) signed_of(v, element)
#define U(v) bits_of(v, element)
HD_INT2(addi, (int64_t)((uint64_t)x + (uint64_t)y))
HD_INT2(subi, (int64_t)((uint64_t)x - (uint64_t)y))
HD_INT2(muli, (int64_t)((uint64_t)x * (uint64_t)y))
HD_INT2(andi, x &y)
HD_INT2(ori, x | y)
HD_INT2(xori, x ^ y)
HD_INT2(shli, U(y) >= width_of(element) ? 0 : (int64_t)((uint64_t)x << U(y)))
HD_INT2(shrui, U(y) >= width_of(element) ? 0 : (int64_t)(U(x) >> U(y)))
HD_INT2(shrsi, S(x) >> (U(y) >= width_of(element) ? width_of(element) - 1 : U(y)))
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

/* ---- comparisons and selection ---- */

static bool float_holds(hd_enum_arith_cmpf_predicate p, double x, double y) {
  bool unordered = isnan(x) || isnan(y);
  switch (p) {
    case HD_ARITH_CMPF_FALSE:
      return false;
    case HD_ARITH_CMPF_OEQ:
      return x == y;
    case HD_ARITH_CMPF_OGT:
      return x > y;
    case HD_ARITH_CMPF_OGE:
      return x >= y;
    case HD_ARITH_CMPF_OLT:
      return x < y;
    case HD_ARITH_CMPF_OLE:
      return x <= y;
    case HD_ARITH_CMPF_ONE:
      return !unordered && x != y;
    case HD_ARITH_CMPF_ORD:
      return !unordered;
    case HD_ARITH_CMPF_UEQ:
      return unordered || x == y;
    case HD_ARITH_CMPF_UGT:
      return unordered || x > y;
    case HD_ARITH_CMPF_UGE:
      return unordered || x >= y;
    case HD_ARITH_CMPF_ULT:
      return unordered || x < y;
    case HD_ARITH_CMPF_ULE:
      return unordered || x <= y;
    case HD_ARITH_CMPF_UNE:
      return x != y;
    case HD_ARITH_CMPF_UNO:
      return unordered;
    case HD_ARITH_CMPF_TRUE:
      return true;
  }
  return false;
}

static bool int_holds(hd_enum_arith_cmpi_predicate p, int64_t x, int64_t y, hd_type element) {
  uint64_t a = U(x), b = U(y);
  x = S(x), y = S(y);
  switch (p) {
    case HD_ARITH_CMPI_EQ:
      return x == y;
    case HD_ARITH_CMPI_NE:
      return x != y;
    case HD_ARITH_CMPI_SLT:
      return x < y;
    case HD_ARITH_CMPI_SLE:
      return x <= y;
    case HD_ARITH_CMPI_SGT:
      return x > y;
    case HD_ARITH_CMPI_SGE:
      return x >= y;
    case HD_ARITH_CMPI_ULT:
      return a < b;
    case HD_ARITH_CMPI_ULE:
      return a <= b;
    case HD_ARITH_CMPI_UGT:
      return a > b;
    case HD_ARITH_CMPI_UGE:
      return a >= b;
  }
  return false;
}

/* Types with unknown dims agree where their values need not. */
static hd_status check_lanes(const hd_tensor *values, uint32_t count, size_t lanes) {
  for (uint32_t i = 0; i < count; ++i)
    if (hd_lanes_of(values[i].type) != lanes)
      return hd_make_status(HD_INVALID_ARGUMENT, "expects values of %zu lanes, got %zu", lanes,
                            hd_lanes_of(values[i].type));
  return HD_STATUS_OK;
}

/* Of llvm.icmp and llvm.fcmp too, whose cases have the same numbers. */
static int64_t predicate_of(const hd_op *op) { return hd_attr_int_or(hd_with_predicate_predicate(op), 0); }

HD_EVAL_HOOK(arith_cmpi) {
  HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], out));
  HD_TRY(check_lanes(in, 2, hd_lanes_of(out->type)));
  hd_type element = hd_type_element(in[0].type);
  hd_enum_arith_cmpi_predicate predicate = (hd_enum_arith_cmpi_predicate)predicate_of(op);
  size_t bytes = hd_type_element_bytes(element);
  for (size_t i = 0; i < hd_lanes_of(out->type); ++i)
    ((char *)hd_tensor_data(out))[i] =
        int_holds(predicate, hd_element_load(element, (char *)hd_tensor_data(&in[0]) + i * bytes),
                  hd_element_load(element, (char *)hd_tensor_data(&in[1]) + i * bytes), element);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(arith_cmpf) {
  HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], out));
  HD_TRY(check_lanes(in, 2, hd_lanes_of(out->type)));
  hd_type element = hd_type_element(in[0].type);
  hd_enum_arith_cmpf_predicate predicate = (hd_enum_arith_cmpf_predicate)predicate_of(op);
  size_t bytes = hd_type_element_bytes(element);
  for (size_t i = 0; i < hd_lanes_of(out->type); ++i) {
    double x, y;
    hd_load_doubles(element, (char *)hd_tensor_data(&in[0]) + i * bytes, 1, &x);
    hd_load_doubles(element, (char *)hd_tensor_data(&in[1]) + i * bytes, 1, &y);
    ((char *)hd_tensor_data(out))[i] = float_holds(predicate, x, y);
  }
  return HD_STATUS_OK;
}

/* Any value may be selected whole: memrefs and pointers too. */
HD_EVAL_HOOK(arith_select) {
  size_t conditions = hd_lanes_of(in[0].type);
  if (!hd_type_is_shaped(in[0].type)) {
    *out = hd_tensor_retain(in[hd_eval_int(&in[0]) ? 1 : 2]);
    return HD_STATUS_OK;
  }
  HD_TRY(hd_eval_value_like(frame, op, 0, &in[1], out));
  size_t bytes = hd_type_element_bytes(hd_type_element(out->type)), count = hd_lanes_of(out->type);
  if (count != conditions) return hd_make_status(HD_INVALID_ARGUMENT, "condition and values differ in shape");
  HD_TRY(check_lanes(in + 1, 2, count));
  for (size_t i = 0; i < count; ++i) {
    const hd_tensor *from = &in[((char *)hd_tensor_data(&in[0]))[i] ? 1 : 2];
    memcpy((char *)hd_tensor_data(out) + i * bytes, (char *)hd_tensor_data(from) + i * bytes, bytes);
  }
  return HD_STATUS_OK;
}

/* ---- conversions ---- */

typedef enum conversion { SIGNED, UNSIGNED, BY_VALUE } conversion;

static hd_status convert(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out, conversion from,
                         conversion to) {
  HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], out));
  hd_type source = hd_type_element(in[0].type), element = hd_type_element(out->type);
  size_t count = hd_lanes_of(out->type), step = hd_type_element_bytes(source), bytes = hd_type_element_bytes(element);
  HD_TRY(check_lanes(in, 1, count));
  const char *at = hd_tensor_data(&in[0]);
  char *result = hd_tensor_data(out);
  for (size_t i = 0; i < count; ++i, at += step, result += bytes) {
    if (from == BY_VALUE) {
      double value;
      hd_load_doubles(source, at, 1, &value);
      if (to == BY_VALUE) {
        hd_store_doubles(element, result, 1, &value);
      } else if (to == SIGNED) {
        hd_element_store(element, result, hd_double_to_int(element, value));
      } else {
        uint32_t width = width_of(element);
        double limit = ldexp(1, (int)width);
        uint64_t whole = isnan(value) || value <= 0 ? 0 : value >= limit ? UINT64_MAX : (uint64_t)value;
        hd_element_store(element, result, (int64_t)whole);
      }
      continue;
    }
    int64_t value = hd_element_load(source, at);
    value = from == SIGNED ? signed_of(value, source) : (int64_t)bits_of(value, source);
    if (to == BY_VALUE) {
      double number = hd_int_to_double_odd(value, from == UNSIGNED);
      hd_store_doubles(element, result, 1, &number);
    } else {
      hd_element_store(element, result, value);
    }
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(arith_index_cast) { return convert(frame, op, in, out, SIGNED, SIGNED); }
HD_EVAL_HOOK(arith_index_castui) { return convert(frame, op, in, out, UNSIGNED, UNSIGNED); }
HD_EVAL_HOOK(arith_extsi) { return convert(frame, op, in, out, SIGNED, SIGNED); }
HD_EVAL_HOOK(arith_extui) { return convert(frame, op, in, out, UNSIGNED, UNSIGNED); }
HD_EVAL_HOOK(arith_trunci) { return convert(frame, op, in, out, SIGNED, SIGNED); }
HD_EVAL_HOOK(arith_sitofp) { return convert(frame, op, in, out, SIGNED, BY_VALUE); }
HD_EVAL_HOOK(arith_uitofp) { return convert(frame, op, in, out, UNSIGNED, BY_VALUE); }
HD_EVAL_HOOK(arith_fptosi) { return convert(frame, op, in, out, BY_VALUE, SIGNED); }
HD_EVAL_HOOK(arith_fptoui) { return convert(frame, op, in, out, BY_VALUE, UNSIGNED); }
HD_EVAL_HOOK(arith_extf) { return convert(frame, op, in, out, BY_VALUE, BY_VALUE); }
HD_EVAL_HOOK(arith_truncf) { return convert(frame, op, in, out, BY_VALUE, BY_VALUE); }

/* The same bytes as another type of as many. */
HD_EVAL_HOOK(arith_bitcast) {
  if (!hd_type_is(hd_result_type(op, 0), HD_TYPE_MEMREF)) {
    HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], out));
    if (out->buffer->size != in[0].buffer->size)
      return hd_make_status(HD_INVALID_ARGUMENT, "source and result differ in size");
    memcpy(hd_tensor_data(out), hd_tensor_data(&in[0]), out->buffer->size);
    return HD_STATUS_OK;
  }
  return hd_memref_cast_to(&in[0], hd_result_type(op, 0), out);
}

/* ---- products and sums of double width ---- */

static hd_status extended(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out, conversion sign) {
  HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], &out[0]));
  HD_TRY(hd_eval_value_like(frame, op, 1, &in[0], &out[1]));
  HD_TRY(check_lanes(in, 2, hd_lanes_of(out[0].type)));
  HD_TRY(check_lanes(out, 2, hd_lanes_of(in[0].type)));
  hd_type element = hd_type_element(in[0].type);
  size_t bytes = hd_type_element_bytes(element);
  for (size_t i = 0; i < hd_lanes_of(in[0].type); ++i) {
    int64_t x = hd_element_load(element, (char *)hd_tensor_data(&in[0]) + i * bytes);
    int64_t y = hd_element_load(element, (char *)hd_tensor_data(&in[1]) + i * bytes);
    __int128 product = sign == SIGNED ? (__int128)S(x) * S(y) : (__int128)((unsigned __int128)U(x) * U(y));
    hd_element_store(element, (char *)hd_tensor_data(&out[0]) + i * bytes, (int64_t)product);
    hd_element_store(element, (char *)hd_tensor_data(&out[1]) + i * bytes, (int64_t)(product >> width_of(element)));
  }
  return HD_STATUS_OK;
}
HD_EVAL_HOOK(arith_mulsi_extended) { return extended(frame, op, in, out, SIGNED); }
HD_EVAL_HOOK(arith_mului_extended) { return extended(frame, op, in, out, UNSIGNED); }

HD_EVAL_HOOK(arith_addui_extended) {
  HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], &out[0]));
  HD_TRY(hd_eval_value_like(frame, op, 1, &in[0], &out[1]));
  HD_TRY(check_lanes(in, 2, hd_lanes_of(out[0].type)));
  HD_TRY(check_lanes(out, 2, hd_lanes_of(in[0].type)));
  hd_type element = hd_type_element(in[0].type);
  size_t bytes = hd_type_element_bytes(element);
  for (size_t i = 0; i < hd_lanes_of(in[0].type); ++i) {
    int64_t x = hd_element_load(element, (char *)hd_tensor_data(&in[0]) + i * bytes);
    int64_t y = hd_element_load(element, (char *)hd_tensor_data(&in[1]) + i * bytes);
    uint64_t sum = bits_of((int64_t)((uint64_t)x + (uint64_t)y), element);
    hd_element_store(element, (char *)hd_tensor_data(&out[0]) + i * bytes, (int64_t)sum);
    ((char *)hd_tensor_data(&out[1]))[i] = sum < U(x);
  }
  return HD_STATUS_OK;
}
