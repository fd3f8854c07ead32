/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses, loads, stores and atomic ops. */
#include "ir/ops/llvm.h"
#include "target/simt/encoder.h"

#define NONE HD_SIMT_NO_REGISTER

enum { PRIVATE_LIMIT = 1 << 20 };

/* The space of the pointer |operand| of |op|; false: of none that simt has. */
static bool space_of(hd_simt_encoder *e, hd_op *op, uint32_t operand, uint32_t *out) {
  hd_type type = hd_operand_type(op, operand);
  *out = (uint32_t)hd_attr_int_or(type->dialect.params[0], 0);
  return *out == HD_SIMT_SPACE_GENERIC || *out == HD_SIMT_SPACE_GLOBAL || *out == HD_SIMT_SPACE_SHARED ||
         *out == HD_SIMT_SPACE_PRIVATE || hd_simt_fail(e, op, "goes to space %u, which simt has not", *out);
}

static bool getelementptr(hd_simt_encoder *e, hd_op *op) {
  hd_attr indices = hd_llvm_getelementptr_rawConstantIndices(op);
  uint64_t align, bytes = hd_simt_bytes_of(hd_llvm_getelementptr_elem_type(op)->type_value, &align);
  int32_t base = hd_simt_operand(e, op, 0)->at[0];
  if (hd_attr_count(indices) != 1 || op->operand_count > 2) return hd_simt_fail(e, op, "goes into an element");
  if (!bytes || bytes > UINT32_MAX) return hd_simt_fail(e, op, "has a type without a size on simt");
  if (op->operand_count == 1) {
    uint64_t offset = (uint64_t)hd_attr_int_at(indices, 0) * bytes;
    return hd_simt_give_one(
        e, op, offset ? hd_simt_emit(e, HD_SIMT_add64, base, hd_simt_constant_of(e, 2, offset), NONE) : base);
  }
  hd_simt_scalar index;
  uint32_t count;
  int32_t at = hd_simt_operand(e, op, 1)->at[0];
  if (!hd_simt_scalar_of(e, op, hd_operand_type(op, 1), &index, &count)) return false;
  at = hd_simt_sign_extend(e, at, index.bits);
  if (index.slots == 1) at = hd_simt_emit(e, HD_SIMT_sext32_64, at, NONE, NONE);
  int32_t made = hd_simt_emit(e, HD_SIMT_index, base, at, NONE);
  hd_vec_last(&e->nodes.data[e->node]->code).imm = (uint32_t)bytes;
  return hd_simt_give_one(e, op, made);
}

/* The promise of |op|, the element's size without one. */
static uint16_t alignment_of(hd_op *op, uint32_t bytes) {
  hd_attr promise = hd_op_is(op, HD_OP_llvm_load) ? hd_llvm_load_alignment_attr(op) : hd_llvm_store_alignment_attr(op);
  int64_t alignment = hd_attr_int_or(promise, 0);
  bool fits = alignment > 0 && alignment <= 4096 && !(alignment & (alignment - 1));
  return (uint16_t)__builtin_ctzll(fits ? (uint64_t)alignment : bytes);
}

static bool access(hd_simt_encoder *e, hd_op *op, hd_type type, uint32_t pointer, hd_simt_parts *parts) {
  hd_simt_scalar s;
  uint32_t count, space;
  bool is_load = hd_op_is(op, HD_OP_llvm_load);
  if (!hd_simt_scalar_of(e, op, type, &s, &count) || !space_of(e, op, pointer, &space)) return false;
  if (!s.bytes) return hd_simt_fail(e, op, "moves a number that has no place in memory");
  int32_t address = hd_simt_operand(e, op, pointer)->at[0];
  hd_simt_draft *draft = hd_simt_add(e, is_load ? HD_SIMT_load : HD_SIMT_store);
  draft->a = address;
  draft->x = (uint16_t)count;
  draft->log2 = (uint16_t)__builtin_ctz(s.bytes);
  draft->memory = (uint16_t)(space | alignment_of(op, s.bytes) << 8);
  draft->list = hd_new_array(e->arena, int32_t, count);
  if (!is_load) {
    memcpy(draft->list, parts->at, count * sizeof *draft->list);
    return true;
  }
  int32_t *list = draft->list;
  for (uint32_t i = 0; i < count; ++i) list[i] = hd_simt_new_register(e, s.slots);
  hd_simt_parts *made = hd_simt_new_parts(e, count);
  for (uint32_t i = 0; i < count; ++i)
    made->at[i] = s.bits == 8 * s.bytes ? list[i] : hd_simt_zero_extend(e, list[i], s.bits);
  return hd_simt_give(e, op, 0, made);
}

