/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic updates of elements: an instruction where llvm has the combination on the element's type, else a loop that
 * exchanges the element until nobody came between.
 *
 *   memref.generic_atomic_rmw %m[%i] {              %pair = llvm.cmpxchg %at, 0, 0       an atomic read
 *   ^bb0(%old: bf16):                               llvm.br ^head(%pair[0])
 *     ... memref.atomic_yield %new           ->   ^head(%bits: i16):  %old = bitcast %bits ... %new
 *                                                   %pair = llvm.cmpxchg %at, %bits, bitcast %new
 *                                                   llvm.cond_br %pair[1], ^end, ^head(%pair[0])
 *
 * Updates are in no order and only within the device: launches order everything else. Elements of less than 32 bits
 * always take the loop: few devices combine them, and the exchange is one that all have or make of one of the word
 * around it. */
#include "ir/constraints.h"
#include "ir/ops/memref.h"
#include "passes/machine/converter.h"

typedef struct combination {
  hd_enum_arith_atomic_rmw_kind kind;
  int atomic;       /* llvm's name of it; -1: none */
  hd_opcode opcode; /* what combines the element and the value; 0: the value replaces the element */
} combination;

static const combination combinations[] = {
    {HD_ARITH_ATOMIC_RMW_KIND_ADDF, HD_LLVM_ATOMIC_BIN_OP_FADD, HD_OP_llvm_fadd},
    {HD_ARITH_ATOMIC_RMW_KIND_ADDI, HD_LLVM_ATOMIC_BIN_OP_ADD, HD_OP_llvm_add},
    {HD_ARITH_ATOMIC_RMW_KIND_ANDI, HD_LLVM_ATOMIC_BIN_OP_AND, HD_OP_llvm_and},
    {HD_ARITH_ATOMIC_RMW_KIND_ORI, HD_LLVM_ATOMIC_BIN_OP_OR, HD_OP_llvm_or},
    {HD_ARITH_ATOMIC_RMW_KIND_XORI, HD_LLVM_ATOMIC_BIN_OP_XOR, HD_OP_llvm_xor},
    {HD_ARITH_ATOMIC_RMW_KIND_ASSIGN, HD_LLVM_ATOMIC_BIN_OP_XCHG, 0},
    {HD_ARITH_ATOMIC_RMW_KIND_MAXIMUMF, HD_LLVM_ATOMIC_BIN_OP_FMAXIMUM, HD_OP_llvm_intr_maximum},
    {HD_ARITH_ATOMIC_RMW_KIND_MINIMUMF, HD_LLVM_ATOMIC_BIN_OP_FMINIMUM, HD_OP_llvm_intr_minimum},
    {HD_ARITH_ATOMIC_RMW_KIND_MAXNUMF, HD_LLVM_ATOMIC_BIN_OP_FMAX, HD_OP_llvm_intr_maxnum},
    {HD_ARITH_ATOMIC_RMW_KIND_MINNUMF, HD_LLVM_ATOMIC_BIN_OP_FMIN, HD_OP_llvm_intr_minnum},
    {HD_ARITH_ATOMIC_RMW_KIND_MAXS, HD_LLVM_ATOMIC_BIN_OP_MAX, HD_OP_llvm_intr_smax},
    {HD_ARITH_ATOMIC_RMW_KIND_MINS, HD_LLVM_ATOMIC_BIN_OP_MIN, HD_OP_llvm_intr_smin},
    {HD_ARITH_ATOMIC_RMW_KIND_MAXU, HD_LLVM_ATOMIC_BIN_OP_UMAX, HD_OP_llvm_intr_umax},
    {HD_ARITH_ATOMIC_RMW_KIND_MINU, HD_LLVM_ATOMIC_BIN_OP_UMIN, HD_OP_llvm_intr_umin},
    {HD_ARITH_ATOMIC_RMW_KIND_MULF, -1, HD_OP_llvm_fmul},
    {HD_ARITH_ATOMIC_RMW_KIND_MULI, -1, HD_OP_llvm_mul},
};

static const combination *combination_of(hd_op *op) {
  hd_enum_arith_atomic_rmw_kind kind = hd_memref_atomic_rmw_kind(op);
  for (size_t i = 0; i < sizeof combinations / sizeof *combinations; ++i)
    if (combinations[i].kind == kind) return &combinations[i];
  return NULL;
}

/* ---- the loop -------------------------------------------------------------------------------------------------- */

typedef struct exchange_loop {
  hd_converter *c;
  hd_value *at;               /* the element's address */
  hd_type element;            /* in the device form */
  hd_type type, stored, bits; /* in registers, in memory, as an integer */
  hd_value *old;              /* the element, while it is combined and after the loop */
  hd_value *found;            /* its bits */
  hd_block *head;
} exchange_loop;

static hd_value *with_type(hd_converter *c, hd_value *value, hd_type type) {
  return value->type == type ? value : hd_build(&c->b, HD_OP_llvm_bitcast, type, value);
}

static hd_value *member(hd_converter *c, hd_value *pair, int64_t i, hd_type type) {
  hd_attr_arg attrs[] = {{HD_NAME_position, hd_attr_i64_array(c->context, &i, 1)}};
  return hd_build_one_(&c->b, HD_OP_llvm_extractvalue, type, &pair, 1, attrs, 1);
}

static hd_value *compare_exchange(exchange_loop *l, hd_value *expected, hd_value *desired) {
  hd_context *context = l->c->context;
  hd_attr order = hd_attr_of_llvm_atomic_ordering(context, HD_LLVM_ATOMIC_ORDERING_MONOTONIC);
  hd_attr_arg attrs[] = {{HD_NAME_success_ordering, order},
                         {HD_NAME_failure_ordering, order},
                         {HD_NAME_syncscope, hd_attr_cstring(context, "device")}};
  hd_value *operands[] = {l->at, expected, desired};
  return hd_build_one_(&l->c->b, HD_OP_llvm_cmpxchg, hd_type_flagged(l->bits), operands, 3, attrs, 3);
}

/* Operand |first| of |op| is the memref. */
static bool begin(exchange_loop *l, hd_op *op, uint32_t first, hd_type element) {
  hd_converter *c = l->c;
  l->element = element;
  if (element->kind == HD_TYPE_COMPLEX || element->kind == HD_TYPE_VECTOR)
    return hd_op_misfit_error(op, element, NULL, "updates several numbers, which is not atomic");
  if (!hd_machine_element_types(c, op, element, &l->type, &l->stored)) return false;
  uint32_t bits = hd_type_bits(l->stored);
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return hd_op_misfit_error(op, element, NULL, "updates an element that no device exchanges");
  l->bits = hd_type_integer(c->context, bits, HD_SIGNLESS);
  l->at = hd_machine_address(c, op, first, l->stored);
  l->head = hd_block_create(c->b.module);
  hd_value *zero = hd_machine_int(c, l->bits, 0);
  hd_value *read = member(c, compare_exchange(l, zero, zero), 0, l->bits);
  hd_machine_jump(c, l->head, &read, 1);
  hd_machine_enter(c, l->head);
  l->found = hd_block_add_arg(c->b.module, l->head, l->bits);
  l->old = hd_machine_from_stored(c, with_type(c, l->found, l->stored), l->type);
  return true;
}

static void end(exchange_loop *l, hd_value *made) {
  hd_converter *c = l->c;
  hd_block *done = hd_block_create(c->b.module);
  hd_value *desired = with_type(c, hd_machine_to_stored(c, made, l->element, l->stored), l->bits);
  hd_value *pair = compare_exchange(l, l->found, desired), *seen = member(c, pair, 0, l->bits);
  hd_machine_jump_if(c, member(c, pair, 1, hd_i1(c->context)), done, l->head, &seen, 1);
  hd_machine_enter(c, done);
}

/* ---- rules ----------------------------------------------------------------------------------------------------- */

static bool update_in_loop(hd_converter *c, hd_op *op, const combination *combined) {
  exchange_loop l = {.c = c};
  hd_value *value = hd_machine_one(c, op, 0);
  if (!begin(&l, op, 1, hd_operand_type(op, 0))) return false;
  if (combined->opcode) value = hd_machine_flagged(c, combined->opcode, l.type, (hd_value *[]){l.old, value}, 2, 0);
  end(&l, value);
  return hd_machine_result(c, op, l.old);
}

HD_RULE(atomic) {
  (void)code;
  hd_type element = hd_operand_type(op, 0), type, stored;
  const combination *combined = combination_of(op);
  if (element->kind == HD_TYPE_COMPLEX)
    return hd_op_error(op, "updates a complex number, expected one of at most 64 bits");
  if (!hd_machine_element_types(c, op, element, &type, &stored)) return false;
  if (!combined || (hd_machine_is_small_float(element) && combined->opcode))
    return hd_op_error(op, "is of a kind that has no atomic form");
  if (combined->atomic < 0 || type != stored || hd_type_bits(stored) < 32) return update_in_loop(c, op, combined);
  hd_attr_arg attrs[] = {
      {HD_NAME_bin_op, hd_attr_of_llvm_atomic_bin_op(c->context, (hd_enum_llvm_atomic_bin_op)combined->atomic)},
      {HD_NAME_ordering, hd_attr_of_llvm_atomic_ordering(c->context, HD_LLVM_ATOMIC_ORDERING_MONOTONIC)},
      {HD_NAME_syncscope, hd_attr_cstring(c->context, "device")}};
  hd_value *operands[] = {hd_machine_address(c, op, 1, stored), hd_machine_one(c, op, 0)};
  return hd_machine_result(c, op, hd_build_one_(&c->b, HD_OP_llvm_atomicrmw, type, operands, 2, attrs, 3));
}

HD_RULE(generic_atomic) {
  (void)code;
  exchange_loop l = {.c = c};
  hd_op *yield;
  if (!begin(&l, op, 0, hd_result_type(op, 0))) return false;
  hd_machine_parts *parts = hd_machine_new_parts(c, 1);
  parts->at[0] = l.old;
  hd_machine_set(c, hd_op_region(op, 0)->first->args[0], parts);
  if (!hd_machine_body(c, op, 0, &yield)) return false;
  end(&l, hd_machine_one(c, yield, 0));
  return hd_machine_result(c, op, l.old);
}
