/* SPDX-License-Identifier: Apache-2.0 */
/* convert-gpu-to-llvm: kernels go from device form to machine form (docs/design/machine-form.md).
 *
 *   gpu.func @k(%n: index,                          llvm.func @k(%n: i64, %m: !llvm.ptr<1>, %d0: i64)
 *       %m: memref<?x8xf32, #global>) kernel   ->       attributes {gpu.kernel} {
 *     %t = gpu.thread_id x                            %0 = gpu.thread_id x
 *     scf.if %c {                                     %t = arith.index_castui %0 : index to i64
 *       memref.load %m[%t, %i]                        llvm.cond_br %c, ^bb1, ^bb2
 *                                                   ^bb1: llvm.getelementptr, llvm.load
 *
 * Functions that kernels call become llvm.func too. Memory of the block becomes globals of the module in space 3,
 * memory of a thread llvm.alloca in space 5. Arguments are the words of a launch (disc-gpu-launch-to-ral), one each;
 * launches that are still gpu.launch_func pass them so. Requires dense buffers in a memory space, regions of one block,
 * and expanded math. */
#include "analysis/kernel_sizes.h"
#include "ir/launch_items.h"
#include "ir/ops/discardable.h"
#include "ir/ops/gpu.h"
#include "ir/ops/interfaces.h"
#include "passes/machine/converter.h"
#include "passes/passes.h"
#include "runtime/alignment.h"

static const hd_machine_rule rules[HD_OPCODE_COUNT] = {
#define RULE(from, rule, code) [HD_OP_##from] = {hd_convert_##rule, code},
#define SAME(from, to) RULE(from, same, HD_OP_llvm_##to)
#define FLAGS(from, to) RULE(from, with_flags, HD_OP_llvm_##to)
#include "passes/machine/rules.def"
#undef RULE
#undef SAME
#undef FLAGS
};

bool hd_machine_block(hd_converter *c, hd_block *block) {
  hd_for_each_op(op, block) {
    const hd_machine_rule *rule = &rules[hd_opcode_get(op)];
    if (op == block->last && hd_op_has_trait(op, HD_TRAIT(TERMINATOR))) return true;
    if (!rule->convert) return hd_op_error(op, "has no machine form");
    c->b.loc = op->loc;
    if (!rule->convert(c, op, rule->code)) return false;
  }
  return true;
}

/* ---- functions ---- */

static hd_type function_type(const hd_op *func) {
  hd_attr type = hd_function_like_function_type_if_any(func);
  return hd_attr_is(type, HD_ATTR_TYPE) && hd_type_is(type->type_value, HD_TYPE_FUNCTION) ? type->type_value : NULL;
}

/* What a kernel takes for granted of part |p| of a buffer: where it begins, what of |facts| is of its memory, and that
 * sizes are 0 or more. */
static hd_attr facts_of_part(hd_converter *c, uint32_t p, hd_attr facts) {
  int64_t end = c->index->integer.width == 32 ? INT32_MAX : INT64_MAX;
  hd_attr bounds[] = {hd_attr_type(c->index), hd_attr_i64(c->context, 0), hd_attr_i64(c->context, end)};
  if (p) {
    hd_named_attr range = {hd_name_ident(c->context, HD_NAME_llvm_range),
                           hd_attr_struct(c->context, HD_STRUCT_llvm_constant_range, bounds, 3)};
    return hd_attr_dict(c->context, &range, 1);
  }
  hd_named_attr of_memory[3] = {
      {hd_name_ident(c->context, HD_NAME_llvm_align), hd_attr_i64(c->context, HD_DEVICE_ALIGNMENT)}};
  static const hd_name names[] = {HD_NAME_llvm_noalias, HD_NAME_llvm_readonly};
  size_t count = 1;
  for (int i = 0; i < 2; ++i)
    if (facts && hd_dict_get(facts, names[i]))
      of_memory[count++] = (hd_named_attr){hd_name_ident(c->context, names[i]), hd_attr_unit(c->context)};
  return hd_attr_dict(c->context, of_memory, count);
}

