/* SPDX-License-Identifier: Apache-2.0 */
/* The search for a wrong kernel among the launches of a program (heddle bisect),
 * on kernels that are wrong on purpose. */
#include "driver/launches.h"

#include <stdlib.h>
#include <string.h>

#include "base/testing.h"
#include "eval/core/tensor.h"
#include "text/text.h"

/* y = x + 1, then y = 2 * y in place, then y = y + 1 by the first kernel again. */
static const char TEXT[] =
    "func.func @main(%x: memref<?xf32>) -> memref<?xf32> {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c1 = arith.constant 1 : index\n"
    "  %n = memref.dim %x, %c0 : memref<?xf32>\n"
    "  %y = memref.alloc(%n) : memref<?xf32>\n"
    "  hd.launch @add extent(%n) grain(%c1) args(%x, %y : memref<?xf32>, memref<?xf32>)\n"
    "  hd.launch @double extent(%n) grain(%c1) args(%y : memref<?xf32>)\n"
    "  hd.launch @add extent(%n) grain(%c1) args(%y, %y : memref<?xf32>, memref<?xf32>)\n"
    "  return %y : memref<?xf32>\n"
    "}\n"
    "func.func private @add(%x: memref<?xf32>, %y: memref<?xf32>, %begin: index, %end: index) attributes {hd.kernel} "
    "{\n"
    "  %c1 = arith.constant 1 : index\n"
    "  %one = arith.constant 1.0 : f32\n"
    "  scf.for %i = %begin to %end step %c1 {\n"
    "    %0 = memref.load %x[%i] : memref<?xf32>\n"
    "    %1 = arith.addf %0, %one : f32\n"
    "    memref.store %1, %y[%i] : memref<?xf32>\n"
    "  }\n"
    "  return\n"
    "}\n"
    "func.func private @double(%y: memref<?xf32>, %begin: index, %end: index) attributes {hd.kernel} {\n"
    "  %c1 = arith.constant 1 : index\n"
    "  scf.for %i = %begin to %end step %c1 {\n"
    "    %0 = memref.load %y[%i] : memref<?xf32>\n"
    "    %1 = arith.addf %0, %0 : f32\n"
    "    memref.store %1, %y[%i] : memref<?xf32>\n"
    "  }\n"
    "  return\n"
    "}\n";

/* l = cholesky(x), then l + 1 by a kernel. */
static const char LIBRARY[] =
    "func.func @main() attributes {hd.host} {\n"
    "  %n0 = arith.constant 0 : i64\n"
    "  %n1 = arith.constant 1 : i64\n"
    "  %n2 = arith.constant 2 : i64\n"
    "  %n3 = arith.constant 3 : i64\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c1 = arith.constant 1 : index\n"
    "  %c2 = arith.constant 2 : index\n"
    "  %bytes = arith.constant 16 : i64\n"
    "  %f32 = arith.constant 22 : i64\n"
    "  %stream = llvm.mlir.zero : !llvm.ptr\n"
    "  %x = hd.ral_call \"ral_recv_input___pvoid_i64___m2df32\"(%n0) : (i64) -> memref<2x2xf32>\n"
    "  %p = hd.ral_call \"ral_alloc___pvoid_i64_i64___pvoid\"(%bytes, %bytes) : (i64, i64) -> !llvm.ptr\n"
    "  %l = hd.memref %p[] : !llvm.ptr to memref<2x2xf32>\n"
    "  %descriptor = memref.alloca() : memref<3xi64>\n"
    "  memref.store %n1, %descriptor[%c0] : memref<3xi64>\n"
    "  memref.store %n2, %descriptor[%c1] : memref<3xi64>\n"
    "  memref.store %n1, %descriptor[%c2] : memref<3xi64>\n"
    "  hd.ral_call \"ral_cholesky___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64___void\"(%stream, %x, %x, %l, %f32, "
    "%descriptor, %n3) : (!llvm.ptr, memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf32>, i64, memref<3xi64>, i64) -> "
    "()\n"
    "  hd.ral_call \"ral_send_output___pvoid_i64_m2df32___void\"(%n0, %l) : (i64, memref<2x2xf32>) -> ()\n"
    "  return\n"
    "}\n";

static bool any_call(void *user, const hd_eval_launch *call) {
  (void)user;
  return HD_CHECK(!call->kernel && call->count == 7 && call->area_count == 7);
}
/* The result is zero but for what |user| says of the last element. */
static hd_status fill(void *user, const hd_eval_launch *call) {
  float *out = (float *)(uintptr_t)call->words[3];
  memcpy(out, (float[]){2, 0, 1, *(float *)user}, 4 * sizeof *out);
  return HD_STATUS_OK;
}
static hd_status refuses(void *user, const hd_eval_launch *call) {
  (void)user, (void)call;
  return hd_make_status(HD_UNAVAILABLE, "no library");
}

static float *pointer(uint64_t word) { return (float *)(uintptr_t)word; }

