/* SPDX-License-Identifier: Apache-2.0 */
/* An explanation as one self-contained page: the graph of fusions, a table of them, and the IR after every pass with
 * the lines that are new marked. */
#include <string.h>

#include "base/map.h"
#include "driver/explain.h"

static const char head[] =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>heddle explain</title><style>"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:1100px;margin:2em auto;padding:0 1em;color:#222}"
    "table{border-collapse:collapse}td,th{padding:.25em .7em;text-align:left;vertical-align:top;border-bottom:1px "
    "solid #ddd}"
    "pre{font:12px/1.35 ui-monospace,monospace;overflow-x:auto;background:#f7f7f5;padding:.6em}pre "
    "b{font-weight:400;background:#dff3d8}"
    "svg text{font:12px "
    "system-ui,sans-serif}.loop{fill:#cfe3f5}.row{fill:#f7dcb4}.gemm{fill:#e9c6bd}.host{fill:#e4e4e4}"
    "summary{cursor:pointer}.dim{color:#666}</style>";

/* |text| is NUL-terminated, after |size| bytes or later. A byte that is no UTF-8 is U+FFFD. */
static void escaped(hd_strbuf *out, const char *text, size_t size) {
  for (size_t i = 0, n; i < size; i += n) {
    n = hd_utf8_length(text + i);
    if (!n || n > size - i)
      n = 1, hd_strbuf_puts(out, "\xef\xbf\xbd");
    else if (text[i] == '<')
      hd_strbuf_puts(out, "&lt;");
    else if (text[i] == '&')
      hd_strbuf_puts(out, "&amp;");
    else if (text[i] == '>')
      hd_strbuf_puts(out, "&gt;");
    else if (text[i] == '"')
      hd_strbuf_puts(out, "&quot;");
    else
      hd_strbuf_put(out, text + i, n);
  }
}

static void cell(hd_strbuf *out, const char *text) {
  hd_strbuf_puts(out, "<td>");
  escaped(out, text, strlen(text));
  hd_strbuf_puts(out, "</td>");
}

/* Fusions from top to bottom, what they read as curves on the left. */
static void put_graph(const hd_explanation *e, hd_strbuf *out) {
  enum { STEP = 38, LEFT = 240 };
  hd_strbuf_printf(
      out,
      "<h2>Graph</h2><svg id=\"graph\" width=\"1060\" height=\"%zu\" role=\"img\" aria-label=\"fusions and "
      "what they read\">",
      e->fusions.len * STEP + 10);
  for (size_t i = 0; i < e->fusions.len; ++i)
    for (size_t k = 0; k < e->fusions.data[i].reads.len; ++k) {
      size_t from = e->fusions.data[i].reads.data[k], span = (i - from) * 12;
      if (from >= i) continue;
      hd_strbuf_printf(out, "<path d=\"M%d %zu C%zu %zu %zu %zu %d %zu\" fill=\"none\" stroke=\"#999\"/>", LEFT,
                       from * STEP + 18, LEFT - 20 - (span < 200 ? span : 200), from * STEP + 18,
                       LEFT - 20 - (span < 200 ? span : 200), i * STEP + 18, LEFT, i * STEP + 18);
    }
  for (size_t i = 0; i < e->fusions.len; ++i) {
    const hd_explain_fusion *u = &e->fusions.data[i];
    hd_strbuf_printf(out,
                     "<rect class=\"%s\" x=\"%d\" y=\"%zu\" width=\"800\" height=\"30\" rx=\"4\"/><text x=\"%d\" "
                     "y=\"%zu\">%zu &#183; ",
                     u->kind, LEFT, i * STEP + 3, LEFT + 10, i * STEP + 22, i);
    size_t length = strlen(u->ops);
    escaped(out, u->ops, length < 90 ? length : 90);
    hd_strbuf_printf(out, "%s</text>", length < 90 ? "" : " &#8230;");
  }
  hd_strbuf_puts(out, "</svg>");
}

static void put_fusions(const hd_explanation *e, hd_strbuf *out) {
  hd_strbuf_puts(out,
                 "<h2>Fusions</h2><table "
                 "id=\"fusions\"><tr><th>fusion</th><th>route</th><th>ops</th><th>writes</th><th>FLOPs</th><th>bytes</"
                 "th><th>why it ends there</th><th>not fused with</th></tr>");
  for (size_t i = 0; i < e->fusions.len; ++i) {
    const hd_explain_fusion *u = &e->fusions.data[i];
    hd_strbuf_printf(out, "<tr><td>%zu</td>", i);
    cell(out, u->route);
    hd_strbuf_puts(out, "<td>");
    escaped(out, u->ops, strlen(u->ops));
    if (u->inline_count)
      hd_strbuf_printf(out, " <span class=\"dim\">(%u more only move indices)</span>", u->inline_count);
    hd_strbuf_puts(out, "<br><span class=\"dim\">");
    escaped(out, u->place, strlen(u->place));
    hd_strbuf_puts(out, "</span></td>");
    cell(out, u->outputs);
    cell(out, u->flops);
    cell(out, u->bytes);
    cell(out, u->why);
    hd_strbuf_puts(out, "<td>");
    for (size_t r = 0; r < u->blockers.len; ++r) {
      hd_strbuf_printf(out, "%sfusion %u: ", r ? "<br>" : "", u->blockers.data[r].fusion);
      escaped(out, u->blockers.data[r].why, strlen(u->blockers.data[r].why));
    }
    hd_strbuf_puts(out, "</td>");
    hd_strbuf_puts(out, "</tr>");
  }
  hd_strbuf_puts(out, "</table>");
}

