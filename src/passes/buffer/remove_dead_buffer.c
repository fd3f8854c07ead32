/* SPDX-License-Identifier: Apache-2.0 */
/* disc-remove-dead-buffer: buffers that only kernels' insides had named go.
 *
 *   %t = memref.alloc() : memref<4xf32>      ->      (nothing)
 *   memref.dealloc %t
 *
 * What a fusion computes for itself never reaches memory; its allocation is left without a reader or writer when the
 * fusion has become a kernel.
 *
 * An allocation also refuses sizes whose product no memory holds, and a kernel that counts such elements would count
 * modulo 2^64. So where sizes of a removed one are multiplied, and no buffer that is left is of the same sizes, the
 * products are checked in its place:
 *
 *   %t = memref.alloc(%a, %b) : memref<?x?xf32>      ->      hd.ral_call "ral_check..."(3, %a, %b, message)
 */
#include <stdlib.h>
#include <string.h>

#include "ir/ops/arith.h"
#include "ir/ops/discardable.h"
#include "passes/lowering/ral_call.h"
#include "passes/messages.h"
#include "passes/passes.h"
#include "runtime/abi.h"

typedef struct removal {
  hd_pass *pass;
  hd_op *func;
  hd_builder b;   /* before the allocation that is being removed */
  hd_map checked; /* a product's op -> the block that it is checked in; sizes of a buffer (as bytes) -> checked_sizes */
  hd_vec(hd_op *) dead;
  hd_messages messages;
} removal;

/* A product of |known| and the sizes is refused in |block| where it is too large. */
typedef struct checked_sizes {
  hd_block *block;
  int64_t known;
} checked_sizes;

/* Memory has fewer than 2^47 elements, so a buffer that is left answers for 2^15 times its own known sizes. */
enum { MEMORY_SHIFT = 15 };

static bool is_allocation(const hd_op *op) {
  return hd_op_is(op, HD_OP_memref_alloc) || hd_op_is(op, HD_OP_memref_alloca);
}

static bool is_dead(hd_op *alloc) {
  hd_for_each_use(use, hd_result(alloc, 0))
    if (!hd_op_is(use->owner, HD_OP_memref_dealloc)) return false;
  return true;
}

static int by_address(const void *a, const void *b) {
  const hd_value *x = *(hd_value *const *)a, *y = *(hd_value *const *)b;
  return (x > y) - (x < y);
}

/* Is |block| in |around|, or that itself? */
static bool is_within(const hd_block *block, const hd_block *around) {
  for (; block; block = hd_block_parent_op(block) ? hd_block_parent_op(block)->block : NULL)
    if (block == around) return true;
  return false;
}

/* Are products of |sizes| and |known| checked where |block| runs? If not, they are from now on, up to |answers_for|. */
static bool check_once(removal *r, hd_value *const *sizes, uint32_t count, int64_t known, int64_t answers_for,
                       hd_block *block) {
  hd_value **key = hd_new_array(&r->pass->arena, hd_value *, count + 1);
  memcpy(key, sizes, count * sizeof *key);
  qsort(key, count, sizeof *key, by_address);
  hd_map_entry *entry = hd_map_insert_bytes(&r->pass->arena, &r->checked, key, count * sizeof *key, NULL);
  checked_sizes *had = entry->value.ptr;
  if (had && is_within(block, had->block) && known <= had->known) return true;
  if (had && is_within(had->block, block) && had->known > answers_for) return false;
  entry->value.ptr = hd_new(&r->pass->arena, checked_sizes);
  *(checked_sizes *)entry->value.ptr = (checked_sizes){block, answers_for};
  return false;
}

/* The product of the known dims of |type|, at most 2^63 - 1; 0 of one without elements. */
static int64_t known_product(hd_type type) {
  int64_t known = 1;
  for (uint32_t d = 0; d < type->shaped.rank; ++d) {
    if (!type->shaped.dims[d]) return 0;
    if (type->shaped.dims[d] != HD_DYNAMIC && __builtin_mul_overflow(known, type->shaped.dims[d], &known))
      known = INT64_MAX;
  }
  return known;
}

static int64_t in_memory(int64_t known) {
  return known > INT64_MAX >> MEMORY_SHIFT ? INT64_MAX : known << MEMORY_SHIFT;
}

static bool check_sizes_once(removal *r, hd_op *alloc, int64_t known, int64_t answers_for) {
  hd_value **sizes = hd_new_array(&r->pass->arena, hd_value *, alloc->operand_count + 1);
  for (uint32_t i = 0; i < alloc->operand_count; ++i) sizes[i] = hd_operand(alloc, i);
  return check_once(r, sizes, alloc->operand_count, known, answers_for, alloc->block);
}

static void check_product(removal *r, hd_value *lhs, hd_value *rhs) {
  hd_type i64 = hd_i64(r->pass->context);
  hd_value *operands[] = {
      hd_build_int(&r->b, i64, HD_CHECK_PRODUCT), hd_build(&r->b, HD_OP_arith_index_cast, i64, lhs),
      hd_build(&r->b, HD_OP_arith_index_cast, i64, rhs),
      hd_build_int(
          &r->b, i64,
          hd_message_add_at(&r->messages, r->b.loc, "the number of elements of a tensor overflows: {0} times {1}"))};
  hd_build_ral_call(&r->b, "ral_check___pvoid_i64_i64_i64_i64___void", NULL, operands, 4);
}

