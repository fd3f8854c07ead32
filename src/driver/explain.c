/* SPDX-License-Identifier: Apache-2.0 */
/* hd_explain: runs the target's passes, looks at the module after disc-fusion (what goes together) and after
 * disc-lower-to-kernels (what it became), and renders what it saw. No machine code is made. */
#include "driver/explain.h"

#include <string.h>

#include "codegen/emit/kernels.h"
#include "driver/dump.h"
#include "driver/entry.h"
#include "driver/passes.h"
#include "driver/session.h"
#include "text/text.h"

typedef struct explaining {
  hd_session session;
  hd_module *module;
  const void *program;
  size_t size;
  const char *name;
  const hd_compile_options *options;
  hd_explain_format format;
  hd_arena arena;
  hd_artifact_entry entry;
  hd_explanation e;
  hd_shapes *shapes;
  hd_map units;   /* op -> unit + 1 */
  hd_map nodes;   /* noted -> unit + 1 */
  hd_map writers; /* buffer -> unit + 1 */
  hd_strbuf out;
  hd_dump dump;
} explaining;

static const char *copy(explaining *x, const hd_strbuf *text) {
  return hd_arena_copy(&x->arena, hd_strbuf_text(text), text->len);
}

/* ---- one unit ---- */

static hd_loc file_position(hd_loc loc) {
  if (!loc || loc->kind == HD_ATTR_LOC_FILE) return loc;
  if (loc->kind == HD_ATTR_LOC_UNKNOWN) return NULL;
  for (uint32_t i = 0; i < loc->loc.count; ++i) {
    hd_loc found = file_position(loc->loc.children[i]);
    if (found) return found;
  }
  return NULL;
}

static const char *short_name(const hd_op *op) {
  const char *dot = strchr(op->info->name, '.');
  return dot ? dot + 1 : op->info->name;
}

static bool is_inline(const hd_op *op) { return hd_op_attr_get(op, "hd.inline") != NULL; }

static hd_dim elements_of(explaining *x, hd_value *buffer) { return hd_shapes_num_elements(x->shapes, buffer); }

static hd_dim times(explaining *x, hd_dim a, hd_dim b) { return a && b ? hd_dim_mul(&x->shapes->table, a, b) : NULL; }

/* Arithmetic of one op, counted as multiplications and additions; null when the run decides. */
static hd_dim flops_of(explaining *x, hd_op *op) {
  hd_dim_table *t = &x->shapes->table;
  if (!hd_buffer_output_count(op)) return hd_dim_const(t, 0);
  hd_dim total = elements_of(x, hd_buffer_output(op, 0));
  hd_opcode opcode = hd_buffer_opcode(op);
  if (opcode == HD_OP_stablehlo_dot_general) {
    hd_attr dims = hd_struct_get(hd_op_attr_get(op, "dot_dimension_numbers"), "lhs_contracting_dimensions");
    for (size_t i = 0; i < hd_attr_count(dims); ++i)
      total = times(x, total, hd_shapes_dim(x->shapes, hd_operand(op, 0), (uint32_t)hd_attr_int_at(dims, i)));
    return times(x, total, hd_dim_const(t, 2));
  }
  if (opcode == HD_OP_stablehlo_convolution) {
    hd_attr feature = hd_struct_get(hd_op_attr_get(op, "dimension_numbers"), "kernel_output_feature_dimension");
    for (uint32_t d = 0; d < hd_type_rank(hd_operand(op, 1)->type); ++d)
      if (d != (feature ? (uint32_t)feature->integer : 0))
        total = times(x, total, hd_shapes_dim(x->shapes, hd_operand(op, 1), d));
    return times(x, total, hd_dim_const(t, 2));
  }
  if (opcode == HD_OP_stablehlo_reduce && hd_buffer_input_count(op)) return elements_of(x, hd_operand(op, 0));
  return total;
}

static hd_dim bytes_of(explaining *x, hd_value *buffer) {
  return times(x, elements_of(x, buffer),
               hd_dim_const(&x->shapes->table, (int64_t)hd_type_element_bytes(hd_type_element(buffer->type))));
}

