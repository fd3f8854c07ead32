/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions by cuDNN. One is brought to its form, an op of cuDNN's on tensors, and a plan for it is kept: the first
 * that its heuristics name of the engines that do what the program asks for and no less. Where there is none, or the
 * library is missing or failed at this form before, the program runs its own kernel (ral_convolution_ready).
 *
 * An engine that rounds f32 further than TF32, or to TF32 unasked, is not taken, nor one by transforms, whose errors
 * are the largest element's and not each sum's own, nor one that compiles: every new shape would wait for it. */
#include "runtime/drivers/cuda/convolutions.h"

#include <string.h>

#include "runtime/drivers/cuda/dnn.h"
#include "runtime/drivers/cuda/plans.h"

enum { PLANS = 256, CONFIGS = 16, NOTES = 16, LARGEST_WORKSPACE = 256 << 20 };
enum { MADE = 6 }; /* descriptors of a plan's graph */

typedef struct plan {
  hd_cuda_plan base;
  hd_dnn_form form;
  dnn_descriptor made[MADE], config, plan; /* each refers to earlier ones */
  int count, code;                         /* of made; the first failure */
} plan;
_Static_assert(sizeof(hd_dnn_form) % sizeof(uint64_t) == 0 && offsetof(plan, form) == sizeof(hd_cuda_plan), "a form");

static void end_all(const hd_dnn_api *dnn, plan *p) {
  if (p->plan) dnn->end(p->plan);
  if (p->config) dnn->end(p->config);
  while (p->count) dnn->end(p->made[--p->count]);
  p->plan = p->config = NULL;
}

static void end(hd_cuda_library *ctx) {
  const hd_dnn_api *dnn = ctx->api;
  for (int i = 0; i < PLANS; ++i) end_all(dnn, hd_cuda_plan_at(ctx, (uint64_t)i));
  if (ctx->handle) dnn->destroy(ctx->handle);
}

static const hd_cuda_plan_sizes sizes = {PLANS, sizeof(plan), sizeof(hd_dnn_form), end};

enum { KERNEL_ID = 1, INPUT_ID, OUTPUT_ID };

/* ---- descriptors ---- */

static dnn_descriptor make(const hd_dnn_api *dnn, plan *p, int kind) {
  dnn_descriptor made = NULL;
  if (!p->code) p->code = dnn->make(kind, &made);
  return p->code ? NULL : (p->made[p->count++] = made);
}

static void set(const hd_dnn_api *dnn, plan *p, dnn_descriptor d, int attribute, int type, int64_t count,
                const void *values) {
  if (!p->code) p->code = dnn->set(d, attribute, type, count, values);
}

static void finish(const hd_dnn_api *dnn, plan *p, dnn_descriptor d) {
  if (!p->code) p->code = dnn->finish(d);
}

static dnn_descriptor make_tensor(const hd_dnn_api *dnn, plan *p, const hd_dnn_tensor *t, int64_t id) {
  const hd_dnn_form *f = &p->form;
  dnn_descriptor d = make(dnn, p, DNN_TENSOR);
  set(dnn, p, d, DNN_TENSOR_TYPE, DNN_AS_ELEMENT_TYPE, 1, &f->type);
  set(dnn, p, d, DNN_TENSOR_DIMS, DNN_AS_I64, 2 + f->spatial, t->dims);
  set(dnn, p, d, DNN_TENSOR_STRIDES, DNN_AS_I64, 2 + f->spatial, t->steps);
  set(dnn, p, d, DNN_TENSOR_ID, DNN_AS_I64, 1, &id);
  set(dnn, p, d, DNN_TENSOR_ALIGNMENT, DNN_AS_I64, 1, &f->alignment);
  finish(dnn, p, d);
  return d;
}