/* ---- memory of the thread and the block ---- */

static bool alloca_op(hd_simt_encoder *e, hd_op *op) {
  uint64_t align, bytes = hd_simt_bytes_of(hd_llvm_alloca_elem_type(op)->type_value, &align), all;
  const hd_simt_register *count = &e->registers.data[hd_simt_operand(e, op, 0)->at[0]];
  if (!bytes || !count->is_constant) return hd_simt_fail(e, op, "takes memory of a size that is not known");
  uint64_t at = (e->kernel.private_bytes + 15u) & ~15ull;
  if (__builtin_mul_overflow(bytes, count->bits, &all) || all > PRIVATE_LIMIT - at)
    return hd_simt_fail(e, op, "takes more than %d bytes from the stack", PRIVATE_LIMIT);
  e->kernel.private_bytes = (uint32_t)(at + all);
  return hd_simt_give_one(e, op, hd_simt_constant_of(e, 2, HD_SIMT_PRIVATE + at));
}

static bool addressof(hd_simt_encoder *e, hd_op *op) {
  hd_op *global = hd_symbol_resolve(op, hd_llvm_mlir_addressof_global_name(op));
  hd_map_entry *entry = global ? hd_map_find(&e->shared, global) : NULL;
  if (!entry) return hd_simt_fail(e, op, "is the address of nothing here");
  return hd_simt_give_one(e, op, hd_simt_constant_of(e, 2, HD_SIMT_SHARED + (uint64_t)entry->value.i64 - 1));
}

/* ---- atomic ops ---- */

/* -1: none. */
static int kind_of(int64_t op) {
  static const int8_t kinds[] = {
      [HD_LLVM_ATOMIC_BIN_OP_XCHG] = 1 + HD_SIMT_ATOMIC_XCHG,
      [HD_LLVM_ATOMIC_BIN_OP_ADD] = 1 + HD_SIMT_ATOMIC_ADD,
      [HD_LLVM_ATOMIC_BIN_OP_SUB] = 1 + HD_SIMT_ATOMIC_SUB,
      [HD_LLVM_ATOMIC_BIN_OP_AND] = 1 + HD_SIMT_ATOMIC_AND,
      [HD_LLVM_ATOMIC_BIN_OP_OR] = 1 + HD_SIMT_ATOMIC_OR,
      [HD_LLVM_ATOMIC_BIN_OP_XOR] = 1 + HD_SIMT_ATOMIC_XOR,
      [HD_LLVM_ATOMIC_BIN_OP_MAX] = 1 + HD_SIMT_ATOMIC_MAX,
      [HD_LLVM_ATOMIC_BIN_OP_MIN] = 1 + HD_SIMT_ATOMIC_MIN,
      [HD_LLVM_ATOMIC_BIN_OP_UMAX] = 1 + HD_SIMT_ATOMIC_UMAX,
      [HD_LLVM_ATOMIC_BIN_OP_UMIN] = 1 + HD_SIMT_ATOMIC_UMIN,
      [HD_LLVM_ATOMIC_BIN_OP_FADD] = 1 + HD_SIMT_ATOMIC_FADD,
      [HD_LLVM_ATOMIC_BIN_OP_FMAX] = 1 + HD_SIMT_ATOMIC_FMAX,
      [HD_LLVM_ATOMIC_BIN_OP_FMIN] = 1 + HD_SIMT_ATOMIC_FMIN,
      [HD_LLVM_ATOMIC_BIN_OP_FMAXIMUM] = 1 + HD_SIMT_ATOMIC_FMAXIMUM,
      [HD_LLVM_ATOMIC_BIN_OP_FMINIMUM] = 1 + HD_SIMT_ATOMIC_FMINIMUM,
  };
  return op >= 0 && op < (int64_t)sizeof kinds ? kinds[op] - 1 : -1;
}

