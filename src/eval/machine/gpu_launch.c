/* SPDX-License-Identifier: Apache-2.0 */
/* The gpu dialect: launches run their blocks one after the other, the last one first, each as a thread block
 * (thread_block.h). */
#include "eval/machine/gpu_launch.h"

#include <string.h>

#include "analysis/kernel_sizes.h"
#include "eval/machine/call_memory.h"
#include "eval/machine/thread_block.h"
#include "ir/grid_number.h"
#include "ir/launch_items.h"
#include "ir/ops/discardable.h"
#include "ir/ops/enums.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/llvm.h"

typedef struct grid {
  int64_t blocks[3], threads[3];
  int64_t dynamic; /* bytes of shared memory beside the kernel's own */
} grid;

enum { DYNAMIC_LIMIT = 1 << 20 };

/* A grid without blocks runs nothing, as on devices. */
static hd_status check_grid(const grid *g) {
  int64_t threads = 1;
  for (int i = 0; i < 3; ++i) {
    if (g->blocks[i] < 0 || g->blocks[i] > INT32_MAX || g->threads[i] < 1 || g->threads[i] > HD_BLOCK_LIMIT)
      return hd_make_status(HD_INVALID_ARGUMENT, "launches %lld blocks of %lld threads along dim %d",
                            (long long)g->blocks[i], (long long)g->threads[i], i);
    threads *= g->threads[i];
  }
  if (threads > HD_BLOCK_LIMIT)
    return hd_make_status(HD_INVALID_ARGUMENT, "launches blocks of %lld threads, expected at most %d",
                          (long long)threads, HD_BLOCK_LIMIT);
  if (g->dynamic < 0 || g->dynamic > DYNAMIC_LIMIT)
    return hd_make_status(HD_INVALID_ARGUMENT, "gives %lld bytes of dynamic shared memory, expected at most %d",
                          (long long)g->dynamic, DYNAMIC_LIMIT);
  return HD_STATUS_OK;
}

void hd_eval_give_token(hd_op *op, hd_tensor *out) {
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (hd_type_is(hd_result_type(op, i), HD_TYPE_DIALECT)) out[i] = (hd_tensor){.type = hd_result_type(op, i)};
}

/* Grid and block sizes from items 1 to 6 of |op|; clusters are not taken. */
static hd_status grid_of(hd_op *op, const hd_tensor *in, grid *out) {
  uint32_t first, count;
  for (uint32_t i = 0; i < 6; ++i) {
    hd_op_operand_range(op, HD_LAUNCH_GRID + i, &first, &count);
    if (count != 1) return hd_make_status(HD_INVALID_ARGUMENT, "lacks a size");
    (i < 3 ? out->blocks : out->threads)[i % 3] = hd_eval_int(&in[first]);
  }
  for (uint32_t i = HD_LAUNCH_CLUSTER; i < HD_LAUNCH_DYNAMIC_SHARED; ++i) {
    hd_op_operand_range(op, i, &first, &count);
    if (count) return hd_make_status(HD_UNIMPLEMENTED, "has clusters, which the evaluator does not run");
  }
  hd_op_operand_range(op, HD_LAUNCH_DYNAMIC_SHARED, &first, &count);
  out->dynamic = count ? hd_eval_int(&in[first]) : 0;
  return check_grid(out);
}

/* Thread |linear| of |group| in |block|, with no copies under way. */
static void place(hd_thread_block *group, const grid *g, const int64_t *block, int64_t linear) {
  hd_thread *thread = &group->threads[linear];
  *thread = (hd_thread){.linear = linear, .copies = &group->copies[linear]};
  thread->copies->list.len = thread->copies->group = 0;
  memcpy(thread->block, block, sizeof thread->block);
  memcpy(thread->threads, g->threads, sizeof thread->threads);
  memcpy(thread->blocks, g->blocks, sizeof thread->blocks);
  for (int i = 0; i < 3; ++i) {
    thread->id[i] = linear % g->threads[i];
    linear /= g->threads[i];
  }
}

/* What a launch runs: |region| with |ids| index arguments, |args|, then shared memory of the block and memory of each
 * thread. */
