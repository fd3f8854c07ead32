/* SPDX-License-Identifier: Apache-2.0 */
/* What the evaluator runs has been verified. */
#include <string.h>

#include "eval/core/hooks.h"
#include "ir/constraints.h"
#include "ir/infer.h"
#include "ir/testing.h"

/* Rows whose evaluator checks by itself what a verifier would: the reason is beside each. */
static const char *const checked_as_run[][2] = {
    {"shape.", "makes sizes and shapes of the result's own type, from operands of any"},
    {"shape.assuming", "what the region gives is compared with the result types"},
    {"affine.for", "inits, arguments and what the region gives are compared as it runs"},
    {"affine.if", "operands are compared with index, what the region gives with the result types"},
    {"affine.load", "the map and the element type are compared with the memref"},
    {"affine.vector_load", "the map and the element type are compared with the memref"},
    {"affine.parallel", "the region gives scalars, which are compared with the result types"},
    {"gpu.launch", "arguments of the region are made by their types"},
    {"gpu.all_reduce", "is run by the thread block, which compares types with the region's"},
    {"arith.addui_extended", "the lanes of the overflow bits are compared"},
    {"complex.constant", "is made by its type, from two floats"},
    {"complex.create", "classes and lanes of the operands are compared"},
    {"stablehlo.einsum", "labels are compared with ranks and sizes"},
    {"stablehlo.unary_einsum", "labels are compared with ranks and sizes"},
    {"stablehlo.custom_call", "each known target compares what it takes and gives"},
    {"stablehlo.async_start", "what the region gives is compared with the future's types"},
    {"stablehlo.async_done", "the future's values are compared with the result types"},
    {"mhlo.bitcast", "the bits of source and result are compared"},
    {"mhlo.add_dependency", "gives its operand, which is compared with the result type"},
    {"mhlo.fusion", "what the region gives is compared with the result types"},
    {"complex.bitcast", "the sizes of source and result are compared"},
    {"builtin.unrealized_conversion_cast", "the forms in memory are compared"},
    {"hd.ral_call", "the table of calls says what each takes and gives"},
    {"interpreter.run_parallel", "results are compared with the result types"},
    {"llvm.mlir.zero", "is made by its type"},
    {"llvm.alloca", "what it gives is compared with a pointer"},
    {"llvm.getelementptr", "operand and result are compared with a pointer"},
    {"llvm.inttoptr", "is an integer's, and the result is compared with a pointer"},
    {"llvm.ptrtoint", "is made by its type, from a pointer"},
    {"llvm.addrspacecast", "operand and result are compared with a pointer"},
    {"llvm.mlir.constant", "is made by its type, which is compared with the value's"},
    {"llvm.intr.abs", "classes and lanes of operand and result are compared"},
    {"llvm.mlir.undef", "is made by its type"},
    {"llvm.mlir.poison", "is made by its type"},
    {"llvm.bitcast", "the bits of source and result are compared"},
    {"llvm.extractvalue", "the member's type is compared with the result's"},
    {"llvm.load", "is made by its type, whose bytes must be in the buffer"},
    {"gpu.dynamic_shared_memory", "is compared with bytes of one dim"},
    {"nvvm.ldmatrix", "is compared with as many i32 as there are matrices"},
    {"nvvm.match.sync", "is compared with what its kind gives"},
    {"nvvm.mma.sync", "is compared with the registers of the third matrix"},
    {"nvvm.shfl.sync", "is compared with the operand, or that and a flag"},
    {"nvvm.vote.sync", "is compared with what its kind gives"},
    {"llvm.call", "results are compared with the function's; of the runtime the name says what the slots hold"},
    {"ub.poison", "is made by its type"},
    {"tt.descriptor_gather", "its shape and elements are compared with the rows and the descriptor's"},
    {"tt.elementwise_inline_asm", "bits and lanes of operands and result are compared"},
    {"tt.extern_elementwise", "elements and lanes of operands and result are compared"},
    {"tt.map_elementwise", "sizes are compared, and what the region gives with the results' elements"},
    {"ttg.convert_layout", "the numbers of elements are compared, and the result with its type"},
    {"ttg.fp4_to_fp", "the sizes of source and result are compared"},
    {"chlo.dynamic_top_k", "results are made from the operand and compared with the result types"},
};

static bool is_checked_as_run(const char *name) {
  for (size_t i = 0; i < sizeof checked_as_run / sizeof *checked_as_run; ++i) {
    const char *row = checked_as_run[i][0];
    size_t length = strlen(row);
    if (row[length - 1] == '.' ? !strncmp(name, row, length) : !strcmp(name, row)) return true;
  }
  return false;
}

/* What the evaluator runs has been verified: a row whose regions or result types do not follow from its operands by a
 * rule of the row has a hook that compares them. */
static bool check_trust(hd_context *c, hd_opcode opcode) {
  const hd_op_info *info = hd_op_info_of(opcode);
  if (!hd_eval_hook_of(opcode) || info->hooks.verify || hd_opcode_infers(opcode)) return true;
  const hd_signature *signature = hd_signature_of(c, opcode);
  bool is_free = *info->regions != 0;
  for (size_t i = 0; i < signature->results.count && !(info->traits & HD_TRAIT(SAME_TYPE)); ++i) {
    const hd_signature_item *item = &signature->results.items[i];
    bool named = false; /* by the rule of an operand */
    for (size_t k = 0; k < signature->args.count; ++k)
      named |= hd_str_equal(signature->args.items[k].default_text, hd_ident_str(item->name));
    is_free |= !item->default_text.len && !named && item->constraint.data[0] != '!' &&
               !hd_constraint_type(c, item->constraint);
  }
  if (!is_free || is_checked_as_run(info->name)) return true;
  fprintf(stderr, "%s: evaluates results or regions that nothing verifies\n", info->name);
  return false;
}

static hd_status all(void *user) {
  hd_context *c = user;
  for (int i = 1; i < HD_OPCODE_COUNT; ++i) HD_CHECK(check_trust(c, (hd_opcode)i));
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
