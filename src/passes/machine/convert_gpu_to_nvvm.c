/* SPDX-License-Identifier: Apache-2.0 */
/* convert-gpu-to-nvvm: what machine form leaves to the device has nvvm's names (docs/design/machine-form.md).
 *
 *   %0 = gpu.thread_id x                                %t = nvvm.read.ptx.sreg.tid.x : i32
 *   %t = arith.index_castui %0 : index to i64      ->   %1 = llvm.zext %t : i32 to i64
 *   gpu.barrier                                         nvvm.barrier0
 *   %v, %p = gpu.shuffle xor %x, %o, %w : f32           %s = nvvm.shfl.sync bfly %mask, %x, %o, %clamp
 *                                                       {return_value_and_is_valid} %v = llvm.extractvalue %s[0]
 *
 * The first w lanes of a warp take part (analysis/shuffle_controls.h). Values of other than 32 bits go as words. The
 * kernel is marked nvvm.kernel beside gpu.kernel. Requires machine form; takes the place of all its gpu ops or reports
 * the one that has none. */
#include "analysis/shuffle_controls.h"
#include "ir/constraints.h"
#include "ir/grid_number.h"
#include "ir/ops/discardable.h"
#include "ir/ops/gpu.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/llvm.h"
#include "ir/ops/nvvm.h"
#include "passes/passes.h"

enum { LANES = 32 };

typedef struct namer {
  hd_pass *pass;
  hd_builder b; /* before the op that goes */
  hd_type i32;
} namer;

static hd_value *constant(namer *n, int64_t value) {
  hd_attr_arg attr = {HD_NAME_value, hd_attr_integer(n->i32, value)};
  return hd_build_one_(&n->b, HD_OP_llvm_mlir_constant, n->i32, NULL, 0, &attr, 1);
}

static hd_value *read(namer *n, hd_opcode first, uint32_t dim) {
  return hd_build(&n->b, (hd_opcode)(first + dim), n->i32);
}

static hd_value *binary(namer *n, hd_opcode opcode, hd_value *x, hd_value *y) {
  return hd_build(&n->b, opcode, x->type, x, y);
}

static hd_value *resize(namer *n, hd_value *value, hd_type type) {
  uint32_t from = hd_type_bits(value->type), to = hd_type_bits(type);
  return from == to ? value : hd_build(&n->b, from < to ? HD_OP_llvm_zext : HD_OP_llvm_trunc, type, value);
}

/* ---- numbers of threads ---- */

/* Registers along x, y and z are rows in a row. */
_Static_assert(HD_OP_nvvm_read_ptx_sreg_tid_y == HD_OP_nvvm_read_ptx_sreg_tid_x + 1 &&
                   HD_OP_nvvm_read_ptx_sreg_tid_z == HD_OP_nvvm_read_ptx_sreg_tid_x + 2 &&
                   HD_OP_nvvm_read_ptx_sreg_ntid_z == HD_OP_nvvm_read_ptx_sreg_ntid_x + 2 &&
                   HD_OP_nvvm_read_ptx_sreg_ctaid_z == HD_OP_nvvm_read_ptx_sreg_ctaid_x + 2 &&
                   HD_OP_nvvm_read_ptx_sreg_nctaid_z == HD_OP_nvvm_read_ptx_sreg_nctaid_x + 2,
               "registers of a dim follow from that of x");

#define TID HD_OP_nvvm_read_ptx_sreg_tid_x
#define NTID HD_OP_nvvm_read_ptx_sreg_ntid_x
#define CTAID HD_OP_nvvm_read_ptx_sreg_ctaid_x

static hd_value *linear_thread(namer *n) {
  hd_value *at = read(n, TID, 2);
  for (uint32_t d = 2; d-- > 0;)
    at = binary(n, HD_OP_llvm_add, binary(n, HD_OP_llvm_mul, at, read(n, NTID, d)), read(n, TID, d));
  return at;
}

/* May be above 32 bits. */
static hd_value *global_thread(namer *n, uint32_t dim, hd_type type) {
  hd_value *block = resize(n, read(n, CTAID, dim), type), *size = resize(n, read(n, NTID, dim), type);
  return binary(n, HD_OP_llvm_add, binary(n, HD_OP_llvm_mul, block, size), resize(n, read(n, TID, dim), type));
}

static hd_value *warps(namer *n) {
  hd_value *threads =
      binary(n, HD_OP_llvm_mul, binary(n, HD_OP_llvm_mul, read(n, NTID, 0), read(n, NTID, 1)), read(n, NTID, 2));
  return binary(n, HD_OP_llvm_udiv, binary(n, HD_OP_llvm_add, threads, constant(n, LANES - 1)), constant(n, LANES));
}

