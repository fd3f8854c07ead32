/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that read the same elements become one, which reads them once.
 *
 *   sum(a, 1), maximum(a, 1)         one row kernel
 *   sum(a, 0), sum(a * b, 0)         one kernel: columns, or a loop whose reductions share one walk
 *   sum(a, 1), sum(a, 0)             one row kernel with columns beside it, where |columns| are kernels
 *   tanh(a), a + b                   one loop kernel
 *
 * Runs when all ops have joined what they read, so it takes no other fusion's place. Of two kernels the first goes down
 * to the place of the second. That makes no cycle, since there is no way from one to the other, and no moment at which
 * more memory is live: who reads the first's results comes after the second, and what the first reads is live there
 * anyway. A loop and a row kernel stay apart: what has many elements in few rows would run on few threads.
 *
 * A buffer's readers are tried against the last few before them, which are near: the cost is linear. */
#include "ir/ops/stablehlo.h"
#include "ir/placement.h"
#include "passes/fuse/fuser.h"

enum {
  MAX_TRIED = 4,      /* kernels on a buffer that a new reader of it is tried with */
  MAX_BETWEEN = 1024, /* nodes between the two: far ones would make every search for cycles long */
  MAX_REDUCTIONS = 4, /* of a kernel on its walk over the elements: as many as have registers */
  MAX_OPS = 32,       /* of a loop kernel: what computes for longer does not wait for memory */
};

typedef struct readers {
  uint32_t nodes[MAX_TRIED], count; /* the last ones, the newest at (count - 1) % MAX_TRIED */
} readers;

static bool is_reduction(const hd_fuser *f, uint32_t x) {
  return hd_buffer_opcode(f->nodes[x].op) == HD_OP_stablehlo_reduce;
}

/* Does node |x| read operand |i| once for each element of its group's shape, in their order? */
static bool reads_whole(hd_fuser *f, uint32_t x, uint32_t i) {
  const hd_fuse_node *n = &f->nodes[x], *group = &f->nodes[hd_fuser_find(f, x)];
  hd_value *buffer = hd_operand(n->op, i);
  if (is_reduction(f, x) && i >= hd_buffer_output_count(n->op)) return false;
  if (n->class == HD_FUSE_GENERATED) return is_reduction(f, x);
  return hd_shapes_same(f->shapes, buffer, group->shape);
}

static uint32_t count_reductions(hd_fuser *f, uint32_t g) {
  uint32_t count = 0;
  for (uint32_t m = g; m != UINT32_MAX; m = f->nodes[m].next_member) count += is_reduction(f, m);
  return count;
}

/* The op of loop kernel |g| that computes its elements another way; UINT32_MAX: none. */
static uint32_t generated_of(hd_fuser *f, uint32_t g) {
  for (uint32_t m = f->nodes[g].has_generated ? g : UINT32_MAX; m != UINT32_MAX; m = f->nodes[m].next_member)
    if (f->nodes[m].class == HD_FUSE_GENERATED || f->nodes[m].class == HD_FUSE_DOT) return m;
  return UINT32_MAX;
}

/* Are the kernels' only ops that are no elementwise ones reductions of the same dims of operands of one shape? The
 * generator walks those together. */
static bool reduce_alike(hd_fuser *f, uint32_t a, uint32_t b) {
  uint32_t x = generated_of(f, a), y = generated_of(f, b);
  if (x == UINT32_MAX || y == UINT32_MAX || !is_reduction(f, x) || !is_reduction(f, y)) return false;
  return hd_stablehlo_reduce_dimensions(f->nodes[x].op) == hd_stablehlo_reduce_dimensions(f->nodes[y].op) &&
         hd_shapes_same(f->shapes, hd_operand(f->nodes[x].op, 0), hd_operand(f->nodes[y].op, 0)) &&
         hd_shapes_same(f->shapes, f->nodes[a].shape, f->nodes[b].shape);
}

/* Does the kernel read all that it reads in the order of its own elements? */
static bool reads_in_order(hd_fuser *f, uint32_t g) {
  for (uint32_t m = g; m != UINT32_MAX; m = f->nodes[m].next_member)
    for (uint32_t i = 0; i < hd_buffer_input_count(f->nodes[m].op); ++i) {
      uint32_t w = hd_fuser_writer_of(f, hd_operand(f->nodes[m].op, i));
      if (w != UINT32_MAX && f->nodes[w].class == HD_FUSE_INLINE && hd_buffer_input_count(f->nodes[w].op)) return false;
    }
  return true;
}

