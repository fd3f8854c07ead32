/* SPDX-License-Identifier: Apache-2.0 */
/* entry-layouts: what the entry takes and gives in another order of dims in memory becomes a row-major tensor of its
 * dims in that order, with a transpose where the program begins or ends.
 *
 *   func @main(%x: tensor<3x4xf32> {mhlo.layout_mode = "{0,1}"})   ->   func @main(%p: tensor<4x3xf32> {hd.layout =
 *                                                                       "{0,1}"})
 *                                                                         %x = stablehlo.transpose %p, dims = [1, 0]
 *
 * Layouts are written from the minor dim to the major one. A result whose layout is "auto" is as a layout constraint
 * on it says, or, when it is a transpose, as what was transposed; anything else that is "auto" is row major. What is
 * not row major says so in hd.layout, for who gives the arguments and takes the results. Dims of another order must be
 * known, and an order is all that a layout can have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/entry.h"
#include "passes/graph/hlo_build.h"
#include "passes/passes.h"

static const hd_name asked = HD_NAME_mhlo_layout_mode, done = HD_NAME_hd_layout;

typedef struct layouts {
  hd_pass *pass;
  hd_op *func;
} layouts;

static hd_attr mode_of(hd_op *func, hd_name list, uint32_t i) {
  hd_attr attrs = hd_op_attr_get(func, list);
  hd_attr mode =
      hd_attr_is(attrs, HD_ATTR_ARRAY) && i < attrs->array.count ? hd_dict_get(attrs->array.items[i], asked) : NULL;
  return hd_attr_is(mode, HD_ATTR_STRING) ? mode : NULL;
}

/* Dims from major to minor; false where |minor_to_major| has not each dim once. */
static bool reverse(const int64_t *minor_to_major, uint32_t rank, int64_t *order) {
  bool seen[HD_MAX_RANK] = {false};
  for (uint32_t i = 0; i < rank; ++i) {
    int64_t d = minor_to_major[i];
    if (d < 0 || d >= rank || seen[d]) return false;
    seen[d] = true;
    order[rank - 1 - i] = d;
  }
  return true;
}

/* "{0,1}" */
static bool read_order(const char *text, uint32_t rank, int64_t *order) {
  int64_t minor_to_major[HD_MAX_RANK];
  char *end;
  for (uint32_t i = 0; i < rank; ++i) {
    ++text; /* the brace or a comma */
    minor_to_major[i] = strtoll(text, &end, 10);
    if (end == text || *end != (i + 1 < rank ? ',' : '}')) return false;
    text = end;
  }
  return (rank ? !text[1] : !strcmp(text, "{}")) && reverse(minor_to_major, rank, order);
}

/* What "auto" is for |value|. */
static void choose_order(const hd_value *value, uint32_t rank, int64_t *order) {
  hd_op *op = hd_value_op(value);
  while (hd_op_is(op, HD_OP_sdy_sharding_constraint)) op = hd_value_op(hd_operand(op, 0));
  if (hd_op_is(op, HD_OP_stablehlo_custom_call) &&
      hd_str_is(hd_stablehlo_custom_call_call_target_name(op), "LayoutConstraint")) {
    hd_attr list = hd_stablehlo_custom_call_result_layouts(op);
    hd_attr given = hd_attr_is(list, HD_ATTR_ARRAY) && list->array.count == 1 ? list->array.items[0] : NULL;
    int64_t minor_to_major[HD_MAX_RANK], found[HD_MAX_RANK];
    if (!given || hd_attr_count(given) != rank) return;
    for (uint32_t i = 0; i < rank; ++i) minor_to_major[i] = hd_attr_int_at(given, i);
    if (reverse(minor_to_major, rank, found)) memcpy(order, found, rank * sizeof *order);
  } else if (hd_op_is(op, HD_OP_stablehlo_transpose)) {
    hd_attr permutation = hd_stablehlo_transpose_permutation(op);
    for (uint32_t d = 0; d < rank; ++d) order[hd_attr_int_at(permutation, d)] = d;
  }
}

static bool is_row_major(const int64_t *order, uint32_t rank) {
  for (uint32_t i = 0; i < rank; ++i)
    if (order[i] != i) return false;
  return true;
}

/* |*out| is the order of |value|, the argument or result |i|, from major to minor; null: row major. */
static bool order_of(layouts *l, hd_name list, const char *what, uint32_t i, const hd_value *value, int64_t **out) {
  hd_attr mode = mode_of(l->func, list, i);
  *out = NULL;
  if (!mode || !hd_type_has_rank(value->type) || hd_type_rank(value->type) > HD_MAX_RANK) return true;
  uint32_t rank = hd_type_rank(value->type);
  int64_t *order = hd_new_array(&l->pass->arena, int64_t, rank + 1u);
  for (uint32_t d = 0; d < rank; ++d) order[d] = d;
  const char *text = mode->string->text;
  if (text[0] == '{') {
    if (!read_order(text, rank, order))
      return hd_op_error(l->func, "has %s %u laid out as %s; expected its %u dims, from minor to major, and no tiles",
                         what, i, text, rank);
  } else if (!strcmp(text, "auto") && hd_type_is_static(value->type)) {
    choose_order(value, rank, order);
  }
  if (is_row_major(order, rank)) return true;
  if (!hd_type_is_static(value->type))
    return hd_op_error(l->func, "has %s %u of unknown dims laid out as %s; expected row major", what, i, text);
  *out = order;
  return true;
}

