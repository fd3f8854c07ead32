/* SPDX-License-Identifier: Apache-2.0 */
/* Heddle IR to LLVM IR: the state that the dialects' files share. Internal to target/llvm.
 *
 * A value of Heddle's IR is one or more LLVM values, its parts:
 *   integer iN, index            iN, i64                                   1
 *   f16, f32, f64                half, float, double                       1
 *   bf16                         i16, the pattern                          1   LLVM's bfloat is never used:
 *                                                                              without hardware its conversions
 *                                                                              call functions that do not exist
 *   f8, f6, f4                   i8, the pattern                           1
 *   vector<a x b x nxT>          <n x T>, row major                        a*b
 *   complex<T>                   T, T                                      2
 *   !llvm.ptr                    ptr                                       1
 *   memref in a kernel           ptr                                       1
 *   memref in a host function    ptr, offset, sizes, strides               2 + 2 * rank
 * In memory i1 and integers below 8 bits take one byte.
 *
 * Handlers return false after hd_lower_fail. Scratch is the arena; no handler makes Heddle types, attributes or ops
 * (other threads read the same module). Memory running out leaves through the guard around translation, which disposes
 * the LLVM context: no Heddle allocation happens below an LLVM frame. */
#ifndef HD_TARGET_LLVM_TRANSLATE_H_
#define HD_TARGET_LLVM_TRANSLATE_H_

#include <llvm-c/Core.h>

#include "base/vec.h"
#include "target/cpu/cpu.h"

typedef struct hd_parts {
  uint32_t count;
  LLVMValueRef at[];
} hd_parts;

typedef struct hd_lower {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  hd_arena *arena;
  const hd_cpu_target *target;
  bool host; /* the function being translated is host code */
  hd_status status;

  LLVMTypeRef i1, i8, i16, i32, i64, f16, f32, f64, ptr, void_type;

  hd_map values;           /* hd_value* -> hd_parts* */
  hd_map blocks;           /* hd_block* -> LLVMBasicBlockRef */
  hd_map functions;        /* func.func -> LLVMValueRef */
  hd_map globals;          /* memref.global -> LLVMValueRef */
  const hd_map *apart;     /* func.func -> symbol: functions of other objects; may be null */
  hd_vec(hd_op *) pending; /* called functions whose bodies are still to be translated */

  /* Of the function being translated. */
  hd_op *func;
  bool fast; /* the code generator without optimisation takes it */
  LLVMValueRef function;
  LLVMBasicBlockRef entry;  /* holds the allocas */
  LLVMValueRef ral_context; /* host code: the context */
  LLVMValueRef ral_area;    /* host code: launch words and descriptors, sized at the end of the function */
  uint64_t ral_words;
  LLVMBasicBlockRef failed_block; /* host code: returns at once */
  uint64_t stack_bytes;
  bool streams; /* has non-temporal stores, so ends with a store fence */
  bool unrolls; /* some loop asks for unrolling */
  uint32_t depth;

  /* Of host modules. */
  const hd_cpu_kernel_table *kernels;
  hd_map kernel_numbers; /* name -> place in |kernels|, filled by the first launch */
  hd_cpu_names *names;
  hd_arena *names_arena;
  LLVMValueRef ral_table;
  hd_map apis; /* name of an API -> its LLVM function */
} hd_lower;

typedef struct hd_handler hd_handler;
struct hd_handler {
  const char *name; /* of the op */
  bool (*lower)(hd_lower *l, hd_op *op, const hd_handler *self);
  int code;              /* for handlers of many ops */
  const char *intrinsic; /* the same */
};

/* Tables of the dialects' files; each ends with a null name. */
extern const hd_handler hd_handlers_arith[], hd_handlers_float[], hd_handlers_float_casts[], hd_handlers_vector[],
    hd_handlers_shuffle[], hd_handlers_access[], hd_handlers_memory[], hd_handlers_complex[], hd_handlers_control[],
    hd_handlers_cfg[], hd_handlers_host[];

/* Errors: sets l->status with the op's place and name; always false. */
bool hd_lower_fail(hd_lower *l, hd_op *op, const char *format, ...) HD_PRINTF(3, 4);

/* Types (types.c). Null, with an error at |op|, when a type has no form here. */
LLVMTypeRef hd_lower_element(hd_lower *l, hd_op *op, hd_type element); /* in registers */
LLVMTypeRef hd_lower_storage(hd_lower *l, hd_op *op, hd_type element); /* in memory; complex is an array of two */
/* Number of parts of |type|, 0 after an error; and the type of each. */
uint32_t hd_lower_part_count(hd_lower *l, hd_op *op, hd_type type);
LLVMTypeRef hd_lower_part_type(hd_lower *l, hd_op *op, hd_type type, uint32_t part);
bool hd_type_is_pointer(hd_type type); /* !llvm.ptr */
/* The lanes of a part: 0 for scalars. */
uint32_t hd_lower_lanes(LLVMTypeRef type);
/* |scalar| with the lanes of |like|. */
LLVMTypeRef hd_lower_like(LLVMTypeRef like, LLVMTypeRef scalar);
LLVMTypeRef hd_lower_scalar(LLVMTypeRef type);

/* Values */
hd_parts *hd_lower_parts(hd_lower *l, hd_value *value);    /* of operands never null: hd_lower_op checks them */
LLVMValueRef hd_lower_value(hd_lower *l, hd_value *value); /* the first part */
static inline LLVMValueRef hd_lower_operand(hd_lower *l, hd_op *op, uint32_t i) {
  return hd_lower_value(l, hd_operand(op, i));
}
hd_parts *hd_lower_new_parts(hd_lower *l, uint32_t count);
void hd_lower_set(hd_lower *l, hd_value *value, hd_parts *parts);
void hd_lower_set_one(hd_lower *l, hd_value *value, LLVMValueRef part);
/* A phi per part of |value|, at the builder's place, which become its parts; null after an error at |op|. */
hd_parts *hd_lower_phis(hd_lower *l, hd_op *op, hd_value *value);
/* result 0 of |op| = |part|; always true. */
bool hd_lower_result(hd_lower *l, hd_op *op, LLVMValueRef part);

