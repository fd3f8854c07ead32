/* SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/gpu/schedules.h"

#include "codegen/emit/frame.h"
#include "codegen/emit/lower.h"
#include "codegen/emit/reduction.h"
#include "ir/ops/discardable.h"

static int64_t unknown_sizes(hd_type type) {
  int64_t count = 0;
  for (uint32_t d = 0; hd_type_has_rank(type) && d < hd_type_rank(type); ++d)
    count += hd_type_dim(type, d) == HD_DYNAMIC;
  return count;
}

int64_t hd_gpu_parameter_bytes(hd_type type) { return 8 + 8 * unknown_sizes(type); }

int64_t hd_gpu_parameter_bound(hd_type type) { return 8 + 16 * unknown_sizes(type); }

bool hd_gpu_has_schedule(const hd_op *op) {
  switch (op->info->derived_from) {
    case HD_OP_stablehlo_scatter:
    case HD_OP_stablehlo_sort:
    case HD_OP_stablehlo_select_and_scatter:
      return true;
    default:
      return false;
  }
}

hd_builder hd_gpu_parallel(hd_gpu_frame *f, hd_value *const *extents, uint32_t count, const char *suffix) {
  hd_builder *b = f->g.b;
  hd_context *context = b->context;
  hd_value **operands = hd_new_array(f->g.arena, hd_value *, 3 * count);
  for (uint32_t i = 0; i < count; ++i) {
    operands[i] = hd_build_index(b, 0);
    operands[count + i] = extents[i];
    operands[2 * count + i] = hd_build_index(b, 1);
  }
  int32_t n = (int32_t)count;
  hd_attr_arg segments = {HD_NAME_operandSegmentSizes, hd_attr_i32_array(context, (int32_t[]){n, n, n, 0}, 4)};
  hd_op *loop = hd_build_op(b, HD_OP_scf_parallel, operands, 3 * count, NULL, 0, &segments, 1, 1);
  if (f->host) {
    hd_discardable_set_host(loop, true);
  } else {
    hd_discardable_set_threads(loop, f->threads);
    const char *name = hd_arena_printf(f->g.arena, "%s%s", f->name, suffix);
    hd_discardable_set_kernel_name(loop, name);
  }
  hd_block *body = hd_block_create(b->module);
  hd_region_append(hd_op_region(loop, 0), body);
  for (uint32_t i = 0; i < count; ++i) hd_block_add_arg(b->module, body, hd_type_index(context));
  hd_builder end = hd_builder_at_end(b->module, body);
  end.loc = b->loc;
  hd_op *reduce = hd_build_op(&end, HD_OP_scf_reduce, NULL, 0, NULL, 0, NULL, 0, 0);
  hd_builder inside = hd_builder_before(reduce);
  inside.loc = b->loc;
  return inside;
}

hd_builder hd_gpu_over_elements(hd_gpu_frame *f, hd_value *buffer, const char *suffix, hd_index_tuple **out_at) {
  hd_generator *g = &f->g;
  hd_value *extents[HD_COMPILED_MAX_RANK] = {NULL};
  uint32_t rank = hd_type_rank(buffer->type);
  for (uint32_t d = 0; d < rank; ++d) extents[d] = hd_generate_dim(g, hd_shapes_dim(g->shapes, buffer, d));
  if (!rank) extents[0] = hd_build_index(g->b, 1);
  hd_builder inside = hd_gpu_parallel(f, extents, rank ? rank : 1, suffix);
  *out_at = hd_new_tuple(g, rank);
  for (uint32_t d = 0; d < rank; ++d) (*out_at)->at[d] = hd_lane_scalar(inside.block->args[d]);
  return inside;
}

void hd_gpu_mark_vector(hd_gpu_frame *f, hd_op *loop) {
  if (f->vector < 2) return;
  hd_discardable_set_vector(loop, f->vector);
  hd_discardable_set_vector_of(loop, f->of);
}

void hd_gpu_delinearize(hd_gpu_frame *f, hd_value *root, uint32_t from, uint32_t to, hd_value *linear,
                        hd_lane_index *out) {
  static const bool apart[HD_COMPILED_MAX_RANK];
  hd_delinearize(&f->g, root, apart, from, to, linear, out);
}

bool hd_gpu_is_unit(hd_shapes *shapes, hd_value *buffer, uint32_t d) {
  int64_t one;
  return hd_dim_is_const(&shapes->table, hd_shapes_dim(shapes, buffer, d), &one) && one == 1;
}

void hd_gpu_place(hd_gpu_frame *f, hd_value *buffer, const uint32_t *dims, uint32_t count, hd_value *linear,
                  hd_index_tuple *out) {
  hd_generator *g = &f->g;
  hd_value *rest = linear;
  for (uint32_t i = count; i-- > 0;) {
    bool outermost = true;
    for (uint32_t o = 0; o < i; ++o) outermost &= hd_gpu_is_unit(g->shapes, buffer, dims[o]);
    out->at[dims[i]] = hd_lane_const(hd_generator_lanes(g), 0);
    if (hd_gpu_is_unit(g->shapes, buffer, dims[i])) continue;
    hd_value *size = outermost ? NULL : hd_generate_dim(g, hd_shapes_dim(g->shapes, buffer, dims[i]));
    out->at[dims[i]] = hd_lane_scalar(outermost ? rest : hd_build_binary(g->b, HD_OP_arith_remui, rest, size));
    if (!outermost) rest = hd_build_binary(g->b, HD_OP_arith_divui, rest, size);
  }
}

/* ---- atomics ---- */

