/* SPDX-License-Identifier: Apache-2.0 */
/* Dots and convolutions: library calls of the runtime, with what follows them as their epilogue kernel. */
#include <stdio.h>

#include "ir/element_types.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/lowering/library.h"
#include "passes/lowering/ral_call.h"
#include "runtime/libraries/gemm.h"
#include "runtime/libraries/product_abi.h"

hd_value *hd_view_pointer(hd_lowering *ctx, hd_builder *b, const hd_view *view, hd_op *op) {
  int64_t zero;
  if (hd_dim_is_const(&ctx->shapes->table, view->offset, &zero) && zero == 0) return view->root;
  hd_value *offset = hd_host_dim(ctx, b, view->offset, op);
  if (!offset) return NULL;
  hd_context *c = b->context;
  hd_type type = hd_type_memref(view->root->type->shaped.element, (int64_t[]){1}, 1,
                                hd_attr_strided(c, HD_DYNAMIC, (int64_t[]){1}, 1), view->root->type->shaped.space);
  hd_attr_arg attrs[] = {{HD_NAME_static_offsets, hd_attr_i64_array(c, (int64_t[]){HD_DYNAMIC}, 1)},
                         {HD_NAME_static_sizes, hd_attr_i64_array(c, (int64_t[]){1}, 1)},
                         {HD_NAME_static_strides, hd_attr_i64_array(c, (int64_t[]){1}, 1)},
                         {HD_NAME_operandSegmentSizes, hd_attr_i32_array(c, (int32_t[]){1, 1, 0, 0}, 4)}};
  return hd_build_one_(b, HD_OP_memref_reinterpret_cast, type, (hd_value *[]){view->root, offset}, 2, attrs, 4);
}

/* Makes an operand of a library call: a view of a buffer that is in memory, materialised by a kernel where it is none.
 */
static bool keep_writers(hd_lowering *ctx, const hd_kernel_set *set, hd_value *buffer, hd_map *keep) {
  hd_op *writer = hd_map_get(&set->writers, buffer);
  bool is_new;
  if (!writer) return true;
  hd_map_insert(&ctx->pass->arena, keep, writer, &is_new);
  for (uint32_t i = 0; is_new && i < hd_buffer_input_count(writer); ++i)
    if (!keep_writers(ctx, set, hd_operand(writer, i), keep)) return false;
  return true;
}

/* A fusion of its own that writes |buffer|, or |instead| of it: copies of the ops of |set| that lead to it. */
static void split_off(hd_lowering *ctx, hd_builder *b, const hd_kernel_set *set, hd_value *buffer, hd_value *instead) {
  hd_map keep = {0};
  keep_writers(ctx, set, buffer, &keep);
  hd_op *end = hd_op_region(hd_empty_fusion(*b, HD_KIND_LOOP), 0)->first->last;
  for (size_t i = 0; i < set->ops.len; ++i) {
    if (!hd_map_find(&keep, set->ops.data[i])) continue;
    hd_op *copy = hd_op_clone(b->module, set->ops.data[i], &ctx->pass->arena, NULL);
    bool root = hd_buffer_output(copy, 0) == buffer;
    hd_discardable_set_inline(copy, !root);
    for (uint32_t k = 0; root && k < copy->operand_count; ++k)
      if (hd_operand(copy, k) == buffer) hd_op_set_operand(copy, k, instead);
    hd_op_insert_before(copy, end);
  }
}

