/* SPDX-License-Identifier: Apache-2.0 */
/* Ops with sizes in their types or attributes take them from operands then (dynamic_reshape, real_dynamic_slice, ...);
 * the arithmetic on symbols stands at the entry's start. Constants whose value no symbols give become arguments. */
#include "driver/shape_rewrite.h"

#include "base/vec.h"
#include "driver/shape_rewriter.h"
#include "ir/dynamic_form.h"
#include "ir/infer.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"

bool hd_rewriter_fail(hd_rewriter *w, hd_op *op, const char *reason) {
  if (!w->reason) {
    w->failed_at = op;
    w->reason = reason;
  }
  return false;
}

bool hd_rewriter_varies(const hd_rewriter *w, size_t number) {
  return w->rule->numbers[number].kind != HD_NUMBER_CONSTANT;
}

static void add_symbol(hd_rewriter *w, size_t number) {
  size_t s = w->rule->symbol_count;
  if (s == HD_MAX_SHAPE_SYMBOLS) return;
  w->symbols[s] = hd_rewriter_value(w, &w->rule->numbers[number].expr);
  w->rule->symbols[s] = number;
  for (size_t i = 0; i < w->samples->count; ++i) w->samples->symbols[i][s] = w->samples->forms[i]->numbers[number];
  w->samples->symbol_count = w->rule->symbol_count = s + 1;
}

bool hd_rewriter_explains(hd_rewriter *w, size_t number) {
  hd_number_rule *n = &w->rule->numbers[number];
  if (n->kind != HD_NUMBER_FREE) return true;
  if (!hd_shape_explain_size(w->samples, number, &n->expr)) return false;
  n->kind = HD_NUMBER_COMPUTED;
  if (hd_shape_rounds(&n->expr)) add_symbol(w, number);
  return true;
}

/* The number is written down in the program: it needs an expression. */
static bool need(hd_rewriter *w, hd_op *op, size_t number) {
  return hd_rewriter_explains(w, number) ||
         hd_rewriter_fail(w, op, "has a size that the arguments' dims do not explain");
}

size_t hd_form_start(const hd_map *map, const void *key) {
  hd_map_entry *entry = hd_map_find(map, key);
  return entry ? (size_t)entry->value.i64 - 1 : 0;
}

hd_type hd_rewriter_scalar(hd_rewriter *w) { return hd_type_tensor(hd_i64(w->module->context), NULL, 0, NULL); }

static hd_value *constant_i64(hd_rewriter *w, hd_builder *b, int64_t value) {
  return hd_build_hlo_constant(b, hd_attr_dense(hd_rewriter_scalar(w), &value, sizeof value, true));
}

hd_value *hd_rewriter_value(hd_rewriter *w, const hd_shape_expression *e) {
  hd_map_entry *entry = hd_map_insert_bytes(w->arena, &w->computed, e, sizeof *e, NULL);
  if (entry->value.ptr) return entry->value.ptr;
  hd_builder *b = &w->entry;
  hd_type type = hd_rewriter_scalar(w);
  hd_value *value = e->factor_count ? w->symbols[e->factors[0]] : constant_i64(w, b, e->scale);
  for (uint32_t i = 1; i < e->factor_count; ++i) value = hd_stablehlo_multiply(b, value, w->symbols[e->factors[i]]);
  if (e->scale != 1) value = hd_stablehlo_multiply(b, value, constant_i64(w, b, e->scale));
  if (e->shift) value = hd_stablehlo_add(b, value, constant_i64(w, b, e->shift));
  if (e->divisor != 1) value = hd_stablehlo_divide(b, value, constant_i64(w, b, e->divisor));
  if (e->multiple < 0) { /* the term less the multiple, which is how it is read */
    value = hd_stablehlo_multiply(b, value, constant_i64(w, b, -e->multiple));
    value = hd_stablehlo_subtract(b, w->symbols[e->term - 1], value);
  } else {
    if (e->multiple != 1) value = hd_stablehlo_multiply(b, value, constant_i64(w, b, e->multiple));
    hd_opcode opcode = e->sign < 0 ? HD_OP_stablehlo_subtract : HD_OP_stablehlo_add;
    if (e->term) value = hd_build(b, opcode, type, value, w->symbols[e->term - 1]);
  }
  if (e->offset) value = hd_stablehlo_add(b, value, constant_i64(w, b, e->offset));
  entry = hd_map_find_bytes(&w->computed, e, sizeof *e);
  entry->value.ptr = value;
  return value;
}

