/* SPDX-License-Identifier: Apache-2.0 */
/* A row is a kernel, or a call of the runtime's libraries. Its least time is that of its bytes at the speed of a copy
 * or of its flops at the FMA peak, whichever is longer: both as explain counts them, each tensor once, and a function
 * (tanh, log) as what its polynomial takes. What is lost is the rest of the time. */
#include "slow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/vec.h"
#include "execute.h"
#include "inputs.h"
#include "machine.h"
#include "program.h"

enum { RUNS = 10, MOST_THREADS_SEEN = 64 };
static const double worth_threads_us = 20, short_us = 2;
/* Of the machine's most flops a function takes the place of so many: some 20
 * instructions, each of which could be an fma. */
static const double function_flops = 40;

/* ---- sizes: the text of dims (shape/dim_text.c) as a number ---- */

typedef struct sizes {
  const char *at;
  const char *const *names;
  const int64_t *values;
  int32_t count;
} sizes;

static double sum_of(sizes *s);

static bool take(sizes *s, char c) {
  s->at += strspn(s->at, " ");
  if (*s->at != c) return false;
  ++s->at;
  return true;
}

static double factor_of(sizes *s) {
  static const char *const functions[] = {"floordiv(", "mod(", "min(", "max("};
  s->at += strspn(s->at, " ");
  if (*s->at >= '0' && *s->at <= '9') return strtod(s->at, (char **)&s->at);
  for (int i = 0; i < 4; ++i) {
    if (strncmp(s->at, functions[i], strlen(functions[i]))) continue;
    s->at += strlen(functions[i]);
    double a = sum_of(s), b = take(s, ',') ? sum_of(s) : NAN;
    if (!take(s, ')')) return NAN;
    return i == 0 ? floor(a / b) : i == 1 ? a - floor(a / b) * b : i == 2 ? fmin(a, b) : fmax(a, b);
  }
  size_t n = strcspn(s->at, " *+-,()");
  for (int32_t i = 0; i < s->count; ++i)
    if (strlen(s->names[i]) == n && !memcmp(s->names[i], s->at, n)) {
      s->at += n;
      return (double)s->values[i];
    }
  return NAN; /* the run decides */
}

static double sum_of(sizes *s) {
  double sum = 0, sign = take(s, '-') ? -1 : 1;
  for (;;) {
    double product = factor_of(s);
    while (take(s, '*')) product *= factor_of(s);
    sum += sign * product;
    sign = take(s, '+') ? 1 : take(s, '-') ? -1 : 0;
    if (sign == 0 || sum != sum) return sum;
  }
}

static double number_of(sizes s, const char *text) {
  s.at = text;
  double value = sum_of(&s);
  return *s.at ? NAN : value;
}

/* ---- what ran ---- */

typedef enum span_kind { KERNEL, LAUNCH, LIBRARY } span_kind;

typedef struct span {
  const char *name;
  span_kind kind;
  int64_t start, end, thread;
} span;

typedef struct timeline {
  hd_arena *arena;
  hd_vec(span) spans, runs;
} timeline;

static void visit(void *user, const hd_profile_span *s) {
  timeline *t = user;
  bool run = !strcmp(s->category, "execute"), launch = !strcmp(s->category, "launch"),
       kernel = !strcmp(s->category, "kernel");
  if (!run && !launch && !kernel && strcmp(s->category, "library")) return;
  span one = {hd_arena_printf(t->arena, "%s", s->name),
              launch   ? LAUNCH
              : kernel ? KERNEL
                       : LIBRARY,
              s->start_ns, s->end_ns, s->thread};
  if (run)
    hd_vec_push(t->arena, &t->runs, one);
  else
    hd_vec_push(t->arena, &t->spans, one);
}

typedef struct slow_row {
  const char *name, *kind, *reason;
  bool library;
  uint32_t launches, threads;
  double us, bytes, flops, least_us; /* of the run; NaN: not known */
} slow_row;

