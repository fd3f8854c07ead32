/* SPDX-License-Identifier: Apache-2.0 */
/* Version 1.2 is the last that validators take for OpenCL 2.2, and all that kernels need. */
#include "target/spirv/spirv.h"

#include "base/vec.h"
#include "target/device.h"
#include "target/llvm/machine.h"

#define COMBINE "instcombine<no-verify-fixpoint>,simplifycfg"
static const char passes[] =
    "always-inline,"
    "function(sroa,early-cse<memssa>," COMBINE
    ",loop-mssa(loop-rotate,licm),"
    "early-cse<memssa>," COMBINE "),globaldce";

static const hd_llvm_machine spirv = {
    .triple = "spirv64v1.2-unknown-unknown",
    .cpu = "",
    .features = "",
    .passes = passes,
    .binary = true,
    .spaces = {4, 1, 0, 3, 2, 0},
    .kernel_convention = 76,   /* spir_kernel */
    .function_convention = 75, /* spir_func */
    .subgroup = 32,
    .opencl = true,
};

hd_status hd_spirv_image(hd_module *module, hd_arena *arena, hd_str *out_image) {
  hd_vec(hd_op *) modules = {0};
  *out_image = (hd_str){NULL, 0};
  hd_for_each_op(op, hd_module_body(module)) if (hd_op_is(op, HD_OP_gpu_module)) hd_vec_push(arena, &modules, op);
  if (!modules.len) return hd_make_status(HD_NOT_FOUND, "spirv: the program has no gpu.module");
  return hd_status_annotate(hd_llvm_compile_kernels(&spirv, modules.data, modules.len, arena, out_image), "spirv");
}

static hd_status compile(hd_module *module, uint32_t architecture, hd_arena *arena, hd_str *out_image) {
  (void)architecture;
  return hd_spirv_image(module, arena, out_image);
}

const hd_image_format hd_image_format_spirv = {.name = "spirv", .driver = "opencl", .compile = compile};
