/* SPDX-License-Identifier: Apache-2.0 */
/* disc-specialize-fusion-with-speculation, vectors: a thread has as many neighbours as one load
 * moves, where that divides what it goes along. */
#include "ir/ops/arith.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/gpu/specializer.h"

enum { MAX_VECTOR = 16, MAX_VECTOR_CODE = 384 /* ops times elements */ };

/* Does |op| read its first operand at the index of its result, or one element of it? */
static bool reads_in_place(hd_specializer *s, hd_op *op) {
  hd_index_maps *maps = hd_new_array(&s->ctx.pass->arena, hd_index_maps, op->operand_count);
  if (!hd_index_output_to_input(s->indexing, op, 0, maps) || maps[0].len != 1) return false;
  const hd_index_map *map = maps[0].data[0];
  bool one = !map->range_count && !map->runtime_count;
  for (uint32_t d = 0; d < map->result_count; ++d) one &= map->results[d]->kind == HD_AFFINE_CONST;
  return one || hd_index_map_is_identity(map);
}

/* Loops of elementwise ops alone: others would repeat their own loops. |*out_flat|: all is read at the position at
 * which it is written, or is one element. */
static bool is_elementwise(hd_specializer *s, const hd_kernel_set *set, bool *out_flat) {
  *out_flat = true;
  for (size_t i = 0; i < set->ops.len; ++i) {
    hd_op *op = set->ops.data[i];
    if (hd_is_broadcast_in_dim_like(op))
      *out_flat &= reads_in_place(s, op);
    else if (hd_buffer_opcode(op) != HD_OP_stablehlo_constant /* of one value */ && !hd_is_elementwise(op))
      return false;
  }
  return true;
}

/* The most bytes that an element of |set|'s outputs and of |full|, where it is not null, takes. */
static int64_t element_bytes(const hd_kernel_set *set, hd_value *full) {
  size_t bytes = full ? hd_type_element_bytes(hd_type_element(full->type)) : 1;
  for (size_t o = 0; o < set->outputs.len; ++o) {
    size_t own = hd_type_element_bytes(hd_type_element(set->outputs.data[o]->type));
    bytes = own > bytes ? own : bytes;
  }
  return (int64_t)bytes;
}

static void mark_vectors(hd_specializer *s, hd_op *fusion, int64_t width, hd_enum_vector_of of) {
  hd_discardable_set_vector(fusion, width);
  hd_discardable_set_vector_of(fusion, of);
  s->ctx.pass->changed = true;
}

/* Marks |fusion| with the widest vectors that divide |size|, or makes a version for |width| and at least |least|
 * elements. |*out|: the version where the width divides, which may be |fusion|; null when there is none. */
static bool vectors_of(hd_specializer *s, hd_op *fusion, int64_t width, hd_dim size, hd_enum_vector_of of,
                       int64_t least, hd_op **out) {
  hd_dim_table *t = &s->ctx.shapes->table;
  int64_t divisor = hd_dim_divisor(t, size), known;
  bool is_known = hd_dim_is_const(t, size, &known);
  *out = NULL;
  while (is_known && width > 1 && divisor % width) width /= 2;
  if (width < 2) return true;
  if (divisor % width == 0) {
    mark_vectors(s, fusion, width, of);
    s->ctx.pass->changed = true;
    *out = fusion;
    return true;
  }
  hd_builder b = hd_builder_before(fusion);
  b.loc = fusion->loc;
  hd_value *elements = hd_host_dim(&s->ctx, &b, size, fusion);
  if (!elements) return false;
  hd_value *rest = hd_build(&b, HD_OP_arith_remui, elements->type, elements, hd_build_index(&b, width));
  hd_value *when = hd_arith_cmpi(&b, HD_ARITH_CMPI_EQ, rest, hd_build_index(&b, 0));
  if (hd_dim_lower(size) < least)
    when = hd_build_binary(&b, HD_OP_arith_andi, when,
                           hd_arith_cmpi(&b, HD_ARITH_CMPI_UGE, elements, hd_build_index(&b, least)));
  *out = hd_specialize_fork(s, &b, when, fusion);
  mark_vectors(s, *out, width, of);
  return true;
}

/* How many neighbours a thread of |set|'s kernel has, each of |bytes|. */
static int64_t vector_width(const hd_specializer *s, const hd_kernel_set *set, int64_t bytes) {
  int64_t width = s->target->vector_bytes / bytes;
  if (width > MAX_VECTOR) width = MAX_VECTOR;
  while (width > 1 && (int64_t)set->ops.len * width > MAX_VECTOR_CODE) width /= 2;
  return width;
}

bool hd_specialize_vectors(hd_specializer *s, hd_op *fusion) {
  hd_kernel_set set = {0};
  hd_kernel_collect(fusion, &s->ctx.pass->arena, &set);
  bool flat;
  if (!set.outputs.len || hd_discardable_vector_attr(fusion) || !set.outputs.data[0]->type->shaped.space ||
      !is_elementwise(s, &set, &flat))
    return true;
  hd_value *root = set.outputs.data[0];
  uint32_t rank = hd_type_rank(root->type);
  if (!rank) return true;
  for (size_t o = 1; o < set.outputs.len; ++o)
    if (hd_type_rank(set.outputs.data[o]->type) != rank || !hd_shapes_same(s->ctx.shapes, root, set.outputs.data[o]))
      return true;
  hd_dim size = flat ? hd_shapes_num_elements(s->ctx.shapes, root) : hd_shapes_dim(s->ctx.shapes, root, rank - 1);
  hd_op *version;
  return !size || vectors_of(s, fusion, vector_width(s, &set, element_bytes(&set, NULL)), size,
                             flat ? HD_VECTOR_OF_ALL : HD_VECTOR_OF_ROWS, 0, &version);
}

/* Rows of one dim. */
bool hd_specialize_row_vectors(hd_specializer *s, hd_op *fusion, hd_op **out) {
  *out = NULL;
  hd_op *reduce = hd_first_row_reduction(fusion);
  if (!reduce || hd_discardable_vector_attr(fusion) || hd_attr_count(hd_stablehlo_reduce_dimensions(reduce)) != 1)
    return true;
  hd_kernel_set set = {0};
  hd_kernel_collect(fusion, &s->ctx.pass->arena, &set);
  hd_value *full = hd_operand(reduce, 0);
  int64_t width = vector_width(s, &set, element_bytes(&set, full));
  hd_dim row = hd_shapes_dim(s->ctx.shapes, full, hd_type_rank(full->type) - 1);
  /* A warp has a row's elements at once: with vectors some of its threads would have none. */
  if (hd_dim_upper(row) < s->target->warp * width) return true;
  return vectors_of(s, fusion, width, row, HD_VECTOR_OF_ROWS, s->target->warp * width, out);
}
