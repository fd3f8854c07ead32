/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the runtime in host code. */
#ifndef HD_PASSES_LOWERING_RAL_CALL_H_
#define HD_PASSES_LOWERING_RAL_CALL_H_

#include "ir/builder.h"

/* hd.ral_call of the API with the encoded name |api|; its result, or null when |result| is null (no result). */
hd_value *hd_build_ral_call(hd_builder *b, const char *api, hd_type result, hd_value *const *operands, size_t count);
/* A memref's part of an encoded name: "m2df32". False, with an error at |op|, for an element type without a name. */
bool hd_memref_code(hd_op *op, hd_type type, char *out, size_t size);
/* The address of a NUL-terminated text: a global named |prefix| and |text| of the
 * module whose |symbols| these are, made once. */
hd_value *hd_build_c_string(hd_builder *b, hd_symbol_table *symbols, const char *prefix, hd_str text);
/* !llvm.ptr */
hd_type hd_pointer_type(hd_context *context);

#endif