bool hd_product_operand(hd_lowering *ctx, hd_builder *b, const hd_kernel_set *set, hd_value *buffer, hd_op *op,
                        hd_view *out) {
  if (!hd_view_of(ctx->shapes, &set->writers, buffer, out)) return hd_op_error(op, "has an operand of unknown size");
  hd_op *writer = hd_map_get(&set->writers, out->root);
  if (!writer) return true;
  hd_kernel_ops ops = {set->ops.data, set->ops.len, &buffer, 1};
  hd_kernel_launch launch = {0};
  /* A kernel that computes the operand itself is beside the call that is asked for: its buffer stays its own. */
  hd_value *written = ctx->device && ctx->asks ? hd_scratch_like(ctx, op, buffer) : buffer;
  if (!written) return false;
  if (ctx->device)
    split_off(ctx, b, set, buffer, written);
  else if (!hd_kernel_of(ctx, hd_emit_loop_kernel, &ops, "loop", &writer, 1, op->loc, &launch) ||
           !hd_launch_kernel(ctx, b, &launch, op))
    return false;
  hd_map none = {0};
  return hd_view_of(ctx->shapes, &none, written, out);
}

/* The dims of a dot. */
typedef struct dot_rows {
  hd_lowering *ctx;
  hd_dim words[2 * HD_COMPILED_MAX_RANK * HD_WORDS(hd_dot_dim)];
  uint32_t count;
} dot_rows;

static void add_row(dot_rows *r, hd_gemm_role role, hd_dim size, hd_dim lhs, hd_dim rhs, hd_dim out) {
  hd_dim_table *t = &r->ctx->shapes->table;
  hd_dim words[HD_WORDS(hd_dot_dim)] = {[HD_WORD(hd_dot_dim, role)] = hd_dim_const(t, role),
                                        [HD_WORD(hd_dot_dim, size)] = size,
                                        [HD_WORD(hd_dot_dim, lhs_stride)] = lhs,
                                        [HD_WORD(hd_dot_dim, rhs_stride)] = rhs,
                                        [HD_WORD(hd_dot_dim, out_stride)] = out};
  for (uint32_t i = 0; i < HD_WORDS(hd_dot_dim); ++i)
    r->words[HD_WORDS(hd_dot_dim) * r->count + i] = words[i] ? words[i] : hd_dim_const(t, 0);
  ++r->count;
}

/* Words of an epilogue: pointers and index values as i64. */
static hd_value *epilogue_words(hd_lowering *ctx, hd_builder *b, const hd_kernel_launch *launch, hd_op *op) {
  hd_value *area = hd_words_area(b, (int64_t)launch->operand_count + 1), **words = hd_launch_words(ctx, b, launch, op);
  hd_type index = hd_type_index(b->context);
  for (size_t i = 0; words && i < launch->operand_count; ++i) {
    hd_value *word = words[2 + i];
    if (word->type->kind == HD_TYPE_MEMREF)
      word = hd_build(b, HD_OP_memref_extract_aligned_pointer_as_index, index, word);
    hd_build0(b, HD_OP_memref_store, hd_host_as_word(ctx, b, word), area, hd_host_index(ctx, b, (int64_t)i));
  }
  return words ? area : NULL;
}

bool hd_product_result(hd_lowering *ctx, const hd_kernel_set *set, hd_op *dot, hd_view *out) {
  hd_value *result = hd_buffer_output(dot, 0), *target = set->outputs.data[0];
  hd_map none = {0};
  if (!hd_view_of(ctx->shapes, &none, target, out)) return false;
  if (target == result) return true;
  hd_op *transpose = hd_map_get(&set->writers, target);
  hd_attr permutation = hd_stablehlo_transpose_permutation(transpose);
  hd_view moved = *out;
  for (uint32_t d = 0; d < out->rank; ++d) {
    out->strides[hd_attr_int_at(permutation, d)] = moved.strides[d];
    out->sizes[hd_attr_int_at(permutation, d)] = moved.sizes[d];
  }
  return true;
}

static bool emit_epilogue(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                          hd_kernel_launch *out) {
  return hd_emit_epilogue_kernel(shapes, ops, hd_product_among(ops->ops, ops->count), name, arena, out);
}

bool hd_product_epilogue(hd_lowering *ctx, const hd_kernel_set *set, hd_loc loc, hd_kernel_launch *out) {
  hd_kernel_ops ops = {set->ops.data, set->ops.len, set->outputs.data, set->outputs.len};
  return hd_kernel_of(ctx, emit_epilogue, &ops, "gemm", set->ops.data, set->ops.len, loc, out);
}

