/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives as exchanges of whole blocks, with everything else as graph ops around them:
 *
 *   all_gather along dim a           ->   all_gather of tensor<1x...> along dim 0, its parts moved to dim a
 *   all_reduce ({ add })             ->   the same, its parts added in the order of the group
 *   all_to_all                       ->   blocks to the front, all_to_all of dim 0, blocks to where they are joined
 *   reduce_scatter ({ add })         ->   blocks to the front, all_to_all of dim 0, its parts added
 * so reductions are fused kernels, of any computation, and give the same bits in every process. The ops that stay, and
 * permute and broadcast, say what their groups mean: `hd.grouping` (hd_collective_grouping), `hd.partitions`,
 * `hd.members`. A group of one needs no exchange. partition_id of a program without partitions is 0.
 *
 * Rows of groups that are filled up with -1 are groups of fewer members: what is gathered has room for the largest
 * group, zeros after a short one, and a reduction leaves its value alone there. */
#include "ir/attributes.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/replica_groups.h"
#include "passes/graph/expand/expand_hlo.h"
#include "runtime/collectives_abi.h"

typedef struct grouping {
  int64_t kind, partitions;
  int64_t members, least; /* of the largest and of the smallest group; |members| 0: not known */
} grouping;

/* Ids of row |row| that stand for replicas or partitions. */
static int64_t row_size(hd_attr groups, int64_t row) {
  int64_t size = 0, columns = groups->type->shaped.dims[1];
  for (int64_t k = 0; k < columns; ++k) size += hd_attr_int_at(groups, (size_t)(row * columns + k)) >= 0;
  return size;
}

static int64_t partitions_of(const hd_builder *b) {
  int64_t count = hd_attr_int_or(hd_discardable_mhlo_num_partitions(b->module->op), 1);
  return count < 1 ? 1 : count;
}

static int64_t channel_of(const hd_op *op) {
  return hd_attr_stablehlo_channel_handle_handle(hd_collective_like_channel_handle(op));
}

/* As the specification has it: by the channel, and by whether ids are of devices. */
static bool find_grouping(hd_builder *b, hd_op *op, grouping *out) {
  bool reduces = hd_op_is(op, HD_OP_stablehlo_all_reduce) || hd_op_is(op, HD_OP_stablehlo_all_gather) ||
                 hd_op_is(op, HD_OP_stablehlo_reduce_scatter) || hd_op_is(op, HD_OP_stablehlo_collective_reduce);
  out->kind = channel_of(op) <= 0                                 ? HD_GROUP_REPLICAS
              : !reduces                                          ? HD_GROUP_PARTITIONS
              : hd_collective_like_use_global_device_ids_attr(op) ? HD_GROUP_FLATTENED
                                                                  : HD_GROUP_BOTH;
  out->partitions = partitions_of(b);
  int64_t replicas = hd_attr_int_or(hd_discardable_mhlo_num_replicas(b->module->op), 1);
  if (replicas < 1) replicas = 1;
  if (!hd_collective_like_replica_groups(op)) return true; /* pairs instead */
  hd_attr groups = hd_replica_groups(op);
  if (!groups)
    return hd_op_error(op, "expects 'replica_groups' as a matrix of ids, or as axes of a mesh that is there");
  hd_collective_like_set_replica_groups(op, groups);
  if (!hd_attr_count(groups)) {
    out->members = out->least = out->kind == HD_GROUP_PARTITIONS ? out->partitions
                                : out->kind == HD_GROUP_REPLICAS ? replicas
                                                                 : replicas * out->partitions;
    return true;
  }
  int64_t rows = groups->type->shaped.dims[0], each = out->kind == HD_GROUP_BOTH ? out->partitions : 1;
  for (int64_t row = 0; row < rows; ++row) {
    int64_t size = row_size(groups, row) * each;
    if (size > out->members) out->members = size;
    if (size && (!out->least || size < out->least)) out->least = size;
  }
  return true;
}

