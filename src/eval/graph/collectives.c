/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives: processes of a group meet, each gives its values, each computes its own result from all of them. The
 * groups follow from replica_groups, the channel and use_global_device_ids as the StableHLO specification says. A
 * program that runs alone is one process. */
#include <string.h>

#include "eval/core/scalar.h"
#include "eval/graph/elementwise.h"
#include "eval/graph/process.h"
#include "eval/graph/reduce.h"
#include "eval/graph/shape_ops.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/promotion.h"
#include "ir/replica_groups.h"

enum { MOST = 256 };

typedef struct group {
  uint32_t members[MOST];
  size_t count, self; /* self == count: this process is in no group */
} group;

typedef enum grouping { CROSS_REPLICA, CROSS_PARTITION, CROSS_BOTH, FLATTENED } grouping;

static int64_t channel_of(hd_op *op) {
  return hd_attr_stablehlo_channel_handle_handle(hd_collective_like_channel_handle(op));
}

/* Adds process (replica, partition). */
static hd_status add(group *g, const hd_process *p, uint32_t replica, uint32_t partition) {
  if (replica >= hd_process_replicas(p) || partition >= hd_process_partitions(p))
    return hd_make_status(HD_UNIMPLEMENTED, "needs process (%u, %u); there are %u replicas of %u partitions", replica,
                          partition, hd_process_replicas(p), hd_process_partitions(p));
  if (g->count == MOST) return hd_make_status(HD_UNIMPLEMENTED, "groups of more than %d processes", MOST);
  g->members[g->count++] = replica * hd_process_partitions(p) + partition;
  return HD_STATUS_OK;
}

/* The members that id |id| of a row of replica_groups stands for, as process |p| sees them. */
static hd_status add_id(group *g, const hd_process *p, grouping kind, uint32_t id) {
  uint32_t partitions = hd_process_partitions(p);
  switch (kind) {
    case CROSS_REPLICA:
      return add(g, p, id, p->partition);
    case CROSS_PARTITION:
      return add(g, p, p->replica, id);
    case FLATTENED:
      return add(g, p, id / partitions, id % partitions);
    case CROSS_BOTH:
      for (uint32_t k = 0; k < partitions; ++k) HD_TRY(add(g, p, id, k));
      return HD_STATUS_OK;
  }
  return HD_STATUS_OK;
}

static void find_self(group *g, const hd_process *p) {
  uint32_t id = p->replica * hd_process_partitions(p) + p->partition;
  g->self = g->count;
  for (size_t i = 0; i < g->count; ++i)
    if (g->members[i] == id) g->self = i;
}

/* The group of this process among the rows of |groups|; an empty attribute is one group of all. */
static hd_status own_group(hd_eval_frame *frame, hd_attr groups, grouping kind, group *out) {
  const hd_process *p = hd_frame_process(frame);
  uint32_t partitions = hd_process_partitions(p);
  uint32_t own = kind == CROSS_PARTITION ? p->partition
                 : kind == FLATTENED     ? p->replica * partitions + p->partition
                                         : p->replica;
  *out = (group){0};
  if (!groups)
    return hd_make_status(HD_INVALID_ARGUMENT, "replica_groups: expected a matrix of ids, or axes of a mesh");
  size_t count = hd_attr_count(groups);
  if (!count) {
    uint32_t all = kind == CROSS_PARTITION ? partitions
                   : kind == FLATTENED     ? partitions * hd_process_replicas(p)
                                           : hd_process_replicas(p);
    for (uint32_t i = 0; i < all; ++i) HD_TRY(add_id(out, p, kind, i));
    find_self(out, p);
    return HD_STATUS_OK;
  }
  size_t columns = (size_t)groups->type->shaped.dims[1];
  for (size_t row = 0; row < count / columns; ++row) {
    bool mine = false;
    for (size_t k = 0; k < columns; ++k) mine |= hd_attr_int_at(groups, row * columns + k) == (int64_t)own;
    if (!mine) continue;
    for (size_t k = 0; k < columns; ++k) {
      int64_t id = hd_attr_int_at(groups, row * columns + k);
      if (id >= 0) HD_TRY(add_id(out, p, kind, (uint32_t)id)); /* -1 fills up a short row */
    }
    break;
  }
  find_self(out, p);
  return HD_STATUS_OK;
}