/* |order| as |asked| writes it. */
static hd_attr order_attr(layouts *l, const int64_t *order, uint32_t rank) {
  hd_strbuf text;
  hd_strbuf_init(&text, &l->pass->arena);
  for (uint32_t i = rank; i-- > 0;) hd_strbuf_printf(&text, "%c%lld", i + 1 == rank ? '{' : ',', (long long)order[i]);
  return hd_attr_cstring(l->pass->context, hd_strbuf_text((hd_strbuf_putc(&text, '}'), &text)));
}

/* Says in |list| that |i| is in |order|. */
static void say(layouts *l, hd_name list, uint32_t i, const int64_t *order, uint32_t rank) {
  hd_attr attrs = hd_op_attr_get(l->func, list), dict = attrs->array.items[i];
  hd_named_attr *named = hd_new_array(&l->pass->arena, hd_named_attr, dict->dict.count + 1u);
  for (uint32_t k = 0; k < dict->dict.count; ++k) {
    named[k] = dict->dict.items[k];
    if (named[k].name == hd_name_ident(l->pass->context, asked))
      named[k] = (hd_named_attr){hd_name_ident(l->pass->context, done), order_attr(l, order, rank)};
  }
  hd_attr *items = hd_new_array(&l->pass->arena, hd_attr, attrs->array.count);
  memcpy(items, attrs->array.items, attrs->array.count * sizeof *items);
  items[i] = hd_attr_dict(l->pass->context, named, dict->dict.count);
  hd_op_attr_set(l->func, list, hd_attr_array(l->pass->context, items, attrs->array.count));
}

static hd_type type_in(hd_type type, const int64_t *order) {
  int64_t dims[HD_MAX_RANK];
  uint32_t rank = hd_type_rank(type);
  for (uint32_t i = 0; i < rank; ++i) dims[i] = hd_type_dim(type, (uint32_t)order[i]);
  return hd_type_with_dims(type, dims, rank);
}

static bool take_argument(layouts *l, hd_block *entry, uint32_t i) {
  hd_value *arg = entry->args[i];
  int64_t *order, back[HD_MAX_RANK];
  if (!order_of(l, HD_NAME_arg_attrs, "argument", i, arg, &order)) return false;
  if (!order) return true;
  hd_type type = arg->type;
  for (uint32_t d = 0; d < hd_type_rank(type); ++d) back[order[d]] = d;
  hd_builder b = hd_builder_before(entry->first);
  b.loc = arg->loc;
  arg->type = type_in(type, order);
  hd_value *whole = hd_hlo_transpose(&b, arg, back);
  hd_value_replace_uses_except(arg, whole, hd_value_op(whole));
  say(l, HD_NAME_arg_attrs, i, order, hd_type_rank(type));
  l->pass->changed = true;
  return true;
}

static bool give_result(layouts *l, hd_op *ret, uint32_t i) {
  hd_value *value = hd_operand(ret, i);
  int64_t *order;
  if (!order_of(l, HD_NAME_res_attrs, "result", i, value, &order)) return false;
  if (!order) return true;
  hd_builder b = hd_builder_before(ret);
  hd_op_set_operand(ret, i, hd_hlo_transpose(&b, value, order));
  say(l, HD_NAME_res_attrs, i, order, hd_type_rank(value->type));
  l->pass->changed = true;
  return true;
}

bool hd_pass_entry_layouts(hd_pass *pass, hd_op *module) {
  (void)module;
  hd_op *func = hd_require_entry(pass);
  if (!func) return false;
  hd_block *entry = hd_op_region(func, 0)->first;
  hd_op *ret = entry->last;
  if (entry->next || !ret) return true;
  layouts l = {pass, func};
  for (uint32_t i = 0; i < entry->arg_count; ++i)
    if (!take_argument(&l, entry, i)) return false;
  for (uint32_t i = 0; i < ret->operand_count; ++i)
    if (!give_result(&l, ret, i)) return false;
  if (!pass->changed) return true;
  hd_type *types = hd_new_array(&pass->arena, hd_type, entry->arg_count + ret->operand_count + 1u);
  for (uint32_t i = 0; i < entry->arg_count; ++i) types[i] = entry->args[i]->type;
  for (uint32_t i = 0; i < ret->operand_count; ++i) types[entry->arg_count + i] = hd_operand_type(ret, i);
  hd_function_like_set_function_type(
      func, hd_attr_type(hd_type_function(pass->context, types, entry->arg_count, types + entry->arg_count,
                                          ret->operand_count)));
  return true;
}
