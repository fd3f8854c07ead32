/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that hold computations: reducers, loops, branches, calls, fusions, custom calls. */
#include "hlo/import.h"
#include "text/text.h"

/* The op of its row with the computation of to_apply as its region. */
bool hd_hlo_import_to_apply(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_hlo_computation *body = hd_hlo_find_computation(s, inst, "to_apply");
  hd_op *op = body ? hd_hlo_make_plain(s, inst, 1) : NULL;
  return op && hd_hlo_import_region(s, inst, body, hd_op_region(op, 0));
}

bool hd_hlo_import_while(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_hlo_computation *condition = hd_hlo_find_computation(s, inst, "condition");
  hd_hlo_computation *body = condition ? hd_hlo_find_computation(s, inst, "body") : NULL;
  hd_op *op = body ? hd_hlo_make_plain(s, inst, 2) : NULL;
  return op && hd_hlo_import_region(s, inst, condition, hd_op_region(op, 0)) &&
         hd_hlo_import_region(s, inst, body, hd_op_region(op, 1));
}

typedef hd_vec(hd_hlo_computation *) branch_list;

static bool find_branches(hd_hlo_import *s, const hd_hlo_inst *inst, branch_list *out) {
  hd_str list = hd_hlo_find_attr(inst, "branch_computations");
  if (!list.data) {
    hd_hlo_computation *yes = hd_hlo_find_computation(s, inst, "true_computation");
    hd_hlo_computation *no = yes ? hd_hlo_find_computation(s, inst, "false_computation") : NULL;
    hd_vec_push(&s->r->scratch, out, yes);
    hd_vec_push(&s->r->scratch, out, no);
    return no != NULL;
  }
  hd_hlo_cursor c = hd_hlo_cursor_of(s->r, list);
  if (!hd_hlo_expect(&c, '{')) return false;
  do {
    hd_hlo_computation *branch = hd_hlo_computation_named(s->r, &c);
    if (!branch) return false;
    hd_vec_push(&s->r->scratch, out, branch);
  } while (hd_hlo_accept(&c, ','));
  return hd_hlo_expect(&c, '}') && hd_hlo_at_end(&c, "the branches");
}

/* A branch uses its operand's values directly. */
bool hd_hlo_import_conditional(hd_hlo_import *s, const hd_hlo_inst *inst) {
  branch_list branches = {0};
  hd_hlo_attr_args attrs;
  hd_value **values;
  uint32_t count, next = 1;
  if (!find_branches(s, inst, &branches) || !hd_hlo_check_operands(s, inst, (uint32_t)branches.len + 1) ||
      !hd_hlo_operands(s, inst, &values, &count) || !hd_hlo_read_attrs(s, inst, &attrs))
    return false;
  if (!count || s->values[inst->operands[0]].count != 1 || !hd_type_is_scalar(values[0]->type))
    return hd_hlo_fail(s->r, inst->at, "expected a scalar that chooses a branch, got '%s'",
                       hd_hlo_operand_name(s, inst, 0));
  bool is_if = hd_type_is_integer(hd_type_element(values[0]->type), 1);
  if (is_if && branches.len != 2)
    return hd_hlo_fail(s->r, inst->at, "expected 2 branches for a pred, got %zu", branches.len);
  hd_op *op = hd_hlo_make(s, inst, is_if ? HD_OP_stablehlo_if : HD_OP_stablehlo_case, values, 1, &attrs,
                          (uint32_t)branches.len);
  for (uint32_t i = 0; i < branches.len; ++i) {
    uint32_t leaves = s->values[inst->operands[i + 1]].count;
    if (!hd_hlo_import_branch(s, inst, branches.data[i], hd_op_region(op, i), values + next, leaves)) return false;
    next += leaves;
  }
  return true;
}

bool hd_hlo_import_call(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_hlo_computation *callee = hd_hlo_find_computation(s, inst, "to_apply");
  hd_value **values;
  uint32_t count;
  hd_hlo_attr_args attrs;
  if (!callee || !hd_hlo_operands(s, inst, &values, &count) || !hd_hlo_read_attrs(s, inst, &attrs)) return false;
  hd_op *func = hd_hlo_function_of(s->r, callee);
  hd_attr name = hd_attr_symbol(s->b.context, hd_symbol_name(func), NULL, 0);
  if (hd_str_is(hd_hlo_find_attr(inst, "is_composite"), "true"))
    return hd_hlo_import_composite(s, inst, name, values, count, &attrs);
  if (!hd_hlo_add_attr(s, inst, &attrs, HD_NAME_callee, name)) return false;
  hd_hlo_make(s, inst, HD_OP_func_call, values, count, &attrs, 0);
  return true;
}

