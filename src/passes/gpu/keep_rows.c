/* SPDX-License-Identifier: Apache-2.0 */
/* disc-keep-rows: what the first walk over a row reads, later ones take from shared memory.
 *
 *                                                             %room = memref.alloca() : memref<8x1024xf32, workgroup>
 *                                                             %slot = arith.remui %row, 8
 *   scf.for %i ... { %x = memref.load %a[%row, %i] ... }  ->  scf.for ... { %x = memref.load %a[%row, %i]
 *                                                                           memref.store %x, %room[%slot, %i] ... }
 *   scf.for %j ... { %y = memref.load %a[%row, %j] ... }      scf.for ... { %y = memref.load %room[%slot, %j] ... }
 *
 * Where rows may be longer than a room (hd.part) what is beyond it is read again. A block of 256 threads has 8 rows of
 * a warp each, more of shorter ones: what of its rows is where is the loop's upper bound to tell.
 *
 * Rooms are what row schedules (codegen/emit/gpu/row_schedule.c) leave for it: a slot per row of a block, as
 * long as the rows of this version may be. Requires loops over rows with one start, end and step in each thread,
 * as these schedules write them, and that producers are in the loops that read them (disc-input-inline-fusion).
 * A thread takes back what it has put there itself, so nothing waits. Of a buffer that the kernel stores to
 * nothing is kept. Rooms that nobody uses go. */
#include "base/vec.h"
#include "ir/address_space.h"
#include "ir/integer_op.h"
#include "ir/ops/arith.h"
#include "ir/ops/discardable.h"
#include "passes/passes.h"

typedef hd_vec(hd_op *) op_vec;

typedef struct row_cache {
  hd_pass *pass;
  hd_op *kernel; /* the scf.parallel */
  op_vec rooms, loops;
  hd_map written; /* buffers that the kernel stores to */
} row_cache;

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

/* Is |x| in one round of its loop what |y| is in the same round of another: both
 * counters, or one expression of such? */
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
  row_cache *k = user;
  uint32_t at = hd_op_is(op, HD_OP_memref_store) || hd_op_is(op, HD_OP_memref_atomic_rmw) ? 1 : 0;
  if (at) hd_map_set(&k->pass->arena, &k->written, hd_operand(op, at), op);
  return true;
}

