/* SPDX-License-Identifier: Apache-2.0 */
/* The complex dialect, by the kernels of the graph's elementwise ops. */
#include <math.h>
#include <string.h>

#include "eval/core/scalar.h"
#include "eval/graph/elementwise.h"
#include "ir/ops/interfaces.h"

/* Number |i| of |value|, whose elements are complex or float. */
static double complex number_at(const hd_tensor *value, size_t i) {
  hd_type element = hd_type_element(value->type);
  const char *at = (const char *)hd_tensor_data(value) + i * hd_type_element_bytes(element);
  double complex z = 0;
  double x = 0;
  if (hd_class_of(element) == HD_CLASS_COMPLEX) {
    hd_load_complex(element, at, 1, &z);
    return z;
  }
  hd_load_doubles(element, at, 1, &x);
  return CMPLX(x, 0);
}

/* Rounds |z|, or its real part where the elements are floats. */
static void store(const hd_tensor *value, size_t i, double complex z) {
  hd_type element = hd_type_element(value->type);
  char *at = (char *)hd_tensor_data(value) + i * hd_type_element_bytes(element);
  double x = creal(z);
  if (hd_class_of(element) == HD_CLASS_COMPLEX)
    hd_store_complex(element, at, 1, &z);
  else
    hd_store_doubles(element, at, 1, &x);
}

static hd_status expect(const hd_tensor *values, uint32_t count, hd_number_class class) {
  for (uint32_t i = 0; i < count; ++i)
    if (hd_class_of(hd_type_element(values[i].type)) != class ||
        hd_lanes_of(values[i].type) != hd_lanes_of(values->type))
      return hd_make_status(HD_INVALID_ARGUMENT, "operand %u is of another kind than the op takes", i);
  return HD_STATUS_OK;
}

/* By the kernel of |graph_op|. */
static hd_status by(hd_eval_frame *frame, hd_op *op, hd_opcode graph_op, const hd_tensor *in, hd_tensor *out) {
  const hd_elementwise *kernel = hd_elementwise_by(hd_op_info_of(graph_op));
  HD_TRY(expect(in, op->operand_count, HD_CLASS_COMPLEX));
  if (!kernel || !kernel->complexes || kernel->operands != op->operand_count)
    return hd_make_status(HD_INTERNAL, "has no kernel");
  HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], out));
  for (size_t i = 0, count = hd_lanes_of(out->type); i < count; ++i) {
    double complex x = number_at(&in[0], i), y = op->operand_count > 1 ? number_at(&in[1], i) : 0, z;
    kernel->complexes(1, (const double complex *const[]){&x, &y}, &z);
    store(out, i, z);
  }
  return HD_STATUS_OK;
}

#define BY(name, graph_op) \
  HD_EVAL_HOOK(complex_##name) { return by(frame, op, HD_OP_stablehlo_##graph_op, in, out); }
BY(add, add)
BY(sub, subtract)
BY(mul, multiply)
BY(div, divide)
BY(pow, power)
BY(atan2, atan2)
BY(neg, negate)
BY(sign, sign)
BY(cos, cosine)
BY(sin, sine)
BY(tan, tan)
BY(tanh, tanh)
BY(exp, exponential)
BY(expm1, exponential_minus_one)
BY(log, log)
BY(log1p, log_plus_one)
BY(sqrt, sqrt)
BY(rsqrt, rsqrt)

/* |expr| of z, the only operand. */
#define PART(name, expr)                                                 \
  HD_EVAL_HOOK(complex_##name) {                                         \
    HD_TRY(expect(in, 1, HD_CLASS_COMPLEX));                             \
    HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], out));               \
    for (size_t i = 0, count = hd_lanes_of(out->type); i < count; ++i) { \
      double complex z = number_at(&in[0], i);                           \
      store(out, i, expr);                                               \
    }                                                                    \
    return HD_STATUS_OK;                                                 \
  }
PART(re, creal(z))
PART(im, cimag(z))
PART(abs, cabs(z))
PART(angle, carg(z))
PART(conj, conj(z))

HD_EVAL_HOOK(complex_create) {
  HD_TRY(expect(in, 2, HD_CLASS_FLOAT));
  HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], out));
  for (size_t i = 0, count = hd_lanes_of(out->type); i < count; ++i)
    store(out, i, CMPLX(creal(number_at(&in[0], i)), creal(number_at(&in[1], i))));
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(complex_constant) {
  hd_attr value = hd_complex_constant_value(op);
  double parts[2] = {0};
  if (hd_attr_count(value) != 2) return hd_make_status(HD_INVALID_ARGUMENT, "expected a real and an imaginary part");
  for (int i = 0; i < 2; ++i) {
    hd_attr part = value->array.items[i];
    if (!hd_attr_is(part, HD_ATTR_FLOAT)) return hd_make_status(HD_INVALID_ARGUMENT, "expected parts that are floats");
    if (hd_class_of(part->type) != HD_CLASS_FLOAT) return hd_no_elements_of(part->type);
    hd_load_doubles(part->type, &part->floating.bits, 1, &parts[i]);
  }
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  store(out, 0, CMPLX(parts[0], parts[1]));
  return HD_STATUS_OK;
}

static hd_status compare(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, bool equal, hd_tensor *out) {
  HD_TRY(expect(in, 2, HD_CLASS_COMPLEX));
  HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], out));
  for (size_t i = 0, count = hd_lanes_of(out->type); i < count; ++i)
    ((char *)hd_tensor_data(out))[i] = (number_at(&in[0], i) == number_at(&in[1], i)) == equal;
  return HD_STATUS_OK;
}
HD_EVAL_HOOK(complex_eq) { return compare(frame, op, in, true, out); }
HD_EVAL_HOOK(complex_neq) { return compare(frame, op, in, false, out); }

HD_EVAL_HOOK(complex_bitcast) {
  HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], out));
  if (!in[0].buffer || out->buffer->size != in[0].buffer->size)
    return hd_make_status(HD_INVALID_ARGUMENT, "source and result differ in size");
  memcpy(hd_tensor_data(out), hd_tensor_data(&in[0]), out->buffer->size);
  return HD_STATUS_OK;
}
