/* SPDX-License-Identifier: Apache-2.0 */
/* disc-lower-to-kernels: every fusion and every single buffer op becomes a kernel function and its launch, a library
 * call, or structured host control flow.
 *
 *   "lmhlo.fusion"() ({...}) {hd.kind = "loop"}   ->   hd.launch @loop_multiply_add extent(%e) grain(%g) args(...)
 *                                                      func.func private @loop_multiply_add(...) attributes {hd.kernel}
 *   dots, convolutions                            ->   hd.ral_call "ral_dot_general...", "ral_convolution..." with an
 *                                                      epilogue kernel
 *   lmhlo.while, if, case                         ->   scf.while, scf.if, scf.index_switch on host loads
 *   lmhlo.constant, not a splat                   ->   a pointer of the context: hd.ral_call "ral_constant..."
 * An op with no way to be compiled is an error that names it. */
#include <stdio.h>
#include <string.h>

#include "analysis/views.h"
#include "base/vec.h"
#include "codegen/emit/kernels.h"
#include "heddle/element.h"
#include "ir/number.h"
#include "passes/kernel/element_types.h"
#include "passes/kernel/ral_call.h"
#include "passes/passes.h"

typedef struct lowering {
  hd_pass *pass;
  hd_shapes *shapes;
  hd_op *func;
  hd_block *entry;
  hd_map dims; /* dim -> host index value, per block: see host_dim */
  hd_vec(hd_attr) constants;
  hd_map constant_index; /* attribute -> index + 1 */
  unsigned kernels;
} lowering;

static hd_value *symbol_value(void *user, const hd_atom *symbol) {
  hd_builder *b = user;
  const hd_symbol_origin *origin = symbol->origin;
  if (origin->value->type->kind == HD_TYPE_INDEX) return origin->value;
  if (origin->value->type->kind != HD_TYPE_MEMREF) return NULL;
  hd_type index = hd_type_index(b->context);
  if (origin->kind == HD_SYMBOL_DIM)
    return hd_build(b, HD_OP_memref_dim, index, origin->value, hd_build_index(b, origin->index));
  return NULL;
}

/* A dim as host arithmetic before the op being lowered. Equal ones are merged by the back end. */
static hd_value *host_dim(lowering *z, hd_builder *b, hd_dim dim, hd_op *op) {
  hd_map cache = {0};
  hd_value *value = hd_dim_materialize(z->shapes, b, dim, &cache, symbol_value, b);
  if (!value) hd_op_error(op, "has a size that is not known where it is launched");
  return value;
}

static hd_value **launch_words(lowering *z, hd_builder *b, const hd_kernel_launch *launch, hd_op *op) {
  hd_value **words = hd_new_array(&z->pass->arena, hd_value *, launch->operand_count + 2);
  for (size_t i = 0; i < launch->operand_count; ++i) {
    words[2 + i] = launch->operands[i] ? launch->operands[i] : host_dim(z, b, launch->dims[i], op);
    if (!words[2 + i]) return NULL;
  }
  return words;
}

static bool launch_kernel(lowering *z, hd_builder *b, const hd_kernel_launch *launch, hd_op *op) {
  hd_value **words = launch_words(z, b, launch, op);
  if (!words) return false;
  words[0] = host_dim(z, b, launch->extent, op);
  words[1] = host_dim(z, b, launch->grain, op);
  if (!words[0] || !words[1]) return false;
  hd_attr_arg kernel = {"kernel", hd_attr_symbol(b->context, hd_symbol_name(launch->func), NULL, 0)};
  hd_build_op(b, HD_OP_hd_launch, words, launch->operand_count + 2, NULL, 0, &kernel, 1, 0);
  return true;
}

/* "loop_multiply_add_3": the kind, up to three telling ops, a number. */
static const char *kernel_name(lowering *z, const char *kind, hd_op *const *ops, size_t count) {
  hd_strbuf name;
  hd_strbuf_init(&name, &z->pass->arena);
  hd_strbuf_puts(&name, kind);
  unsigned shown = 0;
  for (size_t i = 0; i < count && shown < 3; ++i) {
    hd_opcode opcode = hd_buffer_opcode(ops[i]);
    if (opcode == HD_OP_stablehlo_constant || opcode == HD_OP_stablehlo_broadcast_in_dim ||
        opcode == HD_OP_stablehlo_dynamic_broadcast_in_dim || opcode == HD_OP_stablehlo_reshape)
      continue;
    hd_strbuf_printf(&name, "_%s", strchr(hd_op_info_of(ops[i]->info->opcode)->name, '.') + 1);
    ++shown;
  }
  hd_strbuf_printf(&name, "_%u", z->kernels++);
  return hd_strbuf_text(&name);
}

