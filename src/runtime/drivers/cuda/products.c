/* SPDX-License-Identifier: Apache-2.0 */
/* Products by cuBLASLt. A product is brought to its form, one result of columns that are together, and what it says of
 * that form is kept: the algorithm that its heuristics choose, or that it has none. Where it has none, or the library
 * is missing or failed at this form before, the program runs its own kernel (ral_product_ready). */
#include "runtime/drivers/cuda/blas.h"
#include "runtime/drivers/cuda/plans.h"

enum { PLANS = 1024, WORKSPACE = 32 << 20, ALIGNED = 64 };

/* left (m, k) times right (k, n) of |batch| steps each; "transposed": rows are together. */
typedef struct form {
  int32_t left_type, right_type, out_type, sum, factor;
  int32_t left_transposed, right_transposed, swapped; /* swapped: left is the program's rhs */
  int64_t m, n, k, batch;
  int64_t left_step, right_step, out_step;    /* from column to column, from row to row where transposed */
  int64_t left_batch, right_batch, out_batch; /* elements from one matrix to the next */
  int64_t alignment;
} form;

typedef struct plan {
  hd_cuda_plan base;
  form form;
  blas_algorithm algorithm;
} plan;
_Static_assert(sizeof(form) % sizeof(uint64_t) == 0 && offsetof(plan, form) == sizeof(hd_cuda_plan), "a form");

static void end(hd_cuda_library *ctx) {
  const hd_blas_api *blas = ctx->api;
  if (ctx->handle) blas->destroy(ctx->handle);
}

static const hd_cuda_plan_sizes sizes = {PLANS, sizeof(plan), sizeof(form), end};

/* ---- forms ---- */

/* The dims of |role| as one; false where they do not be as one does. */
static bool merge(const hd_device_product *p, int64_t role, hd_dot_dim *out) {
  *out = (hd_dot_dim){.role = role, .size = 1};
  for (int32_t i = 0; i < p->dim_count; ++i) {
    const hd_dot_dim *d = &p->dims[i];
    if (d->role != role || d->size == 1) continue;
    if (d->size < 1) return false;
    bool joins = out->lhs_stride == d->lhs_stride * d->size && out->rhs_stride == d->rhs_stride * d->size &&
                 out->out_stride == d->out_stride * d->size;
    if (out->size != 1 && !joins) return false;
    int64_t size = out->size * d->size;
    *out = *d;
    out->size = size;
  }
  return true;
}

/* How a matrix of |rows| by |columns| is: its columns together, or its rows. False: neither. */
static bool lies(int64_t rows, int64_t columns, int64_t row_stride, int64_t column_stride, int32_t *transposed,
                 int64_t *step) {
  if (rows == 1) row_stride = column_stride == 1 ? columns : 1;
  if (columns == 1) column_stride = row_stride == 1 ? rows : 1;
  *transposed = row_stride != 1 || column_stride < rows;
  *step = *transposed ? row_stride : column_stride;
  return *transposed ? column_stride == 1 && row_stride >= columns : true;
}

