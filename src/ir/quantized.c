/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/quantized.h"

#include <math.h>
#include <stdarg.h>

#include "ir/number.h"
#include "ir/ops/stablehlo.h"

hd_type hd_quantized_element(hd_type type) {
  return hd_type_is_shaped(type) && hd_type_is(type->shaped.element, HD_TYPE_QUANT) ? type->shaped.element : NULL;
}

hd_type hd_quantized_storage(hd_type q) {
  return hd_type_integer(q->context, hd_type_bits(q->quant.storage), q->quant.is_signed ? HD_SIGNLESS : HD_UNSIGNED);
}

static double scale_of(const struct hd_type_storage *q, size_t k) {
  hd_float_kind kind = q->quant.expressed->float_kind;
  return hd_float_decode(kind, hd_float_encode(kind, q->quant.scales[k]));
}

double hd_quantized_scale(hd_type q, size_t k) { return scale_of(q, k); }

double hd_quantized_round(hd_type q, double number) {
  hd_float_kind kind = q->quant.expressed->float_kind;
  return hd_float_decode(kind, hd_float_encode(kind, number));
}

void hd_quantized_bounds(hd_type q, double *out_low, double *out_high) {
  *out_low = hd_quantized_round(q, (double)q->quant.storage_min);
  *out_high = hd_quantized_round(q, (double)q->quant.storage_max);
  if (isnan(*out_low)) *out_low = -INFINITY; /* overflow, in a format without infinities */
  if (isnan(*out_high)) *out_high = INFINITY;
}

static bool fails(hd_strbuf *why, const char *format, ...) HD_PRINTF(2, 3);
static bool fails(hd_strbuf *why, const char *format, ...) {
  va_list args;
  va_start(args, format);
  hd_strbuf_vprintf(why, format, args);
  va_end(args);
  return false;
}

static bool fails_with(hd_strbuf *why, const char *expected, hd_type got) {
  hd_strbuf_printf(why, "expects %s, got ", expected);
  if (got->context->print_type) got->context->print_type(why, got);
  return false;
}

bool hd_quantized_element_holds(const struct hd_type_storage *q, hd_strbuf *why) {
  hd_type storage = q->quant.storage, expressed = q->quant.expressed;
  if (!hd_type_is(storage, HD_TYPE_INTEGER) || storage->integer.width > 32)
    return fails_with(why, "an integer storage type of at most 32 bits", storage);
  if (!hd_type_is(expressed, HD_TYPE_FLOAT) || hd_type_bits(expressed) > 64)
    return fails_with(why, "an expressed type that is a float of at most 64 bits", expressed);
  uint32_t width = storage->integer.width;
  int64_t low = q->quant.is_signed ? -(1ll << (width - 1)) : 0,
          high = q->quant.is_signed ? (1ll << (width - 1)) - 1 : (1ll << width) - 1;
  if (q->quant.storage_min < low || q->quant.storage_min >= q->quant.storage_max || q->quant.storage_max > high)
    return fails(why, "expects a storage range in order and within [%lld, %lld], got [%lld, %lld]", (long long)low,
                 (long long)high, (long long)q->quant.storage_min, (long long)q->quant.storage_max);
  if (!q->quant.count || (!q->quant.per_axis && q->quant.count != 1))
    return fails(why, "expects %s scale, got %u", q->quant.per_axis ? "at least one" : "one", q->quant.count);
  for (uint32_t i = 0; i < q->quant.count; ++i) {
    double scale = scale_of(q, i);
    if (!(scale > 0) || !isfinite(scale))
      return fails(why, "expects scales that are positive and finite in the expressed type, got %g",
                   q->quant.scales[i]);
    if (q->quant.zero_points[i] < q->quant.storage_min || q->quant.zero_points[i] > q->quant.storage_max)
      return fails(why, "expects zero points in the storage range [%lld, %lld], got %lld",
                   (long long)q->quant.storage_min, (long long)q->quant.storage_max,
                   (long long)q->quant.zero_points[i]);
  }
  if (q->quant.per_axis && !q->quant.block_rank && q->quant.axis < 0)
    return fails(why, "expects a quantized dim of 0 or more, got %d", q->quant.axis);
  for (uint32_t i = 0; i < q->quant.block_rank; ++i)
    if (q->quant.block_axes[i] < 0 || q->quant.block_sizes[i] < 1)
      return fails(why, "expects blocks of at least one element along dims of 0 or more, got %lld:%lld",
                   (long long)q->quant.block_axes[i], (long long)q->quant.block_sizes[i]);
  return true;
}

/* One scale for each block of the blocked dims: blocks along an unknown dim are not counted, so that the count need
 * only be a multiple of the others. */