/* Why groups |a| and |b|, neither of which reads the other, are not one kernel; null when they are, |*kernel|. */
static const char *sibling_blocker(hd_fuser *f, uint32_t a, uint32_t b, hd_fuse_kernel *kernel) {
  const hd_fuse_node *x = &f->nodes[a], *y = &f->nodes[b];
  if ((x->kind == HD_FUSE_LOOP) != (y->kind == HD_FUSE_LOOP))
    return "one has rows and the other has none: with few rows it would run on few threads";
  const hd_fuse_node *leader = y->kind == HD_FUSE_ROW ? y : x; /* rows lead */
  *kernel = (hd_fuse_kernel){leader->kind, leader->first_reduced, leader->shape};
  if (count_reductions(f, a) + count_reductions(f, b) > MAX_REDUCTIONS)
    return "the kernel would have more reductions than registers for them";
  if (x->has_generated && y->has_generated)
    return reduce_alike(f, a, b) ? NULL : "one of them computes its elements by other means than one by one";
  if (x->has_generated || y->has_generated) return "one of them computes its elements by other means than one by one";
  /* Several dims are walked as one where every access has them together (hd_row_kernel_fits). */
  if (kernel->kind == HD_FUSE_ROW && !f->target && hd_type_rank(kernel->shape->type) - kernel->first_reduced > 1 &&
      !(reads_in_order(f, a) && reads_in_order(f, b)))
    return "one of them reads the rows in another order";
  if (kernel->kind == HD_FUSE_LOOP && x->size + y->size > MAX_OPS) return "they compute longer than they read";
  return hd_fuser_kind_blocker(f, a, b);
}

/* ---- memory ---- */

/* Where the op that uses a buffer runs; 0: it is not of this block, or frees it. */
static uint32_t place_of(hd_fuser *f, const hd_use *use) {
  hd_op *op = hd_block_ancestor_op(f->nodes[0].op->block, use->owner);
  if (!op || hd_op_is(op, HD_OP_memref_dealloc)) return 0;
  hd_map_entry *entry = hd_map_find(&f->index, op);
  if (!entry) return 0;
  return f->nodes[hd_fuser_find(f, (uint32_t)(entry->value.i64 - 1))].last_index;
}

static bool is_of(hd_fuser *f, uint32_t group, const hd_op *op) {
  hd_map_entry *entry = hd_map_find(&f->index, op);
  return entry && hd_fuser_find(f, (uint32_t)(entry->value.i64 - 1)) == group;
}

/* Do all who read |buffer|, which group |a| writes, come after node |at|? What only moves its elements is where its
 * readers are. */
static bool read_after(hd_fuser *f, uint32_t a, uint32_t at, hd_value *buffer) {
  hd_for_each_use(use, buffer) {
    if (is_of(f, a, use->owner)) continue;
    hd_map_entry *entry = hd_map_find(&f->index, use->owner);
    uint32_t x = entry ? (uint32_t)(entry->value.i64 - 1) : UINT32_MAX;
    if (entry && hd_fuser_writer_of(f, buffer) == x) continue;
    if (entry && f->nodes[x].class == HD_FUSE_INLINE) {
      if (!read_after(f, a, at, hd_fuser_result_of(f, x))) return false;
    } else if (place_of(f, use) <= at && !hd_op_is(use->owner, HD_OP_memref_dealloc)) {
      return false;
    }
  }
  return true;
}

/* Is |buffer|, or what it is read through, in memory when the op at node |at| has run, or read by |b|? */
static bool stays_until(hd_fuser *f, uint32_t b, uint32_t at, hd_value *buffer) {
  uint32_t w = hd_fuser_writer_of(f, buffer);
  if (w != UINT32_MAX && f->nodes[w].class == HD_FUSE_INLINE) {
    for (uint32_t i = 0; i < hd_buffer_input_count(f->nodes[w].op); ++i)
      if (!stays_until(f, b, at, hd_operand(f->nodes[w].op, i))) return false;
    return true;
  }
  if (!hd_is_allocation(buffer)) return true; /* an argument or a constant, or one that control flow holds */
  if (hd_type_num_elements(buffer->type) == 1) return true;
  hd_for_each_use(use, buffer)
    if (is_of(f, b, use->owner) || place_of(f, use) >= at) return true;
  return false;
}

