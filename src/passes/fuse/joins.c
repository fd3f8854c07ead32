/* SPDX-License-Identifier: Apache-2.0 */
/* disc-fusion: fusion blockers by what the kernels compute. A decision and its explanation are one function, so that
 * `heddle explain` cannot report another reason than the one that decided. Texts are formatted with |explain| alone. */
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/fuse/fuser.h"

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

static const char *shape_blocker(hd_fuser *f, hd_value *a, hd_value *b) {
  if (!f->explain) return "";
  return hd_arena_printf(f->arena, "shapes %s and %s are not provably equal", shape_text(f, a), shape_text(f, b));
}

/* The op of group |g| that computes its elements by other means than one by one. */
static const char *generated_name(hd_fuser *f, uint32_t g) {
  for (uint32_t m = g; m != UINT32_MAX; m = f->nodes[m].next_member)
    if (f->nodes[m].class == HD_FUSE_GENERATED || f->nodes[m].class == HD_FUSE_DOT)
      return hd_fuser_op_name(f->nodes[m].op);
  return "op";
}

static const char *recompute_blocker(hd_fuser *f, uint32_t g) {
  if (!f->explain) return "";
  return hd_arena_printf(f->arena, "a reduction would compute the kernel's %s again for each of its uses",
                         generated_name(f, g));
}

static uint32_t first_reduced_of(hd_fuser *f, uint32_t x, uint32_t rank) {
  return rank - (uint32_t)hd_attr_count(hd_stablehlo_reduce_dimensions(f->nodes[x].op));
}

/* A block of rows has a part of each column: only atomics bring them together. */
static const char rows_and_columns[] = "one works on whole rows, the other on blocks of columns";

/* May all sums of columns in |group| be parts of a block's rows? */
static const char *columns_blocker(const hd_fuser *f, uint32_t group) {
  if (!f->nodes[group].has_columns) return NULL;
  if (!f->target) return rows_and_columns;
  for (uint32_t m = group; m != UINT32_MAX; m = f->nodes[m].next_member)
    if (f->nodes[m].class == HD_FUSE_COLUMN_REDUCE && !hd_is_atomic_reduction(f->nodes[m].op)) return rows_and_columns;
  return NULL;
}

/* Why |x| may not join |g|, which has rows. */
static const char *row_kernel_blocker(hd_fuser *f, uint32_t x, uint32_t g) {
  hd_fuse_node *group = &f->nodes[g], *own = &f->nodes[x];
  hd_value *full = group->shape, *out = hd_fuser_result_of(f, x);
  if (!hd_fuser_reads_only_by_rows(f, x, g, full, group->first_reduced))
    return "it reads it at other indices, which are not provably of the same row";
  if (own->class == HD_FUSE_ROW_REDUCE || own->class == HD_FUSE_COLUMN_REDUCE) {
    if (!hd_shapes_same(f->shapes, hd_operand(own->op, 0), full)) return shape_blocker(f, hd_operand(own->op, 0), full);
    if (own->class == HD_FUSE_COLUMN_REDUCE)
      return f->target && hd_is_atomic_reduction(own->op) ? NULL : rows_and_columns;
    return first_reduced_of(f, x, hd_type_rank(full->type)) == group->first_reduced ? NULL : "it reduces other dims";
  }
  if (hd_shapes_same(f->shapes, out, full) || hd_fuser_is_row_shaped(f, out, full, group->first_reduced)) return NULL;
  if (!f->explain) return "";
  return hd_arena_printf(f->arena, "its shape %s is provably neither that of the rows %s nor one value for each",
                         shape_text(f, out), shape_text(f, full));
}

/* Why |x|, a reduction of whole rows or columns of what |g| computes, may not join it. */
static const char *reduction_blocker(hd_fuser *f, uint32_t x, uint32_t g, const char *lines) {
  hd_fuse_node *group = &f->nodes[g];
  hd_value *operand = hd_operand(f->nodes[x].op, 0);
  if (group->kind == HD_FUSE_GEMM && !f->explain) return "";
  if (group->kind == HD_FUSE_GEMM)
    return hd_arena_printf(f->arena, "a reduction needs whole %s, a tile of the product has part of each", lines);
  if (group->has_generated) return recompute_blocker(f, g);
  if (!hd_shapes_same(f->shapes, operand, group->shape)) return shape_blocker(f, operand, group->shape);
  if (!hd_fuser_reads_directly(f, x, g) || !hd_fuser_reads_only_directly(f, x, g))
    return "the reduction reads it through an op that changes indices";
  return NULL;
}