hd_value *hd_rewriter_number(hd_rewriter *w, size_t number) {
  const hd_number_rule *n = &w->rule->numbers[number];
  if (n->kind == HD_NUMBER_COMPUTED) return hd_rewriter_value(w, &n->expr);
  hd_shape_expression e = hd_shape_number(n->value);
  hd_map_entry *entry = hd_map_insert_bytes(w->arena, &w->computed, &e, sizeof e, NULL);
  if (!entry->value.ptr) {
    hd_value *value = constant_i64(w, &w->entry, n->value);
    entry = hd_map_find_bytes(&w->computed, &e, sizeof e);
    entry->value.ptr = value;
  }
  return entry->value.ptr;
}

/* tensor<1xi64> parts joined to one vector. */
static hd_value *join_scalars(hd_rewriter *w, hd_builder *b, hd_value **scalars, size_t count) {
  int64_t one = 1;
  hd_type part = hd_type_tensor(hd_i64(w->module->context), &one, 1, NULL);
  hd_value **parts = hd_new_array(w->arena, hd_value *, count);
  for (size_t i = 0; i < count; ++i) parts[i] = hd_stablehlo_reshape(b, part, scalars[i]);
  return hd_stablehlo_concatenate(b, 0, parts, count);
}

hd_value *hd_rewriter_vector(hd_rewriter *w, size_t start, size_t count) {
  hd_value **scalars = hd_new_array(w->arena, hd_value *, count);
  for (size_t i = 0; i < count; ++i) scalars[i] = hd_rewriter_number(w, start + i);
  return join_scalars(w, &w->entry, scalars, count);
}

bool hd_rewriter_any_varies(const hd_rewriter *w, size_t start, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (hd_rewriter_varies(w, start + i)) return true;
  return false;
}

bool hd_rewriter_need(hd_rewriter *w, hd_op *op, size_t start, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!need(w, op, start + i)) return false;
  return true;
}

void hd_rewriter_assert_equal(hd_rewriter *w, hd_value *first, hd_value *second) {
  hd_context *context = w->module->context;
  hd_builder *b = &w->entry;
  hd_value *equal = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, first, second);
  hd_attr_arg attrs[] = {{HD_NAME_call_target_name, hd_attr_cstring(context, "shape_assertion")},
                         {HD_NAME_error_message, hd_attr_cstring(context, "sizes that must be equal are {0} and {1}")},
                         {HD_NAME_has_side_effect, hd_attr_bool(context, true)}};
  hd_value *operands[] = {equal, first, second};
  hd_build_op(b, HD_OP_stablehlo_custom_call, operands, 3, NULL, 0, attrs, 3, 0);
}

hd_value *hd_rewriter_size_of(hd_rewriter *w, hd_value *value, int64_t d) {
  return hd_stablehlo_get_dimension_size(&w->entry, d, value);
}

hd_value *hd_rewriter_list(hd_rewriter *w, hd_builder *b, const int64_t *values, size_t count) {
  int64_t length = (int64_t)count;
  hd_type type = hd_type_tensor(hd_i64(w->module->context), &length, 1, NULL);
  return hd_build_hlo_constant(b, hd_attr_dense(type, values, count * sizeof *values, false));
}

hd_value *hd_rewriter_attribute(hd_rewriter *w, hd_builder *b, hd_attr attr) {
  size_t count;
  const int64_t *values = hd_attr_ints(w->arena, attr, &count);
  return hd_rewriter_list(w, b, values, count);
}