static dnn_descriptor make_convolution(const hd_dnn_api *dnn, plan *p) {
  const hd_dnn_form *f = &p->form;
  int64_t spatial = f->spatial;
  dnn_descriptor d = make(dnn, p, DNN_CONVOLUTION);
  set(dnn, p, d, DNN_CONVOLUTION_SUM_TYPE, DNN_AS_ELEMENT_TYPE, 1, &f->sum);
  set(dnn, p, d, DNN_CONVOLUTION_MODE, DNN_AS_CONVOLUTION_MODE, 1, &f->mode);
  set(dnn, p, d, DNN_CONVOLUTION_SPATIAL, DNN_AS_I64, 1, &spatial);
  set(dnn, p, d, DNN_CONVOLUTION_STRIDES, DNN_AS_I64, spatial, f->strides);
  set(dnn, p, d, DNN_CONVOLUTION_DILATIONS, DNN_AS_I64, spatial, f->dilations);
  set(dnn, p, d, DNN_CONVOLUTION_PRE_PADDINGS, DNN_AS_I64, spatial, f->pre);
  set(dnn, p, d, DNN_CONVOLUTION_POST_PADDINGS, DNN_AS_I64, spatial, f->post);
  finish(dnn, p, d);
  return d;
}

static dnn_descriptor make_op(const hd_dnn_api *dnn, plan *p) {
  static const struct {
    int kind, first;
  } ops[] = {[HD_DNN_FORWARD] = {DNN_FORWARD, DNN_FORWARD_FIRST},
             [HD_DNN_DATA] = {DNN_BACKWARD_DATA, DNN_BACKWARD_DATA_FIRST},
             [HD_DNN_FILTER] = {DNN_BACKWARD_FILTER, DNN_BACKWARD_FILTER_FIRST}};
  static const double factors_f64[] = {1, 0};
  static const float factors_f32[] = {1, 0};
  const hd_dnn_form *f = &p->form;
  bool wide = f->sum == DNN_F64;
  int first = ops[f->op].first;
  dnn_descriptor operands[4] = {make_convolution(dnn, p), make_tensor(dnn, p, &f->kernel, KERNEL_ID),
                                make_tensor(dnn, p, &f->input, INPUT_ID), make_tensor(dnn, p, &f->output, OUTPUT_ID)};
  dnn_descriptor d = make(dnn, p, ops[f->op].kind);
  for (int i = 0; i < 2; ++i)
    set(dnn, p, d, first + i, wide ? DNN_AS_F64 : DNN_AS_F32, 1,
        wide ? (const void *)&factors_f64[i] : (const void *)&factors_f32[i]);
  for (int i = 0; i < 4; ++i) set(dnn, p, d, first + 2 + i, DNN_AS_DESCRIPTOR, 1, &operands[i]);
  finish(dnn, p, d);
  return d;
}

static dnn_descriptor make_graph(const hd_dnn_api *dnn, dnn_handle handle, plan *p) {
  dnn_descriptor op = make_op(dnn, p), d = make(dnn, p, DNN_GRAPH);
  set(dnn, p, d, DNN_GRAPH_HANDLE, DNN_AS_HANDLE, 1, (const void *)&handle);
  set(dnn, p, d, DNN_GRAPH_OPS, DNN_AS_DESCRIPTOR, 1, &op);
  finish(dnn, p, d);
  return d;
}

/* ---- plans ---- */

static bool notes(const hd_dnn_api *dnn, dnn_descriptor engine, int attribute, int type, uint32_t *out) {
  int32_t found[NOTES];
  int64_t count = 0;
  *out = 0;
  if (dnn->get(engine, attribute, type, NOTES, &count, found) || count > NOTES) return false;
  for (int64_t i = 0; i < count; ++i) *out |= found[i] < 32 ? 1u << found[i] : 0;
  return true;
}

/* Does the engine of |config| compute what the program says? */
static bool is_fit(const hd_dnn_api *dnn, const hd_dnn_form *f, dnn_descriptor config) {
  uint32_t numbers = 0, behavior = 0;
  uint32_t refused =
      1u << DNN_NOTE_NARROWS_INPUTS | 1u << DNN_NOTE_NARROWS_SUMS | 1u << DNN_NOTE_FFT | 1u << DNN_NOTE_WINOGRAD;
  if (f->type == DNN_F32 && !f->narrows) refused |= 1u << DNN_NOTE_TENSOR_CORE;
  if (!f->any_order) refused |= 1u << DNN_NOTE_NONDETERMINISTIC;
  dnn_descriptor engine = NULL;
  int64_t count = 0;
  if (dnn->make(DNN_ENGINE, &engine)) return false;
  bool fit = !dnn->get(config, DNN_CONFIG_ENGINE, DNN_AS_DESCRIPTOR, 1, &count, &engine) &&
             notes(dnn, engine, DNN_ENGINE_NUMERICAL_NOTES, DNN_AS_NUMERICAL_NOTE, &numbers) &&
             notes(dnn, engine, DNN_ENGINE_BEHAVIOR_NOTES, DNN_AS_BEHAVIOR_NOTE, &behavior) && !(numbers & refused) &&
             !(behavior & 1u << DNN_NOTE_COMPILES);
  dnn->end(engine);
  return fit;
}

