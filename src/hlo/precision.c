/* SPDX-License-Identifier: Apache-2.0 */
/* How precisely to compute: the algorithm of a dot, and what the result of a function may be off by. */
#include "hlo/import.h"
#include "hlo/print.h"

/* Names of HLO. f8 stands for any of its types. */
static const struct {
  const char *name;
  hd_float_kind operands, sum;
  int64_t products;
  bool imprecise;
} algorithms[] = {{"dot_any_f8_any_f8_f32", HD_F8E5M2, HD_F32, 1, false},
                  {"dot_any_f8_any_f8_f32_fast_accum", HD_F8E5M2, HD_F32, 1, true},
                  {"dot_f16_f16_f16", HD_F16, HD_F16, 1, false},
                  {"dot_f16_f16_f32", HD_F16, HD_F32, 1, false},
                  {"dot_bf16_bf16_bf16", HD_BF16, HD_BF16, 1, false},
                  {"dot_bf16_bf16_f32", HD_BF16, HD_F32, 1, false},
                  {"dot_bf16_bf16_f32_x3", HD_BF16, HD_F32, 3, false},
                  {"dot_bf16_bf16_f32_x6", HD_BF16, HD_F32, 6, false},
                  {"dot_bf16_bf16_f32_x9", HD_BF16, HD_F32, 9, false},
                  {"dot_tf32_tf32_f32", HD_TF32, HD_F32, 1, false},
                  {"dot_tf32_tf32_f32_x3", HD_TF32, HD_F32, 3, false},
                  {"dot_f32_f32_f32", HD_F32, HD_F32, 1, false},
                  {"dot_f64_f64_f64", HD_F64, HD_F64, 1, false}};

enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };

static hd_attr type_attr(hd_context *context, hd_float_kind kind) { return hd_attr_type(hd_type_float(context, kind)); }

hd_attr hd_hlo_read_algorithm(hd_hlo_cursor *c) {
  hd_hlo_cursor look = *c;
  hd_context *context = c->r->context;
  hd_str name = hd_hlo_word(c);
  for (size_t i = 0; i < ALGORITHMS; ++i) {
    if (!hd_str_is(name, algorithms[i].name)) continue;
    hd_attr operand = type_attr(context, algorithms[i].operands), one = hd_attr_i64(context, 1);
    hd_attr params[] = {operand,
                        operand,
                        type_attr(context, algorithms[i].sum),
                        one,
                        one,
                        hd_attr_i64(context, algorithms[i].products),
                        hd_attr_bool(context, algorithms[i].imprecise)};
    return hd_attr_struct(context, HD_STRUCT_stablehlo_dot_algorithm, params, 7);
  }
  hd_hlo_expected(&look, "an algorithm of a dot (dot_bf16_bf16_f32_x3, dot_tf32_tf32_f32, ...)");
  return NULL;
}

static bool is_operand(hd_attr param, size_t i) {
  hd_type type = hd_attr_is(param, HD_ATTR_TYPE) ? param->type_value : NULL;
  if (!type) return false;
  return algorithms[i].operands == HD_F8E5M2 ? hd_type_is_f8(type) : hd_type_is_float(type, algorithms[i].operands);
}

bool hd_hlo_put_algorithm(hd_strbuf *out, hd_attr attr) {
  if (!hd_attr_is(attr, HD_ATTR_STRUCT)) return false;
  const hd_attr *params = attr->structure.params;
  if (hd_attr_int_or(params[3], 0) != 1 || hd_attr_int_or(params[4], 0) != 1) return false;
  for (size_t i = 0; i < ALGORITHMS; ++i) {
    bool same = is_operand(params[0], i) && is_operand(params[1], i) && hd_attr_is(params[2], HD_ATTR_TYPE) &&
                hd_type_is_float(params[2]->type_value, algorithms[i].sum) &&
                hd_attr_int_or(params[5], 0) == algorithms[i].products &&
                hd_attr_bool_or(params[6], false) == algorithms[i].imprecise;
    if (!same) continue;
    hd_strbuf_puts(out, algorithms[i].name);
    return true;
  }
  return false;
}