static const char *dim_text(explaining *x, hd_dim dim) {
  hd_strbuf text;
  hd_strbuf_init(&text, &x->arena);
  hd_dim_print(&text, dim ? hd_dim_resolve(&x->shapes->table, dim) : NULL);
  return copy(x, &text);
}

static const char *shape_text(explaining *x, hd_value *buffer) {
  hd_strbuf text;
  hd_strbuf_init(&text, &x->arena);
  for (uint32_t d = 0; d < hd_type_rank(buffer->type); ++d) {
    hd_dim_print(&text, hd_shapes_dim(x->shapes, buffer, d));
    hd_strbuf_putc(&text, 'x');
  }
  hd_text_print_type(hd_type_element(buffer->type), &text);
  return copy(x, &text);
}

/* Names in order of first appearance, with counts. */
static const char *op_list(explaining *x, hd_op *const *ops, size_t count) {
  hd_strbuf text;
  hd_strbuf_init(&text, &x->arena);
  for (size_t i = 0; i < count; ++i) {
    size_t same = 0;
    bool seen = false;
    for (size_t k = 0; k < count; ++k) {
      bool equal = !is_inline(ops[k]) && !strcmp(ops[i]->info->name, ops[k]->info->name);
      seen |= equal && k < i;
      same += equal;
    }
    if (seen || is_inline(ops[i])) continue;
    hd_strbuf_printf(&text, "%s%s", text.len ? ", " : "", short_name(ops[i]));
    if (same > 1) hd_strbuf_printf(&text, " %zu", same);
  }
  return copy(x, &text);
}

static const char *route_of(const char *kind, bool fused, hd_opcode opcode) {
  if (opcode == HD_OP_stablehlo_dot_general)
    return fused ? "library: packed GEMM, the other ops on its tile" : "library: packed GEMM";
  if (opcode == HD_OP_stablehlo_convolution)
    return fused ? "library: convolution, the other ops on its tile" : "library: convolution";
  if (!strcmp(kind, "row")) return "emitter: row reduction";
  return "emitter: loop";
}

static void keep_node(explaining *x, hd_op *op, hd_op *top, uint32_t unit);