int hd_gpu_atomic_kind(const hd_op *op) {
  hd_op *inner = hd_op_reducer(op);
  hd_type element = hd_type_element(hd_operand_type(op, 0));
  bool fits = hd_type_is_float(element, HD_F32) || hd_type_is_float(element, HD_F64) ||
              (element->kind == HD_TYPE_INTEGER && element->integer.signedness == HD_SIGNLESS &&
               (element->integer.width == 32 || element->integer.width == 64));
  return fits && inner ? hd_combining_of(hd_opcode_get(inner), element).atomic_kind : HD_ARITH_ATOMIC_RMW_KIND_NONE;
}

bool hd_is_atomic_reduction(const hd_op *op) {
  uint32_t begin, end;
  return hd_is_column_reduction(op, &begin, &end) && !begin && end < hd_type_rank(hd_operand_type(op, 0)) &&
         hd_gpu_atomic_kind(op) != HD_ARITH_ATOMIC_RMW_KIND_NONE;
}

void hd_gpu_emit_atomic_at(hd_gpu_frame *f, int kind, hd_value *buffer, const hd_index_tuple *at, hd_element value) {
  hd_builder *b = f->g.b;
  hd_value **operands = hd_new_array(f->g.arena, hd_value *, 2 + at->rank);
  operands[0] = value.re;
  operands[1] = buffer;
  for (uint32_t d = 0; d < at->rank; ++d) operands[2 + d] = at->at[d].scalar;
  hd_attr_arg attr = {HD_NAME_kind, hd_attr_i64(b->context, kind)};
  hd_build_one_(b, HD_OP_memref_atomic_rmw, value.re->type, operands, 2 + at->rank, &attr, 1);
}

void hd_gpu_emit_atomic(hd_gpu_frame *f, hd_op *reduce, const hd_index_tuple *at, hd_element value) {
  hd_value *out = hd_buffer_output(reduce, 0);
  hd_index_tuple *kept = hd_new_tuple(&f->g, hd_type_rank(out->type));
  for (uint32_t d = 0; d < kept->rank; ++d) kept->at[d] = at->at[at->rank - kept->rank + d];
  hd_gpu_emit_atomic_at(f, hd_gpu_atomic_kind(reduce), out, kept, value);
}

