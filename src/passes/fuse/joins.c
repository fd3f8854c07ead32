/* SPDX-License-Identifier: Apache-2.0 */
/* What may join what, and why not: each question answers with its reason, so that explanations cannot say anything else
 * than what was asked. Null is yes. Reasons with names in them are made when they are kept (|explain|). */
#include "ir/ops/stablehlo.h"
#include "passes/fuse/fuser.h"

static bool dim_is_one(hd_fuser *f, hd_value *buffer, uint32_t d) {
  int64_t one;
  return hd_dim_is_const(&f->shapes->table, hd_shapes_dim(f->shapes, buffer, d), &one) && one == 1;
}

/* Is |buffer| one number per row of |full|: the leading dims, then ones? */
static bool is_row_shaped(hd_fuser *f, hd_value *buffer, hd_value *full, uint32_t first_reduced) {
  uint32_t rank = hd_type_rank(buffer->type);
  if (rank < first_reduced) return false;
  for (uint32_t d = 0; d < rank; ++d) {
    if (d >= first_reduced
            ? !dim_is_one(f, buffer, d)
            : !hd_dim_equal(&f->shapes->table, hd_shapes_dim(f->shapes, buffer, d), hd_shapes_dim(f->shapes, full, d)))
      return false;
  }
  return true;
}

/* The one map from |op|'s result to its first operand; null: it reads others too, or there is none. */
static const hd_index_map *move_of(hd_fuser *f, hd_op *op) {
  if (!f->indexing) f->indexing = hd_indexing_create(f->arena, f->pass->context, f->shapes);
  bool is_new;
  hd_map_entry *entry = hd_map_insert(f->arena, &f->moves, op, &is_new);
  if (!is_new) return entry->value.ptr;
  hd_index_maps *maps = hd_new_array(f->arena, hd_index_maps, op->operand_count);
  bool is_move = hd_index_output_to_input(f->indexing, op, 0, maps) && hd_only_moves_indices(op);
  entry->value.ptr = is_move && maps[0].len == 1 ? maps[0].data[0] : NULL;
  return entry->value.ptr;
}

/* Does |op| read its first operand, one number per row, at the row of its own index? */
static bool stays_in_row(hd_fuser *f, hd_op *op, uint32_t first_reduced) {
  const hd_index_map *move = move_of(f, op);
  if (!move || move->range_count || move->runtime_count || move->dim_count < first_reduced) return false;
  for (uint32_t d = 0; d < move->result_count; ++d) {
    hd_affine at = move->results[d];
    bool same = d < first_reduced && at->kind == HD_AFFINE_DIM && at->value == d;
    if (!same && !dim_is_one(f, hd_operand(op, 0), d)) return false;
  }
  return true;
}

/* Reads |buffer| through inline ops, of which every one keeps a row's number in its row; the op at the end is returned.
 */
static uint32_t row_source(hd_fuser *f, hd_value *buffer, hd_value *full, uint32_t first_reduced) {
  for (;;) {
    uint32_t w = hd_fuser_writer_of(f, buffer);
    if (w == UINT32_MAX || f->nodes[w].class != HD_FUSE_INLINE) return w;
    hd_op *op = f->nodes[w].op;
    hd_value *operand = hd_buffer_input_count(op) ? hd_operand(op, 0) : NULL;
    if (!operand || !is_row_shaped(f, operand, full, first_reduced) || !stays_in_row(f, op, first_reduced))
      return UINT32_MAX;
    if (!is_row_shaped(f, buffer, full, first_reduced) && !hd_shapes_same(f->shapes, buffer, full)) return UINT32_MAX;
    buffer = operand;
  }
}

/* How |x| would read group |g|: directly with the group's full shape, by rows, or not so that it can join. */
static bool reads_directly(hd_fuser *f, uint32_t x, uint32_t g) {
  hd_op *op = f->nodes[x].op;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i) {
    uint32_t w = hd_fuser_writer_of(f, hd_operand(op, i));
    if (w != UINT32_MAX && f->nodes[w].class != HD_FUSE_INLINE && hd_fuser_find(f, w) == g) return true;
  }
  return false;
}

typedef struct all_reads {
  uint32_t group;
  bool ok;
} all_reads;

static bool check_direct(hd_fuser *f, uint32_t source, hd_value *buffer, bool direct, void *user) {
  (void)buffer;
  all_reads *r = user;
  if (hd_fuser_find(f, source) == r->group && !direct) r->ok = false;
  return true;
}

/* No operand of |x| reaches the group through an op that changes indices. */
static bool only_direct(hd_fuser *f, uint32_t x, uint32_t g) {
  if (!f->nodes[x].reads_through) return true;
  all_reads r = {g, true};
  hd_op *op = f->nodes[x].op;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i)
    hd_fuser_for_sources(f, hd_operand(op, i), true, check_direct, &r);
  return r.ok;
}