hd_number_range hd_rewriter_sizes(const hd_rewriter *w, const hd_op *op, hd_name name) {
  hd_number_range range = {.start = hd_form_start(&w->places->ops, op)};
  hd_for_each_attr(attr, op) {
    if (!hd_form_has_numbers(op, attr.name)) continue;
    range.count = hd_attr_count(attr.value);
    if (attr.name->name == name) return range;
    range.start += range.count;
  }
  range.count = 0;
  return range;
}

bool hd_rewriter_range_varies(const hd_rewriter *w, hd_number_range r) {
  return hd_rewriter_any_varies(w, r.start, r.count);
}
bool hd_rewriter_need_range(hd_rewriter *w, hd_op *op, hd_number_range r) {
  return hd_rewriter_need(w, op, r.start, r.count);
}

/* ---- ops with sizes -------------------------------------------------------------------------------------------- */

/* A dim that a reshape joins is a product of the operand's, which then are looked at first: they may be rounded. */
static void explain_factors(hd_rewriter *w, hd_op *op, hd_number_range dims) {
  hd_type from = op->operand_count ? hd_operand_type(op, 0) : NULL;
  bool explained = true;
  for (size_t d = 0; d < dims.count; ++d) explained &= hd_rewriter_explains(w, dims.start + d);
  if (explained || !from || from->kind != HD_TYPE_TENSOR) return;
  size_t start = hd_form_start(&w->places->values, hd_operand(op, 0));
  for (uint32_t d = 0; d < hd_type_rank(from); ++d) (void)hd_rewriter_explains(w, start + d);
}

/* What an operand of the dynamic form is: an operand of |op|, integers of one of
 * its attributes, or the result's dims. */
typedef struct source {
  hd_value *operand;
  hd_attr list;         /* that all forms have */
  hd_number_range size; /* else */
  bool shape;           /* the numbers are the result's dims */
} source;

/* Names that the row of |op| has neither as an operand nor as an attribute stand for the result's dims. */
static bool source_of(hd_rewriter *w, hd_op *op, const hd_signature *row, hd_ident name, source *out) {
  for (uint32_t i = 0; i < row->args.count; ++i)
    if (row->args.items[i].name == name) {
      *out = (source){.operand = hd_operand(op, i)};
      return true;
    }
  for (uint32_t i = 0; i < row->attrs.count; ++i)
    if (row->attrs.items[i].name == name) {
      hd_attr value = hd_op_attr_get_ident(op, name);
      if (!value) return hd_rewriter_fail(w, op, "lacks integers that its form for unknown sizes has as an operand");
      hd_number_range size = hd_rewriter_sizes(w, op, (hd_name)name->name);
      *out = (source){.list = size.count ? NULL : value, .size = size};
      return true;
    }
  hd_number_range dims = {hd_form_start(&w->places->values, hd_result(op, 0)), hd_type_rank(hd_result_type(op, 0))};
  *out = (source){.size = dims, .shape = true};
  return true;
}

/* The same op with its sizes as operands. Its row has operands by the names that the attributes have here. */
static bool rewrite_to_dynamic(hd_rewriter *w, hd_op *op, hd_opcode opcode) {
  const hd_signature *from = hd_signature_of(w->module->context, hd_opcode_get(op)),
                     *to = hd_signature_of(w->module->context, opcode);
  source *sources = hd_new_array(w->arena, source, to->args.count);
  bool varies = false;
  for (size_t i = 0; i < to->args.count; ++i) {
    if (!source_of(w, op, from, to->args.items[i].name, &sources[i])) return false;
    varies |= hd_rewriter_range_varies(w, sources[i].size);
  }
  if (!varies) return true;
  hd_builder b = hd_builder_before(op);
  hd_value **operands = hd_new_array(w->arena, hd_value *, to->args.count);
  for (size_t i = 0; i < to->args.count; ++i) {
    if (sources[i].shape) explain_factors(w, op, sources[i].size);
    if (!hd_rewriter_need_range(w, op, sources[i].size)) return false;
  }
  for (size_t i = 0; i < to->args.count; ++i) {
    const source *s = &sources[i];
    operands[i] = s->operand ? s->operand
                  : s->list  ? hd_rewriter_attribute(w, &b, s->list)
                             : hd_rewriter_vector(w, s->size.start, s->size.count);
  }
  hd_attr_arg *attrs = hd_new_array(w->arena, hd_attr_arg, to->attrs.count);
  size_t count = 0;
  for (size_t i = 0; i < to->attrs.count; ++i) {
    hd_ident name = to->attrs.items[i].name;
    attrs[count++] = (hd_attr_arg){(hd_name)name->name, hd_op_attr_get_ident(op, name)};
  }
  return hd_rewriter_replace(op,
                             hd_build_one_(&b, opcode, hd_result_type(op, 0), operands, to->args.count, attrs, count));
}