LLVMValueRef hd_lower_i64(hd_lower *l, int64_t value);
/* An integer constant of |type|, splat over its lanes. */
LLVMValueRef hd_lower_int(LLVMTypeRef type, uint64_t value);
/* A float constant of |type| from the pattern of its scalar. */
LLVMValueRef hd_lower_float_bits(hd_lower *l, LLVMTypeRef type, uint64_t bits);
/* One element of |element| type from memory form. */
LLVMValueRef hd_lower_constant_element(hd_lower *l, hd_op *op, hd_type element, const void *data);
LLVMValueRef hd_lower_splat(hd_lower *l, LLVMValueRef scalar, uint32_t lanes);
LLVMValueRef hd_lower_intrinsic(hd_lower *l, const char *name, LLVMTypeRef *overloads, size_t overload_count,
                                LLVMValueRef *args, size_t arg_count);
/* The same for an intrinsic overloaded on its result type alone, or on nothing when |overload| is null. */
LLVMValueRef hd_lower_intrinsic1(hd_lower *l, const char *name, LLVMTypeRef overload, LLVMValueRef a, LLVMValueRef b,
                                 LLVMValueRef c);
/* Of two integers the one that |is_first| (LLVMIntSLT: the smaller) holds of; |intrinsic| says the same. */
LLVMValueRef hd_lower_extreme(hd_lower *l, LLVMIntPredicate is_first, const char *intrinsic, LLVMValueRef a,
                              LLVMValueRef b);

/* Fast-math flags of an op, as LLVM's; and put on an instruction (constants are left alone). */
LLVMFastMathFlags hd_lower_flags(hd_op *op);
LLVMValueRef hd_lower_flagged(LLVMValueRef value, LLVMFastMathFlags flags);

/* Floats (float_formats.c, translate_float.c). Formats that the machine does not compute
 * in are widened to f32 and rounded back. */
bool hd_float_is_emulated(hd_type element);                                        /* bf16, f16, f8, f6, f4 */
LLVMValueRef hd_lower_widen(hd_lower *l, hd_float_kind kind, LLVMValueRef value);  /* to f32 */
LLVMValueRef hd_lower_narrow(hd_lower *l, hd_float_kind kind, LLVMValueRef value); /* from f32, nearest even */
/* Between any two float formats, rounding once, to nearest even. */
LLVMValueRef hd_lower_float_cast(hd_lower *l, hd_float_kind from, hd_float_kind to, LLVMValueRef value);
/* The machine format that ops on |element| compute in, and the way there and back. */
LLVMValueRef hd_lower_float_enter(hd_lower *l, hd_type element, LLVMValueRef value);
LLVMValueRef hd_lower_float_leave(hd_lower *l, hd_type element, LLVMValueRef value);
/* Is |element| a float that has a machine form? */
bool hd_lower_check_float(hd_lower *l, hd_op *op, hd_type element);

/* Minimum or maximum of f32, f64 and vectors of them: NaN wins, -0 < +0. */
LLVMValueRef hd_lower_extremum(hd_lower *l, bool is_max, LLVMValueRef a, LLVMValueRef b, LLVMFastMathFlags flags);

/* Memory (translate_access.c) */
/* The stride of dim |i| by the type alone: HD_DYNAMIC when the type does not say. */
int64_t hd_lower_static_stride(hd_type type, uint32_t i);
/* The same as a value, in host code where the type does not say it; null after an error. */
LLVMValueRef hd_lower_stride(hd_lower *l, hd_op *op, hd_value *memref, uint32_t i);
/* The address by operands |first|.. of |op|, which are the memref and its indices; null after an error. */
LLVMValueRef hd_lower_operand_address(hd_lower *l, hd_op *op, uint32_t first);
LLVMValueRef hd_lower_alloca(hd_lower *l, LLVMTypeRef type, uint64_t bytes, unsigned alignment);
LLVMValueRef hd_lower_offset(hd_lower *l, LLVMTypeRef element, LLVMValueRef base, LLVMValueRef index);
/* Registers to memory form and back, lanes kept (i1 <-> i8). */
LLVMValueRef hd_lower_to_storage(hd_lower *l, hd_type element, LLVMValueRef value);
LLVMValueRef hd_lower_from_storage(hd_lower *l, hd_type element, LLVMValueRef value);

/* Control (translate.c, translate_control.c) */
bool hd_lower_cfg(hd_lower *l, hd_region *region); /* blocks joined by cf ops */
bool hd_lower_op(hd_lower *l, hd_op *op);
LLVMBasicBlockRef hd_lower_block(hd_lower *l, const char *name); /* appended to the function */
LLVMValueRef hd_lower_declare(hd_lower *l, hd_op *func);         /* the LLVM function of a func.func */
bool hd_lower_return(hd_lower *l, LLVMValueRef *values, size_t count, LLVMTypeRef *types);
/* Host code: leaves the function when the context has failed. */
void hd_lower_check_failed(hd_lower *l);

/* Doors for codegen.c: fill l->module. |symbol| names the exported wrapper. */
bool hd_lower_kernel(hd_lower *l, hd_op *func, const char *symbol);
bool hd_lower_function(hd_lower *l, hd_op *func, const char *symbol); /* itself, for kernels of other objects */
bool hd_lower_host(hd_lower *l, hd_op *func, const char *symbol);
void hd_lower_init(hd_lower *l);

#endif
