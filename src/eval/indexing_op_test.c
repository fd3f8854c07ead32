/* SPDX-License-Identifier: Apache-2.0 */
/* Maps of ops against the evaluator. A program is run on inputs that are 1 in one element and 0 elsewhere: its results
 * are not 0 where that element takes part, since all that programs do is to move elements and to add them up. */
#include "analysis/indexing/of_op.h"
#include "eval/eval.h"
#include "eval/random_operands.h"
#include "ir/testing.h"
#include "text/text.h"

enum { PROGRAMS = 1200 };

static uint32_t maps_checked;

/* ---- relations: a bit for each pair of an element of the result and one of the argument ---- */

typedef struct relation {
  int64_t outs, ins;
  char *bits;
} relation;

static relation no_relation(hd_arena *arena, int64_t outs, int64_t ins) {
  return (relation){outs, ins, hd_new_array(arena, char, outs *ins + 1)};
}

static int64_t position(const int64_t *dims, uint32_t rank, const int64_t *index) {
  int64_t at = 0;
  for (uint32_t d = 0; d < rank; ++d) {
    if (index[d] < 0 || index[d] >= dims[d]) return -1;
    at = at * dims[d] + index[d];
  }
  return at;
}

typedef struct program {
  hd_arena arena;
  hd_context *context;
  hd_module *module;
  hd_op *func;
  hd_value *argument, *result;
  uint32_t in_rank, out_rank;
  int64_t in_dims[HD_MAX_RANK], out_dims[HD_MAX_RANK];
  hd_indexing *in;
  int64_t sizes[64]; /* of in->sizes */
} program;

/* Runs the program on each input; false when it cannot run. */
static bool evaluate(program *p, relation *out) {
  hd_type element = hd_type_element(p->argument->type), type = hd_type_tensor(element, p->in_dims, p->in_rank, NULL);
  int64_t ins = hd_type_num_elements(type);
  hd_evaluator *e;
  if (!HD_CHECK_OK(hd_evaluator_create(p->module, NULL, &e))) return false;
  for (int64_t i = 0; i < ins; ++i) {
    hd_tensor argument, result = {0};
    if (!HD_CHECK_OK(hd_tensor_create(hd_evaluator_heap(e), type, &argument))) break;
    int64_t *data = hd_tensor_data(&argument);
    for (int64_t k = 0; k < ins; ++k) data[k] = k == i;
    if (!HD_CHECK_OK(hd_evaluator_call(e, p->func, &argument, 1, &result))) break;
    if (!i) {
      p->out_rank = hd_tensor_rank(&result);
      memcpy(p->out_dims, hd_tensor_dims(&result), p->out_rank * sizeof *p->out_dims);
      *out = no_relation(&p->arena, (int64_t)hd_tensor_count(&result), ins);
    }
    const int64_t *got = hd_tensor_data(&result);
    for (int64_t k = 0; k < out->outs; ++k) out->bits[k * ins + i] = got[k] != 0;
    hd_tensor_release(&argument);
    hd_tensor_release(&result);
  }
  hd_evaluator_free(e);
  return true;
}

/* The value of runtime variable |i|, whose tensor is a constant; false where none is. */
static bool runtime_value(program *p, const hd_index_map *map, uint32_t i, int64_t *variables) {
  uint32_t at = map->dim_count + map->range_count + i;
  const hd_index_variable *v = &map->variables[at];
  hd_attr elements = hd_value_constant(v->value);
  if (!elements) return false;
  int64_t index[HD_MAX_RANK];
  for (uint32_t k = 0; k < v->index_count; ++k)
    if (!hd_index_eval(p->in, v->index[k], variables, variables + map->dim_count, p->sizes, &index[k])) return false;
  int64_t where = position(v->value->type->shaped.dims, v->index_count, index);
  if (where < 0) return false;
  int64_t value = hd_attr_int_at(elements, (size_t)where);
  if (v->clamps && value > v->range.upper) value = v->range.upper;
  if (v->clamps && value < v->range.lower) value = v->range.lower;
  variables[at] = value;
  return true;
}

