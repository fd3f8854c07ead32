/* SPDX-License-Identifier: Apache-2.0 */
/* disc-fusion: groups become lmhlo.fusion ops. */
#include "ir/ops/discardable.h"
#include "ir/ops/stablehlo.h"
#include "passes/fuse/fuser.h"

/* Does node |x| only convert what is in memory to a wider type? On the CPU. */
static bool is_widening(hd_fuser *f, uint32_t x) {
  hd_op *op = f->nodes[x].op;
  if (f->target || f->nodes[x].class != HD_FUSE_ELEMENTWISE || hd_buffer_opcode(op) != HD_OP_stablehlo_convert)
    return false;
  hd_value *from = hd_operand(op, 0);
  if (hd_type_element_bytes(hd_type_element(from->type)) >=
      hd_type_element_bytes(hd_type_element(hd_buffer_output(op, 0)->type)))
    return false;
  uint32_t w = hd_fuser_writer_of(f, from);
  hd_map_entry *entry = hd_map_find(&f->writers, hd_buffer_root(from));
  return (w == UINT32_MAX || f->nodes[w].class == HD_FUSE_OPAQUE) && (!entry || entry->value.i64 >= 0);
}

/* Is every reader of node |x|, through inline ops too, elementwise or a reduction? Products and other ops of libraries
 * read memory, and results of the program are there anyway. */
static bool is_read_by_kernels(hd_fuser *f, uint32_t x, uint32_t *steps) {
  if (++*steps > HD_FUSE_MAX_INLINE) return false;
  hd_for_each_use(use, hd_fuser_result_of(f, x)) {
    if (use->owner == f->nodes[x].op || hd_op_is(use->owner, HD_OP_memref_dealloc)) continue;
    hd_map_entry *entry = hd_map_find(&f->index, use->owner);
    uint32_t reader = entry ? (uint32_t)(entry->value.i64 - 1) : UINT32_MAX;
    if (reader == UINT32_MAX || hd_fuser_program_blocker(f, x, reader)) return false;
    hd_fuse_class class = f->nodes[reader].class;
    if (class == HD_FUSE_ELEMENTWISE || class == HD_FUSE_ROW_REDUCE || class == HD_FUSE_COLUMN_REDUCE) continue;
    if (class == HD_FUSE_GENERATED && hd_buffer_opcode(f->nodes[reader].op) == HD_OP_stablehlo_reduce) continue;
    if (class != HD_FUSE_INLINE || !is_read_by_kernels(f, reader, steps)) return false;
  }
  return true;
}

/* Widening conversions are computed again by each group that reads them: that takes less time than to write the result
 * and to read the wider type. */
static void find_widenings(hd_fuser *f) {
  for (uint32_t x = 0; x < f->count; ++x) {
    uint32_t steps = 0;
    f->nodes[x].widens = is_widening(f, x) && is_read_by_kernels(f, x, &steps);
    if (f->nodes[x].widens && f->nodes[hd_fuser_find(f, x)].size == 1) f->nodes[x].class = HD_FUSE_INLINE;
  }
}

/* Adds copies of the ops that group |root| reads |buffer| through, before the readers, once each. */
static hd_value *import(hd_fuser *f, hd_builder *b, hd_value *buffer, uint32_t root, hd_map *copies) {
  uint32_t w = hd_fuser_writer_of(f, buffer);
  if (w == UINT32_MAX) return buffer;
  bool computes = f->nodes[w].class == HD_FUSE_INLINE || (f->nodes[w].widens && hd_fuser_find(f, w) != root);
  if (!computes) return buffer;
  hd_op *op = f->nodes[w].op;
  hd_value *known = hd_map_get(copies, buffer);
  if (known) return known;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i) import(f, b, hd_operand(op, i), root, copies);
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

