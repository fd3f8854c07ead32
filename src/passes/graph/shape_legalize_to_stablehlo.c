/* SPDX-License-Identifier: Apache-2.0 */
/* shape-legalize-to-stablehlo: shapes that are values of the shape, tensor and arith dialects become tensors of i64,
 * which the shape analysis follows.
 *
 *   %s = shape.shape_of %x : tensor<?x8xf32> -> tensor<2xindex>   ->   sizes of %x, converted and joined
 *   %n = tensor.extract %s[%c0] : tensor<2xindex>                 ->   a slice: a number is a tensor<1xi64>
 *   %t = tensor.from_elements %n, %m : tensor<2xindex>            ->   a concatenate
 *   shape.broadcast %s, %t                                        ->   per dim: of a 1 and another the other
 *   %r = shape.assuming %w -> (...) { ... }                       ->   its ops, where it stood
 *
 * A witness of shape.cstr_broadcastable is dropped: the broadcasts under it demand the same of their operands' dims
 * before a run. Left as they are: other witnesses, and numbers that an op of another kind reads. Functions without such
 * shapes are not touched. */
#include "ir/builder.h"
#include "ir/number.h"
#include "passes/graph/hlo_build.h"
#include "passes/passes.h"

typedef struct legalizer {
  hd_pass *pass;
  hd_map known; /* hd_value -> hd_value that says the same: tensor<1xT> of a scalar, tensor<Nxi64> of a shape */
  hd_vec(hd_op *) ops;
  bool shapes; /* whether there are any */
} legalizer;

/* Stands for the shape of a scalar, which has no sizes. */
static hd_value no_sizes;

static bool is_assuming(hd_op *op) { return hd_op_is(op, HD_OP_shape_assuming); }

/* The element type in which numbers of |type| are kept. */
static hd_type kept(hd_context *context, hd_type type) {
  hd_type element = hd_type_is_shaped(type) ? hd_type_element(type) : type;
  if (hd_type_is(element, HD_TYPE_INDEX) || hd_type_is(element, HD_TYPE_DIALECT))
    return hd_type_integer(context, 64, HD_SIGNLESS);
  return hd_type_is(element, HD_TYPE_INTEGER) ? element : NULL;
}

/* What stands for |value|: tensors of integers stand for themselves. Null: nothing does. */
static hd_value *standing(legalizer *l, hd_value *value) {
  hd_value *known = hd_map_get(&l->known, value);
  if (known) return known;
  bool integers = hd_type_is(value->type, HD_TYPE_TENSOR) && hd_type_is(hd_type_element(value->type), HD_TYPE_INTEGER);
  return integers ? value : NULL;
}

static hd_value *constant(hd_builder *b, hd_type element, const int64_t *dims, uint32_t rank, hd_attr numbers) {
  size_t count = 1;
  for (uint32_t i = 0; i < rank; ++i) count *= (size_t)dims[i];
  uint32_t bytes = hd_type_element_bytes(element);
  char *data = hd_arena_alloc(&b->module->arena, count * bytes + 1);
  for (size_t i = 0; i < count; ++i) hd_element_store(element, data + i * bytes, hd_attr_int_at(numbers, i));
  return hd_build_hlo_constant(b, hd_attr_dense(hd_type_tensor(element, dims, rank, NULL), data, count * bytes, false));
}

/* tensor<1xelement> of |value|. */
static hd_value *number(hd_builder *b, hd_type element, int64_t value) {
  char bytes[16] = {0};
  hd_element_store(element, bytes, value);
  hd_type type = hd_type_tensor(element, &(int64_t){1}, 1, NULL);
  return hd_build_hlo_constant(b, hd_attr_dense(type, bytes, hd_type_element_bytes(element), true));
}

static hd_value *size_of(hd_builder *b, hd_value *x, uint32_t i) {
  return hd_hlo_convert(b, hd_hlo_size_of(b, x, i), hd_type_integer(b->context, 64, HD_SIGNLESS));
}

static hd_value *joined(hd_builder *b, hd_value *const *parts, uint32_t count) {
  return count == 1 ? parts[0] : hd_hlo_concatenate(b, parts, count, 0);
}

static hd_value *appended(hd_builder *b, hd_value *x, hd_value *y) {
  if (x == &no_sizes || y == &no_sizes) return x == &no_sizes ? y : x;
  return hd_hlo_concatenate(b, (hd_value *[]){x, y}, 2, 0);
}

