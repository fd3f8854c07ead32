/* SPDX-License-Identifier: Apache-2.0 */
#include "text/implied.h"

#include <string.h>

hd_str hd_default_dialect(hd_opcode opcode) {
  if (opcode == HD_OP_builtin_module) return HD_STR("builtin");
  if (opcode == HD_OP_func_func) return HD_STR("func");
  if (opcode == HD_OP_shape_function_library || opcode == HD_OP_shape_func) return HD_STR("shape");
  return HD_STR("");
}

const char *hd_implicit_terminator(const hd_op_info *info) {
  if (!(info->traits & HD_TRAIT(IMPLICIT_TERMINATOR))) return NULL;
  static const struct {
    const char *prefix, *terminator;
  } table[] = {{"scf.parallel", "scf.reduce"},
               {"scf.forall", "scf.forall.in_parallel"},
               {"scf.", "scf.yield"},
               {"affine.", "affine.yield"},
               {"memref.alloca_scope", "memref.alloca_scope.return"},
               {"memref.", "memref.atomic_yield"},
               {"lmhlo.fusion", "lmhlo.terminator"},
               {"lmhlo", "lmhlo.terminator"},
               {"gpu.warp", "gpu.yield"},
               {"vector.", "vector.yield"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    if (strncmp(info->name, table[i].prefix, strlen(table[i].prefix)) == 0) return table[i].terminator;
  return NULL;
}
