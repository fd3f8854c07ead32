/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the encoding, shared by reader and writer. */
#ifndef HD_BYTECODE_ENCODING_H_
#define HD_BYTECODE_ENCODING_H_

#include "ir/op_info.h"

enum {
  /* What a version of the format brought; a file of an older one lacks it. */
  HD_BC_DIALECT_VERSIONS = 1,
  HD_BC_REGION_SECTIONS = 2, /* isolated regions are sections of their own */
  HD_BC_USE_LISTS = 3,
  HD_BC_SHORT_ARG_LOCS = 4, /* unknown locations of block arguments are left out; the number of op names is written */
  HD_BC_PROPERTIES = 5,
  HD_BC_SEGMENTS = 6, /* segment sizes are sparse arrays in the properties, no attributes */
  HD_BC_VERSION = 6,
  HD_BC_ALIGNED = 0x80, /* in the number of a section: an alignment follows its size */
  HD_BC_PADDING = 0xCB,
};

typedef enum hd_bc_section {
  HD_BC_STRINGS,
  HD_BC_DIALECTS,
  HD_BC_ATTRS,
  HD_BC_ATTR_OFFSETS,
  HD_BC_IR,
  HD_BC_RESOURCES,
  HD_BC_RESOURCE_OFFSETS,
  HD_BC_DIALECT_VERSION,
  HD_BC_PROPERTY_TABLE,
  HD_BC_SECTION_COUNT,
} hd_bc_section;

/* Which parts an op has. */
enum {
  HD_BC_HAS_ATTRS = 0x01,
  HD_BC_HAS_RESULTS = 0x02,
  HD_BC_HAS_OPERANDS = 0x04,
  HD_BC_HAS_SUCCESSORS = 0x08,
  HD_BC_HAS_REGIONS = 0x10,
  HD_BC_HAS_USE_LISTS = 0x20,
  HD_BC_HAS_PROPERTIES = 0x40,
};

typedef enum hd_bc_resource_kind {
  HD_BC_RESOURCE_BLOB,
  HD_BC_RESOURCE_BOOL,
  HD_BC_RESOURCE_STRING
} hd_bc_resource_kind;

/* Attributes of the builtin dialect. */
typedef enum hd_bc_attr {
  HD_BC_ATTR_ARRAY,
  HD_BC_ATTR_DICT,
  HD_BC_ATTR_STRING,
  HD_BC_ATTR_TYPED_STRING,
  HD_BC_ATTR_FLAT_SYMBOL,
  HD_BC_ATTR_SYMBOL,
  HD_BC_ATTR_TYPE,
  HD_BC_ATTR_UNIT,
  HD_BC_ATTR_INTEGER,
  HD_BC_ATTR_FLOAT,
  HD_BC_ATTR_CALLSITE_LOC,
  HD_BC_ATTR_FILE_LOC,
  HD_BC_ATTR_FUSED_LOC,
  HD_BC_ATTR_FUSED_LOC_WITH_METADATA,
  HD_BC_ATTR_NAME_LOC,
  HD_BC_ATTR_UNKNOWN_LOC,
  HD_BC_ATTR_DENSE_RESOURCE,
  HD_BC_ATTR_DENSE_ARRAY,
  HD_BC_ATTR_DENSE,
  HD_BC_ATTR_DENSE_STRINGS,
  HD_BC_ATTR_SPARSE,
  HD_BC_ATTR_DISTINCT,
  HD_BC_ATTR_FILE_RANGE_LOC,
} hd_bc_attr;

/* Floats by kind, each at its code: those of MLIR 22, and those for which it has text, with a code in newer writers. */
#define HD_BC_FLOATS(X) X(BF16) X(F16) X(F32) X(F64) X(F80) X(F128)
/* clang-format off */
#define HD_BC_NEWER_FLOATS(X)                                                                                \
  X(TF32) X(F8E5M2) X(F8E4M3) X(F8E4M3FN) X(F8E5M2FNUZ) X(F8E4M3FNUZ) X(F8E4M3B11FNUZ) X(F8E3M4) X(F4E2M1FN) \
  X(F6E2M3FN) X(F6E3M2FN) X(F8E8M0FNU)
/* clang-format on */

