# SPDX-License-Identifier: Apache-2.0
"""Small programs that together use every op, type and attribute of the portable form. A program that an old version cannot
express is left out for that version by whoever writes it."""


def unary(op, of="tensor<4xf32>", to=None):
    to = to or of
    return f"func.func @f(%a: {of}) -> {to} {{ %0 = \"stablehlo.{op}\"(%a) : ({of}) -> {to} return %0 : {to} }}"


def binary(op, of="tensor<4xf32>", to=None):
    to = to or of
    return f"func.func @f(%a: {of}, %b: {of}) -> {to} {{ %0 = \"stablehlo.{op}\"(%a, %b) : ({of}, {of}) -> {to} return %0 : {to} }}"


FLOATS = ["abs", "cbrt", "ceil", "cosine", "exponential", "exponential_minus_one", "floor", "log", "log_plus_one", "logistic", "negate",
          "round_nearest_afz", "round_nearest_even", "rsqrt", "sign", "sine", "sqrt", "tan", "tanh"]
PAIRS = ["add", "atan2", "divide", "maximum", "minimum", "multiply", "power", "remainder", "subtract"]
INTS = ["and", "or", "xor", "shift_left", "shift_right_arithmetic", "shift_right_logical"]
ELEMENTS = ["i1", "i4", "i8", "i16", "i32", "i64", "ui4", "ui8", "ui16", "ui32", "ui64", "bf16", "f16", "f32", "f64", "i2", "ui2",
            "f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ", "f8E4M3", "f8E3M4", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN",
            "f8E8M0FNU", "complex<f32>", "complex<f64>"]
ADD = "^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> stablehlo.return %s : tensor<f32>"

