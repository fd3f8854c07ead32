/* SPDX-License-Identifier: Apache-2.0 */
/* disc-vectorize-loops: an iteration of a loop that is marked does several, and what is together is moved at once.
 *
 *   scf.parallel (%k) = (%c0) to (%n) step (%c1) {      %m = arith.divui %n, %c4
 *     %x = memref.load %a[%k]                           scf.parallel (%t) = (%c0) to (%m) step (%c1) {
 *     %y = arith.negf %x                          ->      %k = arith.muli %t, %c4
 *     memref.store %y, %o[%k]                             %v = vector.load %a[%k] {alignment = 16} : vector<4xf32>
 *   } {hd.vector = 4}                                     %w = arith.negf %v : vector<4xf32>
 *                                                         vector.store %w, %o[%k] {alignment = 16}
 *
 * Marked by disc-lhlo-legalize-to-loop as disc-specialize-fusion-with-speculation says: flat parallel loops, and loops
 * along a row in their threads (scf.for, whose values are carried from one of the several to the next). The mark
 * promises that what %k runs over is a multiple of the width: hd.vector_of = "rows", the last dim, by which %k is
 * divided first; "all", the whole range. So a row begins at a multiple, and %k % %d1 is together as %k does. Buffers
 * start at multiples of 64 bytes (runtime/abi.h), which makes such accesses aligned.
 *
 * The iterations run in lockstep, op by op: what is the same for all of them is computed once, numbers
 * that differ are elements of one vector (vectorize_lanes.c), and what no vector takes, or comes from
 * elsewhere in memory, is done once each. */
#include "ir/ops/discardable.h"
#include "passes/gpu/vectorizer.h"
#include "passes/passes.h"

/* |value| is |first| and what follows it. */
static void set_together(hd_vectorizer *ctx, hd_value *value, hd_value *first) {
  hd_set_lane_kind(ctx, value, HD_LANE_TOGETHER);
  hd_set_lane(ctx, value, 0, first);
  for (int64_t c = 1; c < ctx->width; ++c)
    hd_set_lane(ctx, value, c, hd_build(&ctx->b, HD_OP_arith_addi, first->type, first, hd_build_index(&ctx->b, c)));
}

static bool is_row_size(hd_vectorizer *ctx, hd_value *value) {
  int64_t known;
  return (ctx->rows && value == ctx->row) || (hd_value_constant_int(value, &known) && known && known % ctx->width == 0);
}

/* What |op| is without looking at memory, by its operands. */
static hd_lane_kind arithmetic(hd_vectorizer *ctx, hd_op *op) {
  if (op->operand_count != 2) return HD_LANE_OWN;
  hd_lane_kind x = hd_lane_kind_of(ctx, hd_operand(op, 0)), y = hd_lane_kind_of(ctx, hd_operand(op, 1));
  switch (hd_opcode_get(op)) {
    case HD_OP_arith_addi:
      if (x == HD_LANE_TOGETHER && y == HD_LANE_MULTIPLE) return HD_LANE_TOGETHER;
      if (y == HD_LANE_TOGETHER && x == HD_LANE_MULTIPLE) return HD_LANE_TOGETHER;
      return x == HD_LANE_MULTIPLE && y == HD_LANE_MULTIPLE   ? HD_LANE_MULTIPLE
             : x <= HD_LANE_MULTIPLE && y <= HD_LANE_MULTIPLE ? HD_LANE_SAME
                                                              : HD_LANE_OWN;
    case HD_OP_arith_muli:
      if (x > HD_LANE_MULTIPLE || y > HD_LANE_MULTIPLE) return HD_LANE_OWN;
      return x == HD_LANE_MULTIPLE || y == HD_LANE_MULTIPLE || is_row_size(ctx, hd_operand(op, 0)) ||
                     is_row_size(ctx, hd_operand(op, 1))
                 ? HD_LANE_MULTIPLE
                 : HD_LANE_SAME;
    case HD_OP_arith_remui:
      if (x == HD_LANE_TOGETHER && is_row_size(ctx, hd_operand(op, 1))) return HD_LANE_TOGETHER;
      return x <= HD_LANE_MULTIPLE && y <= HD_LANE_MULTIPLE ? HD_LANE_SAME : HD_LANE_OWN;
    case HD_OP_arith_divui:
      if (x == HD_LANE_TOGETHER && is_row_size(ctx, hd_operand(op, 1))) return HD_LANE_SAME;
      return x <= HD_LANE_MULTIPLE && y <= HD_LANE_MULTIPLE ? HD_LANE_SAME : HD_LANE_OWN;
    default:
      return HD_LANE_OWN;
  }
}