/* Checks the products that |size| is computed by: a list, since programs may make it from any number of ops. */
static void check_products_in(removal *r, hd_value *size) {
  hd_vec(hd_value *) open = {0};
  hd_vec_push(&r->pass->arena, &open, size);
  while (open.len) {
    hd_value *value = hd_vec_pop(&open);
    hd_op *op = hd_value_op(value);
    if (!op || op->region_count || !hd_type_is(value->type, HD_TYPE_INDEX)) continue;
    hd_map_entry *entry = hd_map_insert(&r->pass->arena, &r->checked, op, NULL);
    if (entry->value.ptr && is_within(r->b.block, entry->value.ptr)) continue;
    entry->value.ptr = r->b.block;
    for (uint32_t i = 0; i < op->operand_count; ++i) hd_vec_push(&r->pass->arena, &open, hd_operand(op, i));
    if (hd_op_is(op, HD_OP_arith_muli)) check_product(r, hd_operand(op, 0), hd_operand(op, 1));
  }
}

/* |count|, or 0 where one of the |alloc|'s sizes is: then no product of them is too large. */
static hd_value *unless_empty(removal *r, hd_op *alloc, hd_value *count) {
  hd_value *zero = hd_build_index(&r->b, 0);
  for (uint32_t i = 0; i < alloc->operand_count; ++i) {
    hd_value *empty = hd_arith_cmpi(&r->b, HD_ARITH_CMPI_EQ, hd_operand(alloc, i), zero);
    count = hd_build(&r->b, HD_OP_arith_select, count->type, empty, zero, count);
  }
  return count;
}

static void check_sizes(removal *r, hd_op *alloc) {
  int64_t known = known_product(hd_result_type(alloc, 0));
  if (!known || !alloc->operand_count || check_sizes_once(r, alloc, known, known)) return;
  r->b = hd_builder_before(alloc);
  hd_value *count = known == 1 ? NULL : hd_build_index(&r->b, known);
  if (alloc->operand_count == 1 && !count) count = hd_build_index(&r->b, 1); /* one size can be too large alone */
  if (alloc->operand_count + (known != 1) > 2) count = unless_empty(r, alloc, count ? count : hd_build_index(&r->b, 1));
  for (uint32_t i = 0; i < alloc->operand_count; ++i) {
    hd_value *size = hd_operand(alloc, i);
    check_products_in(r, size);
    if (count) check_product(r, count, size);
    count = count ? hd_build(&r->b, HD_OP_arith_muli, size->type, count, size) : size;
  }
}

/* What is left has its sizes checked where it is allocated. */
static bool visit(hd_op *op, void *user) {
  removal *r = user;
  int64_t known;
  if (!is_allocation(op)) return true;
  if (is_dead(op))
    hd_vec_push(&r->pass->arena, &r->dead, op);
  else if (op->operand_count && (known = known_product(hd_result_type(op, 0))))
    check_sizes_once(r, op, known, in_memory(known));
  return true;
}

/* An argument has had its sizes checked where it was allocated. */
static void visit_argument(removal *r, hd_value *argument) {
  hd_vec(hd_value *) sizes = {0};
  uint32_t unknown = 0;
  if (!hd_type_has_rank(argument->type)) return;
  for (uint32_t d = 0; d < argument->type->shaped.rank; ++d) unknown += argument->type->shaped.dims[d] == HD_DYNAMIC;
  hd_for_each_use(use, argument) {
    int64_t d;
    if (hd_op_is(use->owner, HD_OP_memref_dim) && hd_value_constant_int(hd_operand(use->owner, 1), &d) && d >= 0 &&
        d < argument->type->shaped.rank && argument->type->shaped.dims[d] == HD_DYNAMIC)
      hd_vec_push(&r->pass->arena, &sizes, hd_result(use->owner, 0));
  }
  int64_t known = known_product(argument->type);
  if (known && unknown && sizes.len == unknown)
    check_once(r, sizes.data, unknown, known, in_memory(known), argument->owner.block);
}

bool hd_pass_remove_dead_buffer(hd_pass *pass, hd_op *func) {
  removal r = {.pass = pass, .func = func};
  hd_messages_begin(&r.messages, pass, func);
  hd_block *entry = hd_op_region(func, 0)->first;
  for (uint32_t i = 0; i < entry->arg_count; ++i) visit_argument(&r, entry->args[i]);
  hd_walk_post(func, visit, &r);
  for (size_t i = 0; i < r.dead.len; ++i) {
    hd_value *buffer = hd_result(r.dead.data[i], 0);
    check_sizes(&r, r.dead.data[i]);
    while (buffer->first_use) hd_op_erase(buffer->first_use->owner);
    hd_op_erase(r.dead.data[i]);
  }
  hd_messages_end(&r.messages);
  pass->changed |= r.dead.len != 0;
  return true;
}
