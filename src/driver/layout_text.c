/* SPDX-License-Identifier: Apache-2.0 */
/* A drawn layout as text and as JSON. */
#include <stdio.h>
#include <string.h>

#include "driver/layout_show.h"

static const char *const hardware[] = {"register", "lane", "warp", "block"}, *const shared[] = {"offset", "block"};

static const char *part_name(const hd_shown_layout *layout, uint32_t part) {
  return layout->is_shared ? shared[part] : hardware[part];
}

static void put_shape(const hd_layout_picture *p, hd_strbuf *out) {
  for (uint32_t d = 0; d < p->rank; ++d) hd_strbuf_printf(out, "%s%lld", d ? "x" : "", (long long)p->shape[d]);
}

/* ---- text ---- */

static void put_bases(const hd_shown_layout *layout, hd_strbuf *out) {
  const hd_linear_layout *map = &layout->map;
  for (uint32_t part = 0; part < map->in.dims; ++part) {
    if (!map->in.bits[part]) continue;
    hd_strbuf_printf(out, "  %-9s", part_name(layout, part));
    for (uint32_t i = 0; i < map->in.bits[part]; ++i) {
      int64_t at[HD_LINEAR_DIMS];
      hd_linear_unpack(&map->out, map->column[map->in.shift[part] + i], at);
      for (uint32_t d = 0; d < map->out.dims; ++d) hd_strbuf_printf(out, "%s%lld", d ? "," : " (", (long long)at[d]);
      hd_strbuf_puts(out, ")");
    }
    hd_strbuf_putc(out, '\n');
  }
}

static void put_cell(const hd_layout_picture *p, uint64_t element, hd_strbuf *out) {
  char text[64];
  if (p->from.is_shared) {
    int64_t offset = hd_layout_element_offset(&p->from, element);
    snprintf(text, sizeof text, offset < 0 ? "-" : "%lld", (long long)offset);
    hd_strbuf_printf(out, " %5s", text);
    return;
  }
  hd_element_owner o = hd_layout_element_owner(&p->from.map, element);
  if (!o.count)
    snprintf(text, sizeof text, "-");
  else if (p->from.map.in.bits[HD_BLOCK])
    snprintf(text, sizeof text, "%lld/%lld:%lld", (long long)o.block, (long long)o.thread, (long long)o.reg);
  else
    snprintf(text, sizeof text, "%lld:%lld", (long long)o.thread, (long long)o.reg);
  hd_strbuf_printf(out, p->from.map.in.bits[HD_BLOCK] ? " %8s" : " %6s", text);
}

static void put_table(const hd_layout_picture *p, hd_strbuf *out) {
  hd_layout_table t = hd_layout_table_of(p);
  int width = p->from.is_shared ? 5 : p->from.map.in.bits[HD_BLOCK] ? 8 : 6;
  hd_strbuf_puts(out, "\n        ");
  for (int64_t c = 0; c < t.shown_columns; ++c) hd_strbuf_printf(out, " %*lld", width, (long long)c);
  hd_strbuf_putc(out, '\n');
  for (int64_t r = 0; r < t.shown_rows; ++r) {
    hd_strbuf name;
    hd_strbuf_init(&name, out->arena);
    hd_layout_table_row_name(p, &t, r, &name);
    hd_strbuf_printf(out, "%7s ", hd_strbuf_text(&name));
    for (int64_t c = 0; c < t.shown_columns; ++c) put_cell(p, hd_layout_table_element(&t, r, c), out);
    hd_strbuf_putc(out, '\n');
  }
  if (t.shown_rows < t.rows || t.shown_columns < t.columns)
    hd_strbuf_printf(out, "(the first %lld rows of %lld, and columns of %lld: %lld)\n", (long long)t.shown_rows,
                     (long long)t.rows, (long long)t.columns, (long long)t.shown_columns);
}

void hd_layout_print_text(const hd_layout_picture *p, hd_strbuf *out) {
  hd_strbuf_printf(out, "%s over ", p->from.text);
  put_shape(p, out);
  hd_strbuf_putc(out, '\n');
  hd_layout_put_summary(p, &p->from, out);
  hd_strbuf_puts(out, "\nwhat each bit adds to the index of an element:\n");
  put_bases(&p->from, out);
  hd_strbuf_puts(out, p->from.is_shared               ? "offset of each element:"
                      : p->from.map.in.bits[HD_BLOCK] ? "block/thread:register of each element:"
                                                      : "thread:register of each element:");
  put_table(p, out);
  if (!p->has_to) return;
  hd_strbuf_printf(out, "to %s\n", p->to.text);
  put_bases(&p->to, out);
  hd_layout_put_cost(p, out);
  hd_strbuf_putc(out, '\n');
}

/* ---- JSON ---- */