typedef struct usage {
  hd_vectorizer *ctx;
  hd_op *op;
  bool same, carried;
} usage;

static bool look(hd_op *op, void *user) {
  usage *u = user;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    u->same &= hd_lane_kind_of(u->ctx, hd_operand(op, i)) <= HD_LANE_MULTIPLE;
    u->carried |= hd_map_find(&u->ctx->carried, hd_operand(op, i)) != NULL;
  }
  return true;
}

static void clone_once(hd_vectorizer *ctx, hd_op *op, hd_lane_kind kind) {
  hd_op *copy = hd_op_clone(ctx->pass->module, op, &ctx->pass->arena, &ctx->lanes[0]);
  hd_op_append(copy, ctx->b.block);
  for (uint32_t r = 0; r < op->result_count; ++r) {
    if (kind == HD_LANE_TOGETHER) {
      set_together(ctx, hd_result(op, r), hd_result(copy, r));
      continue;
    }
    if (kind != HD_LANE_SAME) hd_set_lane_kind(ctx, hd_result(op, r), kind);
    for (int64_t c = 1; c < ctx->width; ++c) hd_set_lane(ctx, hd_result(op, r), c, hd_result(copy, r));
  }
}

typedef struct finding {
  hd_vectorizer *ctx;
  int64_t c;
} finding;

static bool find_lanes(hd_op *op, void *user) {
  finding *f = user;
  for (uint32_t i = 0; i < op->operand_count; ++i) hd_lane(f->ctx, hd_operand(op, i), f->c);
  return true;
}

static void clone_lane(hd_vectorizer *ctx, hd_op *op, int64_t c) {
  hd_walk_pre(op, find_lanes, &(finding){ctx, c});
  hd_op_append(hd_op_clone(ctx->pass->module, op, &ctx->pass->arena, &ctx->lanes[c]), ctx->b.block);
  for (uint32_t r = 0; r < op->result_count; ++r) hd_set_lane_kind(ctx, hd_result(op, r), HD_LANE_OWN);
}

/* Elements that one access moves where that of |op| on the buffer at |at| is together; 0: it does not. */
static int64_t access_width(hd_vectorizer *ctx, hd_op *op, uint32_t at) {
  hd_type type = hd_operand_type(op, at), element = type->shaped.element;
  uint32_t rank = type->shaped.rank;
  bool whole = element->kind == HD_TYPE_FLOAT || (element->kind == HD_TYPE_INTEGER && element->integer.width >= 8);
  if (!whole || !rank || type->shaped.layout || hd_lane_kind_of(ctx, hd_operand(op, at + rank)) != HD_LANE_TOGETHER)
    return 0;
  for (uint32_t d = 0; d + 1 < rank; ++d)
    if (hd_lane_kind_of(ctx, hd_operand(op, at + 1 + d)) > HD_LANE_MULTIPLE) return 0;
  int64_t last = type->shaped.dims[rank - 1], bytes = (int64_t)hd_type_element_bytes(element);
  if (rank > 1 && (last == HD_DYNAMIC || last % ctx->width)) return 0; /* other rows may start anywhere */
  int64_t width = bytes * ctx->width <= ctx->access ? ctx->width : ctx->access / bytes;
  return width > 1 && ctx->width % width == 0 ? width : 0;
}

