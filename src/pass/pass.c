/* SPDX-License-Identifier: Apache-2.0 */
#include "pass/pass.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "pass/analyses.h"
#include "pass/fingerprint.h"
#include "pass/takes.h"

static const hd_pass_option *find_option(const hd_pass *pass, const char *name) {
  for (size_t i = 0; i < pass->option_count; ++i)
    if (hd_str_is(pass->options[i].name, name)) return &pass->options[i];
  return NULL;
}

/* The type and the default of an option of |info|: "max-rank: int = 4, target: string". False when it has none of that
 * name. */
static bool option_row(const hd_pass_info *info, hd_str name, hd_str *type, hd_str *value) {
  for (const char *at = info->options; *at;) {
    size_t length = strcspn(at, ":");
    bool found = name.len == length && !memcmp(at, name.data, length);
    at += length;
    at += strspn(at, ": ");
    *type = (hd_str){at, strcspn(at, " ,")};
    at += type->len;
    at += strspn(at, " =");
    *value = (hd_str){at, strcspn(at, ",")};
    if (found) return true;
    at += value->len;
    at += strspn(at, ", ");
  }
  return false;
}

bool hd_pass_has_option(const hd_pass_info *info, const char *name) {
  hd_str type, value;
  return option_row(info, hd_str_of(name), &type, &value);
}

bool hd_option_given(const hd_pass *pass, const char *name) {
  HD_ASSERT(hd_pass_has_option(pass->info, name));
  return find_option(pass, name) != NULL;
}

hd_str hd_option_string(const hd_pass *pass, const char *name) {
  const hd_pass_option *option = find_option(pass, name);
  hd_str type, value = {"", 0};
  if (option) return option->value;
  bool has = option_row(pass->info, hd_str_of(name), &type, &value);
  HD_ASSERT(has);
  return has ? value : (hd_str){"", 0};
}

static int64_t int_of(hd_str text) {
  char digits[32] = "";
  if (text.len >= sizeof digits) return 0;
  memcpy(digits, text.data, text.len);
  return strtoll(digits, NULL, 10);
}

static bool bool_of(hd_str text) { return hd_str_is(text, "true") || hd_str_is(text, "1"); }

int64_t hd_option_int(const hd_pass *pass, const char *name) { return int_of(hd_option_string(pass, name)); }

/* Named alone it is true: "{print}". */
bool hd_option_bool(const hd_pass *pass, const char *name) {
  hd_str value = hd_option_string(pass, name);
  return bool_of(value) || (!value.len && hd_option_given(pass, name));
}

static bool is_word_of(hd_str name, const char *words) {
  for (size_t n; *words; words += n + (words[n] == ' ')) {
    n = strcspn(words, " ");
    if (hd_str_equal(name, (hd_str){words, n})) return true;
  }
  return false;
}

const hd_pass_info *hd_pass_find(const hd_pass_table *table, hd_str name) {
  for (size_t i = 0; i < table->count; ++i)
    if (hd_str_is(name, table->rows[i].name) || is_word_of(name, table->rows[i].aliases)) return &table->rows[i];
  return NULL;
}

typedef struct parser {
  const hd_pass_table *table;
  hd_arena *arena;
  hd_str text;
  size_t at;
  hd_pipeline *out;
  int depth;
} parser;

/* "target", "device" and "target?" name rows of pass/targets.def. */
static bool is_target(hd_str type) {
  return hd_str_is(type, "target") || hd_str_is(type, "target?") || hd_str_is(type, "device");
}

static hd_status check_target(const hd_pass_info *info, hd_str type, hd_str name) {
  const hd_target_info *row = hd_target_info_of(name);
  bool gpu = hd_str_is(type, "device");
  if (row && (row->gpu || !gpu)) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "pass '%s': option 'target': expected one of: %s, got '%.*s'", info->name,
                        hd_target_info_names(gpu), (int)name.len, name.data);
}

/* Is |value| of type bool (nothing is true) or int? Any text is a string. */
static bool is_value_of(hd_str type, hd_str value) {
  if (hd_str_is(type, "bool"))
    return !value.len || hd_str_is(value, "true") || hd_str_is(value, "false") || hd_str_is(value, "1") ||
           hd_str_is(value, "0");
  if (!hd_str_is(type, "int")) return true;
  size_t sign = value.len && value.data[0] == '-';
  for (size_t i = sign; i < value.len; ++i)
    if (value.data[i] < '0' || value.data[i] > '9') return false;
  return value.len > sign && value.len < 20;
}

