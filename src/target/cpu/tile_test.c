/* SPDX-License-Identifier: Apache-2.0 */
/* Register-tiled matrix multiplication: right, and without spills in the loop. A spilled accumulator more than halves
 * the speed, so the loop's assembly is inspected. */
#include <unistd.h>

#include "ir/testing.h"
#include "target/cpu/kernel_testing.h"

/* c[rows x cols*lanes] = sum over k of a[k * rows + i] * b[k * cols * lanes + j]; args a, b, c, k */
static rig build(hd_context *c, int rows, int cols, int lanes) {
  hd_type f32 = hd_f32(c), memref = rig_memref(f32), types[] = {memref, memref, memref, hd_type_index(c)};
  rig r = rig_begin(c, types, 4);
  hd_named_attr named = {hd_name_ident(c, HD_NAME_llvm_noalias), hd_attr_unit(c)};
  hd_attr dict = hd_attr_dict(c, &named, 1), empty = hd_attr_dict(c, NULL, 0);
  hd_attr dicts[] = {dict, dict, dict, empty, empty, empty};
  hd_op_attr_set(r.func, HD_NAME_arg_attrs, hd_attr_array(c, dicts, 6));
  hd_type vector = rig_vector(f32, lanes);
  hd_value *inits[32], *zero = hd_build_float(&r.b, vector, 0), *out[32];
  for (int i = 0; i < rows * cols; ++i) inits[i] = zero;
  hd_op *loop =
      hd_build_for(&r.b, hd_build_index(&r.b, 0), r.args[3], hd_build_index(&r.b, 1), inits, (size_t)(rows * cols));
  hd_builder after = r.b;
  hd_block *body = hd_op_region(loop, 0)->first;
  r.b = hd_builder_at_end(r.module, body);
  hd_type index = hd_type_index(c);
  hd_value *a_at = hd_build(&r.b, HD_OP_arith_muli, index, body->args[0], hd_build_index(&r.b, rows));
  hd_value *b_at = hd_build(&r.b, HD_OP_arith_muli, index, body->args[0], hd_build_index(&r.b, cols * lanes));
  hd_value *columns[4];
  for (int j = 0; j < cols; ++j)
    columns[j] =
        rig_load(&r, r.args[1], hd_build(&r.b, HD_OP_arith_addi, index, b_at, hd_build_index(&r.b, j * lanes)), lanes);
  for (int i = 0; i < rows; ++i) {
    hd_value *x = rig_load(&r, r.args[0], hd_build(&r.b, HD_OP_arith_addi, index, a_at, hd_build_index(&r.b, i)), 0);
    hd_value *splat = hd_build(&r.b, HD_OP_vector_broadcast, vector, x);
    for (int j = 0; j < cols; ++j)
      out[i * cols + j] = hd_build(&r.b, HD_OP_vector_fma, vector, splat, columns[j], body->args[1 + i * cols + j]);
  }
  hd_build_yield(&r.b, out, (size_t)(rows * cols));
  r.b = after;
  for (int i = 0; i < rows * cols; ++i)
    rig_store(&r, hd_result(loop, (uint32_t)i), r.args[2], hd_build_index(&r.b, (int64_t)i * lanes));
  return r;
}

/* Vector moves between registers and the stack in the loop that has the FMAs: from the label that the last backward
 * jump names to that jump. */
static int spills_in_loop(const char *path, int *out_fmas) {
  FILE *file = fopen(path, "r");
  *out_fmas = 0;
  if (!file) return -1;
  static char lines[20000][200];
  int count = 0;
  while (count < 20000 && fgets(lines[count], sizeof lines[0], file)) ++count;
  fclose(file);
  int worst = 0;
  for (int i = 0; i < count; ++i) {
    char label[100];
    if (sscanf(lines[i], " j%*s %99s", label) != 1) continue;
    strncat(label, ":", sizeof label - strlen(label) - 1);
    for (int k = i - 1; k >= 0; --k) {
      if (strncmp(lines[k], label, strlen(label)) != 0) continue;
      int fmas = 0, moves = 0;
      for (int m = k; m < i; ++m) {
        fmas += strstr(lines[m], "vfmadd") != NULL;
        moves += strstr(lines[m], "(%rsp)") && (strstr(lines[m], "mm"));
      }
      if (fmas > *out_fmas) *out_fmas = fmas, worst = moves;
      break;
    }
  }
  return worst;
}

static void test_tile(hd_context *c, const char *mcpu, int rows, int cols, int lanes) {
  rig r = build(c, rows, cols, lanes);
  char folder[] = "/tmp/heddle_gemm_XXXXXX", path[200];
  if (!HD_CHECK(mkdtemp(folder))) return;
  hd_cpu_target target;
  compiled k;
  if (HD_CHECK_OK(hd_cpu_target_of(mcpu, &target)) && rig_compile(&r, mcpu, &k)) {
    hd_cpu_options options = {.dump_to = folder};
    hd_cpu_object object;
    HD_CHECK_OK(hd_cpu_compile_kernel(r.func, "k", &target, &options, &k.arena, &object));
    snprintf(path, sizeof path, "%s/k.%s.s", folder, target.name);
    int fmas, spills = spills_in_loop(path, &fmas);
    HD_CHECK_INT(spills, 0);
    HD_CHECK_INT(fmas, rows * cols);
    enum { K = 37 };
    static float a[K * 32], b[K * 64], out[32 * 64];
    int n = cols * lanes;
    for (int i = 0; i < K * rows; ++i) a[i] = (float)(i % 13 - 6) * 0.25f;
    for (int i = 0; i < K * n; ++i) b[i] = (float)(i % 7 - 3) * 0.5f;
    if (k.fn) {
      uint64_t words[] = {WORD(a), WORD(b), WORD(out), K};
      k.fn(words, 0, 1);
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < n; ++j) {
          float sum = 0;
          for (int x = 0; x < K; ++x) sum += a[x * rows + i] * b[x * n + j];
          HD_CHECK(out[i * n + j] == sum); /* small numbers: exact in any order */
        }
    }
    printf("%s %dx%d: translate %.2f ms, optimise %.2f ms, code %.2f ms\n", target.name, rows, n, object.translate_ms,
           k.object.optimise_ms, k.object.codegen_ms);
    compiled_free(&k);
  }
  static const char *const suffixes[] = {"ll", "opt.ll", "s"};
  for (int i = 0; i < 3; ++i) {
    snprintf(path, sizeof path, "%s/k.%s.%s", folder, target.name, suffixes[i]);
    unlink(path);
  }
  rmdir(folder);
  hd_module_free(r.module);
}

static hd_status all(void *user) {
  test_tile(user, "x86-64-v3", 6, 2, 8);
  test_tile(user, "x86-64-v3", 4, 3, 8);
  test_tile(user, "x86-64-v4", 12, 2, 16);
  test_tile(user, "x86-64-v4", 6, 4, 16);
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
