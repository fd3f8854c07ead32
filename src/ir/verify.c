/* SPDX-License-Identifier: Apache-2.0 */
/* The verifier: structure (use lists, blocks, terminators, dominance), the row's signature (counts, constraints,
 * required attributes), traits, then the row's own hook. It goes on after an error, so one run tells all of them. */
#include <string.h>

#include "ir/constraints.h"
#include "ir/infer.h"
#include "ir/layouts.h"
#include "ir/ops/interfaces.h"
#include "ir/quantized.h"

typedef struct verifier {
  hd_arena scratch;
  hd_map quantized; /* types with quantized elements -> whether they hold */
  bool ok;
  int depth;
} verifier;

enum { MAX_DEPTH = 1000 }; /* of nested regions */

static bool fail(verifier *v) {
  v->ok = false;
  return false;
}

static void check_uses(verifier *v, hd_op *op) {
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_value *value = hd_operand(op, i);
    if (!value || op->operands[i].owner != op || op->operands[i].index != i ||
        *op->operands[i].previous_next != &op->operands[i]) {
      hd_op_error(op, "operand #%u has a broken use list", i);
      fail(v);
    } else if (!hd_value_dominates(value, op, &v->scratch)) {
      hd_op_error(op, "operand #%u does not dominate this use", i);
      fail(v);
    }
  }
}

/* Counts against the signature; with segment sizes, the sizes must be right and add up. */
static bool check_counts(verifier *v, hd_op *op, const hd_signature_list *list, uint32_t total, bool segmented,
                         hd_name segments_name, const char *what) {
  uint32_t fixed = (uint32_t)(list->count - list->variable);
  if (segmented) {
    hd_attr sizes = hd_op_attr_get(op, segments_name);
    if (!sizes || hd_attr_count(sizes) != list->count) {
      hd_op_error(op, "expects '%s' with %zu entries, got %zu", hd_name_text(segments_name), list->count,
                  sizes ? hd_attr_count(sizes) : 0);
      return fail(v);
    }
    int64_t sum = 0;
    for (size_t i = 0; i < list->count; ++i) {
      int64_t n = hd_attr_int_at(sizes, i);
      hd_arity arity = list->items[i].arity;
      if (n < 0 || n > total || (arity == HD_ONE && n != 1) || (arity == HD_OPTIONAL && n > 1)) {
        hd_op_error(op, "expects %s %ss for '%s', got %lld",
                    arity == HD_ONE        ? "one"
                    : arity == HD_OPTIONAL ? "zero or one"
                                           : "some",
                    what, list->items[i].name->text, (long long)n);
        return fail(v);
      }
      sum += n;
    }
    if (sum == total) return true;
    hd_op_error(op, "expects %lld %ss by '%s', got %u", (long long)sum, what, hd_name_text(segments_name), total);
    return fail(v);
  }
  if (!list->variable && total != fixed) {
    hd_op_error(op, "expects %u %s%s, got %u", fixed, what, fixed == 1 ? "" : "s", total);
    return fail(v);
  }
  if (list->variable && total < fixed) {
    hd_op_error(op, "expects at least %u %s%s, got %u", fixed, what, fixed == 1 ? "" : "s", total);
    return fail(v);
  }
  bool optional_only = list->variable == 1;
  for (size_t i = 0; i < list->count; ++i) optional_only &= list->items[i].arity != HD_VARIADIC;
  if (list->variable == 1 && optional_only && total > fixed + 1) {
    hd_op_error(op, "expects at most %u %ss, got %u", fixed + 1, what, total);
    return fail(v);
  }
  if (list->variable > 1 && (total - fixed) % list->variable) {
    hd_op_error(op, "expects its %zu variadic groups to have one size, got %u %ss", list->variable, total, what);
    return fail(v);
  }
  return true;
}

