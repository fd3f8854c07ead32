/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels in device form to machine form: the state that the files of convert-gpu-to-llvm share.
 *
 * A value of the device form is one or more values of the machine form, its parts:
 *   index                              i64, or i32 in a kernel of hd.index_bits 1
 *   iN, uiN                            iN                                      1
 *   f16, bf16, f32, f64                the same                                1
 *   floats of 8, 6 and 4 bits          i8, their pattern                       1
 *   vector<NxT>                        vector<N x part of T>                   1
 *   complex<T>                         T, T                                    2
 *   memref                             !llvm.ptr<space>, then a size per dim   1 + rank, null where the type says the
 *                                                                              size
 * In memory integers below 8 bits take a byte, signless ones of more than one bit with their sign; complex numbers are
 * as two.
 *
 * Rules report at the op of the device form and return false. New ops go to the end of |b|'s block. */
#ifndef HD_PASSES_MACHINE_CONVERTER_H_
#define HD_PASSES_MACHINE_CONVERTER_H_

#include "base/map.h"
#include "base/vec.h"
#include "ir/builder.h"
#include "ir/ops/enums.h"
#include "pass/pass.h"

/* Numbers of !llvm.ptr's spaces, on every target. */
enum { HD_SPACE_GENERIC = 0, HD_SPACE_GLOBAL = 1, HD_SPACE_SHARED = 3, HD_SPACE_CONSTANT = 4, HD_SPACE_PRIVATE = 5 };

typedef struct hd_machine_parts {
  uint32_t count;
  hd_value *at[];
} hd_machine_parts;

typedef struct hd_converter {
  hd_pass *pass;
  hd_arena *arena;
  hd_context *context;
  hd_builder b;
  hd_type index;   /* what an index is: i64 or i32 */
  hd_op *function; /* the llvm.func that is being written */
  hd_map values;   /* hd_value* of the device form -> hd_machine_parts* */
  uint32_t depth;  /* of regions */
} hd_converter;

typedef struct hd_machine_rule {
  bool (*convert)(hd_converter *c, hd_op *op, int code);
  int code; /* most often the opcode that it becomes */
} hd_machine_rule;

/* Types (convert_types.c). Null, or false, with an error at |op| for what has no form here. */
hd_type hd_machine_type(hd_converter *c, hd_op *op, hd_type type);   /* of a value of one part */
hd_type hd_machine_stored(hd_converter *c, hd_op *op, hd_type type); /* of the same in memory */
hd_type hd_machine_pointer(hd_context *context, int64_t space);
/* The space of |type|, a memref; -1 for one that no kernel reaches. */
int64_t hd_machine_space(hd_type type);
/* Is |type|, a memref, dense, or of strides that it says, 0 or more each? */
bool hd_machine_has_known_strides(hd_type type);
/* Is its offset known to the run alone? Its pointer then is the first element's, which no word of a launch is; else it
 * is the buffer's. */
bool hd_machine_has_own_offset(hd_type type);
uint32_t hd_machine_part_count(hd_type type);
/* The types of the parts of |type| that a function takes, a branch passes: no sizes that the type says. Appended. */
typedef hd_vec(hd_type) hd_type_list;
bool hd_machine_part_types(hd_converter *c, hd_op *op, hd_type type, hd_type_list *out);
hd_type hd_machine_function_type(hd_context *context, hd_type result, const hd_type *ins, size_t count);

/* Floats of 8, 6 and 4 bits (convert_narrow_floats.c), which ops other than conversions and comparisons have no form
 * on. */
bool hd_machine_is_small_float(hd_type type);
/* |value|, of |from| in its machine form, or a vector of it, as one of |to|; at least one of the two is narrow. */
hd_value *hd_machine_convert_float(hd_converter *c, hd_value *value, hd_float_kind from, hd_float_kind to);
/* An integer, or a vector of them, as one of |to|, which is narrow. */
hd_value *hd_machine_narrow_of_int(hd_converter *c, hd_value *value, bool is_signed, hd_float_kind to);

/* |base|, or where something in the gpu.module |kernels| has that name, base_0, base_1, ... */
hd_attr hd_machine_unique_symbol(hd_arena *arena, hd_op *kernels, const char *base);

