/* SPDX-License-Identifier: Apache-2.0 */
/* Doors that this build does not have yet: they say so. */
#include "base/status.h"
#include "heddle/compile.h"

hd_status hd_explain(const void *program, size_t size, const char *name, const hd_compile_options *options,
                     hd_explain_format format, hd_message_sink sink, hd_blob *out_text) {
  (void)program, (void)size, (void)options, (void)format, (void)sink;
  *out_text = (hd_blob){0};
  return hd_make_status(HD_UNIMPLEMENTED, "%s: this build has no compiler", name);
}
