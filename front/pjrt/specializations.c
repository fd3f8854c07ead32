/* SPDX-License-Identifier: Apache-2.0 */
/* From a program to its code. A framework hands over one static program per shape: a specialization. Programs that
 * differ in sizes alone are a shape class, whose key is a hash of the program without its sizes. In this order:
 *
 *   the cache on disk       has the very bytes;
 *   code of this process    fits: a general program of the class whose rule admits these sizes, or a program that
 *                           differs in locations alone;
 *   a general program       is compiled, with unknown dims, for the second program of a class and all that follow;
 *   else                    the program is compiled as it is.
 *
 * A difference that sizes do not explain makes another class, or code of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../compiler/compiler.h"
#include "base/clock.h"
#include "base/hash128.h"
#include "plugin.h"

enum { MAX_MEMBERS = 64, MAX_SAMPLES = 6, MAX_FAILURES = 3, MAX_PROGRAM_BYTES = 64 << 20 };

typedef struct member {
  hd_shape_form *form;
  hd_pjrt_code *code;        /* of this very program; retained */
  const hd_shape_rule *rule; /* a variant's, where the code is general */
} member;

typedef struct variant {
  struct variant *next;
  hd_shape_rule *rule;
  hd_pjrt_code *code; /* retained */
} variant;

typedef struct shape_class {
  struct shape_class *next;
  uint8_t key[16];
  member *members; /* grows to MAX_MEMBERS */
  size_t member_count;
  variant *variants;
  int failures; /* attempts at a general program that failed */
} shape_class;

enum { BUCKETS = 256 };

struct hd_pjrt_specializations {
  const hd_compiler *compiler; /* once open */
  shape_class *buckets[BUCKETS];
};

static void count(PJRT_Client *client, hd_pjrt_counter counter) { atomic_fetch_add(&client->counters[counter], 1); }

static void add_counts(PJRT_Client *client, void *user) {
  int64_t *out = user;
  for (int i = 0; i < HD_PJRT_COUNTERS; ++i) out[i] += atomic_load(&client->counters[i]);
}

void hd_pjrt_count(int64_t *out) {
  memset(out, 0, HD_PJRT_COUNTERS * sizeof *out);
  hd_pjrt_each_client(add_counts, out);
}

/* ---- shape classes ----------------------------------------------------------------------------------------------- */

hd_status hd_pjrt_specializations_create(struct hd_pjrt_specializations **out) {
  *out = calloc(1, sizeof **out);
  return *out ? HD_STATUS_OK : hd_pjrt_out_of_memory();
}

void hd_pjrt_specializations_free(PJRT_Client *client) {
  struct hd_pjrt_specializations *specializations = client->specializations;
  if (!specializations) return;
  const hd_compiler *compiler = specializations->compiler;
  for (int b = 0; b < BUCKETS; ++b)
    for (shape_class *f = specializations->buckets[b], *next; f; f = next) {
      next = f->next;
      for (size_t i = 0; i < f->member_count; ++i) {
        compiler->hd_shape_form_release(f->members[i].form);
        hd_pjrt_code_release(client, f->members[i].code);
      }
      for (variant *v = f->variants, *after; v; v = after) {
        after = v->next;
        compiler->hd_shape_rule_release(v->rule);
        hd_pjrt_code_release(client, v->code);
        free(v);
      }
      free(f->members);
      free(f);
    }
  free(specializations);
  client->specializations = NULL;
}

hd_status hd_pjrt_open_compiler(PJRT_Client *client, const hd_compiler **out) {
  HD_TRY(hd_compiler_open(out));
  pthread_mutex_lock(&client->mutex);
  client->specializations->compiler = *out;
  pthread_mutex_unlock(&client->mutex);
  return HD_STATUS_OK;
}

/* One request for code. */
typedef struct request {
  PJRT_Client *client;
  const PJRT_Program *given;
  const hd_pjrt_options *options;
  const uint8_t *key;
  const hd_compiler *compiler;
  hd_shape_form *form; /* null when the program has none */
  double start;
} request;

/* The class of the request's program and options, made when missing; null when memory is short. Under the lock. */
static shape_class *class_of(const request *r) {
  PJRT_Client *client = r->client;
  hd_hash128_state state;
  hd_hash128_init(&state);
  hd_hash128_add(&state, r->compiler->hd_shape_form_key(r->form), 16);
  hd_hash128_add(&state, &r->options->code, sizeof r->options->code);
  hd_hash128 key = hd_hash128_finish(&state);
  shape_class **bucket = &client->specializations->buckets[key.bytes[0] % BUCKETS];
  for (shape_class *f = *bucket; f; f = f->next)
    if (!memcmp(f->key, key.bytes, 16)) return f;
  shape_class *f = calloc(1, sizeof *f);
  if (!f) return NULL;
  memcpy(f->key, key.bytes, 16);
  f->next = *bucket;
  return *bucket = f;
}