static void check_constraints(verifier *v, hd_op *op, const hd_signature *signature) {
  for (size_t item = 0; item < signature->args.count; ++item) {
    uint32_t start, count;
    hd_op_operand_range(op, item, &start, &count);
    for (uint32_t i = start; i < start + count; ++i)
      if (!hd_type_satisfies(signature->args.items[item].constraint, hd_operand_type(op, i))) {
        hd_constraint_error(op, "operand", i, signature->args.items[item].constraint, hd_operand_type(op, i));
        fail(v);
      }
  }
  for (size_t item = 0; item < signature->results.count; ++item) {
    uint32_t start, count;
    hd_op_result_range(op, item, &start, &count);
    for (uint32_t i = start; i < start + count; ++i)
      if (!hd_type_satisfies(signature->results.items[item].constraint, hd_result_type(op, i))) {
        hd_constraint_error(op, "result", i, signature->results.items[item].constraint, hd_result_type(op, i));
        fail(v);
      }
  }
}

/* Types that the row ties to another item. */
static void check_rules(verifier *v, hd_op *op, const hd_signature *signature) {
  for (int results = 0; results < 2; ++results) {
    const hd_signature_list *list = results ? &signature->results : &signature->args;
    for (size_t item = 0; item < list->count; ++item) {
      hd_str rule = list->items[item].default_text;
      if (!rule.len) continue;
      uint32_t start, count;
      if (results)
        hd_op_result_range(op, item, &start, &count);
      else
        hd_op_operand_range(op, item, &start, &count);
      for (uint32_t i = 0; i < count; ++i) {
        hd_type wanted = hd_rule_type(op, rule, i);
        hd_type got = results ? hd_result_type(op, start + i) : hd_operand_type(op, start + i);
        if (!wanted || wanted == got) continue;
        hd_op_type_error(op, wanted, got, "%s #%u must have the type of %.*s", results ? "result" : "operand",
                         start + i, (int)rule.len, rule.data);
        fail(v);
      }
    }
  }
}

/* What passes say by `hd.` attributes has a row: a misspelt one would say nothing, in silence. */
static void check_discardable(verifier *v, hd_op *op, hd_ident name, hd_attr value) {
  if (!hd_str_starts(hd_ident_str(name), "hd.")) return;
  const char *kind = hd_discardable_attr_kind(name->text);
  if (!kind) {
    hd_op_error(op, "has attribute '%s', which has no row in ops/discardable.def", name->text);
    fail(v);
  } else if (!hd_attr_satisfies(hd_str_of(kind), value)) {
    hd_attr_constraint_error(op, name->text, hd_str_of(kind), value);
    fail(v);
  }
}

/* The same of arguments or results of a function. */
static void check_discardable_list(verifier *v, hd_op *op, hd_attr list) {
  for (uint32_t i = 0; hd_attr_is(list, HD_ATTR_ARRAY) && i < list->array.count; ++i) {
    hd_attr dict = list->array.items[i];
    for (uint32_t k = 0; hd_attr_is(dict, HD_ATTR_DICT) && k < dict->dict.count; ++k)
      check_discardable(v, op, dict->dict.items[k].name, dict->dict.items[k].value);
  }
}

static void check_attrs(verifier *v, hd_op *op, const hd_signature *signature) {
  for (uint32_t i = 0; i < op->attr_count; ++i) check_discardable(v, op, op->attrs[i].name, op->attrs[i].value);
  if (hd_op_has_trait(op, HD_TRAIT(FUNCTION_LIKE))) {
    check_discardable_list(v, op, hd_function_like_arg_attrs(op));
    check_discardable_list(v, op, hd_function_like_res_attrs(op));
  }
  for (size_t i = 0; i < signature->attrs.count; ++i) {
    const hd_signature_item *item = &signature->attrs.items[i];
    hd_attr attr = hd_op_attr_get_ident(op, item->name);
    if (!attr && item->arity == HD_ONE) {
      hd_op_error(op, "requires attribute '%s'", item->name->text);
      fail(v);
    } else if (attr && !hd_attr_satisfies(item->constraint, attr)) {
      hd_attr_constraint_error(op, item->name->text, item->constraint, attr);
      fail(v);
    }
  }
}