static hd_product_types types_of(const hd_lowering *ctx, hd_op *product) {
  return (hd_product_types){.lhs = hd_element_type_of(hd_type_element(hd_operand_type(product, 0))),
                            .rhs = hd_element_type_of(hd_type_element(hd_operand_type(product, 1))),
                            .out = hd_element_type_of(hd_type_element(hd_buffer_output(product, 0)->type)),
                            .tf32 = ctx->tf32,
                            .deterministic = ctx->deterministic};
}

/* Calls |api| of the two products with |count| descriptor in |memory|; what follows the product becomes
 * its epilogue unless |plain|. Erases |op|. */
static bool library_call(hd_lowering *ctx, hd_builder *b, hd_op *op, const hd_kernel_set *set, hd_op *product,
                         bool plain, const hd_view *lhs, const hd_view *rhs, hd_value *memory, int64_t count,
                         const char *api) {
  hd_type i64 = hd_i64(b->context);
  hd_value *epilogue = hd_build_int(b, i64, -1), *words = memory;
  int64_t word_count = 0;
  if (!plain && ctx->device)
    return hd_op_error(op, "has ops after a product, which no library call of the device takes");
  if (!plain) {
    hd_kernel_launch launch = {0};
    if (!hd_product_epilogue(ctx, set, op->loc, &launch)) return false;
    words = epilogue_words(ctx, b, &launch, op);
    if (!words) return false;
    word_count = (int64_t)launch.operand_count;
    epilogue = hd_build_one_(
        b, HD_OP_hd_kernel_index, i64, NULL, 0,
        &(hd_attr_arg){HD_NAME_kernel, hd_attr_symbol(b->context, hd_symbol_name(launch.func), NULL, 0)}, 1);
  }
  hd_value *lhs_pointer = hd_view_pointer(ctx, b, lhs, op), *rhs_pointer = hd_view_pointer(ctx, b, rhs, op);
  if (!lhs_pointer || !rhs_pointer) return false;
  hd_value *stream = hd_lower_stream(ctx, b);
  hd_value *operands[] = {stream,
                          lhs_pointer,
                          rhs_pointer,
                          plain ? set->outputs.data[0] : lhs_pointer,
                          hd_build_int(b, i64, hd_product_types_word(types_of(ctx, product))),
                          memory,
                          hd_build_int(b, i64, count),
                          epilogue,
                          words,
                          hd_build_int(b, i64, word_count)};
  char name[128];
  snprintf(name, sizeof name, "%s___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void", api);
  hd_build_ral_call(b, name, NULL, operands, 10);
  hd_op_erase(op);
  return true;
}

/* Is |view| all of a matrix in memory as it is there, or its transpose? */
static bool is_matrix(hd_lowering *ctx, const hd_view *view, bool *transposed) {
  hd_dim_table *t = &ctx->shapes->table;
  int64_t zero, one;
  if (view->rank != 2 || hd_type_rank(view->root->type) != 2 || !hd_dim_is_const(t, view->offset, &zero) || zero)
    return false;
  hd_dim columns = hd_shapes_dim(ctx->shapes, view->root, 1), rows = hd_shapes_dim(ctx->shapes, view->root, 0);
  for (uint32_t way = 0; way < 2; ++way) {
    *transposed = way == 1;
    if (hd_dim_equal(t, view->strides[way], columns) && hd_dim_is_const(t, view->strides[1 - way], &one) && one == 1 &&
        hd_dim_equal(t, view->sizes[way], rows) && hd_dim_equal(t, view->sizes[1 - way], columns))
      return true;
  }
  return false;
}

/* ctx->ready: whether somebody takes |product|, of which |table| says |count| dims or descriptor. */
static void ask(hd_lowering *ctx, hd_builder *b, hd_op *product, hd_value *table, int64_t count, const char *api) {
  hd_type i64 = hd_i64(b->context);
  hd_value *operands[] = {hd_build_int(b, i64, hd_product_types_word(types_of(ctx, product))), table,
                          hd_build_int(b, i64, count)};
  ctx->ready = hd_build_ral_call(b, api, hd_i1(b->context), operands, 3);
}

