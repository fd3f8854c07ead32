/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers whose bytes come from elsewhere: constants of the context, copies, scratch. */
#include "ir/ops/stablehlo.h"
#include "passes/lowering/library.h"
#include "passes/lowering/ral_call.h"

bool hd_lower_constant(hd_lowering *ctx, hd_op *op) {
  hd_attr value = hd_stablehlo_constant_value(op);
  hd_value *buffer = hd_buffer_output(op, 0);
  if (!hd_attr_is(value, HD_ATTR_DENSE))
    return hd_op_error(op, "has a value that is not dense, which has no compiled path");
  bool is_new;
  hd_map_entry *entry = hd_map_insert(&ctx->pass->arena, &ctx->constant_index, value, &is_new);
  if (is_new) {
    hd_vec_push(&ctx->pass->arena, &ctx->constants, value);
    entry->value.i64 = (int64_t)ctx->constants.len - 1;
  }
  hd_op *alloc = hd_value_op(buffer);
  if (!hd_op_is(alloc, HD_OP_memref_alloc))
    return hd_op_error(op, "is written into a buffer that other ops write: expected one of its own");
  hd_builder b = hd_builder_before(alloc);
  hd_value *index = hd_build_int(&b, hd_i64(b.context), entry->value.i64);
  hd_value *pointer = hd_build_ral_call(&b, "ral_constant___pvoid_i64___pvoid", hd_pointer_type(b.context), &index, 1);
  hd_value *lent = hd_build(&b, HD_OP_hd_memref, buffer->type, pointer);
  hd_for_each_use(use, buffer) HD_ASSERT(use->owner);
  for (hd_use *use = buffer->first_use, *next; use; use = next) {
    next = use->next;
    if (hd_op_is(use->owner, HD_OP_memref_dealloc)) hd_op_erase(use->owner);
  }
  hd_op_erase(op);
  const hd_value_shape *shape = hd_shapes_get(ctx->shapes, buffer);
  hd_shapes_set_dims(ctx->shapes, lent, shape->dims, shape->rank);
  hd_value_replace_uses(buffer, lent);
  hd_op_erase(alloc);
  return true;
}

hd_value *hd_lower_stream(hd_lowering *ctx, hd_builder *b) {
  hd_type ptr = hd_pointer_type(b->context);
  if (!ctx->device) return hd_build_one_(b, HD_OP_llvm_mlir_zero, ptr, NULL, 0, NULL, 0);
  if (!ctx->stream) {
    hd_builder start = hd_builder_at_start(b->module, hd_op_region(ctx->func, 0)->first);
    start.loc = ctx->func->loc;
    ctx->stream = hd_build_ral_call(&start, "ral_stream___pvoid___pvoid", ptr, NULL, 0);
  }
  return ctx->stream;
}

static hd_value *byte_count(hd_lowering *ctx, hd_builder *b, hd_value *buffer, hd_op *op) {
  hd_dim bytes =
      hd_dim_mul(&ctx->shapes->table, hd_shapes_num_elements(ctx->shapes, buffer),
                 hd_dim_const(&ctx->shapes->table, (int64_t)hd_type_element_bytes(hd_type_element(buffer->type))));
  hd_value *value = bytes ? hd_host_dim(ctx, b, bytes, op) : NULL;
  return value ? hd_build(b, HD_OP_arith_index_cast, hd_i64(b->context), value) : NULL;
}

/* Element by element, by the host itself: both are there, and calls of the device are for its memory. */
static bool copy_on_host(hd_lowering *ctx, hd_builder *b, hd_value *from, hd_value *to, hd_op *op) {
  uint32_t rank = hd_type_rank(from->type);
  hd_builder *inner = hd_new_array(&ctx->pass->arena, hd_builder, rank + 1);
  hd_value **at = hd_new_array(&ctx->pass->arena, hd_value *, rank + 1);
  bool one = hd_type_num_elements(from->type) == 1;
  inner[0] = *b;
  for (uint32_t d = 0; d < rank; ++d) {
    inner[d + 1] = inner[d];
    hd_value *zero = at[d] = hd_build_index(&inner[d], 0);
    if (one) continue;
    hd_value *size = hd_host_dim(ctx, &inner[d], hd_shapes_dim(ctx->shapes, from, d), op);
    if (!size) return false;
    hd_op *loop = hd_build_for(&inner[d], zero, size, hd_build_index(&inner[d], 1), NULL, 0);
    inner[d + 1] = hd_builder_at_end(b->module, hd_op_region(loop, 0)->first);
    inner[d + 1].loc = b->loc;
    at[d] = inner[d + 1].block->args[0];
  }
  hd_store_element(&inner[rank], to, at, hd_load_element(&inner[rank], from, at, &ctx->pass->arena), &ctx->pass->arena);
  for (uint32_t d = rank; d-- > 0 && !one;) hd_build_yield(&inner[d + 1], NULL, 0);
  return true;
}

