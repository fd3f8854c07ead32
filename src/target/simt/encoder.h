/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel in machine form on its way to an image: the state that the files of target/simt share.
 *
 *   lower*.c     ops to instructions on registers without number, a scalar each: vectors and structs are many
 *                registers, so taking and putting elements costs nothing. Calls are inlined, block arguments become
 *                moves.
 *   control.c    where lanes that disagree meet again: at the block that all ways from a branch go through
 *   allocate.c   numbers for registers; those that are no more needed are used again
 *   simt.c       kernels and globals of a module */
#ifndef HD_TARGET_SIMT_ENCODER_H_
#define HD_TARGET_SIMT_ENCODER_H_

#include "base/map.h"
#include "base/vec.h"
#include "ir/op.h"
#include "runtime/drivers/simt/image.h"

enum { HD_SIMT_NO_REGISTER = -1, HD_SIMT_INLINE_DEPTH = 32, HD_SIMT_CODE_LIMIT = 1 << 20 };

typedef struct hd_simt_register {
  uint8_t slots;
  bool fixed;        /* an argument or a constant */
  bool is_constant;  /* of |bits| */
  bool is_undefined; /* fixed, of any bits */
  uint64_t bits;
  uint32_t start, end, slot; /* allocate.c */
} hd_simt_register;

/* Registers by number, nodes by number. */
typedef struct hd_simt_draft {
  uint16_t op, x;
  int32_t d, a, b, c, valid; /* valid: of an exchange */
  uint32_t imm;              /* of index */
  uint16_t memory;           /* of loads and stores: field c of the instruction */
  uint16_t log2;             /* the same: field b */
  int32_t *list;             /* their elements; |x| of them */
  uint32_t targets[2];       /* nodes */
  uint32_t origin;
} hd_simt_draft;

typedef struct hd_simt_node {
  hd_vec(hd_simt_draft) code;
  uint32_t meet;  /* the node where lanes that leave this one meet, HD_SIMT_NOWHERE: none */
  uint32_t first; /* number of its first instruction */
  uint64_t *live_in, *live_out;
} hd_simt_node;

/* Parts of a value. */
typedef struct hd_simt_parts {
  uint32_t count;
  int32_t at[];
} hd_simt_parts;

/* A function that is being inlined, or the kernel. */
typedef struct hd_simt_frame {
  struct hd_simt_frame *caller;
  hd_op *function;
  hd_map values, nodes; /* hd_value* -> hd_simt_parts*; hd_block* -> node + 1 */
  hd_simt_parts *results;
  uint32_t after; /* the node after the call; HD_SIMT_NOWHERE: the function has one block */
  uint32_t depth;
} hd_simt_frame;

typedef struct hd_simt_encoder {
  hd_arena *arena;
  hd_map shared; /* llvm.mlir.global -> offset + 1 */
  hd_simt_kernel kernel;
  hd_vec(hd_simt_register) registers;
  hd_vec(hd_simt_node *) nodes;
  hd_vec(uint32_t) order; /* nodes as they follow in the code */
  hd_vec(int32_t) arguments;
  hd_vec(const char *) sources;
  hd_map source_numbers, constants;
  uint32_t node;   /* the one that is being written */
  uint32_t origin; /* of what is written */
  uint32_t count;  /* of instructions */
  hd_simt_frame *frame;
  hd_status status;
} hd_simt_encoder;

/* A number as registers hold it. */
typedef struct hd_simt_scalar {
  enum { HD_SIMT_INT, HD_SIMT_F16, HD_SIMT_BF16, HD_SIMT_F32, HD_SIMT_F64 } kind;
  uint32_t bits;         /* pointers are integers of 64 */
  uint32_t slots, bytes; /* of registers; in memory, 0: has no place there */
} hd_simt_scalar;

/* Sets the status with the op's place; always false. */
bool hd_simt_fail(hd_simt_encoder *e, hd_op *op, const char *format, ...) HD_PRINTF(3, 4);
/* The scalar that |type|, a number, a pointer or a vector of them, is made of;
 * |out_count| of them. False after an error. */
bool hd_simt_scalar_of(hd_simt_encoder *e, hd_op *op, hd_type type, hd_simt_scalar *out, uint32_t *out_count);
/* Bytes of |type| in memory; 0: not known. */
uint64_t hd_simt_bytes_of(hd_type type, uint64_t *out_align);

int32_t hd_simt_new_register(hd_simt_encoder *e, uint32_t slots);
/* A number that is not defined. */
int32_t hd_simt_undefined_of(hd_simt_encoder *e, uint32_t slots);
int32_t hd_simt_constant_of(hd_simt_encoder *e, uint32_t slots, uint64_t bits);
hd_simt_draft *hd_simt_add(hd_simt_encoder *e, hd_simt_opcode op);
/* An instruction on registers that are not |HD_SIMT_NO_REGISTER|, with a register of its own as result. */
int32_t hd_simt_emit(hd_simt_encoder *e, hd_simt_opcode op, int32_t a, int32_t b, int32_t c);
int32_t hd_simt_emit_x(hd_simt_encoder *e, hd_simt_opcode op, int32_t a, uint32_t x);
/* |value|, an integer of |bits|, zero-extended to its slots, or with its sign. */
int32_t hd_simt_zero_extend(hd_simt_encoder *e, int32_t value, uint32_t bits);
int32_t hd_simt_sign_extend(hd_simt_encoder *e, int32_t value, uint32_t bits);

hd_simt_parts *hd_simt_new_parts(hd_simt_encoder *e, uint32_t count);
hd_simt_parts *hd_simt_operand(hd_simt_encoder *e, hd_op *op, uint32_t i);
bool hd_simt_give(hd_simt_encoder *e, hd_op *op, uint32_t i, hd_simt_parts *parts);
bool hd_simt_give_one(hd_simt_encoder *e, hd_op *op, int32_t value);

/* Ops on numbers (lower_numbers.c), on memory (lower_memory.c), of threads (lower_threads.c) and nvvm's
 * (lower_nvvm.c): 1 done, 0 not theirs, -1 an error. */
int hd_simt_lower_numbers(hd_simt_encoder *e, hd_op *op);
int hd_simt_lower_memory(hd_simt_encoder *e, hd_op *op);
int hd_simt_lower_threads(hd_simt_encoder *e, hd_op *op);
int hd_simt_lower_nvvm(hd_simt_encoder *e, hd_op *op);
/* All of the kernel |function| (lower.c). */
bool hd_simt_lower_kernel(hd_simt_encoder *e, hd_op *function);

void hd_simt_find_meets(hd_simt_encoder *e);
/* Numbers, and the instructions of |e|'s kernel. RESOURCE_EXHAUSTED. */
hd_status hd_simt_allocate(hd_simt_encoder *e);

#endif