typedef struct kernel {
  hd_op *op; /* whose region it is */
  hd_region *region;
  hd_eval_frame *outer; /* null: a function */
  hd_slot_range range;
  bool ids;
  const hd_tensor *args;
  uint32_t arg_count, shared;
} kernel;

static hd_status memory_of(hd_eval_frame *frame, hd_op *op, hd_type type, hd_tensor *out) {
  if (!hd_type_is(type, HD_TYPE_MEMREF) || !hd_type_is_static(type))
    return hd_make_status(HD_INVALID_ARGUMENT, "has memory of a shape that is not known");
  return hd_memref_allocate(frame, type, type->shaped.dims, op, true, out);
}

/* The next of the globals in shared memory around |function| from |op| on; null: there is none. */
static hd_op *shared_global(hd_op *op) {
  while (op && !(hd_op_is(op, HD_OP_llvm_mlir_global) && hd_llvm_mlir_global_addr_space(op) == 3)) op = op->next;
  return op;
}

static hd_type global_type(const hd_op *global) { return hd_llvm_mlir_global_global_type(global)->type_value; }

/* The shared memory of a kernel in machine form, until its block is done. */
static hd_status create_globals(hd_eval_frame *frame, const kernel *k, const grid *g) {
  if (!hd_op_is(k->op, HD_OP_llvm_func)) return HD_STATUS_OK;
  for (hd_op *global = shared_global(k->op->block->first); global; global = shared_global(global->next)) {
    size_t align, bytes = hd_size_in_memory(global_type(global), &align);
    hd_storage *storage;
    if (hd_is_dynamic_shared(global)) bytes = (size_t)g->dynamic;
    if (!bytes && !hd_is_dynamic_shared(global))
      return hd_make_status(HD_UNIMPLEMENTED, "has memory of a size that is not known");
    HD_TRY(hd_storage_create(frame, bytes, global, true, &storage));
  }
  return HD_STATUS_OK;
}

/* The same for a kernel in device form, which gpu.dynamic_shared_memory gives; without a type where the launch has
 * none. */
static hd_status create_dynamic(hd_eval_frame *frame, const kernel *k, const grid *g, hd_tensor *out) {
  *out = (hd_tensor){0};
  if (!g->dynamic || hd_op_is(k->op, HD_OP_llvm_func)) return HD_STATUS_OK;
  hd_context *context = hd_frame_context(frame);
  hd_type type = hd_type_memref(hd_type_integer(context, 8, HD_SIGNLESS), &g->dynamic, 1, NULL,
                                hd_attr_of_gpu_address_space(context, HD_GPU_ADDRESS_SPACE_WORKGROUP));
  return hd_memref_allocate(frame, type, &g->dynamic, k->op, true, out);
}

static hd_status run_block(hd_eval_frame *frame, const kernel *k, const grid *g, const int64_t *block,
                           hd_thread_block *group) {
  hd_block *entry = k->region->first;
  uint32_t count = entry->arg_count, own = (k->ids ? 12 : 0) + k->arg_count, *members;
  if ((uint64_t)own + k->shared > count)
    return hd_make_status(HD_INVALID_ARGUMENT, "has a region of too few arguments");
  hd_type index = hd_type_index(hd_frame_context(frame));
  hd_tensor *rows, *shared;
  HD_TRY(hd_eval_temp(frame, (size_t)group->count * count + 1, sizeof *rows, &rows));
  HD_TRY(hd_eval_temp(frame, k->shared + 1, sizeof *shared, &shared));
  HD_TRY(hd_eval_temp(frame, group->count, sizeof *members, &members));
  hd_tensor dynamic;
  HD_TRY(create_globals(frame, k, g));
  HD_TRY(create_dynamic(frame, k, g, &dynamic));
  for (uint32_t i = 0; i < k->shared; ++i) HD_TRY(memory_of(frame, k->op, entry->args[own + i]->type, &shared[i]));
  for (uint32_t t = 0; t < group->count; ++t) {
    hd_tensor *args = rows + (size_t)t * count;
    hd_thread *thread = &group->threads[t];
    uint32_t at = 0;
    members[t] = t;
    place(group, g, block, t);
    thread->dynamic = dynamic.type ? &dynamic : NULL;
    const int64_t *values[4] = {thread->block, thread->id, g->blocks, g->threads};
    for (uint32_t i = 0; i < 12 && k->ids; ++i, ++at) {
      HD_TRY(hd_eval_value(frame, index, &args[at]));
      hd_element_store(index, hd_tensor_data(&args[at]), values[i / 3][i % 3]);
    }
    for (uint32_t i = 0; i < k->arg_count; ++i) args[at++] = hd_tensor_retain(k->args[i]);
    for (uint32_t i = 0; i < k->shared; ++i) args[at++] = hd_tensor_retain(shared[i]);
    for (; at < count; ++at) HD_TRY(memory_of(frame, k->op, entry->args[at]->type, &args[at]));
  }
  HD_TRY(hd_thread_block_run(group, members, group->count, k->region, rows, count, NULL, 0));
  for (size_t i = 0; i < (size_t)group->count * count; ++i) hd_tensor_release(&rows[i]);
  for (uint32_t i = 0; i < k->shared; ++i) hd_tensor_release(&shared[i]);
  hd_tensor_release(&dynamic);
  return HD_STATUS_OK;
}