typedef struct search {
  row_cache *k;
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
static hd_op *take_room(row_cache *k, hd_type type) {
  for (size_t i = 0; i < k->rooms.len; ++i) {
    hd_op *room = k->rooms.data[i];
    if (!room || hd_result_type(room, 0)->shaped.element != type) continue;
    k->rooms.data[i] = NULL;
    return room;
  }
  return NULL;
}

/* Where a row is in a room: its slot, and the place of its first element there; null: 0. */
typedef struct place {
  hd_value *slot, *first;
} place;

/* Rows that may be shorter than a warp are side by side then, an element of each in a lane: no more than a
 * block has threads. Else each has a slot. */
static place place_of(row_cache *k, hd_op *room) {
  int64_t slots = hd_result_type(room, 0)->shaped.dims[0], known,
          threads = hd_attr_int_or(hd_discardable_threads_attr(k->kernel), 0);
  hd_builder b = hd_builder_before(k->loops.data[0]);
  b.loc = k->kernel->loc;
  hd_value *row = hd_op_region(k->kernel, 0)->first->args[0], *lanes = hd_operand(k->kernel, 3);
  if (slots == 1) return (place){hd_build_index(&b, 0), NULL};
  hd_value *slot = hd_build_binary(&b, HD_OP_arith_remui, row, hd_build_index(&b, slots));
  if (hd_value_constant_int(lanes, &known)) return (place){slot, NULL};
  hd_value *none = hd_build_index(&b, 0);
  hd_value *is_short = hd_arith_cmpi(&b, HD_ARITH_CMPI_ULT, lanes, hd_build_index(&b, threads / slots));
  hd_value *first = hd_build_binary(&b, HD_OP_arith_remui, hd_build_binary(&b, HD_OP_arith_muli, row, lanes),
                                    hd_build_index(&b, threads));
  return (place){hd_build(&b, HD_OP_arith_select, slot->type, is_short, none, slot),
                 hd_build(&b, HD_OP_arith_select, slot->type, is_short, first, none)};
}

/* The branch where element |counter| of a row has a place in |room|; null: all have. */
static hd_op *where_kept(hd_builder *b, hd_op *room, hd_value *counter, hd_type result) {
  if (!hd_discardable_part(room)) return NULL;
  hd_value *length = hd_build_index(b, hd_result_type(room, 0)->shaped.dims[1]);
  hd_value *is_kept = hd_arith_cmpi(b, HD_ARITH_CMPI_ULT, counter, length);
  return hd_build_if(b, is_kept, result ? &result : NULL, result ? 1 : 0, result != NULL);
}

static hd_builder at_end_of(hd_builder *b, hd_op *branch, uint32_t region) {
  hd_builder end = hd_builder_at_end(b->module, hd_op_region(branch, region)->first);
  end.loc = b->loc;
  return end;
}

static hd_value *element_of(hd_builder *b, const place *at, hd_value *counter) {
  return at->first ? hd_build_binary(b, HD_OP_arith_addi, at->first, counter) : counter;
}

/* What |read| gives in |loop| goes into |room|. */
static void put(hd_op *room, const place *at, hd_op *read, hd_op *loop) {
  hd_builder after = hd_builder_before(read->next);
  after.loc = read->loc;
  hd_op *branch = where_kept(&after, room, counter(loop), NULL);
  hd_builder in = branch ? at_end_of(&after, branch, 0) : after;
  hd_value *element = element_of(&in, at, counter(loop));
  hd_build0(&in, HD_OP_memref_store, hd_result(read, 0), hd_result(room, 0), at->slot, element);
  if (branch) hd_build_yield(&in, NULL, 0);
}

/* What |read| gives in |loop| comes from |room|, and from where it was where that ends. */
static void take(hd_op *room, const place *at, hd_op *read, hd_op *loop) {
  hd_builder b = hd_builder_before(read);
  b.loc = read->loc;
  hd_op *branch = where_kept(&b, room, counter(loop), hd_result_type(read, 0));
  hd_builder in = branch ? at_end_of(&b, branch, 0) : b;
  hd_value *kept = hd_build(&in, HD_OP_memref_load, hd_result_type(read, 0), hd_result(room, 0), at->slot,
                            element_of(&in, at, counter(loop)));
  if (!branch) {
    hd_op_replace(read, &kept);
    return;
  }
  hd_build_yield(&in, &kept, 1);
  hd_value_replace_uses(hd_result(read, 0), hd_result(branch, 0));
  hd_op_unlink(read);
  hd_op_append(read, hd_op_region(branch, 1)->first);
  hd_builder other = at_end_of(&b, branch, 1);
  hd_build_yield(&other, (hd_value *[]){hd_result(read, 0)}, 1);
}

/* |read|, in loop |i|, goes into a room when later loops read it too. */
static void keep(row_cache *k, size_t i, hd_op *read) {
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
  place at = place_of(k, room);
  put(room, &at, read, k->loops.data[i]);
  for (size_t j = i + 1, next = 0; j < loops; ++j)
    for (; next < ends[j]; ++next) take(room, &at, s.found.data[next], k->loops.data[j]);
  k->pass->changed = true;
}

static void keep_all(row_cache *k) {
  for (size_t i = 0; i + 1 < k->loops.len; ++i) {
    hd_block *body = hd_op_region(k->loops.data[i], 0)->first;
    op_vec reads = {0};
    hd_for_each_op(op, body)
      if (hd_op_is(op, HD_OP_memref_load)) hd_vec_push(&k->pass->arena, &reads, op);
    for (size_t r = 0; r < reads.len; ++r) keep(k, i, reads.data[r]);
  }
}

static bool is_parallel(const hd_op *op) { return hd_op_is(op, HD_OP_scf_parallel); }

bool hd_pass_keep_rows(hd_pass *pass, hd_op *func) {
  hd_op_list kernels = hd_ops_where(func, is_parallel, &pass->arena);
  for (size_t i = 0; i < kernels.len; ++i) {
    row_cache k = {.pass = pass, .kernel = kernels.data[i]};
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
