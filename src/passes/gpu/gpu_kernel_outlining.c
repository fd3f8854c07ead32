/* SPDX-License-Identifier: Apache-2.0 */
/* disc-gpu-kernel-outlining: every launch region becomes a kernel in a gpu.module of its own.
 *
 *   gpu.launch blocks(...) threads(...) in (...) {     gpu.launch_func @name::@name blocks in (...) threads in (...)
 *     body(%buffer, %n)                           ->       args(%buffer : memref<?xf32>, %n : index)
 *   } {hd.kernel_name = "name"}                        gpu.module @name { gpu.func @name(%buffer, %n) kernel { body } }
 *
 * What the body uses from outside becomes an argument, constants are made again inside. Ids and sizes become
 * gpu.block_id and the like; shared memory of the launch is the function's. Functions that the body calls are copied
 * beside the kernel. One module a kernel, so that a kernel is
 * loaded when it is first launched, and one kernel for all launches of equal content (ir/content_hash.h). A kernel
 * whose parameters or shared memory exceed the target's limit is an error. */
#include "analysis/captures.h"
#include "codegen/emit/gpu/schedules.h"
#include "ir/content_hash.h"
#include "ir/ops/discardable.h"
#include "ir/ops/func.h"
#include "ir/ops/interfaces.h"
#include "passes/passes.h"

typedef struct outliner {
  hd_pass *pass;
  const hd_gpu_target *target;
  hd_symbol_table symbols;
  hd_map kernels; /* content -> gpu.module */
  bool ok;
} outliner;

/* Operands from outside become the kernel's own. */
static bool use_inner(hd_op *op, void *user) {
  const hd_map *inside = user; /* outer value -> the kernel's */
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_value *inner = hd_map_get(inside, hd_operand(op, i));
    if (inner) hd_op_set_operand(op, i, inner);
  }
  return true;
}

/* Replaces an argument of the launch by an op that gives it: gpu.block_id x. */
static void replace_id(hd_builder *b, hd_value *argument, hd_opcode opcode, int64_t dimension) {
  if (!argument->first_use) return;
  hd_attr_arg attr = {HD_NAME_dimension, hd_attr_enum(b->context, HD_ENUM_gpu_dim, dimension)};
  hd_value_replace_uses(argument, hd_build_one_(b, opcode, argument->type, NULL, 0, &attr, 1));
}

static int64_t shared_bytes(hd_block *body, int64_t count) {
  int64_t bytes = 0;
  for (int64_t i = 0; i < count; ++i) {
    hd_type type = body->args[12 + i]->type;
    bytes += hd_type_num_elements(type) * (int64_t)hd_type_element_bytes(hd_type_element(type));
  }
  return bytes;
}

/* |launch| takes an equal kernel that is there already instead of the one in |module|. */
static void merge(outliner *o, hd_op *launch, hd_op *module, hd_op *kernel) {
  hd_hash128 content = hd_content_hash(kernel);
  bool is_new;
  hd_map_entry *entry = hd_map_insert_bytes(&o->pass->arena, &o->kernels, content.bytes, sizeof content.bytes, &is_new);
  if (is_new) {
    entry->value.ptr = module;
    return;
  }
  hd_str name = hd_symbol_name(entry->value.ptr);
  hd_ident inner = hd_ident_get(o->pass->context, name);
  hd_launch_like_set_kernel(launch, hd_attr_symbol(o->pass->context, name, &inner, 1));
  hd_symbol_table_remove(&o->symbols, module);
  hd_op_erase(module);
}

typedef struct copier {
  hd_pass *pass;
  hd_op *kernels; /* the gpu.module */
} copier;

/* What |op| calls comes into the kernel's module, and what that calls. */
static bool copy_callee(hd_op *op, void *user) {
  copier *c = user;
  if (!hd_op_is(op, HD_OP_func_call)) return true;
  hd_op *callee = hd_symbol_resolve(op, hd_func_call_callee(op));
  if (!callee || hd_op_is_ancestor(c->kernels, callee)) return true;
  hd_op *copy = hd_op_clone(c->pass->module, callee, &c->pass->arena, NULL);
  hd_op_prepend(copy, hd_op_region(c->kernels, 0)->first);
  return hd_walk_pre(copy, copy_callee, c);
}

