/* SPDX-License-Identifier: Apache-2.0 */
/* disc-fusion: groups buffer ops so that each group becomes one kernel.
 *
 *   "lmhlo.multiply"(%x, %y, %t)          "lmhlo.fusion"() ({
 *   "lmhlo.add"(%t, %z, %out)       ->      "lmhlo.multiply"(%x, %y, %t)
 *                                           "lmhlo.add"(%t, %z, %out)
 *                                           "lmhlo.terminator"()
 *                                         }) {hd.kind = "loop"}
 *
 * Kinds
 *   loop  all results have one shape, by provably equal dims; elementwise ops, and one op at most that computes its
 *         elements another way (a gather, a pad, a reduction of another kind) under them
 *   row   reductions of trailing dims with what makes their operands and what uses their results row by row; with
 *         |columns|, beside them reductions of leading dims of the same elements, which nothing in the kernel reads
 *   gemm  a dot or a convolution with the elementwise ops on its result; alone with |products-alone|, but for a transpose of it
 *   column  reductions of dims that others lie inside of, with what makes their operands, which may live on too: with
 *         |columns| of any dims but the last ones; on the CPU of many rows, and never beside rows
 * Ops that only move indices (broadcast, reshape, slice, ...) and splat constants belong to no group: a copy of them
 * goes into every group that reads through them, and what no other op reads is not materialised.
 *
 * An elementwise op that is read once, by one that moves its elements, goes there too (producers.c).
 *
 * Groups that read the same elements become one at the end (siblings.c).
 *
 * Groups grow in the order of the program: an op joins the groups of its operands when that makes no cycle (a path that
 * leaves the group and comes back), one shape, and a kernel within the limits of |target| (none: the CPU) for
 * parameters and shared memory. Then the block is put into an order that keeps every dependence through buffers. */
#include "analysis/short_dims.h"
#include "codegen/emit/columns.h"
#include "ir/ops/discardable.h"
#include "ir/ops/structs.h"
#include "passes/analyses.h"
#include "passes/fuse/fuser.h"

/* Is the result of a convolution [batch, positions in order, features], which is how its tiles come? */
static bool keeps_positions(hd_op *op) {
  hd_attr n = hd_op_attr_get(op, HD_NAME_dimension_numbers),
          space = hd_attr_stablehlo_conv_output_spatial_dimensions(n);
  size_t count = hd_attr_count(space);
  bool keeps = hd_attr_stablehlo_conv_output_batch_dimension(n) == 0 &&
               hd_attr_stablehlo_conv_output_feature_dimension(n) == (int64_t)count + 1;
  for (size_t i = 0; i < count; ++i) keeps &= hd_attr_int_at(space, i) == (int64_t)i + 1;
  return keeps;
}

/* On the CPU, where a few rows are better added up in the kernel that uses the sum. */
static bool has_column_kernel(const hd_fuser *f, const hd_op *op) {
  enum { FEW_ROWS = 16 };
  uint32_t begin, end;
  int64_t rows;
  if (!hd_is_column_reduction(op, &begin, &end)) return false;
  hd_dim_table *t = &f->shapes->table;
  hd_dim all = hd_dim_const(t, 1);
  for (uint32_t d = begin; d < end; ++d) all = hd_dim_mul(t, all, hd_shapes_dim(f->shapes, hd_operand(op, 0), d));
  hd_column_plan plan;
  return (!hd_dim_is_const(t, all, &rows) || rows > FEW_ROWS) && hd_plan_columns(f->shapes, op, &plan);
}