/* A plan by |config|, which is the plan's then. */
static bool try_config(const hd_dnn_api *dnn, dnn_handle handle, plan *p, dnn_descriptor config) {
  int64_t count = 0, workspace = 0;
  dnn_descriptor d = NULL;
  p->code = dnn->make(DNN_PLAN, &d);
  set(dnn, p, d, DNN_PLAN_HANDLE, DNN_AS_HANDLE, 1, (const void *)&handle);
  set(dnn, p, d, DNN_PLAN_CONFIG, DNN_AS_DESCRIPTOR, 1, &config);
  finish(dnn, p, d);
  if (!p->code) p->code = dnn->get(d, DNN_PLAN_WORKSPACE, DNN_AS_I64, 1, &count, &workspace);
  if (!p->code && workspace >= 0 && workspace <= LARGEST_WORKSPACE) {
    p->base.workspace = (size_t)workspace;
    p->plan = d;
    p->config = config;
    return true;
  }
  if (d) dnn->end(d);
  return false;
}

/* The first config that the heuristics of |mode| name, that is fit and of which there is a plan. */
static bool find(const hd_dnn_api *dnn, dnn_handle handle, plan *p, dnn_descriptor graph, int32_t mode) {
  dnn_descriptor configs[CONFIGS], d = NULL;
  int64_t made = 0, found = 0;
  bool done = false;
  p->code = dnn->make(DNN_HEURISTICS, &d);
  set(dnn, p, d, DNN_HEURISTICS_GRAPH, DNN_AS_DESCRIPTOR, 1, &graph);
  set(dnn, p, d, DNN_HEURISTICS_MODE, DNN_AS_HEURISTICS_MODE, 1, &mode);
  finish(dnn, p, d);
  while (!p->code && made < CONFIGS && !(p->code = dnn->make(DNN_CONFIG, &configs[made]))) ++made;
  if (!p->code) p->code = dnn->get(d, DNN_HEURISTICS_RESULTS, DNN_AS_DESCRIPTOR, made, &found, configs);
  if (p->code || found > made) found = 0;
  for (int64_t i = 0; i < found && !done; ++i)
    done = is_fit(dnn, &p->form, configs[i]) && try_config(dnn, handle, p, configs[i]);
  for (int64_t i = 0; i < made; ++i)
    if (configs[i] != p->config) dnn->end(configs[i]);
  if (d) dnn->end(d);
  return done;
}

/* The lock is held and the context current. */
static void make_plan(hd_cuda_driver *driver, hd_cuda_library *ctx, const hd_dnn_form *f, plan *p) {
  const hd_dnn_api *dnn = ctx->api;
  dnn_handle handle = ctx->handle;
  if (p->plan) driver->cu->context_wait(); /* for what runs by the old plan; a failure comes out of its own waits */
  end_all(dnn, p);
  hd_cuda_plan_begin(ctx, p, f);
  if (!handle && dnn->create(&handle)) handle = NULL;
  if (!(ctx->handle = handle)) return;
  dnn_descriptor graph = make_graph(dnn, handle, p);
  bool found =
      !p->code && (find(dnn, handle, p, graph, DNN_FIND_BEST) || find(dnn, handle, p, graph, DNN_FIND_FALLBACK));
  if (found)
    p->base.state = HD_CUDA_PLAN_USABLE;
  else
    end_all(dnn, p);
}

