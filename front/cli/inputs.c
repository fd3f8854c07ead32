/* SPDX-License-Identifier: Apache-2.0 */
#include "inputs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "heddle/tensor_file.h"
#include "watchdog.h"

typedef struct builder {
  hd_arena *arena;
  const hd_cli_options *options;
  const hd_cli_signature *signature;
  int64_t *values;        /* per symbol, HD_DIM_UNKNOWN until given */
  const char **given_by;  /* per symbol: who gave it, for messages */
  const int64_t **shapes; /* per argument: dims given by --shape or a file, or null */
  hd_cli_tensor *out;
} builder;

static int32_t symbol_index(const builder *b, const char *name, size_t len) {
  for (int32_t i = 0; i < b->signature->symbol_count; ++i)
    if (strlen(b->signature->symbols[i]) == len && !memcmp(b->signature->symbols[i], name, len)) return i;
  return -1;
}

static const char *symbol_list(const builder *b) {
  hd_strbuf text;
  hd_strbuf_init(&text, b->arena);
  for (int32_t i = 0; i < b->signature->symbol_count; ++i)
    hd_strbuf_printf(&text, "%s'%s'", i ? ", " : "", b->signature->symbols[i]);
  return b->signature->symbol_count ? hd_strbuf_text(&text) : "none";
}

/* |by| says that the dim called |name| has a size; which of the program's is it? */
static hd_status find_symbol(const builder *b, const char *name, size_t len, const char *by, int32_t *out) {
  *out = symbol_index(b, name, len);
  if (*out >= 0) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "%s: the program has no dim '%.*s'; its named dims: %s", by, (int)len,
                        name, symbol_list(b));
}

static hd_status set_symbol(builder *b, int32_t i, int64_t value, const char *by) {
  if (b->values[i] != HD_DIM_UNKNOWN && b->values[i] != value)
    return hd_make_status(HD_INVALID_ARGUMENT, "dim '%s' is %" PRId64 " by %s, but %" PRId64 " by %s",
                          b->signature->symbols[i], b->values[i], b->given_by[i], value, by);
  b->values[i] = value;
  b->given_by[i] = by;
  return HD_STATUS_OK;
}

static bool parse_dim(const char **at, int64_t *out) {
  char *end;
  errno = 0;
  long long value = strtoll(*at, &end, 10);
  if (**at < '0' || **at > '9' || errno || end == *at) return false;
  *at = end;
  *out = value;
  return true;
}

/* b=4,s=128 */
static hd_status read_dims(builder *b, const char *text) {
  for (const char *at = text; *at;) {
    const char *equals = strchr(at, '=');
    if (!equals) return hd_make_status(HD_INVALID_ARGUMENT, "--dims: expected NAME=N,.., got '%s'", text);
    int32_t symbol;
    HD_TRY(find_symbol(b, at, (size_t)(equals - at), "--dims", &symbol));
    const char *digits = equals + 1;
    int64_t value;
    if (!parse_dim(&digits, &value) || (*digits && *digits != ','))
      return hd_make_status(HD_INVALID_ARGUMENT, "--dims: '%s': expected a size from 0 to %" PRId64 ", got '%.*s'",
                            b->signature->symbols[symbol], INT64_MAX, (int)strcspn(equals + 1, ","), equals + 1);
    if (b->values[symbol] != HD_DIM_UNKNOWN && b->values[symbol] != value && !strcmp(b->given_by[symbol], "--dims"))
      return hd_make_status(HD_INVALID_ARGUMENT, "--dims: '%s' is given twice, as %" PRId64 " and %" PRId64,
                            b->signature->symbols[symbol], b->values[symbol], value);
    HD_TRY(set_symbol(b, symbol, value, "--dims"));
    at = *digits ? digits + 1 : digits;
  }
  return HD_STATUS_OK;
}

/* "tensor<4x?xf32>" with the dims as texts. */
static const char *type_text(hd_arena *arena, const hd_cli_arg *arg) {
  hd_strbuf text;
  hd_strbuf_init(&text, arena);
  hd_strbuf_puts(&text, "tensor<");
  for (int32_t i = 0; i < arg->rank; ++i) hd_strbuf_printf(&text, "%sx", arg->dim_texts[i]);
  hd_strbuf_printf(&text, "%s>", hd_element_text(arg->type));
  return hd_strbuf_text(&text);
}