hd_fuse_class hd_fuser_classify(const hd_fuser *f, hd_op *op) {
  if (!op->info->derived_from) return HD_FUSE_OPAQUE;
  if (hd_only_moves_indices(op)) return hd_can_generate(op) ? HD_FUSE_INLINE : HD_FUSE_OPAQUE;
  switch (hd_buffer_opcode(op)) {
    case HD_OP_stablehlo_constant:
      return hd_can_generate(op) ? HD_FUSE_INLINE : HD_FUSE_OPAQUE;
    case HD_OP_stablehlo_reduce:
      if (!f->target && hd_is_row_reduction(op) && hd_is_short_reduction(op)) return HD_FUSE_GENERATED;
      if (hd_is_row_reduction(op)) return HD_FUSE_ROW_REDUCE;
      if (f->target ? f->columns && hd_gpu_is_parts_reduction(f->shapes, op) : has_column_kernel(f, op))
        return HD_FUSE_COLUMN_REDUCE;
      return HD_FUSE_GENERATED;
    case HD_OP_stablehlo_dot:
    case HD_OP_stablehlo_dot_general:
      return !f->target && hd_is_small_product(op) && hd_can_generate(op) ? HD_FUSE_GENERATED : HD_FUSE_DOT;
    case HD_OP_stablehlo_convolution:
      return keeps_positions(op) ? HD_FUSE_DOT : HD_FUSE_OPAQUE;
    case HD_OP_stablehlo_dynamic_conv:
      return HD_FUSE_OPAQUE;
    case HD_OP_mhlo_copy:
      return HD_FUSE_OPAQUE;
    default:
      break;
  }
  if (!hd_can_generate(op)) return HD_FUSE_OPAQUE;
  return hd_is_elementwise(op) ? HD_FUSE_ELEMENTWISE : HD_FUSE_GENERATED;
}

/* Adds copies of the inline ops that |buffer| is read through, before the readers, once each. */
static hd_value *import(hd_fuser *f, hd_builder *b, hd_value *buffer, hd_map *copies) {
  uint32_t w = hd_fuser_writer_of(f, buffer);
  if (w == UINT32_MAX || f->nodes[w].class != HD_FUSE_INLINE) return buffer;
  hd_op *op = f->nodes[w].op;
  hd_value *known = hd_map_get(copies, buffer);
  if (known) return known;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i) import(f, b, hd_operand(op, i), copies);
  hd_op *copy = hd_op_clone(f->pass->module, op, f->arena, NULL);
  hd_discardable_set_inline(copy, true); /* its value is for this kernel alone */
  hd_op_append(copy, b->block);
  hd_map_set(f->arena, copies, buffer, buffer);
  return buffer;
}

static hd_enum_kind kind_of(hd_fuse_kind kind) {
  static const hd_enum_kind kinds[] = {[HD_FUSE_LOOP] = HD_KIND_LOOP,
                                       [HD_FUSE_ROW] = HD_KIND_ROW,
                                       [HD_FUSE_GEMM] = HD_KIND_GEMM,
                                       [HD_FUSE_COLUMN] = HD_KIND_COLUMN};
  return kinds[kind];
}

/* What stands in one kernel, and what was asked and is not, with the reason (--debug-only=disc-fusion). */
static void print_decision(hd_fuser *f, uint32_t root, const uint32_t *members, uint32_t count) {
  if (!hd_pass_is_watched(f->pass)) return;
  hd_strbuf list;
  hd_strbuf_init(&list, f->arena);
  for (uint32_t i = 0; i < count; ++i)
    hd_strbuf_printf(&list, "%s%s", i ? ", " : "", f->nodes[members[i]].op->name->text);
  hd_pass_note(f->pass, "%s kernel: %s", hd_text_of_kind(kind_of(f->nodes[root].kind)), hd_strbuf_text(&list));
  for (size_t i = 0; i < f->refusals.len; ++i) {
    const hd_fuse_refusal *r = &f->refusals.data[i];
    if (hd_fuser_find(f, r->reader) == root && hd_fuser_find(f, r->source) != root)
      hd_pass_note(f->pass, "  %s is apart from %s: %s", f->nodes[r->reader].op->name->text,
                   f->nodes[r->source].op->name->text, r->why);
  }
}

