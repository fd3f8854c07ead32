/* SPDX-License-Identifier: Apache-2.0 */
/* heddle reduce: delta debugging on programs. Each kind of edit is numbered; edit |index| of a kind is made on a fresh
 * copy of the best program so far and kept when the result verifies, is smaller and still fails. Kinds are gone through
 * until none gives anything. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/options.h"
#include "driver/session.h"
#include "eval/eval.h"
#include "ir/builder.h"
#include "ir/ops/interfaces.h"
#include "text/text.h"

typedef struct reducer {
  const hd_reduce_options *options;
  hd_still_fails_fn still_fails;
  void *user;
  const char *name;
  char *best; /* malloc'ed */
  size_t size, ops;
  double deadline; /* 0: none */
} reducer;

/* One trial: a module read from the best program. */
typedef struct trial {
  hd_context *context;
  hd_module *module;
  hd_op *entry;
  hd_block *body;
  hd_arena *arena;
} trial;

/* ---- making a module right again ---- */

/* The function's type from its arguments and its return. */
static void retype(trial *t) {
  hd_op *end = t->body->last;
  hd_type *ins = hd_new_array(t->arena, hd_type, t->body->arg_count + 1),
          *outs = hd_new_array(t->arena, hd_type, end->operand_count + 1);
  for (uint32_t i = 0; i < t->body->arg_count; ++i) ins[i] = t->body->args[i]->type;
  for (uint32_t i = 0; i < end->operand_count; ++i) outs[i] = hd_operand_type(end, i);
  hd_function_like_set_function_type(
      t->entry, hd_attr_type(hd_type_function(t->context, ins, t->body->arg_count, outs, end->operand_count)));
}

static void keep_results(trial *t, hd_value *const *values, size_t count) {
  hd_op_set_operands(t->body->last, values, count);
  hd_function_like_set_res_attrs(t->entry, NULL);
  hd_block_erase_dead(t->body);
  retype(t);
}

/* |list| (or null) changed to have |count| entries, without entry |drop| (none: -1). */
static hd_attr attrs_of_args(trial *t, hd_attr list, uint32_t count, int64_t drop) {
  if (!hd_attr_is(list, HD_ATTR_ARRAY)) return NULL;
  hd_attr *items = hd_new_array(t->arena, hd_attr, count + 1);
  uint32_t at = 0;
  for (uint32_t i = 0; i < list->array.count && at < count; ++i)
    if ((int64_t)i != drop) items[at++] = list->array.items[i];
  while (at < count) items[at++] = hd_attr_dict(t->context, NULL, 0);
  return hd_attr_array(t->context, items, count);
}

/* ---- edits: each is false when there is no edit |index| ---- */

static bool drop_function(trial *t, size_t index) {
  hd_for_each_op_safe(op, hd_module_body(t->module)) {
    if (op == t->entry || index--) continue;
    hd_op_erase(op);
    return true;
  }
  return false;
}

static bool keep_one_result(trial *t, size_t index) {
  hd_op *end = t->body->last;
  if (end->operand_count < 2 || index >= end->operand_count) return false;
  hd_value *value = hd_operand(end, (uint32_t)index);
  keep_results(t, &value, 1);
  return true;
}

static bool drop_result(trial *t, size_t index) {
  hd_op *end = t->body->last;
  if (end->operand_count < 2 || index >= end->operand_count) return false;
  hd_value **values = hd_new_array(t->arena, hd_value *, end->operand_count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < end->operand_count; ++i)
    if (i != index) values[count++] = hd_operand(end, i);
  keep_results(t, values, count);
  return true;
}

/* Results of an op in the middle become those of the program. */
static bool end_early(trial *t, size_t index) {
  hd_for_each_op(op, t->body) {
    if (op == t->body->last) return false;
    if (!op->result_count || hd_op_has_trait(op, HD_TRAIT(CONSTANT_LIKE)) || index--) continue;
    hd_value **values = hd_new_array(t->arena, hd_value *, op->result_count);
    for (uint32_t i = 0; i < op->result_count; ++i) values[i] = hd_result(op, i);
    keep_results(t, values, op->result_count);
    return true;
  }
  return false;
}

static bool drop_argument(trial *t, size_t index) {
  if (index >= t->body->arg_count) return false;
  if (hd_value_has_uses(t->body->args[index])) return true; /* no edit: the program stays as it is */
  hd_attr list = attrs_of_args(t, hd_function_like_arg_attrs(t->entry), t->body->arg_count - 1, (int64_t)index);
  hd_block_erase_arg(t->body, (uint32_t)index);
  hd_function_like_set_arg_attrs(t->entry, t->body->arg_count ? list : NULL);
  retype(t);
  return true;
}

