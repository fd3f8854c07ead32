/* SPDX-License-Identifier: Apache-2.0 */
/* The limits of a kernel: the ops that it has, the stages that compute them again, and on a GPU its parameters and
 * shared memory. */
#include <stdlib.h>

#include "passes/fuse/fuser.h"

/* A stage of a row kernel computes from the kernel's inputs what it reads, again in each stage: a chain of n reductions
 * costs n * n / 2 of its steps. With eight stages, one that takes tanh in each step is at three times its steps. */
enum { MAX_GROUP_OPS = 120, MAX_STAGES = 8 };

void hd_fuser_bound_resources(hd_fuser *f, uint32_t x) {
  hd_fuse_node *n = &f->nodes[x];
  hd_op *op = n->op;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_value *value = hd_operand(op, i);
    bool buffer = hd_type_is(value->type, HD_TYPE_MEMREF);
    uint32_t w = buffer ? hd_fuser_writer_of(f, value) : UINT32_MAX;
    bool through = w != UINT32_MAX && w != x && f->nodes[w].class == HD_FUSE_INLINE;
    int64_t bytes = through ? f->nodes[w].bytes : hd_gpu_parameter_bound(value->type);
    n->bytes = n->bytes > INT32_MAX ? n->bytes : n->bytes + bytes; /* diamonds of inline ops count twice */
  }
  if (n->class != HD_FUSE_ROW_REDUCE) return;
  n->shared = f->target->block_large / f->target->warp *
              (int64_t)hd_type_element_bytes(hd_compute_type(hd_type_element(hd_operand_type(op, 0))));
}

typedef struct parameters {
  hd_fuser *f;
  uint32_t a, b; /* the groups that would be one kernel */
  hd_map seen;
  int64_t bytes;
} parameters;

static bool is_inside(parameters *p, uint32_t x) {
  uint32_t root = hd_fuser_find(p->f, x);
  return root == p->a || root == p->b;
}

static void add_buffer(parameters *p, hd_value *buffer) {
  bool is_new;
  hd_map_insert(p->f->arena, &p->seen, buffer, &is_new);
  if (is_new) p->bytes += hd_gpu_parameter_bound(buffer->type);
}

static void add_read(parameters *p, hd_value *buffer) {
  uint32_t w = hd_fuser_writer_of(p->f, buffer);
  if (w == UINT32_MAX) {
    add_buffer(p, buffer);
  } else if (p->f->nodes[w].class == HD_FUSE_INLINE) {
    hd_op *op = p->f->nodes[w].op;
    bool is_new;
    hd_map_insert(p->f->arena, &p->seen, op, &is_new);
    for (uint32_t i = 0; is_new && i < hd_buffer_input_count(op); ++i) add_read(p, hd_operand(op, i));
  } else if (!is_inside(p, w)) {
    add_buffer(p, buffer);
  }
}

static void add_written(parameters *p, hd_value *buffer) {
  hd_for_each_use(use, buffer) {
    hd_map_entry *entry = hd_map_find(&p->f->index, use->owner);
    if (entry && is_inside(p, (uint32_t)(entry->value.i64 - 1))) continue;
    add_buffer(p, buffer);
    return;
  }
}

/* Parameters of the kernel that groups |a| and |b| would be; what both need apart is an upper bound. */
static int64_t parameter_bytes(hd_fuser *f, uint32_t a, uint32_t b) {
  int64_t bound = f->nodes[a].bytes + f->nodes[b].bytes + HD_GPU_SCALAR_BYTES;
  if (bound <= f->target->parameter_bytes) return bound;
  parameters p = {.f = f, .a = a, .b = b, .bytes = HD_GPU_SCALAR_BYTES};
  uint32_t groups[2] = {a, b};
  for (int g = 0; g < 2; ++g)
    for (uint32_t m = groups[g]; m != UINT32_MAX; m = f->nodes[m].next_member) {
      hd_op *op = f->nodes[m].op;
      uint32_t inputs = hd_buffer_input_count(op);
      for (uint32_t i = 0; i < inputs; ++i) add_read(&p, hd_operand(op, i));
      for (uint32_t o = 0; o < hd_buffer_output_count(op); ++o) add_written(&p, hd_buffer_output(op, o));
    }
  return p.bytes;
}

static int by_index(const void *x, const void *y) {
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return a < b ? -1 : a > b;
}

uint32_t hd_fuser_stages(hd_fuser *f, uint32_t a, uint32_t b) {
  uint32_t bound = f->nodes[a].stages + (a == b ? 0 : f->nodes[b].stages), count = 0, stages = 0;
  if (bound <= MAX_STAGES) return bound;
  uint32_t groups[2] = {a, b},
           *members = hd_new_array(f->arena, uint32_t, f->nodes[a].size + (a == b ? 0 : f->nodes[b].size));
  for (int g = 0; g < (a == b ? 1 : 2); ++g)
    for (uint32_t m = groups[g]; m != UINT32_MAX; m = f->nodes[m].next_member) members[count++] = m;
  qsort(members, count, sizeof *members, by_index); /* producers come before their readers */
  for (uint32_t i = 0; i < count; ++i) {
    hd_fuse_node *n = &f->nodes[members[i]];
    n->depth = 0;
    for (uint32_t s = 0; s < n->producer_count; ++s) {
      uint32_t root = hd_fuser_find(f, n->producers[s]), depth = f->nodes[n->producers[s]].depth;
      if ((root == a || root == b) && depth > n->depth) n->depth = depth;
    }
    n->depth += n->class == HD_FUSE_ROW_REDUCE;
    if (n->depth > stages) stages = n->depth;
  }
  return stages;
}

const char *hd_fuser_size_blocker(hd_fuser *f, uint32_t a, uint32_t b) {
  if (f->nodes[a].size + f->nodes[b].size > MAX_GROUP_OPS)
    return hd_arena_printf(f->arena, "the kernel would have %u ops, of which it may have %d",
                           f->nodes[a].size + f->nodes[b].size, (int)MAX_GROUP_OPS);
  uint32_t stages = hd_fuser_stages(f, a, b);
  if (stages > MAX_STAGES)
    return hd_arena_printf(f->arena, "the kernel would have %u reductions one after the other, of which it may have %d",
                           stages, (int)MAX_STAGES);
  if (!f->target) return NULL;
  int64_t bytes = parameter_bytes(f, a, b), shared = f->nodes[a].shared + f->nodes[b].shared;
  if (bytes > f->target->parameter_bytes)
    return hd_arena_printf(f->arena, "the kernel would need %lld bytes of parameters, and the target has %lld",
                           (long long)bytes, (long long)f->target->parameter_bytes);
  if (shared > f->target->shared_bytes)
    return hd_arena_printf(f->arena, "the kernel would need %lld bytes of shared memory, and the target has %lld",
                           (long long)shared, (long long)f->target->shared_bytes);
  return NULL;
}
