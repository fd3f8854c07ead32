/* SPDX-License-Identifier: Apache-2.0 */
#include "target/cuda/cuda.h"

#include <stdio.h>

#include "base/vec.h"
#include "target/cuda/ptxas.h"
#include "target/device.h"
#include "target/llvm/machine.h"

#define SREG "llvm.nvvm.read.ptx.sreg."
#define DIMS(name) {SREG name ".x", SREG name ".y", SREG name ".z"}

/* What is called is inlined first, loops are turned so that their body runs after one test, and addresses that do not
 * change leave them. Instructions are combined once, in turned loops and before addresses leave. instcombine ends the
 * process where it wants another round, unless it is told not to look. */
static const char passes[] =
    "always-inline,"
    "function(sroa,early-cse,simplifycfg,loop(loop-rotate),"
    "instcombine<no-verify-fixpoint;max-iterations=1>,"
    "loop-mssa(licm),early-cse,simplifycfg),globaldce";

static const hd_llvm_machine ptx = {
    .triple = "nvptx64-nvidia-cuda",
    .features = "",
    .passes = passes,
    .spaces = {0, 1, 0, 3, 4, 5},
    .kernel_convention = 71, /* ptx_kernel */
    .subgroup = 32,
    .shared_limit = 48 << 10, /* what ptxas takes; more is dynamic */
    .approximate = true,
    .barrier = "llvm.nvvm.barrier.cta.sync.aligned.all",
    .block_size_name = "nvvm.reqntid",
    .least_blocks_name = "nvvm.minctasm",
    .ids = {[HD_GRID_THREAD] = DIMS("tid"),
            [HD_GRID_BLOCK] = DIMS("ctaid"),
            [HD_GRID_BLOCK_DIM] = DIMS("ntid"),
            [HD_GRID_GRID_DIM] = DIMS("nctaid"),
            [HD_GRID_LANE] = {SREG "laneid"}},
    .shuffles = {"llvm.nvvm.shfl.sync.idx.i32p", "llvm.nvvm.shfl.sync.bfly.i32p", "llvm.nvvm.shfl.sync.up.i32p",
                 "llvm.nvvm.shfl.sync.down.i32p"},
};

static const uint32_t known[] = {70, 72, 75, 80, 86, 87, 89, 90, 100, 103, 120, 0};

static bool is_known(int architecture) {
  for (const uint32_t *each = known; *each; ++each)
    if ((int)*each == architecture) return true;
  return false;
}

hd_status hd_cuda_ptx(hd_module *module, int architecture, hd_arena *arena, hd_str *out_text) {
  *out_text = (hd_str){NULL, 0};
  if (!is_known(architecture))
    return hd_make_status(HD_INVALID_ARGUMENT, "cuda: unknown architecture %d, expected 70 to 120, as 80 or 90",
                          architecture);
  hd_vec(hd_op *) modules = {0};
  hd_for_each_op(op, hd_module_body(module))
    if (hd_op_is(op, HD_OP_gpu_module)) hd_vec_push(arena, &modules, op);
  if (!modules.len) return hd_make_status(HD_NOT_FOUND, "cuda: the program has no gpu.module");
  char cpu[16];
  snprintf(cpu, sizeof cpu, "sm_%d", architecture);
  hd_llvm_machine machine = ptx;
  machine.cpu = cpu;
  machine.tanh = architecture >= 80; /* 7.5 has it in versions of PTX that LLVM does not write for it */
  return hd_status_annotate(hd_llvm_compile_kernels(&machine, modules.data, modules.len, arena, out_text), "cuda");
}

static const uint32_t usual[] = {80, 0};

/* A driver takes text that ends with a NUL. */
static hd_status compile(hd_module *module, uint32_t architecture, hd_arena *arena, hd_str *out_image) {
  hd_str text;
  HD_TRY(hd_cuda_ptx(module, (int)architecture, arena, &text));
  *out_image = (hd_str){hd_arena_copy(arena, text.data, text.len), text.len + 1};
  return HD_STATUS_OK;
}

static hd_status assemble(const char *assembler, hd_str image, uint32_t architecture, hd_arena *arena,
                          hd_artifact_device_kernel *rows, size_t count, hd_str *out_image) {
  hd_ptxas_result result;
  HD_TRY(hd_ptxas(assembler, (hd_str){image.data, image.len - 1}, architecture, arena, &result));
  for (size_t i = 0; i < count; ++i)
    for (size_t k = 0; k < result.kernel_count; ++k) {
      if (!hd_str_is(result.kernels[k].name, rows[i].symbol)) continue;
      rows[i].registers = result.kernels[k].registers;
      rows[i].spill_bytes = result.kernels[k].spill_bytes;
    }
  *out_image = result.cubin;
  return HD_STATUS_OK;
}

const hd_image_format hd_image_format_ptx = {.assemble = assemble,
                                             .assembled = "cubin",
                                             .name = "ptx",
                                             .driver = "cuda",
                                             .architectures = known,
                                             .usual = usual,
                                             .compile = compile};