/* How often |row|'s kernel was launched or its call made, how long that took, and how many threads had part in it. */
static void time_row(const timeline *t, slow_row *row) {
  int64_t ns = 0, threads[MOST_THREADS_SEEN];
  for (size_t i = 0; i < t->spans.len; ++i) {
    const span *s = &t->spans.data[i];
    if (strcmp(s->name, row->name)) continue;
    if (s->kind != KERNEL) ns += s->end - s->start, ++row->launches;
    uint32_t k = 0;
    while (k < row->threads && threads[k] != s->thread) ++k;
    if (k == row->threads && k < MOST_THREADS_SEEN) threads[row->threads++] = s->thread;
  }
  row->us = (double)ns * 1e-3;
  if (row->library) row->threads = 0; /* not reported */
}

/* ---- what explain says of it ---- */

/* The sum of member |key| of the fusions that |entry| works for, for each time that it is started. Products are the
 * library's, whatever kernels stand beside them. */
static double of_fusions(const hd_json *fusions, const hd_json *entry, bool library, const char *key, sizes s) {
  const hd_json *which = hd_json_get(entry, "fusions");
  double sum = 0, places = hd_json_number(entry, "count", 0), counted = 0;
  for (size_t i = 0; which && i < which->count; ++i) {
    const hd_json *fusion = &fusions->items[which->items[i].integer];
    if (!library && !strcmp(hd_json_text(fusion, "kind", ""), "gemm")) continue;
    sum += number_of(s, hd_json_text(fusion, key, "?"));
    ++counted;
  }
  return counted && places >= 1 ? sum / places : NAN;
}

/* The bytes that |entry| moves, for each time that it is started: a kernel's own, a call's by its fusions. */
static double bytes_of(const hd_json *fusions, const hd_json *entry, bool library, sizes s) {
  if (library) return of_fusions(fusions, entry, library, "bytes", s);
  double places = hd_json_number(entry, "count", 0);
  return places >= 1 ? number_of(s, hd_json_text(entry, "bytes", "?")) / places : NAN;
}

static const hd_json *entry_of(const hd_json *list, const char *name) {
  for (size_t i = 0; list && i < list->count; ++i)
    if (!strcmp(hd_json_text(&list->items[i], "name", ""), name)) return &list->items[i];
  return NULL;
}

static bool is_true(const hd_json *object, const char *key) {
  const hd_json *member = hd_json_get(object, key);
  return member && member->boolean;
}

static bool is_unknown(double value) { return value != value; }

static void explain_row(hd_arena *arena, const hd_json *all, sizes s, const hd_cli_machine *machine, int32_t threads,
                        slow_row *row) {
  const hd_json *fusions = hd_json_get(all, "fusions"), *kernel = entry_of(hd_json_get(all, "kernels"), row->name),
                *entry = row->library ? entry_of(hd_json_get(all, "calls"), row->name) : kernel;
  const hd_json *which = entry ? hd_json_get(entry, "fusions") : NULL,
                *fusion = which && which->count ? &fusions->items[which->items[0].integer] : NULL;
  row->bytes = entry ? bytes_of(fusions, entry, row->library, s) * row->launches : NAN;
  row->flops = entry ? of_fusions(fusions, entry, row->library, "flops", s) * row->launches : NAN;
  double functions = entry ? of_fusions(fusions, entry, row->library, "functions", s) * row->launches : NAN;
  double all_flops = functions == functions ? row->flops + (function_flops - 1) * functions : row->flops;
  double of_bytes = row->bytes / machine->copy_bytes * 1e6,
         of_flops = machine->flops > 0 ? all_flops / machine->flops * 1e6 : 0;
  row->least_us = fmax(of_bytes, of_flops); /* of one that is known, where the other is not */
  row->kind = fusion ? hd_json_text(fusion, "kind", "") : row->library ? "library" : "";
  bool rows = !strcmp(row->kind, "row");
  if (row->library)
    row->reason = fusion ? hd_arena_printf(arena, "library: %s", hd_json_text(fusion, "ops", "")) : "library";
  else if (kernel && !is_true(kernel, "vectors"))
    row->reason = "scalar code";
  else if (row->threads == 1 && threads > 1 && row->us / row->launches >= worth_threads_us)
    row->reason = "one thread";
  else if (kernel && is_true(kernel, "gathers"))
    row->reason = "gathers: neighbours in the result are none in memory";
  else if (row->us / row->launches < short_us)
    row->reason = hd_arena_printf(arena, "%u launches of little work", row->launches);
  else if (rows && row->bytes / machine->copy_bytes * 1e6 < row->us / 2)
    row->reason = "re-reads: a row is walked once for each stage of reductions";
  else if (row->least_us > row->us)
    row->reason = "none: the caches are faster than memory";
  else
    row->reason = is_unknown(of_bytes) && is_unknown(of_flops) ? "not told: the run decides what it does"
                  : of_flops > of_bytes
                      ? functions > row->flops / function_flops ? "functions (tanh, log, ...)" : "arithmetic"
                      : "memory";
}