static void known_block_size(hd_op *launch, hd_op *kernel) {
  int32_t sizes[3];
  for (uint32_t i = 0; i < 3; ++i) {
    int64_t size;
    if (!hd_value_constant_int(hd_operand(launch, 3 + i), &size) || size < 1 || size > INT32_MAX) return;
    sizes[i] = (int32_t)size;
  }
  hd_discardable_set_known_block_size(kernel, hd_attr_i32_array(hd_op_context(launch), sizes, 3));
}

/* A launch that becomes a function and a call of it. */
typedef struct outlined {
  hd_op *launch;
  hd_block *body;
  int64_t shared; /* buffers of shared memory, the last arguments of the body */
  hd_captures captures;
  hd_vec(hd_value *) arguments; /* captures that are no constants */
  hd_vec(hd_type) types;        /* of these */
} outlined;

/* Finds the arguments, and checks the limits of the target. */
static bool find_arguments(outliner *o, outlined *l) {
  hd_arena *arena = &o->pass->arena;
  if (l->launch->operand_count != 6 || l->launch->result_count || l->body->next ||
      l->body->arg_count < 12 + (uint64_t)l->shared)
    return hd_op_error(l->launch,
                       "has clusters, dynamic shared memory, tokens or several blocks, expected a plain launch");
  hd_captures_find(l->launch, arena, &l->captures);
  int64_t bytes = 0;
  for (size_t i = 0; i < l->captures.len; ++i) {
    if (hd_value_constant(l->captures.data[i])) continue;
    hd_vec_push(arena, &l->arguments, l->captures.data[i]);
    hd_vec_push(arena, &l->types, l->captures.data[i]->type);
    bytes += hd_gpu_parameter_bytes(l->captures.data[i]->type);
  }
  if (bytes > o->target->parameter_bytes)
    return hd_op_error(l->launch, "needs %lld bytes of parameters, expected at most %lld", (long long)bytes,
                       (long long)o->target->parameter_bytes);
  int64_t used = shared_bytes(l->body, l->shared);
  return used <= o->target->shared_bytes ||
         hd_op_error(l->launch, "needs %lld bytes of shared memory, expected at most %lld", (long long)used,
                     (long long)o->target->shared_bytes);
}

/* A gpu.module of a gpu.func, both called |name|. */
static hd_op *build_kernel(outliner *o, const outlined *l, hd_ident name) {
  hd_module *module = o->pass->module;
  hd_context *context = o->pass->context;
  hd_attr text = hd_attr_string(context, hd_ident_str(name));
  hd_builder at = hd_builder_at_end(module, hd_module_body(module));
  at.loc = l->launch->loc;
  hd_op *outer = hd_build_op(&at, HD_OP_gpu_module, NULL, 0, NULL, 0, &(hd_attr_arg){HD_NAME_sym_name, text}, 1, 1);
  hd_symbol_table_insert(&o->symbols, outer);
  hd_block *outer_body = hd_block_create(module);
  hd_region_append(hd_op_region(outer, 0), outer_body);
  hd_builder within = hd_builder_at_end(module, outer_body);
  within.loc = l->launch->loc;
  hd_attr_arg attrs[] = {
      {HD_NAME_sym_name, text},
      {HD_NAME_function_type, hd_attr_type(hd_type_function(context, l->types.data, l->types.len, NULL, 0))},
      {HD_NAME_gpu_kernel, hd_attr_unit(context)},
      {HD_NAME_workgroup_attributions, hd_attr_i64(context, l->shared)}};
  hd_op *kernel = hd_build_op(&within, HD_OP_gpu_func, NULL, 0, NULL, 0, attrs, 4, 1);
  known_block_size(l->launch, kernel);
  hd_discardable_set_index_bits_attr(kernel, hd_discardable_index_bits_attr(l->launch));
  return kernel;
}