/* Is no more memory live at any time when group |a| runs where |b| does, which comes later? Who reads a sum of columns
 * before that takes the kernel up with it: the other's sums are small. */
static bool keeps_memory(hd_fuser *f, uint32_t a, uint32_t b) {
  uint32_t at = f->nodes[b].last_index;
  for (uint32_t m = a; m != UINT32_MAX; m = f->nodes[m].next_member) {
    hd_op *op = f->nodes[m].op;
    bool small = f->nodes[m].class == HD_FUSE_COLUMN_REDUCE && f->nodes[b].size == 1 &&
                 f->nodes[b].class == HD_FUSE_COLUMN_REDUCE;
    for (uint32_t o = 0; o < hd_buffer_output_count(op) && !small; ++o)
      if (!read_after(f, a, at, hd_buffer_output(op, o))) return false;
    for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i) {
      uint32_t w = hd_fuser_writer_of(f, hd_operand(op, i));
      bool own = w != UINT32_MAX && hd_fuser_find(f, w) == a && f->nodes[w].class != HD_FUSE_INLINE;
      if (!own && !stays_until(f, b, at, hd_operand(op, i))) return false;
    }
  }
  return true;
}

/* ---- joining ---- */

static void join(hd_fuser *f, uint32_t x, uint32_t y) {
  uint32_t a = hd_fuser_find(f, x), b = hd_fuser_find(f, y);
  hd_fuse_kernel kernel;
  if (a == b || f->nodes[a].kind == HD_FUSE_GEMM || f->nodes[b].kind == HD_FUSE_GEMM) return;
  if (f->nodes[a].last_index > f->nodes[b].last_index) {
    uint32_t kept = a;
    a = b;
    b = kept;
  }
  if (f->nodes[b].last_index - f->nodes[a].first_index > MAX_BETWEEN) return;
  if (hd_placement_entries(f->nodes[x].op) != hd_placement_entries(f->nodes[y].op)) return;
  const char *reason = hd_fuser_program_blocker(f, x, y);
  if (!reason) reason = sibling_blocker(f, a, b, &kernel);
  if (!reason) reason = hd_fuser_size_blocker(f, a, b);
  if (!reason && !keeps_memory(f, a, b)) reason = "more memory would be live while the first waits for the second";
  if ((reason && !f->explain) || hd_fuser_cycle_blocker(f, a, b, true)) return;
  if (!reason)
    hd_fuser_merge(f, b, a, &kernel);
  else if (f->explain)
    hd_fuser_note_blocker(f, y, x, hd_arena_printf(f->arena, "both read the same elements, but %s", reason));
}

void hd_fuser_join_siblings(hd_fuser *f) {
  hd_map buffers = {0};
  for (uint32_t y = 0; y < f->count; ++y) {
    hd_fuse_node *n = &f->nodes[y];
    if (n->class == HD_FUSE_OPAQUE || n->class == HD_FUSE_INLINE || n->class == HD_FUSE_DOT) continue;
    for (uint32_t i = 0; i < hd_buffer_input_count(n->op); ++i) {
      hd_value *buffer = hd_operand(n->op, i);
      uint32_t w = hd_fuser_writer_of(f, buffer);
      bool own = w != UINT32_MAX && hd_fuser_find(f, w) == hd_fuser_find(f, y);
      if (own || hd_type_num_elements(buffer->type) == 1 || !reads_whole(f, y, i)) continue;
      hd_map_entry *entry = hd_map_insert(f->arena, &buffers, buffer, NULL);
      readers *r = entry->value.ptr;
      if (!r) entry->value.ptr = r = hd_new(f->arena, readers);
      for (uint32_t k = r->count; k-- > 0 && k + MAX_TRIED >= r->count;) join(f, r->nodes[k % MAX_TRIED], y);
      r->nodes[r->count++ % MAX_TRIED] = y;
    }
  }
}
