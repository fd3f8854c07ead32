/* SPDX-License-Identifier: Apache-2.0 */
/* shape-legalize-to-stablehlo: shapes that are values of the shape, tensor and arith dialects become tensors of i64,
 * which the shape analysis follows.
 *
 *   %s = shape.shape_of %x : tensor<?x8xf32> -> tensor<2xindex>   ->   sizes of %x, converted and joined
 *   %n = tensor.extract %s[%c0] : tensor<2xindex>                 ->   a slice: a number is a tensor<1xi64>
 *   %t = tensor.from_elements %n, %m : tensor<2xindex>            ->   a concatenate
 *   shape.broadcast %s, %t                                        ->   per dim: of a 1 and another the other
 *   shape.reduce(%s, %init) ...                                   ->   its region, once for each dim
 *   shape.cstr_eq %s, %t                                          ->   custom_call @shape_assertion
 *   %r = shape.assuming %w -> (...) { ... }                       ->   its ops, where it stood
 *
 * A witness of shape.cstr_broadcastable under which a region runs asserts nothing: the broadcasts in it demand the same
 * of their operands' dims before a run. Left as they are: numbers that an op of another kind reads, shapes whose rank
 * is not known, and what has no meaning at compile time (shape.debug_print). Functions without such shapes are not
 * touched. */
#include "ir/ops/interfaces.h"
#include "passes/graph/hlo_build.h"
#include "passes/graph/shape/shape_values.h"
#include "passes/passes.h"

typedef struct legalizer {
  hd_pass *pass;
  hd_shape_values values;
  hd_vec(hd_op *) ops;
  bool shapes; /* whether there are any */
} legalizer;

static bool is_assuming(hd_op *op) { return hd_op_is(op, HD_OP_shape_assuming); }
static bool is_assert(hd_op *op) { return hd_op_is(op, HD_OP_cf_assert); }

static bool is_reduced(hd_op *op) {
  for (hd_op *parent = hd_op_parent(op); parent; parent = hd_op_parent(parent))
    if (hd_op_is(parent, HD_OP_shape_reduce)) return true;
  return false;
}

static bool collect(hd_op *op, void *user) {
  legalizer *l = user;
  if (hd_op_is(op, HD_OP_gpu_module)) return false;
  bool whole = is_assuming(op) || is_assert(op) || hd_op_is(op, HD_OP_shape_reduce);
  if ((whole || (op->result_count && !op->region_count)) && !is_reduced(op)) hd_vec_push(&l->pass->arena, &l->ops, op);
  hd_str name = hd_str_of(op->info->name ? op->info->name : "");
  l->shapes |= hd_str_starts(name, "shape.") || hd_str_starts(name, "tensor.");
  return true;
}

/* The ops of an assuming stand in its place, after an assertion where its witness is not known to hold. */
static bool inline_assuming(legalizer *l, hd_op *op) {
  hd_block *body = hd_op_region(op, 0)->first;
  hd_op *yield = hd_block_terminator(body);
  hd_value *holds = hd_shape_standing(&l->values, hd_operand(op, 0));
  hd_builder b = hd_builder_before(op);
  if (!holds) return false;
  if (holds != &l->values.always) hd_shape_assert(&b, holds, HD_STR("a witness does not hold"));
  for (uint32_t i = 0; i < op->result_count; ++i) hd_value_replace_uses(hd_result(op, i), hd_operand(yield, i));
  hd_op_erase(yield);
  hd_block_splice(body, op->block, op);
  hd_op_erase(op);
  return true;
}

static bool assert_known(legalizer *l, hd_op *op) {
  hd_value *holds = hd_shape_standing(&l->values, hd_operand(op, 0));
  hd_builder b = hd_builder_before(op);
  if (!holds) return false;
  hd_shape_assert(&b, holds, hd_with_message_msg(op));
  hd_op_erase(op);
  return true;
}

/* Ops of the graph take shapes of any integer type, as long as all of theirs become i64 together. */
static bool reads_integers(legalizer *l, hd_op *op) {
  hd_str name = hd_str_of(op->info->name ? op->info->name : "");
  if (!hd_str_starts(name, "stablehlo.") && !hd_str_starts(name, "mhlo.") && !hd_str_starts(name, "chlo."))
    return false;
  if (hd_op_has_trait(op, HD_TRAIT(TERMINATOR)) || op->region_count) return false;
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (hd_type_is(hd_type_element(hd_result_type(op, i)), HD_TYPE_INDEX)) return false;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_value *operand = hd_operand(op, i);
    if (hd_type_is_shaped(operand->type) && hd_type_is(hd_type_element(operand->type), HD_TYPE_INDEX) &&
        !hd_shape_standing(&l->values, operand))
      return false;
  }
  return true;
}

/* |value|, which stands for |result|, as a tensor. */
static hd_value *as_tensor(legalizer *l, hd_builder *b, hd_value *value) {
  return value == &l->values.no_sizes ? hd_hlo_shape(b, NULL, 0) : value;
}

/* What reads |result| of |op| reads |value|: shapes as they are in ops of the graph, else of the type that |result|
 * has. A number is read only by what became an op on tensors itself. */
static bool redirect(legalizer *l, hd_op *op, hd_value *result, hd_value *value) {
  if (!hd_type_is(result->type, HD_TYPE_TENSOR)) return false;
  hd_builder b = hd_builder_before(op);
  hd_value *tensor = NULL, *declared = NULL;
  for (hd_use *use = result->first_use, *next; use; use = next) {
    next = use->next;
    bool any = reads_integers(l, use->owner);
    if (!tensor) tensor = as_tensor(l, &b, value);
    if (!any && !declared) {
      hd_type type = hd_type_is_static(result->type) ? result->type
                                                     : hd_type_with_dims(result->type, tensor->type->shaped.dims, 1);
      declared = hd_hlo_retype(&b, hd_hlo_convert(&b, tensor, hd_type_element(type)), result->type);
    }
    hd_op_set_operand(use->owner, use->index, any ? tensor : declared);
  }
  return tensor != NULL;
}

static bool replace(legalizer *l, hd_op *op) {
  bool known = true, used = false, changed = false;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_value *result = hd_result(op, i), *value = hd_map_get(&l->values.known, result);
    if (value && value != &l->values.always && hd_value_has_uses(result)) changed |= redirect(l, op, result, value);
    known &= value != NULL;
    used |= hd_value_has_uses(result);
  }
  if (used || !(known || hd_op_is_trivially_dead(op))) return changed;
  hd_op_erase(op);
  return true;
}

bool hd_pass_shape_legalize_to_stablehlo(hd_pass *pass, hd_op *func) {
  legalizer l = {.pass = pass, .values.arena = &pass->arena};
  hd_walk_pre(func, collect, &l);
  if (!l.shapes) return true;
  for (size_t i = 0; i < l.ops.len; ++i) {
    hd_op *op = l.ops.data[i];
    if (is_assuming(op) || is_assert(op)) continue;
    hd_builder b = hd_builder_before(op);
    b.loc = op->loc;
    hd_op *before = op->prev;
    /* What is not known to the end may have been begun. */
    pass->changed |= hd_shape_legalize(&l.values, &b, op) || op->prev != before;
  }
  for (size_t i = l.ops.len; i-- > 0;) {
    hd_op *op = l.ops.data[i];
    pass->changed |= is_assuming(op) ? inline_assuming(&l, op) : is_assert(op) ? assert_known(&l, op) : replace(&l, op);
  }
  return true;
}
