/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler's doors: programs in, artifacts, results or reports out. Provided by libheddle.so.
 *
 * A program is bytes: MLIR text or bytecode (StableHLO, CHLO, MHLO, VHLO), told apart by their first bytes. Programs
 * are untrusted: any bytes give a status and located diagnostics, in bounded time and memory. An artifact (.hdl) is
 * code and is loaded and run by heddle/runtime.h, without this library.
 *
 * Every function here is thread-safe: calls share no state, and each uses memory of its own. Diagnostics reach the
 * sink on the calling thread, in order, errors before their notes; with no sink, their text is the status's message.
 * A null pointer where no comment allows one is answered with INVALID_ARGUMENT, which names it, or, where there is no
 * status, with nothing: zero, false or null. |name| may be null everywhere ("program").
 * What is wrong with a field of the options is reported after the field's name: "entry: the program has no ...".
 * A failed program gives INVALID_ARGUMENT; what has no compiled path yet gives UNIMPLEMENTED and names the op. */
#ifndef HEDDLE_COMPILE_H_
#define HEDDLE_COMPILE_H_

#include <stddef.h>

#include "heddle/element.h"
#include "heddle/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that a call gave; freed by hd_blob_free. |data| has one NUL more than |size| says. A zeroed blob is empty. */
typedef struct hd_blob {
  char *data;
  size_t size;
} hd_blob;

HD_API void hd_blob_free(hd_blob *blob);

/* Receives each diagnostic, rendered: "file:line:col: error: text", the source line and a caret, no final newline.
 * |severity| is "error", "warning", "remark" or "note". Both strings live during the call only. */
typedef void (*hd_message_fn)(void *user, const char *severity, const char *rendered);

typedef struct hd_message_sink {
  hd_message_fn fn; /* null: no sink */
  void *user;
} hd_message_sink;

/* A range of argument numbers. */
typedef struct hd_arg_range {
  uint32_t first, last; /* both included, as in --constant-args=0-11 */
} hd_arg_range;

/* A dim of the entry that the caller fixes: compiled in, and checked by each run. */
typedef struct hd_named_dim {
  const char *name;
  int64_t size;
} hd_named_dim;

/* What is allowed to differ from the program's literal arithmetic (docs/numerics.md). Zero is the documented default.
 */
typedef struct hd_numerics {
  bool no_contract; /* a*b+c of elementwise ops is never fused to one rounding; sums of products in dots are */
  /* Floats below f32 round after every op, inside fusions and in each step of a reduction or scan too; sums of products
   * in dots and convolutions are f32, and round once. */
  bool no_excess_precision;
  bool tf32; /* dots of f32 may use TF32; INVALID_ARGUMENT for a target without, and without |library_products| */
  bool deterministic; /* no atomics whose order matters: always so on the CPU */
} hd_numerics;

/* Options of one compilation. Zeroed but for |struct_size| they are the defaults: HD_COMPILE_OPTIONS_INIT.
 * Borrowed during the call. Fields are only ever added at the end, and a field beyond |struct_size| has its default; a
 * |struct_size| that no version of the struct has (0 too) is INVALID_ARGUMENT, here and in the structs below. A list or
 * a name in one that is null, where its count says otherwise, is INVALID_ARGUMENT. */