/* The plan for |f|, usable or not. The lock is held and the context current. */
static plan *find_plan(hd_cuda_driver *driver, hd_cuda_library *ctx, const hd_dnn_form *f) {
  bool known;
  plan *p = hd_cuda_plan_find(ctx, f, &known);
  if (!known) make_plan(driver, ctx, f, p);
  return p;
}

bool hd_cuda_convolution_takes(hd_driver *base, const hd_device_convolution *convolution, size_t *out_bytes) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  const hd_dnn_api *dnn;
  hd_cuda_library *ctx;
  hd_dnn_form f;
  bool takes = false;
  *out_bytes = 0;
  if (!hd_dnn_form_of(convolution, &f)) return false;
  hd_status status = hd_dnn_open(&dnn);
  if (hd_is_ok(status)) status = hd_cuda_library_create(driver, &driver->convolutions, dnn, &sizes, &ctx);
  if (hd_is_ok(status)) status = hd_cuda_enter(driver);
  if (hd_is_ok(status)) {
    pthread_mutex_lock(&ctx->lock);
    const plan *p = find_plan(driver, ctx, &f);
    takes = p->base.state == HD_CUDA_PLAN_USABLE;
    *out_bytes = takes ? p->base.workspace : 0;
    pthread_mutex_unlock(&ctx->lock);
    status = hd_cuda_leave(driver, 0, "plan a convolution");
  }
  hd_status_free(status);
  return takes;
}

/* ---- runs ---- */

static int run(hd_cuda_library *ctx, const plan *p, const hd_device_convolution *c, void *workspace, cu_stream stream) {
  static const int64_t ids[] = {KERNEL_ID, INPUT_ID, OUTPUT_ID};
  const hd_dnn_api *dnn = ctx->api;
  hd_dnn_op op = (hd_dnn_op)p->form.op;
  const void *pointers[] = {op == HD_DNN_FILTER ? c->out : c->kernel, op == HD_DNN_DATA ? c->out : c->input,
                            op == HD_DNN_DATA     ? c->input
                            : op == HD_DNN_FILTER ? c->kernel
                                                  : c->out};
  dnn_descriptor d = NULL;
  int code = dnn->make(DNN_ARGUMENTS, &d);
  if (!code) code = dnn->set(d, DNN_ARGUMENTS_IDS, DNN_AS_I64, 3, ids);
  if (!code) code = dnn->set(d, DNN_ARGUMENTS_POINTERS, DNN_AS_POINTER, 3, (const void *)pointers);
  if (!code) code = dnn->set(d, DNN_ARGUMENTS_WORKSPACE, DNN_AS_POINTER, 1, (const void *)&workspace);
  if (!code) code = dnn->finish(d);
  if (!code) code = dnn->set_stream(ctx->handle, stream);
  if (!code) code = dnn->run(ctx->handle, p->plan, d);
  if (d) dnn->end(d);
  return code;
}

hd_status hd_cuda_convolution_run(hd_driver *base, hd_stream *stream, const hd_device_convolution *convolution,
                                  void *workspace, size_t bytes) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  hd_cuda_library *ctx = driver->convolutions;
  hd_dnn_form f;
  if (!ctx || !hd_dnn_form_of(convolution, &f)) return hd_make_status(HD_UNIMPLEMENTED, "cuDNN: no such convolution");
  HD_TRY(hd_cuda_enter_stream(driver, &stream));
  pthread_mutex_lock(&ctx->lock);
  plan *p = find_plan(driver, ctx, &f);
  hd_status refused = hd_cuda_plan_check(&p->base, bytes, "cuDNN");
  int code = hd_is_ok(refused) ? run(ctx, p, convolution, workspace, stream->stream) : 0;
  if (code) p->base.state = HD_CUDA_PLAN_UNUSABLE; /* it will not be asked again for this form */
  pthread_mutex_unlock(&ctx->lock);
  hd_status status = hd_cuda_leave(driver, code ? driver->cu->context_wait() : 0, "convolution"); /* the context? */
  if (!hd_is_ok(refused)) {
    hd_status_free(status);
    return refused;
  }
  if (!hd_is_ok(status) || !code) return status;
  const hd_dnn_api *dnn = ctx->api;
  return hd_make_status(HD_UNAVAILABLE, "cuDNN: %s (%d)", dnn->error_text(code), code);
}
