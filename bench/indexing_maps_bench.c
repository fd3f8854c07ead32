/* SPDX-License-Identifier: Apache-2.0 */
/* How long the indexing maps of a fusion take: 1,000 ops, of which every fourth moves elements, in two chains that
 * meet. */
#include <stdio.h>

#include "analysis/indexing/of_op.h"
#include "base/clock.h"
#include "text/text.h"

enum { OPS = 1000, ROUNDS = 5 };

/* Reshape, transpose, reverse and back, with elementwise ops between; the dims are those of the argument again. */
static void put_chain(hd_strbuf *text, const char *name, uint32_t ops, bool unknown) {
  const char *type = unknown ? "tensor<?x64x128xf32>" : "tensor<48x64x128xf32>";
  static const char *const moves[][3] = {
      {"transpose", ", dims = [0, 2, 1]", "x128x64xf32>"},
      {"transpose", ", dims = [0, 2, 1]", "x64x128xf32>"},
      {"reverse", ", dims = [1]", NULL},
      {"reverse", ", dims = [1]", NULL},
  };
  static const char *const reshapes[] = {"tensor<48x8x8x128xf32>", "tensor<3072x128xf32>", "tensor<12x4x8192xf32>",
                                         "tensor<48x64x128xf32>"};
  hd_strbuf_printf(text, "  %%%s0 = stablehlo.abs %%x : %s\n", name, type);
  char now[64];
  snprintf(now, sizeof now, "%s", type);
  for (uint32_t i = 1, move = 0; i < ops; ++i) {
    if (i % 4) {
      hd_strbuf_printf(text, "  %%%s%u = stablehlo.tanh %%%s%u : %s\n", name, i, name, i - 1, now);
      continue;
    }
    char to[64];
    uint32_t kind = move % 8;
    ++move;
    if (kind >= 4 && !unknown) {
      snprintf(to, sizeof to, "%s", reshapes[kind - 4]);
      hd_strbuf_printf(text, "  %%%s%u = stablehlo.reshape %%%s%u : (%s) -> %s\n", name, i, name, i - 1, now, to);
    } else {
      const char *const *m = moves[kind % 4];
      snprintf(to, sizeof to, m[2] ? "tensor<%s%s" : "%s", m[2] ? (unknown ? "?" : "48") : now, m[2] ? m[2] : "");
      hd_strbuf_printf(text, "  %%%s%u = stablehlo.%s %%%s%u%s : ", name, i, m[0], name, i - 1, m[1]);
      hd_strbuf_printf(text, m[2] ? "(%s) -> %s\n" : "%s\n", now, to);
    }
    snprintf(now, sizeof now, "%s", to);
  }
}

static hd_status measure(void *argument) {
  hd_context *context = ((void **)argument)[0];
  bool unknown = ((void **)argument)[1] != NULL;
  hd_strbuf text;
  hd_strbuf_init(&text, &context->arena);
  const char *type = unknown ? "tensor<?x64x128xf32>" : "tensor<48x64x128xf32>";
  hd_strbuf_printf(&text, "func.func @f(%%x: %s) -> %s {\n", type, type);
  uint32_t half = OPS / 2 - OPS / 2 % 32 + 1; /* where the shape is the argument's again */
  put_chain(&text, "a", half, unknown);
  put_chain(&text, "b", half, unknown);
  hd_strbuf_printf(&text, "  %%r = stablehlo.add %%a%u, %%b%u : %s\n  return %%r : %s\n}\n", half - 1, half - 1, type,
                   type);
  hd_module *module;
  HD_TRY(hd_text_parse(context, (hd_str){text.data, text.len}, "bench", &module));
  hd_op *func = hd_module_body(module)->first;
  hd_block *block = hd_op_region(func, 0)->first;
  double best = 1e9;
  size_t maps_found = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    hd_arena arena;
    hd_arena_init(&arena, NULL);
    hd_indexing *in = hd_indexing_create(&arena, context, hd_shapes_of(func, &arena));
    double start = hd_clock_seconds();
    hd_index_maps maps;
    if (!hd_index_between(in, hd_operand(hd_block_terminator(block), 0), block->args[0], &maps))
      return hd_make_status(HD_INTERNAL, "expected maps, got none");
    double seconds = hd_clock_seconds() - start;
    best = seconds < best ? seconds : best;
    maps_found = maps.len;
    hd_arena_free(&arena);
  }
  printf("%s dims: %u ops, %zu maps: %.2f ms\n", unknown ? "unknown" : "known", 2 * half + 1, maps_found, best * 1e3);
  hd_module_free(module);
  return HD_STATUS_OK;
}

int main(void) {
  for (int unknown = 0; unknown < 2; ++unknown) {
    hd_context *context;
    hd_status status = hd_context_create(0, &context);
    void *argument[] = {context, unknown ? (void *)"unknown" : NULL};
    if (!status) status = hd_guarded_call(measure, argument);
    if (status) fprintf(stderr, "%s\n", hd_status_message(status));
    if (status) return 1;
    hd_context_release(context);
  }
  return 0;
}
