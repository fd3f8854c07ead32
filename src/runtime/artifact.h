/* SPDX-License-Identifier: Apache-2.0 */
/* The artifact `.hdl`: a compiled module as bytes, written by the compiler and read by the loader.
 *
 *   header (64 bytes)   magic, format version, ABI version, total size, place of the metadata, content hash
 *   metadata            a stream of integers and strings: targets, of each program entries, kernels, names, messages
 *                       and where its code is, and where constants are
 *   objects, images     of each program: relocatable ELF, and kernels of devices as the driver of each kind takes them,
 *                       each 64-byte aligned
 *   constants           of all programs, equal ones once, each 64-byte aligned; mapped, never copied. They may be in a
 *                       constants file instead (runtime/constants.h), which the metadata names
 *
 * Targets whose pipelines differ have host code of their own, so an artifact has a program for each: a host program
 * with the images of all targets that share it. All programs have the same entries, inputs and outputs. Who loads it
 * takes one program, that of the target for the runtime's driver.
 *
 * The content hash covers the header, the metadata, the objects and the images; constants have hashes of their own.
 * All integers are little-endian. The reader trusts no byte of the container: any input gives a status in time linear
 * in its size. The machine code itself is trusted (SECURITY.md): who loads an artifact runs it.
 *
 * hd_artifact is one struct for both directions: the compiler fills it (all memory its own) and calls
 * hd_artifact_write; hd_artifact_read fills it with views into the bytes and memory of its own arena. */
#ifndef HD_RUNTIME_ARTIFACT_H_
#define HD_RUNTIME_ARTIFACT_H_

#include "base/arena.h"
#include "base/hash128.h"
#include "heddle/element.h"

#define HD_ARTIFACT_VERSION 5
#define HD_NO_INPUT (-1)

/* Programs over dims: postfix on a stack of i64, a flat array of words. Arithmetic is checked: overflow and division by
 * zero fail the evaluation. Divisions floor, as in the compiler's symbolic shapes.
 * X(id, number, immediate words, values taken, values left) */
#define HD_DIM_OPS(X)                                                    \
  X(CONST, 1, 1, 0, 1)  /* CONST v */                                    \
  X(SYMBOL, 2, 1, 0, 1) /* SYMBOL k: value of symbol k of the entry */   \
  X(INPUT, 3, 2, 0, 1)  /* INPUT argument dim: not in dims of tensors */ \
  X(ADD, 4, 0, 2, 1)                                                     \
  X(SUB, 5, 0, 2, 1)                                                     \
  X(MUL, 6, 0, 2, 1)                                                     \
  X(FLOORDIV, 7, 0, 2, 1)                                                \
  X(CEILDIV, 8, 0, 2, 1)                                                 \
  X(MOD, 9, 0, 2, 1) /* sign of the divisor */                           \
  X(MIN, 10, 0, 2, 1)                                                    \
  X(MAX, 11, 0, 2, 1)                                                    \
  X(EQ, 12, 0, 2, 1) /* comparisons give 0 or 1 */                       \
  X(NE, 13, 0, 2, 1)                                                     \
  X(LT, 14, 0, 2, 1)                                                     \
  X(LE, 15, 0, 2, 1)                                                     \
  X(AND, 16, 0, 2, 1)                                                    \
  X(OR, 17, 0, 2, 1)                                                     \
  X(NOT, 18, 0, 1, 1)                                                    \
  X(SELECT, 19, 0, 3, 1) /* condition, then, else */                     \
  X(WRAP32, 20, 0, 1, 1) /* as an i32 wraps */

typedef enum hd_dim_op {
#define X(id, number, ...) HD_DIM_##id = number,
  HD_DIM_OPS(X)
#undef X
} hd_dim_op;

enum { HD_DIM_STACK = 64 };

/* How many words |op| takes with its immediates. */
static inline uint32_t hd_dim_op_words(int64_t op) { return op == HD_DIM_INPUT ? 3 : op <= HD_DIM_SYMBOL ? 2 : 1; }

typedef struct hd_dim_program {
  const int64_t *words; /* leaves exactly one value; empty: not known before the run */
  uint32_t len;
} hd_dim_program;

typedef struct hd_artifact_dim {
  const char *text;       /* "128", "b", "2*n+1", "?" when not known before the run */
  hd_dim_program program; /* over the symbols */
} hd_artifact_dim;