typedef struct hd_compile_options {
  size_t struct_size;
  /* "cpu" (default), or a name that hd_targets gives; of "cuda" with architectures too: "cuda:80,90", of "spirv" and
   * "simt" with the subgroups that kernels count on, 32 or 1 for none ("spirv" makes both): "spirv:1"; several go into
   * one artifact, of which whoever loads it takes one (hd_executable_open): "cpu+cuda:80". */
  const char *target;
  const char *entry;       /* public function to compile; null: main, tao_main, else the only one */
  const char *const *mcpu; /* "native", "x86-64-v3", ...; code for each goes into the artifact; none: native */
  size_t mcpu_count;
  const hd_arg_range *constant_args; /* arguments that will be bound (hd_executable_bind), checked to exist; binding
                                        packs them, and any argument may be bound */
  size_t constant_arg_count;
  const hd_named_dim *fixed_dims;
  size_t fixed_dim_count;
  hd_numerics numerics;
  int threads;                /* threads that compile kernels; 0: as many as this process may use */
  size_t memory_limit;        /* bytes for the compiler's own data; 0: no limit */
  double timeout_s;           /* seconds; DEADLINE_EXCEEDED past it; 0: none */
  const char *cache_dir;      /* kernels and modules are looked up and kept here; null: no cache */
  const char *dump_to;        /* folder that gets the IR after every pass, LLVM IR and assembly; null: nothing */
  const char *pass_pipeline;  /* replaces the target's pipeline; null: the target's */
  int32_t platform_index;     /* this target's place in the list of platforms that a JAX export was made for */
  bool custom_calls_later;    /* programs may call targets that have no function yet (hd_custom_call_registered) */
  const char *constants_file; /* constants do not go into the artifact, which names this file instead; a relative path
                                 is from the artifact's folder. Goes with out_constants; null: into the artifact */
  hd_blob *out_constants;     /* receives the bytes of a constants file for hd_constants_update; empty when the program
                                 has no constants, and then the artifact names no file */
  bool (*custom_call_provided)(const char *target); /* of the runtime that will run the program, where it is not the one
                                                       linked here; null: hd_custom_call_registered alone */
  const char *metadata; /* text that the artifact carries: hd_executable_metadata; null: "" */
  int64_t grid[3];      /* hd_eval of a Triton kernel: programs along x, y and z, run one after the other; 0: 1 */
  bool no_graph_passes; /* only what makes buffers of the graph: its ops stay as they are written */
  /* Of "cuda": a program, a path or a name in PATH, that makes machine code of PTX, put beside it in the artifact;
   * "nvJitLink": CUDA's library of this name, which is in too where "ptxas" is not in PATH. Null: the device's
   * driver compiles PTX. */
  const char *ptxas;
  /* Receives the PTX of the first architecture; null: it is in the artifact alone. INVALID_ARGUMENT of targets without
   * PTX; empty when the program has no kernel. */
  hd_blob *out_ptx;
  /* hd_eval: reductions, windows and associative scans carry floats below f32 in f32 and round their results, as
   * compiled code does without numerics.no_excess_precision; false: every step rounds, as the specification's
   * interpreter does. */
  bool excess_precision;
  /* Products and convolutions of a device are calls of the runtime, or of what hd_ral_register put in their place,
   * where the run finds one that takes them (ral_product_ready, docs/ral.md), else kernels. Sums of up to four terms
   * and products of matrices up to 8 by 8 are always kernels. */
  bool library_products;
  /* "exact": functions in the kernels of every target are computed as on the CPU, to the same bits. "fast" (null): a
   * device may use its instructions and shorter polynomials within the bounds of docs/numerics.md; the CPU's are exact.
   */
  const char *math;
  /* "disc-dot-rewriter{align=8},disc-canonicalize-reduction{rank-2=true}": options of passes of the target's pipeline,
   * in place of those that it gives them (docs/passes.md lists them). A pass that the pipeline lacks is
   * INVALID_ARGUMENT.
   * Null: none. */
  const char *pass_options;
} hd_compile_options;

#define HD_COMPILE_OPTIONS_INIT {.struct_size = sizeof(hd_compile_options)}

/* Compiles |size| bytes of program. |name| is the file in diagnostics. On success |*out_artifact| owns an artifact.
 * |options| may be null. Everything that compiling needs is done when it returns: loading costs mapping alone. */
HD_API hd_status hd_compile(const void *program, size_t size, const char *name, const hd_compile_options *options,
                            hd_message_sink sink, hd_blob *out_artifact) HD_MUST_USE;

/* One tensor as the evaluator takes and gives it: dense, row-major, elements as heddle/element.h says, aligned as for
 * hd_buffer_wrap. */
typedef struct hd_host_tensor {
  hd_element_type type;
  const int64_t *dims; /* |rank| entries */
  size_t rank;
  const void *data;
  size_t size; /* bytes */
} hd_host_tensor;