/* A box at coordinates that only the run tells is gathered, one box of all: then its size is that of the operand which
 * says so, and not a difference of coordinates. */
static bool gather_box(hd_rewriter *w, hd_op *op, hd_number_range sizes) {
  size_t rank = sizes.count;
  hd_context *context = w->module->context;
  hd_builder b = hd_builder_before(op);
  hd_value **starts = hd_new_array(w->arena, hd_value *, rank);
  int64_t *all = hd_new_array(w->arena, int64_t, rank);
  for (size_t i = 0; i < rank; ++i) {
    starts[i] = hd_stablehlo_convert(&b, hd_rewriter_scalar(w), hd_operand(op, (uint32_t)i + 1));
    all[i] = (int64_t)i;
  }
  hd_attr each = hd_attr_i64_array(context, all, rank);
  hd_attr numbers[] = {each, NULL, NULL, NULL, each, hd_attr_i64(context, 0)};
  hd_attr_arg dims = {HD_NAME_dimension_numbers, hd_attr_struct(context, HD_STRUCT_stablehlo_gather, numbers, 6)};
  hd_value *operands[] = {hd_operand(op, 0), join_scalars(w, &b, starts, rank),
                          hd_rewriter_vector(w, sizes.start, rank)};
  return hd_rewriter_replace(
      op, hd_build_one_(&b, HD_OP_stablehlo_dynamic_gather, hd_result_type(op, 0), operands, 3, &dims, 1));
}

/* A box of unknown size at clamped coordinates: the clamping is written out. */
static bool rewrite_dynamic_slice(hd_rewriter *w, hd_op *op) {
  hd_number_range range = hd_rewriter_sizes(w, op, HD_NAME_slice_sizes);
  if (!hd_rewriter_range_varies(w, range)) return true;
  if (!hd_rewriter_need_range(w, op, range)) return false;
  size_t sizes = range.start, rank = range.count;
  size_t dims = hd_form_start(&w->places->values, hd_operand(op, 0));
  if (!hd_rewriter_need(w, op, dims, rank)) return false;
  for (size_t i = 0; i < rank; ++i)
    if (hd_rewriter_varies(w, sizes + i) && hd_rewriter_number(w, sizes + i) != hd_rewriter_number(w, dims + i))
      return gather_box(w, op, range);
  hd_builder b = hd_builder_before(op);
  hd_type type = hd_rewriter_scalar(w);
  hd_value **starts = hd_new_array(w->arena, hd_value *, rank), **limits = hd_new_array(w->arena, hd_value *, rank);
  int64_t *ones = hd_new_array(w->arena, int64_t, rank);
  for (size_t i = 0; i < rank; ++i) {
    hd_value *size = hd_rewriter_number(w, sizes + i), *dim = hd_rewriter_number(w, dims + i);
    ones[i] = 1;
    if (size == dim) {
      starts[i] = constant_i64(w, &w->entry, 0);
      limits[i] = size;
      continue;
    }
    hd_value *start = hd_stablehlo_convert(&b, type, hd_operand(op, (uint32_t)i + 1));
    hd_value *last = hd_stablehlo_subtract(&w->entry, dim, size);
    starts[i] = hd_stablehlo_clamp(&b, constant_i64(w, &w->entry, 0), start, last);
    limits[i] = hd_stablehlo_add(&b, starts[i], size);
  }
  hd_value *operands[] = {hd_operand(op, 0), join_scalars(w, &b, starts, rank), join_scalars(w, &b, limits, rank),
                          hd_rewriter_list(w, &b, ones, rank)};
  return hd_rewriter_replace(
      op, hd_build_one_(&b, HD_OP_stablehlo_real_dynamic_slice, hd_result_type(op, 0), operands, 4, NULL, 0));
}