/* The arguments of the old function's entry become those of the new one's, part by part. */
static bool take_arguments(hd_converter *c, hd_op *func, hd_block *entry, uint32_t count, hd_type_list *types) {
  hd_block *from = hd_op_region(func, 0)->first;
  hd_vec(hd_attr) facts = {0};
  hd_attr given = hd_function_like_arg_attrs(func);
  for (uint32_t i = 0; i < count; ++i) {
    hd_type type = from->args[i]->type;
    hd_type_list own = {0};
    uint32_t at = 0;
    hd_attr of = i < hd_attr_count(given) ? given->array.items[i] : NULL;
    if (!hd_machine_part_types(c, func, type, &own)) return false;
    hd_machine_parts *parts = hd_machine_new_parts(c, hd_machine_part_count(type));
    bool memref = type->kind == HD_TYPE_MEMREF;
    if (memref && hd_machine_has_own_offset(type))
      return hd_op_misfit_error(func, type, NULL, "takes a buffer with an offset that its type does not say");
    for (uint32_t p = 0; p < parts->count; ++p) {
      if (memref && p && type->shaped.dims[p - 1] != HD_DYNAMIC) continue;
      hd_type part = own.data[at++];
      if (memref && p && !hd_kernel_takes_size(func, i, p - 1)) continue;
      hd_vec_push(c->arena, types, part);
      parts->at[p] = hd_block_add_arg(c->b.module, entry, part);
      hd_vec_push(c->arena, &facts, memref ? facts_of_part(c, p, of) : hd_attr_dict(c->context, NULL, 0));
    }
    hd_machine_set(c, from->args[i], parts);
  }
  if (hd_discardable_gpu_kernel(func))
    hd_function_like_set_arg_attrs(c->function, hd_attr_array(c->context, facts.data, facts.len));
  return true;
}

hd_type hd_machine_array(hd_converter *c, hd_op *func, hd_type memory) {
  hd_type stored = memory->kind == HD_TYPE_MEMREF ? hd_machine_stored(c, func, memory->shaped.element) : NULL;
  if (!stored) return NULL;
  hd_attr params[] = {hd_attr_i64(c->context, hd_type_num_elements(memory)), hd_attr_type(stored)};
  return hd_type_dialect(c->context, HD_TYPE_ROW_llvm_array, params, 2);
}

hd_attr hd_machine_unique_symbol(hd_arena *arena, hd_op *kernels, const char *base) {
  hd_context *context = kernels->module->context;
  hd_symbol_table symbols;
  hd_symbol_table_init(&symbols, arena, kernels);
  hd_str name = hd_ident_str(hd_symbol_table_unique(&symbols, context, hd_str_of(base)));
  return hd_attr_cstring(context, hd_arena_printf(arena, "%.*s", (int)name.len, name.data));
}

/* Memory of the block: @NAME_shared_I, whose address is taken at the start. */
static hd_value *shared_memory(hd_converter *c, hd_op *func, hd_type array, uint32_t i) {
  hd_str name = hd_symbol_name(func);
  hd_attr symbol = hd_machine_unique_symbol(c->arena, hd_op_parent(c->function),
                                            hd_arena_printf(c->arena, "%.*s_shared_%u", (int)name.len, name.data, i));
  hd_builder before = hd_builder_before(c->function);
  before.loc = func->loc;
  hd_attr_arg attrs[] = {{HD_NAME_sym_name, symbol},
                         {HD_NAME_global_type, hd_attr_type(array)},
                         {HD_NAME_addr_space, hd_attr_i32(c->context, HD_SPACE_SHARED)},
                         {HD_NAME_alignment, hd_attr_i64(c->context, 16)},
                         {HD_NAME_linkage, hd_attr_of_llvm_linkage(c->context, HD_LLVM_LINKAGE_INTERNAL)}};
  hd_build_op(&before, HD_OP_llvm_mlir_global, NULL, 0, NULL, 0, attrs, 5, 1);
  hd_attr_arg address[] = {{HD_NAME_global_name, hd_attr_symbol(c->context, hd_attr_text(symbol), NULL, 0)}};
  return hd_build_one_(&c->b, HD_OP_llvm_mlir_addressof, hd_machine_pointer(c->context, HD_SPACE_SHARED), NULL, 0,
                       address, 1);
}

hd_value *hd_machine_private(hd_converter *c, hd_type array) {
  hd_attr_arg attrs[] = {{HD_NAME_elem_type, hd_attr_type(array)}, {HD_NAME_alignment, hd_attr_i64(c->context, 16)}};
  hd_value *one = hd_machine_int(c, hd_type_integer(c->context, 32, HD_SIGNLESS), 1);
  return hd_build_one_(&c->b, HD_OP_llvm_alloca, hd_machine_pointer(c->context, HD_SPACE_PRIVATE), &one, 1, attrs, 2);
}