typedef struct hd_eval_results hd_eval_results;

/* Runs the program on the reference evaluator (target null or "eval"); kernels in machine form on simt, checked, when
 * the target is "simt", or "simt:16" with subgroups of 16. INVALID_ARGUMENT for other targets.
 * |inputs| are in the order of the entry's arguments, without those that the target supplies. A pointer of a Triton
 * kernel is a buffer of rank 1, and what these hold at the end are the results. The results own their memory. */
HD_API hd_status hd_eval(const void *program, size_t size, const char *name, const hd_compile_options *options,
                         const hd_host_tensor *inputs, size_t input_count, hd_message_sink sink,
                         hd_eval_results **out_results) HD_MUST_USE;
HD_API size_t hd_eval_results_count(const hd_eval_results *results);
/* Borrowed from |results|; tuples flattened depth first, tokens skipped. */
HD_API hd_host_tensor hd_eval_results_get(const hd_eval_results *results, size_t index);
HD_API void hd_eval_results_free(hd_eval_results *results);

/* What the entry of a program takes and gives, as JSON:
 * {"entry": "main", "dims": ["b", "s"], "args": [{"type": "f32", "dims": ["b", 768], "name": "x"}], "results": [...]}
 * A dim is a number or, as text, an expression over the named dims. options->fixed_dims are put in: with a value for
 * each named dim, every dim that the inputs fix is a number. Arguments that the target supplies are left out. A result
 * for which the program asks for a kind of memory (mhlo.memory_kind) has "memory_kind": "pinned_host"; an argument or
 * result whose dims are in another order than the caller's (hd.layout, see the pass entry-layouts) "layout": "{0,1}".
 */
HD_API hd_status hd_program_signature(const void *program, size_t size, const char *name,
                                      const hd_compile_options *options, hd_message_sink sink,
                                      hd_blob *out_json) HD_MUST_USE;

typedef struct hd_bisect_options {
  size_t struct_size;
  double tolerance; /* of f32 outputs, relative to an output's largest magnitude; others in proportion; 0: 1e-4 */
} hd_bisect_options;

#define HD_BISECT_OPTIONS_INIT {.struct_size = sizeof(hd_bisect_options)}

/* Runs the target's pipeline pass by pass; after each pass that changed the program, the evaluator runs what it left
 * and the results are compared with the program's own. |*out_equal|: no pass and not the compiled code differs.
 * JSON: {"stages": [{"pass": "disc-fusion", "equal": true, "difference": 1e-7}, ...]}, the last stage being "machine
 * code"; the stage that differs ends the list and says what it found: "output", "element" (indices), "got", "expected",
 * "error" when it could not be run, "op", "loc": the kernel or library call that writes the output, and its source, and
 * "first": the kernel, fusion or op that first gives other values than the program ("op", "loc", "element", "got",
 * "expected", "difference"), with the op of the program that gives the expected ones ("value", "value_loc"). */
HD_API hd_status hd_bisect(const void *program, size_t size, const char *name,
                           const hd_compile_options *compile_options, const hd_bisect_options *options,
                           const hd_host_tensor *inputs, size_t input_count, hd_message_sink sink, bool *out_equal,
                           hd_blob *out_json) HD_MUST_USE;

/* The kernel or library call that writes output |output| of the compiled program and, where locations are known, the
 * source ops that it computes: "row_softmax_2 from model.mlir:14:10". Empty when it is an argument or not found. */
HD_API hd_status hd_output_writer(const void *program, size_t size, const char *name,
                                  const hd_compile_options *compile_options, size_t output, hd_message_sink sink,
                                  hd_blob *out_text) HD_MUST_USE;

typedef struct hd_reduce_options {
  size_t struct_size;
  const char *entry;
  double timeout_s; /* the best so far is given past it; 0: none */
} hd_reduce_options;

#define HD_REDUCE_OPTIONS_INIT {.struct_size = sizeof(hd_reduce_options)}

/* True when the program still fails. */
typedef bool (*hd_still_fails_fn)(void *user, const char *program, size_t size);

