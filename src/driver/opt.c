/* SPDX-License-Identifier: Apache-2.0 */
/* heddle-opt: reads a program, or each part of a split file, runs the passes that the options name in their order,
 * prints what came out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/axis_info/program.h"
#include "analysis/indexing/print_ops.h"
#include "base/clock.h"
#include "bytecode/bytecode.h"
#include "bytecode/vhlo.h"
#include "driver/expected.h"
#include "driver/passes.h"
#include "driver/session.h"
#include "driver/targets.h"
#include "heddle/compile.h"
#include "hlo/hlo.h"
#include "target/cuda/cuda.h"
#include "target/simt/simt.h"
#include "target/spirv/spirv.h"
#include "text/text.h"

typedef struct dump_options {
  bool before_all, after_all, after_change;
  hd_vec(hd_str) before, after; /* pass names */
  hd_vec(hd_str) notes;         /* passes whose decisions are printed */
} dump_options;

typedef struct opt {
  hd_arena arena;
  hd_message_sink sink;
  const char *name;
  hd_strbuf out;
  /* Options */
  bool split, verify_diagnostics, verify_each, verify_preserved, allow_unregistered, timing, emit_bytecode, emit_hlo,
      verify_roundtrip, print_indexing_maps, print_alignment, no_graph_passes;
  hd_text_print_options print;
  hd_bytecode_options bytecode;
  hd_strbuf pipeline;
  hd_str target; /* of passes that ask for one; none: "" */
  dump_options dump;
  hd_pipeline passes;
  /* Of the part being read */
  hd_context *context;
  hd_expectations *expected;
  hd_str source;
  hd_module *module;
  int64_t emit_ptx; /* an architecture; 0: none */
  bool emit_simt, emit_spirv;
  double *seconds; /* by pass */
  double deadline; /* hd_clock_seconds; 0: none */
} opt;

static const struct {
  const char *flag, *doc;
} flags[] = {
    {"--split-input-file", "each part between '// -----' lines is a program of its own"},
    {"--verify-diagnostics", "check expected-error@+N {{...}} comments in place of printing diagnostics"},
    {"--verify-each[=false]", "verify after every pass (default)"},
    {"--verify-preserved",
     "fail unless the analyses that a pass preserves are what they are when computed anew, and poison the others"},
    {"--verify-roundtrip",
     "fail unless text, custom and generic, bytecode and, of HLO text, that read back as the same program"},
    {"--allow-unregistered-dialect", "accept ops, types and attributes of unknown dialects"},
    {"--pass-pipeline=TEXT", "passes as builtin.module(a{option=1},func.func(b))"},
    {"--disc-pipeline=target=NAME", "the passes of a target's pipeline, from programs to calls of the runtime:"
#define TARGET(name, pipeline, runs_here, images, driver, floats, i1, approximate, gpu) \
  HD_IF_PIPELINE_##pipeline(" " name)
#include "pass/targets.def"
    },
    {"--target=NAME", "what passes that ask for a target are to compile for, where they are not told another:"
#define TARGET(name, pipeline, runs_here, images, driver, floats, i1, approximate, gpu) " " name
#include "pass/targets.def"
    },
    {"--no-graph-passes", "leave out of the passes on tensors those that only make programs faster"},
    {"--emit-bytecode[=plain]",
     "write bytecode: a portable artifact of func and stablehlo ops, else (or plain) the ops as they are"},
    {"--emit-hlo", "write HLO text, in place of MLIR"},
    {"--emit-simt", "write an image of the program's kernels, which must be in machine form, for the target simt"},
    {"--emit-spirv", "write a SPIR-V module of the program's kernels, which must be in machine form, for OpenCL"},
    {"--emit-ptx=ARCHITECTURE", "write PTX of the program's kernels, which must be in machine form, for 80, 90, ..."},
    {"--target-version=X.Y.Z", "the version of StableHLO that a portable artifact is for"},
    {"--mlir-print-op-generic", "print every op in generic form"},
    {"--mlir-print-debuginfo", "print locations"},
    {"--mlir-print-local-scope", "print no aliases"},
    {"--mlir-elide-elementsattrs-if-larger=N", "leave out constants of more than N elements"},
    {"--mlir-print-ir-before=PASS[,PASS]", "print the program before these passes"},
    {"--mlir-print-ir-after=PASS[,PASS]", "print the program after these passes"},
    {"--mlir-print-ir-before-all", "print the program before every pass"},
    {"--mlir-print-ir-after-all", "print the program after every pass"},
    {"--mlir-print-ir-after-change", "with -after-all: only when the pass changed something"},
    {"--print-indexing-maps", "print which elements of operands and results belong together, in place of the program"},
    {"--test-print-alignment",
     "print contiguity, divisibility, constancy and strides of integers and pointers, in place of the program"},
    {"--debug-only=PASS", "print the program before and after a pass, and between what the pass decides"},
    {"--mlir-timing", "print how long each pass took"},
    {"--timeout=SECONDS", "give up after that long"},
    {"--version", "print the version"},
};

