/* SPDX-License-Identifier: Apache-2.0 */
/* Whole artifacts: host code that receives, allocates, launches and sends, against RAL functions of this test; equal
 * kernels compiled once; failures that stop the host code; the same bytes from any number of threads. */
#include "ir/content_hash.h"
#include "ir/testing.h"
#include "runtime/artifact_testing.h"
#include "target/cpu/kernel_testing.h"

typedef struct fake_context {
  hd_ral_head head;
  hd_code *code;
  const hd_artifact_program *program;
  float *input, *output;
  int64_t dims[2], sent_dims[2];
  int launches, frees, fail_at, calls;
} fake_context;

static bool fails(fake_context *c) {
  if (++c->calls == c->fail_at) c->head.failed = HD_RESOURCE_EXHAUSTED;
  return c->head.failed != 0;
}

static void recv_input(void *ctx, void **args) {
  fake_context *c = ctx;
  HD_CHECK_INT(*(int64_t *)args[1], 0);
  hd_memref2 *out = args[2];
  *out = (hd_memref2){c->input, c->input, 0, {c->dims[0], c->dims[1]}, {c->dims[1], 1}};
  fails(c);
}
static void alloc_output(void *ctx, void **args) {
  fake_context *c = ctx;
  HD_CHECK_INT(*(int64_t *)args[1], 0);
  HD_CHECK_INT(*(int64_t *)args[2], c->dims[0] * c->dims[1] * 4);
  HD_CHECK_INT(*(int64_t *)args[3], -1);
  *(void **)args[4] = c->output;
  if (fails(c)) *(void **)args[4] = NULL;
}
static void send_output(void *ctx, void **args) {
  fake_context *c = ctx;
  hd_memref2 *sent = args[2];
  HD_CHECK(sent->aligned == c->output && sent->offset == 0);
  HD_CHECK_INT(sent->strides[0], c->dims[1]);
  HD_CHECK_INT(sent->strides[1], 1);
  memcpy(c->sent_dims, sent->sizes, sizeof sent->sizes);
  fails(c);
}
static void launch(void *ctx, void **args) {
  fake_context *c = ctx;
  int64_t kernel = *(int64_t *)args[2], extent = *(int64_t *)args[5], grain = *(int64_t *)args[6];
  HD_CHECK(*(void **)args[1] == NULL);
  HD_CHECK_INT(grain, 8);
  const uint64_t *words = *(const uint64_t **)args[3];
  if (fails(c) || !HD_CHECK(kernel < c->program->kernel_count)) return;
  hd_kernel_fn fn = (hd_kernel_fn)(uintptr_t)hd_code_symbol(c->code, c->program->kernels[kernel].symbol);
  if (!HD_CHECK(fn != NULL)) return;
  int64_t half = extent / 2;
  fn(words, half, extent);
  fn(words, 0, half);
  ++c->launches;
}

static hd_ral_fn find_api(const char *name) {
  if (!strcmp(name, "ral_recv_input___pvoid_i64___m2df32")) return recv_input;
  if (!strcmp(name, "ral_alloc_output___pvoid_i64_i64_i64___pvoid")) return alloc_output;
  if (!strcmp(name, "ral_send_output___pvoid_i64_m2df32___void")) return send_output;
  if (!strcmp(name, "ral_launch___pvoid_pvoid_i64_pvoid_i64_i64_i64___void")) return launch;
  return NULL;
}