static void skip_space(parser *p) {
  while (p->at < p->text.len && strchr(" \t\n", p->text.data[p->at])) ++p->at;
}

static bool take(parser *p, char c) {
  skip_space(p);
  if (p->at == p->text.len || p->text.data[p->at] != c) return false;
  ++p->at;
  return true;
}

static hd_str word(parser *p, const char *stops) {
  skip_space(p);
  size_t start = p->at;
  while (p->at < p->text.len && !strchr(stops, p->text.data[p->at])) ++p->at;
  return (hd_str){p->text.data + start, p->at - start};
}

/* "{a=1 b=two c}" */
static hd_status parse_options(parser *p, hd_pass_step *step) {
  hd_vec(hd_pass_option) options = {0};
  while (!take(p, '}')) {
    hd_str name = word(p, " \t\n=,}");
    if (!name.len && !take(p, ','))
      return hd_make_status(HD_INVALID_ARGUMENT, "pass pipeline, column %zu: expected an option name or '}'",
                            p->at + 1);
    if (!name.len) continue;
    hd_str value = {"", 0};
    if (p->at < p->text.len && p->text.data[p->at] == '=') {
      ++p->at;
      value = word(p, " \t\n,}");
    }
    hd_str type, otherwise;
    if (!option_row(step->info, name, &type, &otherwise))
      return hd_make_status(HD_INVALID_ARGUMENT, "pass '%s' has no option '%.*s'; its options are: %s",
                            step->info->name, (int)name.len, name.data,
                            *step->info->options ? step->info->options : "none");
    if (is_target(type)) HD_TRY(check_target(step->info, type, value));
    if (!is_value_of(type, value))
      return hd_make_status(HD_INVALID_ARGUMENT, "pass '%s': option '%.*s': expected %.*s, got '%.*s'",
                            step->info->name, (int)name.len, name.data, (int)type.len, type.data, (int)value.len,
                            value.data);
    hd_vec_push(p->arena, &options, (hd_pass_option){name, value});
  }
  step->options = options.data;
  step->option_count = options.len;
  return HD_STATUS_OK;
}

/* Ops that MLIR's pipelines name around passes; a pass's row says itself what it is run on. */
static bool is_anchor(hd_str name) {
  static const char *const anchors[] = {"builtin.module", "func.func", "gpu.module", "gpu.func",
                                        "llvm.func",      "tt.func",   "any"};
  for (size_t i = 0; i < sizeof anchors / sizeof *anchors; ++i)
    if (hd_str_is(name, anchors[i])) return true;
  return false;
}

static hd_status parse_list(parser *p) {
  if (++p->depth > 8)
    return hd_make_status(HD_INVALID_ARGUMENT, "pass pipeline, column %zu: nested too deeply", p->at + 1);
  do {
    hd_str name = word(p, " \t\n(){},");
    if (!name.len)
      return hd_make_status(HD_INVALID_ARGUMENT, "pass pipeline, column %zu: expected a pass name", p->at + 1);
    if (is_anchor(name)) {
      if (!take(p, '('))
        return hd_make_status(HD_INVALID_ARGUMENT, "pass pipeline, column %zu: expected '(' after '%.*s'", p->at + 1,
                              (int)name.len, name.data);
      if (take(p, ')')) continue;
      HD_TRY(parse_list(p));
      if (!take(p, ')'))
        return hd_make_status(HD_INVALID_ARGUMENT, "pass pipeline, column %zu: expected ',' or ')'", p->at + 1);
      continue;
    }
    hd_pass_step step = {.info = hd_pass_find(p->table, name)};
    if (!step.info)
      return hd_make_status(HD_NOT_FOUND, "there is no pass '%.*s'; `heddle-opt --help` lists them", (int)name.len,
                            name.data);
    if (take(p, '{')) HD_TRY(parse_options(p, &step));
    hd_vec_push(p->arena, &p->out->steps, step);
  } while (take(p, ','));
  --p->depth;
  return HD_STATUS_OK;
}

