/* SPDX-License-Identifier: Apache-2.0 */
/* Quantized types, as MLIR's quant dialect and vhlo write them: flags, whose lowest bit tells signed storage, the
 * storage and the expressed type, and then
 *
 *   one scale   scale, zero point, least, greatest stored number
 *   per axis    axis, least, greatest, scales, zero points */
#include "bytecode/reader.h"
#include "ir/quantized.h"

/* Codes of the quant dialect. The others stand for types that StableHLO has not: any, calibrated, by blocks. */
enum { UNIFORM = 4, PER_AXIS = 5 };

static bool read_range(hd_bc_reader *r, hd_bc_bytes *in, struct hd_type_storage *out) {
  return hd_bc_signed(r, in, &out->quant.storage_min) && hd_bc_signed(r, in, &out->quant.storage_max);
}

static bool read_one(hd_bc_reader *r, hd_bc_bytes *in, struct hd_type_storage *out) {
  double *scale = hd_new(&r->scratch, double);
  int64_t *zero = hd_new(&r->scratch, int64_t);
  out->quant.axis = -1;
  out->quant.count = 1;
  out->quant.scales = scale;
  out->quant.zero_points = zero;
  return hd_bc_double(r, in, scale) && hd_bc_signed(r, in, zero) && read_range(r, in, out);
}

static bool read_along_axis(hd_bc_reader *r, hd_bc_bytes *in, struct hd_type_storage *out) {
  const uint8_t *where = in->at;
  uint64_t axis;
  size_t count, zero_count;
  int64_t *zeros;
  if (!hd_bc_varint(r, in, &axis) || !read_range(r, in, out) || !hd_bc_count(r, in, 1, &count)) return false;
  double *scales = hd_new_array(&r->scratch, double, count + 1);
  for (size_t i = 0; i < count; ++i)
    if (!hd_bc_double(r, in, &scales[i])) return false;
  if (!hd_bc_signed_list(r, in, &zeros, &zero_count)) return false;
  if (count != zero_count || axis > INT32_MAX)
    return hd_bc_fail(r, where, "%zu scales and %zu zero points in a quantized type", count, zero_count);
  out->quant.per_axis = true;
  out->quant.axis = (int32_t)axis;
  out->quant.count = (uint32_t)count;
  out->quant.scales = scales;
  out->quant.zero_points = zeros;
  return true;
}

hd_type hd_bc_quant(hd_bc_reader *r, hd_bc_bytes *in, bool per_axis) {
  const uint8_t *where = in->at;
  struct hd_type_storage type = {.kind = HD_TYPE_QUANT, .context = r->context};
  uint64_t flags;
  if (!hd_bc_varint(r, in, &flags) || !(type.quant.storage = hd_bc_type_ref(r, in)) ||
      !(type.quant.expressed = hd_bc_type_ref(r, in)))
    return NULL;
  type.quant.is_signed = flags & 1;
  if (!(per_axis ? read_along_axis(r, in, &type) : read_one(r, in, &type))) return NULL;
  hd_strbuf why;
  hd_strbuf_init(&why, &r->scratch);
  if (hd_quantized_element_holds(&type, &why)) return hd_type_quant(r->context, &type);
  hd_bc_fail(r, where, "a quantized type %s", hd_strbuf_text(&why));
  return NULL;
}

hd_type hd_bc_quant_type(hd_bc_reader *r, hd_bc_bytes *in) {
  const uint8_t *where = in->at;
  uint64_t code;
  if (!hd_bc_varint(r, in, &code)) return NULL;
  if (code == UNIFORM || code == PER_AXIS) return hd_bc_quant(r, in, code == PER_AXIS);
  hd_bc_fail(r, where,
             "quantized type of code %llu: expected a uniform one, of one scale or of one per element of a dim",
             (unsigned long long)code);
  return NULL;
}
