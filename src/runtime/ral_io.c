/* SPDX-License-Identifier: Apache-2.0 */
/* Built-in RAL APIs with tensors: inputs, outputs, printing. One body serves all ranks and element types: a descriptor
 * is read as words, and each rank has a wrapper that knows its length. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/element_types.h"
#include "runtime/objects.h"
#include "runtime/ral_api.h"

/* MLIR's strided descriptor of any rank: sizes, then strides, follow. */
typedef struct descriptor {
  char *allocated, *aligned;
  int64_t offset;
  int64_t numbers[];
} descriptor;

static void recv_input(hd_ral_context *ctx, int64_t index, int32_t rank, descriptor *out) {
  const hd_artifact_entry *entry = ctx->executable->entry;
  memset(out, 0, sizeof *out + 2 * (size_t)rank * sizeof(int64_t));
  if (ctx->head.failed) return;
  if (index < 0 || index >= (int64_t)entry->input_count || (int32_t)entry->inputs[index].rank != rank) {
    hd_ral_fail(ctx, hd_make_status(HD_INTERNAL, "input %" PRId64 " of rank %d is not in the signature", index, rank));
    return;
  }
  const hd_buffer *input = ctx->inputs[index];
  out->allocated = out->aligned = input->data;
  int64_t stride = 1;
  for (int32_t i = rank; i-- > 0;) {
    out->numbers[i] = input->dims[i];
    out->numbers[rank + i] = stride;
    stride *= input->elements ? input->dims[i] : 1;
  }
}

/* ---- outputs --------------------------------------------------------------------------------------------------- */

typedef struct result {
  hd_element_type type;
  int32_t rank;
  const int64_t *dims, *strides;
  char *allocated, *data;
  int64_t elements;
  size_t bytes;
  bool dense;
} result;

/* Of a device, whose memory the host cannot use: by way of the host, with all that is between the elements. */
static hd_status copy_strided_by_host(hd_ral_context *ctx, const result *r, void *destination) {
  hd_driver *driver = ctx->runtime->driver;
  int64_t size = (int64_t)hd_element_bytes(r->type), first = 0, last = 0;
  for (int32_t i = 0; i < r->rank; ++i)
    *(r->strides[i] < 0 ? &first : &last) += (r->dims[i] - 1) * r->strides[i] * size;
  size_t span = (size_t)(last - first + size);
  char *memory = malloc(span + r->bytes);
  if (!memory) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory for a dense copy of %zu bytes", r->bytes);
  hd_status status = hd_stream_copy(driver, ctx->stream, memory, r->data + first, span);
  status = hd_status_join(status, hd_stream_wait(driver, ctx->stream));
  if (hd_is_ok(status)) {
    hd_copy_strided(memory + span, memory - first, (size_t)size, r->rank, r->dims, r->strides);
    status = hd_stream_copy(driver, ctx->stream, destination, memory + span, r->bytes);
    status = hd_status_join(status, hd_stream_wait(driver, ctx->stream));
  }
  free(memory);
  return status;
}

static hd_status copy_result(hd_ral_context *ctx, const result *r, void *destination) {
  if (!r->bytes || destination == r->data) return HD_STATUS_OK;
  ++ctx->stats.copies;
  if (r->dense) return hd_stream_copy(ctx->runtime->driver, ctx->stream, destination, r->data, r->bytes);
  if (!(ctx->runtime->driver->vtable->caps & HD_DRIVER_HOST_MEMORY)) return copy_strided_by_host(ctx, r, destination);
  hd_copy_strided(destination, r->data, hd_element_bytes(r->type), r->rank, r->dims, r->strides);
  return HD_STATUS_OK;
}

static void dims_text(char *out, size_t size, int32_t rank, const int64_t *dims) {
  size_t used = 0;
  *out = 0;
  for (int32_t i = 0; i < rank && used < size; ++i)
    used += (size_t)snprintf(out + used, size - used, "%s%" PRId64, i ? "x" : "", dims[i]);
}

static hd_status fill_callers(hd_ral_context *ctx, const result *r, hd_buffer *own) {
  if (own->rank != r->rank || (r->rank && memcmp(own->dims, r->dims, (size_t)r->rank * sizeof *r->dims))) {
    char has[200], got[200];
    dims_text(has, sizeof has, own->rank, own->dims);
    dims_text(got, sizeof got, r->rank, r->dims);
    return hd_make_status(HD_INVALID_ARGUMENT, "the caller's buffer is %s, the result is %s", has, got);
  }
  return copy_result(ctx, r, own->data);
}

