/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/graph/process.h"

#include "ir/ops/interpreter.h"

const hd_process *hd_frame_process(hd_eval_frame *frame) { return &frame->evaluator->process; }

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "eval/core/frame.h"
#include "eval/core/run.h"

/* One rendezvous: filled member by member, then read by each, then gone. */
typedef struct rendezvous {
  struct rendezvous *next;
  hd_opcode opcode;
  int64_t channel;
  size_t count, value_count, arrived, left;
  uint32_t *members;
  bool *present;
  hd_tensor *values;
} rendezvous;

typedef struct message {
  struct message *next;
  int64_t channel, from, to;
  size_t count;
  hd_tensor *values;
} message;

struct hd_process_group {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  uint32_t replicas, partitions, running;
  uint32_t waiting;    /* those who have waited since the last change */
  uint64_t generation; /* counts changes that a waiter may be waiting for */
  bool stuck, failed;
  rendezvous *rendezvous_list;
  message *messages; /* oldest first */
  hd_op **infeed;
  size_t infeed_count, infeed_next;
};

uint32_t hd_process_replicas(const hd_process *process) { return process->group ? process->group->replicas : 1; }
uint32_t hd_process_partitions(const hd_process *process) { return process->group ? process->group->partitions : 1; }

static void announce_change(hd_process_group *g) {
  ++g->generation;
  g->waiting = 0;
  pthread_cond_broadcast(&g->changed);
}

/* Lets others run until something changes. An error when nobody can. */
static hd_status wait_for_others(hd_process_group *g, const char *what) {
  uint64_t generation = g->generation;
  if (++g->waiting == g->running) {
    g->stuck = true;
    pthread_cond_broadcast(&g->changed);
  }
  while (generation == g->generation && !g->failed && !g->stuck) pthread_cond_wait(&g->changed, &g->lock);
  if (g->stuck) return hd_make_status(HD_FAILED_PRECONDITION, "waits for a %s that no process comes to", what);
  if (g->failed) return hd_make_status(HD_ABORTED, "another process failed");
  return HD_STATUS_OK;
}

static rendezvous *find_rendezvous(hd_process_group *g, hd_opcode opcode, int64_t channel, const uint32_t *members,
                                   size_t count, size_t value_count, size_t self) {
  for (rendezvous *m = g->rendezvous_list; m; m = m->next)
    if (m->opcode == opcode && m->channel == channel && m->count == count && m->value_count == value_count &&
        !m->present[self] && !memcmp(m->members, members, count * sizeof *members))
      return m;
  return NULL;
}

static void free_rendezvous(hd_process_group *g, rendezvous *m) {
  for (rendezvous **at = &g->rendezvous_list; *at; at = &(*at)->next)
    if (*at == m) {
      *at = m->next;
      break;
    }
  free(m->members);
  free(m->present);
  free(m->values);
  free(m);
}

hd_status hd_process_meet(hd_eval_frame *frame, hd_op *op, int64_t channel, const uint32_t *members, size_t count,
                          const hd_tensor *values, size_t value_count, hd_tensor *out_values) {
  const hd_process *process = hd_frame_process(frame);
  hd_process_group *g = process->group;
  uint32_t id = process->replica * hd_process_partitions(process) + process->partition;
  size_t self = count;
  for (size_t i = 0; i < count; ++i)
    if (members[i] == id) self = i;
  if (self == count) return hd_make_status(HD_INTERNAL, "the process is not in its own group");
  if (!g) {
    if (count != 1) return hd_make_status(HD_UNIMPLEMENTED, "needs %zu processes; this program runs alone", count);
    for (size_t i = 0; i < value_count; ++i) out_values[i] = hd_tensor_retain(values[i]);
    return HD_STATUS_OK;
  }
  rendezvous *m = find_rendezvous(g, hd_opcode_get(op), channel, members, count, value_count, self);
  if (!m) {
    m = calloc(1, sizeof *m);
    if (!m) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
    m->opcode = hd_opcode_get(op);
    m->channel = channel;
    m->count = count;
    m->value_count = value_count;
    m->members = malloc(count * sizeof *members);
    m->present = calloc(count, sizeof *m->present);
    m->values = calloc(count * value_count + 1, sizeof *m->values);
    m->next = g->rendezvous_list;
    g->rendezvous_list = m;
    if (!m->members || !m->present || !m->values) {
      free_rendezvous(g, m);
      return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
    }
    memcpy(m->members, members, count * sizeof *members);
  }
  m->present[self] = true;
  for (size_t i = 0; i < value_count; ++i) m->values[self * value_count + i] = hd_tensor_retain(values[i]);
  if (++m->arrived == count) announce_change(g);
  /* When this wait fails, the whole run fails, and the group frees the rendezvous. */
  while (m->arrived < count) HD_TRY(wait_for_others(g, "rendezvous"));
  for (size_t i = 0; i < count * value_count; ++i) out_values[i] = hd_tensor_retain(m->values[i]);
  if (++m->left == count) {
    for (size_t i = 0; i < count * value_count; ++i) hd_tensor_release(&m->values[i]);
    free_rendezvous(g, m);
  }
  return HD_STATUS_OK;
}

