/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as what `heddle layout` is given: a shape, a layout and, where there is a third line, one to go to. Drawn
 * or refused, in bounded memory; only a fault of Heddle's own is a find. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "heddle/layout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(void *user, const char *severity, const char *text) { (void)user, (void)severity, (void)text; }

static char *take_line(char **at) {
  char *line = *at, *end = line + strcspn(line, "\n");
  *at = *end ? end + 1 : end;
  *end = 0;
  return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const hd_layout_format formats[] = {HD_LAYOUT_TEXT, HD_LAYOUT_JSON, HD_LAYOUT_SVG};
  char *text = malloc(size + 1), *at = text;
  if (!text) return 0;
  if (size) memcpy(text, data, size);
  text[size] = 0;
  const char *shape = take_line(&at), *layout = take_line(&at), *to = take_line(&at);
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
    hd_layout_options options = HD_LAYOUT_OPTIONS_INIT;
    hd_blob out = {0};
    options.element_bits = 8u << size % 4;
    if (*to) options.to = to;
    hd_status status = hd_layout_show(layout, shape, &options, formats[i], (hd_message_sink){ignore, NULL}, &out);
    if (hd_status_code_of(status) == HD_INTERNAL) abort();
    hd_status_free(status);
    hd_blob_free(&out);
  }
  free(text);
  return 0;
}