typedef struct hd_artifact_tensor {
  const char *name; /* may be "" */
  hd_element_type type;
  uint32_t rank;
  const hd_artifact_dim *dims;
  int32_t
      alias; /* outputs: the input whose buffer this output may take when donated; inputs: themselves when the caller
                    gives them up in any case; else HD_NO_INPUT */
} hd_artifact_tensor;

/* Symbols are defined in order, each over input dims and symbols before it. */
typedef struct hd_artifact_symbol {
  const char *name;
  int32_t argument, dim;     /* where it is read from, for messages */
  hd_dim_program definition; /* [INPUT argument dim] for a plain symbol; its inverse for a dim like 2*n+1 */
} hd_artifact_symbol;

/* Checked in order: a zero condition refuses the run with |message|, `{k}` being values[k]. A condition that reads dims
 * of inputs themselves (INPUT) is checked before these dims are compared with their expressions, any other after. */
typedef struct hd_artifact_constraint {
  hd_dim_program condition;
  const char *message; /* "b must be a multiple of 4, but is {0}" */
  uint32_t value_count;
  const hd_dim_program *values;
} hd_artifact_constraint;

typedef struct hd_artifact_entry {
  const char *name;   /* of the public function */
  const char *symbol; /* of the hd_entry_fn in the objects of every variant */
  uint32_t input_count, output_count, symbol_count, constraint_count;
  const hd_artifact_tensor *inputs, *outputs;
  const hd_artifact_symbol *symbols;
  const hd_artifact_constraint *constraints;
} hd_artifact_entry;

typedef struct hd_artifact_kernel {
  const char *symbol; /* of the hd_kernel_fn in the objects of every variant; kernel index = position */
  const char *name;   /* for people: "fusion_softmax_3" */
  const char *source; /* source ops, "" when not known: "stablehlo.exponential at model.mlir:12:8, ..." */
} hd_artifact_kernel;

/* All kernels of a program for one kind of device and one architecture. */
typedef struct hd_artifact_image {
  const char *driver;    /* that loads it: "simt", "cuda" */
  uint32_t architecture; /* the least that it runs on: 80 for sm_80; 0 where a driver has one */
  const char *format;    /* "simt", "ptx", "cubin" */
  const void *data;
  uint64_t size;
} hd_artifact_image;

#define HD_NOT_KNOWN UINT32_MAX

/* What a word of a launch is to its kernel: an address of device memory, or a number in the low bits. */
typedef enum hd_word_kind { HD_WORD_POINTER = 0, HD_WORD_INTEGER = 1, HD_WORD_FLOAT = 2 } hd_word_kind;

/* A word of a launch, and what its kernel takes for granted of it: the launch of any other is refused. */
typedef struct hd_artifact_word {
  uint32_t kind;       /* hd_word_kind */
  uint32_t bits;       /* of the argument, 64 for pointers; higher ones of the word are not read */
  uint32_t alignment;  /* the address, or the integer, is a multiple of it, a power of two; 1: of anything */
  int64_t least, most; /* the guard of an integer, with its sign, both included; INT64_MIN, INT64_MAX: any */
} hd_artifact_word;

/* A kernel of an image. Words are those of ral_gpu_launch. */
typedef struct hd_artifact_device_kernel {
  const char *name;    /* as ral_gpu_launch says it; once an image */
  const char *symbol;  /* in the image */
  const char *source;  /* as of hd_artifact_kernel */
  uint32_t image;      /* position */
  uint32_t block[3];   /* threads, the only size that it runs with; zeros: any */
  uint32_t word_count; /* of a launch */
  const hd_artifact_word *words;
  uint32_t shared_static;  /* bytes of shared memory that a block always has */
  uint32_t shared_dynamic; /* bytes that a launch may add, at most */
  uint32_t registers;      /* of a thread; HD_NOT_KNOWN */
  uint32_t spill_bytes;    /* of a thread; HD_NOT_KNOWN */
} hd_artifact_device_kernel;

enum { HD_BLOCK_LIMIT = 1024 }; /* threads of a block */

typedef enum hd_constant_memory { HD_CONSTANT_HOST = 0, HD_CONSTANT_DEVICE = 1 } hd_constant_memory;