static int64_t id_of(const hd_process *process) {
  return (int64_t)process->replica * hd_process_partitions(process) + process->partition;
}

hd_status hd_process_send(hd_eval_frame *frame, int64_t channel, int64_t to, const hd_tensor *values, size_t count) {
  hd_process_group *g = hd_frame_process(frame)->group;
  if (!g) return hd_make_status(HD_UNIMPLEMENTED, "needs another process; this program runs alone");
  message *m = calloc(1, sizeof *m);
  if (!m || !(m->values = calloc(count + 1, sizeof *m->values))) {
    free(m);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  }
  m->channel = channel;
  m->from = id_of(hd_frame_process(frame));
  m->to = to;
  m->count = count;
  for (size_t i = 0; i < count; ++i) m->values[i] = hd_tensor_retain(values[i]);
  message **at = &g->messages;
  while (*at) at = &(*at)->next;
  *at = m;
  announce_change(g);
  return HD_STATUS_OK;
}

hd_status hd_process_receive(hd_eval_frame *frame, int64_t channel, int64_t from, hd_tensor *out_values, size_t count) {
  hd_process_group *g = hd_frame_process(frame)->group;
  int64_t self = id_of(hd_frame_process(frame));
  if (!g) return hd_make_status(HD_UNIMPLEMENTED, "needs another process; this program runs alone");
  for (;;) {
    for (message **at = &g->messages; *at; at = &(*at)->next) {
      message *m = *at;
      if (m->channel != channel || (m->to != HD_PROCESS_ANY && m->to != self) ||
          (from != HD_PROCESS_ANY && m->from != from))
        continue;
      if (m->count != count)
        return hd_make_status(HD_INVALID_ARGUMENT, "expected %zu values on channel %lld, got %zu", count,
                              (long long)channel, m->count);
      memcpy(out_values, m->values, count * sizeof *out_values);
      *at = m->next;
      free(m->values);
      free(m);
      return HD_STATUS_OK;
    }
    HD_TRY(wait_for_others(g, "message"));
  }
}

hd_op *hd_process_next_infeed(hd_eval_frame *frame) {
  hd_process_group *g = hd_frame_process(frame)->group;
  return g && g->infeed_next < g->infeed_count ? g->infeed[g->infeed_next++] : NULL;
}

/* ---- interpreter.run_parallel ---- */

typedef struct runner {
  hd_eval_frame *frame;
  hd_process process;
  hd_op *function;
  const hd_tensor *args;
  size_t arg_count;
  hd_tensor *results;
  hd_status status;
  pthread_t thread;
} runner;

static void *run_process(void *user) {
  runner *r = user;
  hd_process_group *g = r->process.group;
  pthread_mutex_lock(&g->lock);
  r->status = hd_evaluator_call_as(r->frame, &r->process, r->function, r->args, r->arg_count, r->results);
  --g->running;
  if (!hd_is_ok(r->status)) g->failed = true;
  /* Those who wait for this one see it gone. */
  if (g->running && g->waiting == g->running) g->stuck = true;
  pthread_cond_broadcast(&g->changed);
  pthread_mutex_unlock(&g->lock);
  return NULL;
}

static hd_status resolve(hd_op *op, hd_attr symbol, hd_op **out) {
  if (!hd_attr_is(symbol, HD_ATTR_SYMBOL)) return hd_make_status(HD_INVALID_ARGUMENT, "expected names of functions");
  *out = hd_symbol_resolve(op, symbol);
  if (!*out || !hd_op_has_trait(*out, HD_TRAIT(FUNCTION_LIKE)) || !(*out)->region_count ||
      !hd_op_region(*out, 0)->first)
    return hd_make_status(HD_NOT_FOUND, "there is no function '%s'", symbol->symbol.root->text);
  return HD_STATUS_OK;
}

/* Rows of `programs` are replicas, columns partitions; operands and results are those of the programs one after
 * another. */