/* The number that |id| gives, as an integer of |type|; null: it gives none. */
static hd_value *number_of(namer *n, const hd_op *id, hd_type type) {
  static const hd_opcode registers[HD_GRID_COUNT] = {[HD_GRID_THREAD] = TID,
                                                     [HD_GRID_BLOCK] = CTAID,
                                                     [HD_GRID_BLOCK_DIM] = NTID,
                                                     [HD_GRID_GRID_DIM] = HD_OP_nvvm_read_ptx_sreg_nctaid_x,
                                                     [HD_GRID_LANE] = HD_OP_nvvm_read_ptx_sreg_laneid,
                                                     [HD_GRID_SUBGROUP_SIZE] = HD_OP_nvvm_read_ptx_sreg_warpsize};
  hd_grid_number number = hd_is_grid_index(id) ? hd_grid_number_of(id) : (hd_grid_number){HD_GRID_NOTHING, 0};
  if (registers[number.what]) return resize(n, read(n, registers[number.what], number.dim), type);
  if (number.what == HD_GRID_GLOBAL) return global_thread(n, number.dim, type);
  if (number.what == HD_GRID_SUBGROUPS) return resize(n, warps(n), type);
  if (number.what != HD_GRID_SUBGROUP) return NULL;
  /* PTX's warpid may change while a thread runs */
  return resize(n, binary(n, HD_OP_llvm_udiv, linear_thread(n), constant(n, LANES)), type);
}

/* Where an index becomes an integer, which is all that machine form does with one. */
static bool name_number(namer *n, hd_op *cast) {
  hd_op *id = hd_value_op(hd_operand(cast, 0));
  hd_value *value = id ? number_of(n, id, hd_result_type(cast, 0)) : NULL;
  if (!value) return hd_op_error(cast, "expected a thread index of machine form as its operand, got another value");
  hd_op_replace(cast, &value);
  return true;
}

/* ---- exchanges ---- */

static hd_value *bits_of(namer *n, hd_value *value, uint32_t bits) {
  hd_type type = hd_type_integer(n->pass->context, bits, HD_SIGNLESS);
  return value->type == type ? value : hd_build(&n->b, HD_OP_llvm_bitcast, type, value);
}

/* |word|, of 32 bits, from another lane; and whether there is one. */
static hd_value *exchange(namer *n, hd_enum_nvvm_shfl_kind kind, hd_value *word, hd_value *const control[3],
                          hd_value **out_valid) {
  hd_context *context = n->pass->context;
  hd_value *operands[] = {control[0], word, control[1], control[2]};
  hd_attr_arg attrs[] = {{HD_NAME_kind, hd_attr_of_nvvm_shfl_kind(context, kind)},
                         {HD_NAME_return_value_and_is_valid, hd_attr_unit(context)}};
  hd_value *pair = hd_build_one_(&n->b, HD_OP_nvvm_shfl_sync, hd_type_flagged(word->type), operands, 4, attrs, 2);
  hd_value *parts[2];
  for (int32_t i = 0; i < 2; ++i) {
    hd_attr_arg at = {HD_NAME_position, hd_attr_i64_array(context, (int64_t[]){i}, 1)};
    parts[i] = hd_build_one_(&n->b, HD_OP_llvm_extractvalue, i ? hd_i1(context) : word->type, &pair, 1, &at, 1);
  }
  *out_valid = parts[1];
  return parts[0];
}

/* The words of |value|, each from another lane, as a value of its type. */
static hd_value *exchange_value(namer *n, hd_enum_nvvm_shfl_kind kind, hd_value *value, hd_value *const control[3],
                                hd_value **out_valid) {
  hd_type type = value->type;
  uint32_t bits = hd_type_bits(type);
  if (hd_type_is_float(type, HD_F32) || hd_type_is_integer(type, 32))
    return exchange(n, kind, value, control, out_valid);
  hd_value *all = bits_of(n, value, bits), *got;
  if (bits < 32) {
    got = resize(n, exchange(n, kind, resize(n, all, n->i32), control, out_valid), all->type);
  } else {
    hd_attr_arg attr = {HD_NAME_value, hd_attr_integer(all->type, 32)};
    hd_value *half = hd_build_one_(&n->b, HD_OP_llvm_mlir_constant, all->type, NULL, 0, &attr, 1);
    hd_value *low = exchange(n, kind, resize(n, all, n->i32), control, out_valid);
    hd_value *high = exchange(n, kind, resize(n, binary(n, HD_OP_llvm_lshr, all, half), n->i32), control, out_valid);
    got = binary(n, HD_OP_llvm_or, resize(n, low, all->type),
                 binary(n, HD_OP_llvm_shl, resize(n, high, all->type), half));
  }
  return got->type == type ? got : hd_build(&n->b, HD_OP_llvm_bitcast, type, got);
}