/* Why |x| may not join group |g|; null: it may, as |kind|. */
static const char *group_blocker(hd_fuser *f, uint32_t x, uint32_t g, hd_fuse_kind *kind, uint32_t *first_reduced) {
  hd_fuse_node *group = &f->nodes[g], *own = &f->nodes[x];
  *kind = group->kind;
  *first_reduced = group->first_reduced;
  if (group->kind == HD_FUSE_GEMM && f->products_alone) return "on this target a product has no other ops with it";
  if (group->kind == HD_FUSE_ROW) return row_kernel_blocker(f, x, g);
  if (own->class == HD_FUSE_ROW_REDUCE) {
    *kind = HD_FUSE_ROW;
    *first_reduced = first_reduced_of(f, x, hd_type_rank(group->shape->type));
    const char *reason = columns_blocker(f, g);
    return reason ? reason : reduction_blocker(f, x, g, "rows");
  }
  if (own->class == HD_FUSE_COLUMN_REDUCE) {
    if (group->kind == HD_FUSE_COLUMN && group->first_reduced != own->first_reduced) return "it reduces other dims";
    *kind = HD_FUSE_COLUMN;
    *first_reduced = own->first_reduced;
    return reduction_blocker(f, x, g, "columns");
  }
  HD_ASSERT(own->class == HD_FUSE_ELEMENTWISE);
  if (!hd_shapes_same(f->shapes, hd_fuser_result_of(f, x), group->shape))
    return shape_blocker(f, hd_fuser_result_of(f, x), group->shape);
  return hd_fuser_reads_directly(f, x, g) && hd_fuser_reads_only_directly(f, x, g)
             ? NULL
             : "it reads elements at other indices than its own";
}

static const char *generated_blocker(hd_fuser *f, uint32_t a, uint32_t b) {
  if (!f->explain) return "";
  return hd_arena_printf(
      f->arena, "each side has an op that is not computed element by element, %s and %s; a kernel may have one",
      generated_name(f, a), generated_name(f, b));
}

/* Are all ops of group |g| that are not computed element by element gathers? Any number of them share a loop: each
 * loads from where its indices say; none wants another loop than the kernel's, as transposes and concatenates do. */
static bool has_only_gathers(hd_fuser *f, uint32_t g) {
  for (uint32_t m = g; m != UINT32_MAX; m = f->nodes[m].next_member)
    if (f->nodes[m].class == HD_FUSE_DOT ||
        (f->nodes[m].class == HD_FUSE_GENERATED && !hd_is_gather_like(f->nodes[m].op)))
      return false;
  return true;
}