HD_EVAL_HOOK(interpreter_run_parallel) {
  enum { MOST = 256 };
  if (hd_frame_process(frame)->group) return hd_make_status(HD_UNIMPLEMENTED, "is inside another one");
  hd_attr programs = hd_interpreter_run_parallel_programs(op), infeed = hd_interpreter_run_parallel_infeed(op);
  if (!hd_attr_is(programs, HD_ATTR_ARRAY) || !programs->array.count ||
      !hd_attr_is(programs->array.items[0], HD_ATTR_ARRAY))
    return hd_make_status(HD_INVALID_ARGUMENT, "programs: expected a matrix of function names");
  hd_process_group group = {.replicas = programs->array.count, .partitions = programs->array.items[0]->array.count};
  size_t count = (size_t)group.replicas * group.partitions, arg_at = 0, result_at = 0;
  if (!count || count > MOST)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected 1 to %d programs, got %zu", MOST, count);
  runner *runners;
  HD_TRY(hd_eval_temp(frame, count, sizeof *runners, &runners));
  group.infeed_count = hd_attr_is(infeed, HD_ATTR_ARRAY) ? infeed->array.count : 0;
  HD_TRY(hd_eval_temp(frame, group.infeed_count, sizeof *group.infeed, &group.infeed));
  for (size_t i = 0; i < group.infeed_count; ++i) HD_TRY(resolve(op, infeed->array.items[i], &group.infeed[i]));
  for (size_t i = 0; i < count; ++i) {
    hd_attr row = programs->array.items[i / group.partitions];
    if (!hd_attr_is(row, HD_ATTR_ARRAY) || row->array.count != group.partitions)
      return hd_make_status(HD_INVALID_ARGUMENT, "programs: expected rows of %u names", group.partitions);
    runner *r = &runners[i];
    *r = (runner){.frame = frame,
                  .process = {&group, (uint32_t)(i / group.partitions), (uint32_t)(i % group.partitions)}};
    HD_TRY(resolve(op, row->array.items[i % group.partitions], &r->function));
    r->args = in + arg_at;
    r->arg_count = hd_op_region(r->function, 0)->first->arg_count;
    r->results = out + result_at;
    arg_at += r->arg_count;
    result_at += hd_function_result_count(r->function);
    if (arg_at > op->operand_count || result_at > op->result_count)
      return hd_make_status(HD_INVALID_ARGUMENT,
                            "the programs take and give more values than there are operands and results");
  }
  if (arg_at != op->operand_count || result_at != op->result_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected %zu operands and %zu results", arg_at, result_at);
  pthread_mutex_init(&group.lock, NULL);
  pthread_cond_init(&group.changed, NULL);
  /* All are counted before the first starts, so that none finds itself alone. */
  group.running = (uint32_t)count;
  pthread_mutex_lock(&group.lock);
  size_t started = 0;
  while (started < count && !pthread_create(&runners[started].thread, NULL, run_process, &runners[started])) ++started;
  if (started < count) {
    group.running = (uint32_t)started;
    group.failed = true;
  }
  pthread_mutex_unlock(&group.lock);
  hd_status status = HD_STATUS_OK, aborted = HD_STATUS_OK;
  for (size_t i = 0; i < started; ++i) pthread_join(runners[i].thread, NULL);
  for (size_t i = 0; i < started; ++i) {
    /* The first cause counts, not those that were stopped by it. */
    hd_status *to = hd_status_code_of(runners[i].status) == HD_ABORTED ? &aborted : &status;
    if (hd_is_ok(*to))
      *to = runners[i].status;
    else
      hd_status_ignore(runners[i].status);
  }
  if (hd_is_ok(status))
    status = aborted;
  else
    hd_status_ignore(aborted);
  if (started < count && hd_is_ok(status))
    status = hd_make_status(HD_RESOURCE_EXHAUSTED, "cannot start %zu threads", count);
  while (group.rendezvous_list) {
    rendezvous *m = group.rendezvous_list;
    for (size_t i = 0; i < m->count * m->value_count; ++i) hd_tensor_release(&m->values[i]);
    free_rendezvous(&group, m);
  }
  while (group.messages) {
    message *m = group.messages;
    group.messages = m->next;
    for (size_t i = 0; i < m->count; ++i) hd_tensor_release(&m->values[i]);
    free(m->values);
    free(m);
  }
  pthread_cond_destroy(&group.changed);
  pthread_mutex_destroy(&group.lock);
  return status;
}
