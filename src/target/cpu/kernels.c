/* SPDX-License-Identifier: Apache-2.0 */
#include "target/cpu/kernels.h"

#include <stdio.h>

#include "ir/content_hash.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"

static void put_symbol(const hd_hash128 *content, const char *kind, char *out) {
  char hex[33];
  hd_hash128_hex(content, hex);
  snprintf(out, HD_CPU_SYMBOL_SIZE, "hd_%s_%s", kind, hex);
}

void hd_cpu_kernel_symbol(hd_op *kernel, char *out) {
  hd_hash128 hash = hd_content_hash(kernel);
  put_symbol(&hash, "kernel", out);
}

void hd_cpu_find_distinct(const hd_cpu_kernel *kernels, size_t count, hd_arena *arena, hd_cpu_distinct *out) {
  hd_map seen = {0};
  *out = (hd_cpu_distinct){.first = hd_new_array(arena, size_t, count), .index = hd_new_array(arena, uint32_t, count)};
  out->symbols = hd_arena_calloc(arena, count, HD_CPU_SYMBOL_SIZE);
  for (size_t i = 0; i < count; ++i) {
    hd_hash128 hash = hd_content_hash(kernels[i].func);
    bool is_new;
    hd_map_entry *entry = hd_map_insert_bytes(arena, &seen, hash.bytes, sizeof hash.bytes, &is_new);
    if (is_new) {
      put_symbol(&hash, "kernel", out->symbols[out->count]);
      out->first[out->count] = i;
      entry->value.i64 = (int64_t)out->count++;
    }
    out->index[i] = (uint32_t)entry->value.i64;
  }
}

typedef struct search {
  hd_cpu_shared *found;
  hd_map seen; /* content -> symbol */
  hd_arena *arena;
} search;

static bool find_shared(hd_op *op, void *user) {
  search *s = user;
  hd_op *callee = hd_op_is(op, HD_OP_func_call) ? hd_symbol_resolve(op, hd_call_like_callee(op)) : NULL;
  if (!callee || !hd_discardable_math(callee) || hd_map_get(&s->found->all, callee)) return true;
  hd_hash128 hash = hd_content_hash(callee);
  bool is_new;
  hd_map_entry *entry = hd_map_insert_bytes(s->arena, &s->seen, hash.bytes, sizeof hash.bytes, &is_new);
  if (is_new) {
    char *symbol = hd_arena_alloc(s->arena, HD_CPU_SYMBOL_SIZE);
    put_symbol(&hash, "math", symbol);
    entry->value.ptr = symbol;
    hd_vec_push(s->arena, &s->found->distinct, callee);
    hd_vec_push(s->arena, &s->found->symbols, symbol);
  }
  hd_map_set(s->arena, &s->found->all, callee, entry->value.ptr);
  return true;
}

void hd_cpu_find_shared(const hd_cpu_program *program, const hd_cpu_distinct *distinct, hd_arena *arena,
                        hd_cpu_shared *out) {
  *out = (hd_cpu_shared){0};
  search s = {.found = out, .arena = arena};
  for (size_t i = 0; i < distinct->count; ++i) hd_walk_pre(program->kernels[distinct->first[i]].func, find_shared, &s);
}

static bool is_unrolled(hd_op *op, void *user) {
  bool unrolled = hd_op_is(op, HD_OP_scf_for) && hd_discardable_unroll(op) > 1;
  *(bool *)user |= unrolled;
  return !unrolled;
}

/* A module costs half a millisecond by itself, as much as the code of a small kernel: those of a program of many are
 * compiled several at a time, compact ones apart from others. Others have one of their own, by which they are found in
 * the cache from any program. Loops that are to be unrolled need passes of their own. */
void hd_cpu_group_kernels(const hd_cpu_program *program, const hd_cpu_distinct *d, hd_arena *arena,
                          hd_cpu_groups *out) {
  enum { SMALL_OPS = 150, MANY = 128, TOGETHER = 16 };
  enum { ALONE, SHARED, SHARED_COMPACT, KINDS };
  bool *small = hd_new_array(arena, bool, d->count + 1);
  size_t smalls = 0, at = 0;
  for (size_t i = 0; i < d->count; ++i) {
    hd_op *func = program->kernels[d->first[i]].func;
    bool unrolled = false;
    small[i] = hd_op_count(func) <= SMALL_OPS;
    if (small[i]) hd_walk_pre(func, is_unrolled, &unrolled);
    small[i] &= !unrolled;
    smalls += small[i];
  }
  *out = (hd_cpu_groups){.first = hd_new_array(arena, size_t, d->count + 1),
                         .funcs = hd_new_array(arena, hd_op *, d->count + 1),
                         .symbols = hd_new_array(arena, const char *, d->count + 1)};
  for (int kind = 0; kind < KINDS; ++kind) {
    size_t together = kind == ALONE ? 1 : TOGETHER, left = 0;
    for (size_t i = 0; i < d->count; ++i) {
      bool compact = hd_discardable_compact(program->kernels[d->first[i]].func);
      if (kind != (small[i] && smalls > MANY ? compact ? SHARED_COMPACT : SHARED : ALONE)) continue;
      if (!left) out->first[out->count++] = at, left = together;
      --left;
      out->funcs[at] = program->kernels[d->first[i]].func;
      out->symbols[at++] = d->symbols[i];
    }
  }
  out->first[out->count] = at;
}
