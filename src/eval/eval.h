/* SPDX-License-Identifier: Apache-2.0 */
/* The reference evaluator: runs a graph-level program op by op, slowly and obviously. It is the meaning of every op.
 *
 *   hd_evaluator *evaluator;
 *   HD_TRY(hd_evaluator_create(module, &options, &evaluator));
 *   ... make arguments with hd_tensor_create(hd_evaluator_heap(evaluator), ...)
 *   status = hd_evaluator_call(evaluator, function, args, arg_count, results);
 *   ... read results; they live until hd_evaluator_free, which frees every tensor
 *
 * The module must have passed the verifier. What fails at run time (shapes that do not fit, an assertion, a limit) is
 * reported as an error at the failing op, with a note for each call that led there, and gives a status of the same
 * text. An evaluator belongs to one thread; it makes types and attributes in the module's context. */
#ifndef HD_EVAL_EVAL_H_
#define HD_EVAL_EVAL_H_

#include <stdatomic.h>

#include "eval/tensor.h"
#include "ir/op.h"

typedef struct hd_evaluator hd_evaluator;

/* Memory that a launch hands to its kernel. */
typedef struct hd_eval_area {
  hd_tensor_buffer *memory; /* all of the buffer that the argument points into; null: the argument is no pointer */
  hd_type shape;            /* the tensor type of what lies there; null: not known */
  hd_op *origin, *writer;   /* what allocated it or gave it to the program; the last unit that wrote to it, or null */
} hd_eval_area;

/* A launch by the host: the kernel's arguments as the words of runtime/abi.h, and what they point to; or the call of a
 * library, whose operands are the words. */
typedef struct hd_eval_launch {
  hd_op *op, *kernel; /* |kernel| is null for a library call */
  int64_t extent;
  uint32_t count, area_count;
  const uint64_t *words;
  const hd_eval_area *areas;        /* one per word; then, for a library call, what its tables of words point to */
  const struct hd_tensor *operands; /* of a library call */
} hd_eval_launch;

typedef struct hd_eval_options {
  size_t memory_limit;       /* bytes of all tensors; 0: none */
  uint64_t step_limit;       /* ops run; 0: none */
  uint32_t depth_limit;      /* calls and regions inside each other; 0: 400 */
  double timeout_s;          /* DEADLINE_EXCEEDED past it; 0: none */
  const atomic_bool *cancel; /* CANCELLED once true; may be null */
  /* For hd_evaluator_run of an entry that takes memrefs and returns none: the program may write them, and what they
   * hold at the end follows its results. */
  bool buffers_are_results;
  /* Receives what interpreter.print shows; null: nothing is shown. */
  void (*print)(void *user, const char *text);
  void *print_user;
  /* Receives what ops of the host give, in the order of the run: tensors that they compute, and the contents of buffers
   * that they have written, for ops that are a kernel or a call as a whole. |value| is borrowed; null: nothing. */
  void (*trace)(void *user, hd_op *op, const hd_tensor *value);
  void *trace_user;
  /* Called before and after each launch and each call of a library; it may change the memory meanwhile. A failure ends
   * the run. Null: nothing. */
  hd_status (*launch)(void *user, const hd_eval_launch *launch, bool after);
  void *launch_user;
} hd_eval_options;

/* |options| may be null. */
hd_status hd_evaluator_create(hd_module *module, const hd_eval_options *options,
                              hd_evaluator **out_evaluator) HD_MUST_USE;
void hd_evaluator_free(hd_evaluator *evaluator); /* null is allowed */
hd_heap *hd_evaluator_heap(hd_evaluator *evaluator);

/* Runs |function| (a func.func with a body). |args| are borrowed; |results| has room for the function's results, which
 * the caller owns when the status is OK. */
hd_status hd_evaluator_call(hd_evaluator *evaluator, hd_op *function, const hd_tensor *args, size_t arg_count,
                            hd_tensor *results) HD_MUST_USE;

/* Runs a program as any pass left it: |entry| takes and gives tensors, tuples and tokens, or memrefs, or scalars, or
 * all by calls of the runtime. |args| and |results| are the tensors that its caller has for them (hd_program_ports), so
 * they are the same after every pass. Memory errors (freed or foreign memory, bounds, writes to arguments, for host
 * entries buffers left unfreed) are failures. */
hd_status hd_evaluator_run(hd_evaluator *evaluator, hd_op *entry, const hd_tensor *args, size_t arg_count,
                           hd_tensor *results, size_t result_count) HD_MUST_USE;

/* The kernel, call or buffer op that wrote output |i| of the last hd_evaluator_run last; null for arguments, tensors
 * and what is not known. */
hd_op *hd_evaluator_writer(const hd_evaluator *evaluator, size_t i);

/* Runs one op without regions (a check op, a probe) on |operands|; what it gives is dropped. */
hd_status hd_evaluator_run_op(hd_evaluator *evaluator, hd_op *op, const hd_tensor *operands) HD_MUST_USE;

/* Expectations of the check dialect that did not hold, since the evaluator was made. Each is reported as an error at
 * its op and the run goes on. */
uint64_t hd_evaluator_checks_failed(const hd_evaluator *evaluator);

/* The function that a program starts with: |name|, or when it is empty `main`, or the only public function; null and an
 * error reported when there is none. */
hd_op *hd_eval_entry(hd_module *module, hd_str name);

#endif