/* ral_gemm of two matrices in memory; |*done| when it is one. The device's library takes no others by this name. */
static bool lower_gemm(hd_lowering *ctx, hd_builder *b, hd_op *op, hd_op *dot, const hd_view *lhs, const hd_view *rhs,
                       const hd_view *out, hd_attr lc, hd_attr rc, bool *done) {
  bool lhs_lies, rhs_lies, out_lies; /* transposed in memory */
  *done = false;
  if (lhs->rank != 2 || rhs->rank != 2 || hd_attr_count(lc) != 1 || hd_attr_count(rc) != 1) return true;
  if (!is_matrix(ctx, lhs, &lhs_lies) || !is_matrix(ctx, rhs, &rhs_lies) || !is_matrix(ctx, out, &out_lies) || out_lies)
    return true;
  hd_type type = hd_type_element(hd_operand_type(dot, 0));
  if (ctx->tf32 && hd_type_is_float(type, HD_F32)) return true; /* this name cannot say so */
  if (type != hd_type_element(hd_operand_type(dot, 1)) || type != hd_type_element(out->root->type)) return true;
  char code[40], name[160];
  if (!hd_memref_code(op, out->root->type, code, sizeof code)) return false;
  snprintf(name, sizeof name, "ral_gemm___pvoid_pvoid_%s_%s_%s_i1_i1___void", code, code, code);
  hd_type i1 = hd_i1(b->context);
  hd_value *operands[] = {hd_lower_stream(ctx, b),
                          lhs->root,
                          rhs->root,
                          out->root,
                          hd_build_int(b, i1, (hd_attr_int_at(lc, 0) == 0) != lhs_lies),
                          hd_build_int(b, i1, (hd_attr_int_at(rc, 0) == 1) != rhs_lies)};
  hd_build_ral_call(b, name, NULL, operands, 6);
  hd_op_erase(op);
  *done = true;
  return true;
}

static bool lower_dot(hd_lowering *ctx, hd_op *op, const hd_kernel_set *set, hd_op *dot) {
  hd_builder b = hd_builder_before(op);
  hd_view lhs, rhs, out;
  if (!hd_product_operand(ctx, &b, set, hd_operand(dot, 0), op, &lhs) ||
      !hd_product_operand(ctx, &b, set, hd_operand(dot, 1), op, &rhs))
    return false;
  bool plain = hd_is_plain_product(set, dot);
  hd_value *result = hd_buffer_output(dot, 0);
  hd_map none = {0};
  if (plain ? !hd_product_result(ctx, set, dot, &out) : !hd_view_of(ctx->shapes, &none, result, &out))
    return hd_op_error(op, "has a result of unknown size");
  hd_attr n =
      hd_buffer_opcode(dot) == HD_OP_stablehlo_dot_general ? hd_stablehlo_dot_general_dot_dimension_numbers(dot) : NULL;
  hd_attr lb = hd_attr_stablehlo_dot_lhs_batching_dimensions(n), rb = hd_attr_stablehlo_dot_rhs_batching_dimensions(n);
  hd_attr lc = hd_attr_stablehlo_dot_lhs_contracting_dimensions(n),
          rc = hd_attr_stablehlo_dot_rhs_contracting_dimensions(n);
  if (!n) { /* dot: the last of lhs with the first of rhs */
    lc = hd_attr_i64_array(b.context, (int64_t[]){lhs.rank - 1}, 1);
    rc = hd_attr_i64_array(b.context, (int64_t[]){0}, 1);
  }
  dot_rows r = {.ctx = ctx};
  uint32_t at = 0;
  for (size_t i = 0; i < hd_attr_count(lb); ++i, ++at)
    add_row(&r, HD_GEMM_BATCH, out.sizes[at], lhs.strides[hd_attr_int_at(lb, i)], rhs.strides[hd_attr_int_at(rb, i)],
            out.strides[at]);
  for (uint32_t d = 0; d < lhs.rank; ++d)
    if (hd_attr_find_int(lb, d) < 0 && hd_attr_find_int(lc, d) < 0)
      add_row(&r, HD_GEMM_M, lhs.sizes[d], lhs.strides[d], NULL, out.strides[at]), ++at;
  for (uint32_t d = 0; d < rhs.rank; ++d)
    if (hd_attr_find_int(rb, d) < 0 && hd_attr_find_int(rc, d) < 0)
      add_row(&r, HD_GEMM_N, rhs.sizes[d], NULL, rhs.strides[d], out.strides[at]), ++at;
  for (size_t i = 0; i < hd_attr_count(lc); ++i)
    add_row(&r, HD_GEMM_K, lhs.sizes[hd_attr_int_at(lc, i)], lhs.strides[hd_attr_int_at(lc, i)],
            rhs.strides[hd_attr_int_at(rc, i)], NULL);
  hd_value *table = NULL;
  if (ctx->asks) {
    if (!(table = hd_host_table(ctx, &b, r.words, NULL, HD_WORDS(hd_dot_dim) * r.count, op))) return false;
    ask(ctx, &b, dot, table, r.count, "ral_product_ready___pvoid_i64_pvoid_i64___i1");
  }
  bool done = false;
  if (ctx->device && plain && !lower_gemm(ctx, &b, op, dot, &lhs, &rhs, &out, lc, rc, &done)) return false;
  if (done) return true;
  if (!table) table = hd_host_table(ctx, &b, r.words, NULL, HD_WORDS(hd_dot_dim) * r.count, op);
  return table && library_call(ctx, &b, op, set, dot, plain, &lhs, &rhs, table, r.count, "ral_dot_general");
}

