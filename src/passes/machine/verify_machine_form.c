/* SPDX-License-Identifier: Apache-2.0 */
/* verify-machine-form: what is in a gpu.module is machine form (docs/design/machine-form.md), or an error at its op.
 *
 * Functions are llvm.func, globals llvm.mlir.global in the spaces of constants, of the block or of the device. Ops are
 * llvm's on values, memory and blocks, nvvm's, and gpu's numbers of threads, barriers and exchanges; the latter give
 * index, which only arith.index_castui takes. Calls end, a kernel gives nothing and is passed no memory of a block or
 * of a thread. Values are integers of up to 64 bits, f16, bf16, f32, f64, vectors of those of one dim, pointers in
 * spaces 0, 1, 3, 4 and 5, and structs that an op gives. Changes nothing. */
#include "analysis/call_graph.h"
#include "analysis/kernel_sizes.h"
#include "ir/grid_number.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/llvm.h"
#include "ir/ops/structs.h"
#include "passes/machine/converter.h"
#include "passes/passes.h"
#include "runtime/artifact.h"

static bool is_number(hd_type type) {
  if (type->kind == HD_TYPE_INTEGER) return type->integer.signedness == HD_SIGNLESS && type->integer.width <= 64;
  return hd_type_is_float(type, HD_F16) || hd_type_is_float(type, HD_BF16) || hd_type_is_float(type, HD_F32) ||
         hd_type_is_float(type, HD_F64);
}

static int64_t pointer_space(hd_type type) { return hd_attr_int_or(type->dialect.params[0], 0); }

static bool is_value(hd_type type) {
  if (type->kind == HD_TYPE_VECTOR)
    return type->shaped.rank == 1 && !type->shaped.scalable && is_number(type->shaped.element);
  if (type->kind != HD_TYPE_DIALECT) return is_number(type);
  if (type->dialect.row == HD_TYPE_ROW_llvm_struct) {
    hd_attr body = type->dialect.params[2];
    for (uint32_t i = 0; hd_attr_is(body, HD_ATTR_ARRAY) && i < body->array.count; ++i)
      if (!is_value(body->array.items[i]->type_value)) return false;
    return true;
  }
  if (type->dialect.row != HD_TYPE_ROW_llvm_ptr) return false;
  int64_t space = pointer_space(type);
  return space == HD_SPACE_GENERIC || space == HD_SPACE_GLOBAL || space == HD_SPACE_SHARED ||
         space == HD_SPACE_CONSTANT || space == HD_SPACE_PRIVATE;
}

static bool is_of(const hd_op *op, const char *dialect) { return !strncmp(op->info->name, dialect, strlen(dialect)); }

static bool is_machine_op(const hd_op *op) {
  if (hd_op_has_any_trait(op, HD_TRAIT(SYMBOL) | HD_TRAIT(FUNCTION_LIKE)))
    return false; /* what belongs beside functions */
  switch (hd_opcode_get(op)) {
    case HD_OP_arith_index_castui:
      return true;
    case HD_OP_gpu_num_subgroups: /* numbers and exchanges that others say */
    case HD_OP_gpu_rotate:
    case HD_OP_gpu_subgroup_broadcast:
    case HD_OP_llvm_invoke: /* what unwinds, and what varies */
    case HD_OP_llvm_landingpad:
    case HD_OP_llvm_resume:
    case HD_OP_llvm_va_arg:
      return false;
    default:
      return is_of(op, "llvm.") || is_of(op, "nvvm.") || hd_is_grid_index(op) ||
             hd_op_has_trait(op, HD_TRAIT(CONVERGENT));
  }
}

static bool verify_types(hd_op *op) {
  bool casts = hd_op_is(op, HD_OP_arith_index_castui);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_type type = hd_operand_type(op, i);
    if (casts ? hd_is_grid_index(hd_value_op(hd_operand(op, i))) : is_value(type)) continue;
    return hd_op_misfit_error(op, type, NULL, "takes a value that is not of the machine form");
  }
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (!is_value(hd_result_type(op, i)) && !hd_is_grid_index(op))
      return hd_op_misfit_error(op, hd_result_type(op, i), NULL, "gives a value that is not of the machine form");
  return true;
}