hd_status hd_pipeline_parse(const hd_pass_table *table, hd_str text, hd_arena *arena, hd_pipeline *out) {
  parser p = {table, arena, text, 0, out, 0};
  skip_space(&p);
  if (p.at == text.len) return HD_STATUS_OK;
  HD_TRY(parse_list(&p));
  skip_space(&p);
  if (p.at == text.len) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "pass pipeline, column %zu: expected ',' or the end", p.at + 1);
}

void hd_pipeline_set_target(hd_pipeline *pipeline, hd_arena *arena, hd_str name) {
  hd_str type, otherwise;
  for (size_t i = 0; i < pipeline->steps.len; ++i) {
    hd_pass_step *step = &pipeline->steps.data[i];
    if (!option_row(step->info, HD_STR("target"), &type, &otherwise) || !is_target(type)) continue;
    hd_pass_option *options = hd_new_array(arena, hd_pass_option, step->option_count + 1);
    if (step->option_count) memcpy(options, step->options, step->option_count * sizeof *options);
    options[step->option_count++] = (hd_pass_option){HD_STR("target"), name};
    step->options = options;
  }
}

bool hd_pass_is_watched(const hd_pass *pass) {
  const hd_pass_observer *observer = pass->observer;
  if (!observer || !observer->note) return false;
  return !observer->is_watched || observer->is_watched(observer->user, pass->info);
}

void hd_pass_note(hd_pass *pass, const char *format, ...) {
  if (!hd_pass_is_watched(pass)) return;
  hd_strbuf text;
  hd_strbuf_init(&text, &pass->arena);
  va_list args;
  va_start(args, format);
  hd_strbuf_vprintf(&text, format, args);
  va_end(args);
  pass->observer->note(pass->observer->user, pass->info, hd_strbuf_text(&text));
}

/* The target that |pass| asks for; false with an error at |op| when it has none. */
static bool find_target(hd_pass *pass, hd_op *op) {
  hd_str type, otherwise;
  if (!option_row(pass->info, HD_STR("target"), &type, &otherwise) || !is_target(type)) return true;
  bool gpu = hd_str_is(type, "device");
  const hd_pass_option *option = find_option(pass, "target");
  pass->target = option ? hd_target_info_of(option->value) : NULL;
  if (pass->target ? pass->target->gpu || !gpu : hd_str_is(type, "target?")) return true;
  return hd_op_error(
      op, "is given to %s for %s, expected one of: %s", pass->info->name,
      option ? hd_arena_printf(&pass->arena, "target '%.*s'", (int)option->value.len, option->value.data) : "no target",
      hd_target_info_names(gpu));
}

typedef struct pass_call {
  hd_pass *pass;
  hd_op *op;
  bool ok;
} pass_call;

static hd_status call_pass(void *argument) {
  pass_call *c = argument;
  hd_budget_check_deadline(&c->pass->context->budget);
  c->ok = find_target(c->pass, c->op) && c->pass->info->run(c->pass, c->op);
  return HD_STATUS_OK;
}

/* One run of a pipeline. */
typedef struct pipeline_run {
  hd_module *module;
  const hd_pass_observer *observer; /* may be null */
  void *driver;
  hd_analysis_cache analyses;
} pipeline_run;

typedef struct update_call {
  hd_analysis_cache *analyses;
  const hd_pass_info *info;
  bool ok;
} update_call;

static hd_status call_update(void *argument) {
  update_call *c = argument;
  c->ok = hd_analysis_cache_update(c->analyses, c->info);
  return HD_STATUS_OK;
}

static hd_status update_analyses(pipeline_run *r, const hd_pass_info *info) {
  update_call call = {&r->analyses, info, false};
  HD_TRY(hd_guarded_call(call_update, &call));
  return call.ok ? HD_STATUS_OK : hd_failed(r->module->context);
}

/* "pass 'x' failed", with the diagnostics where no sink has received them. */
static hd_status pass_failed(const pipeline_run *r, const hd_pass_step *step, const char *what) {
  hd_status diagnostics = hd_failed(r->module->context);
  const char *text = hd_status_message(diagnostics);
  hd_status status = hd_make_status(hd_status_code_of(diagnostics), "%s '%s' failed%s%s", what, step->info->name,
                                    *text ? ": " : "", text);
  hd_status_free(diagnostics);
  return status;
}