static bool name_shuffle(namer *n, hd_op *op) {
  hd_shuffle_controls controls = hd_shuffle_controls_of(hd_gpu_shuffle_mode(op));
  hd_type type = hd_operand_type(op, 0);
  uint32_t bits = hd_type_is_shaped(type) ? 128 : hd_type_bits(type);
  if (bits > 64) return hd_op_error(op, "exchanges %u bits, expected 64 at most", bits);
  hd_value *width = hd_operand(op, 2), *rest = binary(n, HD_OP_llvm_sub, constant(n, LANES), width);
  hd_value *control[] = {binary(n, HD_OP_llvm_lshr, constant(n, -1), rest), hd_operand(op, 1),
                         controls.clamps_at_first ? constant(n, 0) : binary(n, HD_OP_llvm_sub, width, constant(n, 1))};
  hd_value *values[2];
  values[0] = exchange_value(n, controls.kind, hd_operand(op, 0), control, &values[1]);
  hd_op_replace(op, values);
  return true;
}

/* Of all lanes of a warp, in the kinds that redux.sync has. */
static bool name_reduction(namer *n, hd_op *op) {
  static const struct {
    hd_enum_gpu_all_reduce_op from;
    hd_enum_nvvm_redux_kind to;
  } kinds[] = {
      {HD_GPU_ALL_REDUCE_OP_ADD, HD_NVVM_REDUX_KIND_ADD},    {HD_GPU_ALL_REDUCE_OP_AND, HD_NVVM_REDUX_KIND_AND},
      {HD_GPU_ALL_REDUCE_OP_OR, HD_NVVM_REDUX_KIND_OR},      {HD_GPU_ALL_REDUCE_OP_XOR, HD_NVVM_REDUX_KIND_XOR},
      {HD_GPU_ALL_REDUCE_OP_MAXSI, HD_NVVM_REDUX_KIND_MAX},  {HD_GPU_ALL_REDUCE_OP_MINSI, HD_NVVM_REDUX_KIND_MIN},
      {HD_GPU_ALL_REDUCE_OP_MAXUI, HD_NVVM_REDUX_KIND_UMAX}, {HD_GPU_ALL_REDUCE_OP_MINUI, HD_NVVM_REDUX_KIND_UMIN}};
  hd_value *value = hd_operand(op, 0);
  bool whole = hd_gpu_subgroup_reduce_uniform_attr(op) && !hd_gpu_subgroup_reduce_cluster_size_attr(op);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && whole && value->type == n->i32; ++i) {
    if (hd_gpu_subgroup_reduce_op(op) != kinds[i].from) continue;
    hd_attr_arg kind = {HD_NAME_kind, hd_attr_of_nvvm_redux_kind(n->pass->context, kinds[i].to)};
    hd_value *operands[] = {value, constant(n, -1)};
    hd_value *got = hd_build_one_(&n->b, HD_OP_nvvm_redux_sync, n->i32, operands, 2, &kind, 1);
    hd_op_replace(op, &got);
    return true;
  }
  return hd_op_error(op, "has no form in nvvm, expected one of i32 by all lanes of a warp");
}

/* ---- functions ---- */

static bool name_op(namer *n, hd_op *op) {
  n->b = hd_builder_before(op);
  n->b.loc = op->loc;
  switch (hd_opcode_get(op)) {
    case HD_OP_arith_index_castui:
      return name_number(n, op);
    case HD_OP_gpu_barrier:
      hd_build_op(&n->b, HD_OP_nvvm_barrier0, NULL, 0, NULL, 0, NULL, 0, 0);
      hd_op_erase(op);
      return true;
    case HD_OP_gpu_shuffle:
      return name_shuffle(n, op);
    case HD_OP_gpu_subgroup_reduce:
      return name_reduction(n, op);
    default:
      break;
  }
  if (!hd_is_grid_index(op)) return hd_op_error(op, "has no form in nvvm");
  if (hd_result(op, 0)->first_use) return hd_op_error(op, "has users of type index, expected machine form");
  hd_op_erase(op);
  return true;
}

/* What is to be named: numbers of threads go after the casts that read them. */
static bool is_neutral(const hd_op *op) {
  return hd_op_is(op, HD_OP_arith_index_castui) || (!strncmp(op->info->name, "gpu.", 4) && !hd_is_grid_index(op));
}

bool hd_pass_convert_gpu_to_nvvm(hd_pass *pass, hd_op *func) {
  if (!hd_op_is(func, HD_OP_llvm_func))
    return !hd_op_is(hd_op_parent(func), HD_OP_gpu_module) ||
           hd_op_error(func, "is not of the machine form: run convert-gpu-to-llvm before it");
  namer n = {.pass = pass, .i32 = hd_i32(pass->context)};
  bool (*const rounds[])(const hd_op *) = {is_neutral, hd_is_grid_index};
  for (int r = 0; r < 2; ++r) {
    hd_op_list ops = hd_ops_where(func, rounds[r], &pass->arena);
    for (size_t i = 0; i < ops.len; ++i)
      if (!name_op(&n, ops.data[i])) return false;
    pass->changed |= ops.len != 0;
  }
  if (hd_discardable_gpu_kernel(func) && !hd_discardable_nvvm_kernel(func)) {
    hd_discardable_set_nvvm_kernel(func, true);
    pass->changed = true;
  }
  return true;
}