/* The load or store |op| by vectors of |width|. */
static void move_together(hd_vectorizer *ctx, hd_op *op, uint32_t at, int64_t width) {
  hd_builder *b = &ctx->b;
  hd_type element = hd_operand_type(op, at)->shaped.element, vector = hd_type_vector(element, &width, 1, NULL);
  hd_attr_arg alignment = {HD_NAME_alignment, hd_attr_i64(b->context, width * (int64_t)hd_type_element_bytes(element))};
  uint32_t rank = hd_type_rank(hd_operand_type(op, at));
  hd_value **operands = hd_new_array(&ctx->pass->arena, hd_value *, at + 1 + rank),
           **elements = hd_new_array(&ctx->pass->arena, hd_value *, (size_t)width);
  for (int64_t from = 0; from < ctx->width; from += width) {
    for (uint32_t i = at; i < at + 1 + rank; ++i) operands[i] = hd_lane(ctx, hd_operand(op, i), from);
    if (at && ctx->packs && width == ctx->width && hd_lane_kind_of(ctx, hd_operand(op, 0)) == HD_LANE_OWN) {
      operands[0] = hd_lanes_packed(ctx, hd_operand(op, 0));
      hd_build_op(b, HD_OP_vector_store, operands, at + 1 + rank, NULL, 0, &alignment, 1, 0);
      continue;
    }
    if (at) {
      for (int64_t c = 0; c < width; ++c) elements[c] = hd_lane(ctx, hd_operand(op, 0), from + c);
      operands[0] = hd_build_one_(b, HD_OP_vector_from_elements, vector, elements, (size_t)width, NULL, 0);
      hd_build_op(b, HD_OP_vector_store, operands, at + 1 + rank, NULL, 0, &alignment, 1, 0);
      continue;
    }
    hd_value *loaded = hd_build_one_(b, HD_OP_vector_load, vector, operands, 1 + rank, &alignment, 1);
    if (ctx->packs && width == ctx->width) {
      hd_set_lanes_packed(ctx, hd_result(op, 0), loaded);
      continue;
    }
    for (int64_t c = 0; c < width; ++c) {
      hd_attr_arg position = {HD_NAME_static_position, hd_attr_i64_array(b->context, &c, 1)};
      hd_set_lane(ctx, hd_result(op, 0), from + c,
                  hd_build_one_(b, HD_OP_vector_extract, element, &loaded, 1, &position, 1));
    }
  }
  if (!at) hd_set_lane_kind(ctx, hd_result(op, 0), HD_LANE_OWN);
}

static void run_op(hd_vectorizer *ctx, hd_op *op) {
  usage u = {.ctx = ctx, .op = op, .same = true};
  hd_walk_pre(op, look, &u);
  bool is_load = hd_op_is(op, HD_OP_memref_load), is_store = hd_op_is(op, HD_OP_memref_store);
  ctx->b.loc = op->loc;
  if (u.carried) {
    for (uint32_t r = 0; r < op->result_count; ++r) hd_map_set(&ctx->pass->arena, &ctx->carried, hd_result(op, r), op);
    return;
  }
  int64_t width = is_load || is_store ? access_width(ctx, op, is_store) : 0;
  hd_lane_kind kind = arithmetic(ctx, op);
  if (width)
    move_together(ctx, op, is_store, width);
  else if (kind != HD_LANE_OWN)
    clone_once(ctx, op, kind);
  else if (u.same && (is_load || hd_op_is_pure(op)))
    clone_once(ctx, op, HD_LANE_SAME);
  else if (hd_lanes_can_pack(ctx, op))
    hd_lanes_pack(ctx, op);
  else
    for (int64_t c = 0; c < ctx->width; ++c) clone_lane(ctx, op, c);
}

/* What follows from the iter_args, one iteration after the other. */
static void run_carried(hd_vectorizer *ctx) {
  hd_block *body = hd_op_region(ctx->loop, 0)->first;
  for (int64_t c = 0; c < ctx->width; ++c) {
    for (uint32_t a = 1; c && a < body->arg_count; ++a)
      hd_set_lane(ctx, body->args[a], c, hd_lane(ctx, hd_operand(body->last, a - 1), c - 1));
    hd_for_each_op(op, body) {
      if (op == body->last) continue;
      usage u = {.ctx = ctx, .op = op};
      hd_walk_pre(op, look, &u);
      ctx->b.loc = op->loc;
      if (u.carried) clone_lane(ctx, op, c);
    }
  }
}