static void add(const uint64_t *words, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) pointer(words[1])[i] = pointer(words[0])[i] + 1;
}
static void add_but_last(const uint64_t *words, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) pointer(words[1])[i] = i + 1 < end ? pointer(words[0])[i] + 1 : -1;
}
static void twice(const uint64_t *words, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) pointer(words[0])[i] *= 2;
}
static void twice_but_third(const uint64_t *words, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) pointer(words[0])[i] *= i == 2 ? 3 : 2;
}

typedef struct kernels {
  hd_kernel_fn add, twice;
} kernels;

static hd_kernel_fn code_of(void *user, hd_op *kernel) {
  const kernels *k = user;
  return hd_str_is(hd_symbol_name(kernel), "add") ? k->add : k->twice;
}

/* A program of one argument and one result, ready to be searched. */
typedef struct searched {
  hd_context *context;
  hd_module *module;
  hd_arena arena;
  hd_heap heap;
  hd_tensor x;
  hd_launch_search search;
  hd_suspect suspect;
} searched;

static bool begin(searched *s, const char *text, const char *file, const float *x, const int64_t *dims, uint32_t rank) {
  *s = (searched){0};
  hd_arena_init(&s->arena, NULL);
  hd_heap_init(&s->heap, 0);
  if (!HD_CHECK_OK(hd_context_create(0, &s->context))) return false;
  hd_text_install(s->context);
  if (!HD_CHECK_OK(hd_text_parse(s->context, hd_str_of(text), file, &s->module))) return false;
  hd_type type = hd_type_tensor(hd_f32(s->context), dims, rank, NULL);
  if (!HD_CHECK_OK(hd_tensor_create(&s->heap, type, &s->x))) return false;
  memcpy(hd_tensor_data(&s->x), x, (size_t)hd_type_num_elements(type) * sizeof *x);
  s->search = (hd_launch_search){.module = s->module,
                                 .entry = HD_STR("main"),
                                 .args = &s->x,
                                 .arg_count = 1,
                                 .result_count = 1,
                                 .tolerance = 1e-6,
                                 .code = code_of};
  return true;
}

static hd_status find(searched *s) { return hd_find_wrong_launch(&s->search, &s->arena, &s->suspect); }

static void end(searched *s) {
  hd_heap_clear(&s->heap);
  hd_arena_free(&s->arena);
  if (s->module) hd_module_free(s->module);
  if (s->context) hd_context_release(s->context);
}

static void search(const kernels *k, const char *want, size_t element, double got) {
  searched s;
  if (begin(&s, TEXT, "kernels.mlir", (float[]){0, 1, 2, 3, 4}, (int64_t[]){5}, 1)) {
    s.search.user = (void *)(uintptr_t)k;
    HD_CHECK_OK(find(&s));
    if (!want) HD_CHECK(!s.suspect.writer.name);
    if (want && HD_CHECK(s.suspect.writer.name != NULL)) {
      HD_CHECK_STR(s.suspect.writer.name, want);
      HD_CHECK_INT(s.suspect.difference.element, element);
      HD_CHECK(s.suspect.difference.got == got);
      HD_CHECK(s.suspect.rank == 1 && s.suspect.dims[0] == 5);
    }
  }
  end(&s);
}

/* x = [4 2; 2 5], whose factor is [2 0; 1 2]. */
static void search_library(float last, bool wrong) {
  searched s;
  if (begin(&s, LIBRARY, "library.mlir", (float[]){4, 2, 2, 5}, (int64_t[]){2, 2}, 2)) {
    s.search.can_call = any_call, s.search.call = fill, s.search.user = &last;
    HD_CHECK_OK(find(&s));
    HD_CHECK((s.suspect.writer.name != NULL) == wrong);
    if (wrong && s.suspect.writer.name) {
      HD_CHECK_STR(s.suspect.writer.name, "ral_cholesky");
      HD_CHECK(strstr(s.suspect.writer.place, "library.mlir:19:"));
      HD_CHECK(s.suspect.rank == 2 && s.suspect.dims[0] == 2 && s.suspect.difference.element == 3);
      if (HD_CHECK_INT(s.suspect.operand_count, 1)) HD_CHECK_STR(s.suspect.operands[0].name, "argument 0");
    }
    s.search.call = refuses;
    HD_CHECK_FAILS(find(&s), HD_UNAVAILABLE, "no library");
    s.search.can_call = NULL, s.search.call = NULL; /* not looked at */
    HD_CHECK_OK(find(&s));
    HD_CHECK(!s.suspect.writer.name);
  }
  end(&s);
}

int main(void) {
  search_library(2, false);
  search_library(3, true);
  search(&(kernels){add, twice}, NULL, 0, 0);
  search(&(kernels){add, twice_but_third}, "double", 2, 9);
  search(&(kernels){add_but_last, twice}, "add", 4, -1);
  search(&(kernels){NULL, twice_but_third}, "double", 2, 9); /* a kernel without code is passed over */
  return HD_TEST_RESULT();
}
