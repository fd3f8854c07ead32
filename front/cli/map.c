/* SPDX-License-Identifier: Apache-2.0 */
/* heddle map: thin over the compiler's door. */
#include "commands.h"
#include "files.h"
#include "program.h"

hd_status hd_cli_map(hd_arena *arena, const hd_cli_options *options, int *out_exit) {
  (void)out_exit;
  const hd_compiler *compiler;
  hd_indexing_map_options map = HD_INDEXING_MAP_OPTIONS_INIT;
  hd_blob *text = hd_cli_blob(arena);
  HD_TRY(hd_compiler_open(&compiler));
  map.then = options->then;
  map.shape = options->shape_text;
  map.thread = options->thread;
  map.inverse = options->inverse;
  map.json = options->json;
  if (options->element_bits) map.element_bits = (uint32_t)options->element_bits;
  hd_status status = compiler->hd_indexing_map_show(options->file, &map, hd_cli_sink(), text);
  HD_TRY(hd_cli_option_status(options, status));
  return hd_cli_write_file("-", text->data, text->size);
}