static grouping reducing_groups(hd_op *op) {
  bool global = hd_collective_like_use_global_device_ids_attr(op) != NULL;
  return channel_of(op) <= 0 ? CROSS_REPLICA : global ? FLATTENED : CROSS_BOTH;
}

static grouping moving_groups(hd_op *op) { return channel_of(op) <= 0 ? CROSS_REPLICA : CROSS_PARTITION; }

/* Meets with the group; |*out_all| has the values member by member, to be released by drop_all. */
static hd_status meet(hd_eval_frame *frame, hd_op *op, const group *g, const hd_tensor *values, size_t count,
                      hd_tensor **out_all) {
  HD_TRY(hd_eval_temp(frame, g->count * count, sizeof **out_all, out_all));
  return hd_process_meet(frame, op, channel_of(op), g->members, g->count, values, count, *out_all);
}

static void drop_all(hd_tensor *all, size_t count) {
  for (size_t i = 0; i < count; ++i) hd_tensor_release(&all[i]);
}

static hd_status same_shapes(const hd_tensor *all, const group *g, size_t stride, size_t k) {
  for (size_t i = 1; i < g->count; ++i) {
    HD_TRY(hd_eval_same_dims(&all[k], &all[i * stride + k]));
    if (hd_tensor_element(&all[k]) != hd_tensor_element(&all[i * stride + k]))
      return hd_make_status(HD_INVALID_ARGUMENT, "processes differ in element types");
  }
  return HD_STATUS_OK;
}

