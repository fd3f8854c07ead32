/* SPDX-License-Identifier: Apache-2.0 */
/* For unit tests of the CPU target: kernels built in C, compiled, loaded by the runtime's loader and called. */
#ifndef HD_TARGET_CPU_KERNEL_TESTING_H_
#define HD_TARGET_CPU_KERNEL_TESTING_H_

#include <math.h>
#include <stdlib.h>

#include "base/testing.h"
#include "heddle/cpu.h"
#include "ir/builder.h"
#include "ir/ops/discardable.h"
#include "runtime/loader.h"
#include "target/cpu/cpu.h"

typedef struct rig {
  hd_context *c;
  hd_module *module;
  hd_op *func;
  hd_builder b; /* in the body */
  hd_value **args;
  uint32_t arg_count;
} rig;

static inline hd_type rig_vector(hd_type element, int64_t lanes) {
  return lanes ? hd_type_vector(element, &lanes, 1, NULL) : element;
}
static inline hd_type rig_memref(hd_type element) {
  int64_t dim = HD_DYNAMIC;
  return hd_type_memref(element, &dim, 1, NULL, NULL);
}

/* A kernel whose arguments are |types| and the range; the builder is in its body, before a return. */
static inline rig rig_begin(hd_context *c, const hd_type *types, uint32_t count) {
  rig r = {.c = c, .module = hd_module_create(c, NULL)};
  hd_type ins[40];
  for (uint32_t i = 0; i < count; ++i) ins[i] = types[i];
  ins[count] = ins[count + 1] = hd_type_index(c);
  r.b = hd_builder_at_end(r.module, hd_module_body(r.module));
  r.func = hd_build_func(&r.b, HD_STR("k"), hd_type_function(c, ins, count + 2, NULL, 0), false);
  hd_discardable_set_kernel(r.func, true);
  hd_block *body = hd_op_region(r.func, 0)->first;
  r.args = body->args;
  r.arg_count = body->arg_count;
  r.b = hd_builder_at_end(r.module, body);
  hd_build_op(&r.b, HD_OP_func_return, NULL, 0, NULL, 0, NULL, 0, 0);
  r.b = hd_builder_before(body->last);
  return r;
}

/* for i = begin to end step |step|: the builder goes into the body, before its yield; gives i. */
static inline hd_value *rig_loop(rig *r, int64_t step) {
  hd_value *width = hd_build_index(&r->b, step);
  hd_op *loop = hd_build_for(&r->b, r->args[r->arg_count - 2], r->args[r->arg_count - 1], width, NULL, 0);
  hd_block *body = hd_op_region(loop, 0)->first;
  r->b = hd_builder_at_end(r->module, body);
  hd_build_yield(&r->b, NULL, 0);
  r->b = hd_builder_before(body->last);
  return body->args[0];
}

/* base[index], a vector of |lanes| or a scalar when 0 */
static inline hd_value *rig_load(rig *r, hd_value *base, hd_value *index, int64_t lanes) {
  hd_type type = rig_vector(base->type->shaped.element, lanes);
  return hd_build(&r->b, lanes ? HD_OP_vector_load : HD_OP_memref_load, type, base, index);
}
static inline void rig_store(rig *r, hd_value *value, hd_value *base, hd_value *index) {
  hd_build0(&r->b, value->type->kind == HD_TYPE_VECTOR ? HD_OP_vector_store : HD_OP_memref_store, value, base, index);
}

typedef struct compiled {
  hd_arena arena;
  hd_cpu_object object;
  hd_code *code;
  hd_kernel_fn fn; /* null when this machine cannot run it */
} compiled;

static inline bool rig_compile(rig *r, const char *mcpu, compiled *out) {
  *out = (compiled){0};
  hd_arena_init(&out->arena, NULL);
  hd_cpu_target target;
  if (!HD_CHECK(hd_verify(r->module->op))) {
    fprintf(stderr, "%s\n", hd_strbuf_text(&r->c->collected));
    return false;
  }
  if (!HD_CHECK_OK(hd_cpu_target_of(mcpu, &target))) return false;
  hd_cpu_options options = {.dump_to = getenv("HD_TEST_DUMP")};
  if (!HD_CHECK_OK(hd_cpu_compile_kernel(r->func, "k", &target, &options, &out->arena, &out->object))) return false;
  uint64_t missing = target.features & ~hd_cpu_features();
  if (missing) {
    static bool reported;
    if (!reported)
      HD_TEST_SKIP("code for %s does not run: this machine's CPU lacks %s", mcpu, hd_cpu_feature_name(missing));
    reported = true;
    return true;
  }
  hd_artifact_object object = {"k", out->object.data, out->object.size};
  if (!HD_CHECK_OK(hd_code_load(&object, 1, NULL, 0, &out->code))) return false;
  out->fn = (hd_kernel_fn)(uintptr_t)hd_code_symbol(out->code, "k");
  return HD_CHECK(out->fn != NULL);
}

static inline void compiled_free(compiled *k) {
  if (k->code) hd_code_free(k->code);
  hd_arena_free(&k->arena);
}

#define WORD(pointer) ((uint64_t)(uintptr_t)(pointer))

static const char *const rig_machines[] = {"x86-64-v3", "x86-64-v4"};

static inline hd_value *rig_index(rig *r, int64_t value) { return hd_build_index(&r->b, value); }
static inline hd_value *rig_build_one(rig *r, hd_opcode opcode, hd_type type, hd_value *const *operands, size_t count,
                                      hd_name name, hd_attr value) {
  hd_attr_arg attr = {name, value};
  return hd_build_one_(&r->b, opcode, type, operands, count, &attr, value ? 1 : 0);
}

/* Kernels of two f32 inputs of 64 elements and an output, built by |build|, and the expected output. */
typedef void (*rig_build_fn)(rig *r, hd_value *in, hd_value *other, hd_value *out);
typedef float (*rig_expect_fn)(const float *in, const float *other, int i);

static inline void rig_test_f32(hd_context *c, const char *name, rig_build_fn build, rig_expect_fn expect, int count) {
  for (int m = 0; m < 2; ++m) {
    hd_type memref = rig_memref(hd_f32(c)), types[] = {memref, memref, memref, hd_type_index(c)};
    rig r = rig_begin(c, types, 4);
    build(&r, r.args[0], r.args[1], r.args[2]);
    compiled k;
    if (rig_compile(&r, rig_machines[m], &k) && k.fn) {
      float in[64], other[64], out[256];
      for (int i = 0; i < 64; ++i) in[i] = (float)i + 1, other[i] = (float)(100 + i);
      for (int i = 0; i < 256; ++i) out[i] = -1;
      uint64_t words[] = {WORD(in), WORD(other), WORD(out), 3};
      k.fn(words, 0, 1);
      for (int i = 0; i < 256; ++i) {
        float want = i < count ? expect(in, other, i) : -1;
        if (isnan(want)) continue; /* any */
        if (out[i] != want)
          hd_test_check_(false, __FILE__, __LINE__, "%s %s: element %d is %g, expected %g", rig_machines[m], name, i,
                         out[i], want);
        else
          HD_CHECK(true);
      }
    } else {
      fprintf(stderr, "in %s\n", name);
    }
    compiled_free(&k);
    hd_module_free(r.module);
  }
}

#endif