/* The donated input that |data| is the start of, or null. */
static hd_buffer *donated_input(hd_ral_context *ctx, const void *data) {
  for (uint32_t i = 0; ctx->options->donated && i < ctx->executable->entry->input_count; ++i)
    if (ctx->options->donated[i] && !ctx->executable->bound[i] && ctx->inputs[i]->data == data) return ctx->inputs[i];
  return NULL;
}

static hd_status make_output(hd_ral_context *ctx, const result *r, hd_buffer **out) {
  hd_live *entry = hd_live_find(ctx, r->allocated);
  /* The program's last reference moves to the output, unless most of the block would be idle. */
  bool fits = entry && (r->bytes >= entry->capacity / 2 || entry->capacity <= 65536);
  if (entry && entry->output < 0 && !entry->host && entry->references == 1 && r->dense && fits) {
    HD_TRY(hd_buffer_make(ctx->runtime, r->type, r->rank, r->dims, NULL, r->data, out));
    (*out)->block = entry->data;
    (*out)->capacity = entry->capacity;
    ctx->bytes_live -= entry->capacity;
    hd_live_remove(ctx, entry);
    return HD_STATUS_OK;
  }
  hd_buffer *donor = r->dense && r->bytes ? donated_input(ctx, r->allocated) : NULL;
  if (donor) {
    HD_TRY(hd_buffer_make(ctx->runtime, r->type, r->rank, r->dims, NULL, r->data, out));
    /* The owner of the memory itself: what is donated again and again makes no chain. */
    (*out)->parent = hd_buffer_retain(donor->parent ? donor->parent : donor);
    return HD_STATUS_OK;
  }
  HD_TRY(hd_buffer_create_for(ctx->runtime, ctx->work, r->type, r->rank, r->dims, out));
  return copy_result(ctx, r, (*out)->data);
}

static hd_status send_checked(hd_ral_context *ctx, int64_t index, int32_t rank, const descriptor *in) {
  const hd_artifact_entry *entry = ctx->executable->entry;
  if (index < 0 || index >= (int64_t)entry->output_count || (int32_t)entry->outputs[index].rank != rank ||
      ctx->sent[index])
    return hd_make_status(HD_INTERNAL, "output %" PRId64 " of rank %d is not in the signature or was sent before",
                          index, rank);
  result r = {.type = entry->outputs[index].type,
              .rank = rank,
              .dims = in->numbers,
              .strides = in->numbers + rank,
              .allocated = in->allocated};
  HD_TRY_MSG(hd_tensor_size(r.type, rank, r.dims, &r.elements, &r.bytes), "output %" PRId64, index);
  r.data = in->aligned ? in->aligned + in->offset * (int64_t)hd_element_bytes(r.type) : NULL;
  r.dense = true;
  int64_t stride = 1;
  for (int32_t i = rank; i-- > 0;) {
    r.dense &= r.dims[i] == 1 || r.strides[i] == stride;
    stride *= r.elements ? r.dims[i] : 1;
  }
  if (!r.elements) r.dense = true;
  hd_buffer *own = ctx->outputs[index];
  if (own)
    HD_TRY_MSG(fill_callers(ctx, &r, own), "output %" PRId64, index);
  else
    HD_TRY_MSG(make_output(ctx, &r, &ctx->outputs[index]), "output %" PRId64, index);
  ctx->sent[index] = true;
  /* When the block moved, this finds nothing. */
  if (own || ctx->outputs[index]->block != in->allocated) hd_ral_give(ctx, in->allocated);
  return HD_STATUS_OK;
}

static void send_output(hd_ral_context *ctx, int64_t index, int32_t rank, const descriptor *in) {
  if (ctx->head.failed) return;
  hd_status status = send_checked(ctx, index, rank, in);
  if (!hd_is_ok(status)) hd_ral_fail(ctx, status);
}

/* ---- printing -------------------------------------------------------------------------------------------------- */

enum { MOST_PRINTED = 10000 };

/* Digits that give the number again. */
static int digits_of(hd_element_type type) { return type == HD_ELEMENT_F64 ? 17 : 9; }

static void put_element(FILE *out, hd_element_type type, const void *data) {
  hd_element_type part = hd_element_part(type);
  if (part != type) {
    const char *imaginary = (const char *)data + hd_element_bytes(part);
    fprintf(out, "(%.*g, %.*g)", digits_of(part), hd_element_as_double(part, data), digits_of(part),
            hd_element_as_double(part, imaginary));
  } else if (type == HD_ELEMENT_I1) {
    fputs(hd_element_as_integer(type, data) ? "true" : "false", out);
  } else if (type == HD_ELEMENT_UI64) {
    fprintf(out, "%" PRIu64, (uint64_t)hd_element_as_integer(type, data));
  } else if (hd_element_is_integer(type)) {
    fprintf(out, "%" PRId64, hd_element_as_integer(type, data));
  } else if (hd_element_format(type)) {
    fprintf(out, "%.*g", digits_of(type), hd_element_as_double(type, data));
  }
}