PROGRAMS = {
    **{op: unary(op) for op in FLOATS},
    **{op: binary(op) for op in PAIRS},
    **{op: binary(op, "tensor<4xi32>") for op in INTS},
    **{"type_" + e.strip(">").replace("<", "_"): unary("reshape", f"tensor<2x?x{e}>".replace("?", "3"), f"tensor<6x{e}>") for e in ELEMENTS},
    "not": unary("not", "tensor<4xi1>"), "popcnt": unary("popcnt", "tensor<4xui8>"),
    "count_leading_zeros": unary("count_leading_zeros", "tensor<4xi32>"),
    "real": unary("real", "tensor<4xcomplex<f32>>", "tensor<4xf32>"), "imag": unary("imag", "tensor<4xcomplex<f32>>", "tensor<4xf32>"),
    "complex": binary("complex", "tensor<4xf32>", "tensor<4xcomplex<f32>>"),
    "is_finite": unary("is_finite", "tensor<4xf32>", "tensor<4xi1>"),
    "convert": unary("convert", "tensor<?x4xf32>", "tensor<?x4xbf16>"),
    "bitcast_convert": unary("bitcast_convert", "tensor<4xf32>", "tensor<4xi32>"),
    "accuracy": "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> { %0 = \"stablehlo.exponential\"(%a) <{result_accuracy = "
                "#stablehlo.result_accuracy<atol = 0.5, ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : "
                "(tensor<4xf32>) -> tensor<4xf32> %1 = \"stablehlo.tanh\"(%0) <{result_accuracy = #stablehlo.result_accuracy<mode = "
                "#stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<4xf32>) -> tensor<4xf32> return %1 : tensor<4xf32> }",
    "bounded": "func.func @f(%a: tensor<?xf32, #stablehlo.bounds<8>>) -> tensor<?xf32, #stablehlo.bounds<8>> { return %a : "
               "tensor<?xf32, #stablehlo.bounds<8>> }",
    "quantized": "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> { %0 = stablehlo.uniform_quantize %a : (tensor<4xf32>) -> "
                 "tensor<4x!quant.uniform<i8:f32, 0.5:7>> %1 = stablehlo.uniform_dequantize %0 : (tensor<4x!quant.uniform<i8:f32, "
                 "0.5:7>>) -> tensor<4xf32> return %1 : tensor<4xf32> }",
    "quantized_per_axis": unary("uniform_quantize", "tensor<2x2xf32>", "tensor<2x2x!quant.uniform<i8<-127:127>:f32:1, {0.5, 0.25:3}>>"),
    "constants": """func.func @f() {
      %0 = stablehlo.constant dense<[1.5, -0.0, 0x7F800000]> : tensor<3xf32>
      %1 = stablehlo.constant dense<2> : tensor<4x5xi8>
      %2 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
      %3 = stablehlo.constant dense<true> : tensor<9xi1>
      %4 = stablehlo.constant dense<false> : tensor<9xi1>
      %5 = stablehlo.constant dense<true> : tensor<i1>
      %6 = stablehlo.constant dense<[[true, false], [false, false], [true, true], [false, true], [true, false]]> : tensor<5x2xi1>
      %7 = stablehlo.constant dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>
      %8 = stablehlo.constant dense<[-8, 7, 0]> : tensor<3xi4>
      %9 = stablehlo.constant dense<[15, 7, 0]> : tensor<3xui4>
      %10 = stablehlo.constant dense<> : tensor<0x3xf64>
      %11 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
      %12 = stablehlo.constant dense<[9223372036854775807, -9223372036854775808]> : tensor<2xi64>
      %13 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
      %14 = stablehlo.constant dense<(1.0, -2.0)> : tensor<3xcomplex<f64>>
      return }""",
    "constants_f8": "func.func @f() { %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3FN> %1 = stablehlo.constant "
                    "dense<0.5> : tensor<7xf8E5M2> return }",
    "compare": """func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xi1> {
      %0 = stablehlo.compare EQ, %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
      %1 = stablehlo.compare GE, %a, %b, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
      %2 = stablehlo.compare LT, %0, %1, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
      return %2 : tensor<4xi1> }""",
    "select_clamp": """func.func @f(%p: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xf32> {
      %0 = stablehlo.select %p, %a, %a : tensor<4xi1>, tensor<4xf32>
      %1 = stablehlo.clamp %b, %0, %b : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
      %2 = stablehlo.reduce_precision %1, format = e5m10 : tensor<4xf32>
      return %2 : tensor<4xf32> }""",
    "shapes": """func.func @f(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
      %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
      %1 = stablehlo.reverse %0, dims = [0] : tensor<3x2xf32>
      %2 = stablehlo.broadcast %1, sizes = [4, 5] : (tensor<3x2xf32>) -> tensor<4x5x3x2xf32>
      %3 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<3x2xf32>) -> tensor<7x3x2xf32>
      %4 = stablehlo.concatenate %1, %1, dim = 1 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x4xf32>
      %5 = stablehlo.slice %4 [0:3, 1:4:2] : (tensor<3x4xf32>) -> tensor<3x2xf32>
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %6 = stablehlo.pad %5, %z, low = [1, -1], high = [0, 1], interior = [0, 0] : (tensor<3x2xf32>, tensor<f32>) -> tensor<4x2xf32>
      %7 = stablehlo.iota dim = 1 : tensor<4x2xi32>
      return %5 : tensor<3x2xf32> }""",
    "dynamic": """func.func @f(%a: tensor<?x?xf32>, %s: tensor<2xi32>, %i: tensor<i32>) -> tensor<?x?xf32> {
      %n = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
      %1 = stablehlo.dynamic_broadcast_in_dim %0, %s, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
      %2 = "stablehlo.dynamic_broadcast_in_dim"(%0, %s) <{broadcast_dimensions = array<i64: 0, 1>, known_expanding_dimensions = array<i64: 0>,
        known_nonexpanding_dimensions = array<i64: 1>}> : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
      %3 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>
      %4 = stablehlo.dynamic_pad %0, %z, %s, %s, %s : (tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
      %5 = stablehlo.real_dynamic_slice %0, %s, %s, %s : (tensor<?x?xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
      %6 = stablehlo.set_dimension_size %0, %i, dim = 0 : (tensor<?x?xf32>, tensor<i32>) -> tensor<?x?xf32>
      return %0 : tensor<?x?xf32> }""",
    "dynamic_slices": """func.func @f(%a: tensor<4x4xf32>, %i: tensor<i32>, %u: tensor<2x2xf32>) -> tensor<4x4xf32> {
      %0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [2, 2] : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
      %1 = stablehlo.dynamic_update_slice %a, %u, %i, %i : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
      return %1 : tensor<4x4xf32> }""",
    "dots": """func.func @f(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %c: tensor<3x4xf32>, %d: tensor<4x3xf32>) -> tensor<2x3x5xf32> {
      %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
      %1 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
      %2 = stablehlo.dot %c, %d : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
      %3 = stablehlo.dot %c, %d, precision = [HIGH, HIGH] : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
      %4 = stablehlo.einsum %c, %d, config = "ab,bc->ac" : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
      %5 = stablehlo.unary_einsum %c, config = "ab->a" : (tensor<3x4xf32>) -> tensor<3xf32>
      return %1 : tensor<2x3x5xf32> }""",
    "dot_algorithm": """func.func @f(%c: tensor<3x4xf32>, %d: tensor<4x3xf32>) -> tensor<3x3xf32> {
      %0 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32,
        accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
        allow_imprecise_accumulation = false> : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
      return %0 : tensor<3x3xf32> }""",
    "convolution": """func.func @f(%a: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32> {
      %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64,
        feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
      %1 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1],
        pad = [[1, 1], [0, 2]], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [true, false]} {batch_group_count = 1 : i64,
        feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]} :
        (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x8x6x16xf32>
      return %0 : tensor<1x6x6x16xf32> }""",
    "dynamic_conv": """func.func @f(%a: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x16xf32>, %p: tensor<2x2xi64>) -> tensor<1x?x?x16xf32> {
      %0 = "stablehlo.dynamic_conv"(%a, %k, %p) <{batch_group_count = 1 : i64, feature_group_count = 1 : i64,
        dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}> :
        (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>, tensor<2x2xi64>) -> tensor<1x?x?x16xf32>
      return %0 : tensor<1x?x?x16xf32> }""",
    "gather": """func.func @f(%a: tensor<3x4x2xi32>, %i: tensor<2x3x2xi64>) -> tensor<2x3x2x2xi32> {
      %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0],
        start_index_map = [1, 0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2, 2>, indices_are_sorted = true}> :
        (tensor<3x4x2xi32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xi32>
      return %0 : tensor<2x3x2x2xi32> }""",
    "gather_batching": """func.func @f(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32> {
      %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1],
        operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>,
        slice_sizes = array<i64: 1, 1, 2, 2>, indices_are_sorted = false}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
      return %0 : tensor<2x2x3x2x2xi32> }""",
    "dynamic_gather": """func.func @f(%a: tensor<3x4x2xi32>, %i: tensor<2x3x2xi64>, %s: tensor<3xi64>) -> tensor<2x3x?x?xi32> {
      %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0],
        start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = false}> :
        (tensor<3x4x2xi32>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x?x?xi32>
      return %0 : tensor<2x3x?x?xi32> }""",
    "scatter": """func.func @f(%a: tensor<3x4x2xf32>, %i: tensor<2x3x2xi64>, %u: tensor<2x3x2x2xf32>) -> tensor<3x4x2xf32> {
      %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3],
        inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, unique_indices = true}> ({ """ + ADD + """
        }) : (tensor<3x4x2xf32>, tensor<2x3x2xi64>, tensor<2x3x2x2xf32>) -> tensor<3x4x2xf32>
      return %0 : tensor<3x4x2xf32> }""",
    "torch_index_select": """func.func @f(%a: tensor<3x4xf32>, %i: tensor<2xi64>) -> tensor<2x4xf32> {
      %0 = "stablehlo.torch_index_select"(%a, %i) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<3x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
      return %0 : tensor<2x4xf32> }""",
    "reduce": """func.func @f(%a: tensor<2x3xf32>, %z: tensor<f32>) -> tensor<2xf32> {
      %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
      return %0 : tensor<2xf32> }""",
    "reduce_two": """func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xi32>, %z: tensor<f32>, %i: tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>) {
      %0:2 = stablehlo.reduce(%a init: %z), (%b init: %i) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>)
        -> (tensor<2xf32>, tensor<2xi32>) reducer(%x: tensor<f32>, %y: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {
        %1 = stablehlo.maximum %x, %y : tensor<f32> %2 = stablehlo.add %p, %q : tensor<i32> stablehlo.return %1, %2 : tensor<f32>, tensor<i32> }
      return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32> }""",
    "reduce_window": """func.func @f(%a: tensor<4x6xf32>, %z: tensor<f32>) -> tensor<2x5xf32> {
      %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ """ + ADD + """
        }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x5xf32>
      %1 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 2, 2>, padding = dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>,
        base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 2>}> ({ """ + ADD + """
        }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<7x5xf32>
      return %0 : tensor<2x5xf32> }""",
    "select_and_scatter": """func.func @f(%a: tensor<4x4xf32>, %w: tensor<2x2xf32>, %z: tensor<f32>) -> tensor<4x4xf32> {
      %0 = "stablehlo.select_and_scatter"(%a, %w, %z) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
        ^bb0(%x: tensor<f32>, %y: tensor<f32>): %c = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1> }, { """ + ADD + """ }) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
      return %0 : tensor<4x4xf32> }""",
    "sort": """func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xi32>) -> tensor<2x3xf32> {
      %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64, is_stable = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
        %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %c : tensor<i1>
        }) : (tensor<2x3xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
      %1 = "stablehlo.sort"(%a) ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %c : tensor<i1> }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
      return %0#0 : tensor<2x3xf32> }""",
    "map": """func.func @f(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %0 = "stablehlo.map"(%a, %a) <{dimensions = array<i64: 0, 1>}> ({ """ + ADD + """ }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
      return %0 : tensor<2x3xf32> }""",
    "linear_algebra": """func.func @f(%a: tensor<3x3xf32>) -> tensor<3x3xf32> {
      %0 = stablehlo.cholesky %a, lower = true : tensor<3x3xf32>
      %1 = stablehlo.cholesky %0 : tensor<3x3xf32>
      %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = false, unit_diagonal = false,
        transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
      return %2 : tensor<3x3xf32> }""",
    "fft": "func.func @f(%a: tensor<8xf32>) -> tensor<5xcomplex<f32>> { %0 = stablehlo.fft %a, type = RFFT, length = [8] : (tensor<8xf32>) -> "
           "tensor<5xcomplex<f32>> return %0 : tensor<5xcomplex<f32>> }",
    "random": """func.func @f(%a: tensor<f32>, %s: tensor<1xi64>, %k: tensor<2xui64>) -> tensor<4xui32> {
      %0 = stablehlo.rng %a, %a, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
      %1, %2 = stablehlo.rng_bit_generator %k, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
      return %2 : tensor<4xui32> }""",
    "batch_norm": """func.func @f(%a: tensor<2x3xf32>, %s: tensor<3xf32>) -> tensor<2x3xf32> {
      %0, %1, %2 = "stablehlo.batch_norm_training"(%a, %s, %s) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> :
        (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
      %3 = "stablehlo.batch_norm_inference"(%a, %s, %s, %1, %2) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> :
        (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
      %4, %5, %6 = "stablehlo.batch_norm_grad"(%a, %s, %1, %2, %3) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> :
        (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
      return %4 : tensor<2x3xf32> }""",
    "control": """func.func @f(%p: tensor<i1>, %i: tensor<i32>, %a: tensor<?xf32>) -> tensor<?xf32> {
      %0 = "stablehlo.if"(%p) ({ stablehlo.return %a : tensor<?xf32> }, { %n = stablehlo.negate %a : tensor<?xf32> stablehlo.return %n : tensor<?xf32> }) : (tensor<i1>) -> tensor<?xf32>
      %1 = "stablehlo.case"(%i) ({ stablehlo.return %0 : tensor<?xf32> }, { %n = stablehlo.abs %0 : tensor<?xf32> stablehlo.return %n : tensor<?xf32> }) : (tensor<i32>) -> tensor<?xf32>
      %2:2 = stablehlo.while(%j = %i, %x = %1) : tensor<i32>, tensor<?xf32> cond {
        %c = stablehlo.compare LT, %j, %i : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %c : tensor<i1>
      } do { %y = stablehlo.add %x, %a : tensor<?xf32> stablehlo.return %j, %y : tensor<i32>, tensor<?xf32> }
      return %2#1 : tensor<?xf32> }""",
    "barrier": """func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> { %0:2 = stablehlo.optimization_barrier %a, %a : tensor<4xf32>, tensor<4xf32>
      return %0#1 : tensor<4xf32> }""",
    "tuples": """func.func @f(%a: tensor<4xf32>, %b: tensor<i32>) -> tensor<i32> { %0 = stablehlo.tuple %a, %b : tuple<tensor<4xf32>, tensor<i32>>
      %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32> return %1 : tensor<i32> }""",
    "tokens": """func.func @f(%t: !stablehlo.token) -> !stablehlo.token { %0 = stablehlo.after_all %t, %t : !stablehlo.token
      %1 = stablehlo.create_token : !stablehlo.token %2 = stablehlo.after_all %1 : !stablehlo.token return %0 : !stablehlo.token }""",
    "channels": """func.func @f(%t: !stablehlo.token) -> !stablehlo.token {
      %0:2 = "stablehlo.infeed"(%t) <{infeed_config = "x", layout = [[0]]}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
      %1 = "stablehlo.outfeed"(%0#0, %0#1) : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
      %2 = "stablehlo.send"(%0#0, %1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
      %3:2 = "stablehlo.recv"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
      return %3#1 : !stablehlo.token }""",
    "collectives": """func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 7, type = 0>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<4x8xf32>
      %1 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({ """ + ADD + """ }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %2 = "stablehlo.all_to_all"(%1) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64,
        replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<2x8xf32>
      %3 = "stablehlo.collective_permute"(%1) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %4 = "stablehlo.reduce_scatter"(%1) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({ """ + ADD + """ }) : (tensor<4x4xf32>) -> tensor<2x4xf32>
      %5 = "stablehlo.cross-replica-sum"(%1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %6 = stablehlo.replica_id : tensor<ui32> %7 = stablehlo.partition_id : tensor<ui32>
      return %3 : tensor<4x4xf32> }""",
    "collective_broadcast": """func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> { %0 = "stablehlo.collective_broadcast"(%a) <{
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32> return %0 : tensor<4xf32> }""",
    "custom_calls": """func.func @g(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }
      func.func @f(%a: tensor<4xf32>, %b: tensor<2x2xf32>) -> tensor<4xf32> {
      %0 = stablehlo.custom_call @foo(%a, %b) {backend_config = "bar", has_side_effect = true, api_version = 2 : i32, called_computations = [@g],
        operand_layouts = [dense<[0]> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0]> : tensor<1xindex>],
        output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>],
        mhlo.extra = 3.5 : f64, other = [1 : i32, "x", true]} : (tensor<4xf32>, tensor<2x2xf32>) -> tensor<4xf32>
      %1 = stablehlo.custom_call @baz(%0) : (tensor<4xf32>) -> tensor<4xf32>
      return %1 : tensor<4xf32> }""",
    "custom_call_typed": """func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.custom_call @foo(%a) {backend_config = {k = 1 : i32, name = "v"}, api_version = 4 : i32} : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32> }""",
    "composite": """func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.composite "my.op" %a {composite_attributes = {n = 1 : i32}, decomposition = @d, version = 2 : i32} : (tensor<4xf32>) -> tensor<4xf32>
      %1 = stablehlo.composite "my.other" %0 {decomposition = @d} : (tensor<4xf32>) -> tensor<4xf32>
      return %1 : tensor<4xf32> }
      func.func private @d(%a: tensor<4xf32>) -> tensor<4xf32> { %0 = stablehlo.abs %a : tensor<4xf32> return %0 : tensor<4xf32> }""",
    "calls": """module @named attributes {mhlo.num_partitions = 2 : i32} {
      func.func public @main(%a: tensor<4xf32> {jax.buffer_donor = true, tf.aliasing_output = 0 : i32}, %b: tensor<i32>) -> (tensor<4xf32> {jax.result_info = "r"}, tensor<i32>) {
        %0:2 = call @g(%a, %b) : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>)
        return %0#0, %0#1 : tensor<4xf32>, tensor<i32> }
      func.func private @g(%a: tensor<4xf32>, %b: tensor<i32>) -> (tensor<4xf32>, tensor<i32>) { return %a, %b : tensor<4xf32>, tensor<i32> } }""",
}