/* Ops of a kernel and the buffers of them that are read elsewhere. */
typedef struct kernel_set {
  hd_vec(hd_op *) ops;
  hd_vec(hd_value *) outputs;
  hd_map writers;
} kernel_set;

/* A buffer lives on when something outside reads it; readers in other fusions that have a copy of its op do not count.
 */
static bool lives_on(hd_value *buffer, hd_op *fusion) {
  hd_for_each_use(use, buffer) {
    if (hd_op_is_ancestor(fusion, use->owner) || hd_op_is(use->owner, HD_OP_memref_dealloc)) continue;
    bool own_copy = false;
    if (hd_op_is(hd_op_parent(use->owner), HD_OP_lmhlo_fusion))
      hd_for_each_op(op, use->owner->block) own_copy |=
          hd_op_attr_get(op, "hd.inline") && hd_buffer_output(op, 0) == buffer;
    if (!own_copy) return true;
  }
  return false;
}

static void collect(lowering *z, hd_op *fusion, kernel_set *set) {
  hd_arena *arena = &z->pass->arena;
  if (!hd_op_is(fusion, HD_OP_lmhlo_fusion)) {
    hd_vec_push(arena, &set->ops, fusion);
    for (uint32_t o = 0; o < hd_buffer_output_count(fusion); ++o) {
      hd_vec_push(arena, &set->outputs, hd_buffer_output(fusion, o));
      hd_map_set(arena, &set->writers, hd_buffer_output(fusion, o), fusion);
    }
    return;
  }
  hd_for_each_op(op, hd_op_region(fusion, 0)->first) {
    if (!op->info->derived_from) continue;
    hd_vec_push(arena, &set->ops, op);
    for (uint32_t o = 0; o < hd_buffer_output_count(op); ++o)
      hd_map_set(arena, &set->writers, hd_buffer_output(op, o), op);
  }
  for (size_t i = 0; i < set->ops.len; ++i) {
    hd_op *op = set->ops.data[i];
    for (uint32_t o = 0; o < hd_buffer_output_count(op) && !hd_op_attr_get(op, "hd.inline"); ++o)
      if (lives_on(hd_buffer_output(op, o), fusion)) hd_vec_push(arena, &set->outputs, hd_buffer_output(op, o));
  }
}

typedef bool (*emit_fn)(hd_shapes *, const hd_kernel_ops *, const char *, hd_arena *, hd_kernel_launch *);

static bool lower_by(lowering *z, hd_op *op, const kernel_set *set, const char *kind, emit_fn emit) {
  if (!set->outputs.len) { /* nobody reads what it writes */
    hd_op_erase(op);
    return true;
  }
  hd_kernel_ops ops = {set->ops.data, set->ops.len, set->outputs.data, set->outputs.len};
  hd_kernel_launch launch = {0};
  if (!emit(z->shapes, &ops, kernel_name(z, kind, set->ops.data, set->ops.len), &z->pass->arena, &launch)) return false;
  launch.func->loc = op->loc;
  hd_builder b = hd_builder_before(op);
  if (!launch_kernel(z, &b, &launch, op)) return false;
  hd_op_erase(op);
  return true;
}

/* The view's element 0 as a memref of one element: its pointer is what library calls take. */
static hd_value *view_pointer(lowering *z, hd_builder *b, const hd_view *view, hd_op *op) {
  int64_t zero;
  if (hd_dim_is_const(&z->shapes->table, view->offset, &zero) && zero == 0) return view->root;
  hd_value *offset = host_dim(z, b, view->offset, op);
  if (!offset) return NULL;
  hd_context *c = b->context;
  hd_type type = hd_type_memref(view->root->type->shaped.element, (int64_t[]){1}, 1,
                                hd_attr_strided(c, HD_DYNAMIC, (int64_t[]){1}, 1), NULL);
  hd_attr_arg attrs[] = {{"static_offsets", hd_attr_i64_array(c, (int64_t[]){HD_DYNAMIC}, 1)},
                         {"static_sizes", hd_attr_i64_array(c, (int64_t[]){1}, 1)},
                         {"static_strides", hd_attr_i64_array(c, (int64_t[]){1}, 1)},
                         {"operandSegmentSizes", hd_attr_i32_array(c, (int32_t[]){1, 1, 0, 0}, 4)}};
  return hd_build_one_(b, HD_OP_memref_reinterpret_cast, type, (hd_value *[]){view->root, offset}, 2, attrs, 4);
}

/* Makes an operand of a library call: a view of a buffer that is in memory, materialised by a kernel where it is none.
 */