/* The members of a kernel, and the blockers of producers that are in another one (--debug-only=disc-fusion). */
static void print_decision(hd_fuser *f, uint32_t root, const uint32_t *members, uint32_t count) {
  if (!hd_pass_is_watched(f->pass)) return;
  hd_strbuf list;
  hd_strbuf_init(&list, f->arena);
  for (uint32_t i = 0; i < count; ++i)
    hd_strbuf_printf(&list, "%s%s", i ? ", " : "", f->nodes[members[i]].op->name->text);
  hd_pass_note(f->pass, "%s kernel: %s", hd_text_of_kind(kind_of(f->nodes[root].kind)), hd_strbuf_text(&list));
  for (size_t i = 0; i < f->blockers.len; ++i) {
    const hd_fuse_blocker *r = &f->blockers.data[i];
    if (hd_fuser_find(f, r->reader) == root && hd_fuser_find(f, r->producer) != root)
      hd_pass_note(f->pass, "  %s is not fused with %s: %s", f->nodes[r->reader].op->name->text,
                   f->nodes[r->producer].op->name->text, r->reason);
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
    for (uint32_t o = in_memory; o < hd_buffer_input_count(op); ++o) import(f, &in, hd_operand(op, o), root, &copies);
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

/* Is |to| read through inline ops where |buffer| is? True, too, where there are too many to tell. */
static bool is_read_through(hd_fuser *f, hd_value *buffer, const hd_value *to, uint32_t *steps) {
  uint32_t w = hd_fuser_writer_of(f, buffer);
  if (buffer == to || ++*steps > HD_FUSE_MAX_INLINE) return true;
  if (w == UINT32_MAX || f->nodes[w].class != HD_FUSE_INLINE) return false;
  for (uint32_t i = 0; i < hd_buffer_input_count(f->nodes[w].op); ++i)
    if (is_read_through(f, hd_operand(f->nodes[w].op, i), to, steps)) return true;
  return false;
}

/* Scatters, which no other op joins, become fusions too where they read indices or updates through inline ops; what
 * they update is in memory. */
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

/* Sets hd.node on each op of this block and hd.fusion_blockers on readers. */
static void annotate_blockers(hd_fuser *f) {
  hd_context *c = f->pass->context;
  f->pass->changed |= f->count != 0;
  for (uint32_t x = 0; x < f->count; ++x) {
    hd_vec(hd_attr) list = {0};
    if (f->nodes[x].op->info->derived_from) hd_discardable_set_node(f->nodes[x].op, x);
    for (size_t i = 0; i < f->blockers.len; ++i) {
      const hd_fuse_blocker *r = &f->blockers.data[i];
      if (r->reader != x || hd_fuser_find(f, x) == hd_fuser_find(f, r->producer)) continue; /* another way was found */
      hd_attr pair[] = {hd_attr_i64(c, r->producer), hd_attr_cstring(c, r->reason)};
      hd_vec_push(f->arena, &list, hd_attr_array(c, pair, 2));
    }
    if (list.len) hd_discardable_set_fusion_blockers(f->nodes[x].op, hd_attr_array(c, list.data, list.len));
  }
}

void hd_fuser_build_fusions(hd_fuser *f) {
  if (hd_option_bool(f->pass, "explain")) annotate_blockers(f);
  find_widenings(f);
  uint32_t **members = hd_new_array(f->arena, uint32_t *, f->count);
  uint32_t *sizes = hd_new_array(f->arena, uint32_t, f->count);
  for (uint32_t x = 0; x < f->count; ++x) {
    if (f->nodes[x].class == HD_FUSE_OPAQUE || f->nodes[x].class == HD_FUSE_INLINE) continue;
    uint32_t root = hd_fuser_find(f, x);
    if (!members[root]) members[root] = hd_new_array(f->arena, uint32_t, f->nodes[root].size);
    members[root][sizes[root]++] = x;
  }
  for (uint32_t root = 0; root < f->count; ++root)
    if (sizes[root]) {
      print_decision(f, root, members[root], sizes[root]);
      build_fusion(f, root, members[root], sizes[root]);
    }
  fuse_scatters(f);
  drop_unread_inline(f);
}
