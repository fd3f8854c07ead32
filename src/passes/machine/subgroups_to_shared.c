/* SPDX-License-Identifier: Apache-2.0 */
/* subgroups-to-shared: exchanges between lanes go through memory of the block, on devices whose subgroups are not of 32
 * threads or that have none. Kernels in machine form count on 32 lanes; lanes are numbers of threads after it.
 *
 *   %r, %ok = gpu.shuffle xor %v, %o, %w : f32        %lane = %thread & 31        %from = %lane ^ %o
 *                                                     %ok = %lane < %w && 0 <= %from && %from < %w
 *                                                ->   store %v, @exchange[%thread];  gpu.barrier
 *                                                     %r = load @exchange[%ok ? %thread - %lane + %from : %thread];
 *                                                     gpu.barrier
 *   gpu.lane_id, gpu.subgroup_id ...                  %thread & 31, %thread >> 5 ...
 *
 * A kernel has one buffer, with a word of its widest exchange for each thread of its block; the second barrier keeps
 * the next exchange from writing what threads still read. So all threads of a block have to come to each exchange, not
 * those of a subgroup alone:
 * control is made uniform first (uniform_control.h), or the exchange is an error. Requires machine form and the block's
 * size (gpu.known_block_size) of kernels that exchange. Leaves other kernels as they are. */
#include "ir/builder.h"
#include "ir/grid_number.h"
#include "ir/ops/discardable.h"
#include "ir/ops/enums.h"
#include "ir/ops/gpu.h"
#include "passes/machine/converter.h"
#include "passes/machine/uniform_control.h"
#include "passes/passes.h"

enum { LANES = 32 };

typedef struct exchanger {
  hd_pass *pass;
  hd_context *context;
  hd_op *kernel;
  hd_type i32;
  int64_t block[3], threads;
  hd_value *thread, *lane, *buffer; /* at the kernel's start */
} exchanger;

static bool is_exchange(const hd_op *op) { return hd_op_is(op, HD_OP_gpu_shuffle); }

/* Gives a number that is one of a lane, a subgroup or of lanes. */
static bool is_lane_number(const hd_op *op) { return hd_is_grid_index(op) && hd_op_has_trait(op, HD_TRAIT(BY_LANES)); }

static hd_value *constant(hd_builder *b, hd_type type, int64_t value) {
  hd_attr_arg attrs[] = {{HD_NAME_value, hd_attr_integer(type, value)}};
  return hd_build_one_(b, HD_OP_llvm_mlir_constant, type, NULL, 0, attrs, 1);
}

static hd_value *with_constant(hd_builder *b, hd_opcode opcode, hd_value *x, int64_t value) {
  return hd_build_binary(b, opcode, x, constant(b, x->type, value));
}

static hd_value *compare(hd_builder *b, hd_enum_llvm_icmp_predicate predicate, hd_value *x, hd_value *y) {
  hd_attr_arg attrs[] = {{HD_NAME_predicate, hd_attr_i64(b->context, predicate)}};
  return hd_build_one_(b, HD_OP_llvm_icmp, hd_i1(b->context), (hd_value *[]){x, y}, 2, attrs, 1);
}

/* ---- the kernel's start ---------------------------------------------------------------------------------------- */

static hd_value *thread_id(exchanger *x, hd_builder *b, int dim) {
  hd_attr_arg attrs[] = {{HD_NAME_dimension, hd_attr_enum(x->context, HD_ENUM_gpu_dim, dim)}};
  hd_value *id = hd_build_one_(b, HD_OP_gpu_thread_id, hd_type_index(x->context), NULL, 0, attrs, 1);
  return hd_build(b, HD_OP_arith_index_castui, x->i32, id);
}

/* x + size x * (y + size y * z), without the dims that have one thread. */
static hd_value *linear_thread(exchanger *x, hd_builder *b) {
  hd_value *linear = NULL;
  for (int d = 2; d >= 0; --d) {
    if (x->block[d] == 1 && (d || linear)) continue;
    hd_value *id = thread_id(x, b, d);
    linear =
        linear ? hd_build_binary(b, HD_OP_llvm_add, with_constant(b, HD_OP_llvm_mul, linear, x->block[d]), id) : id;
  }
  return linear;
}