const char *hd_fuser_kind_blocker(hd_fuser *f, uint32_t a, uint32_t b) {
  hd_fuse_node *x = &f->nodes[a], *y = &f->nodes[b];
  bool both_generated = x->has_generated && y->has_generated;
  if (x->kind == HD_FUSE_GEMM || y->kind == HD_FUSE_GEMM) {
    if (x->kind == HD_FUSE_ROW || y->kind == HD_FUSE_ROW)
      return "one works on whole rows, of which a tile of the other's product has parts";
    return both_generated ? generated_blocker(f, a, b) : NULL;
  }
  if (x->kind == HD_FUSE_COLUMN || y->kind == HD_FUSE_COLUMN) {
    if (x->has_generated || y->has_generated) return recompute_blocker(f, x->has_generated ? a : b);
    if (!hd_shapes_same(f->shapes, x->shape, y->shape)) return shape_blocker(f, x->shape, y->shape);
    if (x->kind == y->kind) return x->first_reduced != y->first_reduced ? "they reduce other dims" : NULL;
    bool rows = x->kind == HD_FUSE_ROW || y->kind == HD_FUSE_ROW;
    return rows ? columns_blocker(f, x->kind == HD_FUSE_COLUMN ? a : b) : NULL;
  }
  if (x->kind == HD_FUSE_ROW && y->kind == HD_FUSE_ROW) {
    if (!hd_shapes_same(f->shapes, x->shape, y->shape)) return shape_blocker(f, x->shape, y->shape);
    return x->first_reduced != y->first_reduced ? "they reduce other dims" : NULL;
  }
  if (x->kind == HD_FUSE_ROW || y->kind == HD_FUSE_ROW) {
    hd_fuse_node *row = x->kind == HD_FUSE_ROW ? x : y, *loop = x->kind == HD_FUSE_ROW ? y : x;
    if (loop->has_generated) return recompute_blocker(f, loop == x ? a : b);
    if (hd_shapes_same(f->shapes, row->shape, loop->shape) ||
        hd_fuser_is_row_shaped(f, loop->shape, row->shape, row->first_reduced))
      return NULL;
    return shape_blocker(f, row->shape, loop->shape);
  }
  if (!hd_shapes_same(f->shapes, x->shape, y->shape)) return shape_blocker(f, x->shape, y->shape);
  return both_generated && !(has_only_gathers(f, a) && has_only_gathers(f, b)) ? generated_blocker(f, a, b) : NULL;
}

/* Does a member of |group| read a result of |other| through an op that changes indices? |kernel| has the
 * elements of its own place at hand, and those of its row in a row kernel. */
static bool reads_elsewhere(hd_fuser *f, uint32_t group, uint32_t other, const hd_fuse_kernel *kernel) {
  for (uint32_t m = group; m != UINT32_MAX; m = f->nodes[m].next_member)
    if (kernel->kind == HD_FUSE_ROW ? !hd_fuser_reads_only_by_rows(f, m, other, kernel->shape, kernel->first_reduced)
                                    : !hd_fuser_reads_only_directly(f, m, other))
      return true;
  return false;
}

const char *hd_fuser_join_blocker(hd_fuser *f, uint32_t x, uint32_t own, uint32_t g, hd_fuse_kernel *kernel) {
  const hd_fuse_node *mine = &f->nodes[own];
  bool alone = mine->size == 1;
  if (hd_fuser_reads_columns(f, own, g) || hd_fuser_reads_columns(f, g, own))
    return "it reads a reduction of leading dims, which is done when all of the kernel is";
  const char *reason = group_blocker(f, x, g, &kernel->kind, &kernel->first_reduced);
  kernel->shape = f->nodes[g].shape;
  if (!reason && !alone) reason = hd_fuser_kind_blocker(f, own, g);
  if (reason) return reason;
  uint32_t reader = hd_fuser_generated_reader(f, own, g);
  if (reader == UINT32_MAX) reader = hd_fuser_generated_reader(f, g, own);
  if (reader != UINT32_MAX && !f->explain) return "";
  if (reader != UINT32_MAX)
    return hd_arena_printf(f->arena, "%s in the kernel reads it at other indices than its own: it must be in memory",
                           hd_fuser_op_name(f->nodes[reader].op));
  if (hd_fuser_starts_from(f, own, g) || hd_fuser_starts_from(f, g, own))
    return "a reduction starts with a value of it, which must be in memory";
  if (mine->kind == HD_FUSE_ROW && !alone) *kernel = (hd_fuse_kernel){HD_FUSE_ROW, mine->first_reduced, mine->shape};
  if (mine->kind == HD_FUSE_GEMM) kernel->kind = HD_FUSE_GEMM;
  if (mine->kind == HD_FUSE_COLUMN && kernel->kind != HD_FUSE_ROW) /* rows lead */
    kernel->kind = HD_FUSE_COLUMN, kernel->first_reduced = mine->first_reduced;
  if (!alone && (reads_elsewhere(f, own, g, kernel) || reads_elsewhere(f, g, own, kernel)))
    return "another op of one of the two kernels reads the other at other indices than its own";
  return hd_fuser_size_blocker(f, own, g);
}