static void add_unit(explaining *x, hd_op *op) {
  hd_vec(hd_op *) ops = {0};
  bool fused = hd_op_is(op, HD_OP_lmhlo_fusion);
  if (fused) {
    hd_for_each_op(inner, hd_op_region(op, 0)->first) if (inner->info->derived_from)
        hd_vec_push(&x->arena, &ops, inner);
  } else {
    hd_vec_push(&x->arena, &ops, op);
  }
  hd_explain_unit unit = {.kind = "loop", .place = "", .why = ""};
  hd_str kind = hd_op_string_attr(op, "hd.kind");
  if (kind.len) unit.kind = hd_arena_copy(&x->arena, kind.data, kind.len);
  hd_opcode product = HD_OP_UNREGISTERED;
  hd_dim flops = hd_dim_const(&x->shapes->table, 0), bytes = flops;
  hd_map seen = {0};
  hd_strbuf outputs;
  hd_strbuf_init(&outputs, &x->arena);
  uint32_t index = (uint32_t)x->e.units.len;
  for (size_t i = 0; i < ops.len; ++i) {
    hd_op *inner = ops.data[i];
    hd_opcode opcode = hd_buffer_opcode(inner);
    if (!is_inline(inner)) keep_node(x, inner, op, index);
    if (opcode == HD_OP_stablehlo_dot_general || opcode == HD_OP_stablehlo_convolution)
      product = opcode, unit.kind = "gemm";
    hd_loc place = *unit.place ? NULL : file_position(inner->loc);
    if (place)
      unit.place = hd_arena_printf(&x->arena, "%s:%u:%u", place->loc.name->text, place->loc.line, place->loc.column);
    if (is_inline(inner)) {
      ++unit.inline_count;
      continue;
    }
    ++unit.op_count;
    hd_dim more = flops_of(x, inner);
    flops = flops && more ? hd_dim_add(&x->shapes->table, flops, more) : NULL;
  }
  /* A buffer counts once: written here and read elsewhere, or read here and written elsewhere. */
  hd_map made = {0}; /* buffer -> 1 when it is in memory, 0 when an inline op's */
  for (size_t i = 0; i < ops.len; ++i)
    for (uint32_t k = 0; k < hd_buffer_output_count(ops.data[i]); ++k)
      hd_map_insert(&x->arena, &made, hd_buffer_output(ops.data[i], k), NULL)->value.i64 = !is_inline(ops.data[i]);
  for (size_t i = 0; i < ops.len; ++i)
    for (uint32_t k = 0; k < ops.data[i]->operand_count; ++k) {
      hd_value *buffer = hd_operand(ops.data[i], k);
      bool is_new;
      if (buffer->type->kind != HD_TYPE_MEMREF) continue;
      hd_map_insert(&x->arena, &seen, buffer, &is_new);
      if (!is_new) continue;
      hd_map_entry *own = hd_map_find(&made, buffer);
      bool counts = !own;
      if (own && !own->value.i64) continue;
      if (counts) {
        hd_map_entry *writer = hd_map_find(&x->writers, buffer);
        if (writer) hd_vec_push(&x->arena, &unit.reads, (uint32_t)writer->value.i64 - 1);
      } else {
        hd_for_each_use(use, buffer) counts |=
            use->owner != op && hd_op_parent(use->owner) != op && !hd_op_is(use->owner, HD_OP_memref_dealloc);
        if (counts) {
          hd_map_insert(&x->arena, &x->writers, buffer, NULL)->value.i64 = (int64_t)index + 1;
          hd_strbuf_printf(&outputs, "%s%s", outputs.len ? ", " : "", shape_text(x, buffer));
        }
      }
      hd_dim size = counts ? bytes_of(x, buffer) : hd_dim_const(&x->shapes->table, 0);
      bytes = bytes && size ? hd_dim_add(&x->shapes->table, bytes, size) : NULL;
    }
  unit.route = route_of(unit.kind, fused && unit.op_count > 1, product);
  unit.ops = op_list(x, ops.data, ops.len);
  unit.outputs = copy(x, &outputs);
  unit.flops = dim_text(x, flops);
  unit.bytes = dim_text(x, bytes);
  hd_map_insert(&x->arena, &x->units, op, NULL)->value.i64 = (int64_t)index + 1;
  hd_vec_push(&x->arena, &x->e.units, unit);
}

/* ---- all units ---- */

static void add_units(explaining *x, hd_region *region) {
  hd_for_each_block(block, region) hd_for_each_op(op, block) {
    hd_opcode opcode = hd_buffer_opcode(op);
    bool control = opcode == HD_OP_stablehlo_while || opcode == HD_OP_stablehlo_if || opcode == HD_OP_stablehlo_case;
    if (hd_op_is(op, HD_OP_lmhlo_fusion) || (op->info->derived_from && !control)) {
      add_unit(x, op);
      continue;
    }
    if (control) {
      hd_explain_unit unit = {.kind = "host",
                              .route = "host: control flow",
                              .ops = short_name(op),
                              .place = "",
                              .outputs = "",
                              .flops = "0",
                              .bytes = "0",
                              .why = "its regions run as kernels of their own"};
      hd_vec_push(&x->arena, &x->e.units, unit);
    } else if (hd_op_is(op, HD_OP_memref_alloc)) {
      ++x->e.allocations;
    } else {
      ++x->e.host_ops;
    }
    for (uint32_t i = 0; i < op->region_count; ++i) add_units(x, hd_op_region(op, i));
  }
}

/* The nodes of one block, as disc-fusion numbered them, and the refusals that it noted. */
typedef struct noted {
  const hd_block *block;
  int64_t node;
} noted;

static noted note_of(hd_op *op, hd_op *top) { return (noted){top->block, hd_op_int_attr(op, "hd.node", -1)}; }

/* The unit that op |node| of the block is in, through |x->nodes|. */
static void keep_node(explaining *x, hd_op *op, hd_op *top, uint32_t unit) {
  noted key = note_of(op, top);
  if (key.node >= 0) hd_map_insert_bytes(&x->arena, &x->nodes, &key, sizeof key, NULL)->value.i64 = (int64_t)unit + 1;
}