/* ---- between threads ---- */

hd_value *hd_gpu_shuffle(hd_builder *b, hd_value *value, int64_t offset, int64_t width) {
  hd_type type = value->type, i32 = hd_i32(b->context);
  bool narrow = type->kind == HD_TYPE_INTEGER && type->integer.width < 32;
  if (narrow) value = hd_build(b, HD_OP_arith_extui, i32, value);
  hd_attr_arg attr = {HD_NAME_mode, hd_attr_of_gpu_shuffle_mode(b->context, HD_GPU_SHUFFLE_MODE_XOR)};
  hd_value *operands[3] = {value, hd_build_int(b, i32, offset), hd_build_int(b, i32, width)};
  hd_op *op =
      hd_build_op(b, HD_OP_gpu_shuffle, operands, 3, (hd_type[]){value->type, hd_i1(b->context)}, 2, &attr, 1, 0);
  return narrow ? hd_build(b, HD_OP_arith_trunci, type, hd_result(op, 0)) : hd_result(op, 0);
}

/* i1 is in bytes. */
static hd_type shared_element(hd_builder *b, hd_type type) {
  return hd_type_is_integer(type, 1) ? hd_type_integer(b->context, 8, HD_SIGNLESS) : type;
}

hd_value *hd_gpu_shared(hd_builder *b, hd_type type, int64_t count) {
  hd_context *context = b->context;
  hd_type shared = hd_type_memref(shared_element(b, type), &count, 1, NULL,
                                  hd_attr_of_gpu_address_space(context, HD_GPU_ADDRESS_SPACE_WORKGROUP));
  hd_attr_arg segments = {HD_NAME_operandSegmentSizes, hd_attr_i32_array(context, (int32_t[]){0, 0}, 2)};
  return hd_build_one_(b, HD_OP_memref_alloca, shared, NULL, 0, &segments, 1);
}

void hd_gpu_store_shared(hd_builder *b, hd_value *value, hd_value *memory, hd_value *at) {
  hd_type element = shared_element(b, value->type);
  if (element != value->type) value = hd_build(b, HD_OP_arith_extui, element, value);
  hd_build0(b, HD_OP_memref_store, value, memory, at);
}

hd_value *hd_gpu_load_shared(hd_builder *b, hd_value *memory, hd_value *at, hd_type type) {
  hd_type element = shared_element(b, type);
  hd_value *loaded = hd_build(b, HD_OP_memref_load, element, memory, at);
  return element != type ? hd_build(b, HD_OP_arith_trunci, type, loaded) : loaded;
}

/* ---- loops before the schedules ---- */

bool hd_gpu_emit_copy(hd_gpu_frame *f, hd_value *from, hd_value *to) {
  if (from == to) return true;
  hd_generator *g = &f->g;
  hd_index_tuple *at;
  hd_builder *outer = g->b, inside = hd_gpu_over_elements(f, to, "_init", &at);
  g->b = &inside;
  hd_element value;
  bool ok = hd_generate(g, from, at, &value) && hd_generate_store(g, to, at, value);
  g->b = outer;
  return ok;
}

bool hd_gpu_emit_initialiser(hd_gpu_frame *f, hd_op *reduce) {
  hd_generator *g = &f->g;
  hd_value *out = hd_buffer_output(reduce, 0);
  uint32_t rank = hd_type_rank(out->type);
  if (rank > HD_COMPILED_MAX_RANK)
    return hd_op_error(reduce, "has rank %u, expected at most %d in a kernel", rank, HD_COMPILED_MAX_RANK);
  hd_index_tuple *at;
  hd_builder *outer = g->b, inside = hd_gpu_over_elements(f, out, "_init", &at);
  g->b = &inside;
  hd_element init;
  bool ok = hd_generate(g, hd_operand(reduce, 1), hd_new_tuple(g, 0), &init) && hd_generate_store(g, out, at, init);
  g->b = outer;
  return ok;
}