static hd_value *exchange_buffer(exchanger *x, hd_builder *b, hd_type word) {
  hd_str name = hd_symbol_name(x->kernel);
  const char *text = hd_arena_printf(&x->pass->arena, "%.*s_exchange", (int)name.len, name.data);
  hd_attr symbol = hd_machine_unique_symbol(&x->pass->arena, hd_op_parent(x->kernel), text);
  hd_type array = hd_type_dialect(x->context, HD_TYPE_ROW_llvm_array,
                                  (hd_attr[]){hd_attr_i64(x->context, x->threads), hd_attr_type(word)}, 2);
  hd_builder before = hd_builder_before(x->kernel);
  before.loc = x->kernel->loc;
  hd_attr_arg attrs[] = {{HD_NAME_sym_name, symbol},
                         {HD_NAME_global_type, hd_attr_type(array)},
                         {HD_NAME_addr_space, hd_attr_i32(x->context, HD_SPACE_SHARED)},
                         {HD_NAME_alignment, hd_attr_i64(x->context, 16)},
                         {HD_NAME_linkage, hd_attr_of_llvm_linkage(x->context, HD_LLVM_LINKAGE_INTERNAL)}};
  hd_build_op(&before, HD_OP_llvm_mlir_global, NULL, 0, NULL, 0, attrs, 5, 1);
  hd_attr_arg address[] = {{HD_NAME_global_name, hd_attr_symbol(x->context, hd_attr_text(symbol), NULL, 0)}};
  return hd_build_one_(b, HD_OP_llvm_mlir_addressof, hd_machine_pointer(x->context, HD_SPACE_SHARED), NULL, 0, address,
                       1);
}

static bool read_block(exchanger *x, hd_op *op) {
  hd_attr size = hd_discardable_gpu_known_block_size(x->kernel);
  x->threads = 1;
  for (uint32_t d = 0; d < 3; ++d) {
    x->block[d] = hd_attr_count(size) == 3 ? hd_attr_int_at(size, d) : 0;
    if (x->block[d] < 1 || x->block[d] > 1024)
      return hd_op_error(op,
                         "exchanges values in a kernel whose block has no known size: expected gpu.known_block_size");
    x->threads *= x->block[d];
  }
  return true;
}

/* ---- ops ------------------------------------------------------------------------------------------------------- */

/* The lane that |op| reads, as i32. */
static hd_value *source_lane(exchanger *x, hd_builder *b, hd_op *op) {
  hd_value *offset = hd_operand(op, 1);
  switch (hd_gpu_shuffle_mode(op)) {
    case HD_GPU_SHUFFLE_MODE_XOR:
      return hd_build_binary(b, HD_OP_llvm_xor, x->lane, offset);
    case HD_GPU_SHUFFLE_MODE_UP:
      return hd_build_binary(b, HD_OP_llvm_sub, x->lane, offset);
    case HD_GPU_SHUFFLE_MODE_DOWN:
      return hd_build_binary(b, HD_OP_llvm_add, x->lane, offset);
    default:
      return offset;
  }
}

static hd_value *slot(exchanger *x, hd_builder *b, hd_type type, hd_value *thread) {
  hd_attr_arg attrs[] = {{HD_NAME_rawConstantIndices, hd_attr_i32_array(x->context, (int32_t[]){INT32_MIN}, 1)},
                         {HD_NAME_elem_type, hd_attr_type(type)}};
  return hd_build_one_(b, HD_OP_llvm_getelementptr, x->buffer->type, (hd_value *[]){x->buffer, thread}, 2, attrs, 2);
}

static void barrier(hd_builder *b) { hd_build_op(b, HD_OP_gpu_barrier, NULL, 0, NULL, 0, NULL, 0, 0); }

static void exchange(exchanger *x, hd_op *op) {
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  hd_value *value = hd_operand(op, 0), *width = hd_operand(op, 2), *from = source_lane(x, &b, op);
  hd_value *first = hd_build_binary(&b, HD_OP_llvm_sub, x->thread, x->lane);
  hd_value *thread = hd_build_binary(&b, HD_OP_llvm_add, first, from);
  hd_value *ok = hd_build_binary(&b, HD_OP_llvm_and, compare(&b, HD_LLVM_ICMP_ULT, from, width),
                                 compare(&b, HD_LLVM_ICMP_ULT, x->lane, width));
  if (x->threads % LANES) /* the last lanes are no threads */
    ok = hd_build_binary(&b, HD_OP_llvm_and, ok,
                         compare(&b, HD_LLVM_ICMP_ULT, thread, constant(&b, x->i32, x->threads)));
  thread = hd_build(&b, HD_OP_llvm_select, x->i32, ok, thread, x->thread);
  hd_build0(&b, HD_OP_llvm_store, value, slot(x, &b, value->type, x->thread));
  barrier(&b);
  hd_value *results[] = {hd_build(&b, HD_OP_llvm_load, value->type, slot(x, &b, value->type, thread)), ok};
  barrier(&b);
  hd_op_replace(op, results);
}