/* Takes |dims| as those of argument |i|: plain symbols get values, numbers are compared. */
static hd_status take_shape(builder *b, int32_t i, const int64_t *dims, int32_t rank, const char *by) {
  const hd_cli_arg *arg = &b->signature->args[i];
  if (rank != arg->rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "argument %d: expected %d dims (%s), got %d by %s", i, arg->rank,
                          type_text(b->arena, arg), rank, by);
  for (int32_t k = 0; k < rank; ++k) {
    const char *text = arg->dim_texts[k];
    int32_t symbol = symbol_index(b, text, strlen(text));
    /* Shapes that contradict each other are refused with the program's own message, where it has one. */
    bool first = symbol >= 0 && (b->values[symbol] == HD_DIM_UNKNOWN || !strcmp(b->given_by[symbol], "--dims"));
    if (first) HD_TRY(set_symbol(b, symbol, dims[k], by));
    const char *digits = text;
    int64_t fixed;
    if (parse_dim(&digits, &fixed) && !*digits && fixed != dims[k])
      return hd_make_status(HD_INVALID_ARGUMENT, "argument %d: dim %d: expected %" PRId64 ", got %" PRId64 " by %s", i,
                            k, fixed, dims[k], by);
  }
  int64_t *copy = hd_new_array(b->arena, int64_t, rank ? rank : 1);
  if (rank) memcpy(copy, dims, (size_t)rank * sizeof *dims);
  b->shapes[i] = copy;
  return HD_STATUS_OK;
}

/* The number in "arg12", or -1. */
static int32_t argument_number(const char *name, size_t len) {
  if (len < 4 || len > 9 || memcmp(name, "arg", 3)) return -1;
  int32_t number = 0;
  for (size_t i = 3; i < len; ++i) {
    if (name[i] < '0' || name[i] > '9') return -1;
    number = number * 10 + (name[i] - '0');
  }
  return number;
}

/* arg0=4x128 */
static hd_status read_shape(builder *b, const char *text) {
  const char *equals = strchr(text, '=');
  int32_t i = equals ? argument_number(text, (size_t)(equals - text)) : -1, rank = 0;
  if (i < 0 || i >= b->signature->arg_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "--shape: expected argN=DIMS with N below %d, got '%s'",
                          b->signature->arg_count, text);
  int64_t dims[64];
  for (const char *at = equals + 1; *at;) {
    if (rank == 64 || !parse_dim(&at, &dims[rank++]) || (*at && (*at != 'x' || !at[1])))
      return hd_make_status(HD_INVALID_ARGUMENT,
                            "--shape: expected up to 64 sizes from 0 to %" PRId64 " such as 4x128, got '%s'", INT64_MAX,
                            equals + 1);
    if (*at) ++at;
  }
  if (b->shapes[i]) return hd_make_status(HD_INVALID_ARGUMENT, "--shape: argument %d is given twice", i);
  return take_shape(b, i, dims, rank, "--shape");
}

/* Bytes for |bytes|, aligned to 64, as long as |arena| lives. RESOURCE_EXHAUSTED names |what|. */
static hd_status allocate(hd_arena *arena, size_t bytes, const char *what, void **out) {
  size_t size;
  void **kept = hd_arena_on_free(arena, free);
  *out = __builtin_add_overflow(bytes, (size_t)127, &size) ? NULL : aligned_alloc(64, size & ~(size_t)63);
  if (!*out) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory: %zu bytes for %s", bytes, what);
  *kept = *out;
  return HD_STATUS_OK;
}

static void close_file(void *file) { hd_tensor_file_close(file); }