static void add_refusals(explaining *x, hd_op *op, hd_op *top, uint32_t index) {
  hd_attr list = hd_op_attr_get(op, "hd.refused");
  hd_explain_unit *unit = &x->e.units.data[index];
  for (uint32_t i = 0; hd_attr_is(list, HD_ATTR_ARRAY) && i < list->array.count; ++i) {
    hd_attr pair = list->array.items[i];
    noted key = {top->block, pair->array.items[0]->integer};
    hd_map_entry *entry = hd_map_find_bytes(&x->nodes, &key, sizeof key);
    if (!entry || entry->value.i64 - 1 == index) continue; /* no kernel of the device */
    hd_explain_refusal refusal = {(uint32_t)(entry->value.i64 - 1), pair->array.items[1]->string->text};
    bool known = false;
    for (size_t k = 0; k < unit->refused.len; ++k) known |= unit->refused.data[k].unit == refusal.unit;
    if (!known) hd_vec_push(&x->arena, &unit->refused, refusal);
  }
}

static bool find_refusals(hd_op *op, void *user) {
  explaining *x = user;
  hd_map_entry *entry = hd_map_find(&x->units, op);
  if (!entry) return true;
  uint32_t index = (uint32_t)(entry->value.i64 - 1);
  if (hd_op_is(op, HD_OP_lmhlo_fusion)) {
    hd_for_each_op(inner, hd_op_region(op, 0)->first) add_refusals(x, inner, op, index);
  } else {
    add_refusals(x, op, op, index);
  }
  return true;
}

static void say_why(explaining *x, hd_op *func) {
  hd_walk_pre(func, find_refusals, x);
  for (size_t i = 0; i < x->e.units.len; ++i) {
    hd_explain_unit *unit = &x->e.units.data[i];
    if (*unit->why) continue;
    for (size_t k = 0; k < x->e.units.len && !*unit->why; ++k)
      for (size_t r = 0; r < x->e.units.data[k].refused.len; ++r)
        if (x->e.units.data[k].refused.data[r].unit == i) {
          unit->why = hd_arena_printf(&x->arena, "unit %zu: %s", k, x->e.units.data[k].refused.data[r].why);
          break;
        }
    for (size_t k = i + 1; k < x->e.units.len && !*unit->why; ++k)
      for (size_t r = 0; r < x->e.units.data[k].reads.len; ++r)
        if (x->e.units.data[k].reads.data[r] == i) {
          unit->why = hd_arena_printf(&x->arena, "unit %zu reads it in another block", k);
          break;
        }
    if (!*unit->why) unit->why = "its result leaves the program";
  }
}

/* The dim that |program| computes from |symbols|; null when it uses what dims have no form for. */
static hd_dim dim_of_program(hd_dim_table *table, const hd_dim_program *program, const hd_dim *symbols) {
  hd_dim stack[HD_DIM_STACK];
  size_t depth = 0;
  for (uint32_t at = 0; at < program->len; at += hd_dim_op_words(program->words[at])) {
    const int64_t *word = &program->words[at];
    if (*word == HD_DIM_CONST || *word == HD_DIM_SYMBOL) {
      if (depth == HD_DIM_STACK) return NULL;
      stack[depth++] = *word == HD_DIM_CONST ? hd_dim_const(table, word[1]) : symbols[word[1]];
      continue;
    }
    if (depth < 2) return NULL;
    hd_dim a = stack[depth - 2], b = stack[depth - 1];
    stack[--depth - 1] = *word == HD_DIM_ADD        ? hd_dim_add(table, a, b)
                         : *word == HD_DIM_SUB      ? hd_dim_sub(table, a, b)
                         : *word == HD_DIM_MUL      ? hd_dim_mul(table, a, b)
                         : *word == HD_DIM_FLOORDIV ? hd_dim_floordiv(table, a, b)
                                                    : NULL;
  }
  return depth == 1 ? stack[0] : NULL;
}