/* Sizes [from, to) of |shape|. */
static hd_value *part(hd_builder *b, hd_value *shape, int64_t from, int64_t to) {
  return from == to ? &no_sizes : hd_hlo_slice(b, shape, 0, from, to);
}

/* The number that |shape| has at |at|, a constant. Null when it is none, or out of bounds. */
static hd_value *element_of(hd_builder *b, hd_value *shape, hd_value *at) {
  int64_t i;
  if (!shape || shape == &no_sizes || hd_type_rank(shape->type) != 1 || !hd_type_is_static(shape->type) ||
      !hd_value_constant_int(at, &i))
    return NULL;
  return i < 0 || i >= hd_type_dim(shape->type, 0) ? NULL : hd_hlo_slice(b, shape, 0, i, i + 1);
}

static hd_value *shape_of(hd_builder *b, hd_value *x) {
  uint32_t rank = hd_type_rank(x->type);
  if (!rank) return &no_sizes;
  hd_value **sizes = hd_new_array(&b->module->arena, hd_value *, rank);
  for (uint32_t i = 0; i < rank; ++i) sizes[i] = size_of(b, x, i);
  return joined(b, sizes, rank);
}

/* Where a shape is of one scalar the other's is what both broadcast to; dims are those counted from the last. */
static hd_value *broadcast(hd_builder *b, hd_value *x, hd_value *y) {
  if (x == &no_sizes || y == &no_sizes) return x == &no_sizes ? y : x;
  if (hd_type_dim(x->type, 0) < hd_type_dim(y->type, 0)) {
    hd_value *longer = y;
    y = x;
    x = longer;
  }
  int64_t rank = hd_type_dim(x->type, 0), skip = rank - hd_type_dim(y->type, 0);
  hd_value *tail = skip ? hd_hlo_slice(b, x, 0, skip, rank) : x;
  hd_value *one = hd_hlo_compare(b, "EQ", tail, hd_hlo_int_like(b, tail, 1));
  hd_value *common = hd_build(b, HD_OP_stablehlo_select, tail->type, one, y, tail);
  return skip ? hd_hlo_concatenate(b, (hd_value *[]){hd_hlo_slice(b, x, 0, 0, skip), common}, 2, 0) : common;
}

static const struct {
  hd_opcode from, to;
} arithmetic[] = {
    {HD_OP_arith_addi, HD_OP_stablehlo_add},        {HD_OP_arith_subi, HD_OP_stablehlo_subtract},
    {HD_OP_arith_muli, HD_OP_stablehlo_multiply},   {HD_OP_arith_divsi, HD_OP_stablehlo_divide},
    {HD_OP_arith_divui, HD_OP_stablehlo_divide},    {HD_OP_arith_remsi, HD_OP_stablehlo_remainder},
    {HD_OP_arith_remui, HD_OP_stablehlo_remainder}, {HD_OP_arith_maxsi, HD_OP_stablehlo_maximum},
    {HD_OP_arith_minsi, HD_OP_stablehlo_minimum},   {HD_OP_shape_add, HD_OP_stablehlo_add},
    {HD_OP_shape_mul, HD_OP_stablehlo_multiply},    {HD_OP_shape_div, HD_OP_stablehlo_divide},
    {HD_OP_shape_max, HD_OP_stablehlo_maximum},     {HD_OP_shape_min, HD_OP_stablehlo_minimum},
};

/* What stands for the result of |op|; null when it is left as it is. Sizes are not negative: for them signed and
 * unsigned division are one. */