/* Called "<32 hex digits of the hash>_<type>". */
typedef struct hd_artifact_constant {
  hd_hash128 hash;  /* of the bytes */
  const void *data; /* null where it is external */
  uint64_t size;
  const char *type; /* RAL name of the element and sizes: "i32_2x3", "f32"; null is "" */
  uint32_t memory;  /* hd_constant_memory: where the program uses it */
  bool is_external; /* is in the constants file */
} hd_artifact_constant;

typedef struct hd_artifact_object {
  const char *name; /* for messages and perf maps */
  const void *data; /* ELF64 relocatable, x86-64 */
  uint64_t size;
} hd_artifact_object;

/* The loader takes the variant with the most features among those that the machine has all of. */
typedef struct hd_artifact_variant {
  const char *target; /* "x86-64-v3" */
  uint64_t features;  /* heddle/cpu.h */
  uint32_t object_count;
  const hd_artifact_object *objects;
} hd_artifact_variant;

/* The code of the module for the targets that share it. */
typedef struct hd_artifact_program {
  uint32_t entry_count, kernel_count, ral_name_count, message_count, constant_count, variant_count;
  const hd_artifact_entry *entries; /* at least one; the first is the default */
  const hd_artifact_kernel *kernels;
  const char *const *ral_names; /* slot k of hd_ral_table */
  const char *const *messages;  /* of ral_error and ral_print */
  const hd_artifact_constant *constants;
  const hd_artifact_variant *variants;
  uint32_t image_count, device_kernel_count; /* none: nothing runs on a device */
  const hd_artifact_image *images;
  const hd_artifact_device_kernel *device_kernels;
} hd_artifact_program;

/* What was compiled for. */
typedef struct hd_artifact_target {
  const char *name;   /* as it was written: "cuda:80,90" */
  const char *driver; /* that runs it; each once */
  uint32_t program;   /* position */
} hd_artifact_target;

typedef struct hd_artifact {
  const char *producer;       /* hd_compiler_version() */
  const char *module;         /* name of the source */
  const char *metadata;       /* of who had it compiled; nobody here reads it */
  const char *constants_file; /* of external constants; a relative path is from the artifact's folder; null is "" */
  uint32_t target_count, program_count;
  const hd_artifact_target
      *targets; /* at least one; the first that a machine has is taken unless another is asked for */
  const hd_artifact_program *programs;
  hd_hash128 hash; /* out: of the file */
} hd_artifact;

/* The bytes of |artifact|, malloc'ed; free() them. Equal artifacts give equal bytes. Checks what the reader checks. */
hd_status hd_artifact_write(const hd_artifact *artifact, void **out_data, size_t *out_size) HD_MUST_USE;

/* Reads |data|, which must be 64-byte aligned for constants to be so, and must outlive |out_artifact|, as |arena| must.
 * |check_constants|: compare each constant with its hash too. Errors: DATA_LOSS for what is not an artifact or is
 * damaged, FAILED_PRECONDITION for another version. */
hd_status hd_artifact_read(const void *data, size_t size, bool check_constants, hd_arena *arena,
                           hd_artifact *out_artifact) HD_MUST_USE;

/* Are all references inside |artifact| in range, all dim programs, names and types well-formed, and do its programs
 * agree about entries? DATA_LOSS otherwise. The writer and the reader ask. */
hd_status hd_artifact_check(const hd_artifact *artifact) HD_MUST_USE;

/* Is |value| what |word| takes? INVALID_ARGUMENT with what was expected otherwise. */
hd_status hd_artifact_word_check(const hd_artifact_word *word, uint64_t value) HD_MUST_USE;

/* Is |program| well-formed: known ops, a stack that neither underflows nor passes HD_DIM_STACK, one value left, symbols
 * below |symbol_count|, INPUT within |inputs| (none when |input_count| is 0)? Empty is. DATA_LOSS otherwise. */
hd_status hd_dim_check(const hd_dim_program *program, uint32_t symbol_count, const hd_artifact_tensor *inputs,
                       uint32_t input_count) HD_MUST_USE;

/* Evaluates a non-empty |program| that hd_dim_check accepts. |input_dims|[argument][dim] serves INPUT and may be null
 * where there is none. */
hd_status hd_dim_evaluate(const hd_dim_program *program, const int64_t *symbols, const int64_t *const *input_dims,
                          int64_t *out_value) HD_MUST_USE;

#endif