static bool operand_view(lowering *z, hd_builder *b, const kernel_set *set, hd_value *buffer, hd_op *op, hd_view *out) {
  if (!hd_view_of(z->shapes, &set->writers, buffer, out)) return hd_op_error(op, "has an operand of unknown size");
  hd_op *writer = hd_map_get(&set->writers, out->root);
  if (!writer) return true;
  hd_kernel_ops ops = {set->ops.data, set->ops.len, &buffer, 1};
  hd_kernel_launch launch = {0};
  if (!hd_emit_loop_kernel(z->shapes, &ops, kernel_name(z, "loop", &writer, 1), &z->pass->arena, &launch) ||
      !launch_kernel(z, b, &launch, op))
    return false;
  hd_map none = {0};
  return hd_view_of(z->shapes, &none, buffer, out);
}

static bool has_dim(hd_attr dims, uint32_t d) {
  for (size_t i = 0; i < hd_attr_count(dims); ++i)
    if (hd_attr_int_at(dims, i) == d) return true;
  return false;
}

typedef struct dot_rows {
  lowering *z;
  hd_builder *b;
  hd_op *op;
  hd_value *memory; /* memref<Nx5xi64> */
  uint32_t count;
  bool ok;
} dot_rows;

static void add_row(dot_rows *r, int64_t role, hd_dim size, hd_dim lhs, hd_dim rhs, hd_dim out) {
  hd_dim_table *t = &r->z->shapes->table;
  hd_dim words[5] = {hd_dim_const(t, role), size, lhs, rhs, out};
  hd_type i64 = hd_i64(r->b->context);
  for (uint32_t i = 0; i < 5 && r->ok; ++i) {
    hd_value *value = host_dim(r->z, r->b, words[i] ? words[i] : hd_dim_const(t, 0), r->op);
    if (!(r->ok = value != NULL)) return;
    hd_build0(r->b, HD_OP_memref_store, hd_build(r->b, HD_OP_arith_index_cast, i64, value), r->memory,
              hd_build_index(r->b, 5 * (int64_t)r->count + i));
  }
  ++r->count;
}

static hd_value *words_area(hd_builder *b, int64_t count) {
  hd_type type = hd_type_memref(hd_i64(b->context), (int64_t[]){count}, 1, NULL, NULL);
  return hd_build_one_(b, HD_OP_memref_alloca, type, NULL, 0,
                       &(hd_attr_arg){"operandSegmentSizes", hd_attr_i32_array(b->context, (int32_t[]){0, 0}, 2)}, 1);
}

/* Words of an epilogue: pointers and index values as i64. */
static hd_value *epilogue_words(lowering *z, hd_builder *b, const hd_kernel_launch *launch, hd_op *op) {
  hd_value *area = words_area(b, (int64_t)launch->operand_count + 1), **words = launch_words(z, b, launch, op);
  hd_type i64 = hd_i64(b->context), index = hd_type_index(b->context);
  for (size_t i = 0; words && i < launch->operand_count; ++i) {
    hd_value *word = words[2 + i];
    if (word->type->kind == HD_TYPE_MEMREF)
      word = hd_build(b, HD_OP_memref_extract_aligned_pointer_as_index, index, word);
    hd_build0(b, HD_OP_memref_store, hd_build(b, HD_OP_arith_index_cast, i64, word), area,
              hd_build_index(b, (int64_t)i));
  }
  return words ? area : NULL;
}

/* Where a plain dot's result goes: its own buffer, or straight into a transpose of it. */
static bool plain_result(lowering *z, const kernel_set *set, hd_op *dot, hd_view *out) {
  hd_value *result = hd_buffer_output(dot, 0), *target = set->outputs.data[0];
  hd_map none = {0};
  if (!hd_view_of(z->shapes, &none, target, out)) return false;
  if (target == result) return true;
  hd_op *transpose = hd_map_get(&set->writers, target);
  hd_attr permutation = hd_op_attr_get(transpose, "permutation");
  hd_view moved = *out;
  for (uint32_t d = 0; d < out->rank; ++d) {
    out->strides[hd_attr_int_at(permutation, d)] = moved.strides[d];
    out->sizes[hd_attr_int_at(permutation, d)] = moved.sizes[d];
  }
  return true;
}

static bool is_plain(const kernel_set *set, hd_op *dot) {
  if (set->outputs.len != 1) return false;
  hd_value *result = hd_buffer_output(dot, 0), *target = set->outputs.data[0];
  if (target == result) return true;
  hd_op *writer = hd_map_get(&set->writers, target);
  return writer && hd_buffer_opcode(writer) == HD_OP_stablehlo_transpose && hd_operand(writer, 0) == result;
}