/* Sets what |map| says in |out|; |forward|: from results to arguments, else the other way. */
static bool enumerate(program *p, const hd_index_map *map, bool forward, relation *out) {
  uint32_t free = map->dim_count + map->range_count;
  int64_t at[HD_INDEX_MAX_VARIABLES] = {0}, upper[HD_INDEX_MAX_VARIABLES], to[HD_MAX_RANK];
  if (map->is_empty) return true;
  for (uint32_t i = 0; i < free; ++i) {
    int64_t limit;
    const hd_index_variable *v = &map->variables[i];
    upper[i] = v->range.upper;
    if (v->limit) {
      if (!hd_index_eval(p->in, v->limit, NULL, NULL, p->sizes, &limit)) return false;
      upper[i] = limit - 1 < upper[i] ? limit - 1 : upper[i];
    }
    at[i] = v->range.lower;
    if (at[i] > upper[i]) return true;
    if (upper[i] - at[i] > 4 * MAX_ELEMENTS) return false;
  }
  for (;;) {
    bool known = true;
    for (uint32_t i = map->runtime_count; i-- > 0;) known = known && runtime_value(p, map, i, at);
    if (known && hd_index_map_eval(map, at, p->sizes, to) == HD_INDEX_INSIDE) {
      int64_t o = position(p->out_dims, p->out_rank, forward ? at : to),
              i = position(p->in_dims, p->in_rank, forward ? to : at);
      if (o < 0 || i < 0) return false; /* in the domain, and no element */
      out->bits[o * out->ins + i] = 1;
    }
    uint32_t d = free;
    while (d-- > 0) {
      if (++at[d] <= upper[d]) break;
      at[d] = map->variables[d].range.lower;
    }
    if (d == UINT32_MAX) return true;
  }
}

static const char *print(program *p, const hd_index_map *map) {
  hd_strbuf text;
  hd_strbuf_init(&text, &p->arena);
  hd_index_map_print(map, &text);
  return hd_strbuf_text(&text);
}

/* |maps| say what |expected| says; |whole|: or more. */
static bool check_maps(program *p, const hd_index_maps *maps, bool forward, bool whole, const relation *expected) {
  relation got = no_relation(&p->arena, expected->outs, expected->ins);
  bool held = true;
  for (size_t i = 0; i < maps->len; ++i) held &= enumerate(p, maps->data[i], forward, &got);
  for (int64_t i = 0; i < expected->outs * expected->ins; ++i)
    held &= got.bits[i] == expected->bits[i] || (whole && got.bits[i]);
  for (size_t i = 0; i < maps->len && !held; ++i) fprintf(stderr, "  %s\n", print(p, maps->data[i]));
  maps_checked += (uint32_t)maps->len;
  return held;
}

static bool reads(program *p, const char *text) {
  p->context->collected.len = 0;
  if (HD_CHECK_OK(hd_text_parse(p->context, hd_str_of(text), "test", &p->module)) &&
      HD_CHECK(hd_verify(p->module->op))) {
    p->func = hd_module_body(p->module)->first;
    hd_block *block = hd_op_region(p->func, 0)->first;
    p->argument = block->args[0];
    p->result = hd_operand(hd_block_terminator(block), 0);
    p->in_rank = hd_type_rank(p->argument->type);
    return true;
  }
  fprintf(stderr, "%s%s\n", text, hd_strbuf_text(&p->context->collected));
  return false;
}

/* ---- sizes: expressions over dims of the argument ---- */

static bool size_value(program *p, hd_dim dim, int64_t *out);

static bool atom_value(program *p, const hd_atom *atom, int64_t *out) {
  int64_t a, b;
  if (atom->kind == HD_ATOM_SYMBOL) {
    const hd_symbol_origin *origin = atom->origin;
    if (!origin || origin->value != p->argument || origin->kind != HD_SYMBOL_DIM) return false;
    *out = p->in_dims[origin->index];
    return true;
  }
  if (!size_value(p, atom->lhs, &a) || !size_value(p, atom->rhs, &b)) return false;
  if (atom->kind == HD_ATOM_MIN) *out = a < b ? a : b;
  if (atom->kind == HD_ATOM_MAX) *out = a > b ? a : b;
  if (atom->kind == HD_ATOM_MOD) *out = ((a % b) + b) % b;
  if (atom->kind == HD_ATOM_FLOORDIV) *out = a / b - (a % b < 0);
  return true;
}