static void annotate(hd_op *op, const grouping *g) {
  hd_discardable_set_grouping(op, g->kind);
  hd_discardable_set_partitions(op, g->partitions);
  hd_discardable_set_members(op, g->members);
}

/* The type of |size| tensors like |x|. */
static hd_type with_front(hd_builder *b, hd_value *x, int64_t size) {
  uint32_t rank = hd_type_rank(x->type);
  int64_t *dims = hd_new_array(&b->module->arena, int64_t, rank + 1);
  dims[0] = size;
  for (uint32_t d = 0; d < rank; ++d) dims[d + 1] = x->type->shaped.dims[d];
  return hd_type_with_dims(x->type, dims, rank + 1);
}

/* A block to each member and from each, along dim 0: all_gather of [1, ...] or all_to_all of [members, ...]. */
static hd_value *exchange(hd_builder *b, hd_op *op, const grouping *g, hd_opcode opcode, hd_value *x, hd_type type) {
  hd_attr zero = hd_attr_i64(b->context, 0);
  hd_attr_arg attrs[6] = {{HD_NAME_replica_groups, hd_collective_like_replica_groups(op)},
                          {HD_NAME_channel_handle, hd_collective_like_channel_handle(op)}};
  if (opcode == HD_OP_stablehlo_all_gather) {
    attrs[2] = (hd_attr_arg){HD_NAME_all_gather_dim, zero};
    attrs[3] = (hd_attr_arg){HD_NAME_use_global_device_ids, hd_collective_like_use_global_device_ids_attr(op)};
  } else {
    attrs[2] = (hd_attr_arg){HD_NAME_split_dimension, zero};
    attrs[3] = (hd_attr_arg){HD_NAME_concat_dimension, zero};
    attrs[4] = (hd_attr_arg){HD_NAME_split_count, hd_attr_i64(b->context, g->members)};
  }
  size_t count = opcode == HD_OP_stablehlo_all_gather ? 4 : 5;
  hd_op *made = hd_build_op(b, opcode, &x, 1, &type, 1, attrs, count, 0);
  annotate(made, g);
  return hd_result(made, 0);
}

static hd_value **sizes_of(hd_builder *b, hd_value *x) {
  hd_value **sizes = hd_new_array(&b->module->arena, hd_value *, hd_type_rank(x->type) + 2);
  hd_hlo_sizes_of(b, x, sizes);
  return sizes;
}

/* [members, ...] of |x| from every member. */
static hd_value *gathered(hd_builder *b, hd_op *op, const grouping *g, hd_value *x) {
  uint32_t rank = hd_type_rank(x->type);
  hd_value **sizes = hd_new_array(&b->module->arena, hd_value *, rank + 1);
  sizes[0] = hd_hlo_size(b, 1);
  hd_hlo_sizes_of(b, x, sizes + 1);
  hd_value *one = hd_hlo_reshape(b, x, sizes, rank + 1);
  return exchange(b, op, g, HD_OP_stablehlo_all_gather, one, with_front(b, x, g->members));
}

/* |x| in |members| equal parts along |axis|, exchanged: [members, ...] of this one's part from every member. */
static hd_value *exchanged(hd_builder *b, hd_op *op, const grouping *g, hd_value *x, uint32_t axis) {
  uint32_t rank = hd_type_rank(x->type);
  hd_value **sizes = sizes_of(b, x);
  int64_t known = hd_hlo_known_size(sizes[axis]), *order = hd_new_array(&b->module->arena, int64_t, rank + 1);
  hd_value *members = hd_hlo_size(b, g->members);
  hd_value *part = known == HD_DYNAMIC ? hd_hlo_size_op(b, HD_OP_stablehlo_divide, sizes[axis], members)
                                       : hd_hlo_size(b, known / g->members);
  for (uint32_t d = rank; d > axis; --d) sizes[d] = sizes[d - 1];
  sizes[axis] = members;
  sizes[axis + 1] = part;
  hd_value *split = hd_hlo_reshape(b, x, sizes, rank + 1);
  order[0] = axis;
  for (uint32_t d = 0; d < rank; ++d) order[d + 1] = d < axis ? d : d + 1;
  hd_value *front = hd_hlo_transpose(b, split, order);
  return exchange(b, op, g, HD_OP_stablehlo_all_to_all, front, front->type);
}