/* Every way from |x| to the group keeps rows; direct reads of full-shaped values too. */
static bool only_by_rows(hd_fuser *f, uint32_t x, uint32_t g, hd_value *full, uint32_t first_reduced) {
  if (!f->nodes[x].reads_through) return true;
  hd_op *op = f->nodes[x].op;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i) {
    hd_value *operand = hd_operand(op, i);
    all_reads r = {g, true};
    hd_fuser_for_sources(f, operand, true, check_direct, &r);
    if (r.ok) continue; /* not through an inline op */
    uint32_t w = row_source(f, operand, full, first_reduced);
    if (w == UINT32_MAX || hd_fuser_find(f, w) != g) return false;
  }
  return true;
}

hd_value *hd_fuser_result_of(hd_fuser *f, uint32_t x) { return hd_buffer_output(f->nodes[x].op, 0); }

/* The member of |group| that computes its elements by other means (a dot, a gather) and reads a result of |other|. It
 * reads them at other indices, so they must be in memory before the kernel starts. UINT32_MAX: there is none. */
static uint32_t generated_reader(hd_fuser *f, uint32_t group, uint32_t other) {
  for (uint32_t m = f->nodes[group].has_generated ? group : UINT32_MAX; m != UINT32_MAX; m = f->nodes[m].next) {
    if (f->nodes[m].class != HD_FUSE_GENERATED && f->nodes[m].class != HD_FUSE_DOT) continue;
    for (uint32_t i = 0; i < f->nodes[m].source_count; ++i)
      if (hd_fuser_find(f, f->nodes[m].sources[i]) == other) return m;
  }
  return UINT32_MAX;
}

/* Is there a reduction in |group| whose initial value |other| computes? It must be in memory before the kernel starts. */
static bool starts_from(hd_fuser *f, uint32_t group, uint32_t other) {
  for (uint32_t m = group; m != UINT32_MAX; m = f->nodes[m].next) {
    hd_op *op = f->nodes[m].op;
    if (f->nodes[m].class != HD_FUSE_ROW_REDUCE && f->nodes[m].class != HD_FUSE_COLUMN_REDUCE) continue;
    uint32_t inputs = hd_buffer_input_count(op);
    all_reads r = {other, true};
    for (uint32_t i = inputs / 2; i < inputs; ++i) hd_fuser_for_sources(f, hd_operand(op, i), false, check_direct, &r);
    if (!r.ok) return true;
  }
  return false;
}

/* Does a member of |group| read what a column reduction of |other| gives? All of its rows have part in that, so it is
 * there when the kernel has run. */
static bool reads_columns(hd_fuser *f, uint32_t group, uint32_t other) {
  if (!f->nodes[other].has_columns) return false;
  for (uint32_t m = group; m != UINT32_MAX; m = f->nodes[m].next)
    for (uint32_t i = 0; i < f->nodes[m].source_count; ++i) {
      uint32_t source = f->nodes[m].sources[i];
      if (f->nodes[source].class == HD_FUSE_COLUMN_REDUCE && hd_fuser_find(f, source) == other) return true;
    }
  return false;
}

static const char *shape_text(hd_fuser *f, hd_value *buffer) {
  hd_strbuf text;
  hd_strbuf_init(&text, f->arena);
  hd_strbuf_putc(&text, '[');
  for (uint32_t d = 0; d < hd_type_rank(buffer->type); ++d) {
    if (d) hd_strbuf_puts(&text, ", ");
    hd_dim_print(&text, hd_shapes_dim(f->shapes, buffer, d));
  }
  hd_strbuf_putc(&text, ']');
  return hd_strbuf_text(&text);
}

static const char *other_shapes(hd_fuser *f, hd_value *a, hd_value *b) {
  if (!f->explain) return "";
  return hd_arena_printf(f->arena, "shapes %s and %s are not provably equal", shape_text(f, a), shape_text(f, b));
}

/* The op of group |g| that computes its elements by other means than one by one. */
static const char *generated_name(hd_fuser *f, uint32_t g) {
  for (uint32_t m = g; m != UINT32_MAX; m = f->nodes[m].next)
    if (f->nodes[m].class == HD_FUSE_GENERATED || f->nodes[m].class == HD_FUSE_DOT)
      return hd_fuser_op_name(f->nodes[m].op);
  return "op";
}

static const char *again_for_each_use(hd_fuser *f, uint32_t g) {
  if (!f->explain) return "";
  return hd_arena_printf(f->arena, "a reduction would compute the kernel's %s again for each of its uses",
                         generated_name(f, g));
}