static hd_status run_on(pipeline_run *r, const hd_pass_step *step, hd_op *op, bool *changed) {
  hd_module *module = r->module;
  const hd_pass_observer *observer = r->observer;
  if (observer && observer->check_takes && !hd_pass_check_takes(step->info, op)) return pass_failed(r, step, "pass");
  hd_pass pass = {.info = step->info,
                  .context = module->context,
                  .module = module,
                  .options = step->options,
                  .option_count = step->option_count,
                  .analyses = &r->analyses,
                  .driver = r->driver,
                  .observer = observer};
  hd_scratch_init(&pass.arena, &module->context->budget);
  if (observer && observer->before) observer->before(observer->user, step->info, op);
  bool verify = observer && (observer->verify_each || observer->verify_preserved);
  uint64_t fingerprint = verify ? hd_fingerprint(op) : 0;
  double start = hd_clock_seconds();
  /* A guard of its own, so that the scratch memory is freed when memory or time run out. */
  pass_call call = {&pass, op, false};
  hd_status status = hd_guarded_call(call_pass, &call);
  bool ok = call.ok;
  if (ok && observer && observer->after)
    observer->after(observer->user, step->info, op, pass.changed, hd_clock_seconds() - start);
  hd_arena_free(&pass.arena);
  if (!hd_is_ok(status)) return hd_status_annotate(status, "pass '%s'", step->info->name);
  if (!ok) return pass_failed(r, step, "pass");
  if (verify && !pass.changed && hd_fingerprint(op) != fingerprint) {
    hd_op_error(op, "is not what it was before pass '%s', which says that it changed nothing", step->info->name);
    return pass_failed(r, step, "verifying after pass");
  }
  *changed |= pass.changed;
  return pass.changed ? update_analyses(r, step->info) : HD_STATUS_OK;
}

const char *hd_pass_level_name(hd_pass_level level) {
  return level == HD_PASS_MODULE ? "module" : level == HD_PASS_FUNCTION ? "function" : "kernel";
}

/* Is |op| one of what a pass of |level| is run on? */
static bool is_of_level(const hd_op *op, hd_pass_level level) {
  bool is = level == HD_PASS_FUNCTION ? hd_op_is(op, HD_OP_func_func)
                                      : level == HD_PASS_KERNEL && hd_op_has_trait(op, HD_TRAIT(FUNCTION_LIKE));
  return is && op->region_count && hd_op_region(op, 0)->first;
}

/* |step| on the functions in |block|, and in its gpu.modules when their kernels are asked for. */
static hd_status run_on_functions(pipeline_run *r, const hd_pass_step *step, hd_block *block, bool *changed) {
  bool kernels = step->info->level == HD_PASS_KERNEL;
  hd_for_each_op_safe(op, block) {
    if (is_of_level(op, step->info->level))
      HD_TRY(run_on(r, step, op, changed));
    else if (kernels && hd_op_is(op, HD_OP_gpu_module) && hd_op_region(op, 0)->first)
      HD_TRY(run_on_functions(r, step, hd_op_region(op, 0)->first, changed));
  }
  return HD_STATUS_OK;
}

static hd_status run_step(pipeline_run *r, const hd_pass_step *step) {
  hd_module *module = r->module;
  const hd_pass_observer *observer = r->observer;
  bool changed = false;
  if (step->info->level == HD_PASS_MODULE)
    HD_TRY(run_on(r, step, module->op, &changed));
  else
    HD_TRY(run_on_functions(r, step, hd_module_body(module), &changed));
  if (changed && observer && observer->verify_each && !hd_verify(module->op))
    return pass_failed(r, step, "verifying after pass");
  return HD_STATUS_OK;
}

hd_status hd_pipeline_run(const hd_pipeline *pipeline, hd_module *module, const hd_pass_observer *observer,
                          void *driver) {
  pipeline_run r = {module, observer, driver, {0}};
  hd_analysis_cache_init(&r.analyses, module->context, observer && observer->verify_preserved);
  hd_status status = HD_STATUS_OK;
  for (size_t i = 0; i < pipeline->steps.len && hd_is_ok(status); ++i) status = run_step(&r, &pipeline->steps.data[i]);
  hd_analysis_cache_free(&r.analyses);
  return status;
}