/* The parts of [members, ...] side by side along |axis| of the rest. */
static hd_value *joined(hd_builder *b, const grouping *g, hd_value *parts, uint32_t axis) {
  uint32_t rank = hd_type_rank(parts->type) - 1;
  int64_t *order = hd_new_array(&b->module->arena, int64_t, rank + 1);
  for (uint32_t d = 0; d <= rank; ++d) order[d] = d < axis ? d + 1 : d == axis ? 0 : d;
  hd_value *moved = hd_hlo_transpose(b, parts, order), **sizes = sizes_of(b, moved);
  sizes[axis] = hd_hlo_size_op(b, HD_OP_stablehlo_multiply, sizes[axis + 1], hd_hlo_size(b, g->members));
  for (uint32_t d = axis + 1; d < rank; ++d) sizes[d] = sizes[d + 1];
  return hd_hlo_reshape(b, moved, sizes, rank);
}

/* Part |i| of [members, ...]. */
static hd_value *part_of(hd_builder *b, hd_value *parts, int64_t i) {
  uint32_t rank = hd_type_rank(parts->type);
  hd_value **sizes = sizes_of(b, parts);
  bool is_static = true;
  for (uint32_t d = 0; d < rank; ++d) is_static &= hd_hlo_known_size(sizes[d]) != HD_DYNAMIC;
  hd_value *part;
  if (is_static) {
    part = hd_hlo_slice(b, parts, 0, i, i + 1);
  } else {
    hd_value **starts = hd_new_array(&b->module->arena, hd_value *, 3 * (size_t)rank);
    hd_value **limits = starts + rank, **steps = limits + rank;
    int64_t *dims = hd_new_array(&b->module->arena, int64_t, rank);
    for (uint32_t d = 0; d < rank; ++d) {
      starts[d] = hd_hlo_size(b, d ? 0 : i);
      limits[d] = d ? sizes[d] : hd_hlo_size(b, i + 1);
      steps[d] = hd_hlo_size(b, 1);
      dims[d] = d ? parts->type->shaped.dims[d] : 1;
    }
    part = hd_stablehlo_real_dynamic_slice(b, parts, hd_hlo_shape(b, starts, rank), hd_hlo_shape(b, limits, rank),
                                           hd_hlo_shape(b, steps, rank));
  }
  return hd_hlo_reshape(b, part, sizes + 1, rank - 1);
}

/* This process's id as the rows of the groups have it, tensor<i64>. */
static hd_value *own_id(hd_builder *b, const grouping *g) {
  hd_type id = hd_type_tensor(hd_type_integer(b->context, 32, HD_UNSIGNED), NULL, 0, NULL);
  hd_op *ids[2];
  for (int i = 0; i < 2; ++i) {
    hd_opcode opcode = i ? HD_OP_stablehlo_partition_id : HD_OP_stablehlo_replica_id;
    ids[i] = hd_build_op(b, opcode, NULL, 0, &id, 1, NULL, 0, 0);
    hd_discardable_set_partitions(ids[i], g->partitions);
  }
  hd_value *replica = hd_hlo_convert(b, hd_result(ids[0], 0), hd_i64(b->context));
  hd_value *partition = hd_hlo_convert(b, hd_result(ids[1], 0), hd_i64(b->context));
  if (g->kind == HD_GROUP_PARTITIONS) return partition;
  if (g->kind == HD_GROUP_REPLICAS) return replica;
  hd_value *scaled = hd_stablehlo_multiply(b, replica, hd_hlo_int_like(b, replica, g->partitions));
  return hd_stablehlo_add(b, scaled, partition);
}