static bool size_value(program *p, hd_dim dim, int64_t *out) {
  *out = dim->constant;
  for (uint32_t i = 0; i < dim->term_count; ++i) {
    int64_t product = dim->terms[i].coefficient, factor;
    for (uint32_t k = 0; k < dim->terms[i].atom_count; ++k) {
      if (!atom_value(p, dim->terms[i].atoms[k], &factor)) return false;
      product *= factor;
    }
    *out += product;
  }
  return true;
}

static bool bind_sizes(program *p) {
  bool known = p->in->sizes.len <= sizeof p->sizes / sizeof *p->sizes;
  for (size_t i = 0; known && i < p->in->sizes.len; ++i) known = atom_value(p, p->in->sizes.data[i], &p->sizes[i]);
  return known;
}

/* All maps of |text|'s one function, whose argument has |dims|. */
static bool check_program(hd_context *c, const char *text, const int64_t *dims, bool whole) {
  program p = {.context = c};
  hd_arena_init(&p.arena, NULL);
  bool held = reads(&p, text);
  if (held) {
    memcpy(p.in_dims, dims, p.in_rank * sizeof *dims);
    relation expected = {0};
    hd_index_maps maps, back = {0};
    p.in = hd_indexing_create(&p.arena, c, hd_shapes_of(p.func, &p.arena));
    held = evaluate(&p, &expected) && HD_CHECK(hd_index_between(p.in, p.result, p.argument, &maps));
    hd_dim *sizes = hd_new_array(&p.arena, hd_dim, p.in_rank + 1);
    for (uint32_t d = 0; d < p.in_rank; ++d) sizes[d] = hd_shapes_dim(p.in->shapes, p.argument, d);
    for (size_t i = 0; held && i < maps.len; ++i) {
      hd_index_map *converse = hd_index_map_converse(maps.data[i], sizes);
      held &= HD_CHECK(converse != NULL);
      if (held) hd_vec_push(&p.arena, &back, converse);
    }
    held = held && HD_CHECK(bind_sizes(&p)) && HD_CHECK(check_maps(&p, &maps, true, whole, &expected)) &&
           HD_CHECK(check_maps(&p, &back, false, whole, &expected));
    hd_module_free(p.module);
  }
  if (!held) fprintf(stderr, "%s\n", text);
  hd_arena_free(&p.arena);
  return held;
}

/* ---- random programs ---- */

static bool (*const adders[])(maker *m) = {
    add_transpose, add_reshape,     add_reshape,     add_broadcast, add_slice,         add_reverse,
    add_pad,       add_concatenate, add_reduce,      add_diamond,   add_dynamic_slice, add_collapse,
    add_dot,       add_window,      add_convolution, add_gather,    add_scatter,       add_update};

static bool random_program(hd_context *c, bool unknown) {
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  maker m = {.unknown = unknown, .rank = below(4)};
  hd_strbuf_init(&m.text, &arena);
  int64_t dims[MAX_RANK];
  for (uint32_t d = 0; d < m.rank; ++d) dims[d] = m.dims[d] = 1 + below(6);
  hd_strbuf_puts(&m.text, "func.func @main(%0: ");
  put_type(&m, m.dims, m.rank);
  hd_strbuf_puts(&m.text, ") -> RESULT {\n  %zero = stablehlo.constant dense<0> : tensor<i64>\n");
  size_t at = (size_t)(strstr(m.text.data, "RESULT") - m.text.data);
  uint32_t ops = 1 + below(4);
  for (uint32_t tries = 0; m.values < ops && tries < 40; ++tries) adders[below(sizeof adders / sizeof *adders)](&m);
  hd_strbuf_printf(&m.text, "  return %%%u : ", m.values);
  put_type(&m, m.dims, m.rank);
  hd_strbuf body = m.text;
  hd_strbuf_init(&m.text, &arena);
  hd_strbuf_put(&m.text, body.data, at);
  put_type(&m, m.dims, m.rank);
  hd_strbuf_printf(&m.text, "%s\n}\n", body.data + at + strlen("RESULT"));
  bool held = check_program(c, hd_strbuf_text(&m.text), dims, false);
  hd_arena_free(&arena);
  return held;
}

