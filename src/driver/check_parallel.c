/* SPDX-License-Identifier: Apache-2.0 */
/* Each program is compiled once and run by a thread per process; the processes meet in a local communicator. What a
 * thread needs is made before the first starts, what the infeed gives too. */
#include "driver/check_parallel.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/communicator.h"
#include "ir/attributes.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interpreter.h"

enum { MOST = 256 };

/* What the functions of the infeed give, one after another for whichever process comes; who looks at what is fed out.
 */
typedef struct infeed {
  hd_check_observers *observers;
  pthread_mutex_t lock;
  size_t count, next;
  struct infeed_step {
    hd_buffer **values;
    int32_t count;
  } *steps;
} infeed;

typedef struct process {
  hd_executable *executable;
  hd_communicator *communicator;
  hd_buffer *const *inputs;
  hd_buffer **outputs;
  const hd_feeds *feeds;
  hd_status status;
  pthread_t thread;
  bool started;
} process;

static void *run(void *user) {
  process *p = user;
  hd_execute_options options = {.struct_size = sizeof options, .communicator = p->communicator, .feeds = p->feeds};
  p->status = hd_executable_execute(p->executable, &options, p->inputs, hd_executable_input_count(p->executable),
                                    p->outputs, hd_executable_output_count(p->executable));
  /* Those who wait for this process see that it has left. */
  hd_communicator_release(p->communicator);
  p->communicator = NULL;
  return NULL;
}

static hd_status take_infeed(void *user, const hd_custom_tensor *outputs, int32_t count) {
  infeed *f = user;
  pthread_mutex_lock(&f->lock);
  size_t at = f->next < f->count ? f->next++ : f->count;
  pthread_mutex_unlock(&f->lock);
  if (at == f->count) return hd_make_status(HD_FAILED_PRECONDITION, "the infeed is empty");
  struct infeed_step *step = &f->steps[at];
  if (step->count != count)
    return hd_make_status(HD_INVALID_ARGUMENT, "the infeed gives %d values, expected %d", step->count, count);
  for (int32_t i = 0; i < count; ++i) {
    const hd_buffer *value = step->values[i];
    size_t dims = (size_t)outputs[i].rank * sizeof *outputs[i].dims;
    if (hd_buffer_type(value) != outputs[i].type || hd_buffer_rank(value) != outputs[i].rank ||
        (dims && memcmp(hd_buffer_dims(value), outputs[i].dims, dims)))
      return hd_make_status(HD_INVALID_ARGUMENT, "value %d of the infeed has another type than the result", i);
    HD_TRY(hd_buffer_read(step->values[i], outputs[i].data, hd_buffer_bytes(value)));
  }
  return HD_STATUS_OK;
}

static hd_status show_outfeed(void *user, const hd_custom_tensor *inputs, int32_t count) {
  return hd_check_outfeed(((infeed *)user)->observers, inputs, count);
}

/* |program| is one of the replicas and partitions that |programs|, those of |op|, are the matrix of. */
static hd_status compile(const hd_check_engine *engine, hd_op *op, hd_attr programs, hd_str program,
                         hd_executable **out) {
  hd_module *copy = hd_module_clone(op->module);
  hd_type i32 = hd_type_integer(op->module->context, 32, HD_SIGNLESS);
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_discardable_set_mhlo_num_replicas(copy->op, hd_attr_integer(i32, programs->array.count));
  hd_discardable_set_mhlo_num_partitions(copy->op, hd_attr_integer(i32, programs->array.items[0]->array.count));
  hd_check_feed_out(copy, NULL, false, &scratch);
  hd_status status = hd_check_compile(engine, copy, program, out);
  hd_arena_free(&scratch);
  hd_module_free(copy);
  return status;
}

static hd_status fill_infeed(const hd_check_engine *engine, hd_op *op, hd_attr programs, infeed *f) {
  hd_attr names = hd_interpreter_run_parallel_infeed(op);
  hd_feeds feeds = {.user = f, .outfeed = show_outfeed};
  hd_execute_options options = {.struct_size = sizeof options, .feeds = &feeds};
  if (!hd_attr_is(names, HD_ATTR_ARRAY)) return HD_STATUS_OK;
  f->steps = calloc(names->array.count + 1, sizeof *f->steps);
  if (!f->steps) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  for (; f->count < names->array.count; ++f->count) {
    hd_attr symbol = names->array.items[f->count];
    if (!hd_attr_is(symbol, HD_ATTR_SYMBOL))
      return hd_make_status(HD_INVALID_ARGUMENT, "infeed: expected names of functions");
    hd_executable *executable;
    HD_TRY(compile(engine, op, programs, hd_ident_str(symbol->symbol.root), &executable));
    struct infeed_step *step = &f->steps[f->count];
    step->count = hd_executable_output_count(executable);
    step->values = calloc((size_t)step->count + 1, sizeof(hd_buffer *));
    hd_status status = step->values ? hd_executable_execute(executable, &options, NULL, 0, step->values, step->count)
                                    : hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
    hd_executable_release(executable);
    if (!hd_is_ok(status)) free(step->values);
    HD_TRY(status);
  }
  return HD_STATUS_OK;
}

