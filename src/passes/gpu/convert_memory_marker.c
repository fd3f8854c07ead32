/* SPDX-License-Identifier: Apache-2.0 */
/* disc-convert-memory-marker: allocations become calls of the runtime by the memory spaces of their types.
 *
 *   %t = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>   ->   %p = hd.ral_call "ral_alloc..."(%bytes)
 *   memref.dealloc %t                                                        %t = hd.memref %p[%n]
 *                                                                            hd.ral_call "ral_free..."(%t)
 *   %i = memref.alloc() {hd.host} : memref<i32>                         ->   the same; with |host-allocator|
 *                                                                            ral_host_alloc and ral_host_free
 * ral_alloc gives memory of the context's device; a buffer that is returned is allocated as that output. Host memory is
 * the program's own unless |host-allocator| routes it through the context's host allocator too.
 * An allocation without space that disc-insert-memory-marker has not seen is an error: nobody knows where it is. */
#include "ir/address_space.h"
#include "ir/ops/discardable.h"
#include "passes/host/lower_alloc.h"
#include "passes/lowering/ral_call.h"
#include "passes/passes.h"

typedef struct converter {
  hd_pass *pass;
  hd_op *ret;
  bool host_allocator, ok;
  hd_messages messages;
} converter;

static bool convert(converter *c, hd_op *op) {
  hd_type type = hd_result_type(op, 0);
  bool host = hd_discardable_host(op);
  if (!type->shaped.space && !host)
    return hd_op_error(op, "has no memory space, expected #gpu.address_space<global> or the mark of host memory");
  if (host && !c->host_allocator) return true;
  if (!host && !hd_is_in_address_space(type, HD_GPU_ADDRESS_SPACE_GLOBAL))
    return hd_op_error(op, "is in a memory space from which the host cannot allocate, expected global");
  int64_t output = !host && c->ret ? hd_alloc_output_of(c->ret, hd_result(op, 0)) : -1;
  hd_lower_alloc(&c->messages, op, output,
                 host ? "ral_host_alloc___pvoid_i64_i64___pvoid" : "ral_alloc___pvoid_i64_i64___pvoid");
  c->pass->changed = true;
  return true;
}

/* By the type: buffers that loops and branches give are freed by another name than their allocation's. */
static bool convert_free(converter *c, hd_op *op) {
  hd_type type = hd_operand_type(op, 0);
  bool host = type->kind == HD_TYPE_MEMREF && !type->shaped.space;
  if (host && !c->host_allocator) return true;
  hd_builder b = hd_builder_before(op);
  hd_build_ral_call(&b, host ? "ral_host_free___pvoid_pvoid___void" : "ral_free___pvoid_pvoid___void", NULL,
                    (hd_value *[]){hd_operand(op, 0)}, 1);
  hd_op_erase(op);
  c->pass->changed = true;
  return true;
}

static bool visit(hd_op *op, void *user) {
  converter *c = user;
  if (hd_op_is(op, HD_OP_memref_alloc)) c->ok = convert(c, op);
  return c->ok;
}

static bool visit_free(hd_op *op, void *user) {
  converter *c = user;
  if (hd_op_is(op, HD_OP_memref_dealloc)) c->ok = convert_free(c, op);
  return c->ok;
}

bool hd_pass_convert_memory_marker(hd_pass *pass, hd_op *func) {
  if (hd_discardable_kernel(func)) return true;
  hd_op *ret = hd_op_region(func, 0)->first->last;
  converter c = {.pass = pass,
                 .ret = hd_op_is(ret, HD_OP_func_return) ? ret : NULL,
                 .host_allocator = hd_option_bool(pass, "host-allocator"),
                 .ok = true};
  hd_messages_begin(&c.messages, pass, func);
  bool ok = hd_walk_post(func, visit_free, &c) && hd_walk_post(func, visit, &c);
  hd_messages_end(&c.messages);
  return ok;
}