static bool verify_call(hd_op *op) {
  hd_op *callee = hd_symbol_resolve(op, hd_call_like_callee(op));
  if (hd_op_is(callee, HD_OP_llvm_func) && hd_op_region(callee, 0)->first) return true;
  return hd_op_error(op, "expects a function of its gpu.module as its callee, got another symbol");
}

/* Of a global, in the global's space; of a function where functions are. */
static bool verify_address(hd_op *op) {
  int64_t space = pointer_space(hd_result_type(op, 0));
  const hd_op *of = hd_symbol_resolve(op, hd_llvm_mlir_addressof_global_name(op));
  bool fits = hd_op_is(of, HD_OP_llvm_mlir_global) ? hd_llvm_mlir_global_addr_space(of) == space
                                                   : hd_op_is(of, HD_OP_llvm_func) && space == HD_SPACE_GENERIC;
  return fits || hd_op_error(op, "takes an address in space %lld of a global in another space", (long long)space);
}

/* What |facts| say of an argument of |type|: a launch is held to it. */
static bool verify_facts(hd_op *func, uint32_t i, hd_type type, hd_attr facts) {
  static const hd_name divisors[] = {HD_NAME_llvm_align, HD_NAME_tt_divisibility};
  for (int k = 0; k < 2; ++k) {
    hd_attr attr = hd_dict_get(facts, divisors[k]);
    int64_t n = hd_attr_int_or(attr, 0);
    if (attr && (n < 1 || n > UINT32_MAX || n & (n - 1)))
      return hd_op_error(func, "expects a power of two as the alignment of argument #%u, got another number", i);
  }
  hd_attr range = hd_dict_get(facts, HD_NAME_llvm_range);
  if (!range) return true;
  if (type->kind != HD_TYPE_INTEGER || !hd_attr_is(range, HD_ATTR_STRUCT) ||
      range->structure.row != HD_STRUCT_llvm_constant_range ||
      hd_attr_llvm_constant_range_type(range)->type_value != type)
    return hd_op_error(func, "expects the range of argument #%u in its type, got another one", i);
  int64_t lower = hd_attr_llvm_constant_range_lower(range), upper = hd_attr_llvm_constant_range_upper(range);
  return lower < upper ||
         hd_op_error(func, "expects a range of argument #%u with a number in it, got %lld to below %lld", i,
                     (long long)lower, (long long)upper);
}

static bool verify_arguments(hd_op *func, const hd_block *entry) {
  hd_attr facts = hd_function_like_arg_attrs(func);
  for (uint32_t i = 0; i < hd_attr_count(facts) && i < entry->arg_count; ++i)
    if (!verify_facts(func, i, entry->args[i]->type, facts->array.items[i])) return false;
  return true;
}

/* What a launch can pass: a number, a vector of them, or an address of memory that is there before it. */
static bool verify_launched(hd_op *kernel, uint32_t i, hd_type type) {
  if (!is_value(type) || type->kind != HD_TYPE_DIALECT) return true;
  if (type->dialect.row != HD_TYPE_ROW_llvm_ptr)
    return hd_op_misfit_error(kernel, type, NULL, "has argument %u that no launch can pass", i);
  int64_t space = pointer_space(type);
  return (space != HD_SPACE_SHARED && space != HD_SPACE_PRIVATE) ||
         hd_op_error(kernel, "has argument %u in space %lld, which a launch has no address of", i, (long long)space);
}

static bool verify_block_size(hd_op *kernel) {
  hd_attr block = hd_discardable_gpu_known_block_size(kernel);
  if (!block) return true;
  int64_t threads = 1;
  if (hd_attr_count(block) != 3) return hd_op_error(kernel, "has gpu.known_block_size of other than 3 dims");
  for (uint32_t d = 0; d < 3; ++d) {
    int64_t size = hd_attr_int_at(block, d);
    if (size < 1 || size > HD_BLOCK_LIMIT || (threads *= size) > HD_BLOCK_LIMIT)
      return hd_op_error(kernel, "has blocks of %lld x %lld x %lld threads, expected 1 to %d in all",
                         (long long)hd_attr_int_at(block, 0), (long long)hd_attr_int_at(block, 1),
                         (long long)hd_attr_int_at(block, 2), (int)HD_BLOCK_LIMIT);
  }
  return true;
}

