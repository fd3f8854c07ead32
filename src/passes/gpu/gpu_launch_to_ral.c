/* SPDX-License-Identifier: Apache-2.0 */
/* disc-gpu-launch-to-ral: launches of kernels become calls of the runtime.
 *
 *   gpu.launch_func @k::@k blocks in (%x, %y, %z) threads in (...) args(%m : memref<?x8xf32, ...>, %n : index)
 *   ->
 *   %words = memref.alloca() : memref<3xi64>              the pointer of %m, its unknown size, %n
 *   %name = llvm.mlir.addressof @hd_kernel_k              "k\00"
 *   hd.ral_call "ral_gpu_launch___pvoid_pvoid_pvoid_i64_i64_i64_i64_i64_i64_i64_pvoid_i64___void"
 *       (%stream, %name, %x, %y, %z, threads..., dynamic shared bytes, %words, %count)
 *
 * The runtime loads the module of that name when it is first launched in a context, and keeps it. A memref
 * goes as the pointer of its first element and one word per unknown size that the kernel takes, for it is
 * dense; scalars are the bits of their words. */
#include "analysis/kernel_sizes.h"
#include "ir/launch_items.h"
#include "ir/ops/discardable.h"
#include "ir/ops/hd.h"
#include "ir/ops/interfaces.h"
#include "passes/lowering/lowering.h"
#include "passes/lowering/ral_call.h"
#include "passes/machine/converter.h"

typedef struct launcher {
  hd_lowering ctx; /* for its stream */
  hd_symbol_table symbols;
  bool ok;
} launcher;

static hd_value *as_i64(hd_builder *b, hd_value *value) {
  hd_type i64 = hd_i64(b->context), type = value->type;
  if (type == i64) return value;
  if (type->kind == HD_TYPE_INDEX) return hd_build(b, HD_OP_arith_index_cast, i64, value);
  if (type->kind == HD_TYPE_FLOAT) {
    hd_type bits = hd_type_integer(b->context, hd_type_bits(type), HD_SIGNLESS);
    return as_i64(b, hd_build(b, HD_OP_arith_bitcast, bits, value));
  }
  if (type->kind == HD_TYPE_INTEGER && type->integer.signedness != HD_SIGNLESS)
    return as_i64(b, hd_build(b, HD_OP_builtin_unrealized_conversion_cast,
                              hd_type_integer(b->context, type->integer.width, HD_SIGNLESS), value));
  return hd_build(b, HD_OP_arith_extui, i64, value);
}

typedef hd_vec(hd_value *) word_list;

/* The words of |launch|'s argument |i|, |value|. */
static bool add_words(launcher *l, hd_builder *b, hd_op *launch, const hd_op *kernel, uint32_t i, hd_value *value,
                      word_list *words) {
  hd_arena *arena = &l->ctx.pass->arena;
  hd_type type = value->type, index = hd_type_index(b->context);
  if (type->kind != HD_TYPE_MEMREF) {
    bool word = type->kind == HD_TYPE_INDEX ||
                ((type->kind == HD_TYPE_INTEGER || type->kind == HD_TYPE_FLOAT) && hd_type_bits(type) <= 64);
    if (!word)
      return hd_op_error(launch,
                         "passes a value of more than 64 bits, expected a pointer or a number of 64 bits at most");
    hd_vec_push(arena, words, as_i64(b, value));
    return true;
  }
  if (!hd_machine_has_known_strides(type) || hd_machine_has_own_offset(type))
    return hd_op_misfit_error(launch, type, NULL,
                              "passes a buffer with an offset or strides that its type does not say");
  hd_vec_push(arena, words, as_i64(b, hd_build(b, HD_OP_memref_extract_aligned_pointer_as_index, index, value)));
  for (uint32_t d = 0; d < type->shaped.rank; ++d)
    if (hd_kernel_takes_size(kernel, i, d))
      hd_vec_push(arena, words, as_i64(b, hd_build(b, HD_OP_memref_dim, index, value, hd_build_index(b, d))));
  return true;
}