/* out[i] = in[i] +- x; args in, out, x */
static hd_op *add_kernel(hd_context *c, hd_module *module, const char *name, bool subtract) {
  hd_type memref = rig_memref(hd_f32(c)), f32 = hd_f32(c), index = hd_type_index(c);
  hd_type ins[] = {memref, memref, f32, index, index};
  hd_builder b = hd_builder_at_end(module, hd_module_body(module));
  hd_op *func = hd_build_func(&b, hd_str_of(name), hd_type_function(c, ins, 5, NULL, 0), true);
  hd_op_attr_set(func, HD_NAME_hd_kernel, hd_attr_unit(c));
  hd_block *body = hd_op_region(func, 0)->first;
  b = hd_builder_at_end(module, body);
  hd_op *loop = hd_build_for(&b, body->args[3], body->args[4], hd_build_index(&b, 1), NULL, 0);
  hd_build_op(&b, HD_OP_func_return, NULL, 0, NULL, 0, NULL, 0, 0);
  hd_block *inner = hd_op_region(loop, 0)->first;
  b = hd_builder_at_end(module, inner);
  hd_value *x = hd_build(&b, HD_OP_memref_load, f32, body->args[0], inner->args[0]);
  x = hd_build(&b, subtract ? HD_OP_arith_subf : HD_OP_arith_addf, f32, x, body->args[2]);
  hd_build0(&b, HD_OP_memref_store, x, body->args[1], inner->args[0]);
  hd_build_yield(&b, NULL, 0);
  return func;
}

static hd_value *ral(hd_builder *b, const char *api, hd_value *const *operands, size_t count, hd_type result) {
  hd_attr_arg attr = {HD_NAME_api, hd_attr_cstring(b->context, api)};
  hd_op *op = hd_build_op(b, HD_OP_hd_ral_call, operands, count, &result, result ? 1 : 0, &attr, 1, 0);
  return result ? hd_result(op, 0) : NULL;
}

static void launch_op(hd_builder *b, const char *kernel, hd_value *extent, hd_value *const *args, size_t count) {
  hd_value *operands[8] = {extent, hd_build_index(b, 8)};
  for (size_t i = 0; i < count; ++i) operands[2 + i] = args[i];
  hd_attr_arg attr = {HD_NAME_kernel, hd_attr_symbol(b->context, hd_str_of(kernel), NULL, 0)};
  hd_build_op(b, HD_OP_hd_launch, operands, count + 2, NULL, 0, &attr, 1, 0);
}

/* out = in + 1.5 - 2 + 1.5, all dims from the input; launched only when there are elements */
static hd_op *add_entry(hd_context *c, hd_module *module) {
  hd_builder b = hd_builder_at_end(module, hd_module_body(module));
  hd_op *func = hd_build_func(&b, HD_STR("main"), hd_type_function(c, NULL, 0, NULL, 0), false);
  hd_op_attr_set(func, HD_NAME_hd_host, hd_attr_unit(c));
  hd_block *body = hd_op_region(func, 0)->first;
  b = hd_builder_at_end(module, body);
  int64_t dims[] = {HD_DYNAMIC, HD_DYNAMIC};
  hd_type index = hd_type_index(c), matrix = hd_type_memref(hd_f32(c), dims, 2, NULL, NULL);
  hd_type pointer = hd_type_dialect(c, HD_TYPE_ROW_llvm_ptr, (hd_attr[]){NULL}, 1);
  hd_value *zero = hd_build_index(&b, 0);
  hd_value *in = ral(&b, "ral_recv_input___pvoid_i64___m2df32", &zero, 1, matrix);
  hd_value *rows = hd_build(&b, HD_OP_memref_dim, index, in, zero);
  hd_value *cols = hd_build(&b, HD_OP_memref_dim, index, in, hd_build_index(&b, 1));
  hd_value *count = hd_build(&b, HD_OP_arith_muli, index, rows, cols);
  hd_value *bytes = hd_build(&b, HD_OP_arith_muli, index, count, hd_build_index(&b, 4));
  hd_value *alloc_args[] = {zero, bytes, hd_build_index(&b, -1)};
  hd_value *out = ral(&b, "ral_alloc_output___pvoid_i64_i64_i64___pvoid", alloc_args, 3, pointer);
  hd_attr_arg sgt = {HD_NAME_predicate, hd_attr_i64(c, 4)};
  hd_value *compare[] = {count, zero};
  hd_value *some = hd_build_one_(&b, HD_OP_arith_cmpi, hd_i1(c), compare, 2, &sgt, 1);
  hd_op *branch = hd_build_if(&b, some, NULL, 0, false);
  hd_builder inner = hd_builder_at_end(module, hd_op_region(branch, 0)->first);
  launch_op(&inner, "add", count, (hd_value *[]){in, out, hd_build_float(&inner, hd_f32(c), 1.5)}, 3);
  launch_op(&inner, "subtract", count, (hd_value *[]){out, out, hd_build_float(&inner, hd_f32(c), 2.0)}, 3);
  launch_op(&inner, "add_again", count, (hd_value *[]){out, out, hd_build_float(&inner, hd_f32(c), 1.5)}, 3);
  hd_build_yield(&inner, NULL, 0);
  hd_value *result = hd_build(&b, HD_OP_hd_memref, matrix, out, rows, cols);
  hd_value *send_args[] = {zero, result};
  ral(&b, "ral_send_output___pvoid_i64_m2df32___void", send_args, 2, NULL);
  hd_build_op(&b, HD_OP_func_return, NULL, 0, NULL, 0, NULL, 0, 0);
  return func;
}

