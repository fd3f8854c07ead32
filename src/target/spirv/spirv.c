/* SPDX-License-Identifier: Apache-2.0 */
/* Version 1.2 is the last that validators take for OpenCL 2.2, and all that kernels need. */
#include "target/spirv/spirv.h"

#include <stdlib.h>

#include "base/fork.h"
#include "base/vec.h"
#include "target/device.h"
#include "target/llvm/machine.h"
#include "target/spirv/canonical.h"
#include "target/spirv/labels.h"

#define SIMPLIFY "instsimplify,simplifycfg"
static const char passes[] =
    "always-inline,"
    "function(sroa,early-cse<memssa>," SIMPLIFY
    ",loop-mssa(loop-rotate,licm),"
    "early-cse<memssa>," SIMPLIFY ",lower-switch),globaldce"; /* no tables of branches: labels.h */

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
    .shared_limit = 1 << 24, /* devices say less */
    .opencl = true,
};

/* What LLVM's code generator knows of earlier modules it knows by address (labels.h), so it is tried again with some
 * memory taken. Each time in the process another amount in other pieces: what an earlier try took would lead to the
 * addresses that it led to. */
enum { TRIES = 24, PLUG_BYTES = 512 };

typedef struct plug {
  struct plug *next;
} plug;

static hd_fork_mutex generator = HD_FORK_MUTEX_INIT; /* its table is the process's */
static size_t tries;                                 /* that were in vain, in the process; under |generator| */

static plug *add_plugs(plug *plugs, int i) {
  size_t count = ((size_t)64 << (i < 6 ? i : 6)) + tries * 7919 % 509, bytes = PLUG_BYTES + 16 * (tries * 61 % 127);
  ++tries;
  for (size_t k = 0; k < count; ++k) {
    plug *made = malloc(bytes);
    if (!made) break;
    made->next = plugs;
    plugs = made;
  }
  return plugs;
}

static void free_plugs(plug *plugs) {
  for (plug *next; plugs; plugs = next) {
    next = plugs->next;
    free(plugs);
  }
}

/* Of one gpu.module; in whole words. */
static hd_status compile_kernel(hd_op *kernels, hd_arena *arena, hd_str *out_image) {
  plug *plugs = NULL;
  bool done = false;
  hd_status status = HD_STATUS_OK;
  hd_fork_mutex_lock(&generator);
  for (int i = 0; i < TRIES && !done && hd_is_ok(status); ++i) {
    status = hd_llvm_compile_kernels(&spirv, &kernels, 1, arena, out_image);
    done = hd_is_ok(status) && hd_spirv_relabel((uint32_t *)(uintptr_t)out_image->data, out_image->len / 4, arena);
    if (!done) plugs = add_plugs(plugs, i);
  }
  hd_fork_mutex_unlock(&generator);
  free_plugs(plugs);
  size_t words = out_image->len / 4;
  if (done && hd_spirv_make_canonical((uint32_t *)(uintptr_t)out_image->data, &words, arena))
    out_image->len = 4 * words;
  return done || !hd_is_ok(status) ? status : hd_make_status(HD_INTERNAL, "LLVM's labels are not those of the kernel");
}

/* One kernel at a time: they are built when they are first launched. */
hd_status hd_spirv_image(hd_module *module, hd_arena *arena, hd_str *out_image) {
  hd_vec(char) bytes = {0};
  *out_image = (hd_str){NULL, 0};
  hd_for_each_op(op, hd_module_body(module)) {
    hd_str one, name = hd_symbol_name(op);
    if (!hd_op_is(op, HD_OP_gpu_module)) continue;
    HD_TRY_MSG(compile_kernel(op, arena, &one), "spirv: %.*s", (int)name.len, name.data);
    hd_vec_append(arena, &bytes, one.data, one.len);
  }
  if (!bytes.len) return hd_make_status(HD_NOT_FOUND, "spirv: the program has no gpu.module");
  *out_image = (hd_str){bytes.data, bytes.len};
  return HD_STATUS_OK;
}

static const uint32_t subgroups[] = {32, 1, 0};

static hd_status compile(hd_module *module, uint32_t architecture, hd_arena *arena, hd_str *out_image) {
  (void)architecture;
  return hd_spirv_image(module, arena, out_image);
}

const hd_image_format hd_image_format_spirv = {.name = "spirv",
                                               .driver = "opencl",
                                               .architectures = subgroups,
                                               .usual = subgroups,
                                               .subgroups = true,
                                               .compile = compile};
