/* SPDX-License-Identifier: Apache-2.0 */
/* What of a program is compiled: each content once, small kernels together. All is on the arena. */
#ifndef HD_TARGET_CPU_KERNELS_H_
#define HD_TARGET_CPU_KERNELS_H_

#include "base/map.h"
#include "base/vec.h"
#include "target/cpu/cpu.h"

/* Kernels of equal content once: the first of each, its symbol, and for each kernel its distinct one. */
typedef struct hd_cpu_distinct {
  size_t count;
  size_t *first; /* position among the kernels */
  char (*symbols)[HD_CPU_SYMBOL_SIZE];
  uint32_t *index; /* per kernel */
} hd_cpu_distinct;
void hd_cpu_find_distinct(const hd_cpu_kernel *kernels, size_t count, hd_arena *arena, hd_cpu_distinct *out);

/* Functions of vector math that the distinct kernels call (hd.math), those of equal content once. Their symbols name
 * their content, which is part of a kernel's too: what the cache has of a kernel calls what its program has. */
typedef struct hd_cpu_shared {
  hd_vec(hd_op *) distinct;
  hd_vec(const char *) symbols; /* of those */
  hd_map all;                   /* func.func -> symbol, of equal ones too */
} hd_cpu_shared;
void hd_cpu_find_shared(const hd_cpu_program *program, const hd_cpu_distinct *distinct, hd_arena *arena,
                        hd_cpu_shared *out);

/* Kernels that are compiled as one module: |count| groups, the funcs and symbols of group i from first[i] on. */
typedef struct hd_cpu_groups {
  size_t count, *first;
  hd_op **funcs;
  const char **symbols;
} hd_cpu_groups;
void hd_cpu_group_kernels(const hd_cpu_program *program, const hd_cpu_distinct *distinct, hd_arena *arena,
                          hd_cpu_groups *out);

#endif
