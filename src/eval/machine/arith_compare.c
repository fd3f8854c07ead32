/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons and selection of the arith dialect on scalars, vectors and tensors. */
#include <math.h>
#include <string.h>

#include "eval/machine/arith_ops.h"
#include "ir/ops/interfaces.h"

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
  uint64_t a = hd_int_bits(x, element), b = hd_int_bits(y, element);
  x = hd_int_signed(x, element), y = hd_int_signed(y, element);
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

/* Of llvm.icmp and llvm.fcmp too, whose cases have the same numbers. */
static int64_t predicate_of(const hd_op *op) { return hd_attr_int_or(hd_with_predicate_predicate(op), 0); }

HD_EVAL_HOOK(arith_cmpi) {
  HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], out));
  HD_TRY(hd_eval_check_lanes(in, 2, hd_lanes_of(out->type)));
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
  HD_TRY(hd_eval_check_lanes(in, 2, hd_lanes_of(out->type)));
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
  HD_TRY(hd_eval_check_lanes(in + 1, 2, count));
  for (size_t i = 0; i < count; ++i) {
    const hd_tensor *from = &in[((char *)hd_tensor_data(&in[0]))[i] ? 1 : 2];
    memcpy((char *)hd_tensor_data(out) + i * bytes, (char *)hd_tensor_data(from) + i * bytes, bytes);
  }
  return HD_STATUS_OK;
}