static bool library_takes(hd_op *dot) {
  hd_type l = hd_type_element(hd_operand_type(dot, 0)), r = hd_type_element(hd_operand_type(dot, 1)),
          o = hd_type_element(hd_buffer_output(dot, 0)->type);
  const hd_type types[3] = {l, r, o};
  bool any_float = false, any_int = false;
  for (int i = 0; i < 3; ++i) {
    bool wide = types[i]->kind == HD_TYPE_FLOAT && hd_float_formats[types[i]->float_kind].bits >= 16;
    bool integer = types[i]->kind == HD_TYPE_INTEGER && types[i]->integer.width >= 8;
    if (!wide && !integer) return false;
    any_float |= wide;
    any_int |= integer;
  }
  bool f64 = hd_type_is_float(o, HD_F64);
  for (int i = 0; i < 3; ++i)
    if (hd_type_is_float(types[i], HD_F64) != f64) return false;
  return !(any_float && any_int);
}

/* Calls |api| of the two products with |count| facts in |memory|; what follows the product becomes its epilogue unless
 * |plain|. Erases |op|. */
static bool library_call(lowering *z, hd_builder *b, hd_op *op, const kernel_set *set, hd_op *product, bool plain,
                         const hd_view *lhs, const hd_view *rhs, hd_value *memory, int64_t count, const char *api) {
  hd_type i64 = hd_i64(b->context), ptr = hd_pointer_type(b->context);
  hd_value *epilogue = hd_build_int(b, i64, -1), *words = memory;
  int64_t word_count = 0;
  if (!plain) {
    hd_kernel_ops ops = {set->ops.data, set->ops.len, set->outputs.data, set->outputs.len};
    hd_kernel_launch launch = {0};
    if (!hd_emit_epilogue_kernel(z->shapes, &ops, product, kernel_name(z, "gemm", set->ops.data, set->ops.len),
                                 &z->pass->arena, &launch))
      return false;
    launch.func->loc = op->loc;
    words = epilogue_words(z, b, &launch, op);
    if (!words) return false;
    word_count = (int64_t)launch.operand_count;
    epilogue =
        hd_build_one_(b, HD_OP_hd_kernel_index, i64, NULL, 0,
                      &(hd_attr_arg){"kernel", hd_attr_symbol(b->context, hd_symbol_name(launch.func), NULL, 0)}, 1);
  }
  hd_value *lhs_pointer = view_pointer(z, b, lhs, op), *rhs_pointer = view_pointer(z, b, rhs, op);
  if (!lhs_pointer || !rhs_pointer) return false;
  int64_t types = hd_element_type_of(hd_type_element(hd_operand_type(product, 0))) |
                  (int64_t)hd_element_type_of(hd_type_element(hd_operand_type(product, 1))) << 8 |
                  (int64_t)hd_element_type_of(hd_type_element(hd_buffer_output(product, 0)->type)) << 16;
  hd_value *stream = hd_build_one_(b, HD_OP_llvm_mlir_zero, ptr, NULL, 0, NULL, 0);
  hd_value *operands[] = {stream,
                          lhs_pointer,
                          rhs_pointer,
                          plain ? set->outputs.data[0] : lhs_pointer,
                          hd_build_int(b, i64, types),
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

static bool lower_dot(lowering *z, hd_op *op, const kernel_set *set, hd_op *dot) {
  hd_builder b = hd_builder_before(op);
  hd_view lhs, rhs, out;
  if (!operand_view(z, &b, set, hd_operand(dot, 0), op, &lhs) ||
      !operand_view(z, &b, set, hd_operand(dot, 1), op, &rhs))
    return false;
  bool plain = is_plain(set, dot);
  hd_value *result = hd_buffer_output(dot, 0);
  hd_map none = {0};
  if (plain ? !plain_result(z, set, dot, &out) : !hd_view_of(z->shapes, &none, result, &out))
    return hd_op_error(op, "has a result of unknown size");
  hd_attr n = hd_op_attr_get(dot, "dot_dimension_numbers");
  hd_attr lb = hd_struct_get(n, "lhs_batching_dimensions"), rb = hd_struct_get(n, "rhs_batching_dimensions");
  hd_attr lc = hd_struct_get(n, "lhs_contracting_dimensions"), rc = hd_struct_get(n, "rhs_contracting_dimensions");
  if (!n) { /* dot: the last of lhs with the first of rhs */
    lc = hd_attr_i64_array(b.context, (int64_t[]){lhs.rank - 1}, 1);
    rc = hd_attr_i64_array(b.context, (int64_t[]){0}, 1);
  }
  uint32_t rows = lhs.rank + rhs.rank;
  dot_rows r = {z, &b, op, words_area(&b, 5 * (int64_t)(rows ? rows : 1)), 0, true};
  uint32_t at = 0;
  for (size_t i = 0; i < hd_attr_count(lb); ++i, ++at)
    add_row(&r, 0, out.sizes[at], lhs.strides[hd_attr_int_at(lb, i)], rhs.strides[hd_attr_int_at(rb, i)],
            out.strides[at]);
  for (uint32_t d = 0; d < lhs.rank; ++d)
    if (!has_dim(lb, d) && !has_dim(lc, d)) add_row(&r, 1, lhs.sizes[d], lhs.strides[d], NULL, out.strides[at]), ++at;
  for (uint32_t d = 0; d < rhs.rank; ++d)
    if (!has_dim(rb, d) && !has_dim(rc, d)) add_row(&r, 2, rhs.sizes[d], NULL, rhs.strides[d], out.strides[at]), ++at;
  for (size_t i = 0; i < hd_attr_count(lc); ++i)
    add_row(&r, 3, lhs.sizes[hd_attr_int_at(lc, i)], lhs.strides[hd_attr_int_at(lc, i)],
            rhs.strides[hd_attr_int_at(rc, i)], NULL);
  if (!r.ok) return false;
  return library_call(z, &b, op, set, dot, plain, &lhs, &rhs, r.memory, r.count, "ral_dot_general");
}

/* A number that is 0 may be left out. */
static int64_t dim_number(hd_attr numbers, const char *name) {
  hd_attr number = hd_struct_get(numbers, name);
  return number ? number->integer : 0;
}

/* The twelve facts of a convolution and eleven for each spatial dim, as runtime/libraries/conv_ral.c reads them. */
static bool lower_convolution(lowering *z, hd_op *op, const kernel_set *set, hd_op *conv) {
  hd_builder b = hd_builder_before(op);
  hd_dim_table *t = &z->shapes->table;
  hd_view lhs, rhs, out;
  if (!operand_view(z, &b, set, hd_operand(conv, 0), op, &lhs) ||
      !operand_view(z, &b, set, hd_operand(conv, 1), op, &rhs))
    return false;
  bool plain = is_plain(set, conv);
  hd_map none = {0};
  if (plain ? !plain_result(z, set, conv, &out) : !hd_view_of(z->shapes, &none, hd_buffer_output(conv, 0), &out))
    return hd_op_error(op, "has a result of unknown size");
  hd_attr n = hd_op_attr_get(conv, "dimension_numbers");
  int64_t in_batch = dim_number(n, "input_batch_dimension"), in_feature = dim_number(n, "input_feature_dimension");
  int64_t from = dim_number(n, "kernel_input_feature_dimension"), to = dim_number(n, "kernel_output_feature_dimension");
  int64_t out_batch = dim_number(n, "output_batch_dimension"), out_feature = dim_number(n, "output_feature_dimension");
  hd_attr in_space = hd_struct_get(n, "input_spatial_dimensions"),
          kernel_space = hd_struct_get(n, "kernel_spatial_dimensions"),
          out_space = hd_struct_get(n, "output_spatial_dimensions");
  hd_attr strides = hd_op_attr_get(conv, "window_strides"), padding = hd_op_attr_get(conv, "padding"),
          reversal = hd_op_attr_get(conv, "window_reversal"), lhs_dilation = hd_op_attr_get(conv, "lhs_dilation"),
          rhs_dilation = hd_op_attr_get(conv, "rhs_dilation");
  uint32_t space = lhs.rank - 2;
  if (space > 3) return hd_op_error(op, "has %u spatial dims, and compiled convolutions have at most 3", space);
  /* A dynamic one has its padding as host values after the buffers. */
  bool dynamic = hd_buffer_opcode(conv) == HD_OP_stablehlo_dynamic_conv;
  hd_value *known[12 + 3 * 11] = {NULL};
  hd_dim facts[12 + 3 * 11] = {out.sizes[out_batch],
                               rhs.sizes[from],
                               rhs.sizes[to],
                               hd_dim_const(t, hd_op_int_attr(conv, "feature_group_count", 1)),
                               hd_dim_const(t, hd_op_int_attr(conv, "batch_group_count", 1)),
                               lhs.strides[in_batch],
                               lhs.strides[in_feature],
                               rhs.strides[from],
                               rhs.strides[to],
                               out.strides[out_batch],
                               out.strides[out_feature],
                               hd_dim_const(t, space)};
  uint32_t count = 12;
  for (uint32_t i = 0; i < space; ++i) {
    int64_t x = hd_attr_int_at(in_space, i), k = hd_attr_int_at(kernel_space, i), o = hd_attr_int_at(out_space, i);
    hd_dim window[11] = {lhs.sizes[x],
                         out.sizes[o],
                         rhs.sizes[k],
                         hd_dim_const(t, strides ? hd_attr_int_at(strides, i) : 1),
                         hd_dim_const(t, padding ? hd_attr_int_at(padding, 2 * i) : 0),
                         hd_dim_const(t, lhs_dilation ? hd_attr_int_at(lhs_dilation, i) : 1),
                         hd_dim_const(t, rhs_dilation ? hd_attr_int_at(rhs_dilation, i) : 1),
                         hd_dim_const(t, reversal && hd_attr_int_at(reversal, i)),
                         lhs.strides[x],
                         rhs.strides[k],
                         out.strides[o]};
    if (dynamic) known[count + 4] = hd_operand(conv, 3 + 2 * i);
    for (uint32_t w = 0; w < 11; ++w) facts[count++] = window[w];
  }
  hd_value *memory = words_area(&b, count);
  hd_type i64 = hd_i64(b.context);
  for (uint32_t i = 0; i < count; ++i) {
    hd_value *value = known[i] ? known[i] : host_dim(z, &b, facts[i], op);
    if (!value) return false;
    hd_build0(&b, HD_OP_memref_store, hd_build(&b, HD_OP_arith_index_cast, i64, value), memory, hd_build_index(&b, i));
  }
  return library_call(z, &b, op, set, conv, plain, &lhs, &rhs, memory, count, "ral_convolution");
}

static bool lower_constant(lowering *z, hd_op *op) {
  hd_attr value = hd_op_attr_get(op, "value");
  hd_value *buffer = hd_buffer_output(op, 0);
  if (!hd_attr_is(value, HD_ATTR_DENSE))
    return hd_op_error(op, "has a value that is not dense, which has no compiled path");
  bool is_new;
  hd_map_entry *entry = hd_map_insert(&z->pass->arena, &z->constant_index, value, &is_new);
  if (is_new) {
    hd_vec_push(&z->pass->arena, &z->constants, value);
    entry->value.i64 = (int64_t)z->constants.len - 1;
  }
  hd_op *alloc = hd_value_op(buffer);
  if (!hd_op_is(alloc, HD_OP_memref_alloc))
    return hd_op_error(op, "is written into a buffer that is used for something else");
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
  const hd_value_shape *shape = hd_shapes_get(z->shapes, buffer);
  hd_shapes_set_dims(z->shapes, lent, shape->dims, shape->rank);
  hd_value_replace_uses(buffer, lent);
  hd_op_erase(alloc);
  return true;
}

static hd_value *byte_count(lowering *z, hd_builder *b, hd_value *buffer, hd_op *op) {
  hd_dim bytes =
      hd_dim_mul(&z->shapes->table, hd_shapes_num_elements(z->shapes, buffer),
                 hd_dim_const(&z->shapes->table, (int64_t)hd_type_element_bytes(hd_type_element(buffer->type))));
  hd_value *value = bytes ? host_dim(z, b, bytes, op) : NULL;
  return value ? hd_build(b, HD_OP_arith_index_cast, hd_i64(b->context), value) : NULL;
}

static bool build_copy(lowering *z, hd_builder *b, hd_value *from, hd_value *to, hd_op *op) {
  hd_value *bytes = byte_count(z, b, from, op);
  if (!bytes) return false;
  hd_value *stream = hd_build_one_(b, HD_OP_llvm_mlir_zero, hd_pointer_type(b->context), NULL, 0, NULL, 0);
  hd_build_ral_call(b, "ral_copy___pvoid_pvoid_pvoid_pvoid_i64___void", NULL, (hd_value *[]){stream, to, from, bytes},
                    4);
  return true;
}

static bool lower_copy(lowering *z, hd_op *op) {
  hd_builder b = hd_builder_before(op);
  if (!build_copy(z, &b, hd_operand(op, 0), hd_operand(op, 1), op)) return false;
  hd_op_erase(op);
  return true;
}

static bool lower_scatter(lowering *z, hd_op *op) {
  kernel_set set = {0};
  collect(z, op, &set);
  hd_builder b = hd_builder_before(op);
  for (uint32_t i = 0; i < hd_buffer_output_count(op); ++i)
    if (!build_copy(z, &b, hd_operand(op, i), hd_buffer_output(op, i), op)) return false;
  return lower_by(z, op, &set, "scatter", hd_emit_scatter_kernel);
}

/* A buffer like |like| for the time of |op|: freed after it. */
static hd_value *scratch_like(lowering *z, hd_op *op, hd_value *like) {
  hd_builder b = hd_builder_before(op);
  const hd_value_shape *shape = hd_shapes_get(z->shapes, like);
  hd_value *sizes[64];
  size_t count = 0;
  for (uint32_t d = 0; d < shape->rank; ++d) {
    if (like->type->shaped.dims[d] != HD_DYNAMIC) continue;
    if (count == 64 || !(sizes[count++] = host_dim(z, &b, shape->dims[d], op))) return NULL;
  }
  hd_attr_arg segments = {"operandSegmentSizes", hd_attr_i32_array(b.context, (int32_t[]){(int32_t)count, 0}, 2)};
  hd_value *scratch = hd_build_one_(&b, HD_OP_memref_alloc, like->type, sizes, count, &segments, 1);
  hd_shapes_set_dims(z->shapes, scratch, shape->dims, shape->rank);
  hd_builder after = op->next ? hd_builder_before(op->next) : hd_builder_at_end(z->pass->module, op->block);
  hd_build0(&after, HD_OP_memref_dealloc, scratch);
  return scratch;
}

static bool lower_sort(lowering *z, hd_op *op) {
  kernel_set set = {0};
  collect(z, op, &set);
  hd_builder b = hd_builder_before(op);
  uint32_t count = hd_buffer_output_count(op);
  for (uint32_t i = 0; i < count; ++i)
    if (!build_copy(z, &b, hd_operand(op, i), hd_buffer_output(op, i), op)) return false;
  if (!hd_type_rank(hd_operand_type(op, 0))) { /* one element is in order */
    hd_op_erase(op);
    return true;
  }
  for (uint32_t i = 0; i < count; ++i) {
    hd_value *scratch = scratch_like(z, op, hd_buffer_output(op, i));
    if (!scratch) return false;
    hd_vec_push(&z->pass->arena, &set.outputs, scratch);
  }
  return lower_by(z, op, &set, "sort", hd_emit_sort_kernel);
}

static bool lower_block(lowering *z, hd_block *block);

static void move_region(hd_op *from, uint32_t r, hd_op *to, uint32_t t) {
  hd_region_clear(hd_op_region(to, t));
  hd_region_take(hd_op_region(to, t), hd_op_region(from, r));
}

static bool lower_while(lowering *z, hd_op *op) {
  for (uint32_t r = 0; r < 2; ++r)
    if (!lower_block(z, hd_op_region(op, r)->first)) return false;
  hd_builder b = hd_builder_before(op);
  hd_op *loop = hd_build_op(&b, HD_OP_scf_while, NULL, 0, NULL, 0, NULL, 0, 2);
  for (uint32_t r = 0; r < 2; ++r) {
    move_region(op, r, loop, r);
    hd_block *block = hd_op_region(loop, r)->first;
    hd_op_erase(block->last);
    hd_builder end = hd_builder_at_end(z->pass->module, block);
    end.loc = op->loc;
    if (r == 0) {
      hd_value *predicate = hd_build_one_(&end, HD_OP_memref_load, hd_i1(b.context),
                                          (hd_value *[]){hd_operand(op, op->operand_count - 1)}, 1, NULL, 0);
      hd_build_op(&end, HD_OP_scf_condition, &predicate, 1, NULL, 0, NULL, 0, 0);
    } else {
      hd_build_yield(&end, NULL, 0);
    }
  }
  hd_op_erase(op);
  return true;
}

static bool lower_branches(lowering *z, hd_op *op) {
  for (uint32_t r = 0; r < op->region_count; ++r)
    if (!lower_block(z, hd_op_region(op, r)->first)) return false;
  hd_builder b = hd_builder_before(op);
  hd_value *selector = hd_build_one_(&b, HD_OP_memref_load, hd_type_element(hd_operand_type(op, 0)),
                                     (hd_value *[]){hd_operand(op, 0)}, 1, NULL, 0);
  hd_op *branch;
  if (hd_op_is(op, HD_OP_lmhlo_if)) {
    branch = hd_build_op(&b, HD_OP_scf_if, &selector, 1, NULL, 0, NULL, 0, 2);
    move_region(op, 0, branch, 0);
    move_region(op, 1, branch, 1);
  } else { /* an index out of range takes the last branch */
    uint32_t last = op->region_count - 1;
    hd_value *index = hd_build(&b, HD_OP_arith_index_cast, hd_type_index(b.context), selector);
    int64_t *cases = hd_new_array(&z->pass->arena, int64_t, last + 1);
    for (uint32_t i = 0; i < last; ++i) cases[i] = i;
    branch = hd_build_op(&b, HD_OP_scf_index_switch, &index, 1, NULL, 0,
                         &(hd_attr_arg){"cases", hd_attr_i64_array(b.context, cases, last)}, 1, op->region_count);
    move_region(op, last, branch, 0);
    for (uint32_t i = 0; i < last; ++i) move_region(op, i, branch, 1 + i);
  }
  for (uint32_t r = 0; r < branch->region_count; ++r) {
    hd_block *block = hd_op_region(branch, r)->first;
    hd_op_erase(block->last);
    hd_builder end = hd_builder_at_end(z->pass->module, block);
    end.loc = op->loc;
    hd_build_yield(&end, NULL, 0);
  }
  hd_op_erase(op);
  return true;
}

static hd_op *dot_of(const kernel_set *set) {
  for (size_t i = 0; i < set->ops.len; ++i) {
    hd_opcode opcode = hd_buffer_opcode(set->ops.data[i]);
    if (opcode == HD_OP_stablehlo_dot_general || opcode == HD_OP_stablehlo_dot ||
        opcode == HD_OP_stablehlo_convolution || opcode == HD_OP_stablehlo_dynamic_conv)
      return set->ops.data[i];
  }
  return NULL;
}

static bool lower_op(lowering *z, hd_op *op) {
  switch (hd_buffer_opcode(op)) {
    case HD_OP_stablehlo_while:
      return lower_while(z, op);
    case HD_OP_stablehlo_if:
    case HD_OP_stablehlo_case:
      return lower_branches(z, op);
    case HD_OP_mhlo_copy:
      return lower_copy(z, op);
    case HD_OP_stablehlo_scatter:
      return lower_scatter(z, op);
    case HD_OP_stablehlo_sort:
      return lower_sort(z, op);
    case HD_OP_stablehlo_constant:
      if (!hd_can_generate(op)) return lower_constant(z, op);
      break;
    default:
      break;
  }
  kernel_set set = {0};
  collect(z, op, &set);
  hd_str kind = hd_op_string_attr(op, "hd.kind");
  hd_op *dot = dot_of(&set);
  if (dot && library_takes(dot) && set.outputs.len && (hd_str_is(kind, "gemm") || dot == op))
    return hd_buffer_opcode(dot) == HD_OP_stablehlo_convolution || hd_buffer_opcode(dot) == HD_OP_stablehlo_dynamic_conv
               ? lower_convolution(z, op, &set, dot)
               : lower_dot(z, op, &set, dot);
  if (hd_str_is(kind, "row")) return lower_by(z, op, &set, "row", hd_emit_row_kernel);
  for (size_t i = 0; i < set.ops.len; ++i)
    if (!hd_can_generate(set.ops.data[i])) return hd_op_error(set.ops.data[i], "has no compiled path on the CPU");
  return lower_by(z, op, &set, "loop", hd_emit_loop_kernel);
}

static bool lower_block(lowering *z, hd_block *block) {
  /* Constants first: their buffers become others. */
  hd_for_each_op_safe(op, block) {
    if (op->info->derived_from && hd_buffer_opcode(op) == HD_OP_stablehlo_constant && !hd_can_generate(op) &&
        !lower_constant(z, op))
      return false;
  }
  for (hd_op *op = block->first, *next; op; op = next) {
    next = op->next;
    if (op->info->derived_from && !lower_op(z, op)) return false;
  }
  return true;
}

/* Buffers that no kernel reads or writes any more. */
static bool drop_dead_buffer(hd_op *op, void *user) {
  (void)user;
  if (!hd_op_is(op, HD_OP_memref_alloc)) return true;
  hd_for_each_use(use, hd_result(op, 0)) if (!hd_op_is(use->owner, HD_OP_memref_dealloc)) return true;
  while (hd_result(op, 0)->first_use) hd_op_erase(hd_result(op, 0)->first_use->owner);
  hd_op_erase(op);
  return true;
}

bool hd_pass_lower_to_kernels(hd_pass *pass, hd_op *func) {
  if (hd_op_attr_get(func, "hd.kernel")) return true;
  lowering z = {
      .pass = pass, .shapes = hd_shapes_of(func, &pass->arena), .func = func, .entry = hd_op_region(func, 0)->first};
  hd_for_each_block(block, hd_op_region(func, 0)) if (!lower_block(&z, block)) return false;
  hd_walk_post(func, drop_dead_buffer, NULL);
  if (z.constants.len)
    hd_op_attr_set(func, "hd.constants", hd_attr_array(pass->context, z.constants.data, z.constants.len));
  pass->changed = true;
  return true;
}