static hd_value *legalized(legalizer *l, hd_builder *b, hd_op *op) {
  hd_type type = hd_result_type(op, 0), element = kept(b->context, type);
  hd_value *x = op->operand_count ? hd_operand(op, 0) : NULL, *of_x = x ? standing(l, x) : NULL;
  if (!element) return NULL;
  for (size_t i = 0; i < sizeof arithmetic / sizeof *arithmetic; ++i) {
    if (!hd_op_is(op, arithmetic[i].from) || op->operand_count != 2) continue;
    hd_value *of_y = standing(l, hd_operand(op, 1));
    if (!of_x || !of_y || of_x->type != of_y->type || of_x == &no_sizes) return NULL;
    return hd_build(b, arithmetic[i].to, of_x->type, of_x, of_y);
  }
  switch (hd_opcode_get(op)) {
    case HD_OP_shape_shape_of:
      return hd_type_is(x->type, HD_TYPE_TENSOR) ? shape_of(b, x) : NULL;
    case HD_OP_shape_const_shape: {
      hd_attr numbers = hd_op_attr_get(op, "shape");
      int64_t count = (int64_t)hd_attr_count(numbers);
      return count ? constant(b, element, &count, 1, numbers) : &no_sizes;
    }
    case HD_OP_arith_constant: {
      hd_attr value = hd_op_attr_get(op, "value");
      int64_t scalar;
      if (hd_type_is(type, HD_TYPE_TENSOR) && hd_type_is_static(type))
        return constant(b, element, type->shaped.dims, hd_type_rank(type), value);
      return hd_value_constant_int(hd_result(op, 0), &scalar) ? number(b, element, scalar) : NULL;
    }
    case HD_OP_tensor_dim:
    case HD_OP_shape_dim: {
      int64_t i;
      if (!hd_type_is(x->type, HD_TYPE_TENSOR) || !hd_value_constant_int(hd_operand(op, 1), &i)) return NULL;
      return i < 0 || i >= hd_type_rank(x->type) ? NULL : size_of(b, x, (uint32_t)i);
    }
    case HD_OP_tensor_extract:
      if (of_x && op->operand_count == 1) return hd_hlo_reshape_to(b, of_x, &(int64_t){1}, 1);
      return op->operand_count == 2 ? element_of(b, of_x, hd_operand(op, 1)) : NULL;
    case HD_OP_shape_get_extent:
      return element_of(b, of_x, hd_operand(op, 1));
    case HD_OP_tensor_from_elements:
    case HD_OP_shape_from_extents: {
      hd_value **parts = hd_new_array(&b->module->arena, hd_value *, op->operand_count + 1);
      for (uint32_t i = 0; i < op->operand_count; ++i)
        if (!(parts[i] = standing(l, hd_operand(op, i)))) return NULL;
      if (!op->operand_count) return NULL;
      hd_value *all = joined(b, parts, op->operand_count);
      return hd_type_is(type, HD_TYPE_TENSOR) ? hd_hlo_reshape_to(b, all, type->shaped.dims, hd_type_rank(type)) : all;
    }
    case HD_OP_shape_broadcast: {
      hd_value *common = &no_sizes;
      for (uint32_t i = 0; i < op->operand_count; ++i) {
        hd_value *shape = standing(l, hd_operand(op, i));
        if (!shape) return NULL;
        common = broadcast(b, common, shape);
      }
      return common;
    }
    case HD_OP_shape_concat: {
      hd_value *y = standing(l, hd_operand(op, 1));
      return of_x && y ? appended(b, of_x, y) : NULL;
    }
    case HD_OP_shape_num_elements: {
      if (!of_x) return NULL;
      if (of_x == &no_sizes) return number(b, element, 1);
      hd_value *product = NULL;
      for (int64_t i = 0; i < hd_type_dim(of_x->type, 0); ++i) {
        hd_value *size = hd_hlo_slice(b, of_x, 0, i, i + 1);
        product = product ? hd_build(b, HD_OP_stablehlo_multiply, size->type, product, size) : size;
      }
      return product;
    }
    case HD_OP_arith_cmpi: {
      /* By the numbers of arith's predicates; sizes compare alike signed and unsigned. */
      static const char *const directions[] = {"EQ", "NE", "LT", "LE", "GT", "GE", "LT", "LE", "GT", "GE"};
      int64_t predicate = hd_op_int_attr(op, "predicate", 0);
      hd_value *of_y = standing(l, hd_operand(op, 1));
      if (!of_x || !of_y || of_x->type != of_y->type || of_x == &no_sizes) return NULL;
      return hd_hlo_compare(b, directions[predicate], of_x, of_y);
    }
    case HD_OP_arith_select: {
      hd_value *y = standing(l, hd_operand(op, 1)), *z = standing(l, hd_operand(op, 2));
      if (!of_x || !y || !z || y == &no_sizes || z == &no_sizes || y->type != z->type) return NULL;
      return hd_build(b, HD_OP_stablehlo_select, y->type, of_x, y, z);
    }
    case HD_OP_arith_index_cast:
    case HD_OP_arith_index_castui:
    case HD_OP_shape_to_extent_tensor:
    case HD_OP_shape_from_extent_tensor:
    case HD_OP_shape_value_as_shape:
    case HD_OP_shape_size_to_index:
    case HD_OP_shape_index_to_size:
      return of_x && of_x != &no_sizes ? hd_hlo_convert(b, of_x, element) : of_x;
    default:
      return NULL;
  }
}

