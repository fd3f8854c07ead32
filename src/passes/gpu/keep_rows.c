/* SPDX-License-Identifier: Apache-2.0 */
/* disc-keep-rows: what the first walk over a row reads, later ones take from shared memory.
 *
 *   %room = memref.alloca() : memref<8x1024xf32, workgroup>         %slot = arith.remui %row, 8
 *   scf.for %i ... { %x = memref.load %a[%row, %i] ... }      ->    scf.for ... { %x = load %a[%row, %i]; store %x, %room[%slot, %i] ... }
 *   scf.for %j ... { %y = memref.load %a[%row, %j] ... }            scf.for ... { %y = memref.load %room[%slot, %j] ... }
 *
 * Rooms are what row schedules (codegen/emit/gpu/row_schedule.c) leave for it: a slot per row of a block, as long as the rows of this
 * version may be. Requires loops over rows with one start, end and step in each thread, as these schedules write them, and that
 * producers are in the loops that read them (disc-input-inline-fusion). A thread takes back what it has put there itself, so nothing
 * waits. Of a buffer that the kernel stores to nothing is kept. Rooms that nobody uses go. */
#include "base/vec.h"
#include "ir/address_space.h"
#include "ir/integer_op.h"
#include "passes/passes.h"

typedef hd_vec(hd_op *) op_vec;

typedef struct keeper {
  hd_pass *pass;
  hd_op *kernel; /* the scf.parallel */
  op_vec rooms, loops;
  hd_map written; /* buffers that the kernel stores to */
} keeper;

static bool is_room(const hd_op *op) {
  return hd_op_is(op, HD_OP_memref_alloca) && !hd_result(op, 0)->first_use &&
         hd_type_rank(hd_result_type(op, 0)) == 2 &&
         hd_is_in_address_space(hd_result_type(op, 0), HD_GPU_ADDRESS_SPACE_WORKGROUP);
}

static bool is_same(hd_value *a, hd_value *b) {
  int64_t x, y;
  return a == b || (hd_value_constant_int(a, &x) && hd_value_constant_int(b, &y) && x == y);
}

static bool walks_alike(hd_op *a, hd_op *b) {
  for (uint32_t i = 0; i < 3; ++i)
    if (!is_same(hd_operand(a, i), hd_operand(b, i))) return false;
  return true;
}

static hd_value *counter(hd_op *loop) { return hd_op_region(loop, 0)->first->args[0]; }

enum { DEPTH = 16 };

/* Is |x| in one round of its loop what |y| is in the same round of another: both counters, or one expression of such? */
static bool is_alike(hd_value *x, hd_op *loop_x, hd_value *y, hd_op *loop_y, int depth) {
  if (is_same(x, y) || (x == counter(loop_x) && y == counter(loop_y))) return true;
  hd_op *a = hd_value_op(x), *b = hd_value_op(y);
  if (!a || !b || depth == DEPTH || hd_opcode_get(a) != hd_opcode_get(b) || !hd_op_is_pure(a) || a->region_count ||
      a->result_count != 1 || a->operand_count != b->operand_count || x->type != y->type)
    return false;
  if (!hd_integer_op_of(a).kind) return false; /* its attributes change no number */
  for (uint32_t i = 0; i < a->operand_count; ++i)
    if (!is_alike(hd_operand(a, i), loop_x, hd_operand(b, i), loop_y, depth + 1)) return false;
  return true;
}

static bool reads_alike(hd_op *a, hd_op *loop_a, hd_op *b, hd_op *loop_b) {
  if (hd_operand(a, 0) != hd_operand(b, 0) || a->operand_count != b->operand_count) return false;
  for (uint32_t i = 1; i < a->operand_count; ++i)
    if (!is_alike(hd_operand(a, i), loop_a, hd_operand(b, i), loop_b, 0)) return false;
  return true;
}

static bool note_store(hd_op *op, void *user) {
  keeper *k = user;
  uint32_t at = hd_op_is(op, HD_OP_memref_store) || hd_op_is(op, HD_OP_memref_atomic_rmw) ? 1 : 0;
  if (at) hd_map_set(&k->pass->arena, &k->written, hd_operand(op, at), op);
  return true;
}

typedef struct search {
  keeper *k;
  hd_op *first, *first_loop, *loop;
  op_vec found;
} search;

static bool find_read(hd_op *op, void *user) {
  search *s = user;
  if (hd_op_is(op, HD_OP_memref_load) && reads_alike(s->first, s->first_loop, op, s->loop))
    hd_vec_push(&s->k->pass->arena, &s->found, op);
  return true;
}