/* Processes in this one's group, tensor<i64>, where groups differ in size. */
static hd_value *own_count(hd_builder *b, hd_op *op, const grouping *g) {
  hd_attr groups = hd_collective_like_replica_groups(op);
  int64_t columns = groups->type->shaped.dims[1], each = g->kind == HD_GROUP_BOTH ? g->partitions : 1;
  hd_value *own = own_id(b, g), *count = hd_hlo_int_like(b, own, g->members);
  for (size_t at = 0; at < hd_attr_count(groups); ++at) {
    int64_t size = row_size(groups, (int64_t)at / columns) * each, id = hd_attr_int_at(groups, at);
    if (id < 0 || size == g->members) continue;
    for (int64_t p = 0; p < each; ++p) {
      hd_value *here = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, own, hd_hlo_int_like(b, own, id * each + p));
      count = hd_stablehlo_select(b, here, hd_hlo_int_like(b, own, size), count);
    }
  }
  return count;
}

static bool reduced(hd_builder *b, hd_op *op, const grouping *g, hd_value *parts, hd_value **out) {
  hd_value *count = g->least < g->members ? own_count(b, op, g) : NULL;
  *out = part_of(b, parts, 0);
  for (int64_t i = 1; i < g->members; ++i) {
    hd_value *pair[] = {*out, part_of(b, parts, i)}, *before = *out;
    if (!op->region_count)
      *out = hd_stablehlo_add(b, pair[0], pair[1]);
    else if (!hd_hlo_apply(b, hd_op_region(op, 0)->first, pair, out, 1))
      return false;
    if (i < g->least) continue;
    hd_value *is_there = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_GT, count, hd_hlo_int_like(b, count, i));
    *out = hd_stablehlo_select(b, is_there, *out, before);
  }
  return true;
}

/* |x| in the element type and the known dims of result |i|. */
static hd_value *as_result(hd_builder *b, hd_op *op, uint32_t i, hd_value *x) {
  return hd_hlo_retype(b, hd_hlo_convert(b, x, hd_type_element(hd_result_type(op, i))), hd_result_type(op, i));
}

/* A reduction of few members is unrolled. */
enum { MOST_MEMBERS = 256 };

static bool prepare(hd_builder *b, hd_op *op, grouping *g) {
  if (!find_grouping(b, op, g)) return false;
  if (op->operand_count != op->result_count)
    return hd_op_error(op, "expects %u results, one per operand, got %u", op->operand_count, op->result_count);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!hd_type_has_rank(hd_operand_type(op, i)))
      return hd_op_error(op, "expects operands of known rank, got operand #%u of unknown rank", i);
  if (g->members < 1 || g->members > MOST_MEMBERS)
    return hd_op_error(op, "expects groups of 1 to %d processes, got %lld", MOST_MEMBERS, (long long)g->members);
  return true;
}

static bool has_axis(hd_op *op, hd_name name, hd_attr attr) {
  int64_t axis = hd_attr_int_or(attr, -1);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (axis < 0 || axis >= hd_type_rank(hd_operand_type(op, i)))
      return hd_op_error(op, "expects %s below the rank, got %lld", hd_name_text(name), (long long)axis);
  return true;
}

bool hd_expand_all_gather(hd_builder *b, hd_op *op, hd_value **results) {
  grouping g = {0};
  if (!prepare(b, op, &g) || !has_axis(op, HD_NAME_all_gather_dim, hd_stablehlo_all_gather_all_gather_dim_attr(op)))
    return false;
  uint32_t axis = (uint32_t)hd_stablehlo_all_gather_all_gather_dim(op);
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_value *x = hd_operand(op, i);
    results[i] = as_result(b, op, i, g.members == 1 ? x : joined(b, &g, gathered(b, op, &g, x), axis));
  }
  return true;
}