static bool has_scale_per_block(hd_type type, hd_type q, hd_strbuf *why) {
  int64_t blocks = 1;
  bool known = true;
  for (uint32_t i = 0; i < q->quant.block_rank; ++i) {
    int64_t dim = type->shaped.dims[q->quant.block_axes[i]];
    if (dim == HD_DYNAMIC)
      known = false;
    else if (__builtin_mul_overflow(blocks, dim / q->quant.block_sizes[i], &blocks))
      blocks = INT64_MAX;
  }
  if (known ? blocks == (int64_t)q->quant.count : blocks && q->quant.count % blocks == 0) return true;
  return fails(why, "expects a scale for each block, %s%lld, got %u", known ? "" : "a multiple of ", (long long)blocks,
               q->quant.count);
}

static bool carrier_holds(hd_type type, hd_type q, hd_strbuf *why) {
  if (!q->quant.per_axis || !hd_type_has_rank(type)) return true;
  uint32_t rank = type->shaped.rank;
  for (uint32_t i = 0; i < q->quant.block_rank; ++i) {
    int64_t axis = q->quant.block_axes[i];
    if (axis >= rank)
      return fails(why, "expects blocks along dims below the rank, %u, got dim %lld", rank, (long long)axis);
    if (type->shaped.dims[axis] != HD_DYNAMIC && type->shaped.dims[axis] % q->quant.block_sizes[i])
      return fails(why, "expects blocks that divide dim %lld of size %lld, got a size of %lld", (long long)axis,
                   (long long)type->shaped.dims[axis], (long long)q->quant.block_sizes[i]);
  }
  if (q->quant.block_rank) return has_scale_per_block(type, q, why);
  if ((uint32_t)q->quant.axis >= rank)
    return fails(why, "expects a quantized dim below the rank, %u, got %d", rank, q->quant.axis);
  int64_t dim = type->shaped.dims[q->quant.axis];
  return dim == HD_DYNAMIC || dim == (int64_t)q->quant.count ||
         fails(why, "expects as many scales as dim %d has elements, %lld, got %u", q->quant.axis, (long long)dim,
               q->quant.count);
}

bool hd_quantized_holds(hd_type type, hd_strbuf *why) {
  if (hd_type_is(type, HD_TYPE_QUANT)) return hd_quantized_element_holds(type, why);
  hd_type q = type ? hd_quantized_element(type) : NULL;
  if (q) return hd_quantized_element_holds(q, why) && carrier_holds(type, q, why);
  if (!hd_type_is(type, HD_TYPE_TUPLE) && !hd_type_is(type, HD_TYPE_FUNCTION)) return true;
  for (uint32_t i = 0; i < type->function.in_count; ++i)
    if (!hd_quantized_holds(type->function.ins[i], why)) return false;
  for (uint32_t i = 0; hd_type_is(type, HD_TYPE_FUNCTION) && i < type->function.out_count; ++i)
    if (!hd_quantized_holds(type->function.outs[i], why)) return false;
  return true;
}

/* Do |a| and |b| differ in nothing but the dim along which their scales go? */
static bool same_parameters(hd_type a, hd_type b) {
  if (a == b) return true;
  if (a->quant.storage != b->quant.storage || a->quant.is_signed != b->quant.is_signed ||
      a->quant.expressed != b->quant.expressed || a->quant.storage_min != b->quant.storage_min ||
      a->quant.storage_max != b->quant.storage_max || a->quant.per_axis != b->quant.per_axis ||
      a->quant.count != b->quant.count || a->quant.block_rank || b->quant.block_rank)
    return false;
  for (uint32_t i = 0; i < a->quant.count; ++i)
    if (a->quant.scales[i] != b->quant.scales[i] || a->quant.zero_points[i] != b->quant.zero_points[i]) return false;
  return true;
}

/* Elements stay with their scales: there is one for all, or a transpose takes the dim of the scales along. */
static bool moves_stored(const hd_op *op) {
  if (op->result_count != 1) return false;
  hd_type only = hd_quantized_element(hd_result_type(op, 0));
  if (!only) return false;
  bool along = only->quant.per_axis;
  if (along) {
    hd_attr order = hd_op_is(op, HD_OP_stablehlo_transpose) ? hd_stablehlo_transpose_permutation(op) : NULL;
    hd_type from = hd_quantized_element(hd_operand_type(op, 0));
    return from && order && same_parameters(from, only) && (size_t)only->quant.axis < hd_attr_count(order) &&
           hd_attr_int_at(order, (size_t)only->quant.axis) == from->quant.axis;
  }
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_type q = hd_quantized_element(hd_operand_type(op, i));
    if (q && q != only) return false;
  }
  return true;
}

bool hd_op_acts_on_stored(const hd_op *op) {
  if (hd_op_has_trait(op, HD_TRAIT(TAKES_STORED))) return true;
  return hd_op_has_any_trait(op, HD_TRAIT(MOVES_ELEMENTS) | HD_TRAIT(PASSES_ELEMENTS)) && moves_stored(op);
}