static void say(opt *o, const char *severity, const char *text) {
  if (o->sink.fn) o->sink.fn(o->sink.user, severity, text);
}

/* Options. */

static bool value_of(const char *argument, const char *flag, const char **out) {
  size_t n = strlen(flag);
  if (strncmp(argument, flag, n) != 0 || argument[n] != '=') return false;
  *out = argument + n + 1;
  return true;
}

static hd_status add_names(opt *o, const char *option, const char *list, bool before) {
  for (const char *at = list; *at;) {
    size_t n = strcspn(at, ",");
    hd_str name = {at, n};
    const hd_pass_info *info = hd_pass_find(hd_passes(), name);
    if (!info)
      return hd_make_status(HD_INVALID_ARGUMENT, "--%s: there is no pass '%.*s'; --help lists them", option, (int)n,
                            at);
    if (before)
      hd_vec_push(&o->arena, &o->dump.before, hd_str_of(info->name));
    else
      hd_vec_push(&o->arena, &o->dump.after, hd_str_of(info->name));
    at += n + (at[n] == ',');
  }
  return HD_STATUS_OK;
}

/* --name or --name="a=1 b": a step of the pipeline. */
static bool add_pass(opt *o, const char *argument) {
  const char *name = argument + strspn(argument, "-");
  size_t n = strcspn(name, "=");
  if (!hd_pass_find(hd_passes(), (hd_str){name, n})) return false;
  if (o->pipeline.len) hd_strbuf_putc(&o->pipeline, ',');
  hd_strbuf_put(&o->pipeline, name, n);
  if (name[n] != '=') return true;
  const char *options = name + n + 1;
  hd_strbuf_printf(&o->pipeline, *options == '{' ? "%s" : "{%s}", options);
  return true;
}

/* Of --timeout. */
static hd_status read_seconds(const char *value, double *out) {
  char *end;
  *out = strtod(value, &end);
  if (end != value && !*end && *out > 0 && *out < 1e9) return HD_STATUS_OK;
  *out = 0;
  return hd_make_status(HD_INVALID_ARGUMENT, "--timeout=%s: expected a number of seconds above 0", value);
}

static hd_status set_target(opt *o, const char *name) {
  hd_str row = {name, strcspn(name, ":")};
  if (!hd_target_facts_of(row)) return hd_target_unknown(name, hd_target_facts_names(false));
  o->target = row;
  return HD_STATUS_OK;
}

