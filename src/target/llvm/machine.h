/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels in machine form (docs/design/machine-form.md) to the code of a device: what a target says of its machine, and
 * the one way from gpu.modules to text. No llvm-c here.
 *
 * What a device names in its own way is in the description: numbers of threads, barriers and exchanges as
 * intrinsics of LLVM, or as OpenCL's functions. The translation itself is the same for all. */
#ifndef HD_TARGET_LLVM_MACHINE_H_
#define HD_TARGET_LLVM_MACHINE_H_

#include "ir/grid_number.h"

typedef struct hd_machine_shuffles {
  const char *idx, *xor, *up, *down; /* of i32, each gives { i32, i1 } of (mask, value, lane, clamp) */
} hd_machine_shuffles;

/* One of LLVM's code generators. x86-64's (codegen.c) says the first lines alone: its kernels and host code are no
 * machine form. */
typedef struct hd_llvm_machine {
  const char *triple, *cpu, *features;
  const char *passes;         /* as opt takes them; the data layout is the code generator's own */
  bool small_code;            /* code and data within 2 GB */
  bool binary;                /* images are object files, else assembly text */
  unsigned spaces[6];         /* LLVM's number of each space of !llvm.ptr */
  unsigned kernel_convention; /* LLVM's number of the calling convention of kernels */
  unsigned function_convention;
  unsigned subgroup;     /* lanes */
  uint32_t shared_limit; /* bytes of shared memory that a kernel may declare */
  /* OpenCL's functions in place of the intrinsics below; kernels take 64-bit words; bf16 is i16 to LLVM; atomics on
   * floats are compare loops; vectors have 2, 3, 4, 8 or 16 elements. */
  bool opencl;
  bool approximate;            /* ex2, rcp, sqrt and rsqrt of f32, as ops with the flag afn */
  bool tanh;                   /* that too */
  const char *barrier;         /* of (i32 0) */
  const char *block_size_name; /* the attribute of a function that says "256,1,1" */
  /* and the one that says how many blocks a processor is to hold at least. Kernels with memory of the block say 1:
   * without it CUDA's assembler spills some registers of the tiles that threads keep, to hold more blocks. Null: none
   */
  const char *least_blocks_name;
  const char *ids[HD_GRID_COUNT][3]; /* intrinsics of numbers of the grid, along x, y and z; null: made of others */
  hd_machine_shuffles shuffles;
} hd_llvm_machine;

/* The kernels of |modules|, gpu.modules in machine form, as one image, which lives in |arena|. Symbols of
 * kernels are their names. UNIMPLEMENTED names the op that has no code. Thread-safe. */
hd_status hd_llvm_compile_kernels(const hd_llvm_machine *machine, hd_op *const *modules, size_t count, hd_arena *arena,
                                  hd_str *out_image) HD_MUST_USE;

#endif