bool hd_lower_build_copy(hd_lowering *ctx, hd_builder *b, hd_value *from, hd_value *to, hd_op *op) {
  if (ctx->device && !from->type->shaped.space && !to->type->shaped.space) return copy_on_host(ctx, b, from, to, op);
  hd_type source = hd_type_element(from->type), target = hd_type_element(to->type);
  if (source != target) return hd_op_type_error(op, target, source, "expects to copy elements of one type");
  hd_value *bytes = byte_count(ctx, b, to, op); /* of what is written */
  if (!bytes) return false;
  bool from_host = ctx->device && !from->type->shaped.space, to_host = ctx->device && !to->type->shaped.space;
  const char *api = from_host == to_host ? "ral_copy___pvoid_pvoid_pvoid_pvoid_i64___void"
                    : from_host          ? "ral_h2d___pvoid_pvoid_pvoid_pvoid_i64___void"
                                         : "ral_d2h___pvoid_pvoid_pvoid_pvoid_i64___void";
  hd_build_ral_call(b, api, NULL, (hd_value *[]){hd_lower_stream(ctx, b), to, from, bytes}, 4);
  return true;
}

bool hd_lower_copy(hd_lowering *ctx, hd_op *op) {
  hd_builder b = hd_builder_before(op);
  if (!hd_lower_build_copy(ctx, &b, hd_operand(op, 0), hd_operand(op, 1), op)) return false;
  hd_op_erase(op);
  return true;
}

/* A buffer like |like| for the time of |op|: freed after it. */
hd_type hd_partial_type(hd_type element) {
  bool narrow = element->kind == HD_TYPE_FLOAT && hd_type_bits(element) < 32;
  return narrow ? hd_f32(element->context) : element;
}

hd_value *hd_scratch(hd_lowering *ctx, hd_op *op, hd_type element, const hd_dim *dims, uint32_t rank) {
  hd_builder b = hd_builder_before(op);
  hd_value *sizes[HD_COMPILED_MAX_RANK];
  int64_t unknown[HD_COMPILED_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) {
    unknown[d] = HD_DYNAMIC;
    sizes[d] = hd_host_dim(ctx, &b, dims[d], op);
    if (!sizes[d]) return NULL;
  }
  hd_attr_arg segments = {HD_NAME_operandSegmentSizes, hd_attr_i32_array(b.context, (int32_t[]){(int32_t)rank, 0}, 2)};
  hd_value *buffer = hd_build_one_(&b, HD_OP_memref_alloc, hd_type_memref(element, unknown, rank, NULL, NULL), sizes,
                                   rank, &segments, 1);
  hd_shapes_set_dims(ctx->shapes, buffer, dims, rank);
  hd_builder after = hd_builder_before(op->next);
  hd_build0(&after, HD_OP_memref_dealloc, buffer);
  return buffer;
}

hd_value *hd_scratch_like(hd_lowering *ctx, hd_op *op, hd_value *like) {
  hd_builder b = hd_builder_before(op);
  const hd_value_shape *shape = hd_shapes_get(ctx->shapes, like);
  hd_value *sizes[HD_MAX_RANK];
  size_t count = 0;
  for (uint32_t d = 0; d < shape->rank; ++d) {
    if (like->type->shaped.dims[d] != HD_DYNAMIC) continue;
    if (count == HD_MAX_RANK || !(sizes[count++] = hd_host_dim(ctx, &b, shape->dims[d], op))) return NULL;
  }
  hd_attr_arg segments = {HD_NAME_operandSegmentSizes, hd_attr_i32_array(b.context, (int32_t[]){(int32_t)count, 0}, 2)};
  hd_value *scratch = hd_build_one_(&b, HD_OP_memref_alloc, like->type, sizes, count, &segments, 1);
  hd_shapes_set_dims(ctx->shapes, scratch, shape->dims, shape->rank);
  hd_builder after = op->next ? hd_builder_before(op->next) : hd_builder_at_end(ctx->pass->module, op->block);
  hd_build0(&after, HD_OP_memref_dealloc, scratch);
  return scratch;
}

bool hd_part_own_reads(hd_lowering *ctx, hd_op *op) {
  uint32_t outputs = hd_buffer_reads_own_output(op) ? hd_buffer_output_count(op) : 0,
           first = hd_op_buffer_count(op) - outputs;
  for (uint32_t o = 0; o < outputs; ++o) {
    hd_value *out = hd_operand(op, first + o), *scratch = hd_scratch_like(ctx, op, out);
    if (!scratch) return false;
    hd_op_set_operand(op, first + o, scratch);
    hd_builder after = hd_builder_before(op->next); /* where the scratch buffer is freed */
    after.loc = op->loc;
    if (!hd_lower_build_copy(ctx, &after, scratch, out, op)) return false;
  }
  return true;
}