/* The gpu.launch_func of kernel |name|, before the launch. */
static hd_op *build_call(outliner *o, const outlined *l, hd_ident name) {
  hd_context *context = o->pass->context;
  hd_builder host = hd_builder_before(l->launch);
  host.loc = l->launch->loc;
  hd_value **operands = hd_new_array(&o->pass->arena, hd_value *, 6 + l->arguments.len);
  for (uint32_t i = 0; i < 6; ++i) operands[i] = hd_operand(l->launch, i);
  for (size_t i = 0; i < l->arguments.len; ++i) operands[6 + i] = l->arguments.data[i];
  int32_t segments[13] = {0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, (int32_t)l->arguments.len, 0};
  hd_attr_arg attrs[] = {{HD_NAME_kernel, hd_attr_symbol(context, hd_ident_str(name), &name, 1)},
                         {HD_NAME_operandSegmentSizes, hd_attr_i32_array(context, segments, 13)}};
  return hd_build_op(&host, HD_OP_gpu_launch_func, operands, 6 + l->arguments.len, NULL, 0, attrs, 2, 0);
}

/* Moves the body into |kernel|: ids become ops, captures arguments, and constants are copied. */
static void move_body(outliner *o, const outlined *l, hd_op *kernel) {
  hd_module *module = o->pass->module;
  hd_arena *arena = &o->pass->arena;
  hd_block *body = l->body;
  hd_region_take(hd_op_region(kernel, 0), hd_op_region(l->launch, 0));
  hd_builder start = hd_builder_at_start(module, body);
  start.loc = l->launch->loc;
  static const hd_opcode ids[] = {HD_OP_gpu_block_id, HD_OP_gpu_thread_id, HD_OP_gpu_grid_dim, HD_OP_gpu_block_dim};
  for (uint32_t i = 0; i < 12; ++i) replace_id(&start, body->args[i], ids[i / 3], i % 3);
  for (uint32_t i = 12; i-- > 0;) hd_block_erase_arg(body, i);
  hd_map inside = {0};
  uint32_t next = 0;
  for (size_t i = 0; i < l->captures.len; ++i) {
    hd_value *outer = l->captures.data[i], *inner;
    if (hd_value_constant(outer)) {
      hd_op *copy = hd_op_clone(module, hd_value_op(outer), arena, NULL);
      hd_op_prepend(copy, body);
      inner = hd_result(copy, 0);
    } else {
      inner = hd_block_insert_arg(module, body, next++, outer->type);
    }
    hd_map_set(arena, &inside, outer, inner);
  }
  hd_walk_pre(kernel, use_inner, &inside);
  hd_builder end = hd_builder_at_end(module, body);
  end.loc = body->last->loc;
  hd_op_erase(body->last);
  hd_build_op(&end, HD_OP_gpu_return, NULL, 0, NULL, 0, NULL, 0, 0);
}

static bool outline(outliner *o, hd_op *launch) {
  outlined l = {.launch = launch,
                .body = hd_op_region(launch, 0)->first,
                .shared = hd_attr_int_or(hd_discardable_workgroup_attributions(launch), 0)};
  if (!find_arguments(o, &l)) return false;
  hd_str base = hd_discardable_kernel_name(launch);
  hd_ident name = hd_symbol_table_unique(&o->symbols, o->pass->context, base.len ? base : HD_STR("kernel"));
  hd_op *kernel = build_kernel(o, &l, name), *outer = hd_op_parent(kernel), *call = build_call(o, &l, name);
  move_body(o, &l, kernel);
  hd_op_erase(launch);
  hd_walk_pre(kernel, copy_callee, &(copier){o->pass, outer});
  merge(o, call, outer, kernel);
  hd_discardable_set_gpu_container_module(o->pass->module->op, true);
  o->pass->changed = true;
  return true;
}

static bool visit(hd_op *op, void *user) {
  outliner *o = user;
  if (hd_op_is(op, HD_OP_gpu_launch)) o->ok = outline(o, op);
  return o->ok;
}

bool hd_pass_gpu_kernel_outlining(hd_pass *pass, hd_op *module) {
  outliner o = {.pass = pass, .target = pass->target->gpu, .ok = true};
  hd_symbol_table_init(&o.symbols, &pass->arena, module);
  hd_for_each_op_safe(op, hd_module_body(pass->module))
    if (hd_op_is(op, HD_OP_func_func) && !hd_walk_post(op, visit, &o)) return false;
  return true;
}