static bool verify_kernel(hd_op *kernel, const hd_block *entry) {
  hd_type result = hd_llvm_func_function_type(kernel)->type_value->dialect.params[0]->type_value;
  if (result->kind != HD_TYPE_DIALECT || result->dialect.row != HD_TYPE_ROW_llvm_void)
    return hd_op_misfit_error(kernel, result, NULL, "is a kernel and gives a value");
  if (!entry) return hd_op_error(kernel, "is a kernel without a body");
  for (uint32_t i = 0; i < entry->arg_count; ++i)
    if (!verify_launched(kernel, i, entry->args[i]->type)) return false;
  return verify_block_size(kernel);
}

/* nvvm's ops are of devices that have them. */
static bool verify_target(const hd_pass *pass, hd_op *op) {
  const hd_target_info *target = pass->target;
  if (!target || !is_of(op, "nvvm.") || target->nvvm) return true;
  return hd_op_error(op, "is an op of nvvm, expected ops of target '%s'", target->name);
}

static bool verify_function(const hd_pass *pass, const hd_call_graph *calls, hd_op *func) {
  const hd_block *entry = hd_op_region(func, 0)->first;
  if (hd_llvm_func_function_type(func)->type_value->dialect.params[2])
    return hd_op_error(func, "takes arguments that vary, which no device does");
  if (entry && !verify_arguments(func, entry)) return false;
  if (hd_discardable_gpu_kernel(func) && !verify_kernel(func, entry)) return false;
  if (!hd_call_graph_ends(calls, func)) return hd_op_error(func, "is recursive, which no device runs");
  hd_for_each_block(block, hd_op_region(func, 0)) {
    for (uint32_t i = 0; i < block->arg_count; ++i)
      if (!is_value(block->args[i]->type))
        return hd_op_misfit_error(func, block->args[i]->type, NULL, "has an argument that is not of the machine form");
    hd_for_each_op(op, block) {
      if (!is_machine_op(op) || op->region_count) return hd_op_error(op, "is not of the machine form");
      if (!verify_target(pass, op) || !verify_types(op) || (hd_op_is(op, HD_OP_llvm_call) && !verify_call(op)) ||
          (hd_op_is(op, HD_OP_llvm_mlir_addressof) && !verify_address(op)))
        return false;
    }
  }
  return true;
}

/* It is declared, once a module. */
static bool verify_dynamic(hd_op *global) {
  if (hd_llvm_mlir_global_linkage(global) != HD_LLVM_LINKAGE_EXTERNAL || hd_llvm_mlir_global_value(global) ||
      hd_op_region(global, 0)->first)
    return hd_op_error(global, "is dynamic shared memory: expected external linkage and no value");
  for (const hd_op *op = global->prev; op; op = op->prev)
    if (hd_is_dynamic_shared(op))
      return hd_op_error(global, "is dynamic shared memory: expected one such global in its gpu.module, got a second");
  return true;
}

static bool verify_global(hd_op *global) {
  int64_t space = hd_llvm_mlir_global_addr_space(global);
  if (hd_is_dynamic_shared(global)) return verify_dynamic(global);
  if (space == HD_SPACE_GLOBAL || space == HD_SPACE_SHARED || space == HD_SPACE_CONSTANT) return true;
  return hd_op_error(global, "is in memory space %lld, expected 1, 3 or 4", (long long)space);
}

static bool verify_module(hd_pass *pass, hd_op *kernels) {
  bool ok = true;
  hd_call_graph calls;
  hd_call_graph_init(&calls, kernels, &pass->arena);
  hd_for_each_op(op, hd_op_region(kernels, 0)->first) {
    if (hd_op_is(op, HD_OP_llvm_func))
      ok &= verify_function(pass, &calls, op);
    else if (hd_op_is(op, HD_OP_llvm_mlir_global))
      ok &= verify_global(op);
    else
      ok = hd_op_error(op, "is not of the machine form: expected llvm.func or llvm.mlir.global");
  }
  return ok;
}

bool hd_pass_verify_machine_form(hd_pass *pass, hd_op *module) {
  bool ok = true;
  hd_for_each_op(kernels, hd_op_region(module, 0)->first)
    if (hd_op_is(kernels, HD_OP_gpu_module)) ok &= verify_module(pass, kernels);
  return ok;
}
