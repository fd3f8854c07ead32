/* SPDX-License-Identifier: Apache-2.0 */
/* Images of simt: kernels in machine form as code for warps of 32 lanes (docs/design/simt.md).
 *
 * A register holds a number of each lane: 32 numbers of 32 bits are a slot, those of 64 bits two slots in a row.
 * Registers are numbered by their first slot. The first |fixed_slots| are arguments and constants, which no instruction
 * writes. Pointers are 64 bits in every space; those of the block and of the thread begin at HD_SIMT_SHARED and
 * HD_SIMT_PRIVATE, so a pointer of any space says where it points. */
#ifndef HD_RUNTIME_DRIVERS_SIMT_IMAGE_H_
#define HD_RUNTIME_DRIVERS_SIMT_IMAGE_H_

#include <stdint.h>

#include "base/status.h"
#include "runtime/fields.h"

enum { HD_SIMT_VERSION = 4, HD_SIMT_LANES = 32, HD_SIMT_BLOCK_LIMIT = 1024 };
#define HD_SIMT_MAGIC 0x544d4953u /* "SIMT" */
#define HD_SIMT_NOWHERE UINT32_MAX
#define HD_SIMT_SHARED 0x4000000000000000ull
#define HD_SIMT_PRIVATE 0x5000000000000000ull

typedef enum hd_simt_opcode {
#define ROW(name, class, result, a, b, c) HD_SIMT_##name,
#include "runtime/drivers/simt/opcodes.def"
#undef ROW
  HD_SIMT_OPCODES
} hd_simt_opcode;

typedef enum hd_simt_class {
  HD_SIMT_MOVE,
  HD_SIMT_INTEGER,
  HD_SIMT_FLOAT,
  HD_SIMT_CONVERT,
  HD_SIMT_MEMORY,
  HD_SIMT_ATOMIC,
  HD_SIMT_BARRIER,
  HD_SIMT_SHUFFLE,
  HD_SIMT_CONTROL,
  HD_SIMT_CLASSES
} hd_simt_class;

typedef enum hd_simt_special {
  HD_SIMT_THREAD, /* + 0, 1, 2 for x, y, z */
  HD_SIMT_BLOCK = 3,
  HD_SIMT_BLOCK_DIM = 6,
  HD_SIMT_GRID_DIM = 9,
  HD_SIMT_GLOBAL_ID = 12,
  HD_SIMT_LANE = 15,
  HD_SIMT_WARP,
  HD_SIMT_WARPS,
  HD_SIMT_SPECIALS
} hd_simt_special;

typedef enum hd_simt_space {
  HD_SIMT_SPACE_GENERIC = 0,
  HD_SIMT_SPACE_GLOBAL = 1,
  HD_SIMT_SPACE_SHARED = 3,
  HD_SIMT_SPACE_PRIVATE = 5,
} hd_simt_space;

/* What an atomic instruction does, and on what: kind << 4 | type. */
typedef enum hd_simt_atomic_kind {
  HD_SIMT_ATOMIC_XCHG,
  HD_SIMT_ATOMIC_ADD,
  HD_SIMT_ATOMIC_SUB,
  HD_SIMT_ATOMIC_AND,
  HD_SIMT_ATOMIC_OR,
  HD_SIMT_ATOMIC_XOR,
  HD_SIMT_ATOMIC_MAX,
  HD_SIMT_ATOMIC_MIN,
  HD_SIMT_ATOMIC_UMAX,
  HD_SIMT_ATOMIC_UMIN,
  HD_SIMT_ATOMIC_FADD,
  HD_SIMT_ATOMIC_FMAX,
  HD_SIMT_ATOMIC_FMIN,
  HD_SIMT_ATOMIC_FMAXIMUM,
  HD_SIMT_ATOMIC_FMINIMUM,
  HD_SIMT_ATOMIC_KINDS
} hd_simt_atomic_kind;
typedef enum hd_simt_atomic_type {
  HD_SIMT_ATOMIC_32,
  HD_SIMT_ATOMIC_64,
  HD_SIMT_ATOMIC_F32,
  HD_SIMT_ATOMIC_F64,
  HD_SIMT_ATOMIC_TYPES
} hd_simt_atomic_type;

/* As nvvm numbers them. */
typedef enum hd_simt_redux_kind {
  HD_SIMT_REDUX_ADD = 1,
  HD_SIMT_REDUX_AND,
  HD_SIMT_REDUX_MAX,
  HD_SIMT_REDUX_MIN,
  HD_SIMT_REDUX_OR,
  HD_SIMT_REDUX_UMAX,
  HD_SIMT_REDUX_UMIN,
  HD_SIMT_REDUX_XOR,
  HD_SIMT_REDUX_KINDS
} hd_simt_redux_kind;

/* Opcode, result, operands: slots, but where opcodes.def says otherwise. */
typedef struct hd_simt_instruction {
  uint16_t op, d, a, b, c, x;
  uint32_t imm;
} hd_simt_instruction;

/* |slot| begins with |bits| in each lane, which are |undefined| when that is 1 (else 0): any bits would do. */
typedef struct hd_simt_constant {
  uint32_t slot, slots, undefined;
  uint64_t bits;
} hd_simt_constant;

/* Word |i| of a launch goes to |slot|. */
typedef struct hd_simt_argument {
  uint32_t slot, slots;
  uint32_t bits; /* low bits of the word that count, 1 to 64 */
} hd_simt_argument;

typedef struct hd_simt_kernel {
  const char *name;
  uint32_t block[3];                   /* 0: not known */
  uint32_t shared_bytes;               /* memory of the block that the image asks for */
  uint32_t private_bytes;              /* memory of each thread */
  uint32_t slots, fixed_slots;         /* of registers */
  uint32_t argument_count;             /* words of a launch */
  uint32_t constant_count, code_count; /* code ends with an instruction of the class CONTROL */
  uint32_t list_count, source_count;
  const hd_simt_argument *arguments;
  const hd_simt_constant *constants;
  const hd_simt_instruction *code;
  const uint32_t *lists;
  const uint32_t *origins;    /* per instruction: which of |sources| it came from */
  const char *const *sources; /* "file:line:column: op name" */
} hd_simt_kernel;

typedef struct hd_simt_module {
  uint32_t kernel_count;
  const hd_simt_kernel *kernels;
} hd_simt_module;

typedef struct hd_simt_opcode_row {
  const char *name;
  uint8_t class, result, a, b, c;
} hd_simt_opcode_row;
extern const hd_simt_opcode_row hd_simt_opcode_rows[HD_SIMT_OPCODES];

/* The bytes of |module|, in |arena|. */
hd_str hd_simt_image_write(const hd_simt_module *module, hd_arena *arena);
/* Reads |size| bytes, none of which it trusts, into |arena|. DATA_LOSS for what is no image or is damaged, with kernel
 * and instruction; FAILED_PRECONDITION for another version. What it accepts can be run. */
hd_status hd_simt_image_read(const void *bytes, size_t size, hd_arena *arena, hd_simt_module *out_module) HD_MUST_USE;

#endif