/* A line without the names of its values: a renumbered line is no new one. */
static size_t plain(const char *line, size_t size, char *out, size_t capacity) {
  size_t n = 0;
  for (size_t i = 0; i < size && n < capacity; ++i) {
    out[n++] = line[i];
    if (line[i] != '%') continue;
    while (i + 1 < size && (line[i + 1] == '_' || line[i + 1] == '#' || (line[i + 1] >= '0' && line[i + 1] <= '9') ||
                            ((line[i + 1] | 32) >= 'a' && (line[i + 1] | 32) <= 'z')))
      ++i;
  }
  return n;
}

static void put_lines(const hd_explanation *e, const char *text, hd_map *before, hd_strbuf *out) {
  hd_map now = {0};
  char key[2048];
  for (const char *line = text; *line;) {
    size_t size = strcspn(line, "\n");
    size_t n = plain(line, size, key, sizeof key);
    bool is_new = !hd_map_find_bytes(before, key, n);
    hd_map_insert_bytes(e->arena, &now, key, n, NULL);
    if (is_new) hd_strbuf_puts(out, "<b>");
    escaped(out, line, size);
    hd_strbuf_puts(out, is_new ? "</b>\n" : "\n");
    line += size + (line[size] == '\n');
  }
  *before = now;
}

static void put_passes(const hd_explanation *e, hd_strbuf *out) {
  hd_map before = {0};
  hd_strbuf_puts(out,
                 "<h2>IR after every pass</h2><p class=\"dim\">Marked lines were not there before the pass, names of "
                 "values apart.</p>");
  for (size_t i = 0; i < e->passes.len; ++i) {
    const hd_explain_pass *p = &e->passes.data[i];
    hd_strbuf_printf(out, "<details class=\"pass\"><summary>%s: %.2f ms, %zu ops%s</summary><pre>", p->name, p->ms,
                     p->ops, p->changed ? "" : ", no change");
    if (p->text) put_lines(e, p->text, &before, out);
    hd_strbuf_puts(out, "</pre></details>");
  }
}

/* Kernels, or calls of the runtime. */
static void put_launches(const char *id, const char *title, const hd_explain_list *list, hd_strbuf *out) {
  hd_strbuf_printf(out, "<h2>%s</h2><table id=\"%s\"><tr><th>name</th><th>launch sites</th><th>for fusions</th></tr>",
                   title, id);
  for (size_t i = 0; i < list->len; ++i) {
    const hd_explain_kernel *one = &list->data[i];
    hd_strbuf_puts(out, "<tr>");
    cell(out, one->name);
    if (one->launches)
      hd_strbuf_printf(out, "<td>%u</td><td>", one->launches);
    else
      hd_strbuf_puts(out, "<td>on the tiles of a library call</td><td>");
    hd_explain_put_fusions(one, out);
    hd_strbuf_puts(out, "</td></tr>");
  }
  hd_strbuf_puts(out, "</table>");
}

void hd_explain_print_html(const hd_explanation *e, hd_strbuf *out) {
  hd_strbuf_puts(out, head);
  hd_strbuf_puts(out, "<h1>");
  escaped(out, e->name, strlen(e->name));
  hd_strbuf_puts(out, "</h1><p>Dims: ");
  for (uint32_t i = 0; i < e->entry->symbol_count; ++i) {
    hd_strbuf_puts(out, i ? ", <i>" : "<i>");
    escaped(out, e->entry->symbols[i].name, strlen(e->entry->symbols[i].name));
    hd_strbuf_puts(out, "</i>");
  }
  hd_strbuf_printf(
      out,
      "%s. Fusions: %zu; kernels: %zu; host ops for sizes and launches: %zu; buffers before they are shared "
      "and reused: %zu.</p>",
      e->entry->symbol_count ? "" : "none", e->fusions.len, e->kernels.len, e->host_ops, e->allocations);
  put_graph(e, out);
  put_fusions(e, out);
  put_launches("kernels", "Kernels", &e->kernels, out);
  if (e->calls.len) put_launches("calls", "Runtime calls", &e->calls, out);
  put_passes(e, out);
  hd_strbuf_puts(out, "</html>\n");
}
