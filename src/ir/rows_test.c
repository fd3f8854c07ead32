/* SPDX-License-Identifier: Apache-2.0 */
/* All rows are well formed: signatures parse, constraints and defaults are known, type rules name items of their row,
 * and every graph-level op has its buffer twin. */
#include <stdlib.h>
#include <string.h>

#include "ir/constraints.h"
#include "ir/custom_calls.h"
#include "ir/infer.h"
#include "ir/testing.h"
#include "runtime/libraries/lapack.h"

static bool complain(const char *op, const char *what, hd_str text) {
  fprintf(stderr, "%s: %s '%.*s'\n", op, what, (int)text.len, text.data);
  return false;
}

static bool names_item(const hd_signature *signature, hd_str name) {
  const hd_signature_list *lists[] = {&signature->args, &signature->results, &signature->attrs};
  for (size_t l = 0; l < 3; ++l)
    for (size_t i = 0; i < lists[l]->count; ++i)
      if (hd_str_equal(hd_ident_str(lists[l]->items[i].name), name)) return true;
  return false;
}

/* "x", "element(x)", or a type. */
static bool rule_is_known(hd_context *c, const hd_signature *signature, hd_str rule) {
  static const char *const words[] = {"element", "bool", "index", "complex", "flagged", "types", "ins", "outs"};
  const char *open = memchr(rule.data, '(', rule.len);
  if (!open) return names_item(signature, rule) || rule.data[0] == '!' || hd_constraint_type(c, rule);
  hd_str word = {rule.data, (size_t)(open - rule.data)};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (hd_str_is(word, words[i])) return names_item(signature, (hd_str){open + 1, rule.len - word.len - 2});
  return false;
}

/* Attributes as defaults are written: a case of the enum, an integer with its type, a bool, "", [] or {}. */
static bool default_is_valid(hd_str constraint, hd_str text) {
  char buffer[128];
  if (text.len >= sizeof buffer) return false;
  memcpy(buffer, text.data, text.len);
  buffer[text.len] = 0;
  char *colon = strstr(buffer, " : ");
  if (hd_str_is(constraint, "bool") || hd_str_is(constraint, "unit|bool"))
    return !strcmp(buffer, "true") || !strcmp(buffer, "false");
  if (hd_str_is(constraint, "string")) return buffer[0] == '"';
  if (hd_str_is(constraint, "array")) return buffer[0] == '[';
  if (hd_str_is(constraint, "dict")) return buffer[0] == '{';
  if (hd_str_is(constraint, "float")) return colon && (!strcmp(colon + 3, "f64") || !strcmp(colon + 3, "f32"));
  if (hd_str_is(constraint, "flags")) return colon && !strcmp(colon + 3, "i32");
  if (hd_str_is(constraint, "i32") || hd_str_is(constraint, "i64") || hd_str_is(constraint, "index"))
    return colon && hd_str_is(constraint, colon + 3);
  char dialect[32], name[64], which[64];
  int row = -1;
  if (sscanf(buffer, "#%31[a-z].%63[a-z_0-9]<%63[^>]>", dialect, name, which) == 3 ||
      sscanf(buffer, "#%31[a-z]<%63[a-z_0-9] %63[^>]>", dialect, name, which) == 3) {
    row = hd_attr_row_find(hd_str_of(dialect), hd_str_of(name));
    int64_t value;
    return row >= 0 && hd_attr_row_info_of(row)->is_enum && hd_enum_case_value(row, hd_str_of(which), &value);
  }
  const char *dot = memchr(constraint.data, '.', constraint.len);
  if (!dot || !colon) return false;
  /* An enum that is kept as an integer. */
  size_t left = (size_t)(dot - constraint.data);
  row = hd_attr_row_find((hd_str){constraint.data, left}, (hd_str){dot + 1, constraint.len - left - 1});
  return row >= 0 && hd_enum_case_name(row, strtoll(buffer, NULL, 10)).len &&
         !strncmp(hd_attr_row_info_of(row)->format, "int", 3);
}