/* ---- the page ---- */

/* Nothing where caches were faster than memory. */
static double lost(const slow_row *row) {
  return row->least_us == row->least_us ? fmax(row->us - row->least_us, 0) : row->us;
}

static int by_loss(const void *a, const void *b) {
  double x = lost(a), y = lost(b);
  return x > y ? -1 : x < y ? 1 : strcmp(((const slow_row *)a)->name, ((const slow_row *)b)->name);
}

static void put_figure(hd_strbuf *out, int width, int digits, double value) {
  if (value == value)
    hd_strbuf_printf(out, " %*.*f", width, digits, value);
  else
    hd_strbuf_printf(out, " %*s", width, "-");
}

static void put_text(const slow_row *rows, size_t count, const hd_cli_machine *machine, int32_t threads, double us,
                     hd_strbuf *out) {
  int width = 6;
  for (size_t i = 0; i < count; ++i)
    if ((int)strlen(rows[i].name) > width) width = (int)strlen(rows[i].name);
  hd_strbuf_printf(out,
                   "a run of %.1f us on %d thread%s; this machine copies %.1f GB/s and does %.1f GFLOP/s on as many\n\n"
                   "  %-*s %8s %7s %10s %10s %9s %8s %9s  %s\n",
                   us, threads, threads == 1 ? "" : "s", machine->copy_bytes * 1e-9, machine->flops * 1e-9, width,
                   "kernel", "launches", "threads", "us", "lost us", "possible", "GB/s", "GFLOP/s", "reason");
  for (size_t i = 0; i < count; ++i) {
    const slow_row *r = &rows[i];
    hd_strbuf_printf(out, "  %-*s %8u %7s", width, r->name, r->launches,
                     r->threads ? hd_arena_printf(out->arena, "%u", r->threads) : "-");
    put_figure(out, 10, 1, r->us);
    put_figure(out, 10, 1, lost(r));
    if (r->least_us == r->least_us)
      hd_strbuf_printf(out, " %8.0f%%", r->us > 0 ? 100 * r->least_us / r->us : 0);
    else
      hd_strbuf_printf(out, " %9s", "-");
    put_figure(out, 8, 1, r->bytes / r->us * 1e-3);
    put_figure(out, 9, 1, r->flops / r->us * 1e-3);
    hd_strbuf_printf(out, "  %s\n", r->reason);
  }
}

static void put_json(const slow_row *rows, size_t count, const hd_cli_machine *machine, int32_t threads, double us,
                     hd_strbuf *out) {
  hd_strbuf_printf(out,
                   "{\"us\": %.3f, \"threads\": %d, \"machine\": {\"copy_bytes_per_second\": %.0f, "
                   "\"flops_per_second\": %.0f}, \"slow\": [",
                   us, threads, machine->copy_bytes, machine->flops);
  for (size_t i = 0; i < count; ++i) {
    const slow_row *r = &rows[i];
    hd_strbuf_puts(out, i ? ",\n {\"name\": " : "\n {\"name\": ");
    hd_strbuf_put_json(out, r->name);
    hd_strbuf_puts(out, ", \"kind\": ");
    hd_strbuf_put_json(out, r->kind);
    hd_strbuf_printf(out, ", \"launches\": %u, \"threads\": %u", r->launches, r->threads);
    const struct {
      const char *key;
      double value;
    } members[] = {
        {"us", r->us}, {"lost_us", lost(r)}, {"least_us", r->least_us}, {"bytes", r->bytes}, {"flops", r->flops}};
    for (size_t k = 0; k < sizeof members / sizeof *members; ++k) {
      hd_strbuf_printf(out, ", \"%s\": ", members[k].key);
      if (members[k].value == members[k].value)
        hd_strbuf_put_json_number(out, members[k].value);
      else
        hd_strbuf_puts(out, "null");
    }
    hd_strbuf_puts(out, ", \"reason\": ");
    hd_strbuf_put_json(out, r->reason);
    hd_strbuf_putc(out, '}');
  }
  hd_strbuf_puts(out, "]}\n");
}

