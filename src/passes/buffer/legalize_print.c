/* SPDX-License-Identifier: Apache-2.0 */
/* Printing is a call of the runtime, in the order of the program, from memory that the host can read:
 *
 *   interpreter.print %x   ->   hd.ral_call "ral_print___pvoid_i64_i64_m2df32___void"(message, element type, %x)
 *
 * The message is empty: the runtime writes the type, then. */
#include <stdio.h>

#include "ir/element_types.h"
#include "passes/buffer/legalizer.h"
#include "passes/lowering/ral_call.h"

bool hd_legalize_print(hd_legalizer *ctx, hd_op *op) {
  hd_value *buffer = hd_legalize_buffer(ctx, hd_operand(op, 0));
  char code[40], api[100];
  if (!buffer) return hd_op_error(op, "has an operand that is no tensor, which has no compiled path");
  if (!hd_memref_code(op, buffer->type, code, sizeof code)) return false;
  snprintf(api, sizeof api, "ral_print___pvoid_i64_i64_%s___void", code);
  hd_builder b = hd_builder_before(op);
  hd_type i64 = hd_i64(b.context);
  hd_value *operands[] = {hd_build_int(&b, i64, hd_message_add(&ctx->messages, "")),
                          hd_build_int(&b, i64, hd_element_type_of(buffer->type->shaped.element)), buffer};
  hd_build_ral_call(&b, api, NULL, operands, 3);
  return true;
}