static void check_regions(verifier *v, hd_op *op, const hd_signature *signature) {
  if (op->info->opcode && !signature->regions.variable && op->region_count != signature->regions.count) {
    hd_op_error(op, "expects %zu region%s, got %u", signature->regions.count, signature->regions.count == 1 ? "" : "s",
                op->region_count);
    fail(v);
  }
  for (uint32_t i = 0; i < op->region_count; ++i) {
    hd_region *region = hd_op_region(op, i);
    if (hd_op_has_trait(op, HD_TRAIT(SINGLE_BLOCK)) && region->first && region->first->next) {
      hd_op_error(op, "expects region #%u to have at most one block, got several", i);
      fail(v);
    }
    hd_for_each_block(block, region) {
      bool needs_terminator = op->info->opcode && !hd_op_has_trait(op, HD_TRAIT(NO_TERMINATOR));
      hd_op *last = block->last;
      if (needs_terminator && (!last || (last->info->opcode && !hd_op_has_trait(last, HD_TRAIT(TERMINATOR))))) {
        hd_op_error(last ? last : op, "expects a terminator at the end of the block in region #%u, got %s", i,
                    last ? last->name->text : "an empty block");
        fail(v);
      }
      hd_for_each_op(inner, block) {
        if (inner != last && hd_op_has_trait(inner, HD_TRAIT(TERMINATOR))) {
          hd_op_error(inner, "must be the last operation in the parent block");
          fail(v);
        }
      }
    }
  }
}

/* Names in a symbol table are there once. */
static void check_symbols(verifier *v, hd_op *op) {
  if (!hd_op_has_trait(op, HD_TRAIT(SYMBOL_TABLE))) return;
  hd_map names = {0};
  for (uint32_t i = 0; i < op->region_count; ++i)
    hd_for_each_block(block, hd_op_region(op, i))
      hd_for_each_op(inner, block) {
        hd_attr name = hd_op_attr_get(inner, HD_NAME_sym_name);
        if (!hd_attr_is(name, HD_ATTR_STRING)) continue;
        bool is_new;
        hd_map_entry *entry = hd_map_insert(&v->scratch, &names, name->string, &is_new);
        if (is_new) {
          entry->value.ptr = inner;
          if (op == op->module->op) hd_map_set(&op->module->arena, &op->module->symbols, name->string, inner);
          continue;
        }
        hd_op *first = entry->value.ptr;
        hd_op_error(inner, "redefinition of symbol named '%s'", name->string->text);
        hd_note(hd_op_context(op), first->loc, "see existing symbol definition here");
        fail(v);
      }
}

/* A type that does not hold is reported where it first appears; all ops with it fail. */
static void check_quantized_type(verifier *v, hd_op *op, hd_type type, const char *what, uint32_t i) {
  bool is_new = false;
  if (!hd_quantized_element(type) && !hd_type_is(type, HD_TYPE_TUPLE)) return;
  hd_map_entry *entry = hd_map_insert(&v->scratch, &v->quantized, type, &is_new);
  if (is_new) {
    hd_strbuf why;
    hd_strbuf_init(&why, &v->scratch);
    entry->value.i64 = hd_quantized_holds(type, &why);
    if (!entry->value.i64)
      hd_op_misfit_error(op, type, NULL, "%s #%u: a quantized type %s", what, i, hd_strbuf_text(&why));
  }
  if (!entry->value.i64) fail(v);
}

/* Every quantized type that |op| brings in: of its results, of its regions' arguments, of a function's signature. */
static void check_quantized(verifier *v, hd_op *op) {
  for (uint32_t i = 0; i < op->result_count; ++i) check_quantized_type(v, op, hd_result_type(op, i), "result", i);
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region(op, r))
      for (uint32_t i = 0; i < block->arg_count; ++i)
        check_quantized_type(v, op, block->args[i]->type, "block argument", i);
  hd_attr type = hd_function_like_function_type_if_any(op);
  if (!hd_attr_is(type, HD_ATTR_TYPE) || !hd_type_is(type->type_value, HD_TYPE_FUNCTION)) return;
  for (uint32_t i = 0; i < type->type_value->function.in_count; ++i)
    check_quantized_type(v, op, type->type_value->function.ins[i], "argument", i);
  for (uint32_t i = 0; i < type->type_value->function.out_count; ++i)
    check_quantized_type(v, op, type->type_value->function.outs[i], "result", i);
}