/* A value in the place of |result|: an operand of its type, a splat of zero, or (in the entry's block) a new argument.
 */
static hd_value *stand_in(trial *t, hd_op *op, hd_value *result, bool as_argument) {
  for (uint32_t i = 0; i < op->operand_count && !as_argument; ++i)
    if (hd_operand_type(op, i) == result->type) return hd_operand(op, i);
  if (!hd_type_is(result->type, HD_TYPE_TENSOR)) return NULL;
  if (as_argument || !hd_type_is_static(result->type)) {
    uint32_t count = t->body->arg_count + 1;
    if (op->block != t->body) return NULL;
    hd_function_like_set_arg_attrs(t->entry, attrs_of_args(t, hd_function_like_arg_attrs(t->entry), count, -1));
    return hd_block_add_arg(t->module, t->body, result->type);
  }
  char zero[16] = {0};
  size_t bytes = hd_type_element_bytes(result->type->shaped.element);
  if (!bytes || bytes > sizeof zero) return NULL;
  hd_builder b = hd_builder_before(op);
  hd_attr_arg value = {HD_NAME_value, hd_attr_dense(result->type, zero, bytes, true)};
  return hd_build_one_(&b, HD_OP_stablehlo_constant, result->type, NULL, 0, &value, 1);
}

static bool replace(trial *t, hd_op *op, bool as_argument) {
  if (hd_op_has_trait(op, HD_TRAIT(TERMINATOR)) || hd_op_has_trait(op, HD_TRAIT(CONSTANT_LIKE))) return false;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    if (!hd_value_has_uses(hd_result(op, i))) continue;
    hd_value *value = stand_in(t, op, hd_result(op, i), as_argument);
    if (value) hd_value_replace_uses(hd_result(op, i), value);
  }
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (hd_value_has_uses(hd_result(op, i))) return false;
  hd_op_erase(op);
  return true;
}

/* Ops of the entry's block in runs: all runs of half of them, then of a quarter, and so on to single ones. */
static bool drop_run(trial *t, size_t index, bool as_argument) {
  size_t count = 0;
  hd_for_each_op(op, t->body) ++count;
  if (count < 2) return false;
  --count;
  for (size_t run = count / 2 ? count / 2 : 1;; run /= 2) {
    size_t runs = (count + run - 1) / run;
    if (index < runs) {
      size_t first = index * run, at = 0;
      for (hd_op *op = t->body->first, *next; op && op->next; op = next, ++at) {
        next = op->next;
        if (at >= first && at < first + run) replace(t, op, as_argument);
      }
      hd_block_erase_dead(t->body);
      retype(t);
      return true;
    }
    index -= runs;
    if (run == 1) return false;
  }
}
static bool drop_run_by_values(trial *t, size_t index) { return drop_run(t, index, false); }
static bool drop_run_by_arguments(trial *t, size_t index) { return drop_run(t, index, true); }

/* Ops inside regions, one by one. */
typedef struct inner_walk {
  size_t index;
  hd_op *found;
  trial *t;
} inner_walk;

static bool find_inner(hd_op *op, void *user) {
  inner_walk *w = user;
  if (op->block == w->t->body || op->block == hd_module_body(w->t->module) || !op->block) return true;
  if (hd_op_has_trait(op, HD_TRAIT(TERMINATOR)) || w->index--) return true;
  w->found = op;
  return false;
}

static bool drop_inner(trial *t, size_t index) {
  inner_walk w = {index, NULL, t};
  hd_walk_pre(t->entry, find_inner, &w);
  if (!w.found) return false;
  replace(t, w.found, false);
  hd_block_erase_dead(t->body);
  retype(t);
  return true;
}

static bool find_constant(hd_op *op, void *user) {
  inner_walk *w = user;
  hd_attr value = hd_op_has_trait(op, HD_TRAIT(CONSTANT_LIKE)) ? hd_constant_like_value(op) : NULL;
  if (!hd_attr_is(value, HD_ATTR_DENSE) || w->index--) return true;
  w->found = op;
  return false;
}