/* The descriptor of a convolution and of the window of each spatial dim. */
static bool lower_convolution(hd_lowering *ctx, hd_op *op, const hd_kernel_set *set, hd_op *conv) {
  hd_builder b = hd_builder_before(op);
  hd_dim_table *t = &ctx->shapes->table;
  hd_view lhs, rhs, out;
  if (!hd_product_operand(ctx, &b, set, hd_operand(conv, 0), op, &lhs) ||
      !hd_product_operand(ctx, &b, set, hd_operand(conv, 1), op, &rhs))
    return false;
  bool plain = hd_is_plain_product(set, conv);
  hd_map none = {0};
  if (plain ? !hd_product_result(ctx, set, conv, &out)
            : !hd_view_of(ctx->shapes, &none, hd_buffer_output(conv, 0), &out))
    return hd_op_error(op, "has a result of unknown size");
  hd_attr n = hd_convolution_like_dimension_numbers(conv);
  int64_t in_batch = hd_attr_stablehlo_conv_input_batch_dimension(n),
          in_feature = hd_attr_stablehlo_conv_input_feature_dimension(n);
  int64_t from = hd_attr_stablehlo_conv_kernel_input_feature_dimension(n),
          to = hd_attr_stablehlo_conv_kernel_output_feature_dimension(n);
  int64_t out_batch = hd_attr_stablehlo_conv_output_batch_dimension(n),
          out_feature = hd_attr_stablehlo_conv_output_feature_dimension(n);
  hd_attr in_space = hd_attr_stablehlo_conv_input_spatial_dimensions(n),
          kernel_space = hd_attr_stablehlo_conv_kernel_spatial_dimensions(n),
          out_space = hd_attr_stablehlo_conv_output_spatial_dimensions(n);
  hd_attr strides = hd_convolution_like_window_strides(conv), padding = hd_convolution_like_padding(conv),
          reversal = hd_convolution_like_window_reversal(conv), lhs_dilation = hd_convolution_like_lhs_dilation(conv),
          rhs_dilation = hd_convolution_like_rhs_dilation(conv);
  uint32_t space = lhs.rank - 2;
  if (space > HD_CONV_MAX_SPATIAL)
    return hd_op_error(op, "has %u spatial dims, and compiled convolutions have at most %d", space,
                       HD_CONV_MAX_SPATIAL);
  /* A dynamic one has its padding as host values after the buffers. */
  bool dynamic = hd_buffer_opcode(conv) == HD_OP_stablehlo_dynamic_conv;
#define FIELD(field) [HD_WORD(hd_conv_descriptor, field)]
#define WINDOW(field) [HD_WORD(hd_conv_window_descriptor, field)]
  hd_value *known[HD_WORDS(hd_conv_words)] = {NULL};
  hd_dim descriptor[HD_WORDS(hd_conv_words)] = {
      FIELD(batch) = out.sizes[out_batch],
      FIELD(input_features) = rhs.sizes[from],
      FIELD(output_features) = rhs.sizes[to],
      FIELD(feature_groups) = hd_dim_const(t, hd_convolution_like_feature_group_count(conv)),
      FIELD(batch_groups) = hd_dim_const(t, hd_convolution_like_batch_group_count(conv)),
      FIELD(input_batch_step) = lhs.strides[in_batch],
      FIELD(input_feature_step) = lhs.strides[in_feature],
      FIELD(kernel_input_step) = rhs.strides[from],
      FIELD(kernel_output_step) = rhs.strides[to],
      FIELD(output_batch_step) = out.strides[out_batch],
      FIELD(output_feature_step) = out.strides[out_feature],
      FIELD(spatial) = hd_dim_const(t, space),
  };
  uint32_t count = HD_WORDS(hd_conv_descriptor);
  for (uint32_t i = 0; i < space; ++i) {
    int64_t x = hd_attr_int_at(in_space, i), k = hd_attr_int_at(kernel_space, i), o = hd_attr_int_at(out_space, i);
    hd_dim window[HD_WORDS(hd_conv_window_descriptor)] = {
        WINDOW(input) = lhs.sizes[x],
        WINDOW(output) = out.sizes[o],
        WINDOW(kernel) = rhs.sizes[k],
        WINDOW(stride) = hd_dim_const(t, strides ? hd_attr_int_at(strides, i) : 1),
        WINDOW(pad_low) = hd_dim_const(t, padding ? hd_attr_int_at(padding, 2 * i) : 0),
        WINDOW(input_dilation) = hd_dim_const(t, lhs_dilation ? hd_attr_int_at(lhs_dilation, i) : 1),
        WINDOW(kernel_dilation) = hd_dim_const(t, rhs_dilation ? hd_attr_int_at(rhs_dilation, i) : 1),
        WINDOW(reversed) = hd_dim_const(t, reversal && hd_attr_int_at(reversal, i)),
        WINDOW(input_step) = lhs.strides[x],
        WINDOW(kernel_step) = rhs.strides[k],
        WINDOW(output_step) = out.strides[o],
    };
    if (dynamic) known[count + HD_WORD(hd_conv_window_descriptor, pad_low)] = hd_operand(conv, 3 + 2 * i);
    for (uint32_t w = 0; w < HD_WORDS(hd_conv_window_descriptor); ++w) descriptor[count++] = window[w];
  }
#undef FIELD
#undef WINDOW
  hd_value *table = hd_host_table(ctx, &b, descriptor, known, count, op);
  if (table && ctx->asks) ask(ctx, &b, conv, table, count, "ral_convolution_ready___pvoid_i64_pvoid_i64___i1");
  return table && library_call(ctx, &b, op, set, conv, plain, &lhs, &rhs, table, count, "ral_convolution");
}

bool hd_lower_product(hd_lowering *ctx, hd_op *op, const hd_kernel_set *set, hd_op *product) {
  bool dot =
      hd_buffer_opcode(product) == HD_OP_stablehlo_dot || hd_buffer_opcode(product) == HD_OP_stablehlo_dot_general;
  return dot ? lower_dot(ctx, op, set, product) : lower_convolution(ctx, op, set, product);
}