/* A room for elements of |type| that is free; taken then. */
static hd_op *take_room(keeper *k, hd_type type) {
  for (size_t i = 0; i < k->rooms.len; ++i) {
    hd_op *room = k->rooms.data[i];
    if (!room || hd_result_type(room, 0)->shaped.element != type) continue;
    k->rooms.data[i] = NULL;
    return room;
  }
  return NULL;
}

static hd_value *slot_of(keeper *k, hd_op *room) {
  int64_t rows = hd_result_type(room, 0)->shaped.dims[0];
  hd_builder b = hd_builder_before(k->loops.data[0]);
  b.loc = k->kernel->loc;
  hd_value *row = hd_op_region(k->kernel, 0)->first->args[0];
  return rows == 1 ? hd_build_index(&b, 0) : hd_build(&b, HD_OP_arith_remui, row->type, row, hd_build_index(&b, rows));
}

/* |read|, in loop |i|, goes into a room when later loops read it too. */
static void keep(keeper *k, size_t i, hd_op *read) {
  hd_value *buffer = hd_operand(read, 0);
  if (!hd_is_in_address_space(buffer->type, HD_GPU_ADDRESS_SPACE_GLOBAL) || hd_map_get(&k->written, buffer)) return;
  search s = {.k = k, .first = read, .first_loop = k->loops.data[i]};
  size_t ends[64], loops = k->loops.len < 64 ? k->loops.len : 64;
  for (size_t j = i + 1; j < loops; ++j) {
    s.loop = k->loops.data[j];
    hd_walk_pre(s.loop, find_read, &s);
    ends[j] = s.found.len;
  }
  hd_op *room = s.found.len ? take_room(k, buffer->type->shaped.element) : NULL;
  if (!room) return;
  hd_value *slot = slot_of(k, room), *memory = hd_result(room, 0);
  hd_builder after = hd_builder_before(read->next);
  after.loc = read->loc;
  hd_build0(&after, HD_OP_memref_store, hd_result(read, 0), memory, slot, counter(k->loops.data[i]));
  for (size_t j = i + 1, at = 0; j < loops; ++j)
    for (; at < ends[j]; ++at) {
      hd_op *old = s.found.data[at];
      hd_builder b = hd_builder_before(old);
      b.loc = old->loc;
      hd_value *kept = hd_build(&b, HD_OP_memref_load, hd_result_type(old, 0), memory, slot, counter(k->loops.data[j]));
      hd_op_replace(old, &kept);
    }
  k->pass->changed = true;
}

static void keep_all(keeper *k) {
  for (size_t i = 0; i + 1 < k->loops.len; ++i) {
    hd_block *body = hd_op_region(k->loops.data[i], 0)->first;
    op_vec reads = {0};
    hd_for_each_op(op, body) if (hd_op_is(op, HD_OP_memref_load)) hd_vec_push(&k->pass->arena, &reads, op);
    for (size_t r = 0; r < reads.len; ++r) keep(k, i, reads.data[r]);
  }
}

static bool is_parallel(const hd_op *op) { return hd_op_is(op, HD_OP_scf_parallel); }

bool hd_pass_keep_rows(hd_pass *pass, hd_op *func) {
  hd_op_list kernels = hd_ops_where(func, is_parallel, &pass->arena);
  for (size_t i = 0; i < kernels.len; ++i) {
    keeper k = {.pass = pass, .kernel = kernels.data[i]};
    hd_for_each_op(op, hd_op_region(k.kernel, 0)->first) {
      if (is_room(op)) hd_vec_push(&pass->arena, &k.rooms, op);
      bool walks = hd_op_is(op, HD_OP_scf_for) && (!k.loops.len || walks_alike(k.loops.data[0], op));
      if (walks) hd_vec_push(&pass->arena, &k.loops, op);
    }
    if (!k.rooms.len) continue;
    op_vec rooms = {0};
    for (size_t r = 0; r < k.rooms.len; ++r) hd_vec_push(&pass->arena, &rooms, k.rooms.data[r]);
    hd_walk_pre(k.kernel, note_store, &k);
    keep_all(&k);
    for (size_t r = 0; r < rooms.len; ++r) {
      if (hd_result(rooms.data[r], 0)->first_use) continue;
      hd_op_erase(rooms.data[r]);
      pass->changed = true;
    }
  }
  return true;
}