/* A constant becomes a splat of its first element, a splat zero. */
static bool shrink_constant(trial *t, size_t index) {
  inner_walk w = {index, NULL, t};
  hd_walk_pre(t->entry, find_constant, &w);
  if (!w.found) return false;
  hd_attr value = hd_constant_like_value(w.found);
  size_t bytes = hd_type_element_bytes(hd_type_element(value->type));
  char zero[16] = {0};
  if (!bytes || bytes > sizeof zero || value->dense.size < bytes) return true;
  const char *element = value->dense.splat ? zero : value->dense.data;
  hd_constant_like_set_value(w.found, hd_attr_dense(value->type, element, bytes, true));
  return true;
}

static bool (*const edits[])(trial *t, size_t index) = {
    drop_function, keep_one_result, end_early,  drop_run_by_values, drop_run_by_arguments,
    drop_result,   drop_argument,   drop_inner, shrink_constant};

/* ---- trying ---- */

/* Ops, but for constants, which may take the place of others. */
static bool count_op(hd_op *op, void *user) {
  bool constant = op->result_count == 1 && hd_value_constant(hd_result(op, 0));
  *(size_t *)user += !constant;
  return true;
}

/* Fewer ops, then less text, then what comes first: so no edits undo each other for ever. */
static bool is_smaller(const reducer *ctx, size_t ops, const char *text, size_t size) {
  if (ops != ctx->ops) return ops < ctx->ops;
  return size != ctx->size ? size < ctx->size : memcmp(text, ctx->best, size) < 0;
}

static void keep(reducer *ctx, size_t ops, const char *text, size_t size) {
  char *copy = malloc(size + 1);
  if (!copy) return;
  memcpy(copy, text, size);
  copy[size] = 0;
  free(ctx->best);
  ctx->best = copy;
  ctx->size = size;
  ctx->ops = ops;
}

typedef struct attempt {
  reducer *ctx;
  hd_session session;
  size_t kind, index;
  const char *text; /* of edits on text; null: edit |index| of |kind| */
  size_t text_size;
  bool exists, taken;
  hd_module *module;
} attempt;

static hd_status guarded(void *user) {
  attempt *a = user;
  reducer *ctx = a->ctx;
  const char *source = a->text ? a->text : ctx->best;
  hd_status status = hd_session_load(&a->session, source, a->text ? a->text_size : ctx->size, ctx->name, &a->module);
  if (!hd_is_ok(status)) return status;
  trial t = {.context = a->session.context, .module = a->module, .arena = &a->module->arena};
  t.entry = hd_eval_entry(a->module, ctx->options->entry ? hd_str_of(ctx->options->entry) : HD_STR(""));
  if (!t.entry || !hd_op_region(t.entry, 0)->first || hd_op_region(t.entry, 0)->first->next)
    return hd_make_status(HD_UNIMPLEMENTED, "%s: expected an entry with one block", ctx->name);
  t.body = hd_op_region(t.entry, 0)->first;
  if (!a->text) {
    a->exists = edits[a->kind](&t, a->index);
    if (!a->exists || !hd_verify(a->module->op)) return HD_STATUS_OK;
  }
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_strbuf text;
  hd_strbuf_init(&text, &scratch);
  hd_text_print(a->module->op, NULL, &text);
  size_t ops = 0;
  hd_walk_pre(a->module->op, count_op, &ops);
  a->taken = is_smaller(ctx, ops, hd_strbuf_text(&text), text.len) &&
             ctx->still_fails(ctx->user, hd_strbuf_text(&text), text.len);
  if (a->taken) keep(ctx, ops, hd_strbuf_text(&text), text.len);
  hd_arena_free(&scratch);
  return HD_STATUS_OK;
}

static void drop_message(void *user, const char *severity, const char *text) { (void)user, (void)severity, (void)text; }

/* Makes one attempt; programs that do not read or verify are simply not taken. */
static void try_edit(reducer *ctx, attempt *a) {
  a->ctx = ctx;
  hd_status status = hd_session_open(&a->session, NULL, (hd_message_sink){drop_message, NULL});
  if (hd_is_ok(status)) status = hd_guarded_call(guarded, a);
  if (a->module) hd_module_free(a->module);
  hd_session_close(&a->session);
  hd_status_ignore(status);
}

static bool is_late(const reducer *ctx) { return ctx->deadline != 0 && hd_clock_seconds() > ctx->deadline; }