bool hd_expand_all_reduce(hd_builder *b, hd_op *op, hd_value **results) {
  grouping g = {0};
  if (!prepare(b, op, &g)) return false;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_value *x = hd_operand(op, i);
    if (g.members > 1 && !reduced(b, op, &g, gathered(b, op, &g, x), &x)) return false;
    results[i] = as_result(b, op, i, x);
  }
  return true;
}

bool hd_expand_reduce_scatter(hd_builder *b, hd_op *op, hd_value **results) {
  grouping g = {0};
  if (!prepare(b, op, &g) ||
      !has_axis(op, HD_NAME_scatter_dimension, hd_stablehlo_reduce_scatter_scatter_dimension_attr(op)))
    return false;
  uint32_t axis = (uint32_t)hd_stablehlo_reduce_scatter_scatter_dimension(op);
  hd_value *x = hd_operand(op, 0);
  if (g.members > 1 && !reduced(b, op, &g, exchanged(b, op, &g, x, axis), &x)) return false;
  results[0] = as_result(b, op, 0, x);
  return true;
}

bool hd_expand_all_to_all(hd_builder *b, hd_op *op, hd_value **results) {
  grouping g = {0};
  if (!prepare(b, op, &g) || !has_axis(op, HD_NAME_split_dimension, hd_stablehlo_all_to_all_split_dimension_attr(op)) ||
      !has_axis(op, HD_NAME_concat_dimension, hd_stablehlo_all_to_all_concat_dimension_attr(op)))
    return false;
  uint32_t split = (uint32_t)hd_stablehlo_all_to_all_split_dimension(op),
           join = (uint32_t)hd_stablehlo_all_to_all_concat_dimension(op);
  if (hd_stablehlo_all_to_all_split_count(op) != g.members)
    return hd_op_error(op, "expects split_count to be the size of the group, %lld, got another number",
                       (long long)g.members);
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_value *x = hd_operand(op, i);
    results[i] = as_result(b, op, i, g.members == 1 ? x : joined(b, &g, exchanged(b, op, &g, x, split), join));
  }
  return true;
}

/* A permute moves a whole tensor: it stays, as a broadcast of the first does. */
bool hd_expand_collective_permute(hd_builder *b, hd_op *op, hd_value **results) {
  grouping g = {0};
  if (!find_grouping(b, op, &g)) return false;
  annotate(op, &g);
  results[0] = NULL;
  return true;
}

/* [members, ...] of |x|; zeros where the process is in no group. */
static hd_value *gathered_or_zeros(hd_builder *b, hd_op *op, const grouping *g, hd_value *x) {
  hd_value *parts = gathered(b, op, g, x);
  hd_discardable_set_zeros(hd_value_op(parts), true);
  return parts;
}

/* Operand |k|'s root as tensor<i32>: 0, or element |k| of the last operand. */
static hd_value *root_of(hd_builder *b, hd_op *op, uint32_t k) {
  if (!hd_collective_like_has_dynamic_root_attr(op))
    return hd_hlo_zero(b, hd_type_integer(b->context, 32, HD_SIGNLESS));
  return hd_hlo_reshape_to(b, hd_hlo_slice(b, hd_operand(op, op->operand_count - 1), 0, k, (int64_t)k + 1), NULL, 0);
}

