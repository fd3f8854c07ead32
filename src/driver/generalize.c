/* SPDX-License-Identifier: Apache-2.0 */
/* From forms of one family to the program that stands for all of them.
 *
 *   numbers of two forms      4 128 768 | 8 64 768        arguments' dims that differ become symbols: s0 (4, 8),
 *                                                         s1 (128, 64); 768 stays a constant
 *   a reshape's dims          512 768   | 512 768         stay constants
 *   a broadcast's dims        4 1 128   | 8 1 64          s0, 1, s1
 *   a mean's divisor          128.0     | 64.0            s1, as a float
 *   a scale                   0.088388  | 0.125           is an input, so is a table of other content
 *
 * A number that differs is explained by the simplest of a few expressions over symbols that all forms satisfy. Guessing
 * is harmless: a rule admits a form only when every number is what its expression gives at that form's dims, and the
 * sizes that no expression writes down are those that ops infer from their operands. */
#include <stdlib.h>
#include <string.h>

#include "driver/session.h"
#include "driver/shape_rewrite.h"
#include "text/text.h"

typedef struct generalization {
  hd_session session;
  hd_module *module;
  hd_arena arena;
  const hd_shape_form *const *forms;
  size_t count;
  hd_shape_rule *rule;
  hd_blob *out;
} generalization;

/* Dims of arguments that differ become symbols: one for each way to differ. */
static hd_status find_symbols(generalization *g) {
  const hd_shape_form *first = g->forms[0];
  hd_shape_rule *rule = g->rule;
  rule->family = first->family;
  rule->number_count = first->number_count;
  rule->constant_count = first->constant_count;
  rule->constants = calloc(first->constant_count + 1, sizeof *rule->constants);
  rule->lifted = calloc(first->constant_count + 1, sizeof *rule->lifted);
  rule->numbers = calloc(first->number_count + 1, sizeof *rule->numbers);
  rule->symbols = calloc(first->number_count + 1, sizeof *rule->symbols);
  if (!rule->numbers || !rule->symbols || !rule->constants || !rule->lifted)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  size_t argument_numbers = 0;
  for (size_t i = 0; i < first->argument_count; ++i) argument_numbers += first->argument_ranks[i];
  for (size_t i = 0; i < first->number_count; ++i) {
    bool same = true;
    for (size_t k = 1; k < g->count; ++k) same &= g->forms[k]->numbers[i] == first->numbers[i];
    rule->numbers[i] = (hd_number_rule){.kind = same ? HD_NUMBER_CONSTANT : HD_NUMBER_FREE, .value = first->numbers[i]};
    if (same || i >= argument_numbers) continue;
    size_t symbol = 0;
    for (; symbol < rule->symbol_count; ++symbol) {
      bool equal = true;
      for (size_t k = 0; k < g->count; ++k)
        equal &= g->forms[k]->numbers[i] == g->forms[k]->numbers[rule->symbols[symbol]];
      if (equal) break;
    }
    if (symbol == HD_MAX_SHAPE_SYMBOLS)
      return hd_make_status(HD_FAILED_PRECONDITION, "more than %d dims of arguments differ", HD_MAX_SHAPE_SYMBOLS);
    if (symbol == rule->symbol_count) rule->symbols[rule->symbol_count++] = i;
    rule->numbers[i].kind = HD_NUMBER_COMPUTED;
    rule->numbers[i].expr = hd_shape_multiple(1, (uint32_t)symbol);
  }
  for (size_t k = 0; k < first->constant_count; ++k) /* what constants are, their own rules say */
    rule->numbers[first->constants[k].whole].kind = HD_NUMBER_FREE;
  if (rule->symbol_count) return HD_STATUS_OK;
  return hd_make_status(HD_FAILED_PRECONDITION, "the programs differ, but not in the dims of their arguments");
}

static hd_status generalize(void *argument) {
  generalization *g = argument;
  const hd_shape_form *last = g->forms[g->count - 1];
  HD_TRY(find_symbols(g));
  hd_op *func;
  HD_TRY(hd_form_load(&g->session, last->program, last->program_size, last->name, NULL, &g->arena, &g->module, &func));
  hd_form_places places = {.arena = &g->arena};
  hd_shape_samples samples = {g->forms, g->count, g->rule->symbol_count, hd_new_array(&g->arena, int64_t *, g->count)};
  for (size_t i = 0; i < g->count; ++i) {
    samples.symbols[i] = hd_new_array(&g->arena, int64_t, HD_MAX_SHAPE_SYMBOLS);
    for (size_t s = 0; s < g->rule->symbol_count; ++s)
      samples.symbols[i][s] = g->forms[i]->numbers[g->rule->symbols[s]];
  }
  hd_shape_form again = {0};
  hd_form_walk(func, &g->arena, &again, &places);
  if (!hd_hash128_equal(&again.identity, &last->identity))
    return hd_make_status(HD_INTERNAL, "a program reads differently the second time");
  HD_TRY(hd_shape_rewrite(g->module, func, &samples, &places, &g->arena, g->rule));
  if (!hd_verify(g->module->op)) return hd_failed(g->session.context);
  hd_strbuf text;
  hd_strbuf_init(&text, &g->arena);
  hd_text_print_options options = {.locations = true};
  hd_text_print(g->module->op, &options, &text);
  g->out->data = malloc(text.len + 1);
  if (!g->out->data) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  memcpy(g->out->data, hd_strbuf_text(&text), text.len + 1);
  g->out->size = text.len;
  return HD_STATUS_OK;
}

hd_status hd_generalize(const hd_shape_form *const *forms, size_t count, hd_message_sink sink, hd_blob *out_program,
                        hd_shape_rule **out_rule) {
  HD_REQUIRE(out_program);
  HD_REQUIRE(out_rule);
  *out_program = (hd_blob){0};
  *out_rule = NULL;
  if (count < 2) return hd_make_status(HD_INVALID_ARGUMENT, "expected at least two programs, got %zu", count);
  HD_REQUIRE(forms);
  for (size_t i = 0; i < count; ++i) HD_REQUIRE(forms[i]);
  for (size_t i = 1; i < count; ++i)
    if (!hd_hash128_equal(&forms[i]->family, &forms[0]->family) || forms[i]->number_count != forms[0]->number_count ||
        forms[i]->constant_count != forms[0]->constant_count)
      return hd_make_status(HD_FAILED_PRECONDITION, "the programs differ in more than sizes");
  generalization g = {.forms = forms, .count = count, .out = out_program};
  g.rule = calloc(1, sizeof *g.rule);
  if (!g.rule) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  hd_status status = hd_session_open(&g.session, NULL, sink);
  if (hd_is_ok(status)) {
    hd_arena_init(&g.arena, &g.session.context->budget);
    status = hd_guarded_call(generalize, &g);
    hd_arena_free(&g.arena);
    hd_module_free(g.module);
    hd_session_close(&g.session);
  }
  if (hd_is_ok(status))
    *out_rule = g.rule;
  else
    hd_shape_rule_release(g.rule);
  return status;
}
