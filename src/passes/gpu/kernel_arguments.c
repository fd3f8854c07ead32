/* SPDX-License-Identifier: Apache-2.0 */
/* disc-kernel-arguments: kernels are given what they read, and know of buffers what the host knows.
 *
 *   gpu.func @k(%a: memref<?x?xf32, #global>,        gpu.func @k(%a: memref<?x?xf32, #global> {hd.sizes = [1],
 *               %b: memref<?xf32, #global>)    ->                       llvm.noalias, llvm.readonly},
 *     memref.load %a[%i, %j]                                  %b: memref<?xf32, #global> {hd.sizes = [], llvm.noalias})
 *     memref.store %x, %b[%i]
 *
 * hd.sizes: the unknown sizes that are words of a launch. Accesses count by all sizes but the first; where a buffer
 * goes another way than into accesses, sizes and views, it is passed whole.
 *
 * llvm.readonly: the kernel writes nothing through it. llvm.noalias: no other buffer of any of its launches is in the
 * same memory, unless both are only read. Allocations are memory of their own, but where they may be given an
 * argument's (hd.donor); two arguments may be one buffer; of what control flow gives nothing is known. */
#include "analysis/buffer_deps.h"
#include "base/map.h"
#include "base/vec.h"
#include "ir/builder.h"
#include "ir/launch_items.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/memref.h"
#include "passes/passes.h"

/* ---- inside of a kernel ---- */

typedef struct usage {
  bool written;
  uint64_t sizes; /* a bit per dim */
} usage;
_Static_assert(HD_MAX_RANK <= 64, "usage.sizes has a bit per dim");

static const uint64_t all_sizes = ~(uint64_t)0;

/* The operand of |op| that is the buffer of an access; -1: it is none. */
static int64_t buffer_of_access(const hd_op *op, bool *out_writes) {
  *out_writes =
      hd_op_is(op, HD_OP_memref_store) || hd_op_is(op, HD_OP_vector_store) || hd_op_is(op, HD_OP_memref_atomic_rmw);
  if (*out_writes) return 1;
  return hd_op_is(op, HD_OP_memref_load) || hd_op_is(op, HD_OP_vector_load) ? 0 : -1;
}

static usage usage_of(hd_value *buffer);

/* Sizes of a group multiply to the view's. */
static usage usage_of_view(hd_op *view) {
  usage inner = usage_of(hd_result(view, 0)), u = {inner.written, 0};
  hd_attr groups = hd_memref_collapse_shape_reassociation(view);
  for (uint32_t d = 0; d < hd_attr_count(groups); ++d) {
    hd_attr group = groups->array.items[d];
    for (uint32_t i = 0; i < hd_attr_count(group) && inner.sizes >> d & 1; ++i)
      u.sizes |= (uint64_t)1 << hd_attr_int_at(group, i);
  }
  return u;
}

static usage usage_of(hd_value *buffer) {
  usage u = {false, 0};
  uint32_t rank = hd_type_rank(buffer->type);
  if (rank > HD_MAX_RANK) return (usage){true, all_sizes};
  hd_for_each_use(use, buffer) {
    hd_op *op = use->owner;
    bool writes;
    int64_t d, at = buffer_of_access(op, &writes);
    if (at >= 0 && hd_operand(op, (uint32_t)at) == buffer && !(writes && hd_operand(op, 0) == buffer)) {
      u.written |= writes;
      if (rank > 1) u.sizes |= all_sizes << 1;
    } else if (hd_op_is(op, HD_OP_memref_dim) && hd_value_constant_int(hd_operand(op, 1), &d) && d >= 0 && d < rank) {
      u.sizes |= (uint64_t)1 << d;
    } else if (hd_op_is(op, HD_OP_memref_collapse_shape)) {
      usage inner = usage_of_view(op);
      u = (usage){u.written || inner.written, u.sizes | inner.sizes};
    } else {
      return (usage){true, all_sizes};
    }
  }
  return u;
}

/* ---- on the host ---- */

typedef enum memory_kind { UNKNOWN, ARGUMENT, DONATED, OWN } memory_kind;

static hd_value *root_of(hd_value *buffer, memory_kind *out) {
  buffer = hd_buffer_root(buffer);
  hd_op *op = hd_value_op(buffer), *parent = op ? NULL : hd_block_parent_op(buffer->owner.block);
  *out = hd_op_is(op, HD_OP_memref_alloc)    ? hd_discardable_donor_attr(op) ? DONATED : OWN
         : hd_op_is(parent, HD_OP_func_func) ? ARGUMENT
                                             : UNKNOWN;
  return buffer;
}

static bool are_apart(hd_value *a, hd_value *b) {
  memory_kind x, y;
  a = root_of(a, &x);
  b = root_of(b, &y);
  if (a == b || x == UNKNOWN || y == UNKNOWN) return false;
  return x == OWN || y == OWN;
}