static hd_status read_option(opt *o, const char *a) {
  static const char *const silent[] = {"--mlir-disable-threading", "--mlir-print-stacktrace-on-diagnostic",
                                       "--no-implicit-module"};
  const char *value;
  const char *typed = a;
  if (a[0] == '-' && a[1] != '-' && a[1]) /* -flag is --flag */
    a = hd_arena_printf(&o->arena, "-%s", a);
  for (size_t i = 0; i < sizeof silent / sizeof *silent; ++i)
    if (!strcmp(a, silent[i])) return HD_STATUS_OK;
  if (!strcmp(a, "--emit-bytecode=plain")) {
    o->bytecode.plain = o->emit_bytecode = true;
    return HD_STATUS_OK;
  }
  const struct {
    const char *flag;
    bool *to;
  } plain[] = {{"--split-input-file", &o->split},
               {"--verify-diagnostics", &o->verify_diagnostics},
               {"--verify-each", &o->verify_each},
               {"--verify-preserved", &o->verify_preserved},
               {"--verify-roundtrip", &o->verify_roundtrip},
               {"--allow-unregistered-dialect", &o->allow_unregistered},
               {"--mlir-print-op-generic", &o->print.generic},
               {"--mlir-print-debuginfo", &o->print.locations},
               {"--mlir-print-local-scope", &o->print.inline_types},
               {"--mlir-print-ir-before-all", &o->dump.before_all},
               {"--mlir-print-ir-after-all", &o->dump.after_all},
               {"--mlir-print-ir-after-change", &o->dump.after_change},
               {"--mlir-timing", &o->timing},
               {"--no-graph-passes", &o->no_graph_passes},
               {"--print-indexing-maps", &o->print_indexing_maps},
               {"--test-print-alignment", &o->print_alignment},
               {"--emit-bytecode", &o->emit_bytecode},
               {"--emit-hlo", &o->emit_hlo},
               {"--emit-simt", &o->emit_simt},
               {"--emit-spirv", &o->emit_spirv}};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i) {
    if (!strcmp(a, plain[i].flag)) {
      *plain[i].to = true;
      return HD_STATUS_OK;
    }
    if (!value_of(a, plain[i].flag, &value)) continue;
    bool on = !strcmp(value, "true") || !strcmp(value, "1");
    if (!on && strcmp(value, "false") != 0 && strcmp(value, "0") != 0)
      return hd_make_status(HD_INVALID_ARGUMENT, "%s: expected true or false, got '%s'", plain[i].flag, value);
    *plain[i].to = on;
    return HD_STATUS_OK;
  }
  if (value_of(a, "--emit-ptx", &value)) {
    char *end;
    o->emit_ptx = strtol(value, &end, 10);
    if (*end || o->emit_ptx < 1 || o->emit_ptx > 999)
      return hd_make_status(HD_INVALID_ARGUMENT, "--emit-ptx: expected an architecture as 80 or 90, got '%s'", value);
    return HD_STATUS_OK;
  }
  if (value_of(a, "--target-version", &value)) {
    uint32_t version;
    if (!hd_vhlo_version_parse(value, &version) || version < HD_VHLO_OLDEST || version > HD_VHLO_CURRENT)
      return hd_make_status(HD_INVALID_ARGUMENT, "%s: expected a version from 0.9.0 to 1.20.0", a);
    o->bytecode.target_version = value;
    return HD_STATUS_OK;
  }
  if (value_of(a, "--pass-pipeline", &value)) {
    if (o->pipeline.len) hd_strbuf_putc(&o->pipeline, ',');
    hd_strbuf_puts(&o->pipeline, value);
    return HD_STATUS_OK;
  }
  if (value_of(a, "--disc-pipeline", &value)) {
    const char *name = !strncmp(value, "target=", 7) ? value + 7 : value, *text = hd_target_pipeline(name);
    if (!text)
      return hd_make_status(HD_INVALID_ARGUMENT, "%s: there is no pipeline '%s', expected one of: %s", a, name,
                            hd_target_names());
    if (o->pipeline.len) hd_strbuf_putc(&o->pipeline, ',');
    hd_strbuf_puts(&o->pipeline, text);
    return set_target(o, hd_target_find(name)->name);
  }
  if (value_of(a, "--target", &value)) return set_target(o, value);
  if (value_of(a, "--mlir-elide-elementsattrs-if-larger", &value)) {
    char *end;
    unsigned long long limit = strtoull(value, &end, 10);
    if (*value < '0' || *value > '9' || *end) return hd_make_status(HD_INVALID_ARGUMENT, "%s: expected a number", a);
    o->print.elide_larger_than = (size_t)limit;
    return HD_STATUS_OK;
  }
  if (value_of(a, "--timeout", &value)) {
    double seconds;
    HD_TRY(read_seconds(value, &seconds));
    o->deadline = hd_clock_seconds() + seconds;
    return HD_STATUS_OK;
  }
  if (value_of(a, "--mlir-print-ir-before", &value)) return add_names(o, "mlir-print-ir-before", value, true);
  if (value_of(a, "--mlir-print-ir-after", &value)) return add_names(o, "mlir-print-ir-after", value, false);
  if (value_of(a, "--debug-only", &value)) {
    HD_TRY(add_names(o, "debug-only", value, true));
    HD_TRY(add_names(o, "debug-only", value, false));
    for (const char *at = value; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ','))
      hd_vec_push(&o->arena, &o->dump.notes,
                  hd_str_of(hd_pass_find(hd_passes(), (hd_str){at, strcspn(at, ",")})->name));
    return HD_STATUS_OK;
  }
  if (add_pass(o, a)) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "%s: unknown option or pass; --help lists them", typed);
}

