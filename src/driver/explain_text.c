/* SPDX-License-Identifier: Apache-2.0 */
/* An explanation as text for people and as JSON for programs. */
#include <string.h>

#include "driver/explain.h"

/* "tensor<4x?xf32>" of an argument or result, with the dims' texts. */
static const char *tensor_text(const hd_explanation *e, const hd_artifact_tensor *tensor) {
  hd_strbuf text;
  hd_strbuf_init(&text, e->arena);
  hd_strbuf_puts(&text, "tensor<");
  for (uint32_t i = 0; i < tensor->rank; ++i) hd_strbuf_printf(&text, "%sx", tensor->dims[i].text);
  hd_strbuf_printf(&text, "%s>", hd_element_text(tensor->type));
  return hd_strbuf_text(&text);
}

static void put_tensors(const hd_explanation *e, const char *word, const hd_artifact_tensor *list, uint32_t count,
                        hd_strbuf *out) {
  hd_strbuf_printf(out, "%-9s", word);
  for (uint32_t i = 0; i < count; ++i)
    hd_strbuf_printf(out, "%s%s", i ? (i % 4 ? ", " : ",\n         ") : "", tensor_text(e, &list[i]));
  hd_strbuf_puts(out, count ? "\n" : "none\n");
}

void hd_explain_put_fusions(const hd_explain_kernel *kernel, hd_strbuf *out) {
  enum { SHOWN = 8 };
  for (size_t i = 0; i < kernel->fusions.len && i < SHOWN; ++i)
    hd_strbuf_printf(out, "%s%u", i ? ", " : "", kernel->fusions.data[i]);
  if (kernel->fusions.len > SHOWN) hd_strbuf_printf(out, " and %zu more", kernel->fusions.len - SHOWN);
}

/* How wide a column is that holds the names of both lists. */
static int name_width(const hd_explanation *e) {
  size_t width = 0;
  for (size_t i = 0; i < e->kernels.len + e->calls.len; ++i) {
    bool kernel = i < e->kernels.len;
    size_t n = strlen(kernel ? e->kernels.data[i].name : e->calls.data[i - e->kernels.len].name);
    if (n > width) width = n;
  }
  return (int)width;
}

/* The passes that changed the program; all of them are in the JSON. */
static void put_passes(const hd_explanation *e, hd_strbuf *out) {
  int width = 0;
  size_t changed = 0;
  double ms = 0;
  for (size_t i = 0; i < e->passes.len; ++i) {
    const hd_explain_pass *pass = &e->passes.data[i];
    ms += pass->ms;
    if (!pass->changed) continue;
    ++changed;
    if ((int)strlen(pass->name) > width) width = (int)strlen(pass->name);
  }
  hd_strbuf_printf(out, "\npasses that changed the program (%zu of %zu, which took %.2f ms together; --json has all)\n",
                   changed, e->passes.len, ms);
  for (size_t i = 0; i < e->passes.len; ++i) {
    const hd_explain_pass *pass = &e->passes.data[i];
    if (pass->changed)
      hd_strbuf_printf(out, "  %-*s  %8.2f ms  %6zu ops left\n", width, pass->name, pass->ms, pass->ops);
  }
}

void hd_explain_print_text(const hd_explanation *e, hd_strbuf *out) {
  const hd_artifact_entry *entry = e->entry;
  hd_strbuf_printf(out, "%s, entry %s\n\ndims     ", e->name, entry->name ? entry->name : "?");
  for (uint32_t i = 0; i < entry->symbol_count; ++i)
    hd_strbuf_printf(out, "%s%s (dim %d of argument %d)", i ? ", " : "", entry->symbols[i].name, entry->symbols[i].dim,
                     entry->symbols[i].argument);
  hd_strbuf_puts(out, entry->symbol_count ? "\n" : "none: every shape is known\n");
  put_tensors(e, "takes", entry->inputs, entry->input_count, out);
  put_tensors(e, "gives", entry->outputs, entry->output_count, out);
  hd_strbuf_printf(out, "checks   %u constraint%s on the dims before a run\n\nfusions on the device, in order\n",
                   entry->constraint_count, entry->constraint_count == 1 ? "" : "s");
  for (size_t i = 0; i < e->fusions.len; ++i) {
    const hd_explain_fusion *u = &e->fusions.data[i];
    hd_strbuf_printf(out, "%4zu  %-5s %s\n      ops     %s", i, u->kind, u->route, u->ops);
    if (u->inline_count) hd_strbuf_printf(out, " (%u more only move indices)", u->inline_count);
    if (*u->place) hd_strbuf_printf(out, "\n      from    %s", u->place);
    if (*u->outputs) hd_strbuf_printf(out, "\n      writes  %s", u->outputs);
    hd_strbuf_printf(out, "\n      flops   %s\n      bytes   %s\n      ends    %s\n", u->flops, u->bytes, u->why);
    for (size_t r = 0; r < u->blockers.len; ++r)
      hd_strbuf_printf(out, "      not fused with fusion %u: %s\n", u->blockers.data[r].fusion,
                       u->blockers.data[r].why);
  }
  int width = name_width(e);
  hd_strbuf_printf(out, "\nkernels (%zu)\n", e->kernels.len);
  for (size_t i = 0; i < e->kernels.len; ++i) {
    const hd_explain_kernel *kernel = &e->kernels.data[i];
    hd_strbuf_printf(out, "  %-*s  ", width, kernel->name);
    if (kernel->launches)
      hd_strbuf_printf(out, "%u launch site%s", kernel->launches, kernel->launches == 1 ? "" : "s");
    else
      hd_strbuf_puts(out, "on tiles of a library call");
    if (kernel->fusions.len) hd_strbuf_puts(out, kernel->fusions.len == 1 ? ", for fusion " : ", for fusions ");
    hd_explain_put_fusions(kernel, out);
    hd_strbuf_putc(out, '\n');
  }
  if (e->calls.len) hd_strbuf_puts(out, "\nruntime calls\n");
  for (size_t i = 0; i < e->calls.len; ++i)
    hd_strbuf_printf(out, "  %-*s  %u\n", width, e->calls.data[i].name, e->calls.data[i].launches);
  hd_strbuf_printf(out, "\nhost     %zu op%s for sizes and launches\nbuffers  %zu, before they are shared and reused\n",
                   e->host_ops, e->host_ops == 1 ? "" : "s", e->allocations);
  put_passes(e, out);
}