/* The dims of the form's arguments, then of what |rule| (null: nothing) feeds, and that itself. */
static hd_status make_fit(const request *r, const hd_shape_rule *rule, const hd_executable *e, hd_pjrt_fit *out) {
  const hd_compiler *compiler = r->compiler;
  size_t rank, dims = 0, size = 0, lifted = compiler->hd_shape_rule_lifted(rule), first = 0;
  for (; compiler->hd_shape_form_argument(r->form, first, &rank); ++first) dims += rank;
  for (size_t i = 0; i < lifted; ++i) {
    hd_shape_constant c = compiler->hd_shape_rule_feeds(rule, r->form, i);
    size_t bytes = hd_element_bytes(hd_executable_input(e, (int32_t)(first + i)).type);
    for (size_t d = 0; d < c.rank; ++d) bytes *= (size_t)c.dims[d];
    dims += c.rank;
    size += bytes;
  }
  *out = (hd_pjrt_fit){malloc(dims * sizeof *out->dims + 1), dims, lifted, malloc(size + 1), size};
  if (!out->dims || !out->lifted) return hd_pjrt_out_of_memory();
  int64_t *dim = out->dims;
  char *at = out->lifted;
  const int64_t *from;
  for (size_t i = 0; (from = compiler->hd_shape_form_argument(r->form, i, &rank)); ++i)
    for (size_t d = 0; d < rank; ++d) *dim++ = from[d];
  for (size_t i = 0; i < lifted; ++i) {
    hd_shape_constant c = compiler->hd_shape_rule_feeds(rule, r->form, i);
    size_t bytes = hd_element_bytes(hd_executable_input(e, (int32_t)(first + i)).type);
    for (size_t d = 0; d < c.rank; ++d) bytes *= (size_t)(*dim++ = c.dims[d]);
    for (size_t part; bytes; bytes -= part, at += part) {
      part = c.size < bytes ? c.size : bytes;
      memcpy(at, c.data, part);
    }
  }
  return HD_STATUS_OK;
}

static void log_line(const request *r, const hd_pjrt_code *code, const char *how) {
  if (!r->client->log) return;
  long long n[HD_PJRT_COUNTERS];
  for (int i = 0; i < HD_PJRT_COUNTERS; ++i) n[i] = atomic_load(&r->client->counters[i]);
  fprintf(stderr, "heddle: %s: %s in %.1f ms; so far %lld compiled, %lld general, %lld shared, %lld cached\n",
          hd_executable_module(code->executable), how, 1e3 * hd_clock_seconds() - r->start, n[HD_PJRT_COMPILED],
          n[HD_PJRT_GENERALIZED], n[HD_PJRT_SHARED], n[HD_PJRT_CACHED]);
}

static hd_status compile(const request *r, const void *program, size_t size, const uint8_t key[16],
                         hd_pjrt_code **out) {
  hd_compile_options options = HD_COMPILE_OPTIONS_INIT;
  options.cache_dir = r->client->cache_path;
  options.custom_call_provided = hd_custom_call_registered; /* the compiler has a runtime of its own */
  options.target = r->client->target;
  options.numerics = r->options->code.numerics;
  options.no_graph_passes = r->options->code.no_graph_passes;
  options.library_products = r->options->code.library_products;
  if (*r->options->code.pass_options) options.pass_options = r->options->code.pass_options;
  options.math = r->options->code.exact_math ? "exact" : "fast";
  options.timeout_s = r->options->timeout_s;
  options.memory_limit = r->options->memory_limit;
  options.dump_to = r->options->dump_to;
  if (options.dump_to) options.cache_dir = NULL; /* what comes from there is not compiled, and leaves nothing to see */
  hd_blob artifact;
  hd_message_sink no_sink = {0};
  HD_TRY(r->compiler->hd_compile(program, size, "program", &options, no_sink, &artifact));
  hd_status status = hd_pjrt_code_load(r->client, key, artifact.data, artifact.size, out);
  if (hd_is_ok(status) && r->client->cache)
    hd_status_ignore(hd_cache_put(r->client->cache, key, artifact.data, artifact.size));
  r->compiler->hd_blob_free(&artifact);
  return status;
}

/* Code that is there and fits; |*out_rule| as well where it is general. */
static bool find_shared(const request *r, hd_pjrt_code **out, const hd_shape_rule **out_rule) {
  const uint8_t *identity = r->compiler->hd_shape_form_identity(r->form);
  *out = NULL;
  pthread_mutex_lock(&r->client->mutex);
  shape_class *f = class_of(r);
  for (size_t i = 0; f && i < f->member_count && !*out; ++i)
    if (!memcmp(r->compiler->hd_shape_form_identity(f->members[i].form), identity, 16))
      *out = f->members[i].code, *out_rule = f->members[i].rule;
  for (variant *v = f ? f->variants : NULL; v && !*out; v = v->next)
    if (r->compiler->hd_shape_rule_admits(v->rule, r->form)) *out = v->code, *out_rule = v->rule;
  if (*out) hd_pjrt_code_retain_locked(*out);
  pthread_mutex_unlock(&r->client->mutex);
  return *out != NULL;
}