static bool take_memory(hd_converter *c, hd_op *func, uint32_t count) {
  hd_block *from = hd_op_region(func, 0)->first;
  int64_t shared = hd_attr_int_or(hd_discardable_workgroup_attributions(func), 0);
  for (uint32_t i = count; i < from->arg_count; ++i) {
    hd_type type = from->args[i]->type, array = hd_type_is_static(type) ? hd_machine_array(c, func, type) : NULL;
    if (!array) return hd_op_error(func, "has a buffer of unknown shape, expected a static shape");
    hd_machine_parts *parts = hd_machine_new_parts(c, hd_machine_part_count(type));
    parts->at[0] = i - count < shared ? shared_memory(c, func, array, i - count) : hd_machine_private(c, array);
    hd_machine_set(c, from->args[i], parts);
  }
  return true;
}

/* What of a function's return the new one gives. */
static bool end(hd_converter *c, hd_op *func, hd_op *ret, hd_type *out_result) {
  *out_result = NULL;
  if (ret->operand_count > 1 || (ret->operand_count && hd_machine_part_count(hd_operand_type(ret, 0)) != 1))
    return hd_op_error(func, "returns several values, expected one at most from a function of the device");
  hd_value *value = ret->operand_count ? hd_machine_one(c, ret, 0) : NULL;
  c->b.loc = ret->loc;
  hd_build_op(&c->b, HD_OP_llvm_return, &value, ret->operand_count, NULL, 0, NULL, 0, 0);
  if (value) *out_result = value->type;
  return true;
}

static void mark_kernel(hd_op *func, hd_op *made) {
  hd_op_attr_set(made, HD_NAME_gpu_kernel, hd_attr_unit(hd_op_context(func)));
  /* A property of gpu.func; a discardable attribute of func.func, and of gpu.func as older MLIR wrote it. */
  hd_attr block = hd_op_is(func, HD_OP_gpu_func) ? hd_gpu_func_known_block_size(func) : NULL;
  if (!block) block = hd_discardable_gpu_known_block_size(func);
  hd_op_attr_set(made, HD_NAME_gpu_known_block_size, block);
  hd_discardable_set_dynamic_shared_attr(made, hd_discardable_dynamic_shared_attr(func));
}

/* A size that no word of the launch says (hd_kernel_takes_size) became a poison of its type; nothing reads one. */
static bool has_its_sizes(hd_op *op, void *user) {
  (void)user;
  return !hd_op_is(op, HD_OP_llvm_mlir_poison) || hd_result_type(op, 0)->kind != HD_TYPE_INTEGER ||
         hd_op_error(op, "is a size that the kernel does not receive: expected it as a launch parameter (hd.sizes)");
}

static bool convert_function(hd_pass *pass, hd_op *func) {
  hd_type type = function_type(func);
  hd_region *region = hd_op_region(func, 0);
  if (!type || !region->first || region->first->next || !region->first->last)
    return hd_op_error(func, "expected a body of one block, got several");
  bool is_kernel = hd_discardable_gpu_kernel(func);
  hd_arena arena;
  hd_scratch_init(&arena, &pass->context->budget);
  hd_converter c = {.pass = pass, .arena = &arena, .context = pass->context, .index = hd_machine_index_type(func)};
  hd_builder before = hd_builder_before(func);
  before.loc = func->loc;
  hd_attr_arg attrs[] = {
      {HD_NAME_sym_name, hd_attr_string(hd_op_context(func), hd_symbol_name(func))},
      {HD_NAME_function_type, hd_attr_type(hd_machine_function_type(pass->context, NULL, NULL, 0))},
      {HD_NAME_linkage, is_kernel ? NULL : hd_attr_of_llvm_linkage(pass->context, HD_LLVM_LINKAGE_INTERNAL)}};
  c.function = hd_build_op(&before, HD_OP_llvm_func, NULL, 0, NULL, 0, attrs, 3, 1);
  hd_block *entry = hd_block_create(pass->module);
  hd_region_append(hd_op_region(c.function, 0), entry);
  c.b = hd_builder_at_end(pass->module, entry);
  c.b.loc = func->loc;
  hd_type_list types = {0};
  hd_type result;
  bool ok = take_arguments(&c, func, entry, type->function.in_count, &types) &&
            take_memory(&c, func, type->function.in_count) && hd_machine_block(&c, region->first) &&
            end(&c, func, region->first->last, &result);
  if (ok) {
    hd_type made = hd_machine_function_type(pass->context, result, types.data, types.len);
    hd_op_attr_set(c.function, HD_NAME_function_type, hd_attr_type(made));
    if (is_kernel) mark_kernel(func, c.function);
    hd_op_erase_dead_inside(c.function);
    ok = hd_walk_pre(c.function, has_its_sizes, NULL);
    hd_op_erase(func);
    pass->changed = true;
  }
  hd_arena_free(&arena);
  return ok;
}