static bool types_of(const hd_device_product *p, form *f) {
  static const struct {
    hd_element_type in, out;
    int32_t in_type, out_type, sum, factor;
  } rows[] = {{HD_ELEMENT_F32, HD_ELEMENT_F32, BLAS_F32, BLAS_F32, BLAS_SUM_F32, BLAS_F32},
              {HD_ELEMENT_F64, HD_ELEMENT_F64, BLAS_F64, BLAS_F64, BLAS_SUM_F64, BLAS_F64},
              {HD_ELEMENT_BF16, HD_ELEMENT_BF16, BLAS_BF16, BLAS_BF16, BLAS_SUM_F32, BLAS_F32},
              {HD_ELEMENT_BF16, HD_ELEMENT_F32, BLAS_BF16, BLAS_F32, BLAS_SUM_F32, BLAS_F32},
              {HD_ELEMENT_F16, HD_ELEMENT_F16, BLAS_F16, BLAS_F16, BLAS_SUM_F32, BLAS_F32},
              {HD_ELEMENT_F16, HD_ELEMENT_F32, BLAS_F16, BLAS_F32, BLAS_SUM_F32, BLAS_F32},
              {HD_ELEMENT_I8, HD_ELEMENT_I32, BLAS_I8, BLAS_I32, BLAS_SUM_I32, BLAS_I32}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (p->types.lhs == rows[i].in && p->types.rhs == rows[i].in && p->types.out == rows[i].out) {
      f->left_type = f->right_type = rows[i].in_type;
      f->out_type = rows[i].out_type;
      f->sum = p->types.tf32 && rows[i].in_type == BLAS_F32 ? BLAS_SUM_TF32 : rows[i].sum;
      f->factor = rows[i].factor;
      return true;
    }
  return false;
}

static bool form_of(const hd_device_product *p, form *f) {
  hd_dot_dim b, m, n, k;
  *f = (form){.alignment = hd_cuda_alignment(ALIGNED, p->lhs, p->rhs, p->out)};
  if (!types_of(p, f) || !merge(p, HD_GEMM_BATCH, &b) || !merge(p, HD_GEMM_M, &m) || !merge(p, HD_GEMM_N, &n) ||
      !merge(p, HD_GEMM_K, &k))
    return false;
  int32_t rows_lie;
  if (!lies(m.size, n.size, m.out_stride, n.out_stride, &rows_lie, &f->out_step)) return false;
  f->swapped = rows_lie; /* whose transpose has its columns together */
  hd_dot_dim *rows = rows_lie ? &n : &m, *columns = rows_lie ? &m : &n;
  f->m = rows->size, f->n = columns->size, f->k = k.size, f->batch = b.size;
  f->left_batch = rows_lie ? b.rhs_stride : b.lhs_stride;
  f->right_batch = rows_lie ? b.lhs_stride : b.rhs_stride;
  f->out_batch = b.out_stride;
  int64_t left_row = rows_lie ? n.rhs_stride : m.lhs_stride, left_column = rows_lie ? k.rhs_stride : k.lhs_stride;
  int64_t right_row = rows_lie ? k.lhs_stride : k.rhs_stride, right_column = rows_lie ? m.lhs_stride : n.rhs_stride;
  return f->batch <= INT32_MAX && lies(f->m, f->k, left_row, left_column, &f->left_transposed, &f->left_step) &&
         lies(f->k, f->n, right_row, right_column, &f->right_transposed, &f->right_step);
}

/* ---- calls ---- */

typedef struct call {
  const hd_blas_api *blas;
  blas_product product;
  blas_matrix left, right, out;
} call;

static int make_matrix(const hd_blas_api *blas, int type, int64_t rows, int64_t columns, bool transposed, int64_t step,
                       int64_t batch, int64_t from_one_to_next, blas_matrix *out) {
  int64_t r = transposed ? columns : rows, c = transposed ? rows : columns;
  int32_t count = (int32_t)batch;
  int code = blas->matrix_create(out, type, (uint64_t)r, (uint64_t)c, step);
  if (!code && batch > 1) code = blas->matrix_set(*out, BLAS_MATRIX_COUNT, &count, sizeof count);
  if (!code && batch > 1) code = blas->matrix_set(*out, BLAS_MATRIX_STEP, &from_one_to_next, sizeof from_one_to_next);
  return code;
}

static int make_call(const hd_blas_api *blas, const form *f, call *c) {
  *c = (call){.blas = blas};
  int code = blas->product_create(&c->product, f->sum, f->factor);
  if (!code)
    code = blas->product_set(c->product, BLAS_PRODUCT_LEFT_TRANSPOSED, &f->left_transposed, sizeof f->left_transposed);
  if (!code)
    code =
        blas->product_set(c->product, BLAS_PRODUCT_RIGHT_TRANSPOSED, &f->right_transposed, sizeof f->right_transposed);
  if (!code)
    code = make_matrix(blas, f->left_type, f->m, f->k, f->left_transposed, f->left_step, f->batch, f->left_batch,
                       &c->left);
  if (!code)
    code = make_matrix(blas, f->right_type, f->k, f->n, f->right_transposed, f->right_step, f->batch, f->right_batch,
                       &c->right);
  if (!code) code = make_matrix(blas, f->out_type, f->m, f->n, false, f->out_step, f->batch, f->out_batch, &c->out);
  return code;
}

static void free_call(call *c) {
  if (c->out) c->blas->matrix_destroy(c->out);
  if (c->right) c->blas->matrix_destroy(c->right);
  if (c->left) c->blas->matrix_destroy(c->left);
  if (c->product) c->blas->product_destroy(c->product);
}

static int ask(const hd_blas_api *blas, blas_handle handle, const form *f, const call *c, blas_found *out) {
  blas_preference preference = NULL;
  uint64_t workspace = WORKSPACE;
  uint32_t alignment = (uint32_t)f->alignment;
  int found = 0, code = blas->preference_create(&preference);
  if (!code) code = blas->preference_set(preference, BLAS_PREFERENCE_WORKSPACE, &workspace, sizeof workspace);
  for (int i = 0; i < 4 && !code; ++i)
    code = blas->preference_set(preference, BLAS_PREFERENCE_ALIGNMENT + i, &alignment, sizeof alignment);
  if (!code) code = blas->find(handle, c->product, c->left, c->right, c->out, c->out, preference, 1, out, &found);
  if (preference) blas->preference_destroy(preference);
  return code ? code : !found ? -1 : out->status;
}

/* ---- plans ---- */

/* The lock is held and the context current. */
static void make_plan(hd_cuda_library *ctx, const form *f, plan *p) {
  const hd_blas_api *blas = ctx->api;
  blas_handle handle = ctx->handle;
  call c;
  blas_found found = {0};
  hd_cuda_plan_begin(ctx, p, f);
  if (!handle && blas->create(&handle)) handle = NULL;
  if (!(ctx->handle = handle)) return;
  int code = make_call(blas, f, &c);
  if (!code) code = ask(blas, handle, f, &c, &found);
  free_call(&c);
  if (code) return;
  p->base.state = HD_CUDA_PLAN_USABLE;
  p->base.workspace = found.workspace;
  p->algorithm = found.algorithm;
}

/* The plan for |f|, usable or not; false where the device is lost. */
static bool find_plan(hd_cuda_driver *driver, hd_cuda_library *ctx, const form *f, plan *out) {
  bool known;
  pthread_mutex_lock(&ctx->lock);
  plan *p = hd_cuda_plan_find(ctx, f, &known);
  if (!known) {
    hd_status status = hd_cuda_enter(driver);
    if (hd_is_ok(status)) {
      make_plan(ctx, f, p);
      status = hd_cuda_leave(driver, 0, "plan a product");
      known = true;
    }
    hd_status_free(status);
  }
  *out = *p;
  pthread_mutex_unlock(&ctx->lock);
  return known;
}

bool hd_cuda_product_takes(hd_driver *base, const hd_device_product *product, size_t *out_bytes) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  const hd_blas_api *blas;
  hd_cuda_library *ctx;
  form f;
  plan p;
  *out_bytes = 0;
  if (!form_of(product, &f)) return false;
  hd_status status = hd_blas_open(&blas);
  if (hd_is_ok(status)) status = hd_cuda_library_create(driver, &driver->products, blas, &sizes, &ctx);
  bool takes = hd_is_ok(status) && find_plan(driver, ctx, &f, &p) && p.base.state == HD_CUDA_PLAN_USABLE;
  hd_status_free(status);
  if (takes) *out_bytes = p.base.workspace;
  return takes;
}