static bool check_row(hd_context *c, hd_opcode opcode) {
  const hd_op_info *info = hd_op_info_of(opcode);
  const hd_signature *signature = hd_signature_of(c, opcode);
  bool ok = true;
  const hd_signature_list *values[] = {&signature->args, &signature->results};
  for (size_t l = 0; l < 2; ++l)
    for (size_t i = 0; i < values[l]->count; ++i) {
      const hd_signature_item *item = &values[l]->items[i];
      if (!hd_type_constraint_is_known(item->constraint))
        ok = complain(info->name, "unknown constraint", item->constraint);
      if (item->default_text.len && !rule_is_known(c, signature, item->default_text))
        ok = complain(info->name, "unknown type rule", item->default_text);
    }
  for (size_t i = 0; i < signature->attrs.count; ++i) {
    const hd_signature_item *item = &signature->attrs.items[i];
    if (!hd_attr_constraint_is_known(item->constraint))
      ok = complain(info->name, "unknown attribute constraint", item->constraint);
    if (item->default_text.len && item->arity != HD_OPTIONAL)
      ok = complain(info->name, "default without '?'", hd_ident_str(item->name));
    if (item->default_text.len && !default_is_valid(item->constraint, item->default_text))
      ok = complain(info->name, "invalid default", item->default_text);
  }
  bool segmented = (info->traits & (HD_TRAIT(SEGMENTED_OPERANDS) | HD_TRAIT(SAME_VARIADIC_SIZE))) != 0;
  if (signature->args.variable > 1 && !segmented && !info->derived_from)
    ok = complain(info->name, "several variadic operands without segments", hd_str_of(info->args));
  if (!*info->doc) ok = complain(info->name, "no documentation", HD_STR(""));
  uint64_t effects = HD_TRAIT(READS) | HD_TRAIT(WRITES) | HD_TRAIT(ALLOCATES) | HD_TRAIT(FREES) | HD_TRAIT(SIDE_EFFECT);
  if ((info->traits & HD_TRAIT(PURE)) && (info->traits & effects))
    ok = complain(info->name, "pure with effects", HD_STR(""));
  return ok;
}

/* Rows whose evaluator checks by itself what a verifier would: the reason is beside each. */
static const char *const checked_as_run[][2] = {
    {"shape.", "makes sizes and shapes of the result's own type, from operands of any"},
    {"shape.assuming", "what the region gives is compared with the result types"},
    {"affine.for", "inits, arguments and what the region gives are compared as it runs"},
    {"affine.if", "operands are compared with index, what the region gives with the result types"},
    {"affine.load", "the map and the element type are compared with the memref"},
    {"affine.vector_load", "the map and the element type are compared with the memref"},
    {"affine.parallel", "the region gives scalars, which are compared with the result types"},
    {"gpu.launch", "arguments of the region are made by their types"},
    {"gpu.all_reduce", "is run by the team, which compares types with the region's"},
    {"arith.addui_extended", "the lanes of the overflow bits are compared"},
    {"complex.constant", "is made by its type, from two floats"},
    {"complex.create", "classes and lanes of the operands are compared"},
    {"stablehlo.einsum", "labels are compared with ranks and sizes"},
    {"stablehlo.unary_einsum", "labels are compared with ranks and sizes"},
    {"stablehlo.custom_call", "each known target compares what it takes and gives"},
    {"stablehlo.async_start", "what the region gives is compared with the future's types"},
    {"stablehlo.async_done", "the future's values are compared with the result types"},
    {"mhlo.bitcast", "the bits of source and result are compared"},
    {"mhlo.add_dependency", "gives its operand, which is compared with the result type"},
    {"mhlo.fusion", "what the region gives is compared with the result types"},
    {"complex.bitcast", "the sizes of source and result are compared"},
    {"builtin.unrealized_conversion_cast", "the forms in memory are compared"},
    {"hd.ral_call", "the table of calls says what each takes and gives"},
    {"interpreter.run_parallel", "results are compared with the result types"},
    {"llvm.mlir.zero", "is made by its type"},
    {"llvm.alloca", "what it gives is compared with a pointer"},
    {"llvm.getelementptr", "operand and result are compared with a pointer"},
    {"llvm.inttoptr", "is an integer's, and the result is compared with a pointer"},
    {"llvm.load", "is made by its type, whose bytes must be in the buffer"},
    {"llvm.call", "the name says what the slots hold; others than the runtime's are refused"},
    {"chlo.dynamic_top_k", "results are made from the operand and compared with the result types"},
};

static bool is_checked_as_run(const char *name) {
  for (size_t i = 0; i < sizeof checked_as_run / sizeof *checked_as_run; ++i) {
    const char *row = checked_as_run[i][0];
    size_t length = strlen(row);
    if (row[length - 1] == '.' ? !strncmp(name, row, length) : !strcmp(name, row)) return true;
  }
  return false;
}

