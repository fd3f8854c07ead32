/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/axis_info/lattice.h"

hd_axis_info hd_axis_unknown(uint32_t rank) {
  hd_axis_info info = {.rank = rank};
  for (uint32_t d = 0; d < rank; ++d)
    info.contiguity[d] = info.divisibility[d] = info.constancy[d] = info.stride[d] = 1;
  return info;
}

hd_axis_info hd_axis_any(uint32_t rank) {
  hd_axis_info info = {.rank = rank};
  for (uint32_t d = 0; d < rank; ++d)
    info.contiguity[d] = info.divisibility[d] = info.constancy[d] = info.stride[d] = HD_AXIS_MOST;
  return info;
}

int64_t hd_axis_gcd(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

int64_t hd_axis_divisor(int64_t value) { return value && value != INT64_MIN ? value & -value : HD_AXIS_MOST; }

int64_t hd_axis_common_divisor(const hd_axis_info *a, const hd_axis_info *b, uint32_t d) {
  int64_t both = hd_axis_gcd(a->divisibility[d], b->divisibility[d]);
  if (a->contiguity[d] == b->contiguity[d] || a->contiguity[d] == HD_AXIS_MOST || b->contiguity[d] == HD_AXIS_MOST)
    return both;
  return hd_axis_gcd(both, hd_axis_gcd(a->contiguity[d], b->contiguity[d]));
}

void hd_axis_set_stride(hd_axis_info *info, uint32_t d, int64_t stride, int64_t value) {
  info->stride[d] = stride;
  info->stride_value[d] = stride == 1 ? 0 : value;
}

/* Runs of both have to differ by the same. Of what has no value yet, the other's. */
static void common_stride(const hd_axis_info *a, const hd_axis_info *b, uint32_t d, hd_axis_info *out) {
  if (a->stride[d] == HD_AXIS_MOST)
    hd_axis_set_stride(out, d, b->stride[d], b->stride_value[d]);
  else if (b->stride[d] == HD_AXIS_MOST || a->stride_value[d] == b->stride_value[d])
    hd_axis_set_stride(out, d, b->stride[d] == HD_AXIS_MOST ? a->stride[d] : hd_axis_gcd(a->stride[d], b->stride[d]),
                       a->stride_value[d]);
  else
    hd_axis_set_stride(out, d, 1, 0);
}

void hd_axis_raise_strides(hd_axis_info *info) {
  for (uint32_t d = 0; d < info->rank; ++d) {
    if (info->contiguity[d] > info->stride[d]) hd_axis_set_stride(info, d, info->contiguity[d], 1);
    if (info->constancy[d] > info->stride[d]) hd_axis_set_stride(info, d, info->constancy[d], 0);
  }
}

hd_axis_info hd_axis_join(const hd_axis_info *a, const hd_axis_info *b) {
  if (!a->rank) return *b;
  if (!b->rank || a->rank != b->rank) return b->rank ? hd_axis_unknown(a->rank) : *a;
  hd_axis_info out = {.rank = a->rank};
  for (uint32_t d = 0; d < a->rank; ++d) {
    out.contiguity[d] = hd_axis_gcd(a->contiguity[d], b->contiguity[d]);
    out.divisibility[d] = hd_axis_common_divisor(a, b, d);
    out.constancy[d] = hd_axis_gcd(a->constancy[d], b->constancy[d]);
    common_stride(a, b, d, &out);
  }
  out.has_constant = a->has_constant && b->has_constant && a->constant == b->constant;
  out.constant = out.has_constant ? a->constant : 0;
  return out;
}

static bool same(const int64_t *a, const int64_t *b, uint32_t n) { return !memcmp(a, b, n * sizeof *a); }

bool hd_axis_equal(const hd_axis_info *a, const hd_axis_info *b) {
  uint32_t n = a->rank;
  return n == b->rank && a->has_constant == b->has_constant && a->constant == b->constant &&
         same(a->contiguity, b->contiguity, n) && same(a->divisibility, b->divisibility, n) &&
         same(a->constancy, b->constancy, n) && same(a->stride, b->stride, n) &&
         same(a->stride_value, b->stride_value, n);
}

static void put_list(const char *name, const int64_t *list, uint32_t count, hd_strbuf *out) {
  hd_strbuf_printf(out, "%s = [", name);
  for (uint32_t i = 0; i < count; ++i) hd_strbuf_printf(out, "%s%lld", i ? ", " : "", (long long)list[i]);
  hd_strbuf_puts(out, "]");
}

void hd_axis_print(const hd_axis_info *info, hd_strbuf *out) {
  put_list("contiguity", info->contiguity, info->rank, out);
  put_list(", divisibility", info->divisibility, info->rank, out);
  put_list(", constancy", info->constancy, info->rank, out);
  hd_strbuf_puts(out, ", constant_value = ");
  if (info->has_constant)
    hd_strbuf_printf(out, "%lld", (long long)info->constant);
  else
    hd_strbuf_puts(out, "<none>");
}

void hd_axis_print_stride(const hd_axis_info *info, hd_strbuf *out) {
  put_list(", stride", info->stride, info->rank, out);
  put_list(", stride_value", info->stride_value, info->rank, out);
}
