/* SPDX-License-Identifier: Apache-2.0 */
/* What meets other processes: calls of runtime/libraries/collectives.c.
 *
 *   lmhlo.all_gather, all_to_all of dim 0, collective_permute, collective_broadcast   ->   hd.ral_call "ral_collective"
 *   lmhlo.replica_id, partition_id                                                  ->   hd.ral_call "ral_process_id"
 * as hlo-expand leaves them, with the meaning of their groups in `hd.grouping`, `hd.partitions`, `hd.members`. */
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "passes/lowering/library.h"
#include "passes/lowering/ral_call.h"
#include "passes/messages.h"
#include "runtime/collectives_abi.h"

static const struct {
  hd_opcode opcode;
  int64_t kind; /* of ral_collective */
} collectives[] = {
    {HD_OP_stablehlo_all_gather, HD_COLLECTIVE_GATHER},
    {HD_OP_stablehlo_all_to_all, HD_COLLECTIVE_EXCHANGE},
    {HD_OP_stablehlo_collective_permute, HD_COLLECTIVE_PERMUTE},
    {HD_OP_stablehlo_collective_broadcast, HD_COLLECTIVE_BROADCAST},
};

/* -1: no exchange */
static int64_t kind_of(const hd_op *op) {
  int64_t kind = -1;
  for (size_t i = 0; i < sizeof collectives / sizeof *collectives; ++i)
    if (collectives[i].opcode == hd_buffer_opcode(op)) kind = collectives[i].kind;
  return kind == HD_COLLECTIVE_GATHER && hd_discardable_zeros(op) ? HD_COLLECTIVE_GATHER_OR_ZEROS : kind;
}

static bool is_process_id(hd_opcode opcode) {
  return opcode == HD_OP_stablehlo_replica_id || opcode == HD_OP_stablehlo_partition_id;
}

bool hd_is_collective(const hd_op *op) { return is_process_id(hd_buffer_opcode(op)) || kind_of(op) >= 0; }

static int64_t place_of(hd_lowering *ctx, hd_op *op) {
  hd_messages messages;
  hd_messages_begin(&messages, ctx->pass, hd_op_function(op));
  int64_t place = hd_message_add_place(&messages, op->loc);
  hd_messages_end(&messages);
  return place;
}

static bool lower_process_id(hd_lowering *ctx, hd_op *op) {
  hd_builder b = hd_builder_before(op);
  bool is_partition = hd_buffer_opcode(op) == HD_OP_stablehlo_partition_id;
  hd_value *operands[] = {hd_buffer_output(op, 0), hd_build_int(&b, hd_i64(b.context), hd_discardable_partitions(op)),
                          hd_build_int(&b, hd_type_integer(b.context, 1, HD_SIGNLESS), is_partition),
                          hd_build_int(&b, hd_i64(b.context), place_of(ctx, op))};
  hd_build_ral_call(&b, "ral_process_id___pvoid_pvoid_i64_i1_i64___void", NULL, operands, 4);
  hd_op_erase(op);
  return true;
}

static void store(hd_builder *b, hd_value *area, int64_t i, hd_value *value) {
  hd_build0(b, HD_OP_memref_store, value, area, hd_build_index(b, i));
}

bool hd_lower_collective(hd_lowering *ctx, hd_op *op) {
  hd_opcode opcode = hd_buffer_opcode(op);
  if (is_process_id(opcode)) return lower_process_id(ctx, op);
  bool leading = !hd_collective_like_all_gather_dim(op) && !hd_collective_like_split_dimension(op) &&
                 !hd_collective_like_concat_dimension(op);
  if (!hd_discardable_grouping_attr(op) || !leading || op->operand_count != 2)
    return hd_op_error(op, "is no exchange of whole blocks: run hlo-expand before disc-hlo-legalize-to-lhlo");
  hd_attr ids = opcode == HD_OP_stablehlo_collective_permute ? hd_collective_like_source_target_pairs(op)
                                                             : hd_collective_like_replica_groups(op);
  if (!hd_attr_is(ids, HD_ATTR_DENSE) || !hd_type_has_rank(ids->type) || ids->type->shaped.rank != 2)
    return hd_op_error(op, "expects its groups as a matrix of ids");
  hd_builder b = hd_builder_before(op);
  hd_type i64 = hd_i64(b.context);
  hd_value *in = hd_operand(op, 0);
  hd_dim bytes =
      hd_dim_mul(&ctx->shapes->table, hd_shapes_num_elements(ctx->shapes, in),
                 hd_dim_const(&ctx->shapes->table, (int64_t)hd_type_element_bytes(hd_type_element(in->type))));
  hd_value *size = hd_host_dim(ctx, &b, bytes, op);
  if (!size) return false;
  const uint32_t head = HD_WORDS(hd_collective_descriptor);
  int64_t count = head + (int64_t)hd_attr_count(ids);
  hd_collective_descriptor descriptor = {
      .kind = kind_of(op),
      .grouping = hd_discardable_grouping(op),
      .partitions = hd_discardable_partitions(op),
      .channel = hd_attr_stablehlo_channel_handle_handle(hd_collective_like_channel_handle(op)),
      .members = hd_discardable_members(op),
      .rows = ids->type->shaped.dims[0],
      .columns = ids->type->shaped.dims[1],
      .place = place_of(ctx, op),
  };
  hd_value *area = hd_words_area(&b, count);
  int64_t words[HD_WORDS(hd_collective_descriptor)];
  memcpy(words, &descriptor, sizeof descriptor);
  for (int64_t i = 0; i < count; ++i)
    store(&b, area, i,
          i == HD_WORD(hd_collective_descriptor, bytes)
              ? hd_build(&b, HD_OP_arith_index_cast, i64, size)
              : hd_build_int(&b, i64, i < head ? words[i] : hd_attr_int_at(ids, (size_t)(i - head))));
  hd_value *stream = hd_lower_stream(ctx, &b);
  hd_value *operands[] = {stream, in, hd_buffer_output(op, 0), area, hd_build_int(&b, i64, count)};
  hd_build_ral_call(&b, "ral_collective___pvoid_pvoid_pvoid_pvoid_pvoid_i64___void", NULL, operands, 5);
  hd_op_erase(op);
  return true;
}