static void run(const hd_artifact_program *program, const hd_artifact_variant *variant) {
  hd_ral_fn table[8];
  for (uint32_t i = 0; i < program->ral_name_count; ++i)
    if (!HD_CHECK((table[i] = find_api(program->ral_names[i])) != NULL)) return;
  hd_code *code;
  if (!HD_CHECK_OK(hd_code_load(variant->objects, variant->object_count, table, program->ral_name_count, &code)))
    return;
  hd_entry_fn entry = (hd_entry_fn)(uintptr_t)hd_code_symbol(code, program->entries[0].symbol);
  if (!HD_CHECK(entry != NULL)) return;
  static const int64_t shapes[][2] = {{3, 5}, {1, 1}, {0, 7}, {16, 33}};
  for (int s = 0; s < 4; ++s)
    for (int fail_at = 0; fail_at < 7; ++fail_at) {
      float in[16 * 33], out[16 * 33];
      for (int i = 0; i < 16 * 33; ++i) in[i] = (float)i, out[i] = -1;
      fake_context c = {.code = code,
                        .program = program,
                        .input = in,
                        .output = out,
                        .dims = {shapes[s][0], shapes[s][1]},
                        .fail_at = fail_at};
      entry(&c);
      int64_t count = shapes[s][0] * shapes[s][1];
      int all = count ? 6 : 3;
      HD_CHECK_INT(c.calls, fail_at && fail_at < all ? fail_at : all); /* nothing is called after a failure */
      if (c.head.failed || fail_at) continue;
      HD_CHECK_INT(c.launches, count ? 3 : 0);
      HD_CHECK(c.sent_dims[0] == shapes[s][0] && c.sent_dims[1] == shapes[s][1]);
      for (int64_t i = 0; i < count; ++i) HD_CHECK(out[i] == (float)i + 1.0f);
      if (count < 16 * 33) HD_CHECK(out[count] == -1);
    }
  hd_code_free(code);
}