/* Dims of the buffers by the names that the program's arguments give them: the assertions that made them equal are gone
 * from this form. */
static void name_dims(explaining *x, hd_op *func) {
  hd_dim_table *table = &x->shapes->table;
  hd_block *entry = hd_op_region(func, 0)->first;
  hd_dim *symbols = hd_new_array(&x->arena, hd_dim, x->entry.symbol_count);
  for (uint32_t i = 0; i < x->entry.symbol_count; ++i)
    symbols[i] = hd_dim_symbol(table, x->entry.symbols[i].name, 0, INT64_MAX, NULL, false);
  for (uint32_t i = 0; i < x->entry.input_count && i < entry->arg_count; ++i)
    for (uint32_t d = 0; d < x->entry.inputs[i].rank && d < hd_type_rank(entry->args[i]->type); ++d) {
      hd_dim dim = dim_of_program(table, &x->entry.inputs[i].dims[d].program, symbols);
      if (dim) hd_dim_assume_equal(table, hd_shapes_dim(x->shapes, entry->args[i], d), dim);
    }
}

/* ---- passes ---- */

static bool count_op(hd_op *op, void *user) {
  (void)op;
  ++*(size_t *)user;
  return true;
}

static void count_named(explaining *x, hd_str name, bool kernel) {
  hd_explain_kernel *list = kernel ? x->e.kernels.data : x->e.calls.data;
  size_t len = kernel ? x->e.kernels.len : x->e.calls.len;
  for (size_t i = 0; i < len; ++i)
    if (hd_str_is(name, list[i].name)) {
      ++list[i].launches;
      return;
    }
  hd_explain_kernel one = {hd_arena_copy(&x->arena, name.data, name.len), 1};
  if (kernel)
    hd_vec_push(&x->arena, &x->e.kernels, one);
  else
    hd_vec_push(&x->arena, &x->e.calls, one);
}

static bool count_launch(hd_op *op, void *user) {
  explaining *x = user;
  if (hd_op_is(op, HD_OP_hd_launch)) {
    hd_attr kernel = hd_op_attr_get(op, "kernel");
    hd_strbuf name;
    hd_strbuf_init(&name, &x->arena);
    hd_text_print_attr(kernel, &name);
    if (name.len > 1) count_named(x, (hd_str){name.data + 1, name.len - 1}, true);
  } else if (hd_op_is(op, HD_OP_hd_ral_call)) {
    hd_str api = hd_op_string_attr(op, "api");
    const char *end = api.len ? strstr(api.data, "___") : NULL;
    if (end && (size_t)(end - api.data) < api.len) api.len = (size_t)(end - api.data);
    count_named(x, api, false);
  }
  return true;
}

/* Keeps the module as the last pass left it; printed once a pass, however many functions it ran on. */
static void keep_text(explaining *x) {
  if (x->format != HD_EXPLAIN_HTML || !x->e.passes.len) return;
  hd_strbuf text;
  hd_strbuf_init(&text, &x->arena);
  hd_text_print(x->module->op, &(hd_text_print_options){.elide_larger_than = 16}, &text);
  hd_vec_last(&x->e.passes).text = hd_strbuf_text(&text);
}

static bool is_last_pass(const explaining *x, const hd_pass_info *info) {
  return x->e.passes.len && !strcmp(hd_vec_last(&x->e.passes).name, info->name);
}

static void before_pass(void *user, const hd_pass_info *info, hd_op *op) {
  (void)op;
  explaining *x = user;
  if (!is_last_pass(x, info)) keep_text(x);
}