/* The best program with the static dim |size| of all tensors as |other|; |lists|: in lists of attributes too. */
static char *with_dim(const reducer *ctx, long size, long other, bool lists, size_t *out_size) {
  char *out = malloc(2 * ctx->size + 64);
  size_t at = 0;
  bool in_type = false, in_list = false;
  for (size_t i = 0; out && i < ctx->size;) {
    const char *p = ctx->best + i;
    if (!strncmp(p, "tensor<", 7)) in_type = true;
    if (!strncmp(p, "array<i64", 9)) in_list = lists;
    if (*p == '>') in_type = in_list = false;
    bool fresh = i == 0 || !(isalnum((unsigned char)p[-1]) || strchr("._%-#", p[-1]) || (in_type && p[-1] == 'x'));
    fresh |= in_type && i > 0 && (p[-1] == '<' || p[-1] == 'x');
    if (isdigit((unsigned char)*p) && fresh) {
      char *end;
      long number = strtol(p, &end, 10);
      bool ours = number == size && ((in_type && *end == 'x') || (in_list && (*end == ',' || *end == '>')));
      at += (size_t)sprintf(out + at, "%ld", ours ? other : number);
      i = (size_t)(end - ctx->best);
      continue;
    }
    out[at++] = *p;
    ++i;
  }
  *out_size = at;
  return out;
}

static bool shrink_dims(reducer *ctx) {
  bool any = false;
  for (size_t i = 0; i + 8 < ctx->size && !is_late(ctx); ++i) {
    if (strncmp(ctx->best + i, "tensor<", 7) != 0) continue;
    for (const char *p = ctx->best + i + 7; isdigit((unsigned char)*p) || *p == '?';) {
      char *end = (char *)(uintptr_t)p + 1;
      long size = *p == '?' ? 0 : strtol(p, &end, 10);
      if (*end != 'x') break;
      bool taken = false;
      for (int lists = 0; lists < 2 && size > 2 && !taken; ++lists)
        for (long other = 1; other < size && !taken; other = other * 2 < size ? other * 2 : size) {
          if (is_late(ctx)) return any;
          attempt a = {.text_size = 0};
          char *text = with_dim(ctx, size, other, lists, &a.text_size);
          if (!text) return any;
          text[a.text_size] = 0;
          a.text = text;
          try_edit(ctx, &a);
          free(text);
          taken = a.taken;
        }
      any |= taken;
      if (taken) break; /* the text is another one */
      p = end + 1;
    }
  }
  return any;
}

/* What cannot be read is reported here, once. */
static hd_status read_first(void *user) {
  attempt *a = user;
  reducer *ctx = a->ctx;
  HD_TRY(hd_session_load(&a->session, a->text, a->text_size, ctx->name, &a->module));
  hd_strbuf text;
  hd_strbuf_init(&text, &a->session.context->arena);
  hd_text_print(a->module->op, NULL, &text);
  size_t ops = 0;
  hd_walk_pre(a->module->op, count_op, &ops);
  keep(ctx, ops, hd_strbuf_text(&text), text.len);
  return HD_STATUS_OK;
}

hd_status hd_reduce(const void *program, size_t size, const char *name, const hd_reduce_options *options,
                    hd_still_fails_fn still_fails, void *user, hd_message_sink sink, hd_blob *out_program) {
  HD_REQUIRE(out_program);
  *out_program = (hd_blob){0};
  if (size) HD_REQUIRE(program);
  HD_REQUIRE(still_fails);
  if (!name) name = "program";
  hd_reduce_options own;
  HD_TRY(hd_options_read("hd_reduce_options", options, &own, sizeof own));
  reducer ctx = {.options = &own, .still_fails = still_fails, .user = user, .name = name};
  attempt first = {.ctx = &ctx, .text = (char *)(uintptr_t)program, .text_size = size};
  HD_TRY(hd_session_open(&first.session, NULL, sink));
  hd_status status = hd_guarded_call(read_first, &first);
  if (first.module) hd_module_free(first.module);
  hd_session_close(&first.session);
  HD_TRY(status);
  if (!ctx.best) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  ctx.deadline = own.timeout_s > 0 ? hd_clock_seconds() + own.timeout_s : 0;
  bool any = true;
  while (any && !is_late(&ctx)) {
    any = false;
    for (size_t kind = 0; kind < sizeof edits / sizeof *edits; ++kind)
      for (size_t index = 0; !is_late(&ctx);) {
        attempt a = {.kind = kind, .index = index};
        try_edit(&ctx, &a);
        if (!a.exists) break;
        if (a.taken)
          any = true; /* what stood at |index| is gone */
        else
          ++index;
      }
    any |= shrink_dims(&ctx);
  }
  *out_program = (hd_blob){ctx.best, ctx.size};
  return HD_STATUS_OK;
}