static hd_status run_grid(hd_eval_frame *frame, const kernel *k, const grid *g) {
  if (frame->thread) return hd_make_status(HD_UNIMPLEMENTED, "is launched from a kernel");
  hd_thread_block group;
  HD_TRY(hd_thread_block_create(frame, k->outer, k->range, (uint32_t)(g->threads[0] * g->threads[1] * g->threads[2]),
                                &group));
  hd_evaluator *e = frame->evaluator;
  size_t mark = e->temp_count, storages = e->memory->storages.len;
  int64_t block[3];
  for (block[2] = g->blocks[2] - 1; block[2] >= 0; --block[2])
    for (block[1] = g->blocks[1] - 1; block[1] >= 0; --block[1])
      for (block[0] = g->blocks[0] - 1; block[0] >= 0; --block[0]) {
        HD_TRY(run_block(frame, k, g, block, &group));
        hd_thread_block_clear(&group);
        hd_eval_drop_temps(e, mark);
        hd_storage_drop_automatic(frame, storages);
        HD_TRY(hd_eval_poll(frame));
      }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(gpu_launch) {
  grid g;
  HD_TRY(grid_of(op, in, &g));
  hd_eval_give_token(op, out);
  kernel k = {.op = op,
              .region = hd_op_region(op, 0),
              .outer = frame,
              .range = hd_plan_inside(&frame->evaluator->plans, op),
              .ids = true,
              .shared = (uint32_t)hd_attr_int_or(hd_discardable_workgroup_attributions(op), 0)};
  if (!k.region->first) return hd_make_status(HD_INVALID_ARGUMENT, "has an empty region");
  return run_grid(frame, &k, &g);
}

/* The arguments of a kernel: of a gpu.func, or of an llvm.func that is one. */
static hd_status arguments_of(hd_op *function, const hd_block **out) {
  bool is = hd_op_is(function, HD_OP_gpu_func) ||
            (hd_op_is(function, HD_OP_llvm_func) && hd_discardable_gpu_kernel(function));
  if (!is) return hd_make_status(HD_NOT_FOUND, "there is no such kernel");
  *out = hd_op_region(function, 0)->first;
  return *out ? HD_STATUS_OK : hd_make_status(HD_UNIMPLEMENTED, "launches a kernel without a body");
}

/* How many of |entry|'s arguments a launch gives: the others are a gpu.func's memory. */
static uint32_t argument_count(const hd_op *function, const hd_block *entry) {
  hd_attr type = hd_function_like_function_type(function);
  bool typed = hd_attr_is(type, HD_ATTR_TYPE) && hd_type_is(type->type_value, HD_TYPE_FUNCTION);
  return typed && type->type_value->function.in_count < entry->arg_count ? type->type_value->function.in_count
                                                                         : entry->arg_count;
}

/* |function| over |g| by the machine that the options name. */
static hd_status run_elsewhere(hd_eval_frame *frame, hd_op *function, const grid *g, const hd_tensor *args,
                               uint32_t count) {
  hd_evaluator *e = frame->evaluator;
  size_t storages = e->memory->storages.len;
  uint64_t *words;
  hd_eval_bytes *memory;
  if (!hd_op_is(function, HD_OP_llvm_func))
    return hd_make_status(HD_UNIMPLEMENTED, "launches a kernel that is not in machine form on another machine");
  HD_TRY(hd_eval_temp(frame, count + 1, sizeof *words, &words));
  HD_TRY(hd_eval_temp(frame, storages + 1, sizeof *memory, &memory));
  for (uint32_t i = 0; i < count; ++i) {
    size_t size = args[i].buffer->size;
    memcpy(&words[i], hd_tensor_data(&args[i]), size < 8 ? size : 8);
  }
  for (size_t i = 0; i < storages; ++i)
    memory[i] = (hd_eval_bytes){e->memory->storages.data[i]->data, e->memory->storages.data[i]->size};
  hd_eval_kernel call = {
      .kernel = function, .words = words, .word_count = count, .memory = memory, .memory_count = storages};
  memcpy(call.blocks, g->blocks, sizeof call.blocks);
  memcpy(call.threads, g->threads, sizeof call.threads);
  call.dynamic_shared = (uint32_t)g->dynamic;
  return e->options.kernel(e->options.kernel_user, &call);
}

/* |function| over |g|. */
static hd_status run_kernel(hd_eval_frame *frame, hd_op *function, const grid *g, const hd_tensor *args,
                            uint32_t count) {
  kernel k = {.op = function,
              .region = hd_op_region(function, 0),
              .range = hd_plan_function(&frame->evaluator->plans, function),
              .args = args,
              .arg_count = count,
              .shared = (uint32_t)hd_attr_int_or(hd_discardable_workgroup_attributions(function), 0)};
  if (!k.region->first) return hd_make_status(HD_UNIMPLEMENTED, "launches a kernel without a body");
  if (frame->evaluator->options.kernel) return run_elsewhere(frame, function, g, args, count);
  return run_grid(frame, &k, g);
}

HD_EVAL_HOOK(gpu_launch_func) {
  grid g;
  uint32_t first, count;
  const hd_block *entry;
  hd_op *function = hd_symbol_resolve(op, hd_launch_like_kernel(op));
  HD_TRY(arguments_of(function, &entry));
  HD_TRY(grid_of(op, in, &g));
  hd_eval_give_token(op, out);
  hd_op_operand_range(op, HD_LAUNCH_ARGUMENTS, &first, &count);
  if (count != argument_count(function, entry))
    return hd_make_status(HD_INVALID_ARGUMENT, "gives %u arguments to a kernel of %u", count,
                          argument_count(function, entry));
  return run_kernel(frame, function, &g, in + first, count);
}

hd_status hd_eval_launch_words(hd_eval_frame *frame, hd_op *function, const int64_t sizes[6], int64_t dynamic,
                               const uint64_t *words, size_t word_count) {
  grid g = {.dynamic = dynamic};
  const hd_block *entry;
  memcpy(g.blocks, sizes, sizeof g.blocks);
  memcpy(g.threads, sizes + 3, sizeof g.threads);
  HD_TRY(arguments_of(function, &entry));
  HD_TRY(check_grid(&g));
  hd_tensor *args;
  uint32_t count = argument_count(function, entry);
  HD_TRY(hd_eval_temp(frame, count + 1, sizeof *args, &args));
  size_t at = 0;
  for (uint32_t i = 0; i < count; ++i) {
    hd_type in = entry->args[i]->type;
    int64_t dims[HD_MAX_RANK];
    uint32_t unknown = 0, given = 0;
    for (uint32_t d = 0; hd_type_is(in, HD_TYPE_MEMREF) && d < in->shaped.rank && d < HD_MAX_RANK; ++d) {
      if (in->shaped.dims[d] != HD_DYNAMIC) continue;
      bool takes = hd_kernel_takes_size(function, i, d);
      bool is_there = takes && at + 1 + given < word_count;
      dims[unknown++] = is_there ? (int64_t)words[at + 1 + given] : HD_MEMREF_NOT_GIVEN;
      given += takes;
    }
    if (at + 1 + given > word_count)
      return hd_make_status(HD_INVALID_ARGUMENT, "gives %zu words to a kernel that takes more", word_count);
    uint64_t word = words[at];
    at += 1 + given;
    if (hd_type_is(in, HD_TYPE_MEMREF)) {
      HD_TRY(hd_memref_at(frame, in, word, dims, &args[i]));
      HD_TRY(hd_memref_check(&args[i]));
      continue;
    }
    if (hd_is_pointer(in)) {
      HD_TRY(hd_eval_pointer(frame, in, word, &args[i]));
      continue;
    }
    HD_TRY(hd_eval_value(frame, in, &args[i]));
    memcpy(hd_tensor_data(&args[i]), &word, args[i].buffer->size < 8 ? args[i].buffer->size : 8);
  }
  if (at != word_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "gives %zu words to a kernel that takes %zu", word_count, at);
  HD_TRY(run_kernel(frame, function, &g, args, count));
  for (uint32_t i = 0; i < count; ++i) hd_tensor_release(&args[i]);
  return HD_STATUS_OK;
}

/* ---- parallel loops whose iterations work together ---- */

hd_status hd_eval_parallel_block(hd_eval_frame *frame, hd_op *op, uint32_t rank, const int64_t *bounds) {
  int64_t total = 1, sizes[HD_MAX_RANK];
  if (rank > HD_MAX_RANK) return hd_make_status(HD_UNIMPLEMENTED, "rank %u is above the evaluator's limit", rank);
  for (uint32_t d = 0; d < rank; ++d) {
    uint64_t span = (uint64_t)bounds[rank + d] - (uint64_t)bounds[d], step = (uint64_t)bounds[2 * rank + d];
    uint64_t count = span / step + (span % step != 0);
    sizes[d] = count > INT64_MAX ? INT64_MAX : (int64_t)count;
    if (__builtin_mul_overflow(total, sizes[d], &total))
      return hd_make_status(HD_RESOURCE_EXHAUSTED, "the number of iterations overflows");
  }
  int64_t threads = hd_attr_int_or(hd_discardable_threads_attr(op), total);
  if (threads < 1 || threads > HD_BLOCK_LIMIT)
    return hd_make_status(HD_UNIMPLEMENTED, "has %lld iterations that work together, expected at most %d",
                          (long long)threads, HD_BLOCK_LIMIT);
  if (frame->thread) return hd_make_status(HD_UNIMPLEMENTED, "is a thread block within another");
  hd_thread_block group;
  uint32_t *members;
  hd_tensor *rows;
  hd_type index = hd_type_index(hd_frame_context(frame));
  hd_evaluator *e = frame->evaluator;
  HD_TRY(hd_thread_block_create(frame, frame, hd_plan_inside(&e->plans, op), (uint32_t)threads, &group));
  HD_TRY(hd_eval_temp(frame, (size_t)threads * rank, sizeof *rows, &rows));
  HD_TRY(hd_eval_temp(frame, (size_t)threads, sizeof *members, &members));
  size_t mark = e->temp_count, storages = e->memory->storages.len;
  grid g = {{1, 1, 1}, {threads, 1, 1}, 0};
  g.blocks[0] = total / threads + (total % threads != 0);
  for (int64_t b = g.blocks[0]; b-- > 0;) {
    uint32_t count = (uint32_t)(total - b * threads < threads ? total - b * threads : threads);
    for (uint32_t t = 0; t < count; ++t) {
      int64_t rest = b * threads + t;
      place(&group, &g, (int64_t[3]){b, 0, 0}, t);
      members[t] = t;
      for (uint32_t d = rank; d-- > 0; rest /= sizes[d]) {
        hd_tensor *arg = &rows[t * rank + d];
        HD_TRY(hd_eval_value(frame, index, arg));
        hd_element_store(index, hd_tensor_data(arg), bounds[d] + rest % sizes[d] * bounds[2 * rank + d]);
      }
    }
    group.count = count;
    HD_TRY(hd_thread_block_run(&group, members, count, hd_op_region(op, 0), rows, rank, NULL, 0));
    for (uint32_t i = 0; i < count * rank; ++i) hd_tensor_release(&rows[i]);
    hd_thread_block_clear(&group);
    hd_eval_drop_temps(e, mark);
    hd_storage_drop_automatic(frame, storages);
    HD_TRY(hd_eval_poll(frame));
  }
  return HD_STATUS_OK;
}
