/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives of a program as exchanges of whole blocks. The compiler has put everything else around them: a reducing
 * collective is a gather or an exchange followed by the reduction of its parts in the order of the group
 * (passes/graph/expand/expand_collectives.c), so results have the same bits in every process. A gather of a group that
 * is smaller than the others has zeros after its members.
 *
 *   gather       out[i] = in of member i             exchange     out[i] = block i' of member i, i' this one's place
 *   permute      out = in of the source, or zeros    broadcast    out = in of the first member, or zeros */
#include <stdlib.h>
#include <string.h>

#include "runtime/collectives_abi.h"
#include "runtime/communicator.h"
#include "runtime/objects.h"
#include "runtime/ral_api.h"

typedef struct place {
  hd_communicator *communicator; /* null: alone */
  uint32_t rank, size, partitions, replicas;
  bool on_device; /* operand and result are there, and the communicator takes them there */
} place;

static hd_status place_of(hd_ral_context *ctx, int64_t partitions, place *out) {
  *out = (place){.communicator = ctx->options->communicator, .size = 1, .partitions = (uint32_t)partitions};
  if (out->communicator) {
    out->rank = (uint32_t)hd_communicator_rank(out->communicator);
    out->size = (uint32_t)hd_communicator_size(out->communicator);
  }
  if (partitions < 1 || out->size % partitions)
    return hd_make_status(HD_INVALID_ARGUMENT,
                          "%u %s not make replicas of %lld partitions, expected a multiple of %lld%s", out->size,
                          out->size == 1 ? "process does" : "processes do", (long long)partitions,
                          (long long)partitions, out->communicator ? "" : "; " HD_RUNS_ALONE);
  out->replicas = out->size / out->partitions;
  return HD_STATUS_OK;
}

typedef struct group {
  uint32_t *members; /* room for all processes */
  uint32_t count, self;
  bool is_short; /* its row is filled up with -1 */
} group;

static hd_status add(const place *p, group *g, int64_t replica, int64_t partition) {
  if (replica < 0 || partition < 0 || replica >= p->replicas || partition >= p->partitions)
    return hd_make_status(HD_INVALID_ARGUMENT, "needs process (%lld, %lld), got %u replica%s of %u partition%s%s",
                          (long long)replica, (long long)partition, p->replicas, p->replicas == 1 ? "" : "s",
                          p->partitions, p->partitions == 1 ? "" : "s", p->communicator ? "" : "; " HD_RUNS_ALONE);
  uint32_t rank = (uint32_t)(replica * p->partitions + partition);
  for (uint32_t i = 0; i < g->count; ++i)
    if (g->members[i] == rank) return HD_STATUS_OK;
  if (rank == p->rank) g->self = g->count;
  g->members[g->count++] = rank;
  return HD_STATUS_OK;
}

/* What an id of a row stands for, as this process sees it. */
static hd_status add_id(const place *p, group *g, int64_t grouping, int64_t id) {
  int64_t partitions = p->partitions;
  switch (grouping) {
    case HD_GROUP_REPLICAS:
      return add(p, g, id, p->rank % partitions);
    case HD_GROUP_PARTITIONS:
      return add(p, g, p->rank / partitions, id);
    case HD_GROUP_FLATTENED:
      return add(p, g, id / partitions, id % partitions);
    default:
      for (int64_t k = 0; k < partitions; ++k) HD_TRY(add(p, g, id, k));
      return HD_STATUS_OK;
  }
}

static int64_t own_id(const place *p, int64_t grouping) {
  return grouping == HD_GROUP_PARTITIONS  ? p->rank % p->partitions
         : grouping == HD_GROUP_FLATTENED ? p->rank
                                          : p->rank / p->partitions;
}

/* The row that names this process; no rows: one group of all. */
static hd_status own_group(const place *p, const hd_collective_descriptor *descriptor, group *g) {
  int64_t grouping = descriptor->grouping, own = own_id(p, grouping);
  int64_t rows = descriptor->rows, columns = descriptor->columns;
  const int64_t *ids = (const int64_t *)(descriptor + 1);
  if (!rows || !columns) {
    int64_t all = grouping == HD_GROUP_PARTITIONS  ? p->partitions
                  : grouping == HD_GROUP_FLATTENED ? p->size
                                                   : p->replicas;
    for (int64_t i = 0; i < all; ++i) HD_TRY(add_id(p, g, grouping, i));
  }
  for (int64_t row = 0; row < rows && columns; ++row, ids += columns) {
    bool mine = false;
    for (int64_t k = 0; k < columns; ++k) mine |= ids[k] == own;
    for (int64_t k = 0; mine && k < columns; ++k) {
      g->is_short |= ids[k] < 0;
      if (ids[k] >= 0) HD_TRY(add_id(p, g, grouping, ids[k]));
    }
    if (mine) break;
  }
  return HD_STATUS_OK;
}

