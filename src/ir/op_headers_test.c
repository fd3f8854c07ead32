/* SPDX-License-Identifier: Apache-2.0 */
/* What tools/op_headers.c writes: every header compiles, accessors read the property that they are named after,
 * defaults are those of the rows, builders give the types that the rows tell. */
#include "ir/ops/affine.h"
#include "ir/ops/arith.h"
#include "ir/ops/builtin.h"
#include "ir/ops/cf.h"
#include "ir/ops/check.h"
#include "ir/ops/chlo.h"
#include "ir/ops/complex.h"
#include "ir/ops/discardable.h"
#include "ir/ops/func.h"
#include "ir/ops/gpu.h"
#include "ir/ops/hd.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/interpreter.h"
#include "ir/ops/llvm.h"
#include "ir/ops/lmhlo.h"
#include "ir/ops/math.h"
#include "ir/ops/memref.h"
#include "ir/ops/mhlo.h"
#include "ir/ops/nvvm.h"
#include "ir/ops/scf.h"
#include "ir/ops/sdy.h"
#include "ir/ops/shape.h"
#include "ir/ops/stablehlo.h"
#include "ir/ops/tensor.h"
#include "ir/ops/vector.h"
#include "ir/ops/vhlo.h"
#include "ir/testing.h"

/* The properties of each row are its names in order, each once, and every one that ATTRS lists is among them. */
static void names_are_the_rows(hd_context *c) {
  for (int code = 1; code < HD_OPCODE_COUNT; ++code) {
    const hd_name_list *names = hd_row_names((hd_opcode)code);
    for (uint32_t i = 1; i < names->count; ++i)
      HD_CHECK(strcmp(hd_name_text(names->names[i - 1]), hd_name_text(names->names[i])) < 0);
    const hd_signature_list *attrs = &hd_signature_of(c, (hd_opcode)code)->attrs;
    for (size_t k = 0; k < attrs->count; ++k) {
      uint32_t found = 0;
      for (uint32_t i = 0; i < names->count; ++i)
        found += hd_name_ident(c, (hd_name)names->names[i]) == attrs->items[k].name;
      HD_CHECK_INT(found, 1);
    }
  }
}

/* The number of a case is that of the row: a C enum beside it cannot say another. */
static void enums_are_the_rows(void) {
  HD_CHECK_STR(hd_enum_case_name(HD_ENUM_arith_cmpi_predicate, HD_ARITH_CMPI_SLT).data,
               "slt, sle, sgt, sge, ult, ule, ugt, uge");
  int64_t value;
  HD_CHECK(hd_enum_case_value(HD_ENUM_arith_cmpf_predicate, HD_STR("une"), &value) && value == HD_ARITH_CMPF_UNE);
  HD_CHECK(hd_enum_case_value(HD_ENUM_stablehlo_comparison_direction, HD_STR("LE"), &value) &&
           value == HD_STABLEHLO_COMPARE_LE);
  HD_CHECK(hd_enum_case_value(HD_ENUM_llvm_fastmath, HD_STR("fast"), &value) && value == HD_LLVM_FASTMATH_FAST);
}

static void builders_and_accessors(hd_context *c) {
  hd_module *module = hd_module_create(c, hd_loc_unknown(c));
  hd_builder b = hd_builder_at_end(module, hd_module_body(module));
  hd_value *x = hd_build_int(&b, hd_i32(c), 3), *y = hd_build_int(&b, hd_i32(c), 4);
  hd_value *less = hd_arith_cmpi(&b, HD_ARITH_CMPI_SLT, x, y);
  HD_CHECK(less->type == hd_i1(c));
  HD_CHECK_INT(hd_arith_cmpi_predicate(hd_value_op(less)), HD_ARITH_CMPI_SLT);
  hd_type lanes = hd_type_vector(hd_f32(c), (int64_t[]){8}, 1, NULL);
  hd_value *v = hd_build_float(&b, lanes, 1), *sum = hd_arith_addf(&b, v, v),
           *some = hd_arith_cmpf(&b, HD_ARITH_CMPF_OLT, v, sum);
  HD_CHECK(sum->type == lanes && some->type == hd_type_with_element(lanes, hd_i1(c)));
  HD_CHECK_INT(hd_arith_addf_fastmath(hd_value_op(sum)), HD_ARITH_FASTMATH_NONE);
  HD_CHECK(!hd_arith_addf_fastmath_attr(hd_value_op(sum)));
  hd_arith_addf_set_fastmath(hd_value_op(sum), hd_attr_of_arith_fastmath(c, HD_ARITH_FASTMATH_CONTRACT));
  HD_CHECK_INT(hd_arith_addf_fastmath(hd_value_op(sum)), HD_ARITH_FASTMATH_CONTRACT);
  HD_CHECK(hd_op_attr_get(hd_value_op(sum), HD_NAME_fastmath) == hd_op_attr_get_named(hd_value_op(sum), "fastmath"));
  HD_CHECK(hd_verify(module->op));
  hd_module_free(module);
}

/* Discardable attributes beside properties: set, found by name in each way, listed in the order of their names,
 * removed. */
