/* SPDX-License-Identifier: Apache-2.0 */
/* What a run of the evaluator is allowed, and what it tells while it runs. */
#ifndef HD_EVAL_CORE_OPTIONS_H_
#define HD_EVAL_CORE_OPTIONS_H_

#include <stdatomic.h>

#include "eval/core/tensor.h"
#include "ir/op.h"

typedef struct hd_evaluator hd_evaluator;

/* Memory that a launch hands to its kernel. */
typedef struct hd_eval_area {
  hd_tensor_buffer *memory; /* all of the buffer that the argument points into; null: the argument is no pointer */
  hd_type shape;            /* the tensor type of what is there; null: not known */
  hd_op *origin, *writer;   /* what allocated it or gave it to the program; the last unit that wrote to it, or null */
} hd_eval_area;

/* Memory of the program that is run. */
typedef struct hd_eval_bytes {
  char *data;
  size_t size;
} hd_eval_bytes;

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

/* A launch of a kernel in machine form: sizes of the grid and of a block, bytes of shared memory beside the kernel's
 * own, its arguments as words, and all memory there is. */
typedef struct hd_eval_kernel {
  hd_op *kernel;
  int64_t blocks[3], threads[3];
  uint32_t dynamic_shared;
  const uint64_t *words;
  const hd_eval_bytes *memory; /* in no order */
  size_t word_count, memory_count;
} hd_eval_kernel;

typedef struct hd_eval_options {
  size_t memory_limit;       /* bytes of all tensors; 0: none */
  uint64_t step_limit;       /* ops run; 0: none */
  uint32_t depth_limit;      /* calls and regions inside each other; 0: 400 */
  double timeout_s;          /* DEADLINE_EXCEEDED past it; 0: none */
  const atomic_bool *cancel; /* CANCELLED once true; may be null */
  /* For hd_evaluator_run of an entry that takes memrefs and returns none: the program may write them, and what they
   * hold at the end follows its results. */
  bool buffers_are_results;
  bool excess_precision; /* as in hd_compile_options */
  int64_t grid[3];       /* programs of a tile kernel along x, y and z; 0: 1 */
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
  /* Runs kernels in machine form in place of the evaluator, to compare another machine with it: those of another form
   * are an error then. Null: the evaluator does. */
  hd_status (*kernel)(void *user, const hd_eval_kernel *kernel);
  void *kernel_user;
} hd_eval_options;

#endif