/* Around passes. */

static bool listed(const char *name, const hd_str *names, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (hd_str_is(names[i], name)) return true;
  return false;
}

static void dump(opt *o, const hd_pass_info *info, const char *when) {
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_strbuf text;
  hd_strbuf_init(&text, &scratch);
  hd_strbuf_printf(&text, "// -----// IR Dump %s %s //----- //\n", when, info->name);
  hd_text_print(o->module->op, &o->print, &text);
  say(o, "remark", hd_strbuf_text(&text));
  hd_arena_free(&scratch);
}

static void before_pass(void *user, const hd_pass_info *info, hd_op *op) {
  opt *o = user;
  (void)op;
  if (o->dump.before_all || listed(info->name, o->dump.before.data, o->dump.before.len)) dump(o, info, "Before");
}

static void after_pass(void *user, const hd_pass_info *info, hd_op *op, bool changed, double seconds) {
  opt *o = user;
  (void)op;
  size_t row = (size_t)(info - hd_passes()->rows);
  o->seconds[row] += seconds;
  bool wanted = listed(info->name, o->dump.after.data, o->dump.after.len) ||
                (o->dump.after_all && (changed || !o->dump.after_change));
  if (wanted) dump(o, info, "After");
}

/* "[cse]: ...", a line each. */
static void note(void *user, const hd_pass_info *info, const char *text) {
  opt *o = user;
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  say(o, "remark", hd_arena_printf(&scratch, "[%s]: %s", info->name, text));
  hd_arena_free(&scratch);
}

static bool is_watched(void *user, const hd_pass_info *info) {
  const opt *o = user;
  return listed(info->name, o->dump.notes.data, o->dump.notes.len);
}

static void receive(void *user, const hd_diagnostic *diagnostic) {
  opt *o = user;
  if (o->expected) {
    hd_expectations_meet(o->expected, diagnostic);
    return;
  }
  static const char *const names[] = {"note", "remark", "warning", "error"};
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_strbuf text;
  hd_strbuf_init(&text, &scratch);
  hd_diagnostic_render(o->context, diagnostic, &text);
  while (text.len && text.data[text.len - 1] == '\n') text.data[--text.len] = 0;
  say(o, names[diagnostic->severity], hd_strbuf_text(&text));
  hd_arena_free(&scratch);
}

/* The line of |text| in which |at| lies. */
static hd_str line_at(const hd_strbuf *text, size_t at) {
  size_t start = at < text->len ? at : text->len;
  while (start && text->data[start - 1] != '\n') --start;
  hd_str rest = {text->data + start, text->len - start};
  const char *stop = memchr(rest.data, '\n', rest.len);
  if (stop) rest.len = (size_t)(stop - rest.data);
  return rest;
}

static hd_status expect_same(const hd_strbuf *first, const hd_strbuf *second, const char *what) {
  size_t at = 0;
  while (at < first->len && at < second->len && first->data[at] == second->data[at]) ++at;
  if (at == first->len && at == second->len) return HD_STATUS_OK;
  hd_str one = line_at(first, at), two = line_at(second, at);
  return hd_make_status(HD_INTERNAL, "the %s reads back as another program:\n  %.*s\n  %.*s", what, (int)one.len,
                        one.data, (int)two.len, two.data);
}

