/* SPDX-License-Identifier: Apache-2.0 */
/* A drawn layout as a picture: a cell per element. Of a distributed layout the colour is the warp, darker with the
 * lane; of a shared one the bank. */
#include <stdio.h>
#include <string.h>

#include "driver/layout_show.h"

enum { CELL_WIDTH = 44, CELL_HEIGHT = 30, LEFT = 58, TOP = 92, LEGEND = 64 };

static const int hues[] = {210, 32, 145, 335, 265, 55, 185, 0};

static void put_escaped(hd_strbuf *out, const char *text) {
  for (size_t n; *text; text += n) {
    n = hd_utf8_length(text);
    if (!n)
      n = 1, hd_strbuf_puts(out, "\xef\xbf\xbd");
    else if (*text == '<' || *text == '&' || *text == '>')
      hd_strbuf_puts(out, *text == '<' ? "&lt;" : *text == '&' ? "&amp;" : "&gt;");
    else
      hd_strbuf_put(out, text, n);
  }
}

static int lightness(int64_t lane, int64_t lanes) { return 93 - (int)(lane * 26 / (lanes > 1 ? lanes - 1 : 1)); }

static void put_text(hd_strbuf *out, int64_t x, int64_t y, const char *style, const char *text) {
  hd_strbuf_printf(out, "<text x=\"%lld\" y=\"%lld\" class=\"%s\">", (long long)x, (long long)y, style);
  put_escaped(out, text);
  hd_strbuf_puts(out, "</text>");
}

static void put_rect(hd_strbuf *out, int64_t x, int64_t y, int hue, int light) {
  hd_strbuf_printf(out, "<rect x=\"%lld\" y=\"%lld\" width=\"%d\" height=\"%d\" fill=\"hsl(%d,60%%,%d%%)\"/>",
                   (long long)x, (long long)y, CELL_WIDTH, CELL_HEIGHT, hue, light);
}

static void put_cell(const hd_layout_picture *p, uint64_t element, int64_t x, int64_t y, hd_strbuf *out) {
  char first[48], second[48];
  if (p->from.is_shared) {
    int64_t offset = hd_layout_element_offset(&p->from, element);
    if (offset < 0) return; /* nothing has it: the page shows */
    int64_t bank = hd_layout_offset_bank(offset, p->element_bits);
    put_rect(out, x, y, (int)(bank % 8 * 45), 92 - (int)(bank / 8) * 8);
    snprintf(first, sizeof first, "%lld", (long long)offset);
    snprintf(second, sizeof second, "bank %lld", (long long)bank);
  } else {
    hd_element_owner o = hd_layout_element_owner(&p->from.map, element);
    if (!o.count) return;
    put_rect(out, x, y, hues[(o.warp + 3 * o.block) % 8], lightness(o.lane, 1ll << p->from.map.in.bits[HD_LANE]));
    snprintf(first, sizeof first, "T%lld", (long long)o.thread);
    if (p->from.map.in.bits[HD_BLOCK])
      snprintf(second, sizeof second, "B%lld R%lld", (long long)o.block, (long long)o.reg);
    else
      snprintf(second, sizeof second, "R%lld", (long long)o.reg);
  }
  put_text(out, x + CELL_WIDTH / 2, y + 13, "t", first);
  put_text(out, x + CELL_WIDTH / 2, y + 25, "r", second);
}

static void put_numbers(const hd_layout_picture *p, const hd_layout_table *t, hd_strbuf *out) {
  char text[32];
  for (int64_t c = 0; c < t->shown_columns; ++c) {
    snprintf(text, sizeof text, "%lld", (long long)c);
    put_text(out, LEFT + c * CELL_WIDTH + CELL_WIDTH / 2, TOP - 6, "n", text);
  }
  for (int64_t r = 0; r < t->shown_rows; ++r) {
    hd_strbuf name;
    hd_strbuf_init(&name, out->arena);
    hd_layout_table_row_name(p, t, r, &name);
    put_text(out, LEFT - 6, TOP + r * CELL_HEIGHT + CELL_HEIGHT / 2 + 4, "e", hd_strbuf_text(&name));
  }
}