/* Puts the new body in the place of the old one. */
static void replace_body(hd_vectorizer *ctx) {
  hd_block *body = hd_op_region(ctx->loop, 0)->first;
  hd_op *end = body->last;
  for (uint32_t i = 0; i < end->operand_count; ++i)
    hd_op_set_operand(end, i, hd_lane(ctx, hd_operand(end, i), ctx->width - 1));
  while (end->prev) hd_op_erase(end->prev);
  hd_block_splice(ctx->b.block, body, end);
}

static hd_value *times(hd_builder *b, hd_value *value, int64_t factor) {
  int64_t known;
  if (hd_value_constant_int(value, &known)) return hd_build_index(b, known * factor);
  return hd_build(b, HD_OP_arith_muli, value->type, value, hd_build_index(b, factor));
}

/* The size of a row: what the position of a flat loop is divided by. */
static hd_value *divisor(hd_value *id) {
  hd_for_each_use(use, id) {
    bool divides = hd_op_is(use->owner, HD_OP_arith_remui) || hd_op_is(use->owner, HD_OP_arith_divui);
    if (divides && hd_operand(use->owner, 0) == id) return hd_operand(use->owner, 1);
  }
  return NULL;
}

static bool vectorize(hd_pass *pass, hd_op *loop) {
  hd_module *module = pass->module;
  hd_block *body = hd_op_region(loop, 0)->first;
  bool along = hd_op_is(loop, HD_OP_scf_for);
  hd_vectorizer ctx = {.pass = pass, .loop = loop, .id = body->args[0], .width = hd_discardable_vector(loop)};
  int64_t known;
  if (ctx.width < 2 || ctx.width > HD_LANES_MAX || (ctx.width & (ctx.width - 1)))
    return hd_op_error(loop, "has hd.vector %lld, expected a power of two from 2 to %d", (long long)ctx.width,
                       HD_LANES_MAX);
  if (!along && (body->arg_count != 1 || loop->result_count))
    return hd_op_error(loop, "is no flat loop without results, expected disc-loop-coalescing before");
  ctx.packs = !along;
  ctx.access = pass->target && pass->target->gpu ? pass->target->gpu->vector_bytes : HD_ACCESS_BYTES;
  ctx.rows = along || hd_discardable_vector_of(loop) == HD_VECTOR_OF_ROWS;
  ctx.row = along ? hd_operand(loop, 1) : divisor(ctx.id);
  ctx.b = hd_builder_at_end(module, hd_block_create(module));
  hd_builder outer = hd_builder_before(loop);
  ctx.b.loc = outer.loc = loop->loc;
  if (along) { /* the thread's first elements, and those of all threads further on */
    hd_op_set_operand(loop, 0, times(&outer, hd_operand(loop, 0), ctx.width));
    hd_op_set_operand(loop, 2, times(&outer, hd_operand(loop, 2), ctx.width));
    set_together(&ctx, ctx.id, ctx.id);
    for (uint32_t a = 1; a < body->arg_count; ++a) hd_map_set(&pass->arena, &ctx.carried, body->args[a], loop);
  } else {
    hd_value *end = hd_operand(loop, 1);
    hd_op_set_operand(loop, 1,
                      hd_value_constant_int(end, &known)
                          ? hd_build_index(&outer, known / ctx.width)
                          : hd_build(&outer, HD_OP_arith_divui, end->type, end, hd_build_index(&outer, ctx.width)));
    set_together(&ctx, ctx.id, times(&ctx.b, ctx.id, ctx.width));
  }
  for (hd_op *op = body->first; op != body->last; op = op->next) run_op(&ctx, op);
  if (along && body->arg_count > 1) run_carried(&ctx);
  replace_body(&ctx);
  hd_discardable_set_vector_attr(loop, NULL);
  hd_discardable_set_vector_of(loop, HD_VECTOR_OF_NONE);
  pass->changed = true;
  return true;
}

static bool is_marked(const hd_op *op) {
  return (hd_op_is(op, HD_OP_scf_parallel) || hd_op_is(op, HD_OP_scf_for)) && hd_discardable_vector_attr(op);
}

bool hd_pass_vectorize_loops(hd_pass *pass, hd_op *func) {
  hd_op_list loops = hd_ops_where(func, is_marked, &pass->arena);
  for (size_t i = loops.len; i-- > 0;) /* inner ones first: an outer one copies them */
    if (!vectorize(pass, loops.data[i])) return false;
  return true;
}