bool hd_expand_collective_broadcast(hd_builder *b, hd_op *op, hd_value **results) {
  bool roots = hd_collective_like_has_dynamic_root_attr(op) != NULL;
  grouping g = {0};
  if (!find_grouping(b, op, &g)) return false;
  if (!roots && op->result_count == 1) {
    annotate(op, &g);
    results[0] = NULL;
    return true;
  }
  for (uint32_t k = 0; k < op->result_count; ++k) {
    hd_value *x = hd_operand(op, k);
    if (!roots) {
      hd_attr_arg attrs[] = {{HD_NAME_replica_groups, hd_collective_like_replica_groups(op)},
                             {HD_NAME_channel_handle, hd_collective_like_channel_handle(op)}};
      hd_op *made = hd_build_op(b, HD_OP_stablehlo_collective_broadcast, &x, 1, &x->type, 1, attrs, 2, 0);
      annotate(made, &g);
      results[k] = hd_result(made, 0);
      continue;
    }
    if (!hd_type_is_static(x->type))
      return hd_op_error(op, "expects known dims of operand #%u, as its root is a value of the run", k);
    hd_value *parts = gathered_or_zeros(b, op, &g, x);
    uint32_t rank = hd_type_rank(x->type);
    hd_value **starts = hd_new_array(&b->module->arena, hd_value *, rank + 1);
    int64_t *sizes = hd_new_array(&b->module->arena, int64_t, rank + 1);
    starts[0] = root_of(b, op, k);
    sizes[0] = 1;
    for (uint32_t d = 0; d < rank; ++d) {
      starts[d + 1] = hd_hlo_zero(b, hd_type_integer(b->context, 32, HD_SIGNLESS));
      sizes[d + 1] = x->type->shaped.dims[d];
    }
    hd_value *part =
        hd_stablehlo_dynamic_slice(b, hd_attr_i64_array(b->context, sizes, rank + 1), parts, starts, rank + 1);
    results[k] = hd_hlo_reshape_to(b, part, x->type->shaped.dims, rank);
  }
  return true;
}

/* Is this process the |root|th of its group? tensor<i1>. */
static hd_value *is_root(hd_builder *b, hd_op *op, const grouping *g, hd_value *root) {
  hd_attr groups = hd_collective_like_replica_groups(op);
  hd_value *own = own_id(b, g), *sum = NULL;
  size_t listed = hd_attr_count(groups);
  int64_t columns = listed ? groups->type->shaped.dims[1] : g->members;
  /* A row of replicas stands for all partitions of each, one after the other. */
  int64_t each = listed && g->kind == HD_GROUP_BOTH ? g->partitions : 1;
  int64_t place = 0; /* in the row; -1 has none */
  for (size_t at = 0; at < (listed ? listed : (size_t)g->members); ++at) {
    int64_t id = listed ? hd_attr_int_at(groups, at) : (int64_t)at;
    if ((int64_t)at % columns == 0) place = 0;
    for (int64_t p = 0; id >= 0 && p < each; ++p, ++place) {
      hd_value *here = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, own, hd_hlo_int_like(b, own, id * each + p));
      here =
          hd_hlo_and(b, here, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, root, hd_hlo_int_like(b, root, place)));
      sum = sum ? hd_stablehlo_or(b, sum, here) : here;
    }
  }
  return sum;
}

bool hd_expand_collective_reduce(hd_builder *b, hd_op *op, hd_value **results) {
  grouping g = {0};
  if (!find_grouping(b, op, &g)) return false;
  if (g.members < 1 || g.members > MOST_MEMBERS)
    return hd_op_error(op, "expects groups of 1 to %d processes, got %lld", MOST_MEMBERS, (long long)g.members);
  for (uint32_t k = 0; k < op->result_count; ++k) {
    hd_value *sum;
    if (!reduced(b, op, &g, gathered_or_zeros(b, op, &g, hd_operand(op, k)), &sum)) return false;
    sum = as_result(b, op, k, sum);
    hd_value *root = is_root(b, op, &g, root_of(b, op, k));
    results[k] = hd_stablehlo_select(b, root, sum, hd_hlo_zero_like(b, sum));
  }
  return true;
}

bool hd_expand_process_id(hd_builder *b, hd_op *op, hd_value **results) {
  uint32_t zero = 0;
  int64_t partitions = partitions_of(b);
  results[0] = NULL;
  if (partitions == 1 && hd_op_is(op, HD_OP_stablehlo_partition_id))
    results[0] = hd_build_hlo_constant(b, hd_attr_dense(hd_result_type(op, 0), &zero, sizeof zero, true));
  else
    hd_discardable_set_partitions(op, partitions);
  return true;
}