/* The smallest program found, as text, that |still_fails|, by leaving out functions, results, arguments and ops, and by
 * smaller dims and constants. Only programs that verify are tried; |program| itself is taken to fail. */
HD_API hd_status hd_reduce(const void *program, size_t size, const char *name, const hd_reduce_options *options,
                           hd_still_fails_fn still_fails, void *user, hd_message_sink sink,
                           hd_blob *out_program) HD_MUST_USE;

typedef struct hd_check_options {
  size_t struct_size;
  bool split_input_file; /* each part between "// -----" lines is a program of its own */
  const char *target;    /* "eval" (default) or a compile target */
  const hd_host_tensor
      *inputs;        /* of the entry (compile_options->entry, main, tao_main, else the only public one), which then */
  size_t input_count; /* runs too; none: functions with arguments are skipped */
} hd_check_options;

#define HD_CHECK_OPTIONS_INIT {.struct_size = sizeof(hd_check_options)}

/* Counts of functions run by hd_check. */
typedef struct hd_check_counts {
  uint64_t passed, failed, skipped;
  uint64_t unread;  /* of the failed: programs that could not be read or verified */
  uint64_t limited; /* of the failed: those that reached a limit of time or memory */
} hd_check_counts;

/* Runs every public function without arguments, and the entry on the inputs where there are some, with their check ops;
 * failures reach the sink and the run goes on. An OK status means that all could be run, |*out_counts| says how they
 * came out. */
HD_API hd_status hd_check(const void *program, size_t size, const char *name, const hd_check_options *options,
                          const hd_compile_options *compile_options, hd_message_sink sink,
                          hd_check_counts *out_counts) HD_MUST_USE;

typedef enum hd_explain_format { HD_EXPLAIN_TEXT, HD_EXPLAIN_JSON, HD_EXPLAIN_HTML } hd_explain_format;

/* Which ops went into which kernel, by which route and why not further; symbolic dims; FLOPs; bytes; host or device. */
HD_API hd_status hd_explain(const void *program, size_t size, const char *name, const hd_compile_options *options,
                            hd_explain_format format, hd_message_sink sink, hd_blob *out_text) HD_MUST_USE;

/* What a program costs, by the same passes and count as hd_explain. */
typedef struct hd_program_costs {
  double flops; /* of one run, bodies of loops once; negative where they depend on dims or data */
  uint64_t library_calls, kernels;
} hd_program_costs;
HD_API hd_status hd_program_cost(const void *program, size_t size, const char *name, const hd_compile_options *options,
                                 hd_message_sink sink, hd_program_costs *out_costs) HD_MUST_USE;

/* heddle-opt without its file handling: |argv| holds options alone (argv[0] is the program's name), |input| the bytes
 * of |name|. Output text or bytecode goes to |out|. INVALID_ARGUMENT: the program or an option is wrong; a message
 * about an option names it. */
HD_API hd_status hd_opt(int argc, const char *const *argv, const void *input, size_t size, const char *name,
                        hd_message_sink sink, hd_blob *out) HD_MUST_USE;

/* The text that `heddle-opt --help` prints: every option, pass and pipeline. */
HD_API hd_status hd_opt_help(hd_blob *out_text) HD_MUST_USE;

/* The passes of |target| (null: cpu) as --pass-pipeline takes them; static; null when there is no such target. */
HD_API const char *hd_target_pipeline(const char *target);

/* OK when |target| (null: the default) is what hd_compile_options.target takes; else INVALID_ARGUMENT, which says what
 * is expected. Whether a device of it is on this machine does not matter. */
HD_API hd_status hd_target_check(const char *target) HD_MUST_USE;

/* Targets of this build, comma-separated; static. */
HD_API const char *hd_targets(void);

/* The runtime's driver for artifacts of |target| (null: cpu), with or without architectures; static; null when there is
 * no such target. */
HD_API const char *hd_driver_of_target(const char *target);

/* The versions of Heddle and of the LLVM that it makes machine code with, as "heddle 1.2.3 (LLVM 22.1.8)"; static. */
HD_API const char *hd_compiler_version(void);

#ifdef __cplusplus
}
#endif
#endif