static bool go_on(void *user) { return hd_ral_go_on(user); }

static hd_status zero(hd_ral_context *ctx, const place *p, char *out, size_t bytes) {
  if (p->on_device) return hd_stream_fill(ctx->runtime->driver, ctx->stream, out, 0, bytes);
  memset(out, 0, bytes);
  return HD_STATUS_OK;
}

typedef struct parts {
  hd_exchange_part *sends, *receives;
} parts;

static hd_status run_exchange(hd_ral_context *ctx, const place *p, const group *g,
                              const hd_collective_descriptor *descriptor, parts parts) {
  hd_exchange x = {.members = g->members,
                   .count = g->count,
                   .self = g->self,
                   .sends = parts.sends,
                   .receives = parts.receives,
                   .channel = descriptor->channel,
                   .stream = p->on_device ? ctx->stream : NULL,
                   .go_on = go_on,
                   .user = ctx};
  const hd_exchange_part *own = &parts.sends[g->self], *there = &parts.receives[g->self];
  if (p->on_device && own->bytes && own->bytes == there->bytes && own->data != there->data)
    HD_TRY(hd_stream_copy(ctx->runtime->driver, ctx->stream, there->data, own->data, own->bytes));
  if (p->communicator) return hd_communicator_exchange(p->communicator, &x);
  const hd_exchange_part *from = &parts.sends[0], *to = &parts.receives[0];
  if (to->bytes && to->data != from->data) memcpy(to->data, from->data, to->bytes);
  return HD_STATUS_OK;
}

/* All that the pairs name meet; who is nobody's target gets zeros. */
static hd_status permute(hd_ral_context *ctx, const place *p, group *g, const hd_collective_descriptor *descriptor,
                         char *in, char *out, size_t bytes, parts parts) {
  int64_t grouping = descriptor->grouping, own = own_id(p, grouping), pairs = descriptor->rows;
  const int64_t *ids = (const int64_t *)(descriptor + 1);
  bool comes = false;
  for (int64_t i = 0; i < 2 * pairs; ++i) HD_TRY(add_id(p, g, grouping, ids[i]));
  for (int64_t i = 0; i < 2 * pairs; ++i) {
    if (ids[i] != own) continue;
    uint32_t other[1] = {0};
    group one = {.members = other};
    HD_TRY(add_id(p, &one, grouping, ids[i ^ 1]));
    uint32_t k = 0;
    while (g->members[k] != other[0]) ++k;
    *(i % 2 ? &parts.receives[k] : &parts.sends[k]) = (hd_exchange_part){i % 2 ? out : in, bytes};
    comes |= i % 2;
  }
  if (!comes) HD_TRY(zero(ctx, p, out, bytes));
  return g->self == UINT32_MAX ? HD_STATUS_OK : run_exchange(ctx, p, g, descriptor, parts);
}

static hd_status broadcast(hd_ral_context *ctx, const place *p, group *g, const hd_collective_descriptor *descriptor,
                           char *in, char *out, size_t bytes, parts parts) {
  HD_TRY(own_group(p, descriptor, g));
  if (g->self == UINT32_MAX || !g->count) return zero(ctx, p, out, bytes);
  for (uint32_t k = 0; !g->self && k < g->count; ++k) parts.sends[k] = (hd_exchange_part){in, bytes};
  parts.receives[0] = (hd_exchange_part){out, bytes};
  return run_exchange(ctx, p, g, descriptor, parts);
}