static hd_status read_file(builder *b, const char *path) {
  hd_tensor_file *file; /* stays open: inputs are mapped */
  void **kept = hd_arena_on_free(b->arena, close_file);
  HD_TRY(hd_tensor_file_open(path, &file));
  *kept = file;
  for (size_t k = 0; k < hd_tensor_file_count(file); ++k) {
    const hd_file_tensor *tensor = hd_tensor_file_get(file, k);
    const char *name = *tensor->name ? tensor->name : "arg0"; /* a lone npy array */
    int32_t i = argument_number(name, strlen(name));
    if (!b->signature->arg_count)
      return hd_make_status(HD_INVALID_ARGUMENT, "%s: array '%s': the program takes no arguments", path, name);
    for (int32_t j = 0; i < 0 && j < b->signature->arg_count; ++j)
      if (!strcmp(b->signature->args[j].name, name)) i = j;
    if (i < 0 || i >= b->signature->arg_count) {
      int last = b->signature->arg_count - 1;
      return hd_make_status(HD_INVALID_ARGUMENT, "%s: array '%s' is no argument: expected %s", path, name,
                            last ? hd_arena_printf(b->arena, "arg0 to arg%d", last) : "arg0");
    }
    const hd_cli_arg *arg = &b->signature->args[i];
    if (b->out[i].data) return hd_make_status(HD_INVALID_ARGUMENT, "%s: argument %d is given twice", path, i);
    if (!hd_file_tensor_is(tensor, arg->type))
      return hd_make_status(HD_INVALID_ARGUMENT, "%s: array '%s': expected elements of type %s, got %s", path, name,
                            hd_element_text(arg->type),
                            tensor->type ? hd_element_text(tensor->type)
                                         : hd_arena_printf(b->arena, "%zu-byte voids", tensor->element_bytes));
    HD_TRY(take_shape(b, i, tensor->dims, tensor->rank, hd_arena_printf(b->arena, "%s", path)));
    void *data = (void *)hd_file_tensor_map(tensor);
    if (!data) {
      HD_TRY(allocate(b->arena, tensor->bytes, name, &data));
      HD_TRY(hd_file_tensor_read(tensor, data));
    }
    b->out[i] = (hd_cli_tensor){arg->type, tensor->rank, b->shapes[i], data, tensor->bytes};
  }
  return HD_STATUS_OK;
}

/* 2=0.02,4-7=0.5 into one factor per argument. */
static hd_status read_scales(builder *b, const char *text, double *scales) {
  for (const char *at = text; *at;) {
    int64_t first, last;
    if (!parse_dim(&at, &first)) goto bad;
    last = first;
    if (*at == '-' && (++at, !parse_dim(&at, &last))) goto bad;
    if (*at++ != '=' || first > last || last >= b->signature->arg_count) goto bad;
    char *end;
    double scale = strtod(at, &end);
    if (end == at || (*end && *end != ',') || !(scale > -1e300 && scale < 1e300)) goto bad;
    for (int64_t i = first; i <= last; ++i) scales[i] = scale;
    at = *end ? end + 1 : end;
  }
  return HD_STATUS_OK;
bad:
  return hd_make_status(HD_INVALID_ARGUMENT,
                        "--random-scale: expected such as 2=0.02,4-7=0.5 with arguments below %d, got '%s'",
                        b->signature->arg_count, text);
}

static bool has_zero(const int64_t *dims, int32_t rank) {
  for (int32_t k = 0; k < rank; ++k)
    if (!dims[k]) return true;
  return false;
}

/* Names the largest dim: the one that a person gave too large. */
static hd_status too_large(builder *b, int32_t i, const int64_t *dims) {
  const hd_cli_arg *arg = &b->signature->args[i];
  int32_t most = 0;
  for (int32_t k = 1; k < arg->rank; ++k)
    if (dims[k] > dims[most]) most = k;
  return hd_make_status(HD_INVALID_ARGUMENT,
                        "argument %d (%s) has more bytes than memory can address: dim %d, %s, is %" PRId64, i,
                        type_text(b->arena, arg), most, arg->dim_texts[most], dims[most]);
}

static hd_status make_random(builder *b, int32_t i, double scale, uint32_t limit) {
  const hd_cli_arg *arg = &b->signature->args[i];
  const int64_t *dims = b->shapes[i];
  if (!dims) {
    int64_t *made = hd_new_array(b->arena, int64_t, arg->rank ? arg->rank : 1);
    HD_TRY(b->signature->dims_of(b->signature->user, i, b->values, made));
    dims = made;
  }
  size_t count = 1, bytes;
  for (int32_t k = 0; k < arg->rank; ++k) {
    if (dims[k] == HD_DIM_UNKNOWN)
      return hd_make_status(HD_INVALID_ARGUMENT,
                            "argument %d (%s): dim '%s' has no size: give --dims or --shape; named dims: %s", i,
                            type_text(b->arena, arg), arg->dim_texts[k], symbol_list(b));
    if (dims[k] < 0)
      return hd_make_status(HD_INVALID_ARGUMENT, "argument %d: dim %d: expected 0 or more, got %" PRId64, i, k,
                            dims[k]);
    if (__builtin_mul_overflow(count, (size_t)dims[k], &count) && !has_zero(dims, arg->rank))
      return too_large(b, i, dims);
  }
  if (has_zero(dims, arg->rank)) count = 0;
  if (__builtin_mul_overflow(count, hd_element_bytes(arg->type), &bytes)) return too_large(b, i, dims);
  void *data;
  HD_TRY(allocate(b->arena, bytes, type_text(b->arena, arg), &data));
  b->out[i] = (hd_cli_tensor){arg->type, arg->rank, dims, data, bytes};
  HD_TRY(hd_random_fill(arg->type, b->options->seed, (uint64_t)i, limit, count, data));
  return scale == 1 ? HD_STATUS_OK : hd_random_scale(arg->type, scale, count, data);
}