static hd_status all(void *user) {
  hd_context *c = user;
  hd_module *module = hd_module_create(c, NULL);
  hd_cpu_kernel kernels[] = {{add_kernel(c, module, "add", false), NULL},
                             {add_kernel(c, module, "add_again", false), NULL},
                             {add_kernel(c, module, "subtract", true), "model.mlir:1:1"}};
  hd_op *entry = add_entry(c, module);
  if (!HD_CHECK(hd_verify(module->op))) {
    fprintf(stderr, "%s\n", hd_strbuf_text(&c->collected));
    return HD_STATUS_OK;
  }
  hd_hash128 h[3];
  for (int i = 0; i < 3; ++i) h[i] = hd_content_hash(kernels[i].func);
  HD_CHECK(hd_hash128_equal(&h[0], &h[1]) && !hd_hash128_equal(&h[0], &h[2]));

  hd_artifact_dim dims[] = {{"a", {0}}, {"b", {0}}};
  int64_t symbol_words[2][3] = {{HD_DIM_INPUT, 0, 0}, {HD_DIM_INPUT, 0, 1}},
          dim_words[2][2] = {{HD_DIM_SYMBOL, 0}, {HD_DIM_SYMBOL, 1}};
  hd_artifact_symbol symbols[] = {{"a", 0, 0, {symbol_words[0], 3}}, {"b", 0, 1, {symbol_words[1], 3}}};
  for (int i = 0; i < 2; ++i) dims[i].program = (hd_dim_program){dim_words[i], 2};
  hd_artifact_tensor tensor = {"x", HD_ELEMENT_F32, 2, dims, HD_NO_INPUT};
  hd_artifact_entry meta = {.name = "main",
                            .input_count = 1,
                            .output_count = 1,
                            .symbol_count = 2,
                            .inputs = &tensor,
                            .outputs = &tensor,
                            .symbols = symbols};
  hd_cpu_program program = {
      .kernels = kernels, .kernel_count = 3, .entries = &entry, .code = {.entry_count = 1, .entries = &meta}};
  hd_cpu_target targets[2];
  HD_CHECK_OK(hd_cpu_target_of("x86-64-v3", &targets[0]));
  HD_CHECK_OK(hd_cpu_target_of("x86-64-v4", &targets[1]));
  void *data[4] = {0};
  size_t size[4];
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  char cache_dir[] = "/tmp/heddle_build_test_XXXXXX";
  if (!HD_CHECK(mkdtemp(cache_dir))) return HD_STATUS_OK;
  for (int threads = 1; threads <= 4; ++threads) {
    /* The third fills the cache and the fourth takes from it; all give the same bytes. */
    hd_cpu_options options = {.threads = threads, .cache_dir = threads >= 3 ? cache_dir : NULL};
    hd_cpu_report report;
    hd_artifact_program code;
    if (!HD_CHECK_OK(hd_cpu_build(&program, targets, 2, &options, &arena, &code, &report)) ||
        !HD_CHECK_OK(hd_test_write(&code, "cpu", &data[threads - 1], &size[threads - 1])))
      return HD_STATUS_OK;
    HD_CHECK_INT(report.distinct_kernels, 2);
    HD_CHECK_INT(report.object_count, 3);
    HD_CHECK_INT(report.cached_kernels, threads == 4 ? 2 : 0);
    printf("%d threads: %.1f ms for 2 targets; kernel %.2f + %.2f + %.2f ms, host %.2f + %.2f ms\n", threads,
           report.compile_wall_ms, report.objects[0].translate_ms, report.objects[0].optimise_ms,
           report.objects[0].codegen_ms, report.objects[2].translate_ms, report.objects[2].codegen_ms);
  }
  for (int i = 1; i < 4; ++i) HD_CHECK(size[0] == size[i] && !memcmp(data[0], data[i], size[0]));
  char remove[80];
  snprintf(remove, sizeof remove, "rm -r %s", cache_dir);
  HD_CHECK(system(remove) == 0);
  void *aligned = aligned_alloc(64, (size[0] + 63) / 64 * 64);
  memcpy(aligned, data[0], size[0]);
  hd_artifact artifact;
  if (HD_CHECK_OK(hd_artifact_read(aligned, size[0], true, &arena, &artifact))) {
    const hd_artifact_program *code = artifact.programs;
    HD_CHECK_INT(code->kernel_count, 2);
    HD_CHECK_STR(code->kernels[0].name, "add");
    HD_CHECK_STR(code->kernels[1].source, "model.mlir:1:1");
    for (uint32_t v = 0; v < code->variant_count; ++v)
      if (!(code->variants[v].features & ~hd_cpu_features())) run(code, &code->variants[v]);
  }
  /* What host code names and nobody gives. */
  program.kernel_count = 2;
  hd_artifact_program none;
  HD_CHECK_FAILS(hd_cpu_build(&program, targets, 1, NULL, &arena, &none, NULL), HD_UNIMPLEMENTED,
                 "launches unknown kernel subtract");
  for (int i = 0; i < 4; ++i) free(data[i]);
  free(aligned);
  hd_arena_free(&arena);
  hd_module_free(module);
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