/* atol=0.5, one of the fields of a tolerance. */
static bool read_bound(hd_hlo_cursor *c, hd_attr *params) {
  static const char *const names[] = {"atol", "rtol", "ulps"};
  hd_hlo_cursor look = *c;
  hd_str name = hd_hlo_word(c), text;
  for (size_t i = 0; i < 3; ++i) {
    if (!hd_str_is(name, names[i])) continue;
    if (!hd_hlo_expect(c, '=')) return false;
    int64_t ulps;
    if (i == 2) {
      if (!hd_hlo_int(c, &ulps)) return false;
      params[i] = hd_attr_i64(c->r->context, ulps);
      return true;
    }
    if (!hd_hlo_skip_value(c, &text)) return false;
    hd_type f64 = hd_type_float(c->r->context, HD_F64);
    hd_attr value = hd_hlo_literal(c->r, hd_type_tensor(f64, NULL, 0, NULL), text);
    double number;
    if (!value || !hd_attr_splat_float(value, &number)) return false;
    params[i] = hd_attr_float(f64, number);
    return true;
  }
  return hd_hlo_expected(&look, "atol, rtol or ulps");
}

static hd_attr accuracy(hd_context *context, hd_attr *params, int64_t mode) {
  params[3] = hd_attr_enum(context, HD_ENUM_stablehlo_result_accuracy_mode, mode);
  return hd_attr_struct(context, HD_STRUCT_stablehlo_result_accuracy, params, 4);
}

/* {mode=highest}, {tolerance={atol=0.5,rtol=0,ulps=2}} */
hd_attr hd_hlo_read_accuracy(hd_hlo_cursor *c) {
  hd_context *context = c->r->context;
  hd_type f64 = hd_type_float(context, HD_F64);
  hd_attr params[4] = {hd_attr_float(f64, 0), hd_attr_float(f64, 0), hd_attr_i64(context, 0)};
  if (!hd_hlo_expect(c, '{')) return NULL;
  hd_hlo_cursor look = *c;
  hd_str name = hd_hlo_word(c);
  if (hd_str_is(name, "mode")) {
    if (!hd_hlo_expect(c, '=')) return NULL;
    look = *c;
    name = hd_hlo_word(c);
    int64_t mode = hd_str_is(name, "default") ? 0 : hd_str_is(name, "highest") ? 1 : -1;
    if (mode < 0) return hd_hlo_expected(&look, "default or highest"), NULL;
    return hd_hlo_expect(c, '}') ? accuracy(context, params, mode) : NULL;
  }
  if (!hd_str_is(name, "tolerance")) return hd_hlo_expected(&look, "mode or tolerance"), NULL;
  if (!hd_hlo_expect(c, '=') || !hd_hlo_expect(c, '{')) return NULL;
  do
    if (!read_bound(c, params)) return NULL;
  while (hd_hlo_accept(c, ','));
  return hd_hlo_expect(c, '}') && hd_hlo_expect(c, '}') ? accuracy(context, params, 2) : NULL;
}

static double number(hd_attr attr) { return hd_attr_is(attr, HD_ATTR_FLOAT) ? attr->floating.value : 0; }

bool hd_hlo_put_accuracy(hd_strbuf *out, hd_attr attr) {
  if (!hd_attr_is(attr, HD_ATTR_STRUCT)) return false;
  const hd_attr *params = attr->structure.params;
  int64_t mode = hd_attr_int_or(params[3], 0);
  if (mode != 2)
    hd_strbuf_printf(out, "{mode=%s}", mode ? "highest" : "default");
  else
    hd_strbuf_printf(out, "{tolerance={atol=%.17g,rtol=%.17g,ulps=%lld}}", number(params[0]), number(params[1]),
                     (long long)hd_attr_int_or(params[2], 0));
  return true;
}