/* A program that says its results' sizes must not lose them: the code gives them for the request's dims. */
static hd_status check_results(const hd_executable *e, int64_t *dims) {
  size_t ins = (size_t)hd_executable_input_count(e), outs = (size_t)hd_executable_output_count(e), total = 0;
  for (size_t i = 0; i < outs; ++i) total += (size_t)hd_executable_output(e, (int32_t)i).rank;
  int64_t *results = malloc(total * sizeof *results + 1);
  const int64_t **in = malloc((ins + 1) * sizeof *in);
  int64_t **out = malloc((outs + 1) * sizeof *out);
  hd_status status = results && in && out ? HD_STATUS_OK : hd_pjrt_out_of_memory();
  if (hd_is_ok(status)) {
    for (size_t i = 0, at = 0; i < ins; at += (size_t)hd_executable_input(e, (int32_t)i).rank, ++i) in[i] = dims + at;
    for (size_t i = 0, at = 0; i < outs; at += (size_t)hd_executable_output(e, (int32_t)i).rank, ++i)
      out[i] = results + at;
    status = hd_executable_output_shapes(e, in, out);
  }
  for (size_t i = 0; hd_is_ok(status) && i < total; ++i)
    if (results[i] == HD_DIM_UNKNOWN)
      status = hd_make_status(HD_FAILED_PRECONDITION, "a result's size follows from data");
  free(results);
  free(in);
  free(out);
  return status;
}

/* The general program of the class's members and this one, and its code. Failure leaves nothing: then the program is
 * compiled as it is. |forms| are members', which live as long as the client. */
static hd_status make_general(const request *r, const hd_shape_form *const *forms, size_t count,
                              hd_shape_rule **out_rule, hd_pjrt_code **out, hd_pjrt_fit *out_fit) {
  hd_blob program;
  hd_message_sink no_sink = {0};
  *out = NULL;
  HD_TRY(r->compiler->hd_generalize(forms, count, no_sink, &program, out_rule));
  hd_hash128_state state;
  hd_hash128_init(&state);
  hd_hash128_add_string(&state, "general");
  hd_hash128_add_string(&state, hd_compiler_identity());
  hd_hash128_add_string(&state, r->client->target ? r->client->target : "");
  hd_hash128_add(&state, &r->options->code, sizeof r->options->code);
  hd_hash128_add(&state, program.data, program.size);
  uint64_t features = hd_cpu_features();
  hd_hash128_add(&state, &features, sizeof features);
  hd_hash128 key = hd_hash128_finish(&state);
  hd_status status = compile(r, program.data, program.size, key.bytes, out);
  r->compiler->hd_blob_free(&program);
  if (hd_is_ok(status)) {
    status = make_fit(r, *out_rule, (*out)->executable, out_fit);
    if (hd_is_ok(status)) status = check_results((*out)->executable, out_fit->dims);
    if (hd_is_ok(status)) return status;
    hd_pjrt_fit_free(out_fit);
    hd_pjrt_code_release(r->client, *out);
    *out = NULL;
  }
  r->compiler->hd_shape_rule_release(*out_rule);
  *out_rule = NULL;
  return status;
}

/* Members that one general program may have as instances together with the request: those that have the most constants
 * in common with it, the latest. Under the lock. */
static size_t find_samples(const request *r, const shape_class *f, const hd_shape_form **forms) {
  size_t least = SIZE_MAX, count = 0;
  for (size_t i = 0; i < f->member_count; ++i) {
    size_t unlike = r->compiler->hd_shape_form_unlike(f->members[i].form, r->form);
    if (unlike < least) least = unlike;
  }
  for (size_t i = f->member_count; least < SIZE_MAX && i-- && count < MAX_SAMPLES;)
    if (r->compiler->hd_shape_form_unlike(f->members[i].form, r->form) == least) forms[count++] = f->members[i].form;
  return count;
}

