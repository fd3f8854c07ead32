/* SPDX-License-Identifier: Apache-2.0 */
/* A call of a routine of LAPACK: its tensors against the row, then one matrix of the batch after the other. */
#include <string.h>

#include "eval/core/state.h"
#include "eval/graph/lapack_row.h"

static void clear(hd_matrix a) {
  for (int64_t i = 0; i < a.rows * a.columns; ++i) a.data[i] = 0;
}

/* ---- a call against its row ---- */

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static bool follows(char letter) { return strchr("kjsuv", letter) != NULL; }

/* -1: any. */
static int64_t size_of(const hd_lapack_state *l, char letter) {
  int64_t m = l->sizes['m'], n = l->sizes['n'], k = least(m, n);
  char mode = (char)hd_lapack_option(l, "mode", 'A');
  switch (letter) {
    case 'k':
      return k;
    case 'j':
      return n > 0 ? n - 1 : 0;
    case 's':
      return (char)hd_lapack_option(l, "side", 'L') == 'L' ? m : n;
    case 'u':
      return mode == 'A' ? m : mode == 'S' ? k : -1;
    case 'v':
      return mode == 'A' ? n : mode == 'S' ? k : -1;
    default:
      return l->sizes[(int)letter];
  }
}

static hd_element_type element_of(const hd_lapack_state *l, char kind) {
  bool is_double = l->target[7] == 'd' || l->target[7] == 'z';
  if (kind == 'i') return HD_ELEMENT_I32;
  if (kind == 'r' || (kind != 'c' && l->real)) return is_double ? HD_ELEMENT_F64 : HD_ELEMENT_F32;
  return is_double ? HD_ELEMENT_C128 : HD_ELEMENT_C64;
}

/* One tensor, whose dims in letters are |dims|; batches come before them. */
typedef struct operand {
  const char *what;
  int i;
  const hd_eval_lapack_tensor *tensor;
  char kind, dims[3];
  int32_t rank;
} operand;

/* The tensors of |words|, at most |count|; how many words there are. */
static int read_words(const char *words, const char *what, const hd_eval_lapack_tensor *tensors, int count,
                      operand *out) {
  int seen = 0;
  for (; *words; words += *words == ' ') {
    operand o = {what, seen, seen < count ? &tensors[seen] : NULL, words[1] == ':' ? *words : 0, {0}, 0};
    if (o.kind) words += 2;
    while (*words && *words != ' ') o.dims[o.rank++] = *words++;
    if (seen++ < count) out[o.i] = o;
  }
  return seen;
}

static hd_status check_elements(const hd_lapack_state *l, const operand *o, int64_t *batch) {
  const hd_eval_lapack_tensor *t = o->tensor;
  hd_element_type element = element_of(l, o->kind);
  int64_t product = 1;
  if (t->type != element)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: %s %d: expected elements of %s, got %s", l->target, o->what, o->i,
                          hd_element_text(element), hd_element_text(t->type));
  if (t->rank < o->rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: %s %d: expected rank %d or more, got %d", l->target, o->what, o->i,
                          o->rank, t->rank);
  for (int32_t d = 0; d < t->rank - o->rank; ++d)
    if (__builtin_mul_overflow(product, t->dims[d], &product))
      return hd_make_status(HD_INVALID_ARGUMENT, "%s: %s %d: the number of matrices overflows", l->target, o->what,
                            o->i);
  if (*batch >= 0 && *batch != product)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: batches differ: %lld and %lld", l->target, (long long)*batch,
                          (long long)product);
  *batch = product;
  return HD_STATUS_OK;
}

static hd_status check_dims(hd_lapack_state *l, const operand *o, bool following) {
  for (int32_t d = 0; d < o->rank; ++d) {
    int32_t at = o->tensor->rank - o->rank + d;
    int64_t want = size_of(l, o->dims[d]), got = o->tensor->dims[at];
    if (follows(o->dims[d]) != following) continue;
    if (want >= 0 && want != got)
      return hd_make_status(HD_INVALID_ARGUMENT, "%s: %s %d: expected dim %d of %lld, got %lld", l->target, o->what,
                            o->i, at, (long long)want, (long long)got);
    if (!following) l->sizes[(int)o->dims[d]] = got;
  }
  return HD_STATUS_OK;
}

/* ---- matrices in memory ---- */