/* Folds the members' values of operand |k| by the computation, in the order of the group. */
static hd_status reduce_members(hd_eval_frame *frame, hd_op *op, const group *g, const hd_tensor *all, size_t stride,
                                size_t k, hd_tensor *out) {
  HD_TRY(same_shapes(all, g, stride, k));
  const hd_tensor *first = &all[k];
  hd_type from = hd_tensor_element(first), element = hd_combined_element(op, (uint32_t)k);
  size_t bytes = hd_type_element_bytes(element), from_bytes = hd_type_element_bytes(from);
  HD_TRY(hd_eval_tensor(frame, element, hd_tensor_rank(first), hd_tensor_dims(first), out));
  hd_convert_elements(from, hd_tensor_data(first), element, hd_tensor_data(out), hd_tensor_count(out));
  for (size_t i = 1; i < g->count; ++i)
    for (size_t at = 0, count = hd_tensor_count(out); at < count; ++at) {
      char *to = (char *)hd_tensor_data(out) + at * bytes;
      hd_tensor sum = {0};
      HD_TRY(hd_eval_scalar_body(
          frame, op, 0, 2, (hd_type[]){element, from},
          (const void *[]){to, (const char *)hd_tensor_data(&all[i * stride + k]) + at * from_bytes}, &sum, 1));
      hd_convert_elements(hd_tensor_element(&sum), hd_tensor_data(&sum), element, to, 1);
      hd_tensor_release(&sum);
    }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(all_reduce) {
  uint32_t n = op->operand_count;
  group g;
  hd_tensor *all;
  HD_TRY(own_group(frame, hd_replica_groups(op), reducing_groups(op), &g));
  if (g.self == g.count || op->result_count != n)
    return hd_make_status(HD_INVALID_ARGUMENT, "the process is in no group");
  HD_TRY(meet(frame, op, &g, in, n, &all));
  hd_status status = HD_STATUS_OK;
  for (uint32_t k = 0; k < n && hd_is_ok(status); ++k) status = reduce_members(frame, op, &g, all, n, k, &out[k]);
  drop_all(all, g.count * n);
  return status;
}

/* Part |index| of |parts| equal ones of |tensor| along |axis|. */
static hd_status part_of(hd_eval_frame *frame, const hd_tensor *tensor, int64_t axis, int64_t parts, int64_t index,
                         hd_tensor *out) {
  uint32_t rank = hd_tensor_rank(tensor);
  if (axis < 0 || axis >= (int64_t)rank || parts < 1 || hd_tensor_dims(tensor)[axis] % parts)
    return hd_make_status(HD_INVALID_ARGUMENT, "dim %lld does not split into %lld parts", (long long)axis,
                          (long long)parts);
  int64_t dims[HD_MAX_RANK], strides[HD_MAX_RANK], to_strides[HD_MAX_RANK];
  memcpy(dims, hd_tensor_dims(tensor), rank * sizeof *dims);
  hd_strides_of(rank, dims, strides);
  dims[axis] /= parts;
  HD_TRY(hd_eval_tensor(frame, hd_tensor_element(tensor), rank, dims, out));
  hd_strides_of(rank, dims, to_strides);
  size_t bytes = hd_tensor_element_bytes(tensor);
  hd_tensor_copy_strided(rank, dims, bytes, hd_tensor_data(out), to_strides,
                         (const char *)hd_tensor_data(tensor) + index * dims[axis] * strides[axis] * (int64_t)bytes,
                         strides);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(reduce_scatter) {
  group g;
  hd_tensor *all, whole = {0};
  HD_TRY(own_group(frame, hd_replica_groups(op), reducing_groups(op), &g));
  if (g.self == g.count) return hd_make_status(HD_INVALID_ARGUMENT, "the process is in no group");
  HD_TRY(meet(frame, op, &g, in, 1, &all));
  hd_status status = reduce_members(frame, op, &g, all, 1, 0, &whole);
  if (hd_is_ok(status))
    status = part_of(frame, &whole, hd_stablehlo_reduce_scatter_scatter_dimension(op), (int64_t)g.count,
                     (int64_t)g.self, out);
  hd_tensor_release(&whole);
  drop_all(all, g.count);
  return status;
}

HD_EVAL_HOOK(all_to_all) {
  uint32_t n = op->operand_count;
  int64_t split = hd_stablehlo_all_to_all_split_dimension(op), concat = hd_stablehlo_all_to_all_concat_dimension(op);
  group g;
  hd_tensor *all, *parts;
  HD_TRY(own_group(frame, hd_replica_groups(op), moving_groups(op), &g));
  if (g.self == g.count || op->result_count != n)
    return hd_make_status(HD_INVALID_ARGUMENT, "the process is in no group");
  if (hd_stablehlo_all_to_all_split_count(op) != (int64_t)g.count)
    return hd_make_status(HD_INVALID_ARGUMENT, "split_count: expected the size of the group, %zu", g.count);
  HD_TRY(hd_eval_temp(frame, g.count, sizeof *parts, &parts));
  HD_TRY(meet(frame, op, &g, in, n, &all));
  hd_status status = HD_STATUS_OK;
  for (uint32_t k = 0; k < n && hd_is_ok(status); ++k) {
    for (size_t i = 0; i < g.count && hd_is_ok(status); ++i)
      status = part_of(frame, &all[i * n + k], split, (int64_t)g.count, (int64_t)g.self, &parts[i]);
    if (hd_is_ok(status)) status = hd_eval_concatenated(frame, parts, g.count, concat, &out[k]);
    drop_all(parts, g.count);
  }
  drop_all(all, g.count * n);
  return status;
}

static hd_status zeros_of(hd_eval_frame *frame, hd_type element, const hd_tensor *like, hd_tensor *out) {
  HD_TRY(hd_eval_tensor(frame, element, hd_tensor_rank(like), hd_tensor_dims(like), out));
  memset(hd_tensor_data(out), 0, out->buffer->size);
  return HD_STATUS_OK;
}

static hd_status zeros_like(hd_eval_frame *frame, const hd_tensor *like, hd_tensor *out) {
  return zeros_of(frame, hd_tensor_element(like), like, out);
}

/* As hlo-expand leaves it, with `hd.members`, a gather has as many parts as the largest group: after a smaller one,
 * and with `hd.zeros` for who is in no group, they are zeros. */
HD_EVAL_HOOK(all_gather) {
  int64_t axis = hd_stablehlo_all_gather_all_gather_dim(op), most = hd_discardable_members(op);
  uint32_t n = op->operand_count;
  group g;
  hd_tensor *all = NULL, *parts, zeros = {0};
  HD_TRY(own_group(frame, hd_replica_groups(op), reducing_groups(op), &g));
  bool member = g.self < g.count;
  if ((!member && !hd_discardable_zeros(op)) || op->result_count != n || most > MOST)
    return hd_make_status(HD_INVALID_ARGUMENT, "the process is in no group");
  size_t given = member ? g.count : 0, count = (size_t)most > given ? (size_t)most : given;
  HD_TRY(hd_eval_temp(frame, count, sizeof *parts, &parts));
  if (member) HD_TRY(meet(frame, op, &g, in, n, &all));
  hd_status status = HD_STATUS_OK;
  for (uint32_t k = 0; k < n && hd_is_ok(status); ++k) {
    if (count > given) status = zeros_like(frame, &in[k], &zeros);
    for (size_t i = 0; i < count; ++i) parts[i] = i < given ? all[i * n + k] : zeros;
    if (hd_is_ok(status)) status = hd_eval_concatenated(frame, parts, count, axis, &out[k]);
    hd_tensor_release(&zeros);
  }
  drop_all(all, given * n);
  return status;
}

/* The member of |g| whose value |k| counts: the first, or the one that the last operand says. */
static hd_status root_of(hd_op *op, const hd_tensor *in, const group *g, uint32_t k, size_t *out) {
  *out = 0;
  if (!hd_collective_like_has_dynamic_root_attr(op)) return HD_STATUS_OK;
  int32_t root;
  memcpy(&root, (const char *)hd_tensor_data(&in[op->operand_count - 1]) + k * sizeof root, sizeof root);
  if (root < 0 || (size_t)root >= g->count)
    return hd_make_status(HD_INVALID_ARGUMENT, "root %d: expected a member of a group of %zu", root, g->count);
  *out = (size_t)root;
  return HD_STATUS_OK;
}

/* Who is in no group gets zeros. */
HD_EVAL_HOOK(collective_broadcast) {
  uint32_t n = op->result_count;
  group g;
  hd_tensor *all;
  HD_TRY(own_group(frame, hd_replica_groups(op), moving_groups(op), &g));
  if (g.self == g.count) {
    for (uint32_t k = 0; k < n; ++k) HD_TRY(zeros_like(frame, &in[k], &out[k]));
    return HD_STATUS_OK;
  }
  HD_TRY(meet(frame, op, &g, in, n, &all));
  hd_status status = HD_STATUS_OK;
  for (uint32_t k = 0; k < n && hd_is_ok(status); ++k) {
    size_t root;
    status = root_of(op, in, &g, k, &root);
    if (hd_is_ok(status)) out[k] = hd_tensor_retain(all[root * n + k]);
  }
  drop_all(all, g.count * n);
  return status;
}

/* The root gets the sum, others and who is in no group zeros. */
HD_EVAL_HOOK(collective_reduce) {
  uint32_t n = op->result_count;
  group g;
  hd_tensor *all = NULL;
  HD_TRY(own_group(frame, hd_replica_groups(op), reducing_groups(op), &g));
  bool member = g.self < g.count;
  if (member) HD_TRY(meet(frame, op, &g, in, n, &all));
  hd_status status = HD_STATUS_OK;
  for (uint32_t k = 0; k < n && hd_is_ok(status); ++k) {
    size_t root = 0;
    if (member) status = root_of(op, in, &g, k, &root);
    if (!hd_is_ok(status)) break;
    status = member && root == g.self ? reduce_members(frame, op, &g, all, n, k, &out[k])
                                      : zeros_of(frame, hd_combined_element(op, k), &in[k], &out[k]);
  }
  if (member) drop_all(all, g.count * n);
  return status;
}

/* All who occur in the pairs meet; each takes the value of its source, or zeros. */
HD_EVAL_HOOK(collective_permute) {
  const hd_process *p = hd_frame_process(frame);
  hd_attr pairs = hd_collective_like_source_target_pairs(op);
  grouping kind = moving_groups(op);
  uint32_t own = kind == CROSS_PARTITION ? p->partition : p->replica;
  size_t count = hd_attr_count(pairs);
  group g = {0};
  int64_t source = -1;
  for (size_t i = 0; i + 1 < count; i += 2)
    for (int side = 0; side < 2; ++side) {
      int64_t id = hd_attr_int_at(pairs, i + (size_t)side);
      if (id < 0) return hd_make_status(HD_INVALID_ARGUMENT, "source_target_pairs: expected ids of 0 or more");
      group one = {0};
      HD_TRY(add_id(&one, p, kind, (uint32_t)id));
      bool known = false;
      for (size_t k = 0; k < g.count; ++k) known |= g.members[k] == one.members[0];
      if (!known) {
        if (g.count == MOST) return hd_make_status(HD_UNIMPLEMENTED, "groups of more than %d processes", MOST);
        g.members[g.count++] = one.members[0];
      }
      if (side && id == (int64_t)own) {
        HD_TRY(add_id(&(group){0}, p, kind, (uint32_t)hd_attr_int_at(pairs, i)));
        group from = {0};
        HD_TRY(add_id(&from, p, kind, (uint32_t)hd_attr_int_at(pairs, i)));
        source = from.members[0];
      }
    }
  find_self(&g, p);
  if (g.self == g.count) return zeros_like(frame, &in[0], out);
  hd_tensor *all;
  HD_TRY(meet(frame, op, &g, in, 1, &all));
  for (size_t k = 0; k < g.count; ++k)
    if ((int64_t)g.members[k] == source) out[0] = hd_tensor_retain(all[k]);
  drop_all(all, g.count);
  return out[0].type ? HD_STATUS_OK : zeros_like(frame, &in[0], out);
}

/* The older form of all_reduce with addition has no region. */
HD_EVAL_HOOK(cross_replica_sum) {
  group g;
  hd_tensor *all;
  HD_TRY(own_group(frame, hd_replica_groups(op), CROSS_REPLICA, &g));
  if (g.self == g.count) return hd_make_status(HD_INVALID_ARGUMENT, "the process is in no group");
  HD_TRY(meet(frame, op, &g, in, 1, &all));
  const hd_elementwise *sum = hd_elementwise_by(hd_op_info_of(HD_OP_stablehlo_add));
  hd_type element = hd_tensor_element(&all[0]);
  size_t bytes = hd_type_element_bytes(element), count = hd_tensor_count(&all[0]);
  hd_status status = same_shapes(all, &g, 1, 0);
  if (hd_is_ok(status)) status = hd_eval_tensor(frame, element, hd_tensor_rank(&all[0]), hd_tensor_dims(&all[0]), out);
  if (hd_is_ok(status)) memcpy(hd_tensor_data(out), hd_tensor_data(&all[0]), count * bytes);
  for (size_t i = 1; i < g.count && hd_is_ok(status); ++i)
    for (size_t at = 0; at < count; ++at) {
      char *to = (char *)hd_tensor_data(out) + at * bytes;
      hd_elementwise_apply2(sum, element, to, (const char *)hd_tensor_data(&all[i]) + at * bytes, to);
    }
  drop_all(all, g.count);
  return status;
}

static hd_status give_id(hd_eval_frame *frame, hd_op *op, uint32_t id, hd_tensor *out) {
  HD_TRY(hd_eval_result(frame, op, 0, 0, NULL, out));
  int64_t value = id;
  hd_convert_elements(hd_i64(hd_frame_context(frame)), &value, hd_tensor_element(out), hd_tensor_data(out), 1);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(replica_id) { return give_id(frame, op, hd_frame_process(frame)->replica, out); }
HD_EVAL_HOOK(partition_id) { return give_id(frame, op, hd_frame_process(frame)->partition, out); }

/* ---- channels ---- */

static void give_token(hd_op *op, hd_tensor *out) {
  uint32_t last = op->result_count - 1;
  out[last] = (hd_tensor){.type = hd_result_type(op, last)};
}

/* The process that this one sends to, or receives from, by the pairs of |op|: partitions of its replica where there are
 * several, else replicas. HD_PROCESS_ANY without pairs; *out_named tells whether this process is in them. */
static hd_status peer_of(hd_eval_frame *frame, hd_op *op, bool sends, int64_t *out, bool *out_named) {
  const hd_process *p = hd_frame_process(frame);
  hd_attr pairs = hd_collective_like_source_target_pairs(op);
  int64_t partitions = hd_process_partitions(p), own = partitions > 1 ? p->partition : p->replica;
  int64_t count = partitions > 1 ? partitions : hd_process_replicas(p);
  *out = HD_PROCESS_ANY;
  *out_named = !pairs;
  for (size_t i = 0; i + 1 < hd_attr_count(pairs); i += 2) {
    int64_t end = hd_attr_int_at(pairs, i + !sends), other = hd_attr_int_at(pairs, i + sends);
    if (end != own) continue;
    if (other < 0 || other >= count)
      return hd_make_status(HD_INVALID_ARGUMENT, "source_target_pairs: there are %lld processes, and no number %lld",
                            (long long)count, (long long)other);
    *out = partitions > 1 ? p->replica * partitions + other : other;
    *out_named = true;
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(send) {
  int64_t to;
  bool named;
  if (!op->operand_count || !op->result_count) return hd_make_status(HD_INVALID_ARGUMENT, "expected a token");
  HD_TRY(peer_of(frame, op, true, &to, &named));
  if (named) HD_TRY(hd_process_send(frame, channel_of(op), to, in, op->operand_count - 1));
  give_token(op, out);
  return HD_STATUS_OK;
}

/* Who is nobody's target gets zeros. */
HD_EVAL_HOOK(recv) {
  int64_t from;
  bool named;
  if (!op->result_count) return hd_make_status(HD_INVALID_ARGUMENT, "expected a token");
  HD_TRY(peer_of(frame, op, false, &from, &named));
  if (named) HD_TRY(hd_process_receive(frame, channel_of(op), from, out, op->result_count - 1));
  for (uint32_t i = 0; !named && i + 1 < op->result_count; ++i) {
    HD_TRY(hd_eval_value(frame, hd_result_type(op, i), &out[i]));
    memset(hd_tensor_data(&out[i]), 0, out[i].buffer->size);
  }
  give_token(op, out);
  return HD_STATUS_OK;
}

/* The next function of run_parallel's infeed gives the values. */
HD_EVAL_HOOK(infeed) {
  hd_op *function = hd_process_next_infeed(frame);
  if (!function) return hd_make_status(HD_UNIMPLEMENTED, "has no infeed to read from");
  if (!op->result_count || hd_function_result_count(function) != op->result_count - 1)
    return hd_make_status(HD_INVALID_ARGUMENT, "the infeed gives %zu values, expected %u",
                          hd_function_result_count(function), op->result_count ? op->result_count - 1 : 0);
  HD_TRY(hd_eval_call(frame, function, NULL, 0, out));
  give_token(op, out);
  return HD_STATUS_OK;
}

/* What is fed out inside run_parallel has no reader. */
HD_EVAL_HOOK(outfeed) {
  if (!hd_frame_process(frame)->group) return hd_make_status(HD_UNIMPLEMENTED, "has no outfeed to write to");
  give_token(op, out);
  return HD_STATUS_OK;
}

/* ---- asynchronous forms: the work is done at the start, the future holds its values ---- */

HD_EVAL_HOOK(async_start) {
  hd_region *region = op->region_count ? hd_op_region(op, 0) : NULL;
  if (!region || !region->first || !region->first->last) return hd_make_status(HD_INVALID_ARGUMENT, "expected a body");
  size_t count = region->first->last->operand_count;
  hd_tensor *values;
  HD_TRY(hd_eval_temp(frame, count, sizeof *values, &values));
  size_t args = region->first->arg_count;
  if (args > op->operand_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected at most as many arguments as operands");
  HD_TRY(hd_eval_region(frame, op, 0, in, args, values, count));
  hd_status status = hd_tensor_create_tuple(hd_frame_heap(frame), hd_result_type(op, 0), values, count, out);
  if (!hd_is_ok(status)) drop_all(values, count);
  return status;
}

HD_EVAL_HOOK(async_done) {
  const hd_tensor *future = &in[0];
  if (!future->buffer || !future->buffer->is_tuple || future->buffer->size / sizeof(hd_tensor) != op->result_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a future of %u values", op->result_count);
  for (uint32_t i = 0; i < op->result_count; ++i) out[i] = hd_tensor_retain(*hd_tuple_get(future, i));
  return HD_STATUS_OK;
}
