/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/indexing/print_ops.h"

#include "analysis/indexing/of_op.h"

typedef struct listing {
  hd_indexing *in;
  hd_strbuf *out;
} listing;

/* What runtime variable |i| of |map| is, among the operands of |op|. */
static void put_runtime(const listing *l, const hd_op *op, const hd_index_map *map, uint32_t i) {
  const hd_index_variable *v = &map->variables[map->dim_count + map->range_count + i];
  uint32_t operand = 0;
  while (operand < op->operand_count && hd_operand(op, operand) != v->value) ++operand;
  if (operand == op->operand_count) return;
  hd_index_map *at = hd_index_map_create(l->in, map->dim_count, map->range_count, map->runtime_count, v->index_count);
  memcpy(at->variables, map->variables, hd_index_variable_count(map) * sizeof *map->variables);
  if (v->index_count) memcpy(at->results, v->index, v->index_count * sizeof *v->index);
  hd_strbuf text;
  hd_strbuf_init(&text, l->in->arena);
  hd_index_map_print(at, &text);
  const char *results = strstr(hd_strbuf_text(&text), "-> ") + 3, *end = strstr(results, ", domain:");
  hd_strbuf_printf(l->out, "    rt%u: operand %u at %.*s%s\n", i, operand,
                   (int)(end ? end - results : (long)strlen(results)), results, v->clamps ? ", clamped" : "");
}

static void put_maps(const listing *l, const hd_op *op, const char *from, uint32_t i, const char *to, uint32_t k,
                     const hd_index_maps *maps) {
  for (size_t n = 0; n < maps->len; ++n) {
    hd_strbuf_printf(l->out, "  %s %u -> %s %u: ", from, i, to, k);
    hd_index_map_print(maps->data[n], l->out);
    hd_strbuf_putc(l->out, '\n');
    for (uint32_t r = 0; r < maps->data[n]->runtime_count; ++r) put_runtime(l, op, maps->data[n], r);
  }
}

static bool put_op(hd_op *op, void *user) {
  const listing *l = user;
  if (!op->result_count || !op->operand_count) return true;
  hd_index_maps *maps = hd_new_array(l->in->arena, hd_index_maps, op->operand_count + op->result_count);
  bool named = false;
  for (uint32_t r = 0; r < op->result_count; ++r) {
    if (!hd_index_output_to_input(l->in, op, r, maps)) continue;
    if (!named) {
      hd_op_context(op)->print_op(l->out, op);
      hd_strbuf_putc(l->out, '\n');
    }
    named = true;
    for (uint32_t i = 0; i < op->operand_count; ++i) put_maps(l, op, "result", r, "operand", i, &maps[i]);
  }
  for (uint32_t i = 0; named && i < op->operand_count; ++i) {
    if (!hd_index_input_to_output(l->in, op, i, maps)) continue;
    for (uint32_t r = 0; r < op->result_count; ++r) put_maps(l, op, "operand", i, "result", r, &maps[r]);
  }
  return true;
}

static void put_function(const listing *l, hd_op *func) {
  hd_block *block = hd_op_region(func, 0)->first;
  hd_op *end = hd_block_terminator(block);
  hd_str name = hd_symbol_name(func);
  hd_strbuf_printf(l->out, "func @%.*s\n", (int)name.len, name.data);
  for (uint32_t r = 0; block->next == NULL && r < end->operand_count; ++r)
    for (uint32_t i = 0; hd_type_is(hd_operand_type(end, r), HD_TYPE_TENSOR) && i < block->arg_count; ++i) {
      hd_index_maps maps;
      if (hd_index_between(l->in, hd_operand(end, r), block->args[i], &maps))
        put_maps(l, end, "result", r, "argument", i, &maps);
      else
        hd_strbuf_printf(l->out, "  result %u -> argument %u: unknown\n", r, i);
    }
  hd_walk_pre(func, put_op, (void *)l);
}

void hd_index_print_ops(hd_module *module, hd_strbuf *out) {
  hd_for_each_op(op, hd_module_body(module)) {
    if (!hd_op_is(op, HD_OP_func_func) || !hd_op_region(op, 0)->first) continue;
    hd_arena arena;
    hd_scratch_init(&arena, NULL);
    listing l = {hd_indexing_create(&arena, module->context, hd_shapes_of(op, &arena)), out};
    put_function(&l, op);
    hd_arena_free(&arena);
  }
}