static void number(exchanger *x, hd_op *op) {
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  hd_grid_what what = hd_grid_number_of(op).what;
  hd_value *value = what == HD_GRID_LANE        ? x->lane
                    : what == HD_GRID_SUBGROUP  ? with_constant(&b, HD_OP_llvm_lshr, x->thread, 5)
                    : what == HD_GRID_SUBGROUPS ? constant(&b, x->i32, (x->threads + LANES - 1) / LANES)
                                                : constant(&b, x->i32, LANES);
  /* Its users are casts to what they need. */
  for (hd_use *use; (use = hd_result(op, 0)->first_use);) {
    hd_op *cast = use->owner;
    hd_builder at = hd_builder_before(cast);
    hd_type type = hd_result_type(cast, 0);
    uint32_t bits = hd_type_bits(type);
    hd_value *sized = bits == 32 ? value : hd_build(&at, bits > 32 ? HD_OP_llvm_zext : HD_OP_llvm_trunc, type, value);
    hd_op_replace(cast, &sized);
  }
  hd_op_erase(op);
}

/* ---- kernels --------------------------------------------------------------------------------------------------- */

typedef hd_vec(hd_op *) op_list;

static hd_type widest(exchanger *x, const op_list *ops) {
  uint32_t bits = 8;
  for (size_t i = 0; i < ops->len; ++i) {
    hd_type type = is_exchange(ops->data[i]) ? hd_operand_type(ops->data[i], 0) : x->i32;
    uint32_t lanes = type->kind == HD_TYPE_VECTOR ? (uint32_t)type->shaped.dims[0] : 1;
    uint32_t size = hd_type_bits(hd_type_element(type)) * lanes;
    while (bits < size) bits *= 2;
  }
  return hd_type_integer(x->context, bits, HD_SIGNLESS);
}

static bool check_type(hd_op *op) {
  if (!is_exchange(op)) return true;
  hd_type type = hd_operand_type(op, 0);
  uint32_t bits = hd_type_bits(hd_type_element(type));
  if (bits >= 8 && type->kind != HD_TYPE_VECTOR) return true;
  return hd_op_misfit_error(op, type, NULL, "exchanges values of a type that has no place of whole bytes in memory");
}

static bool run_kernel(hd_pass *pass, hd_op *kernel) {
  exchanger x = {
      .pass = pass, .context = pass->context, .kernel = kernel, .i32 = hd_type_integer(pass->context, 32, HD_SIGNLESS)};
  op_list ops = {0};
  bool exchanges = false;
  hd_for_each_block(block, hd_op_region(kernel, 0))
    hd_for_each_op(op, block) {
      if (!hd_op_has_trait(op, HD_TRAIT(BY_LANES))) continue;
      if (!is_exchange(op) && !is_lane_number(op))
        return hd_op_error(op, "goes by the lanes of a warp, and has no form in memory of the block");
      if (!hd_discardable_gpu_kernel(kernel))
        return hd_op_error(op, "goes by lanes in a function, expected in a kernel");
      if (!check_type(op) || (!ops.len && !read_block(&x, op))) return false;
      exchanges |= is_exchange(op);
      hd_vec_push(&pass->arena, &ops, op);
    }
  if (!ops.len) return true;
  pass->changed = true;
  if (!hd_make_uniform(pass, kernel, is_exchange)) return false;
  hd_builder start = hd_builder_at_start(pass->module, hd_op_region(kernel, 0)->first);
  start.loc = kernel->loc;
  x.thread = linear_thread(&x, &start);
  x.lane = with_constant(&start, HD_OP_llvm_and, x.thread, LANES - 1);
  if (exchanges) x.buffer = exchange_buffer(&x, &start, widest(&x, &ops));
  for (size_t i = 0; i < ops.len; ++i)
    if (is_exchange(ops.data[i]))
      exchange(&x, ops.data[i]);
    else
      number(&x, ops.data[i]);
  return true;
}

bool hd_pass_subgroups_to_shared(hd_pass *pass, hd_op *module) {
  hd_for_each_op(kernels, hd_op_region(module, 0)->first) {
    if (!hd_op_is(kernels, HD_OP_gpu_module)) continue;
    hd_for_each_op_safe(op, hd_op_region(kernels, 0)->first) {
      if (hd_op_is(op, HD_OP_llvm_func) && hd_op_region(op, 0)->first && !run_kernel(pass, op)) return false;
    }
  }
  return true;
}