/* ---- launches ---- */

static hd_value *cast(hd_builder *b, hd_value *value, hd_type type) {
  hd_opcode opcode =
      value->type->kind == HD_TYPE_INDEX ? HD_OP_arith_index_cast : HD_OP_builtin_unrealized_conversion_cast;
  return value->type == type ? value : hd_build(b, opcode, type, value);
}

/* A buffer goes as the pointer of its first element and the sizes that |kernel| takes. */
static bool convert_launch(hd_pass *pass, hd_op *launch, const hd_op *kernel) {
  hd_type word = hd_machine_index_type(kernel);
  uint32_t start, count;
  hd_op_operand_range(launch, HD_LAUNCH_ARGUMENTS, &start, &count);
  hd_builder b = hd_builder_before(launch);
  b.loc = launch->loc;
  hd_type index = hd_type_index(pass->context), i64 = hd_i64(pass->context);
  hd_vec(hd_value *) operands = {0};
  for (uint32_t i = 0; i < launch->operand_count; ++i) {
    hd_value *value = hd_operand(launch, i);
    hd_type type = value->type;
    if (i < start || i >= start + count) {
      hd_vec_push(&pass->arena, &operands, value);
    } else if (type->kind != HD_TYPE_MEMREF) {
      bool is_unsigned = type->kind == HD_TYPE_INTEGER && type->integer.signedness != HD_SIGNLESS;
      hd_type to = is_unsigned ? hd_type_integer(pass->context, type->integer.width, HD_SIGNLESS) : type;
      hd_vec_push(&pass->arena, &operands, cast(&b, value, type->kind == HD_TYPE_INDEX ? word : to));
    } else {
      if (!hd_machine_has_known_strides(type) || hd_machine_has_own_offset(type))
        return hd_op_misfit_error(launch, type, NULL,
                                  "passes a buffer with an offset or strides that its type does not say");
      if (hd_machine_space(type) < 0)
        return hd_op_error(launch,
                           "passes a buffer in a memory space that kernels cannot access: expected global memory");
      hd_value *at = hd_build(&b, HD_OP_memref_extract_aligned_pointer_as_index, index, value);
      hd_vec_push(&pass->arena, &operands,
                  hd_build(&b, HD_OP_llvm_inttoptr, hd_machine_pointer(pass->context, hd_machine_space(type)),
                           cast(&b, at, i64)));
      for (uint32_t d = 0; d < type->shaped.rank; ++d)
        if (hd_kernel_takes_size(kernel, i - start, d))
          hd_vec_push(&pass->arena, &operands,
                      cast(&b, hd_build(&b, HD_OP_memref_dim, index, value, hd_build_index(&b, d)), word));
    }
  }
  hd_attr old = hd_segmented_operandSegmentSizes(launch);
  int32_t segments[16] = {0};
  size_t segment_count = hd_attr_count(old);
  HD_ASSERT(segment_count <= 16);
  for (size_t i = 0; i < segment_count; ++i) segments[i] = (int32_t)hd_attr_int_at(old, i);
  segments[11] += (int32_t)(operands.len - launch->operand_count);
  hd_op_set_operands(launch, operands.data, operands.len);
  hd_op_attr_set(launch, HD_NAME_operandSegmentSizes, hd_attr_i32_array(pass->context, segments, segment_count));
  return true;
}

static bool is_launch(const hd_op *op) { return hd_op_is(op, HD_OP_gpu_launch_func); }

bool hd_pass_convert_gpu_to_llvm(hd_pass *pass, hd_op *module) {
  hd_op_list launches = hd_ops_where(module, is_launch, &pass->arena);
  for (size_t i = 0; i < launches.len; ++i) {
    hd_op *kernel = hd_symbol_resolve(launches.data[i], hd_launch_like_kernel(launches.data[i]));
    if (!hd_op_is(kernel, HD_OP_gpu_func)) continue;
    if (!convert_launch(pass, launches.data[i], kernel)) return false;
  }
  hd_for_each_op(kernels, hd_op_region(module, 0)->first) {
    if (!hd_op_is(kernels, HD_OP_gpu_module)) continue;
    hd_for_each_op_safe(func, hd_op_region(kernels, 0)->first) {
      bool converts = hd_op_is(func, HD_OP_gpu_func) || hd_op_is(func, HD_OP_func_func);
      if (converts && !convert_function(pass, func)) return false;
    }
  }
  return true;
}