static bool atomic(hd_simt_encoder *e, hd_op *op) {
  int kind = kind_of(hd_attr_int_or(hd_llvm_atomicrmw_bin_op_attr(op), -1));
  hd_simt_scalar s;
  uint32_t count, space;
  if (!hd_simt_scalar_of(e, op, hd_operand_type(op, 1), &s, &count) || !space_of(e, op, 0, &space)) return false;
  if (kind < 0 || count != 1 || (s.bits != 32 && s.bits != 64)) return hd_simt_fail(e, op, "is of a kind without code");
  bool is_float = s.kind != HD_SIMT_INT;
  uint32_t type = is_float && kind >= HD_SIMT_ATOMIC_FADD ? (s.slots == 2 ? HD_SIMT_ATOMIC_F64 : HD_SIMT_ATOMIC_F32)
                                                          : (s.slots == 2 ? HD_SIMT_ATOMIC_64 : HD_SIMT_ATOMIC_32);
  if (is_float ? kind != HD_SIMT_ATOMIC_XCHG && kind < HD_SIMT_ATOMIC_FADD : kind >= HD_SIMT_ATOMIC_FADD)
    return hd_simt_fail(e, op, "is of a kind that its type has not");
  int32_t address = hd_simt_operand(e, op, 0)->at[0], value = hd_simt_operand(e, op, 1)->at[0];
  int32_t d = hd_simt_new_register(e, s.slots);
  hd_simt_draft *draft = hd_simt_add(e, HD_SIMT_atomic);
  draft->d = d;
  draft->a = address;
  draft->b = value;
  draft->memory = (uint16_t)space;
  draft->x = (uint16_t)((uint32_t)kind << 4 | type);
  return hd_simt_give_one(e, op, d);
}

static bool cmpxchg(hd_simt_encoder *e, hd_op *op) {
  hd_simt_scalar s;
  uint32_t count, space;
  if (!hd_simt_scalar_of(e, op, hd_operand_type(op, 1), &s, &count) || !space_of(e, op, 0, &space)) return false;
  if (count != 1 || s.kind != HD_SIMT_INT || (s.bits != 8 && s.bits != 16 && s.bits != 32 && s.bits != 64))
    return hd_simt_fail(e, op, "exchanges no integer of 8, 16, 32 or 64 bits");
  int32_t address = hd_simt_operand(e, op, 0)->at[0], compared = hd_simt_operand(e, op, 1)->at[0];
  int32_t stored = hd_simt_operand(e, op, 2)->at[0], d = hd_simt_new_register(e, s.slots);
  hd_simt_draft *draft = hd_simt_add(e, HD_SIMT_cmpxchg);
  draft->d = d;
  draft->a = address;
  draft->b = compared;
  draft->c = stored;
  draft->x = (uint16_t)(space | (uint32_t)__builtin_ctz(s.bits / 8) << 8);
  hd_simt_parts *made = hd_simt_new_parts(e, 2);
  made->at[0] = d;
  made->at[1] = hd_simt_emit(e, s.slots == 2 ? HD_SIMT_eq64 : HD_SIMT_eq32, d, compared, NONE);
  return hd_simt_give(e, op, 0, made);
}

int hd_simt_lower_memory(hd_simt_encoder *e, hd_op *op) {
  switch (hd_opcode_get(op)) {
#define MEMORY(opcode, call) \
  case HD_OP_##opcode:       \
    return call ? 1 : -1;
#include "target/simt/lower.def"
    default:
      return 0;
  }
}
