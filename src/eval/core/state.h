/* SPDX-License-Identifier: Apache-2.0 */
/* What an evaluator and its frames are made of, for the files that run ops. Hooks of ops use frame.h. */
#ifndef HD_EVAL_CORE_STATE_H_
#define HD_EVAL_CORE_STATE_H_

#include "analysis/call_graph.h"
#include "base/vec.h"
#include "eval/core/hooks.h"
#include "eval/core/options.h"
#include "eval/core/plan.h"

typedef struct hd_process_group hd_process_group;

typedef struct hd_process {
  hd_process_group *group; /* null: a program that runs alone, as process (0, 0) of (1, 1) */
  uint32_t replica, partition;
} hd_process;

/* What a run of a host entry takes and gives by runtime calls. */
typedef struct hd_program_io {
  const hd_tensor *inputs;
  size_t input_count;
  hd_tensor *outputs; /* zeroed before the run */
  hd_op **writers;    /* of the outputs */
  size_t output_count;
} hd_program_io;

/* What interpreter.probe saw, in order. */
typedef struct hd_probe {
  hd_ident name;
  hd_tensor value;
} hd_probe;

struct hd_evaluator {
  hd_module *module;
  hd_context *context;
  hd_eval_options options;
  hd_heap own_heap, *heap; /* a process of run_parallel uses its parent's */
  hd_process process;
  hd_arena arena;
  hd_plans plans;
  struct hd_memory *memory; /* storage.h */
  hd_program_io io;
  hd_tensor_buffer **temps;
  size_t temp_count, temp_capacity;
  uint64_t steps;
  uint32_t depth;
  double deadline;       /* 0: none */
  bool reported;         /* the failure on its way out has its diagnostic */
  bool quiet;            /* report nothing: folding */
  const hd_tensor *mask; /* of the vector.mask whose op has not begun */
  bool expressing;       /* results of the running hook take expressed types */
  uint64_t checks_failed;
  uint64_t random_calls;
  hd_vec(hd_probe) probes;
  hd_call_graph *calls; /* of |module|, once a program of it has run */
};

/* A thread of a launch. */
/* A copy that a thread has not waited for: |given| bytes, and zeros up to |bytes|. */
typedef struct hd_thread_copy {
  uint64_t to, from;
  uint32_t bytes, given, group;
} hd_thread_copy;

typedef struct hd_thread_copies {
  hd_vec(hd_thread_copy) list;
  uint32_t group; /* the one that is open */
} hd_thread_copies;

typedef struct hd_thread {
  int64_t id[3], block[3], threads[3], blocks[3];
  int64_t linear;           /* in its block */
  const hd_tensor *dynamic; /* the memory of the block whose size the launch gives, bytes; null: it gives none */
  hd_thread_copies *copies; /* null: of no launch */
} hd_thread;

/* One activation: of a function, or of a region by one of many threads. */
struct hd_eval_frame {
  hd_evaluator *evaluator;
  hd_tensor *slots;        /* of |range| */
  hd_slot_range range;     /* of a function: all */
  hd_eval_frame *outer;    /* has the other slots; null: there are none */
  const hd_thread *thread; /* null: the host */
};

static inline hd_tensor *hd_frame_slot(hd_eval_frame *frame, uint32_t slot) {
  return slot - frame->range.first < frame->range.count ? &frame->slots[slot - frame->range.first]
                                                        : &frame->outer->slots[slot - frame->outer->range.first];
}

/* Reports |status| at |op| unless something inside has been reported; gives it back. */
hd_status hd_eval_report(hd_evaluator *e, hd_op *op, hd_status status) HD_MUST_USE;
/* Frees what hd_eval_temp has given since there were |mark|. */
void hd_eval_drop_temps(hd_evaluator *e, size_t mark);

#endif