bool hd_hlo_import_fusion(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_hlo_computation *body = hd_hlo_find_computation(s, inst, "calls");
  hd_op *op = body ? hd_hlo_make_plain(s, inst, 1) : NULL;
  return op && hd_hlo_import_region(s, inst, body, hd_op_region(op, 0));
}

/* A layout as custom calls state it: the dims from the most minor one on. */
static hd_attr layout_of(hd_context *context, const hd_hlo_shape *shape) {
  int64_t order[HD_MAX_RANK];
  uint32_t rank = hd_type_is_tensor(shape->type) ? hd_type_rank(shape->type) : 0;
  for (uint32_t i = 0; i < rank; ++i) order[i] = shape->minor_to_major ? shape->minor_to_major[i] : rank - 1 - i;
  hd_type type = hd_type_tensor(hd_type_index(context), (int64_t[]){rank}, 1, NULL);
  return hd_attr_dense(type, order, rank * sizeof *order, false);
}

typedef hd_vec(hd_attr) layout_list;

static void add_layouts(hd_hlo_reader *r, const hd_hlo_shape *shape, layout_list *out) {
  if (shape->type) hd_vec_push(&r->scratch, out, layout_of(r->context, shape));
  for (uint32_t i = 0; i < shape->count; ++i) add_layouts(r, &shape->elements[i], out);
}

/* {f32[4,4]{0,1}, f32[]} */
static bool read_layouts(hd_hlo_import *s, hd_str text, layout_list *out) {
  hd_hlo_cursor c = hd_hlo_cursor_of(s->r, text);
  if (!hd_hlo_expect(&c, '{')) return false;
  while (!hd_hlo_next_is(&c, '}')) {
    hd_hlo_shape shape;
    if (!hd_hlo_parse_shape(&c, &shape)) return false;
    add_layouts(s->r, &shape, out);
    if (!hd_hlo_accept(&c, ',')) break;
  }
  return hd_hlo_expect(&c, '}') && hd_hlo_at_end(&c, "the layouts");
}

static bool read_called(hd_hlo_import *s, const hd_hlo_inst *inst, hd_hlo_attr_args *attrs) {
  hd_str text = hd_hlo_find_attr(inst, "called_computations");
  bool one = !text.data;
  if (one) text = hd_hlo_find_attr(inst, "to_apply");
  if (!text.data) return true;
  hd_vec(hd_attr) symbols = {0};
  hd_hlo_cursor c = hd_hlo_cursor_of(s->r, text);
  if (!one && !hd_hlo_expect(&c, '{')) return false;
  while (one ? !symbols.len : !hd_hlo_next_is(&c, '}')) {
    hd_hlo_computation *called = hd_hlo_computation_named(s->r, &c);
    if (!called) return false;
    hd_str name = hd_symbol_name(hd_hlo_function_of(s->r, called));
    hd_vec_push(&s->r->scratch, &symbols, hd_attr_symbol(s->b.context, name, NULL, 0));
    if (!one && !hd_hlo_accept(&c, ',')) break;
  }
  if (!one && !hd_hlo_expect(&c, '}')) return false;
  return hd_hlo_add_attr(s, inst, attrs, HD_NAME_called_computations,
                         hd_attr_array(s->b.context, symbols.data, symbols.len));
}

/* A string is kept as its text; a dictionary of MLIR, which typed calls have, as what it is; other JSON as it is.
 */