/* Elements of another width: halves that are 0 belong to their element all the same. */
static void test_bitcasts(hd_context *c) {
  HD_CHECK(check_program(c,
                         "func.func @main(%0: tensor<2x3xi64>) -> tensor<3x4xi64> {\n"
                         "  %1 = \"mhlo.bitcast\"(%0) : (tensor<2x3xi64>) -> tensor<3x4xi32>\n"
                         "  %2 = stablehlo.convert %1 : (tensor<3x4xi32>) -> tensor<3x4xi64>\n"
                         "  return %2 : tensor<3x4xi64>\n}\n",
                         (int64_t[]){2, 3}, true));
  HD_CHECK(check_program(c,
                         "func.func @main(%0: tensor<3x4xi64>) -> tensor<2x3xi64> {\n"
                         "  %1 = stablehlo.convert %0 : (tensor<3x4xi64>) -> tensor<3x4xi32>\n"
                         "  %2 = \"mhlo.bitcast\"(%1) : (tensor<3x4xi32>) -> tensor<2x3xi64>\n"
                         "  return %2 : tensor<2x3xi64>\n}\n",
                         (int64_t[]){3, 4}, false));
  HD_CHECK(check_program(c,
                         "func.func @main(%0: tensor<3x4xi64>) -> tensor<2x6xi64> {\n"
                         "  %1 = \"mhlo.bitcast\"(%0) : (tensor<3x4xi64>) -> tensor<12xui64>\n"
                         "  %2 = \"mhlo.bitcast\"(%1) : (tensor<12xui64>) -> tensor<4x6xi32>\n"
                         "  %3 = \"mhlo.bitcast\"(%2) : (tensor<4x6xi32>) -> tensor<2x6xi64>\n"
                         "  return %3 : tensor<2x6xi64>\n}\n",
                         (int64_t[]){3, 4}, true));
}

/* What is in no window is the initial value; where an element is chosen tells all of its window. */
static void test_select_and_scatter(hd_context *c) {
  HD_CHECK(check_program(
      c,
      "func.func @main(%0: tensor<2x3xi64>) -> tensor<5x8xi64> {\n"
      "  %x = stablehlo.iota dim = 1 : tensor<5x8xi64>\n"
      "  %zero = stablehlo.constant dense<0> : tensor<i64>\n"
      "  %1 = \"stablehlo.select_and_scatter\"(%x, %0, %zero) <{padding = dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>, "
      "window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 4, 3>}> ({\n"
      "  ^bb0(%a: tensor<i64>, %b: tensor<i64>):\n"
      "    %c = stablehlo.compare GE, %a, %b : (tensor<i64>, tensor<i64>) -> tensor<i1>\n"
      "    stablehlo.return %c : tensor<i1>\n"
      "  }, {\n"
      "  ^bb0(%a: tensor<i64>, %b: tensor<i64>):\n"
      "    %c = stablehlo.add %a, %b : tensor<i64>\n"
      "    stablehlo.return %c : tensor<i64>\n"
      "  }) : (tensor<5x8xi64>, tensor<2x3xi64>, tensor<i64>) -> tensor<5x8xi64>\n"
      "  return %1 : tensor<5x8xi64>\n}\n",
      (int64_t[]){2, 3}, true));
}

static hd_status all(void *user) {
  hd_context *c = user;
  hd_text_install(c);
  test_bitcasts(c);
  test_select_and_scatter(c);
  for (int i = 0; i < PROGRAMS; ++i)
    if (!random_program(c, i % 3 == 2)) {
      fprintf(stderr, "program %d\n", i);
      break;
    }
  HD_CHECK(maps_checked >= 2000);
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