static bool collect(hd_op *op, void *user) {
  legalizer *l = user;
  if (hd_op_is(op, HD_OP_gpu_module)) return false;
  if (is_assuming(op) || (op->result_count && !op->region_count)) hd_vec_push(&l->pass->arena, &l->ops, op);
  hd_str name = hd_str_of(op->info->name ? op->info->name : "");
  l->shapes |=
      hd_str_starts(name, "shape.") || hd_op_is(op, HD_OP_tensor_dim) || hd_op_is(op, HD_OP_tensor_from_elements);
  return true;
}

/* The ops of an assuming stand in its place. */
static void inline_assuming(hd_op *op) {
  hd_block *body = hd_op_region(op, 0)->first;
  hd_op *yield = hd_block_terminator(body);
  for (uint32_t i = 0; i < op->result_count; ++i) hd_value_replace_uses(hd_result(op, i), hd_operand(yield, i));
  hd_op_erase(yield);
  hd_block_splice(body, op->block, op);
  hd_op *witness = hd_value_op(hd_operand(op, 0));
  hd_op_erase(op);
  if (hd_op_is(witness, HD_OP_shape_cstr_broadcastable) && !hd_value_has_uses(hd_result(witness, 0)))
    hd_op_erase(witness);
}

/* Head and tail of a shape, at an index that counts from the end when negative. */
static bool split(legalizer *l, hd_builder *b, hd_op *op) {
  hd_value *shape = standing(l, hd_operand(op, 0));
  int64_t at, rank = shape && shape != &no_sizes ? hd_type_dim(shape->type, 0) : 0;
  if (!shape || !hd_value_constant_int(hd_operand(op, 1), &at)) return false;
  if (at < 0) at += rank;
  if (at < 0 || at > rank) return false;
  hd_map_set(&l->pass->arena, &l->known, hd_result(op, 0), part(b, shape, 0, at));
  hd_map_set(&l->pass->arena, &l->known, hd_result(op, 1), part(b, shape, at, rank));
  return true;
}

/* What read the results of |op| reads what stands for them. A tensor is read in its new form by all; a number only by
 * what became an op on tensors itself. */
static void replace(legalizer *l, hd_op *op) {
  bool used = false;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_value *result = hd_result(op, i), *value = hd_map_get(&l->known, result);
    if (!value) return;
    if (hd_type_is(result->type, HD_TYPE_TENSOR) && hd_value_has_uses(result)) {
      hd_builder b = hd_builder_before(op);
      if (value == &no_sizes) value = hd_hlo_shape(&b, NULL, 0);
      /* What leaves a region or a function keeps its type. */
      for (hd_use *use = result->first_use, *next; use; use = next) {
        next = use->next;
        if (value->type == result->type || !hd_op_has_trait(use->owner, HD_TRAIT(TERMINATOR)))
          hd_op_set_operand(use->owner, use->index, value);
      }
    }
    used |= hd_value_has_uses(result);
  }
  if (!used) hd_op_erase(op);
}

bool hd_pass_shape_legalize_to_stablehlo(hd_pass *pass, hd_op *func) {
  legalizer l = {.pass = pass};
  hd_walk_pre(func, collect, &l);
  if (!l.shapes) return true;
  for (size_t i = 0; i < l.ops.len; ++i) {
    hd_op *op = l.ops.data[i];
    if (is_assuming(op)) continue;
    hd_builder b = hd_builder_before(op);
    b.loc = op->loc;
    if (hd_op_is(op, HD_OP_shape_split_at)) {
      pass->changed |= split(&l, &b, op);
      continue;
    }
    hd_value *value = legalized(&l, &b, op);
    if (!value) continue;
    hd_map_set(&pass->arena, &l.known, hd_result(op, 0), value);
    pass->changed = true;
  }
  for (size_t i = l.ops.len; i-- > 0;) {
    if (is_assuming(l.ops.data[i]))
      inline_assuming(l.ops.data[i]);
    else
      replace(&l, l.ops.data[i]);
  }
  return true;
}