/* Moves the members of the group whose last op is |last| into a fusion before |last|. */
static void build_fusion(hd_fuser *f, uint32_t root, const uint32_t *members, uint32_t count) {
  hd_op *last = f->nodes[members[count - 1]].op;
  hd_builder b = hd_builder_before(last);
  hd_loc *locs = hd_new_array(f->arena, hd_loc, count);
  for (uint32_t i = 0; i < count; ++i) locs[i] = f->nodes[members[i]].op->loc;
  b.loc = hd_loc_fused(b.context, locs, count < 32 ? count : 32, NULL);
  hd_op *fusion = hd_build_op(&b, HD_OP_lmhlo_fusion, NULL, 0, NULL, 0, NULL, 0, 1);
  hd_discardable_set_kind(fusion, kind_of(f->nodes[root].kind));
  hd_discardable_set_outputs(fusion, 0);
  hd_block *body = hd_block_create(f->pass->module);
  hd_region_append(hd_op_region(fusion, 0), body);
  hd_builder in = hd_builder_at_end(f->pass->module, body);
  hd_map copies = {0};
  for (uint32_t i = 0; i < count; ++i) {
    hd_op *op = f->nodes[members[i]].op;
    uint32_t in_memory =
        f->nodes[members[i]].reads_inline ? hd_buffer_output_count(op) : 0; /* what a scatter updates */
    for (uint32_t o = in_memory; o < hd_buffer_input_count(op); ++o) import(f, &in, hd_operand(op, o), &copies);
    hd_op_unlink(op);
    hd_op_append(op, body);
  }
  hd_build_op(&in, HD_OP_lmhlo_terminator, NULL, 0, NULL, 0, NULL, 0, 0);
  f->pass->changed = true;
}

/* Is |buffer| read by copies of its op alone, each inside of the fusion that reads it? */
static bool all_uses_inside(hd_value *buffer, const hd_op *writer) {
  hd_for_each_use(use, buffer) {
    if (use->owner == writer || hd_op_is(use->owner, HD_OP_memref_dealloc)) continue;
    if (!hd_op_is(hd_op_parent(use->owner), HD_OP_lmhlo_fusion)) return false;
    bool own = false;
    hd_for_each_op(op, use->owner->block) own |= hd_discardable_inline(op) && hd_buffer_output(op, 0) == buffer;
    if (!own) return false;
  }
  return true;
}

/* Inline ops that only fusions read are not needed for themselves. */
static void drop_unread_inline(hd_fuser *f) {
  for (uint32_t x = f->count; x-- > 0;)
    if (f->nodes[x].class == HD_FUSE_INLINE && all_uses_inside(hd_fuser_result_of(f, x), f->nodes[x].op)) {
      hd_op_erase(f->nodes[x].op);
      f->pass->changed = true;
    }
}

/* hd.node on each op of this block, and hd.refused on readers: [[node that it reads, why it is not with it], ...]. */
static void note_refusals(hd_fuser *f) {
  hd_context *c = f->pass->context;
  f->pass->changed |= f->count != 0;
  for (uint32_t x = 0; x < f->count; ++x) {
    hd_vec(hd_attr) list = {0};
    if (f->nodes[x].op->info->derived_from) hd_discardable_set_node(f->nodes[x].op, x);
    for (size_t i = 0; i < f->refusals.len; ++i) {
      const hd_fuse_refusal *r = &f->refusals.data[i];
      if (r->reader != x || hd_fuser_find(f, x) == hd_fuser_find(f, r->source)) continue; /* another way was found */
      hd_attr pair[] = {hd_attr_i64(c, r->source), hd_attr_cstring(c, r->why)};
      hd_vec_push(f->arena, &list, hd_attr_array(c, pair, 2));
    }
    if (list.len) hd_discardable_set_refused(f->nodes[x].op, hd_attr_array(c, list.data, list.len));
  }
}

enum { MOST_INLINE = 256 };

/* A scatter of the CPU, which alone writes its results. */
static bool is_scatter(hd_fuser *f, uint32_t x) {
  hd_op *op = f->nodes[x].op;
  if (f->target || !op->info->derived_from || hd_buffer_opcode(op) != HD_OP_stablehlo_scatter) return false;
  for (uint32_t o = 0; o < hd_buffer_output_count(op); ++o)
    if (hd_fuser_writer_of(f, hd_buffer_output(op, o)) != x) return false;
  return !hd_buffer_reads_own_output(op);
}