static void put_json_bases(const hd_shown_layout *layout, hd_strbuf *out) {
  const hd_linear_layout *map = &layout->map;
  hd_strbuf_puts(out, "{");
  for (uint32_t part = 0; part < map->in.dims; ++part) {
    hd_strbuf_printf(out, "%s\"%s\": [", part ? ", " : "", part_name(layout, part));
    for (uint32_t i = 0; i < map->in.bits[part]; ++i) {
      int64_t at[HD_LINEAR_DIMS];
      hd_linear_unpack(&map->out, map->column[map->in.shift[part] + i], at);
      for (uint32_t d = 0; d < map->out.dims; ++d)
        hd_strbuf_printf(out, "%s%lld", d ? ", " : i ? ", [" : "[", (long long)at[d]);
      hd_strbuf_puts(out, "]");
    }
    hd_strbuf_puts(out, "]");
  }
  hd_strbuf_puts(out, "}");
}

static void put_json_queries(const hd_layout_picture *p, const hd_shown_layout *layout, hd_strbuf *out) {
  if (layout->is_shared) return;
  hd_strbuf_puts(out, ", \"free\": {");
  for (uint32_t part = 0; part < HD_HARDWARE_PARTS; ++part)
    hd_strbuf_printf(out, "%s\"%s\": %lld", part ? ", " : "", hardware[part],
                     (long long)hd_layout_free(&layout->map, part));
  hd_strbuf_puts(out, "}, \"contiguity\": [");
  for (uint32_t d = 0; d < p->rank; ++d)
    hd_strbuf_printf(out, "%s%lld", d ? ", " : "", (long long)hd_layout_contiguity(&layout->map, d));
  hd_strbuf_puts(out, "], \"contiguity_in_order\": [");
  for (uint32_t d = 0; d < p->rank; ++d)
    hd_strbuf_printf(out, "%s%lld", d ? ", " : "", (long long)hd_layout_contiguity_in_order(&layout->map, d));
  hd_strbuf_puts(out, "]");
}

static void put_json_layout(const hd_layout_picture *p, const hd_shown_layout *layout, hd_strbuf *out) {
  hd_strbuf_puts(out, "{\"layout\": ");
  hd_strbuf_put_json(out, layout->text);
  hd_strbuf_printf(out, ", \"kind\": \"%s\", \"bases\": ", layout->is_shared ? "shared" : "distributed");
  put_json_bases(layout, out);
  put_json_queries(p, layout, out);
  hd_strbuf_puts(out, "}");
}

/* [thread, register] or offset of the elements that the text shows too, row by row. */
static void put_json_elements(const hd_layout_picture *p, hd_strbuf *out) {
  hd_layout_table t = hd_layout_table_of(p);
  hd_strbuf_puts(out, ", \"elements\": [");
  for (int64_t r = 0; r < t.shown_rows; ++r)
    for (int64_t c = 0; c < t.shown_columns; ++c) {
      uint64_t element = hd_layout_table_element(&t, r, c);
      hd_element_owner o = hd_layout_element_owner(&p->from.map, element);
      hd_strbuf_puts(out, !c ? r ? "], [" : "[" : ", ");
      int64_t offset = p->from.is_shared ? hd_layout_element_offset(&p->from, element) : 0;
      if (offset < 0 || (!p->from.is_shared && !o.count))
        hd_strbuf_puts(out, "null");
      else if (p->from.is_shared)
        hd_strbuf_printf(out, "%lld", (long long)offset);
      else
        hd_strbuf_printf(out, "[%lld, %lld]", (long long)o.thread, (long long)o.reg);
    }
  hd_strbuf_puts(out, "]]");
}

static void put_json_access(const char *name, const hd_bank_cost *cost, hd_strbuf *out) {
  hd_strbuf_printf(
      out, ", \"%s\": {\"vector\": %lld, \"instructions\": %lld, \"wavefronts\": %lld, \"conflicts\": %lld}", name,
      (long long)cost->vector, (long long)cost->instructions, (long long)cost->wavefronts, (long long)cost->conflicts);
}

static void put_json_to(const hd_layout_picture *p, hd_strbuf *out) {
  const hd_conversion *c = &p->conversion;
  if (!p->has_to) return;
  hd_strbuf_puts(out, ", \"to\": ");
  put_json_layout(p, &p->to, out);
  if (p->to.is_shared) {
    put_json_access("access", &p->access, out);
    return;
  }
  hd_strbuf_printf(
      out, ", \"conversion\": {\"kind\": \"%s\", \"registers\": %lld, \"shuffles\": %lld, \"shared_bytes\": %lld",
      hd_conversion_name(c->kind), (long long)c->registers, (long long)c->shuffles, (long long)c->shared_bytes);
  if (c->kind == HD_CONVERT_SHARED) {
    put_json_access("store", &c->store, out);
    put_json_access("load", &c->load, out);
  }
  hd_strbuf_puts(out, "}");
}

void hd_layout_print_json(const hd_layout_picture *p, hd_strbuf *out) {
  hd_strbuf_puts(out, "{\"shape\": [");
  for (uint32_t d = 0; d < p->rank; ++d) hd_strbuf_printf(out, "%s%lld", d ? ", " : "", (long long)p->shape[d]);
  hd_strbuf_printf(out, "], \"element_bits\": %u, \"from\": ", p->element_bits);
  put_json_layout(p, &p->from, out);
  put_json_elements(p, out);
  put_json_to(p, out);
  hd_strbuf_puts(out, "}\n");
}