bool hd_verify_ending(hd_op *op, uint32_t r, const hd_op *last, hd_opcode ending) {
  return hd_op_is(last, ending) || hd_op_error(op, "expects region #%u to end with '%s', got %s", r,
                                               hd_op_info_of(ending)->name, last ? last->name->text : "no terminator");
}

static void check_successors(verifier *v, hd_op *op) {
  for (uint32_t i = 0; i < op->successor_count; ++i)
    if (!op->block || op->successors[i]->region != op->block->region) {
      hd_op_error(op, "successor #%u is not in the region of the op", i);
      fail(v);
    }
}

/* Values of an isolated op's regions come from inside it. */
static void check_isolation(verifier *v, hd_op *op) {
  hd_op *isolated = hd_op_parent(op);
  while (isolated && !hd_op_has_trait(isolated, HD_TRAIT(ISOLATED))) isolated = hd_op_parent(isolated);
  for (uint32_t i = 0; isolated && i < op->operand_count; ++i) {
    hd_op *parent = hd_block_parent_op(hd_value_block(hd_operand(op, i)));
    if (parent && hd_op_is_ancestor(isolated, parent)) continue;
    hd_op_error(op, "operand #%u uses a value defined outside of the isolated '%s'", i, isolated->name->text);
    fail(v);
  }
}

static bool dims_compatible(hd_type a, hd_type b) {
  if (!hd_type_has_rank(a) || !hd_type_has_rank(b)) return true;
  if (a->shaped.rank != b->shaped.rank) return false;
  for (uint32_t i = 0; i < a->shaped.rank; ++i)
    if (a->shaped.dims[i] != b->shaped.dims[i] && a->shaped.dims[i] != HD_DYNAMIC && b->shaped.dims[i] != HD_DYNAMIC)
      return false;
  return true;
}

static hd_type type_at(hd_op *op, uint32_t i) {
  return i < op->operand_count ? hd_operand_type(op, i) : hd_result_type(op, i - op->operand_count);
}

static void check_traits(verifier *v, hd_op *op) {
  bool shapes_may_differ = hd_op_broadcasts_implicitly(op);
  uint64_t traits = op->info->traits;
  uint32_t operands = op->operand_count, all = operands + op->result_count;
  struct {
    uint64_t trait;
    bool results, types, elements, shapes;
    const char *text;
  } const rules[] = {
      {HD_TRAIT(SAME_TYPE), true, true, false, false, "requires the same type for all operands and results"},
      {HD_TRAIT(SAME_OPERANDS), false, true, false, false, "requires all operands to have the same type"},
      {HD_TRAIT(SAME_ELEMENT), true, false, true, false, "requires the same element type for all operands and results"},
      {HD_TRAIT(SAME_SHAPE), true, false, false, true, "requires the same shape for all operands and results"},
      {HD_TRAIT(SAME_OPERANDS_SHAPE), false, false, false, true, "requires the same shape for all operands"},
      {HD_TRAIT(COMPATIBLE_TYPE), true, false, true, true, "requires compatible types for all operands and results"},
      {HD_TRAIT(COMPATIBLE_OPERANDS), false, false, true, true, "requires compatible types for all operands"},
  };
  for (size_t r = 0; r < sizeof rules / sizeof *rules; ++r) {
    if (!(traits & rules[r].trait)) continue;
    uint32_t count = rules[r].results ? all : operands;
    for (uint32_t i = 1; i < count; ++i) {
      hd_type a = type_at(op, 0), b = type_at(op, i);
      hd_type ea = hd_type_element(a), eb = hd_type_element(b);
      bool fits = (!rules[r].types || a == b) && (!rules[r].elements || hd_elements_compatible(ea, eb)) &&
                  (!rules[r].shapes || shapes_may_differ ||
                   (hd_type_is_shaped(a) == hd_type_is_shaped(b) && dims_compatible(a, b)));
      if (fits) continue;
      hd_op_type_error(op, rules[r].elements && !rules[r].shapes ? ea : a,
                       rules[r].elements && !rules[r].shapes ? eb : b, "%s", rules[r].text);
      fail(v);
      break;
    }
  }
}