static void after_pass(void *user, const hd_pass_info *info, hd_op *op, bool changed, double seconds) {
  explaining *x = user;
  hd_dump_after(&x->dump, info, x->module, op);
  if (!is_last_pass(x, info)) hd_vec_push(&x->arena, &x->e.passes, (hd_explain_pass){.name = info->name});
  hd_explain_pass *pass = &hd_vec_last(&x->e.passes);
  pass->ms += seconds * 1e3;
  pass->changed |= changed;
  pass->ops = 0;
  hd_walk_post(x->module->op, count_op, &pass->ops);
  if (op && hd_op_is(op, HD_OP_func_func) && hd_op_attr_get(op, "hd.kernel")) return;
  hd_op *func = hd_entry_function(x->module);
  if (!func) return;
  if (!strcmp(info->name, "disc-fusion") && !x->shapes) {
    x->shapes = hd_shapes_of(func, &x->arena);
    name_dims(x, func);
    for (uint32_t i = 0; i < func->region_count; ++i) add_units(x, hd_op_region(func, i));
    say_why(x, func);
  } else if (!strcmp(info->name, "disc-lower-to-kernels") && !x->e.kernels.len && !x->e.calls.len) {
    hd_for_each_op(kernel, hd_module_body(x->module)) {
      hd_str name = hd_symbol_name(kernel);
      if (hd_op_attr_get(kernel, "hd.kernel"))
        hd_vec_push(&x->arena, &x->e.kernels, (hd_explain_kernel){hd_arena_copy(&x->arena, name.data, name.len), 0});
    }
    hd_walk_post(func, count_launch, x);
  }
}

static hd_status run_part(explaining *x, const hd_pipeline *whole, size_t from, size_t to) {
  hd_pipeline part = {.fixer = whole->fixer};
  part.steps.data = whole->steps.data + from;
  part.steps.len = to - from;
  hd_pass_observer observer = {.user = x, .before = before_pass, .after = after_pass};
  return hd_pipeline_run(&part, x->module, &observer, NULL);
}

static hd_status explain(void *argument) {
  explaining *x = argument;
  HD_TRY(hd_session_load_entry(&x->session, x->program, x->size, x->name, x->options, &x->module));
  hd_pipeline pipeline;
  HD_TRY(hd_pipeline_for(x->options, &x->arena, &pipeline));
  HD_TRY(hd_dump_open(x->options->dump_to, &x->dump));
  size_t split = 0;
  while (split < pipeline.steps.len && strcmp(pipeline.steps.data[split].info->name, "disc-hlo-legalize-to-lhlo"))
    ++split;
  for (size_t i = 0; i < pipeline.steps.len; ++i)
    if (!strcmp(pipeline.steps.data[i].info->name, "disc-fusion"))
      hd_pass_step_set(&pipeline.steps.data[i], &x->arena, "explain", "true");
  HD_TRY(run_part(x, &pipeline, 0, split));
  hd_op *func = hd_entry_function(x->module);
  if (!func || !hd_entry_describe(func, &x->arena, &x->entry)) return hd_failed(x->session.context);
  HD_TRY(run_part(x, &pipeline, split, pipeline.steps.len));
  keep_text(x);
  x->e.entry = &x->entry;
  hd_strbuf_init(&x->out, &x->arena);
  if (x->format == HD_EXPLAIN_HTML)
    hd_explain_print_html(&x->e, &x->out);
  else if (x->format == HD_EXPLAIN_JSON)
    hd_explain_print_json(&x->e, &x->out);
  else
    hd_explain_print_text(&x->e, &x->out);
  return HD_STATUS_OK;
}

hd_status hd_explain(const void *program, size_t size, const char *name, const hd_compile_options *options,
                     hd_explain_format format, hd_message_sink sink, hd_blob *out_text) {
  HD_REQUIRE(out_text);
  *out_text = (hd_blob){0};
  if (size) HD_REQUIRE(program);
  if (!name) name = "program";
  hd_compile_options known = hd_compile_options_known(options);
  explaining x = {.program = program, .size = size, .name = name, .options = &known, .format = format};
  HD_TRY(hd_session_open(&x.session, &known, sink));
  hd_arena_init(&x.arena, &x.session.context->budget);
  x.e = (hd_explanation){.arena = &x.arena, .name = name};
  hd_status status = hd_guarded_call(explain, &x);
  status = hd_status_join(status, hd_dump_close(&x.dump));
  if (hd_is_ok(status)) status = hd_blob_of(&x.out, out_text);
  hd_arena_free(&x.arena);
  hd_module_free(x.module);
  hd_session_close(&x.session);
  return status;
}