static uint32_t first_reduced_of(hd_fuser *f, uint32_t x, uint32_t rank) {
  return rank - (uint32_t)hd_attr_count(hd_stablehlo_reduce_dimensions(f->nodes[x].op));
}

/* A block of rows has a part of each column: only atomics bring them together. */
static const char rows_and_columns[] = "one works on whole rows, the other on blocks of columns";

/* Why |x| may not join |g|, which has rows. */
static const char *why_not_in_rows(hd_fuser *f, uint32_t x, uint32_t g) {
  hd_fuse_node *group = &f->nodes[g], *own = &f->nodes[x];
  hd_value *full = group->shape, *out = hd_fuser_result_of(f, x);
  if (!only_by_rows(f, x, g, full, group->first_reduced))
    return "it reads it at other indices, which are not provably of the same row";
  if (own->class == HD_FUSE_ROW_REDUCE || own->class == HD_FUSE_COLUMN_REDUCE) {
    if (!hd_shapes_same(f->shapes, hd_operand(own->op, 0), full)) return other_shapes(f, hd_operand(own->op, 0), full);
    if (own->class == HD_FUSE_COLUMN_REDUCE)
      return f->target && hd_is_atomic_reduction(own->op) ? NULL : rows_and_columns;
    return first_reduced_of(f, x, hd_type_rank(full->type)) == group->first_reduced ? NULL : "it reduces other dims";
  }
  if (hd_shapes_same(f->shapes, out, full) || is_row_shaped(f, out, full, group->first_reduced)) return NULL;
  if (!f->explain) return "";
  return hd_arena_printf(f->arena, "its shape %s is provably neither that of the rows %s nor one value for each",
                         shape_text(f, out), shape_text(f, full));
}

/* Why |x|, a reduction of whole rows or columns of what |g| computes, may not join it. */
static const char *why_not_reduced(hd_fuser *f, uint32_t x, uint32_t g, const char *lines) {
  hd_fuse_node *group = &f->nodes[g];
  hd_value *operand = hd_operand(f->nodes[x].op, 0);
  if (group->kind == HD_FUSE_GEMM && !f->explain) return "";
  if (group->kind == HD_FUSE_GEMM)
    return hd_arena_printf(f->arena, "a reduction needs whole %s, a tile of the product has part of each", lines);
  if (group->has_generated) return again_for_each_use(f, g);
  if (!hd_shapes_same(f->shapes, operand, group->shape)) return other_shapes(f, operand, group->shape);
  if (!reads_directly(f, x, g) || !only_direct(f, x, g))
    return "the reduction reads it through an op that changes indices";
  return NULL;
}

/* Why |x| may not join group |g|; null: it may, as |kind|. */
static const char *why_not_join(hd_fuser *f, uint32_t x, uint32_t g, hd_fuse_kind *kind, uint32_t *first_reduced) {
  hd_fuse_node *group = &f->nodes[g], *own = &f->nodes[x];
  *kind = group->kind;
  *first_reduced = group->first_reduced;
  if (group->kind == HD_FUSE_GEMM && f->products_alone) return "on this target a product has no other ops with it";
  if (group->kind == HD_FUSE_ROW) return why_not_in_rows(f, x, g);
  if (own->class == HD_FUSE_ROW_REDUCE) {
    if (group->has_columns && !f->target) return rows_and_columns;
    *kind = HD_FUSE_ROW;
    *first_reduced = first_reduced_of(f, x, hd_type_rank(group->shape->type));
    return why_not_reduced(f, x, g, "rows");
  }
  if (own->class == HD_FUSE_COLUMN_REDUCE) {
    if (group->kind == HD_FUSE_COLUMN && group->first_reduced != own->first_reduced) return "it reduces other dims";
    *kind = HD_FUSE_COLUMN;
    *first_reduced = own->first_reduced;
    return why_not_reduced(f, x, g, "columns");
  }
  HD_ASSERT(own->class == HD_FUSE_ELEMENTWISE);
  if (!hd_shapes_same(f->shapes, hd_fuser_result_of(f, x), group->shape))
    return other_shapes(f, hd_fuser_result_of(f, x), group->shape);
  return reads_directly(f, x, g) && only_direct(f, x, g) ? NULL : "it reads elements at other indices than its own";
}

static const char *two_generated(hd_fuser *f, uint32_t a, uint32_t b) {
  if (!f->explain) return "";
  return hd_arena_printf(
      f->arena, "each side has an op that is not computed element by element, %s and %s; a kernel may have one",
      generated_name(f, a), generated_name(f, b));
}