static void put_member(hd_strbuf *out, const char *key, const char *value) {
  hd_strbuf_printf(out, ", \"%s\": ", key);
  hd_strbuf_put_json(out, value);
}

/* |code|: what is known of their code too. */
static void put_counts(hd_strbuf *out, const char *key, const hd_explain_list *list, bool code) {
  hd_strbuf_printf(out, ", \"%s\": [", key);
  for (size_t i = 0; i < list->len; ++i) {
    const hd_explain_kernel *one = &list->data[i];
    hd_strbuf_printf(out, "%s{\"count\": %u", i ? ", " : "", one->launches);
    put_member(out, "name", one->name);
    if (code)
      hd_strbuf_printf(out, ", \"vectors\": %s, \"gathers\": %s", one->vectors ? "true" : "false",
                       one->gathers ? "true" : "false");
    if (one->bytes_text) put_member(out, "bytes", one->bytes_text);
    hd_strbuf_puts(out, ", \"fusions\": [");
    for (size_t k = 0; k < one->fusions.len; ++k) hd_strbuf_printf(out, "%s%u", k ? ", " : "", one->fusions.data[k]);
    hd_strbuf_puts(out, "]}");
  }
  hd_strbuf_putc(out, ']');
}

void hd_explain_print_json(const hd_explanation *e, hd_strbuf *out) {
  hd_strbuf_puts(out, "{\"file\": ");
  hd_strbuf_put_json(out, e->name);
  hd_strbuf_puts(out, ", \"dims\": [");
  for (uint32_t i = 0; i < e->entry->symbol_count; ++i) {
    if (i) hd_strbuf_puts(out, ", ");
    hd_strbuf_put_json(out, e->entry->symbols[i].name);
  }
  hd_strbuf_puts(out, "], \"fusions\": [");
  for (size_t i = 0; i < e->fusions.len; ++i) {
    const hd_explain_fusion *u = &e->fusions.data[i];
    hd_strbuf_printf(out, "%s{\"fusion\": %zu, \"op_count\": %u, \"inline_count\": %u", i ? ",\n " : "\n ", i,
                     u->op_count, u->inline_count);
    const char *keys[] = {"kind", "route", "ops", "place", "writes", "flops", "functions", "bytes", "why"};
    const char *values[] = {u->kind, u->route, u->ops, u->place, u->outputs, u->flops, u->functions, u->bytes, u->why};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) put_member(out, keys[k], values[k]);
    hd_strbuf_puts(out, ", \"reads\": [");
    for (size_t k = 0; k < u->reads.len; ++k) hd_strbuf_printf(out, "%s%u", k ? ", " : "", u->reads.data[k]);
    hd_strbuf_puts(out, "], \"not_fused_with\": [");
    for (size_t k = 0; k < u->blockers.len; ++k) {
      hd_strbuf_printf(out, "%s{\"fusion\": %u", k ? ", " : "", u->blockers.data[k].fusion);
      put_member(out, "why", u->blockers.data[k].why);
      hd_strbuf_putc(out, '}');
    }
    hd_strbuf_puts(out, "]}");
  }
  hd_strbuf_printf(out, "], \"host_ops\": %zu, \"allocations\": %zu", e->host_ops, e->allocations);
  put_counts(out, "kernels", &e->kernels, true);
  put_counts(out, "calls", &e->calls, false);
  hd_strbuf_puts(out, ", \"passes\": [");
  for (size_t i = 0; i < e->passes.len; ++i) {
    hd_strbuf_printf(out, "%s{\"ms\": %.3f, \"ops\": %zu, \"changed\": %s", i ? ", " : "", e->passes.data[i].ms,
                     e->passes.data[i].ops, e->passes.data[i].changed ? "true" : "false");
    put_member(out, "name", e->passes.data[i].name);
    hd_strbuf_putc(out, '}');
  }
  hd_strbuf_puts(out, "]}\n");
}