static void empty_infeed(infeed *f) {
  for (size_t i = 0; i < f->count; ++i) {
    for (int32_t k = 0; k < f->steps[i].count; ++k) hd_buffer_release(f->steps[i].values[k]);
    free(f->steps[i].values);
  }
  free(f->steps);
}

/* Compiles what |programs| names, each name once, and gives every process its part of the operands and results. */
static hd_status prepare(const hd_check_engine *engine, hd_op *op, hd_attr programs, uint32_t partitions,
                         process *processes, size_t count, hd_buffer *const *inputs, hd_buffer **results) {
  size_t input_at = 0, result_at = 0;
  for (size_t i = 0; i < count; ++i) {
    hd_attr row = programs->array.items[i / partitions];
    if (!hd_attr_is(row, HD_ATTR_ARRAY) || row->array.count != partitions)
      return hd_make_status(HD_INVALID_ARGUMENT, "programs: expected rows of %u names", partitions);
    hd_attr symbol = row->array.items[i % partitions];
    if (!hd_attr_is(symbol, HD_ATTR_SYMBOL))
      return hd_make_status(HD_INVALID_ARGUMENT, "programs: expected names of functions");
    process *p = &processes[i];
    for (size_t k = 0; k < i && !p->executable; ++k)
      if (programs->array.items[k / partitions]->array.items[k % partitions] == symbol)
        p->executable = hd_executable_retain(processes[k].executable);
    if (!p->executable) HD_TRY(compile(engine, op, programs, hd_ident_str(symbol->symbol.root), &p->executable));
    p->inputs = inputs + input_at;
    p->outputs = results + result_at;
    input_at += (size_t)hd_executable_input_count(p->executable);
    result_at += (size_t)hd_executable_output_count(p->executable);
    if (input_at > op->operand_count || result_at > op->result_count) break;
  }
  if (input_at != op->operand_count || result_at != op->result_count)
    return hd_make_status(HD_INVALID_ARGUMENT,
                          "run_parallel: the programs take and give other numbers of values than %u "
                          "and %u",
                          op->operand_count, op->result_count);
  return HD_STATUS_OK;
}

/* The first cause counts, not those that were stopped by it. */
static hd_status run_all(process *processes, size_t count) {
  hd_communicator *ranks[MOST];
  HD_TRY(hd_communicator_create_local((int32_t)count, ranks));
  for (size_t i = 0; i < count; ++i) processes[i].communicator = ranks[i];
  hd_status status = HD_STATUS_OK, aborted = HD_STATUS_OK;
  for (size_t i = 0; i < count && hd_is_ok(status); ++i) {
    processes[i].started = !pthread_create(&processes[i].thread, NULL, run, &processes[i]);
    if (!processes[i].started) {
      status = hd_make_status(HD_RESOURCE_EXHAUSTED, "cannot start %zu threads", count);
      hd_communicator_abort(ranks[i], "a process could not be started");
    }
  }
  for (size_t i = 0; i < count; ++i)
    if (!processes[i].started) hd_communicator_release(processes[i].communicator);
  for (size_t i = 0; i < count; ++i) {
    if (!processes[i].started) continue;
    pthread_join(processes[i].thread, NULL);
    hd_status *to = hd_status_code_of(processes[i].status) == HD_ABORTED ? &aborted : &status;
    if (hd_is_ok(*to))
      *to = processes[i].status;
    else
      hd_status_ignore(processes[i].status);
  }
  if (hd_is_ok(status)) return aborted;
  hd_status_ignore(aborted);
  return status;
}

hd_status hd_check_parallel(const hd_check_engine *engine, hd_op *op, hd_buffer *const *inputs,
                            hd_buffer **out_results) {
  hd_attr programs = hd_interpreter_run_parallel_programs(op);
  if (!hd_attr_is(programs, HD_ATTR_ARRAY) || !programs->array.count ||
      !hd_attr_is(programs->array.items[0], HD_ATTR_ARRAY))
    return hd_make_status(HD_INVALID_ARGUMENT, "programs: expected a matrix of function names");
  uint32_t partitions = (uint32_t)programs->array.items[0]->array.count;
  size_t count = (size_t)programs->array.count * partitions;
  if (!count || count > MOST)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected 1 to %d programs, got %zu", MOST, count);
  process *processes = calloc(count, sizeof *processes);
  if (!processes) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  infeed infeed = {.observers = engine->observers, .lock = PTHREAD_MUTEX_INITIALIZER};
  hd_feeds feeds = {.user = &infeed, .infeed = take_infeed, .outfeed = show_outfeed};
  for (size_t i = 0; i < count; ++i) processes[i].feeds = &feeds;
  hd_status status = fill_infeed(engine, op, programs, &infeed);
  if (hd_is_ok(status)) status = prepare(engine, op, programs, partitions, processes, count, inputs, out_results);
  if (hd_is_ok(status)) status = run_all(processes, count);
  empty_infeed(&infeed);
  for (size_t i = 0; i < count; ++i) hd_executable_release(processes[i].executable);
  free(processes);
  return status;
}