static hd_complex load(hd_element_type type, const void *data, int64_t i) {
  switch (type) {
    case HD_ELEMENT_F32:
      return ((const float *)data)[i];
    case HD_ELEMENT_F64:
      return ((const double *)data)[i];
    case HD_ELEMENT_C64:
      return ((const float _Complex *)data)[i];
    case HD_ELEMENT_C128:
      return ((const double _Complex *)data)[i];
    default:
      return ((const int32_t *)data)[i];
  }
}

static void store(hd_element_type type, void *data, int64_t i, hd_complex value) {
  switch (type) {
    case HD_ELEMENT_F32:
      ((float *)data)[i] = (float)creall(value);
      break;
    case HD_ELEMENT_F64:
      ((double *)data)[i] = (double)creall(value);
      break;
    case HD_ELEMENT_C64:
      ((float _Complex *)data)[i] = (float _Complex)value;
      break;
    case HD_ELEMENT_C128:
      ((double _Complex *)data)[i] = (double _Complex)value;
      break;
    default:
      ((int32_t *)data)[i] = (int32_t)creall(value);
  }
}

/* A vector is a column, a number 1 by 1. */
static hd_status matrix_of(const hd_lapack_state *l, const operand *o, hd_matrix *out) {
  const int64_t *dims = o->tensor->dims + (o->tensor->rank - o->rank);
  return hd_matrix_create(l->frame, o->rank ? dims[0] : 1, o->rank == 2 ? dims[1] : 1, out);
}

static hd_status run_matrix(hd_lapack_state *l, const hd_lapack_row *r, int64_t number) {
  const hd_eval_lapack_call *call = l->call;
  l->info = 0;
  for (int32_t k = 0; k < call->input_count; ++k) {
    const hd_eval_lapack_tensor *t = &call->inputs[k];
    int64_t count = l->in[k].rows * l->in[k].columns;
    for (int64_t i = 0; i < count; ++i) l->in[k].data[i] = load(t->type, t->data, number * count + i);
  }
  for (int32_t k = 0; k < call->output_count; ++k) {
    clear(l->out[k]);
    if (r->copies[k] >= 0) hd_matrix_copy(l->out[k], l->in[r->copies[k]]);
  }
  HD_TRY(r->run(l));
  if (r->info >= 0) l->out[r->info].data[0] = (long double)l->info;
  for (int32_t k = 0; k < call->output_count; ++k) {
    const hd_eval_lapack_tensor *t = &call->outputs[k];
    int64_t count = l->out[k].rows * l->out[k].columns;
    for (int64_t i = 0; i < count; ++i) store(t->type, t->data, number * count + i, l->out[k].data[i]);
  }
  return HD_STATUS_OK;
}

hd_status hd_lapack_evaluate(hd_eval_frame *frame, const char *target, const hd_eval_lapack_call *call) {
  const hd_lapack_row *r = hd_lapack_row_of(hd_str_of(target));
  if (!r) return hd_make_status(HD_NOT_FOUND, "%s: no such routine of LAPACK", target);
  hd_lapack_state l = {.frame = frame, .target = target, .call = call, .real = target[7] == 's' || target[7] == 'd'};
  memset(l.sizes, -1, sizeof l.sizes);
  operand operands[2 * HD_LAPACK_MAX_TENSORS];
  int ins = read_words(r->ins, "input", call->inputs, call->input_count, operands);
  int outs = read_words(r->outs, "output", call->outputs, call->output_count, operands + ins), all = ins + outs;
  if (ins != call->input_count || outs != call->output_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: expected %d inputs and %d outputs, got %d and %d", target, ins,
                          outs, call->input_count, call->output_count);
  int64_t count = -1, written = 0;
  for (int k = 0; k < all; ++k) {
    HD_TRY(check_elements(&l, &operands[k], &count));
    HD_TRY(check_dims(&l, &operands[k], false));
  }
  for (int k = 0; k < all; ++k) HD_TRY(check_dims(&l, &operands[k], true));
  for (int k = 0; k < all; ++k) {
    bool is_output = k >= ins;
    hd_matrix *matrix = is_output ? &l.out[k - ins] : &l.in[k];
    HD_TRY(matrix_of(&l, &operands[k], matrix));
    if (is_output) written |= matrix->rows * matrix->columns;
  }
  HD_TRY(r->takes(&l));
  if (!written) return HD_STATUS_OK; /* however many matrices of nothing there are */
  size_t mark = frame->evaluator->temp_count;
  for (int64_t i = 0; i < count; ++i) {
    HD_TRY(hd_eval_poll(frame));
    HD_TRY(run_matrix(&l, r, i));
    hd_eval_drop_temps(frame->evaluator, mark);
  }
  return HD_STATUS_OK;
}
