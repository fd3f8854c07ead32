/* SPDX-License-Identifier: Apache-2.0 */
/* heddle layout: thin over the compiler's door. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "files.h"
#include "program.h"

hd_status hd_cli_layout(hd_arena *arena, const hd_cli_options *options, int *out_exit) {
  (void)out_exit;
  const hd_compiler *compiler;
  hd_layout_options layout = HD_LAYOUT_OPTIONS_INIT;
  hd_layout_format format = options->json ? HD_LAYOUT_JSON : options->svg ? HD_LAYOUT_SVG : HD_LAYOUT_TEXT;
  hd_blob *text = hd_cli_blob(arena);
  HD_TRY(hd_compiler_open(&compiler));
  layout.to = options->to;
  if (options->element_bits) layout.element_bits = (uint32_t)options->element_bits;
  hd_status status = compiler->hd_layout_show(options->file, options->shape_text, &layout, format, hd_cli_sink(), text);
  HD_TRY(hd_cli_option_status(options, status));
  const char *path = options->svg ? options->svg : "-";
  HD_TRY(hd_cli_write_file(path, text->data, text->size));
  if (options->svg && strcmp(path, "-")) printf("%s: %zu bytes\n", path, text->size);
  return HD_STATUS_OK;
}