/* The colours of warps, from lane 0 to the last. */
static void put_legend(const hd_layout_picture *p, int64_t y, hd_strbuf *out) {
  enum { STEPS = 8, STEP = 11, APART = 190 };
  char text[64];
  if (p->from.is_shared) {
    put_text(out, LEFT, y + 12, "l", "each cell: the element's offset, and its bank, which is its colour");
    return;
  }
  int64_t warps = (int64_t)1 << p->from.map.in.bits[HD_WARP], lanes = (int64_t)1 << p->from.map.in.bits[HD_LANE];
  put_text(out, LEFT, y + 12, "l", "each cell: thread T and register R; darker with the lane");
  for (int64_t w = 0; w < warps && w < 4; ++w) {
    int64_t x = LEFT + w * APART;
    for (int i = 0; i < STEPS; ++i)
      hd_strbuf_printf(out, "<rect x=\"%lld\" y=\"%lld\" width=\"%d\" height=\"12\" fill=\"hsl(%d,60%%,%d%%)\"/>",
                       (long long)(x + i * STEP), (long long)(y + 22), STEP, hues[w % 8], lightness(i, STEPS));
    snprintf(text, sizeof text, "warp %lld: T%lld-%lld", (long long)w, (long long)(w * lanes),
             (long long)((w + 1) * lanes - 1));
    put_text(out, x + STEPS * STEP + 6, y + 32, "s", text);
  }
}

static void put_title(const hd_layout_picture *p, const hd_layout_table *t, hd_strbuf *out) {
  hd_strbuf line;
  hd_strbuf_init(&line, out->arena);
  put_text(out, 12, 22, "h", p->from.text);
  hd_layout_put_summary(p, &p->from, &line);
  put_text(out, 12, 42, "l", hd_strbuf_text(&line));
  hd_strbuf_init(&line, out->arena);
  if (p->has_to) {
    hd_strbuf_printf(&line, "to %s: ", p->to.text);
    hd_layout_put_cost(p, &line);
  } else if (t->shown_rows < t->rows || t->shown_columns < t->columns) {
    hd_strbuf_printf(&line, "the first %lld of %lld rows, %lld of %lld columns", (long long)t->shown_rows,
                     (long long)t->rows, (long long)t->shown_columns, (long long)t->columns);
  }
  put_text(out, 12, 60, "l", hd_strbuf_text(&line));
}

void hd_layout_print_svg(const hd_layout_picture *p, hd_strbuf *out) {
  hd_layout_table t = hd_layout_table_of(p);
  int64_t width = LEFT + t.shown_columns * CELL_WIDTH + 16, bottom = TOP + t.shown_rows * CELL_HEIGHT;
  int64_t least = 24 + 7 * (int64_t)strlen(p->from.text);
  if (width < least) width = least;
  if (width < 860) width = 860;
  hd_strbuf_printf(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%lld\" height=\"%lld\" viewBox=\"0 0 %lld %lld\">"
                   "<style>text{font-family:ui-sans-serif,system-ui,sans-serif;fill:#222}.h{font:13px "
                   "ui-monospace,monospace}.l{font-size:13px}.s{font-size:11px}.n,.t,.r{text-anchor:middle}"
                   ".n,.e{font-size:11px;fill:#666}.e{text-anchor:end}.t{font-size:12px;font-weight:600}"
                   ".r{font-size:10px;fill:#444}rect{stroke:#fff;stroke-width:1}</style>"
                   "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                   (long long)width, (long long)(bottom + LEGEND), (long long)width, (long long)(bottom + LEGEND));
  put_title(p, &t, out);
  put_numbers(p, &t, out);
  for (int64_t r = 0; r < t.shown_rows; ++r) {
    for (int64_t c = 0; c < t.shown_columns; ++c)
      put_cell(p, hd_layout_table_element(&t, r, c), LEFT + c * CELL_WIDTH, TOP + r * CELL_HEIGHT, out);
    hd_strbuf_putc(out, '\n');
  }
  put_legend(p, bottom + 12, out);
  hd_strbuf_puts(out, "</svg>\n");
}
