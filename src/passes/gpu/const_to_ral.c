/* SPDX-License-Identifier: Apache-2.0 */
/* disc-const-to-ral: constants are asked from the context by the name of their content.
 *
 *   %c = memref.alloc() : memref<2xi32>                              llvm.mlir.global internal constant
 *   "lmhlo.constant"(%c) <{value = dense<[1, 2]>}>             ->      @hd_const_<hash>_i32_2("<hash>_i32_2\00")
 *                                                                    %n = llvm.mlir.addressof @hd_const_<hash>_i32_2
 *                                                                    %p = hd.ral_call "ral_constant_host___pvoid_pvoid
 *                                                                             ___pvoid"(%n)
 *                                                                    %c = hd.memref %p[] : !llvm.ptr to memref<2xi32>
 *
 * The name is the content hash (32 hex digits), the element type by its RAL name and the sizes; the runtime checks
 * both. Constants in host memory and in the device's are apart: ral_constant_host and ral_constant_device, of which the
 * latter uploads once per context. The values themselves stand in the function's hd.constants, from where they go into
 * the artifact beside the code. Splats belong to the kernels that read them. */
#include <stdio.h>

#include "base/hash128.h"
#include "passes/kernel/lowering.h"
#include "passes/kernel/ral_call.h"

typedef struct constants {
  hd_lowering z;
  bool ok;
} constants;

static hd_str name_of(constants *c, hd_op *op, hd_attr value, hd_type type) {
  hd_hash128 hash = hd_hash128_of(value->dense.data, value->dense.size);
  char hex[33], code[40];
  hd_hash128_hex(&hash, hex);
  if (!hd_memref_code(op, hd_type_memref(type->shaped.element, NULL, 0, NULL, NULL), code, sizeof code))
    return (hd_str){"", 0};
  hd_strbuf text;
  hd_strbuf_init(&text, &c->z.pass->arena);
  hd_strbuf_printf(&text, "%s_%s", hex, code + 3); /* "m0df32" is f32 */
  for (uint32_t d = 0; d < type->shaped.rank; ++d)
    hd_strbuf_printf(&text, "%s%lld", d ? "x" : "_", (long long)type->shaped.dims[d]);
  return hd_str_of(hd_strbuf_text(&text));
}

static bool convert(constants *c, hd_op *op) {
  hd_attr value = hd_op_attr_get(op, "value");
  hd_value *buffer = hd_buffer_output(op, 0);
  hd_op *alloc = hd_value_op(buffer);
  if (!hd_attr_is(value, HD_ATTR_DENSE))
    return hd_op_error(op, "has a value that is not dense, which has no compiled path");
  if (!hd_op_is(alloc, HD_OP_memref_alloc) || !hd_type_is_static(buffer->type))
    return hd_op_error(op, "is written into a buffer that is used for something else");
  hd_str name = name_of(c, op, value, buffer->type);
  if (!name.len) return false;
  bool is_new;
  hd_map_insert(&c->z.pass->arena, &c->z.constant_index, value, &is_new);
  if (is_new) hd_vec_push(&c->z.pass->arena, &c->z.constants, value);
  hd_builder b = hd_builder_before(alloc);
  b.loc = op->loc;
  const char *api = buffer->type->shaped.space ? "ral_constant_device___pvoid_pvoid___pvoid"
                                               : "ral_constant_host___pvoid_pvoid___pvoid";
  hd_value *text = hd_build_c_string(&b, "hd_const_", name);
  hd_value *pointer = hd_build_ral_call(&b, api, hd_pointer_type(b.context), &text, 1);
  hd_value *lent = hd_build(&b, HD_OP_hd_memref, buffer->type, pointer);
  for (hd_use *use = buffer->first_use, *next; use; use = next) {
    next = use->next;
    if (hd_op_is(use->owner, HD_OP_memref_dealloc)) hd_op_erase(use->owner);
  }
  hd_op_erase(op);
  hd_value_replace_uses(buffer, lent);
  hd_op_erase(alloc);
  c->z.pass->changed = true;
  return true;
}

static bool visit(hd_op *op, void *user) {
  constants *c = user;
  bool constant = op->info->derived_from && hd_buffer_opcode(op) == HD_OP_stablehlo_constant;
  if (constant && !hd_can_generate(op)) c->ok = convert(c, op);
  return c->ok;
}

bool hd_pass_const_to_ral(hd_pass *pass, hd_op *func) {
  constants c = {.z = {.pass = pass, .func = func}, .ok = true};
  if (!hd_walk_post(func, visit, &c)) return false;
  if (c.z.constants.len)
    hd_op_attr_set(func, "hd.constants", hd_attr_array(pass->context, c.z.constants.data, c.z.constants.len));
  return true;
}