/* Values */
hd_machine_parts *hd_machine_new_parts(hd_converter *c, uint32_t count);
void hd_machine_set(hd_converter *c, hd_value *value, hd_machine_parts *parts);
bool hd_machine_result(hd_converter *c, hd_op *op, hd_value *part); /* result 0 is |part|; true */
hd_machine_parts *hd_machine_operand(hd_converter *c, hd_op *op, uint32_t i);
static inline hd_value *hd_machine_one(hd_converter *c, hd_op *op, uint32_t i) {
  return hd_machine_operand(c, op, i)->at[0];
}
hd_value *hd_machine_int(hd_converter *c, hd_type type, int64_t value); /* splat for vectors */
hd_value *hd_machine_i64(hd_converter *c, int64_t value);
hd_value *hd_machine_index(hd_converter *c, int64_t value);
/* What an index is in |func|, of the device form. */
hd_type hd_machine_index_type(const hd_op *func);
hd_value *hd_machine_binary(hd_converter *c, hd_opcode opcode, hd_value *x, hd_value *y);
hd_value *hd_machine_icmp(hd_converter *c, hd_enum_llvm_icmp_predicate predicate, hd_value *x, hd_value *y);
/* |value| with another width, signed or not; the same when it has it. */
hd_value *hd_machine_resize(hd_converter *c, hd_value *value, hd_type type, bool is_signed);
/* One result and fast-math |flags| of llvm, which ops without such an attribute are not given. */
hd_value *hd_machine_flagged(hd_converter *c, hd_opcode opcode, hd_type type, hd_value *const *operands, size_t count,
                             int64_t flags);
/* arith's fast-math flags of |op|, as llvm's. */
int64_t hd_machine_flags(hd_op *op);

/* Memory (convert_memory.c). The address by operand |first| of |op|, the memref, and the indices after it. */
hd_value *hd_machine_address(hd_converter *c, hd_op *op, uint32_t first, hd_type stored);
/* The types in registers and in memory of a part of an element of |element|. */
bool hd_machine_element_types(hd_converter *c, hd_op *op, hd_type element, hd_type *out_type, hd_type *out_stored);
/* From what is in memory to |type|, and back: |element| is the type in the device form, whose sign tells what a
 * byte's other bits are. */
hd_value *hd_machine_from_stored(hd_converter *c, hd_value *value, hd_type type);
hd_value *hd_machine_to_stored(hd_converter *c, hd_value *value, hd_type element, hd_type stored);

/* Blocks (convert_control.c). New ops go to |block|, from here on the last one of the function. */
void hd_machine_enter(hd_converter *c, hd_block *block);
/* Branches at the end of |b|'s block. */
void hd_machine_jump(hd_converter *c, hd_block *to, hd_value *const *values, size_t count);
void hd_machine_jump_if(hd_converter *c, hd_value *condition, hd_block *yes, hd_block *no, hd_value *const *no_values,
                        size_t no_count);
/* The body of region |r| of |op|, a block of one; its terminator is left to the caller. */
bool hd_machine_body(hd_converter *c, hd_op *op, uint32_t r, hd_op **out_end);

/* The size of dim |d| of |memref|, of |type| (convert_memory.c). */
hd_value *hd_machine_size(hd_converter *c, hd_type type, const hd_machine_parts *memref, uint32_t d);
/* The address |at| elements of |stored| after |base|; |at| is 0 or more. */
hd_value *hd_machine_offset(hd_converter *c, hd_value *base, hd_value *at, hd_type stored);
/* Memory of the thread, an llvm.alloca of |array| (convert_gpu_to_llvm.c). */
hd_value *hd_machine_private(hd_converter *c, hd_type array);
/* What memory of |type|, of a known shape, is; null after an error. */
hd_type hd_machine_array(hd_converter *c, hd_op *op, hd_type type);

/* Every op of |block| but its terminator. */
bool hd_machine_block(hd_converter *c, hd_block *block);

/* Rules by dialect. */
#define HD_RULE(name) bool hd_convert_##name(hd_converter *c, hd_op *op, int code)
HD_RULE(same);        /* one op for another, operand for operand */
HD_RULE(with_flags);  /* the same, which has fast-math flags */
HD_RULE(approximate); /* the same, where the flag afn is: an instruction of devices */
HD_RULE(constant);
HD_RULE(compare_ints);
HD_RULE(compare_floats);
HD_RULE(select);
HD_RULE(resize); /* |code|: 1 when signed */
HD_RULE(convert_float);
HD_RULE(bitcast);
HD_RULE(rounded_division);
HD_RULE(wide_product);
HD_RULE(count_zeros);
HD_RULE(cast);
HD_RULE(complex_part);
HD_RULE(complex_create);
HD_RULE(vector_extract);
HD_RULE(vector_insert);
HD_RULE(vector_broadcast);
HD_RULE(vector_reduction);
HD_RULE(vector_elements);
HD_RULE(load);
HD_RULE(store);
HD_RULE(vector_load);
HD_RULE(vector_store);
HD_RULE(atomic);
HD_RULE(generic_atomic);
HD_RULE(dim);
HD_RULE(collapse);
HD_RULE(dynamic_memory);
HD_RULE(view);
HD_RULE(subview);
HD_RULE(memref_cast);
HD_RULE(reinterpret_cast);
HD_RULE(alloca);
HD_RULE(if);
HD_RULE(for);
HD_RULE(while);
HD_RULE(call);
HD_RULE(id); /* |code|: 1 when it names a dim */
HD_RULE(num_subgroups);
HD_RULE(rotate); /* this and the next as gpu.shuffle */
HD_RULE(lane_broadcast);
HD_RULE(together); /* barriers and exchanges between lanes stay, on parts */

#endif