/* Random bits are given a size by their type; as an operand it goes to the call that exported programs have. */
static bool rewrite_random(hd_rewriter *w, hd_op *op) {
  hd_value *bits = hd_result(op, 1);
  uint32_t rank = hd_type_rank(bits->type);
  size_t dims = hd_form_start(&w->places->values, bits);
  if (!hd_rewriter_any_varies(w, dims, rank)) return true;
  if (!hd_rewriter_need(w, op, dims, rank)) return false;
  hd_value *operands[] = {hd_operand(op, 0), hd_rewriter_vector(w, dims, rank)};
  hd_attr_arg attrs[] = {
      {HD_NAME_call_target_name, hd_attr_cstring(w->module->context, "stablehlo.dynamic_rng_bit_generator")},
      {HD_NAME_rng_algorithm, hd_stablehlo_rng_bit_generator_rng_algorithm_attr(op)}};
  hd_type types[] = {hd_result_type(op, 0), bits->type};
  hd_builder b = hd_builder_before(op);
  hd_op *call = hd_build_op(&b, HD_OP_stablehlo_custom_call, operands, 2, types, 2, attrs, 2, 0);
  hd_value *results[] = {hd_result(call, 0), hd_result(call, 1)};
  hd_op_replace(op, results);
  return true;
}

/* Sizes of results follow from operands where the row says how. Collectives that join or spread parts multiply or
 * divide a size by that of their groups, which is no number of a form: it is the same in the whole family. */
static bool sizes_follow(const hd_op *op) {
  return hd_opcode_infers(op->info->opcode) || hd_op_has_any_trait(op, HD_TRAIT(ELEMENTWISE) | HD_TRAIT(SAME_TYPE));
}

static bool results_vary(hd_op *op) {
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_type type = hd_result_type(op, i);
    for (uint32_t d = 0; type->kind == HD_TYPE_TENSOR && d < hd_type_rank(type); ++d)
      if (hd_type_dim(type, d) == HD_DYNAMIC) return true;
  }
  return false;
}

static bool rewrite_op(hd_rewriter *w, hd_op *op) {
  hd_opcode dynamic = hd_opcode_dynamic_form(hd_opcode_get(op));
  if (dynamic) return rewrite_to_dynamic(w, op, dynamic);
  if (hd_op_is(op, HD_OP_stablehlo_constant)) return hd_rewrite_constant(w, op);
  if (hd_op_is(op, HD_OP_stablehlo_dynamic_slice)) return rewrite_dynamic_slice(w, op);
  if (hd_op_is(op, HD_OP_stablehlo_rng_bit_generator)) return rewrite_random(w, op);
  if (hd_op_is(op, HD_OP_stablehlo_reduce_window)) return true; /* later, when its computation is done */
  bool flows = hd_op_has_any_trait(op, HD_TRAIT(WHILE) | HD_TRAIT(BRANCHES) | HD_TRAIT(TERMINATOR));
  if (flows || sizes_follow(op) || !results_vary(op)) return true;
  return hd_rewriter_fail(w, op, "has no form for unknown sizes");
}

static void loosen_type(hd_rewriter *w, hd_value *value) {
  if (value->type->kind != HD_TYPE_TENSOR) return;
  uint32_t rank = hd_type_rank(value->type);
  size_t start = hd_form_start(&w->places->values, value);
  int64_t *dims = hd_new_array(w->arena, int64_t, rank);
  for (uint32_t d = 0; d < rank; ++d)
    dims[d] = hd_rewriter_varies(w, start + d) ? HD_DYNAMIC : hd_type_dim(value->type, d);
  value->type = hd_type_with_dims(value->type, dims, rank);
}