/* A reader of an inline op computes all that is inline behind it: so it is a tree of ops, bounded here, and what would
 * be larger goes through memory. */
static void bound_inlining(hd_fuser *f) {
  uint32_t *behind = hd_new_array(f->arena, uint32_t, f->count); /* inline ops read through node x, itself included */
  for (uint32_t x = 0; x < f->count; ++x) {
    if (f->nodes[x].class != HD_FUSE_INLINE) continue;
    behind[x] = 1;
    for (uint32_t o = 0; o < hd_buffer_input_count(f->nodes[x].op); ++o) {
      uint32_t w = hd_fuser_writer_of(f, hd_operand(f->nodes[x].op, o));
      if (w != UINT32_MAX && behind[x] <= MOST_INLINE) behind[x] += behind[w];
    }
    if (behind[x] <= MOST_INLINE) continue;
    f->nodes[x].class = HD_FUSE_GENERATED;
    behind[x] = 0;
  }
}

/* Does |buffer| lead to |to| through inline ops? */
static bool is_read_through(hd_fuser *f, hd_value *buffer, const hd_value *to, uint32_t *steps) {
  uint32_t w = hd_fuser_writer_of(f, buffer);
  if (buffer == to || ++*steps > MOST_INLINE) return true;
  if (w == UINT32_MAX || f->nodes[w].class != HD_FUSE_INLINE) return false;
  for (uint32_t i = 0; i < hd_buffer_input_count(f->nodes[w].op); ++i)
    if (is_read_through(f, hd_operand(f->nodes[w].op, i), to, steps)) return true;
  return false;
}

/* Scatters, which no other op joins, become fusions too where they read indices or updates through inline ops; what they
 * update is in memory. */
static void fuse_scatters(hd_fuser *f) {
  for (uint32_t x = 0; x < f->count; ++x) {
    hd_op *op = f->nodes[x].op;
    uint32_t count = f->nodes[x].reads_inline ? hd_buffer_output_count(op) : 0;
    bool fuses = false, apart = true;
    for (uint32_t i = count; count && i < hd_buffer_input_count(op); ++i) {
      uint32_t w = hd_fuser_writer_of(f, hd_operand(op, i));
      fuses |= w != UINT32_MAX && f->nodes[w].class == HD_FUSE_INLINE;
      for (uint32_t k = 0, steps = 0; k < count; ++k, steps = 0)
        apart &= !is_read_through(f, hd_operand(op, i), hd_operand(op, k), &steps);
    }
    if (fuses && apart) build_fusion(f, x, &x, 1);
  }
}