const char *hd_fuser_why_kinds_differ(hd_fuser *f, uint32_t a, uint32_t b) {
  hd_fuse_node *x = &f->nodes[a], *y = &f->nodes[b];
  bool both_generated = x->has_generated && y->has_generated;
  if (x->kind == HD_FUSE_GEMM || y->kind == HD_FUSE_GEMM) {
    if (x->kind == HD_FUSE_ROW || y->kind == HD_FUSE_ROW)
      return "one works on whole rows, of which a tile of the other's product has parts";
    return both_generated ? two_generated(f, a, b) : NULL;
  }
  if (x->kind == HD_FUSE_COLUMN || y->kind == HD_FUSE_COLUMN) {
    if (x->has_generated || y->has_generated) return again_for_each_use(f, x->has_generated ? a : b);
    if (!hd_shapes_same(f->shapes, x->shape, y->shape)) return other_shapes(f, x->shape, y->shape);
    if (x->kind == y->kind) return x->first_reduced != y->first_reduced ? "they reduce other dims" : NULL;
    return (x->kind == HD_FUSE_ROW || y->kind == HD_FUSE_ROW) && !f->target ? rows_and_columns : NULL;
  }
  if (x->kind == HD_FUSE_ROW && y->kind == HD_FUSE_ROW) {
    if (!hd_shapes_same(f->shapes, x->shape, y->shape)) return other_shapes(f, x->shape, y->shape);
    return x->first_reduced != y->first_reduced ? "they reduce other dims" : NULL;
  }
  if (x->kind == HD_FUSE_ROW || y->kind == HD_FUSE_ROW) {
    hd_fuse_node *row = x->kind == HD_FUSE_ROW ? x : y, *loop = x->kind == HD_FUSE_ROW ? y : x;
    if (loop->has_generated) return again_for_each_use(f, loop == x ? a : b);
    if (hd_shapes_same(f->shapes, row->shape, loop->shape) ||
        is_row_shaped(f, loop->shape, row->shape, row->first_reduced))
      return NULL;
    return other_shapes(f, row->shape, loop->shape);
  }
  if (!hd_shapes_same(f->shapes, x->shape, y->shape)) return other_shapes(f, x->shape, y->shape);
  return both_generated ? two_generated(f, a, b) : NULL;
}

const char *hd_fuser_op_name(const hd_op *op) {
  const char *dot = strchr(op->info->name, '.');
  return dot ? dot + 1 : op->info->name;
}

/* Does a member of |group| read a result of |other| through an op that changes indices? A kernel of |form| has the
 * elements of its own place at hand, and those of its row in a row kernel. */
static bool reads_elsewhere(hd_fuser *f, uint32_t group, uint32_t other, const hd_fuse_form *form) {
  for (uint32_t m = group; m != UINT32_MAX; m = f->nodes[m].next)
    if (form->kind == HD_FUSE_ROW ? !only_by_rows(f, m, other, form->shape, form->first_reduced)
                                  : !only_direct(f, m, other))
      return true;
  return false;
}

const char *hd_fuser_why_apart(hd_fuser *f, uint32_t x, uint32_t own, uint32_t g, hd_fuse_form *form) {
  const hd_fuse_node *mine = &f->nodes[own];
  bool alone = mine->size == 1;
  if (reads_columns(f, own, g) || reads_columns(f, g, own))
    return "it reads a reduction of leading dims, which is done when all of the kernel is";
  const char *why = why_not_join(f, x, g, &form->kind, &form->first_reduced);
  form->shape = f->nodes[g].shape;
  if (!why && !alone) why = hd_fuser_why_kinds_differ(f, own, g);
  if (why) return why;
  uint32_t reader = generated_reader(f, own, g);
  if (reader == UINT32_MAX) reader = generated_reader(f, g, own);
  if (reader != UINT32_MAX && !f->explain) return "";
  if (reader != UINT32_MAX)
    return hd_arena_printf(f->arena, "%s in the kernel reads it at other indices than its own: it must be in memory",
                           hd_fuser_op_name(f->nodes[reader].op));
  if (starts_from(f, own, g) || starts_from(f, g, own))
    return "a reduction starts with a value of it, which must be in memory";
  if (mine->kind == HD_FUSE_ROW && !alone) *form = (hd_fuse_form){HD_FUSE_ROW, mine->first_reduced, mine->shape};
  if (mine->kind == HD_FUSE_GEMM) form->kind = HD_FUSE_GEMM;
  if (mine->kind == HD_FUSE_COLUMN && form->kind != HD_FUSE_ROW) /* rows lead */
    form->kind = HD_FUSE_COLUMN, form->first_reduced = mine->first_reduced;
  if (!alone && (reads_elsewhere(f, own, g, form) || reads_elsewhere(f, g, own, form)))
    return "another op of one of the two kernels reads the other at other indices than its own";
  return hd_fuser_why_too_large(f, own, g);
}
