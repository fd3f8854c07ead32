/* SPDX-License-Identifier: Apache-2.0 */
/* hd_layout_show: reads the layouts and the shape, asks the analysis, prints. */
#include "heddle/layout.h"

#include <stddef.h>

#include "base/options.h"
#include "driver/layout_show.h"
#include "driver/showing.h"
#include "ir/linear_layouts/of_attribute.h"
#include "text/text.h"

typedef struct showing {
  hd_session session;
  hd_arena arena;
  const char *layout, *shape;
  hd_layout_options options;
  hd_layout_format format;
  hd_layout_picture picture;
  hd_strbuf out;
} showing;

/* |name|: what diagnostics call it. */
static hd_status read_layout(showing *s, const char *name, const char *text, hd_shown_layout *out) {
  hd_attr attr = hd_text_parse_attr(s->session.context, name, hd_str_of(text));
  if (!attr) return hd_failed(s->session.context);
  HD_TRY(hd_linear_layout_of_attribute(&s->arena, attr, s->picture.rank, s->picture.shape, &out->encoding, &out->map));
  out->text = text;
  out->is_shared = hd_encoding_is_shared(&out->encoding);
  return HD_STATUS_OK;
}

static hd_status read_to(showing *s) {
  hd_layout_picture *p = &s->picture;
  HD_TRY(read_layout(s, "to", s->options.to, &p->to));
  p->has_to = true;
  if (p->from.is_shared)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a distributed layout to go from, got '%s'", p->from.text);
  const hd_encoding *padding = p->to.encoding.kind == HD_ENCODING_PADDED_SHARED ? &p->to.encoding : NULL;
  bool known = p->to.is_shared ? hd_bank_conflicts(&p->from.map, &p->to.map, padding, p->element_bits, &p->access)
                               : hd_conversion_cost(&p->from.map, &p->to.map, p->element_bits, &p->conversion);
  if (known) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "expected layouts of the same threads and blocks");
}

static hd_status show(void *argument) {
  showing *s = argument;
  s->picture.element_bits = s->options.element_bits;
  HD_TRY(hd_read_sizes(s->shape, HD_LINEAR_DIMS, s->picture.shape, &s->picture.rank));
  HD_TRY(read_layout(s, "layout", s->layout, &s->picture.from));
  if (s->options.to) HD_TRY(read_to(s));
  if (s->format == HD_LAYOUT_SVG)
    hd_layout_print_svg(&s->picture, &s->out);
  else if (s->format == HD_LAYOUT_JSON)
    hd_layout_print_json(&s->picture, &s->out);
  else
    hd_layout_print_text(&s->picture, &s->out);
  return HD_STATUS_OK;
}

hd_status hd_layout_show(const char *layout, const char *shape, const hd_layout_options *options,
                         hd_layout_format format, hd_message_sink sink, hd_blob *out_text) {
  HD_REQUIRE(layout);
  HD_REQUIRE(shape);
  HD_REQUIRE(out_text);
  *out_text = (hd_blob){0};
  showing s = {.layout = layout, .shape = shape, .format = format};
  HD_TRY(hd_options_read("hd_layout_options", options, &s.options, sizeof s.options));
  HD_TRY(hd_settle_element_bits(options, offsetof(hd_layout_options, element_bits), &s.options.element_bits));
  return hd_show(&s.session, &s.arena, &s.out, show, &s, sink, out_text);
}