/* Types of the builtin dialect. */
typedef enum hd_bc_type {
  HD_BC_TYPE_INTEGER,
  HD_BC_TYPE_INDEX,
  HD_BC_TYPE_FUNCTION,
#define X(kind) HD_BC_TYPE_##kind,
  HD_BC_FLOATS(X) HD_BC_TYPE_COMPLEX,
  HD_BC_TYPE_MEMREF,
  HD_BC_TYPE_MEMREF_WITH_SPACE,
  HD_BC_TYPE_NONE,
  HD_BC_TYPE_TENSOR,
  HD_BC_TYPE_TENSOR_WITH_ENCODING,
  HD_BC_TYPE_TUPLE,
  HD_BC_TYPE_UNRANKED_MEMREF,
  HD_BC_TYPE_UNRANKED_MEMREF_WITH_SPACE,
  HD_BC_TYPE_UNRANKED_TENSOR,
  HD_BC_TYPE_VECTOR,
  HD_BC_TYPE_SCALABLE_VECTOR,
  HD_BC_NEWER_FLOATS(X)
#undef X
} hd_bc_type;

/* Attributes of the vhlo dialect: code, name in text, first version. */
#define HD_VHLO_ATTRS(X)                                         \
  X(ARRAY, 1, "array_v1", "0.9.0")                               \
  X(BOOL, 2, "bool_v1", "0.9.0")                                 \
  X(DICT, 6, "dict_v1", "0.9.0")                                 \
  X(FLOAT, 8, "float_v1", "0.9.0")                               \
  X(INTEGER, 9, "integer_v1", "0.9.0")                           \
  X(ALIAS, 10, "output_operand_alias_v1", "0.9.0")               \
  X(STRING, 14, "string_v1", "0.9.0")                            \
  X(TENSOR, 15, "tensor_v1", "0.9.0")                            \
  X(TYPE, 17, "type_v1", "0.9.0")                                \
  X(TYPE_EXTENSIONS, 18, "type_extensions_v1", "0.9.0")          \
  X(RESULT_ACCURACY, 20, "result_accuracy_v1", "1.9.0")          \
  X(SUB_AXIS, 21, "sub_axis_info_v1", "1.16.0")                  \
  X(AXIS_REF, 22, "axis_ref_v1", "1.16.0")                       \
  X(GROUP_MESH_AXES, 23, "replica_group_mesh_axes_v1", "1.16.0") \
  X(MESH_AXIS, 24, "mesh_axis_v1", "1.16.0")                     \
  X(MESH, 25, "mesh_v1", "1.16.0")

typedef enum hd_vhlo_attr {
#define X(code, number, ...) HD_VHLO_ATTR_##code = number,
  HD_VHLO_ATTRS(X)
#undef X
} hd_vhlo_attr;

/* Enum attributes of the vhlo dialect: code, row of the enum, name in text, first version. */
#define HD_VHLO_ENUMS(X)                                                           \
  X(3, HD_ENUM_stablehlo_comparison_direction, "comparison_direction_v1", "0.9.0") \
  X(4, HD_ENUM_stablehlo_comparison_type, "comparison_type_v1", "0.9.0")           \
  X(5, HD_ENUM_stablehlo_custom_call_api_version, "api_version_v1", "0.9.0")       \
  X(7, HD_ENUM_stablehlo_fft_type, "fft_type_v1", "0.9.0")                         \
  X(11, HD_ENUM_stablehlo_precision, "precision_v1", "0.9.0")                      \
  X(12, HD_ENUM_stablehlo_rng_algorithm, "rng_algorithm_v1", "0.9.0")              \
  X(13, HD_ENUM_stablehlo_rng_distribution, "rng_distribution_v1", "0.9.0")        \
  X(16, HD_ENUM_stablehlo_transpose, "transpose_v1", "0.9.0")                      \
  X(19, HD_ENUM_stablehlo_result_accuracy_mode, "result_accuracy_mode_v1", "1.9.0")

/* Types of the vhlo dialect that have no parameters: code, name in text, first version, kind, and the width and
 * signedness of an integer or the format of a float. */