static bool read_config(hd_hlo_import *s, const hd_hlo_inst *inst, hd_hlo_attr_args *attrs) {
  hd_str text = hd_hlo_find_attr(inst, "backend_config");
  if (!text.data) return true;
  hd_hlo_cursor c = hd_hlo_cursor_of(s->r, text);
  hd_attr value = NULL;
  if (hd_hlo_next_is(&c, '"')) {
    if (!hd_hlo_string(&c, &text) || !hd_hlo_at_end(&c, "the configuration")) return false;
  } else if (hd_hlo_find_attr(inst, "api_version").len && text.data[0] == '{' &&
             hd_str_is(hd_hlo_find_attr(inst, "api_version"), "API_VERSION_TYPED_FFI")) {
    value = hd_text_parse_attr(s->b.context, "<attribute>", text);
    if (!hd_attr_is(value, HD_ATTR_DICT))
      return hd_hlo_fail(s->r, text.data, "expected a dictionary of attributes, got '%.*s'", (int)text.len, text.data);
  }
  return hd_hlo_add_attr(s, inst, attrs, HD_NAME_backend_config, value ? value : hd_attr_string(s->b.context, text));
}

/* The direction of the comparison that |computation| gives, "" when it is none. */
static hd_str direction_of(const hd_hlo_computation *computation) {
  const hd_hlo_inst *root = &computation->insts.data[computation->root];
  return hd_str_is(root->opcode, "compare") ? hd_hlo_find_attr(root, "direction") : HD_STR("");
}

/* XLA's "TopK" is topk: the elements that its comparator puts first, as many as the result has in its last dim. */
static bool import_top_k(hd_hlo_import *s, const hd_hlo_inst *inst, hd_value *const *values, uint32_t count) {
  hd_hlo_attr_args attrs = {.len = 0};
  hd_hlo_cursor c = hd_hlo_cursor_of(s->r, hd_hlo_find_attr(inst, "called_computations"));
  hd_type first = !inst->shape.type && inst->shape.count ? inst->shape.elements[0].type : NULL;
  if (!c.at || !hd_hlo_expect(&c, '{') || count != 1 || !first || !hd_type_is_tensor(first) || !hd_type_rank(first))
    return hd_hlo_fail(s->r, inst->at,
                       "expected an array, a tuple of its first elements and a comparator of 'TopK', got %u arrays%s",
                       count, c.at ? "" : " and no comparator");
  hd_hlo_computation *comparator = hd_hlo_computation_named(s->r, &c);
  if (!comparator) return false;
  hd_str direction = direction_of(comparator);
  if (!hd_str_is(direction, "GT") && !hd_str_is(direction, "LT"))
    return hd_hlo_fail(s->r, inst->at, "expected a comparator of 'TopK' that compares by GT or LT, got '%.*s'",
                       (int)direction.len, direction.data);
  hd_context *context = s->b.context;
  int64_t k = hd_type_dim(first, hd_type_rank(first) - 1);
  if (!hd_hlo_add_attr(s, inst, &attrs, HD_NAME_k, hd_attr_i64(context, k)) ||
      !hd_hlo_add_attr(s, inst, &attrs, HD_NAME_largest, hd_attr_bool(context, hd_str_is(direction, "GT"))))
    return false;
  hd_hlo_make(s, inst, HD_OP_mhlo_topk, values, count, &attrs, 0);
  return true;
}

bool hd_hlo_import_custom_call(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_value **values;
  uint32_t count;
  hd_hlo_attr_args attrs;
  layout_list ins = {0}, outs = {0};
  if (!hd_hlo_operands(s, inst, &values, &count)) return false;
  if (hd_str_is(hd_hlo_find_attr(inst, "custom_call_target"), "\"TopK\"")) return import_top_k(s, inst, values, count);
  if (!hd_hlo_read_attrs(s, inst, &attrs) || !read_config(s, inst, &attrs) || !read_called(s, inst, &attrs))
    return false;
  hd_str constraints = hd_hlo_find_attr(inst, "operand_layout_constraints");
  if (constraints.data) {
    if (!read_layouts(s, constraints, &ins)) return false;
    add_layouts(s->r, &inst->shape, &outs);
    if (!hd_hlo_add_attr(s, inst, &attrs, HD_NAME_operand_layouts, hd_attr_array(s->b.context, ins.data, ins.len)) ||
        !hd_hlo_add_attr(s, inst, &attrs, HD_NAME_result_layouts, hd_attr_array(s->b.context, outs.data, outs.len)))
      return false;
  }
  hd_hlo_make(s, inst, HD_OP_stablehlo_custom_call, values, count, &attrs, 0);
  return true;
}