static void discardable(hd_context *c) {
  hd_module *module = hd_module_create(c, hd_loc_unknown(c));
  hd_builder b = hd_builder_at_end(module, hd_module_body(module));
  hd_op *op = hd_value_op(hd_arith_addi(&b, hd_build_index(&b, 1), hd_build_index(&b, 2)));
  hd_op_attr_set(op, HD_NAME_hd_unroll, hd_attr_i64(c, 4));
  hd_op_attr_set_named(op, "a", hd_attr_unit(c));
  hd_arith_addi_set_overflowFlags(op, hd_attr_of_arith_overflow(c, HD_ARITH_OVERFLOW_NSW));
  HD_CHECK_INT(hd_op_int_attr(op, HD_NAME_hd_unroll, 0), 4);
  HD_CHECK(hd_op_attr_get_named(op, "a") && hd_op_attr_get_ident(op, hd_ident_cstr(c, "a")));
  HD_CHECK(!hd_op_attr_get_named(op, "b") && !hd_op_attr_get(op, HD_NAME_hd_kernel));
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  hd_op_attr_list all = hd_op_all_attrs(op, &arena);
  if (HD_CHECK_INT(all.len, 3)) {
    HD_CHECK_STR(all.data[0].name->text, "a");
    HD_CHECK_STR(all.data[1].name->text, "hd.unroll");
    HD_CHECK_STR(all.data[2].name->text, "overflowFlags");
    HD_CHECK(!all.data[0].inherent && !all.data[1].inherent && all.data[2].inherent);
  }
  hd_arena_free(&arena);
  hd_op_attr_set(op, HD_NAME_hd_unroll, NULL);
  hd_op_attr_set_named(op, "a", NULL);
  hd_op_attr_set(op, HD_NAME_overflowFlags, NULL);
  HD_CHECK(!hd_op_has_attrs(op));
  hd_module_free(module);
}

/* A discardable attribute by its own accessor: with the kind and the default of its row. */
static void discardable_accessors(hd_context *c) {
  hd_module *module = hd_module_create(c, hd_loc_unknown(c));
  hd_builder b = hd_builder_at_end(module, hd_module_body(module));
  hd_op *op = hd_value_op(hd_build_index(&b, 1));
  HD_CHECK(!hd_discardable_inline(op) && hd_discardable_schedule(op) == HD_SCHEDULE_NONE &&
           !hd_discardable_fusion_blockers(op));
  HD_CHECK_INT(hd_discardable_outputs(op), 1);
  HD_CHECK_INT(hd_discardable_donor(op), -1);
  hd_discardable_set_inline(op, true);
  hd_discardable_set_outputs(op, 3);
  hd_discardable_set_schedule(op, HD_SCHEDULE_ROW_ONE_ROUND);
  HD_CHECK(hd_discardable_inline(op) && hd_op_attr_get(op, HD_NAME_hd_inline));
  HD_CHECK_INT(hd_discardable_outputs(op), 3);
  HD_CHECK_INT(hd_discardable_schedule(op), HD_SCHEDULE_ROW_ONE_ROUND);
  HD_CHECK(hd_str_is(hd_attr_text(hd_op_attr_get(op, HD_NAME_hd_schedule)), "row-one-round"));
  hd_discardable_set_schedule_attr(op, hd_attr_cstring(c, "tile-large-whole"));
  HD_CHECK_INT(hd_discardable_schedule(op), HD_SCHEDULE_TILE_LARGE_WHOLE);
  hd_discardable_set_schedule_attr(op, hd_attr_cstring(c, "tile-lar"));
  HD_CHECK_INT(hd_discardable_schedule(op), HD_SCHEDULE_NONE);
  hd_discardable_set_kind(op, HD_KIND_ROW);
  HD_CHECK_STR(hd_text_of_kind(hd_discardable_kind(op)), "row");
  hd_discardable_set_kind(op, HD_KIND_NONE);
  hd_discardable_set_inline(op, false);
  hd_discardable_set_outputs_attr(op, NULL);
  hd_discardable_set_schedule_attr(op, NULL);
  HD_CHECK_INT(op->attr_count, 0);
  hd_module_free(module);
}

/* An attribute that several ops have is read where each keeps it, in graph and buffer ops; null in ops that lack it. */
static void interface_accessors(hd_context *c) {
  hd_module *module = hd_module_create(c, hd_loc_unknown(c));
  hd_builder b = hd_builder_at_end(module, hd_module_body(module));
  static const hd_opcode gathers[] = {HD_OP_stablehlo_gather, HD_OP_stablehlo_dynamic_gather, HD_OP_lmhlo_gather,
                                      HD_OP_lmhlo_dynamic_gather};
  for (int i = 0; i < 4; ++i) {
    hd_op *op = hd_build_op(&b, gathers[i], NULL, 0, NULL, 0, NULL, 0, 0);
    HD_CHECK(!hd_gather_like_indices_are_sorted(op) && !hd_gather_like_slice_sizes(op));
    hd_gather_like_set_indices_are_sorted(op, hd_attr_bool(c, true));
    HD_CHECK(hd_gather_like_indices_are_sorted(op));
    HD_CHECK(hd_op_attr_get(op, HD_NAME_indices_are_sorted) == hd_attr_bool(c, true));
    hd_op_attr_set(op, HD_NAME_dimension_numbers, hd_attr_i64(c, i));
    HD_CHECK(hd_gather_like_dimension_numbers(op) == hd_attr_i64(c, i));
    HD_CHECK(hd_is_gather_like(op) && !hd_is_slice_like(op));
  }
  HD_CHECK(!hd_is_gather_like(NULL));
  hd_module_free(module);
}

static hd_status all(void *context) {
  names_are_the_rows(context);
  enums_are_the_rows();
  builders_and_accessors(context);
  discardable(context);
  discardable_accessors(context);
  interface_accessors(context);
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