/* A quantized constant is written as the integers that it stores. */
static bool stores(hd_op *op, hd_type written, hd_type result) {
  if (!hd_op_has_trait(op, HD_TRAIT(CONSTANT_LIKE)) || !hd_type_is_shaped(written) || !hd_type_is_shaped(result))
    return false;
  hd_type stored = hd_type_element(written), quantized = hd_type_element(result);
  return quantized->kind == HD_TYPE_QUANT && stored->kind == HD_TYPE_INTEGER &&
         hd_type_is_integer(quantized->quant.storage, stored->integer.width) && dims_compatible(written, result);
}

/* The result types against what the row's hook makes of the operands: compatible, not equal. */
static void check_inferred(verifier *v, hd_op *op) {
  if (!hd_opcode_infers(op->info->opcode) || !op->result_count) return;
  hd_type *types = hd_new_array(&v->scratch, hd_type, op->result_count);
  size_t errors = hd_op_context(op)->error_count;
  if (!hd_op_infer(op, &v->scratch, types)) {
    if (hd_op_context(op)->error_count > errors) fail(v);
    return;
  }
  for (uint32_t i = 0; i < op->result_count; ++i) {
    if (hd_types_compatible(types[i], hd_result_type(op, i)) || stores(op, types[i], hd_result_type(op, i))) continue;
    hd_context *context = hd_op_context(op);
    hd_strbuf expected;
    hd_strbuf_init(&expected, &v->scratch);
    if (context->print_type) context->print_type(&expected, types[i]);
    hd_op_misfit_error(op, hd_result_type(op, i), NULL, "expects result #%u of type %s", i, hd_strbuf_text(&expected));
    fail(v);
  }
}

static void verify_op(verifier *v, hd_op *op) {
  if (++v->depth > MAX_DEPTH) {
    hd_op_error(op, "is nested %u regions deep, expected at most %d", v->depth, MAX_DEPTH);
    --v->depth;
    fail(v);
    return;
  }
  bool before = v->ok;
  v->ok = true;
  check_uses(v, op);
  check_successors(v, op);
  check_quantized(v, op);
  if (!hd_verify_layouts(op)) fail(v);
  if (op->operand_count && op->block) check_isolation(v, op);
  const hd_signature *signature = hd_signature_of(hd_op_context(op), op->info->opcode);
  if (op->info->opcode) {
    bool counts =
        check_counts(v, op, &signature->args, op->operand_count, hd_op_has_trait(op, HD_TRAIT(SEGMENTED_OPERANDS)),
                     HD_NAME_operandSegmentSizes, "operand");
    counts &= check_counts(v, op, &signature->results, op->result_count,
                           hd_op_has_trait(op, HD_TRAIT(SEGMENTED_RESULTS)), HD_NAME_resultSegmentSizes, "result");
    if (counts) check_constraints(v, op, signature);
    if (counts && v->ok) check_rules(v, op, signature);
    check_attrs(v, op, signature);
    if (counts) check_traits(v, op);
  }
  check_regions(v, op, signature);
  check_symbols(v, op);
  bool own = v->ok;
  for (uint32_t i = 0; i < op->region_count; ++i)
    hd_for_each_block(block, hd_op_region(op, i))
      hd_for_each_op(inner, block) verify_op(v, inner);
  /* Hooks may rely on all that was checked so far, the regions included. */
  if (own && v->ok && op->info->hooks.verify && !op->info->hooks.verify(op)) fail(v);
  if (own && v->ok) check_inferred(v, op);
  v->ok &= before;
  --v->depth;
}

bool hd_verify(hd_op *op) {
  verifier v = {.ok = true};
  hd_scratch_init(&v.scratch, &hd_op_context(op)->budget);
  verify_op(&v, op);
  hd_arena_free(&v.scratch);
  return v.ok;
}