/* What the evaluator runs has been verified: a row whose regions or result types do not follow from its operands by a
 * rule of the row has a hook that compares them. */
static bool check_trust(hd_context *c, hd_opcode opcode) {
  const hd_op_info *info = hd_op_info_of(opcode);
  if (!info->hooks.eval || info->hooks.verify || info->hooks.infer) return true;
  const hd_signature *signature = hd_signature_of(c, opcode);
  bool is_free = *info->regions != 0;
  for (size_t i = 0; i < signature->results.count && !(info->traits & HD_TRAIT(SAME_TYPE)); ++i) {
    const hd_signature_item *item = &signature->results.items[i];
    bool named = false; /* by the rule of an operand */
    for (size_t k = 0; k < signature->args.count; ++k)
      named |= hd_str_equal(signature->args.items[k].default_text, hd_ident_str(item->name));
    is_free |= !item->default_text.len && !named && item->constraint.data[0] != '!' &&
               !hd_constraint_type(c, item->constraint);
  }
  return !is_free || is_checked_as_run(info->name) ||
         complain(info->name, "evaluates results or regions that nothing verifies", HD_STR(""));
}

static void test_rows(hd_context *c) {
  for (int i = 1; i < HD_OPCODE_COUNT; ++i) {
    const hd_op_info *info = hd_op_info_of((hd_opcode)i);
    HD_CHECK(info->name && info->opcode == (hd_opcode)i);
    if (!info->name) continue;
    HD_CHECK(hd_opcode_of(c, hd_str_of(info->name)) == (hd_opcode)i);
    HD_CHECK(check_row(c, (hd_opcode)i));
    HD_CHECK(check_trust(c, (hd_opcode)i));
    bool graph = !strncmp(info->name, "stablehlo.", 10) || !strncmp(info->name, "mhlo.", 5);
    HD_CHECK(graph == (hd_opcode_to_lmhlo((hd_opcode)i) != HD_OP_UNREGISTERED));
    if (graph) HD_CHECK(hd_op_info_of(hd_opcode_to_lmhlo((hd_opcode)i))->derived_from == (hd_opcode)i);
  }
}

static void test_attr_rows(void) {
  for (int i = 0; i < HD_ATTR_ROW_COUNT; ++i) {
    const hd_attr_row_info *row = hd_attr_row_info_of(i);
    HD_CHECK(row->dialect && row->name && row->params && row->format);
    HD_CHECK(hd_attr_row_find(hd_str_of(row->dialect), hd_str_of(row->name)) == i);
  }
  for (int i = 0; i < HD_TYPE_ROW_COUNT; ++i) {
    const hd_attr_row_info *row = hd_type_row_info_of(i);
    HD_CHECK(hd_type_row_find(hd_str_of(row->dialect), hd_str_of(row->name)) == i);
  }
}

/* Annotations are known by their rows; every routine of the runtime that a row promises is there. */
static void test_custom_calls(void) {
  int routines = 0;
  for (const hd_custom_call_row *row = hd_custom_call_rows; row->target; ++row) {
    hd_str target = hd_str_of(row->target);
    HD_CHECK(row->doc && row->doc[0] &&
             hd_custom_call_is_annotation(target) == (row->kind == HD_CUSTOM_CALL_ANNOTATION));
    if (row->kind != HD_CUSTOM_CALL_RUNTIME) continue;
    char name[64];
    HD_CHECK(target.len < sizeof name && strchr(row->target, '*'));
    memcpy(name, row->target, target.len + 1);
    char *letter = strchr(name, '*');
    int known = 0, damaged = 0;
    for (const char *each = "sdczx"; *each; ++each) {
      *letter = *each;
      known += hd_lapack_knows(name, target.len);
      char last = name[target.len - 5];
      name[target.len - 5] = '_';
      damaged += hd_lapack_knows(name, target.len);
      name[target.len - 5] = last;
    }
    HD_CHECK(known == 4 || known == 2); /* some routines have a name for real elements, another for complex ones */
    HD_CHECK_INT(damaged, 0);
    ++routines;
  }
  HD_CHECK(routines > 10 && !hd_custom_call_is_annotation(HD_STR("Sharding2")));
}

static hd_status all(void *user) {
  test_custom_calls();
  test_rows(user);
  test_attr_rows();
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