static hd_status exchange_blocks(hd_ral_context *ctx, const place *p, group *g,
                                 const hd_collective_descriptor *descriptor, char *in, char *out, size_t bytes,
                                 parts parts) {
  HD_TRY(own_group(p, descriptor, g));
  bool or_zeros = descriptor->kind == HD_COLLECTIVE_GATHER_OR_ZEROS;
  bool gathers = or_zeros || descriptor->kind == HD_COLLECTIVE_GATHER;
  if (or_zeros && g->self == UINT32_MAX) return zero(ctx, p, out, bytes * (size_t)descriptor->members);
  if (g->self == UINT32_MAX) return hd_make_status(HD_INVALID_ARGUMENT, "the process is in no group");
  bool fits = g->count == descriptor->members || (gathers && g->is_short && g->count < descriptor->members);
  if (!fits)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a group of %lld processes, got %u",
                          (long long)descriptor->members, g->count);
  size_t block = gathers ? bytes : bytes / g->count;
  if (gathers && (size_t)descriptor->members > g->count)
    HD_TRY(zero(ctx, p, out + g->count * block, ((size_t)descriptor->members - g->count) * block));
  for (uint32_t k = 0; k < g->count; ++k) {
    parts.sends[k] = (hd_exchange_part){gathers ? in : in + k * block, block};
    parts.receives[k] = (hd_exchange_part){out + k * block, block};
  }
  return run_exchange(ctx, p, g, descriptor, parts);
}

/* Of the result; the operand's are descriptor->bytes. */
static size_t result_bytes(const hd_collective_descriptor *descriptor) {
  bool gathers = descriptor->kind == HD_COLLECTIVE_GATHER || descriptor->kind == HD_COLLECTIVE_GATHER_OR_ZEROS;
  return (size_t)descriptor->bytes * (gathers && descriptor->members > 0 ? (size_t)descriptor->members : 1);
}

static hd_status run(hd_ral_context *ctx, char *in, char *out, const hd_collective_descriptor *descriptor,
                     int64_t count) {
  if (count < HD_WORDS(hd_collective_descriptor) || descriptor->bytes < 0)
    return hd_make_status(HD_INTERNAL, "expected %u descriptor or more, got %lld", HD_WORDS(hd_collective_descriptor),
                          (long long)count);
  place p;
  HD_TRY(place_of(ctx, descriptor->partitions, &p));
  hd_driver *driver = ctx->runtime->driver;
  p.on_device = ctx->stream && hd_communicator_takes_device(p.communicator, driver) && hd_driver_owns(driver, in) &&
                hd_driver_owns(driver, out);
  if (!p.on_device) {
    in = hd_ral_on_host(ctx, in, (size_t)descriptor->bytes, HD_HOST_READ);
    out = hd_ral_on_host(ctx, out, result_bytes(descriptor), HD_HOST_WRITE);
  }
  if (hd_ral_failed(ctx)) return HD_STATUS_OK; /* it is reported */
  size_t bytes = (size_t)descriptor->bytes;
  group g = {.self = UINT32_MAX};
  hd_exchange_part *all = calloc(p.size, 2 * sizeof *all + sizeof *g.members);
  if (!all) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  parts parts = {all, all + p.size};
  g.members = (uint32_t *)(all + 2 * (size_t)p.size);
  int64_t kind = descriptor->kind;
  hd_status status = kind == HD_COLLECTIVE_PERMUTE ? permute(ctx, &p, &g, descriptor, in, out, bytes, parts)
                     : kind == HD_COLLECTIVE_BROADCAST
                         ? broadcast(ctx, &p, &g, descriptor, in, out, bytes, parts)
                         : exchange_blocks(ctx, &p, &g, descriptor, in, out, bytes, parts);
  free(all);
  return status;
}

static void collective(hd_ral_context *ctx, void *stream, void *in, void *out, void *descriptor, int64_t count) {
  (void)stream;
  if (!hd_ral_go_on(ctx)) return;
  hd_status status = run(ctx, in, out, descriptor, count);
  int64_t place =
      count < HD_WORDS(hd_collective_descriptor) ? -1 : ((const hd_collective_descriptor *)descriptor)->place;
  if (!hd_is_ok(status)) hd_ral_fail_at(ctx, status, place);
}
HD_RAL_LIBRARY("ral_collective", collective, void, pvoid, pvoid, pvoid, pvoid, i64)

/* replica_id and partition_id */
static void process_id(hd_ral_context *ctx, void *out, int64_t partitions, bool is_partition, int64_t source) {
  place p;
  hd_status status = place_of(ctx, partitions, &p);
  if (!hd_is_ok(status)) {
    hd_ral_fail_at(ctx, status, source);
    return;
  }
  uint32_t id = is_partition ? p.rank % p.partitions : p.rank / p.partitions;
  hd_ral_store(ctx, out, &id, sizeof id);
}
HD_RAL_API("ral_process_id", process_id, void, pvoid, i64, i1, i64)

HD_RAL_TABLE(collectives, collective, process_id)