bool hd_cli_has_inputs(const hd_cli_options *options) {
  return options->inputs.len || options->random || options->dims.len || options->shape.len;
}

static hd_status make_inputs(hd_arena *arena, const hd_cli_options *options, const hd_cli_signature *signature,
                             const hd_cli_variation *variation, hd_cli_tensor *out) {
  int32_t args = signature->arg_count, symbols = signature->symbol_count;
  builder b = {arena,
               options,
               signature,
               hd_new_array(arena, int64_t, symbols + 1),
               hd_new_array(arena, const char *, symbols + 1),
               hd_new_array(arena, const int64_t *, args + 1),
               out};
  double *scales = hd_new_array(arena, double, args + 1);
  for (int32_t i = 0; i < symbols; ++i) b.values[i] = HD_DIM_UNKNOWN;
  for (int32_t i = 0; i < args; ++i) {
    out[i] = (hd_cli_tensor){0};
    scales[i] = variation && variation->scales ? variation->scales[i] : 1;
  }
  if (args && !options->inputs.len && !options->random)
    return hd_make_status(
        HD_INVALID_ARGUMENT,
        "the program takes %d input%s: give --inputs FILE.npz, or --random SEED with --dims (named dims: %s)", args,
        args == 1 ? "" : "s", symbol_list(&b));
  for (size_t i = 0; variation && i < variation->dim_count; ++i) {
    const hd_named_dim *dim = &variation->dims[i];
    int32_t symbol;
    HD_TRY(find_symbol(&b, dim->name, strlen(dim->name), variation->by, &symbol));
    HD_TRY(set_symbol(&b, symbol, dim->size, variation->by));
  }
  for (size_t i = 0; i < options->dims.len; ++i) HD_TRY(read_dims(&b, options->dims.data[i]));
  for (size_t i = 0; i < options->shape.len; ++i) HD_TRY(read_shape(&b, options->shape.data[i]));
  for (size_t i = 0; i < options->inputs.len; ++i) HD_TRY(read_file(&b, options->inputs.data[i]));
  for (size_t i = 0; i < options->random_scale.len; ++i) HD_TRY(read_scales(&b, options->random_scale.data[i], scales));
  for (int32_t i = 0; i < args; ++i) {
    if (out[i].data) continue;
    if (!options->random)
      return hd_make_status(HD_INVALID_ARGUMENT, "argument %d (%s) is missing: no array 'arg%d' in the input files", i,
                            type_text(arena, &signature->args[i]), i);
    uint32_t limit = variation && variation->limits ? variation->limits[i] : 0;
    if (!limit) limit = options->random_max < UINT32_MAX ? (uint32_t)options->random_max : UINT32_MAX;
    HD_TRY(make_random(&b, i, scales[i], limit));
  }
  return HD_STATUS_OK;
}

hd_status hd_cli_write_outputs(const char *path, const hd_cli_tensor *tensors, int32_t count) {
  hd_npz_writer *writer;
  HD_TRY(hd_npz_create(path, &writer));
  for (int32_t i = 0, n = 0; i < count; ++i) {
    if (tensors[i].type == HD_ELEMENT_TOKEN) continue;
    char name[32];
    snprintf(name, sizeof name, "out%d", n++);
    hd_status status = hd_npz_add(writer, name, tensors[i].type, tensors[i].rank, tensors[i].dims, tensors[i].data);
    if (!hd_is_ok(status)) {
      hd_npz_abandon(writer);
      return status;
    }
  }
  return hd_npz_close(writer);
}

hd_status hd_cli_make_inputs(hd_arena *arena, const hd_cli_options *options, const hd_cli_signature *signature,
                             const hd_cli_variation *variation, hd_cli_tensor *out) {
  hd_cli_watch_phase("reading the inputs");
  hd_status status = make_inputs(arena, options, signature, variation, out);
  hd_cli_watch_phase(NULL);
  return status;
}