#define HD_VHLO_PLAIN_TYPES(X)                                        \
  X(0, "bool_v1", "0.9.0", INTEGER, 1, HD_SIGNLESS)                   \
  X(2, "bf16_v1", "0.9.0", FLOAT, HD_BF16, 0)                         \
  X(3, "f16_v1", "0.9.0", FLOAT, HD_F16, 0)                           \
  X(4, "f32_v1", "0.9.0", FLOAT, HD_F32, 0)                           \
  X(5, "f64_v1", "0.9.0", FLOAT, HD_F64, 0)                           \
  X(6, "f8E4M3FN_v1", "0.9.0", FLOAT, HD_F8E4M3FN, 0)                 \
  X(7, "f8E5M2_v1", "0.9.0", FLOAT, HD_F8E5M2, 0)                     \
  X(9, "index_v1", "0.9.0", INDEX, 0, 0)                              \
  X(10, "i4_v1", "0.9.0", INTEGER, 4, HD_SIGNLESS)                    \
  X(11, "i8_v1", "0.9.0", INTEGER, 8, HD_SIGNLESS)                    \
  X(12, "i16_v1", "0.9.0", INTEGER, 16, HD_SIGNLESS)                  \
  X(13, "i32_v1", "0.9.0", INTEGER, 32, HD_SIGNLESS)                  \
  X(14, "i64_v1", "0.9.0", INTEGER, 64, HD_SIGNLESS)                  \
  X(15, "ui4_v1", "0.9.0", INTEGER, 4, HD_UNSIGNED)                   \
  X(16, "ui8_v1", "0.9.0", INTEGER, 8, HD_UNSIGNED)                   \
  X(17, "ui16_v1", "0.9.0", INTEGER, 16, HD_UNSIGNED)                 \
  X(18, "ui32_v1", "0.9.0", INTEGER, 32, HD_UNSIGNED)                 \
  X(19, "ui64_v1", "0.9.0", INTEGER, 64, HD_UNSIGNED)                 \
  X(22, "token_v1", "0.9.0", DIALECT, HD_TYPE_ROW_stablehlo_token, 0) \
  X(26, "witness_v1", "0.9.0", DIALECT, HD_TYPE_ROW_shape_witness, 0) \
  X(27, "f8E4M3FNUZ_v1", "0.10.0", FLOAT, HD_F8E4M3FNUZ, 0)           \
  X(28, "f8E5M2FNUZ_v1", "0.10.0", FLOAT, HD_F8E5M2FNUZ, 0)           \
  X(29, "f8E4M3B11FNUZ_v1", "0.11.0", FLOAT, HD_F8E4M3B11FNUZ, 0)     \
  X(31, "i2_v1", "1.2.0", INTEGER, 2, HD_SIGNLESS)                    \
  X(32, "ui2_v1", "1.2.0", INTEGER, 2, HD_UNSIGNED)                   \
  X(33, "none_v1", "1.6.0", NONE, 0, 0)                               \
  X(34, "tf31_v1", "1.6.0", FLOAT, HD_TF32, 0)                        \
  X(35, "f8E4M3_v1", "1.7.0", FLOAT, HD_F8E4M3, 0)                    \
  X(36, "f8E3M4_v1", "1.7.0", FLOAT, HD_F8E3M4, 0)                    \
  X(37, "f4E2M1FN_v1", "1.8.0", FLOAT, HD_F4E2M1FN, 0)                \
  X(38, "f6E2M3FN_v1", "1.8.0", FLOAT, HD_F6E2M3FN, 0)                \
  X(39, "f6E3M2FN_v1", "1.8.0", FLOAT, HD_F6E3M2FN, 0)                \
  X(40, "f8E8M0FNU_v1", "1.8.0", FLOAT, HD_F8E8M0FNU, 0)

/* Types of the vhlo dialect with parameters: name, code, name in text, first version. */
#define HD_VHLO_TYPES(X)                                \
  X(COMPLEX, 1, "complex_v1", "0.9.0")                  \
  X(FUNCTION, 8, "func_v1", "0.9.0")                    \
  X(TENSOR, 20, "tensor_v1", "0.9.0")                   \
  X(TENSOR_WITH_ENCODING, 21, "tensor_v1", "0.9.0")     \
  X(TUPLE, 23, "tuple_v1", "0.9.0")                     \
  X(QUANT, 24, "quant_v1", "0.9.0")                     \
  X(UNRANKED_TENSOR, 25, "unranked_tensor_v1", "0.9.0") \
  X(QUANT_PER_AXIS, 30, "quant_per_axis_v1", "0.18.0")  \
  X(BUFFER, 41, "buffer_v1", "1.13.0")                  \
  X(FUTURE, 42, "future_v1", "1.15.0")

typedef enum hd_vhlo_type {
#define X(code, number, ...) HD_VHLO_TYPE_##code = number,
  HD_VHLO_TYPES(X)
#undef X
} hd_vhlo_type;

#endif