/* ---- kernels ---- */

typedef struct kernel {
  hd_op *func;
  uint32_t count;
  usage *usages;
  bool *aliases;
} kernel;

typedef struct describer {
  hd_pass *pass;
  hd_map kernels; /* gpu.func -> kernel */
  hd_vec(kernel *) all;
} describer;

static bool is_memref(const hd_value *value) { return value->type->kind == HD_TYPE_MEMREF; }

static kernel *kernel_of(describer *ctx, hd_op *func, uint32_t count) {
  bool is_new;
  hd_map_entry *entry = hd_map_insert(&ctx->pass->arena, &ctx->kernels, func, &is_new);
  if (!is_new) return entry->value.ptr;
  kernel *k = hd_new(&ctx->pass->arena, kernel);
  *k = (kernel){func, count, hd_new_array(&ctx->pass->arena, usage, count + 1),
                hd_new_array(&ctx->pass->arena, bool, count + 1)};
  const hd_block *body = hd_op_region(func, 0)->first;
  for (uint32_t i = 0; i < count; ++i)
    if (is_memref(body->args[i])) k->usages[i] = usage_of(body->args[i]);
  entry->value.ptr = k;
  hd_vec_push(&ctx->pass->arena, &ctx->all, k);
  return k;
}

static bool visit(hd_op *op, void *user) {
  describer *ctx = user;
  uint32_t start, count;
  if (!hd_op_is(op, HD_OP_gpu_launch_func)) return true;
  hd_op *func = hd_symbol_resolve(op, hd_launch_like_kernel(op));
  if (!hd_op_is(func, HD_OP_gpu_func)) return hd_op_error(op, "expects a gpu.func as its kernel, got another symbol");
  hd_op_operand_range(op, HD_LAUNCH_ARGUMENTS, &start, &count);
  kernel *k = kernel_of(ctx, func, count);
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t j = 0; j < count && is_memref(hd_operand(op, start + i)); ++j) {
      if (i == j || !is_memref(hd_operand(op, start + j)) || !(k->usages[i].written || k->usages[j].written)) continue;
      k->aliases[i] |= !are_apart(hd_operand(op, start + i), hd_operand(op, start + j));
    }
  return true;
}

static hd_attr facts_of(describer *ctx, const kernel *k, uint32_t i, hd_attr old) {
  hd_context *context = ctx->pass->context;
  hd_type type = hd_op_region(k->func, 0)->first->args[i]->type;
  uint32_t count = old ? old->dict.count : 0, sizes = 0, unknown = 0, rank = hd_type_rank(type);
  hd_named_attr *items = hd_new_array(&ctx->pass->arena, hd_named_attr, count + 3);
  hd_attr *taken = hd_new_array(&ctx->pass->arena, hd_attr, rank + 1);
  for (uint32_t n = 0; n < count; ++n) items[n] = old->dict.items[n];
  for (uint32_t d = 0; d < rank; ++d) {
    if (type->shaped.dims[d] != HD_DYNAMIC) continue;
    ++unknown;
    if (k->usages[i].sizes >> d & 1) taken[sizes++] = hd_attr_i64(context, d);
  }
  if (sizes < unknown)
    items[count++] = (hd_named_attr){hd_name_ident(context, HD_NAME_hd_sizes), hd_attr_array(context, taken, sizes)};
  if (!k->aliases[i])
    items[count++] = (hd_named_attr){hd_name_ident(context, HD_NAME_llvm_noalias), hd_attr_unit(context)};
  if (!k->usages[i].written)
    items[count++] = (hd_named_attr){hd_name_ident(context, HD_NAME_llvm_readonly), hd_attr_unit(context)};
  return hd_attr_dict(context, items, count);
}

static void describe(describer *ctx, const kernel *k) {
  hd_attr old = hd_function_like_arg_attrs(k->func), *all = hd_new_array(&ctx->pass->arena, hd_attr, k->count + 1);
  for (uint32_t i = 0; i < k->count; ++i) {
    all[i] = i < hd_attr_count(old) ? old->array.items[i] : hd_attr_dict(ctx->pass->context, NULL, 0);
    if (is_memref(hd_op_region(k->func, 0)->first->args[i])) all[i] = facts_of(ctx, k, i, all[i]);
  }
  hd_function_like_set_arg_attrs(k->func, hd_attr_array(ctx->pass->context, all, k->count));
  ctx->pass->changed = true;
}

bool hd_pass_kernel_arguments(hd_pass *pass, hd_op *module) {
  describer ctx = {.pass = pass};
  if (!hd_walk_post(module, visit, &ctx)) return false;
  for (size_t i = 0; i < ctx.all.len; ++i) describe(&ctx, ctx.all.data[i]);
  return true;
}