static hd_status check_text_roundtrip(opt *o, const hd_text_print_options *options) {
  const char *what = options->generic ? "generic form" : "custom form";
  hd_strbuf first, second;
  hd_strbuf_init(&first, &o->context->arena);
  hd_strbuf_init(&second, &o->context->arena);
  hd_text_print(o->module->op, options, &first);
  hd_module *again;
  HD_TRY_MSG(hd_text_parse(o->context, (hd_str){first.data, first.len}, "<roundtrip>", &again), "reading back the %s",
             what);
  hd_text_print(again->op, options, &second);
  hd_module_free(again);
  /* Custom forms write fewer locations than there are: what is left out is where the op stands. */
  return options->generic || !options->locations ? expect_same(&first, &second, what) : HD_STATUS_OK;
}

static hd_status check_bytecode_roundtrip(opt *o) {
  hd_text_print_options options = {.generic = true, .locations = true};
  hd_strbuf bytes, first, second;
  hd_strbuf_init(&bytes, &o->context->arena);
  hd_strbuf_init(&first, &o->context->arena);
  hd_strbuf_init(&second, &o->context->arena);
  hd_text_print(o->module->op, &options, &first);
  HD_TRY(hd_bytecode_write(o->module, &(hd_bytecode_options){.plain = true}, &bytes));
  hd_module *again;
  HD_TRY_MSG(hd_bytecode_parse(o->context, bytes.data, bytes.len, "<roundtrip>", &again), "reading back the bytecode");
  hd_text_print(again->op, &options, &second);
  hd_module_free(again);
  return expect_same(&first, &second, "bytecode");
}

/* Of a program that came as HLO text. Locations are places in that text. */
static hd_status check_hlo_roundtrip(opt *o) {
  hd_text_print_options options = {.generic = true};
  hd_strbuf hlo, first, second;
  hd_strbuf_init(&hlo, &o->context->arena);
  hd_strbuf_init(&first, &o->context->arena);
  hd_strbuf_init(&second, &o->context->arena);
  hd_text_print(o->module->op, &options, &first);
  HD_TRY(hd_hlo_print(o->module, &hlo));
  hd_module *again;
  HD_TRY_MSG(hd_hlo_parse(o->context, (hd_str){hlo.data, hlo.len}, "<roundtrip>", &again), "reading back the HLO text");
  hd_text_print(again->op, &options, &second);
  hd_module_free(again);
  return expect_same(&first, &second, "HLO text");
}

/* What is printed or written must read back as the same program. */
static hd_status check_roundtrip(opt *o) {
  if (hd_hlo_is(o->source)) HD_TRY(check_hlo_roundtrip(o));
  for (int i = 0; i < 4; ++i)
    HD_TRY(check_text_roundtrip(o, &(hd_text_print_options){.generic = i & 1, .locations = i >> 1}));
  return check_bytecode_roundtrip(o);
}

/* PTX, SPIR-V, or an image of simt: all from the machine form alone. */
static hd_status write_kernels(opt *o) {
  hd_pipeline verify = {0};
  hd_str text;
  HD_TRY(hd_pipeline_parse(hd_passes(), HD_STR("verify-machine-form"), &o->arena, &verify));
  HD_TRY(hd_pipeline_run(&verify, o->module, NULL, NULL));
  HD_TRY(o->emit_simt    ? hd_simt_image(o->module, &o->arena, &text)
         : o->emit_spirv ? hd_spirv_image(o->module, &o->arena, &text)
                         : hd_cuda_ptx(o->module, (int)o->emit_ptx, &o->arena, &text));
  hd_strbuf_put_str(&o->out, text);
  return HD_STATUS_OK;
}

