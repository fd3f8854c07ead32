func.func @h(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %p: tensor<4x8xi1>, %i: tensor<i32>, %s: tensor<f32>, %iv: tensor<2xi64>, %c: tensor<4x8xcomplex<f32>>, %ii: tensor<4x8xi32>, %u: tensor<4x8xui8>, %tk: !stablehlo.token, %m: tensor<4x4xf32>) {
  %pp = stablehlo.constant dense<true> : tensor<i1>
  %st = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %im = stablehlo.constant dense<1.0> : tensor<1x8x8x4xf32>
  %ke = stablehlo.constant dense<1.0> : tensor<3x3x4x16xf32>
  %gi = stablehlo.constant dense<0> : tensor<3x1xi32>
  %0 = stablehlo.add %a, %b : tensor<4x8xf32>
  %1 = stablehlo.select %p, %a, %b : tensor<4x8xi1>, tensor<4x8xf32>
  %2 = stablehlo.compare LT, %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  %3 = stablehlo.compare EQ, %a, %b, TOTALORDER : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  %4 = stablehlo.complex %a, %b : tensor<4x8xcomplex<f32>>
  %5 = stablehlo.real %c : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
  %6 = stablehlo.abs %c : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
  %7 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
  %8 = stablehlo.reshape %a : (tensor<4x8xf32>) -> tensor<32xf32>
  %9 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %10 = stablehlo.slice %a [0:2, 1:8:3] : (tensor<4x8xf32>) -> tensor<2x3xf32>
  %11 = stablehlo.dynamic_slice %a, %i, %i, sizes = [2, 2] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
  %12 = stablehlo.dynamic_update_slice %a, %11, %i, %i : (tensor<4x8xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  %13 = stablehlo.pad %a, %s, low = [0, 1], high = [1, -1], interior = [0, 2] : (tensor<4x8xf32>, tensor<f32>) -> tensor<5x22xf32>
  %14 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %15 = stablehlo.iota dim = 1 : tensor<4x8xi32>
  %16 = stablehlo.convert %a : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  %17 = stablehlo.bitcast_convert %a : (tensor<4x8xf32>) -> tensor<4x8xi32>
  %18 = stablehlo.clamp %s, %a, %s : (tensor<f32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %19 = stablehlo.reverse %a, dims = [0, 1] : tensor<4x8xf32>
  %20 = stablehlo.dot %a, %9, precision = [HIGHEST, DEFAULT] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %21 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
  %22 = stablehlo.reduce(%a init: %s) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %23:2 = stablehlo.reduce(%a init: %s), (%ii init: %i) across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    reducer(%x: tensor<f32>, %y: tensor<f32>) (%z: tensor<i32>, %w: tensor<i32>)  {
    %q = stablehlo.maximum %x, %y : tensor<f32>
    %r = stablehlo.add %z, %w : tensor<i32>
    stablehlo.return %q, %r : tensor<f32>, tensor<i32>
  }
  %24 = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %q = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %q : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %25 = "stablehlo.map"(%a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %26 = "stablehlo.if"(%pp) ({
    stablehlo.return %a : tensor<4x8xf32>
  }, {
    stablehlo.return %b : tensor<4x8xf32>
  }) : (tensor<i1>) -> tensor<4x8xf32>
  %27 = "stablehlo.case"(%i) ({
    stablehlo.return %a : tensor<4x8xf32>
  }) : (tensor<i32>) -> tensor<4x8xf32>
  %28 = stablehlo.rng %s, %s, %iv, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x8xf32>
  %29, %30 = stablehlo.rng_bit_generator %st, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  %31 = stablehlo.fft %c, type = FFT, length = [8] : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  %32 = stablehlo.cholesky %m, lower = true : tensor<4x4xf32>
  %33 = "stablehlo.triangular_solve"(%m, %m) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %34 = stablehlo.reduce_precision %a, format = e5m10 : tensor<4x8xf32>
  %35 = stablehlo.tuple %a, %i : tuple<tensor<4x8xf32>, tensor<i32>>
  %36 = stablehlo.get_tuple_element %35[1] : (tuple<tensor<4x8xf32>, tensor<i32>>) -> tensor<i32>
  %37 = stablehlo.optimization_barrier %a : tensor<4x8xf32>
  %38:2 = stablehlo.optimization_barrier %a, %i : tensor<4x8xf32>, tensor<i32>
  %39 = stablehlo.after_all %tk, %tk : !stablehlo.token
  %40 = stablehlo.create_token : !stablehlo.token
  %41 = stablehlo.custom_call @foo(%a, %b) {backend_config = "x", call_target_version = 1 : i32} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %42 = stablehlo.custom_call @bar() {api_version = 4 : i32, backend_config = {a = 1 : i32}} : () -> tensor<f32>
  %43 = stablehlo.dynamic_iota %iv, dim = 0 : (tensor<2xi64>) -> tensor<?x?xf32>
  %44 = stablehlo.dynamic_reshape %a, %iv : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %45 = stablehlo.dynamic_broadcast_in_dim %s, %iv, dims = [] : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  %46 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<4x8xf32>) -> tensor<i32>
  %47 = stablehlo.exponential %a {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4x8xf32>
  %48 = stablehlo.is_finite %a : (tensor<4x8xf32>) -> tensor<4x8xi1>
  %49 = stablehlo.shift_left %ii, %ii : tensor<4x8xi32>
  %50 = stablehlo.convolution(%im, %ke) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x4x5x16xf32>
  %51 = "stablehlo.gather"(%a, %gi) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>, indices_are_sorted = true}> : (tensor<4x8xf32>, tensor<3x1xi32>) -> tensor<3x8xf32>
  %52 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %q = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %q : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %53 = stablehlo.while(%x = %i) : tensor<i32>
   cond {
    %q = stablehlo.compare LT, %x, %x, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %q : tensor<i1>
  } do {
    stablehlo.return %x : tensor<i32>
  }
  %54 = stablehlo.composite "foo.bar" %a, %b {composite_attributes = {n = 1 : i32}, decomposition = @d, version = 1 : i32} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %55 = chlo.broadcast_add %a, %s : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %56 = chlo.erf %a : tensor<4x8xf32> -> tensor<4x8xf32>
  %57, %58 = chlo.top_k(%a, k = 3) : tensor<4x8xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  %59 = chlo.constant dense<1.0> : tensor<f32>
  %60 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  %64 = stablehlo.partition_id : tensor<ui32>
  %65 = stablehlo.einsum %a, %b, config = "ab,ab->a" : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
  %66 = stablehlo.set_dimension_size %a, %i, dim = 0 : (tensor<4x8xf32>, tensor<i32>) -> tensor<?x8xf32, #stablehlo.bounds<4, ?>>
  %67 = stablehlo.dynamic_pad %a, %s, %iv, %iv, %iv : (tensor<4x8xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}
func.func private @d(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  return %a : tensor<4x8xf32>
}