/* ---- messages and feeds: custom calls of the runtime (runtime/libraries/channels.c) ---- */

/* The first operand of heddle.send and heddle.recv: hd_channel_descriptor, then its pairs, if there are any. */
static hd_value *channel_constant(hd_builder *b, const hd_op *op) {
  hd_attr pairs = hd_collective_like_source_target_pairs(op);
  size_t pair_count = hd_attr_count(pairs) / 2;
  int64_t count = HD_WORDS(hd_channel_descriptor) + (int64_t)pair_count * HD_WORDS(hd_channel_pair);
  int64_t *descriptor = hd_new_array(&b->module->arena, int64_t, (size_t)count),
          *pair = descriptor + HD_WORDS(hd_channel_descriptor);
  descriptor[HD_WORD(hd_channel_descriptor, channel)] = channel_of(op);
  descriptor[HD_WORD(hd_channel_descriptor, partitions)] = partitions_of(b);
  for (size_t i = 0; i < pair_count; ++i, pair += HD_WORDS(hd_channel_pair)) {
    pair[HD_WORD(hd_channel_pair, source)] = hd_attr_int_at(pairs, 2 * i);
    pair[HD_WORD(hd_channel_pair, target)] = hd_attr_int_at(pairs, 2 * i + 1);
  }
  hd_type type = hd_type_tensor(hd_i64(b->context), &count, 1, NULL);
  return hd_build_hlo_constant(b, hd_attr_dense(type, descriptor, (size_t)count * sizeof *descriptor, false));
}

static const char *target_of(const hd_op *op) {
  switch (hd_opcode_get(op)) {
    case HD_OP_stablehlo_send:
      return "heddle.send";
    case HD_OP_stablehlo_recv:
      return "heddle.recv";
    case HD_OP_stablehlo_infeed:
      return "heddle.infeed";
    default:
      return "heddle.outfeed";
  }
}

/* Takes the op's operands and gives its results, but for the token, the last of each. */
bool hd_expand_exchange(hd_builder *b, hd_op *op, hd_value **results) {
  if (!op->operand_count || !op->result_count)
    return hd_op_error(op, "expects a token as operand and result, got %u operands and %u results", op->operand_count,
                       op->result_count);
  bool has_channel = hd_op_is(op, HD_OP_stablehlo_send) || hd_op_is(op, HD_OP_stablehlo_recv);
  uint32_t given = op->operand_count - 1, taken = op->result_count - 1, count = 0;
  hd_value **operands = hd_new_array(&b->module->arena, hd_value *, given + 1);
  if (has_channel) operands[count++] = channel_constant(b, op);
  for (uint32_t i = 0; i < given; ++i) operands[count++] = hd_operand(op, i);
  hd_type *types = hd_new_array(&b->module->arena, hd_type, taken + 1);
  for (uint32_t i = 0; i < taken; ++i) {
    types[i] = hd_result_type(op, i);
    if (!hd_type_is_static(types[i]))
      return hd_op_error(op, "gives a tensor of unknown dims, which has no compiled path");
  }
  hd_attr_arg attrs[] = {{HD_NAME_call_target_name, hd_attr_string(b->context, hd_str_of(target_of(op)))},
                         {HD_NAME_has_side_effect, hd_attr_bool(b->context, true)}};
  hd_op *call = hd_build_op(b, HD_OP_stablehlo_custom_call, operands, count, types, taken, attrs, 2, 0);
  for (uint32_t i = 0; i < taken; ++i) results[i] = hd_result(call, i);
  results[taken] = hd_build_hlo_constant(b, hd_attr_dense(hd_result_type(op, taken), NULL, 0, false));
  return true;
}