static hd_status process(void *argument) {
  opt *o = argument;
  HD_TRY(hd_program_read(o->context, o->source, o->name, &o->module));
  if (!hd_verify(o->module->op)) return hd_failed(o->context);
  if (o->verify_roundtrip) HD_TRY(check_roundtrip(o));
  hd_pass_observer observer = {.user = o,
                               .before = before_pass,
                               .after = after_pass,
                               .note = note,
                               .is_watched = is_watched,
                               .verify_each = o->verify_each,
                               .check_takes = true,
                               .verify_preserved = o->verify_preserved};
  HD_TRY(hd_pipeline_run(&o->passes, o->module, &observer, NULL));
  if (o->emit_bytecode) return hd_bytecode_write(o->module, &o->bytecode, &o->out);
  if (o->emit_hlo) return hd_hlo_print(o->module, &o->out);
  if (o->emit_ptx || o->emit_simt || o->emit_spirv) return write_kernels(o);
  if (o->print_indexing_maps) return hd_index_print_ops(o->module, &o->out), HD_STATUS_OK;
  if (o->print_alignment) return hd_axis_print_ops(o->module, &o->out), HD_STATUS_OK;
  if (!o->verify_diagnostics) {
    hd_text_print(o->module->op, &o->print, &o->out);
    hd_strbuf_putc(&o->out, '\n'); /* as mlir-opt ends a program */
  }
  return HD_STATUS_OK;
}

/* One program; |line| is where it begins in the file. */
static hd_status run_part(opt *o, hd_str part, uint32_t line) {
  HD_TRY(hd_context_create(0, &o->context));
  hd_text_install(o->context);
  o->context->budget.deadline = o->deadline;
  o->context->allow_unregistered = o->allow_unregistered;
  o->context->sink = receive;
  o->context->sink_user = o;
  /* Empty lines stand for the parts before, so that places are those of the file. */
  char *padded = hd_arena_alloc(&o->context->arena, part.len + line);
  memset(padded, '\n', line - 1);
  if (part.len) memcpy(padded + line - 1, part.data, part.len);
  o->source = line > 1 ? (hd_str){padded, part.len + line - 1} : part;
  hd_expectations expected = {.arena = &o->arena, .file = o->name};
  if (o->verify_diagnostics) {
    hd_expectations_read(&expected, o->source);
    o->expected = &expected;
  }
  o->module = NULL;
  hd_status status = hd_guarded_call(process, o);
  size_t reported = o->context->error_count;
  if (o->module) hd_module_free(o->module);
  o->module = NULL;
  o->expected = NULL;
  hd_context_release(o->context);
  o->context = NULL;
  if (!o->verify_diagnostics) return status;
  hd_expectations_finish(&expected);
  for (size_t i = 0; i < expected.problems.len; ++i) say(o, "error", expected.problems.data[i]);
  /* A failure that gave no diagnostic is one. */
  if (hd_is_ok(status) || reported) {
    hd_status_ignore(status);
    status = HD_STATUS_OK;
  }
  return expected.problems.len
             ? hd_status_join(hd_make_status(HD_FAILED_PRECONDITION, "diagnostics differ from what was expected"),
                              status)
             : status;
}

static void print_timing(opt *o) {
  hd_strbuf text;
  hd_strbuf_init(&text, &o->arena);
  hd_strbuf_puts(&text, "pass timing, seconds");
  for (size_t i = 0; i < hd_passes()->count; ++i)
    if (o->seconds[i] > 0) hd_strbuf_printf(&text, "\n  %.6f  %s", o->seconds[i], hd_passes()->rows[i].name);
  say(o, "remark", hd_strbuf_text(&text));
}