static bool try_general(const request *r, const hd_shape_rule **out_rule, hd_pjrt_code **out, hd_pjrt_fit *out_fit) {
  const hd_shape_form *forms[MAX_SAMPLES + 1];
  size_t count = 0;
  pthread_mutex_lock(&r->client->mutex);
  shape_class *f = class_of(r);
  if (f && f->failures < MAX_FAILURES) count = find_samples(r, f, forms);
  pthread_mutex_unlock(&r->client->mutex);
  if (!count) return false;
  const hd_shape_form *latest[] = {forms[0], r->form};
  forms[count++] = r->form;
  hd_shape_rule *rule = NULL;
  hd_status status = make_general(r, forms, count, &rule, out, out_fit);
  if (!hd_is_ok(status) && count > 2) { /* perhaps with the latest member alone */
    hd_status_free(status);
    status = make_general(r, latest, 2, &rule, out, out_fit);
  }
  if (!hd_is_ok(status) && r->client->log)
    fprintf(stderr, "heddle: no general program: %s\n", hd_status_message(status));
  variant *v = hd_is_ok(status) ? malloc(sizeof *v) : NULL;
  pthread_mutex_lock(&r->client->mutex);
  if (v) {
    *v = (variant){f->variants, rule, hd_pjrt_code_retain_locked(*out)};
    f->variants = v;
  } else {
    ++f->failures;
  }
  pthread_mutex_unlock(&r->client->mutex);
  if (hd_is_ok(status) && !v) { /* no memory to keep it */
    r->compiler->hd_shape_rule_release(rule);
    hd_pjrt_code_release(r->client, *out);
    hd_pjrt_fit_free(out_fit);
    *out = NULL;
  }
  hd_status_free(status);
  *out_rule = v ? rule : NULL;
  return v;
}

/* Adds the program to its class, for those that come later. */
static void add_member(request *r, hd_pjrt_code *code, const hd_shape_rule *rule) {
  pthread_mutex_lock(&r->client->mutex);
  shape_class *f = class_of(r);
  size_t n = f ? f->member_count : MAX_MEMBERS;
  if (n < MAX_MEMBERS && (!n || (n >= 4 && !(n & (n - 1))))) { /* room for 4, then twice as many */
    member *more = realloc(f->members, (n ? 2 * n : 4) * sizeof *more);
    if (more) f->members = more;
    if (!more) n = MAX_MEMBERS;
  }
  if (n < MAX_MEMBERS) {
    f->members[f->member_count++] = (member){r->form, hd_pjrt_code_retain_locked(code), rule};
    r->form = NULL;
  }
  pthread_mutex_unlock(&r->client->mutex);
}

/* Compiled as it is, and now. */
static bool is_alone(const request *r) { return r->options->alone || r->options->dump_to; }

static hd_status find_or_compile(request *r, hd_pjrt_code **out, hd_pjrt_fit *out_fit) {
  const hd_shape_rule *rule = NULL;
  const char *how = "compiled";
  HD_TRY(hd_pjrt_open_compiler(r->client, &r->compiler));
  hd_message_sink no_sink = {0};
  if (r->client->generalize && !is_alone(r) && r->given->code_size <= MAX_PROGRAM_BYTES)
    hd_status_ignore(
        r->compiler->hd_shape_form_create(r->given->code, r->given->code_size, "program", NULL, no_sink, &r->form));
  if (r->form && find_shared(r, out, &rule)) {
    count(r->client, HD_PJRT_SHARED);
    how = rule ? "shares general code" : "shares code";
    if (rule) HD_TRY(make_fit(r, rule, (*out)->executable, out_fit));
  } else if (r->form && try_general(r, &rule, out, out_fit)) {
    count(r->client, HD_PJRT_GENERALIZED);
    how = "compiled for unknown dims";
  } else {
    uint8_t key[16];
    memcpy(key, r->key, sizeof key);
    key[15] ^= 0x80; /* the record has the program's own */
    HD_TRY(compile(r, r->given->code, r->given->code_size, key, out));
    count(r->client, HD_PJRT_COMPILED);
  }
  hd_pjrt_record_write(r->client, r->key, *out, out_fit);
  log_line(r, *out, how);
  if (r->form && strncmp(how, "shares", 6)) add_member(r, *out, rule);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_code_for(PJRT_Client *client, const PJRT_Program *given, const hd_pjrt_options *options,
                           const uint8_t key[16], hd_pjrt_code **out, hd_pjrt_fit *out_fit) {
  request r = {.client = client, .given = given, .options = options, .key = key, .start = 1e3 * hd_clock_seconds()};
  *out = NULL;
  *out_fit = (hd_pjrt_fit){0};
  if (options->foreign && client->log)
    fprintf(stderr, "heddle: %d compile options of XLA's own are without effect\n", options->foreign);
  if (!is_alone(&r) && hd_pjrt_record_find(client, key, out, out_fit)) {
    count(client, HD_PJRT_CACHED);
    log_line(&r, *out, "from the cache");
    return HD_STATUS_OK;
  }
  hd_status status = find_or_compile(&r, out, out_fit);
  if (r.form) r.compiler->hd_shape_form_release(r.form);
  if (hd_is_ok(status)) return status;
  if (*out) hd_pjrt_code_release(client, *out);
  *out = NULL;
  hd_pjrt_fit_free(out_fit);
  return status;
}