static int run(hd_cuda_library *ctx, const plan *p, const hd_device_product *product, void *workspace,
               cu_stream stream) {
  static const double one_f64 = 1, zero_f64 = 0;
  static const float one_f32 = 1, zero_f32 = 0;
  static const int32_t one_i32 = 1, zero_i32 = 0;
  const hd_blas_api *blas = ctx->api;
  const form *f = &p->form;
  const void *one = f->factor == BLAS_F64   ? (const void *)&one_f64
                    : f->factor == BLAS_I32 ? (const void *)&one_i32
                                            : &one_f32;
  const void *zero = f->factor == BLAS_F64   ? (const void *)&zero_f64
                     : f->factor == BLAS_I32 ? (const void *)&zero_i32
                                             : &zero_f32;
  const void *left = f->swapped ? product->rhs : product->lhs, *right = f->swapped ? product->lhs : product->rhs;
  call c;
  int code = make_call(blas, f, &c);
  if (!code)
    code = blas->run(ctx->handle, c.product, one, left, c.left, right, c.right, zero, product->out, c.out, product->out,
                     c.out, &p->algorithm, workspace, p->base.workspace, stream);
  free_call(&c);
  return code;
}

hd_status hd_cuda_product_run(hd_driver *base, hd_stream *stream, const hd_device_product *product, void *workspace,
                              size_t bytes) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  hd_cuda_library *ctx = driver->products;
  form f;
  plan p;
  bool known;
  if (!ctx || !form_of(product, &f) || !find_plan(driver, ctx, &f, &p))
    return hd_make_status(HD_UNIMPLEMENTED, "cuBLASLt: no such product");
  HD_TRY(hd_cuda_plan_check(&p.base, bytes, "cuBLASLt"));
  HD_TRY(hd_cuda_enter_stream(driver, &stream));
  int code = run(ctx, &p, product, workspace, stream->stream);
  HD_TRY(hd_cuda_leave(driver, code ? driver->cu->context_wait() : 0, "product")); /* was it the context? */
  if (!code) return HD_STATUS_OK;
  pthread_mutex_lock(&ctx->lock); /* it will not be asked again for this form */
  hd_cuda_plan_begin(ctx, hd_cuda_plan_find(ctx, &f, &known), &f);
  pthread_mutex_unlock(&ctx->lock);
  const hd_blas_api *blas = ctx->api;
  return hd_make_status(HD_UNAVAILABLE, "cuBLASLt: %s (%d)", blas->status_name(code), code);
}