static void build_symbols(hd_rewriter *w, hd_block *block) {
  w->symbols = hd_new_array(w->arena, hd_value *, HD_MAX_SHAPE_SYMBOLS);
  hd_value **sizes = hd_new_array(w->arena, hd_value *, w->rule->symbol_count);
  size_t number = 0;
  for (uint32_t i = 0; i < block->arg_count; ++i) {
    hd_type type = block->args[i]->type;
    for (uint32_t d = 0; type->kind == HD_TYPE_TENSOR && d < hd_type_rank(type); ++d, ++number) {
      const hd_number_rule *n = &w->rule->numbers[number];
      if (n->kind == HD_NUMBER_CONSTANT) continue;
      uint32_t symbol = n->expr.factors[0];
      hd_value *size = hd_rewriter_size_of(w, block->args[i], d);
      if (sizes[symbol])
        hd_rewriter_assert_equal(w, sizes[symbol], size);
      else
        sizes[symbol] = size;
    }
  }
  for (size_t s = 0; s < w->rule->symbol_count; ++s)
    w->symbols[s] = hd_stablehlo_convert(&w->entry, hd_rewriter_scalar(w), sizes[s]);
}

static bool rewrite(hd_rewriter *w, hd_op *func) {
  hd_block *block = hd_op_region(func, 0)->first;
  hd_op_list ops = hd_ops_where(func, NULL, w->arena);
  hd_vec(hd_op *) windows = {0};
  for (size_t i = 1; i < ops.len; ++i) {
    hd_op *op = ops.data[i];
    for (uint32_t k = 0; k < op->result_count; ++k) loosen_type(w, hd_result(op, k));
    for (uint32_t r = 0; r < op->region_count; ++r)
      hd_for_each_block(inner, hd_op_region(op, r))
        for (uint32_t k = 0; k < inner->arg_count; ++k) loosen_type(w, inner->args[k]);
  }
  for (uint32_t k = 0; k < block->arg_count; ++k) loosen_type(w, block->args[k]);
  w->entry = block->first ? hd_builder_before(block->first) : hd_builder_at_end(w->module, block);
  /* The arithmetic keeps its place before what was the first op, whatever becomes of that one. */
  hd_value *anchor = constant_i64(w, &w->entry, 0);
  w->entry.before = hd_value_op(anchor);
  w->entry.loc = func->loc;
  build_symbols(w, block);
  w->func = func;
  w->lifted = hd_new_array(w->arena, hd_value *, w->rule->constant_count);
  for (size_t i = 1; i < ops.len; ++i) {
    if (hd_op_is(ops.data[i], HD_OP_stablehlo_reduce_window)) hd_vec_push(w->arena, &windows, ops.data[i]);
    if (!rewrite_op(w, ops.data[i])) return false;
  }
  while (windows.len) { /* inner ones first */
    hd_op *op = hd_vec_pop(&windows);
    if (!hd_rewrite_window(w, op)) return false;
  }
  hd_op *ret = block->last;
  hd_type *ins = hd_new_array(w->arena, hd_type, block->arg_count),
          *outs = hd_new_array(w->arena, hd_type, ret->operand_count);
  for (uint32_t i = 0; i < block->arg_count; ++i) ins[i] = block->args[i]->type;
  for (uint32_t i = 0; i < ret->operand_count; ++i) outs[i] = hd_operand_type(ret, i);
  hd_op_erase(hd_value_op(anchor));
  hd_function_like_set_function_type(
      func, hd_attr_type(hd_type_function(w->module->context, ins, block->arg_count, outs, ret->operand_count)));
  return true;
}

hd_status hd_shape_rewrite(hd_module *module, hd_op *func, hd_shape_samples *samples, const hd_form_places *places,
                           hd_arena *arena, hd_shape_rule *rule) {
  hd_rewriter w = {.samples = samples, .rule = rule, .places = places, .module = module, .arena = arena};
  if (rewrite(&w, func)) return HD_STATUS_OK;
  return hd_make_status(HD_FAILED_PRECONDITION, "'%s' %s", w.failed_at->name->text, w.reason);
}