static hd_status run(opt *o, hd_str input) {
  hd_str pipeline = {hd_strbuf_text(&o->pipeline), o->pipeline.len};
  HD_TRY_MSG(hd_pipeline_parse(hd_passes(), pipeline, &o->arena, &o->passes), "--pass-pipeline");
  if (o->target.len) hd_pipeline_set_target(&o->passes, &o->arena, o->target);
  if (o->no_graph_passes) hd_pipeline_drop_graph_passes(&o->passes);
  if ((o->emit_bytecode || o->emit_hlo) && o->split)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s writes one program, not those of --split-input-file",
                          o->emit_hlo ? "--emit-hlo" : "--emit-bytecode");
  hd_status status = HD_STATUS_OK;
  uint32_t line = 1;
  for (const char *at = input.data, *end = input.data + input.len;;) {
    const char *stop = end, *next = NULL;
    uint32_t next_line = line;
    for (const char *scan = at; o->split && !hd_bytecode_is(input.data, input.len) && scan < end;) {
      const char *newline = memchr(scan, '\n', (size_t)(end - scan));
      size_t length = (size_t)((newline ? newline : end) - scan);
      if (length >= 8 && !memcmp(scan, "// -----", 8)) {
        stop = scan;
        next = newline ? newline + 1 : end;
        ++next_line;
        break;
      }
      if (!newline) break;
      scan = newline + 1;
      ++next_line;
    }
    size_t before = o->out.len;
    status = hd_status_join(status, run_part(o, (hd_str){at, (size_t)(stop - at)}, line));
    if (!next) break;
    if (!o->verify_diagnostics && o->out.len >= before) hd_strbuf_puts(&o->out, "// -----\n");
    at = next;
    line = next_line;
  }
  if (o->timing) print_timing(o);
  return status;
}

typedef struct opt_call {
  opt *o;
  int argc;
  const char *const *argv;
  hd_str input;
} opt_call;

static hd_status guarded(void *argument) {
  opt_call *call = argument;
  for (int i = 1; i < call->argc; ++i) HD_TRY(read_option(call->o, call->argv[i]));
  return run(call->o, call->input);
}

hd_status hd_opt(int argc, const char *const *argv, const void *input, size_t size, const char *name,
                 hd_message_sink sink, hd_blob *out) {
  HD_REQUIRE(out);
  *out = (hd_blob){0};
  if (argc > 1) HD_REQUIRE(argv);
  for (int i = 1; i < argc; ++i) HD_REQUIRE(argv[i]);
  if (size) HD_REQUIRE(input);
  if (!name) name = "program";
  opt *o = calloc(1, sizeof *o);
  if (!o) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  hd_arena_init(&o->arena, NULL);
  hd_strbuf_init(&o->out, &o->arena);
  hd_strbuf_init(&o->pipeline, &o->arena);
  o->sink = sink;
  o->name = name;
  o->verify_each = true;
  o->seconds = hd_new_array(&o->arena, double, hd_passes()->count);
  opt_call call = {o, argc, argv, {input, size}};
  hd_status status = hd_guarded_call(guarded, &call);
  if (o->module) hd_module_free(o->module);
  hd_context_release(o->context);
  if (o->out.len) status = hd_status_join(status, hd_blob_of(&o->out, out));
  hd_arena_free(&o->arena);
  free(o);
  return status;
}

hd_status hd_opt_timeout(int argc, const char *const *argv, double *out_seconds) {
  HD_REQUIRE(out_seconds);
  *out_seconds = 0;
  if (argc > 1) HD_REQUIRE(argv);
  for (int i = 1; i < argc; ++i) {
    const char *value;
    HD_REQUIRE(argv[i]);
    if (value_of(argv[i], "--timeout", &value) || value_of(argv[i], "-timeout", &value))
      HD_TRY(read_seconds(value, out_seconds));
  }
  return HD_STATUS_OK;
}

hd_status hd_opt_help(hd_blob *out_text) {
  HD_REQUIRE(out_text);
  *out_text = (hd_blob){0};
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  hd_strbuf text;
  hd_strbuf_init(&text, &arena);
  hd_strbuf_puts(&text, "options\n");
  for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
    hd_strbuf_printf(&text, "  %-40s %s\n", flags[i].flag, flags[i].doc);
  hd_strbuf_puts(&text, "\npasses, in the order of the pipelines\n");
  for (size_t i = 0; i < hd_passes()->count; ++i) {
    const hd_pass_info *info = &hd_passes()->rows[i];
    hd_strbuf_printf(&text, "  --%-38s %s", info->name, info->doc);
    if (*info->aliases) hd_strbuf_printf(&text, " (also %s)", info->aliases);
    hd_strbuf_putc(&text, '\n');
    if (*info->options) hd_strbuf_printf(&text, "      options: %s\n", info->options);
  }
  hd_status status = hd_blob_of(&text, out_text);
  hd_arena_free(&arena);
  return status;
}
