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
 * latter uploads once per context. The values themselves are in the function's hd.constants and hd.device_constants,
 * from where they go into the artifact beside the code, or into a file of their own (docs/ral.md). Splats belong to the
 * kernels that read them. */
#include "analysis/buffer_op.h"
#include "base/map.h"
#include "base/vec.h"
#include "codegen/emit/generator.h"
#include "ir/constant_content.h"
#include "ir/ops/stablehlo.h"
#include "passes/lowering/ral_call.h"
#include "passes/passes.h"

/* The contents that one memory needs, in the order in which they were met. */
typedef struct content_list {
  const char *api;
  hd_name attribute;
  hd_vec(hd_attr) values;
  hd_map known; /* attribute */
} content_list;

typedef struct constants {
  hd_pass *pass;
  hd_symbol_table symbols;
  content_list host, device;
  bool ok;
} constants;

static bool convert(constants *c, hd_op *op) {
  hd_attr value = hd_stablehlo_constant_value(op);
  hd_value *buffer = hd_buffer_output(op, 0);
  hd_op *alloc = hd_value_op(buffer);
  hd_constant_content content;
  if (!hd_attr_is(value, HD_ATTR_DENSE))
    return hd_op_error(op, "has a value that is not dense, which has no compiled path");
  if (!hd_op_is(alloc, HD_OP_memref_alloc) || !hd_type_is_static(buffer->type))
    return hd_op_error(op, "is written into a buffer that other ops write: expected one of its own");
  if (!hd_constant_content_of(&c->pass->arena, value, &content))
    return hd_op_error(op, "is of an element type that the runtime does not have");
  content_list *list = buffer->type->shaped.space ? &c->device : &c->host;
  bool is_new;
  hd_map_insert(&c->pass->arena, &list->known, value, &is_new);
  if (is_new) hd_vec_push(&c->pass->arena, &list->values, value);
  hd_builder b = hd_builder_before(alloc);
  b.loc = op->loc;
  hd_value *text = hd_build_c_string(&b, &c->symbols, "hd_const_", hd_str_of(content.name));
  hd_value *pointer = hd_build_ral_call(&b, list->api, hd_pointer_type(b.context), &text, 1);
  hd_value *lent = hd_build(&b, HD_OP_hd_memref, buffer->type, pointer);
  for (hd_use *use = buffer->first_use, *next; use; use = next) {
    next = use->next;
    if (hd_op_is(use->owner, HD_OP_memref_dealloc)) hd_op_erase(use->owner);
  }
  hd_op_erase(op);
  hd_value_replace_uses(buffer, lent);
  hd_op_erase(alloc);
  c->pass->changed = true;
  return true;
}

static bool visit(hd_op *op, void *user) {
  constants *c = user;
  bool constant = op->info->derived_from && hd_buffer_opcode(op) == HD_OP_stablehlo_constant;
  if (constant && !hd_can_generate(op)) c->ok = convert(c, op);
  return c->ok;
}

bool hd_pass_const_to_ral(hd_pass *pass, hd_op *func) {
  constants c = {.pass = pass,
                 .host = {"ral_constant_host___pvoid_pvoid___pvoid", HD_NAME_hd_constants},
                 .device = {"ral_constant_device___pvoid_pvoid___pvoid", HD_NAME_hd_device_constants},
                 .ok = true};
  hd_symbol_table_init(&c.symbols, &pass->arena, pass->module->op);
  if (!hd_walk_post(func, visit, &c)) return false;
  content_list *lists[] = {&c.host, &c.device};
  for (int i = 0; i < 2; ++i)
    if (lists[i]->values.len)
      hd_op_attr_set(func, lists[i]->attribute,
                     hd_attr_array(pass->context, lists[i]->values.data, lists[i]->values.len));
  return true;
}