static void put_tensor(FILE *out, hd_element_type type, int32_t rank, const char *data, const int64_t *dims,
                       const int64_t *strides) {
  if (!rank) {
    put_element(out, type, data);
    return;
  }
  fputc('[', out);
  for (int64_t i = 0; i < *dims; ++i) {
    if (i) fputs(", ", out);
    put_tensor(out, type, rank - 1, data + i * *strides * (int64_t)hd_element_bytes(type), dims + 1, strides + 1);
  }
  fputc(']', out);
}

/* "tensor<2x3xf32> [1, 2, 3, 4, 5, 6]" and a new line, as the evaluator prints. */
static void put_typed(FILE *out, hd_element_type type, int32_t rank, const char *data, const int64_t *dims,
                      const int64_t *strides) {
  int64_t count = 1, at[HD_MAX_RANK] = {0};
  fputs("tensor<", out);
  for (int32_t d = 0; d < rank; ++d) {
    fprintf(out, "%" PRId64 "x", dims[d]);
    count *= dims[d];
  }
  fprintf(out, "%s> [", hd_element_text(type));
  for (int64_t i = 0; i < count && i < MOST_PRINTED; ++i) {
    const char *from = data;
    for (int32_t d = 0; d < rank; ++d) from += at[d] * strides[d] * (int64_t)hd_element_bytes(type);
    if (i) fputs(", ", out);
    put_element(out, type, from);
    for (int32_t d = rank; d-- > 0 && ++at[d] == dims[d];) at[d] = 0;
  }
  fputs(count > MOST_PRINTED ? ", ...]\n" : "]\n", out);
}

static void print(hd_ral_context *ctx, int64_t message, int64_t type, int32_t rank, const descriptor *in) {
  const char *label = hd_ral_message(ctx, message);
  if (ctx->head.failed || !ctx->options->print) return;
  if (!label || !hd_element_bytes((hd_element_type)type)) {
    hd_ral_fail(ctx,
                hd_make_status(HD_INTERNAL, "print of message %" PRId64 " with element type %" PRId64, message, type));
    return;
  }
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out) {
    const char *data = in->aligned + in->offset * (int64_t)hd_element_bytes((hd_element_type)type);
    fputs(label, out);
    if (*label)
      put_tensor(out, (hd_element_type)type, rank, data, in->numbers, in->numbers + rank);
    else
      put_typed(out, (hd_element_type)type, rank, data, in->numbers, in->numbers + rank);
    if (!fclose(out) && text) ctx->options->print(ctx->options->print_user, text);
  }
  free(text);
}

/* ---- one wrapper per rank -------------------------------------------------------------------------------------- */

/* clang-format off */
#define RANKS(X)                                                        \
  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9)                     \
  X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19)           \
  X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29)           \
  X(30) X(31) X(32) X(33) X(34) X(35) X(36) X(37) X(38) X(39)           \
  X(40) X(41) X(42) X(43) X(44) X(45) X(46) X(47) X(48) X(49)           \
  X(50) X(51) X(52) X(53) X(54) X(55) X(56) X(57) X(58) X(59)           \
  X(60) X(61) X(62) X(63) X(64)
/* clang-format on */
_Static_assert(HD_MAX_RANK == 64, "RANKS lists all ranks");

#define X(r)                                                                                                \
  static void recv_##r(void *ctx, void **args) { recv_input(ctx, *(const int64_t *)args[1], r, args[2]); }  \
  static void send_##r(void *ctx, void **args) { send_output(ctx, *(const int64_t *)args[1], r, args[2]); } \
  static void print_##r(void *ctx, void **args) {                                                           \
    print(ctx, *(const int64_t *)args[1], *(const int64_t *)args[2], r, args[3]);                           \
  }                                                                                                         \
  static const hd_ral_api recv_##r##_api = {"ral_recv_input___pvoid_i64___m" #r "d*", recv_##r};            \
  static const hd_ral_api send_##r##_api = {"ral_send_output___pvoid_i64_m" #r "d*___void", send_##r};      \
  static const hd_ral_api print_##r##_api = {"ral_print___pvoid_i64_i64_m" #r "d*___void", print_##r};
RANKS(X)
#undef X

extern const hd_ral_api *const hd_ral_table_io[];
const hd_ral_api *const hd_ral_table_io[] = {
#define X(r) &recv_##r##_api, &send_##r##_api, &print_##r##_api,
    RANKS(X)
#undef X
        NULL};