static bool fuse_block(hd_pass *pass, hd_shapes *shapes, const hd_gpu_target *target, hd_block *block) {
  hd_fuser f = {.pass = pass,
                .shapes = shapes,
                .arena = &pass->arena,
                .columns = hd_option_bool(pass, "columns"),
                .products_alone = hd_option_bool(pass, "products-alone"),
                .explain = hd_option_bool(pass, "explain") || hd_pass_is_watched(pass),
                .target = target};
  hd_for_each_op(op, block) {
    for (uint32_t r = 0; !op->info->derived_from && r < op->region_count; ++r)
      hd_for_each_block(inner, hd_op_region(op, r))
        if (!fuse_block(pass, shapes, target, inner)) return false;
    ++f.count;
  }
  f.nodes = hd_new_array(f.arena, hd_fuse_node, f.count);
  hd_map read = {0}, freed = {0}; /* buffers, by an op so far: what is written later is no value of one op */
  uint32_t i = 0;
  hd_for_each_op(op, block) {
    f.nodes[i] = (hd_fuse_node){.op = op,
                                .class = hd_fuser_classify(&f, op),
                                .parent = i,
                                .first = i,
                                .most = i,
                                .size = 1,
                                .next = UINT32_MAX,
                                .last = i};
    hd_map_insert(f.arena, &f.index, op, NULL)->value.i64 = i + 1;
    hd_accesses accesses = {0};
    if (!hd_op_is(op, HD_OP_memref_alloc)) hd_buffer_accesses(op, f.arena, &accesses);
    for (size_t a = 0; a < accesses.len; ++a) {
      bool is_new;
      if (!accesses.data[a].writes) hd_map_insert(f.arena, &read, accesses.data[a].buffer, NULL);
      if (accesses.data[a].frees) hd_map_insert(f.arena, &freed, accesses.data[a].buffer, NULL);
      bool late = hd_map_find(&freed, accesses.data[a].buffer) && !hd_op_has_trait(op, HD_TRAIT(FREES));
      if (late) hd_map_insert(f.arena, &f.writers, accesses.data[a].buffer, NULL)->value.i64 = -1; /* stays a fault */
      if (late || !accesses.data[a].writes || accesses.data[a].frees) continue;
      hd_map_entry *entry = hd_map_insert(f.arena, &f.writers, accesses.data[a].buffer, &is_new);
      bool here = hd_value_block(accesses.data[a].buffer) == block && !hd_map_find(&read, accesses.data[a].buffer);
      entry->value.i64 = is_new && here ? (int64_t)i + 1 : -1; /* written twice: no value of one op */
    }
    ++i;
  }
  /* What is written by more than one op is opaque to grouping, and so is an op that reads what it writes. */
  for (uint32_t x = 0; x < f.count; ++x)
    if (hd_buffer_reads_own_output(f.nodes[x].op)) f.nodes[x].class = HD_FUSE_OPAQUE;
  for (uint32_t x = 0; x < f.count; ++x)
    if (f.nodes[x].class != HD_FUSE_OPAQUE)
      for (uint32_t o = 0; o < hd_buffer_output_count(f.nodes[x].op); ++o) {
        hd_value *out = hd_buffer_output(f.nodes[x].op, o);
        if (hd_fuser_writer_of(&f, out) != x) f.nodes[x].class = HD_FUSE_OPAQUE;
      }
  for (uint32_t x = 0; x < f.count; ++x) f.nodes[x].reads_inline = is_scatter(&f, x);
  hd_fuser_find_program_fusions(&f);
  hd_fuser_inline_producers(&f);
  /* An inline op on a buffer that is written more than once may not be moved to its readers. */
  for (uint32_t x = 0; x < f.count; ++x)
    for (uint32_t o = 0; f.nodes[x].class == HD_FUSE_INLINE && o < hd_buffer_input_count(f.nodes[x].op); ++o) {
      hd_map_entry *entry = hd_map_find(&f.writers, hd_buffer_root(hd_operand(f.nodes[x].op, o)));
      if (entry && entry->value.i64 < 0) f.nodes[x].class = HD_FUSE_OPAQUE;
    }
  hd_fuser_place_products(&f);
  bound_inlining(&f);
  hd_fuser_form_groups(&f);
  hd_fuser_join_siblings(&f);
  if (hd_option_bool(pass, "explain")) note_refusals(&f);
  uint32_t **members = hd_new_array(f.arena, uint32_t *, f.count);
  uint32_t *sizes = hd_new_array(f.arena, uint32_t, f.count);
  for (uint32_t x = 0; x < f.count; ++x) {
    if (f.nodes[x].class == HD_FUSE_OPAQUE || f.nodes[x].class == HD_FUSE_INLINE) continue;
    uint32_t root = hd_fuser_find(&f, x);
    if (!members[root]) members[root] = hd_new_array(f.arena, uint32_t, f.nodes[root].size);
    members[root][sizes[root]++] = x;
  }
  for (uint32_t root = 0; root < f.count; ++root)
    if (sizes[root]) {
      print_decision(&f, root, members[root], sizes[root]);
      build_fusion(&f, root, members[root], sizes[root]);
    }
  fuse_scatters(&f);
  drop_unread_inline(&f);
  hd_fuser_reorder(&f, block);
  return true;
}

bool hd_pass_fusion(hd_pass *pass, hd_op *func) {
  hd_shapes *shapes = hd_pass_shapes(pass, func);
  hd_for_each_block(block, hd_op_region(func, 0))
    if (!fuse_block(pass, shapes, pass->target->gpu, block)) return false;
  return true;
}