/* ---- the run ---- */

/* Values of the program's symbols, from the inputs' dims that are one. */
static sizes sizes_of(hd_arena *arena, const hd_cli_signature *signature, const hd_cli_tensor *inputs) {
  int64_t *values = hd_new_array(arena, int64_t, (size_t)signature->symbol_count + 1);
  for (int32_t k = 0; k < signature->symbol_count; ++k)
    for (int32_t i = 0; i < signature->arg_count; ++i)
      for (int32_t d = 0; d < signature->args[i].rank; ++d)
        if (!strcmp(signature->args[i].dim_texts[d], signature->symbols[k])) values[k] = inputs[i].dims[d];
  return (sizes){NULL, signature->symbols, values, signature->symbol_count};
}

/* Only what ran within the fastest run. */
static double keep_fastest(timeline *t) {
  const span *best = NULL;
  for (size_t i = 0; i < t->runs.len; ++i)
    if (!best || t->runs.data[i].end - t->runs.data[i].start < best->end - best->start) best = &t->runs.data[i];
  size_t kept = 0;
  for (size_t i = 0; best && i < t->spans.len; ++i)
    if (t->spans.data[i].start >= best->start && t->spans.data[i].end <= best->end)
      t->spans.data[kept++] = t->spans.data[i];
  t->spans.len = kept;
  return best ? (double)(best->end - best->start) * 1e-3 : 0;
}

static hd_status run_program(hd_arena *arena, const hd_cli_options *options, hd_cli_program *program, timeline *t,
                             sizes *out_sizes) {
  hd_cli_signature signature;
  hd_cli_tensor *inputs;
  hd_runtime_profile(program->runtime, true);
  hd_status status = hd_cli_execute_for_figures(arena, program, options, RUNS, &signature, &inputs);
  hd_runtime_profile(program->runtime, false);
  hd_runtime_profile_take(program->runtime, visit, t);
  HD_TRY(status);
  *out_sizes = sizes_of(arena, &signature, inputs);
  return HD_STATUS_OK;
}

hd_status hd_cli_explain_slow(hd_arena *arena, const hd_cli_options *options, hd_str explanation, hd_strbuf *out) {
  hd_cli_program *program;
  hd_json all;
  hd_cli_machine machine;
  timeline t = {.arena = arena};
  sizes s;
  HD_TRY(hd_json_read(arena, explanation, "the explanation", &all));
  HD_TRY(hd_cli_load(arena, options, &program));
  HD_TRY(run_program(arena, options, program, &t, &s));
  int32_t threads = hd_runtime_threads(program->runtime);
  HD_TRY(hd_cli_machine_of(arena, hd_cli_cache_directory(arena, options), threads, &machine));
  double us = keep_fastest(&t);
  slow_row *rows = hd_new_array(arena, slow_row, t.spans.len + 1);
  size_t count = 0;
  for (size_t i = 0; i < t.spans.len; ++i) {
    size_t k = 0;
    while (k < count && strcmp(rows[k].name, t.spans.data[i].name)) ++k;
    if (k < count || t.spans.data[i].kind == KERNEL) continue;
    rows[count] = (slow_row){.name = t.spans.data[i].name, .library = t.spans.data[i].kind == LIBRARY};
    time_row(&t, &rows[count]);
    explain_row(arena, &all, s, &machine, threads, &rows[count++]);
  }
  qsort(rows, count, sizeof *rows, by_loss);
  (options->json ? put_json : put_text)(rows, count, &machine, threads, us, out);
  return HD_STATUS_OK;
}