/* The largest of the sizes that launches of |kernel| give; -1 when one of them is not known. */
static void note_dynamic(hd_op *kernel, hd_value *size) {
  int64_t known = -1, former = hd_attr_int_or(hd_discardable_dynamic_shared_attr(kernel), 0);
  if (!hd_value_constant_int(size, &known) || former < 0) known = -1;
  if (known >= 0 && known < former) known = former;
  hd_discardable_set_dynamic_shared(kernel, known);
}

static bool lower(launcher *l, hd_op *launch) {
  uint32_t start, count, first, at, dynamic;
  hd_attr symbol = hd_launch_like_kernel(launch);
  bool nested = hd_attr_is(symbol, HD_ATTR_SYMBOL) && symbol->symbol.count == 1;
  hd_op *kernels = nested ? hd_symbol_table_lookup(&l->symbols, hd_ident_str(symbol->symbol.root)) : NULL;
  hd_op *kernel = kernels ? hd_symbol_lookup(kernels, hd_ident_str(symbol->symbol.nested[0])) : NULL;
  if (!hd_op_is(kernel, HD_OP_gpu_func))
    return hd_op_error(launch, "expects a gpu.func as its kernel, got another symbol");
  hd_op_operand_range(launch, HD_LAUNCH_GRID, &first, &count);
  hd_op_operand_range(launch, HD_LAUNCH_ARGUMENTS, &start, &count);
  hd_op_operand_range(launch, HD_LAUNCH_DYNAMIC_SHARED, &at, &dynamic);
  if (first != 0 || start != 6 + dynamic || launch->operand_count != start + count)
    return hd_op_error(launch, "has tokens or clusters, expected a plain launch");
  hd_builder b = hd_builder_before(launch);
  b.loc = launch->loc;
  hd_type i64 = hd_i64(b.context);
  word_list words = {0};
  for (uint32_t i = 0; i < count; ++i)
    if (!add_words(l, &b, launch, kernel, i, hd_operand(launch, start + i), &words)) return false;
  /* In the entry block, so that loops do not grow the stack. */
  hd_builder entry = hd_builder_at_start(b.module, hd_op_region(l->ctx.func, 0)->first);
  entry.loc = launch->loc;
  hd_value *area = hd_words_area(&entry, (int64_t)(words.len ? words.len : 1));
  for (size_t i = 0; i < words.len; ++i)
    hd_build0(&b, HD_OP_memref_store, words.data[i], area, hd_build_index(&b, (int64_t)i));
  hd_value *operands[12] = {hd_lower_stream(&l->ctx, &b),
                            hd_build_c_string(&b, &l->symbols, "hd_kernel_", hd_symbol_name(kernels))};
  for (uint32_t i = 0; i < 6; ++i) operands[2 + i] = as_i64(&b, hd_operand(launch, i));
  operands[8] = dynamic ? as_i64(&b, hd_operand(launch, at)) : hd_build_int(&b, i64, 0);
  if (dynamic) note_dynamic(kernel, hd_operand(launch, at));
  operands[9] = area;
  operands[10] = hd_build_int(&b, i64, (int64_t)words.len);
  hd_build_ral_call(&b, "ral_gpu_launch___pvoid_pvoid_pvoid_i64_i64_i64_i64_i64_i64_i64_pvoid_i64___void", NULL,
                    operands, 11);
  hd_op_erase(launch);
  l->ctx.pass->changed = true;
  return true;
}

static bool visit(hd_op *op, void *user) {
  launcher *l = user;
  if (hd_op_is(op, HD_OP_gpu_launch_func)) l->ok = lower(l, op);
  return l->ok;
}

static bool find_stream(hd_op *op, void *user) {
  launcher *l = user;
  bool is = hd_op_is(op, HD_OP_hd_ral_call) && hd_str_is(hd_hd_ral_call_api(op), "ral_stream___pvoid___pvoid");
  if (is && op->block == hd_op_region(l->ctx.func, 0)->first && !op->prev) l->ctx.stream = hd_result(op, 0);
  return true;
}

bool hd_pass_gpu_launch_to_ral(hd_pass *pass, hd_op *func) {
  launcher l = {.ctx = {.pass = pass, .func = func, .device = true}, .ok = true};
  hd_symbol_table_init(&l.symbols, &pass->arena, pass->module->op);
  hd_walk_pre(func, find_stream, &l);
  return hd_walk_post(func, visit, &l);
}
