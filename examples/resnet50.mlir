module @jit_resnet50 attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1000xf32>, %arg1: tensor<2x64xf32>, %arg2: tensor<2x64xf32>, %arg3: tensor<2x64xf32>, %arg4: tensor<2x256xf32>, %arg5: tensor<2x256xf32>, %arg6: tensor<1x1x64x64xf32>, %arg7: tensor<3x3x64x64xf32>, %arg8: tensor<1x1x64x256xf32>, %arg9: tensor<1x1x64x256xf32>, %arg10: tensor<2x64xf32>, %arg11: tensor<2x64xf32>, %arg12: tensor<2x256xf32>, %arg13: tensor<1x1x256x64xf32>, %arg14: tensor<3x3x64x64xf32>, %arg15: tensor<1x1x64x256xf32>, %arg16: tensor<2x64xf32>, %arg17: tensor<2x64xf32>, %arg18: tensor<2x256xf32>, %arg19: tensor<1x1x256x64xf32>, %arg20: tensor<3x3x64x64xf32>, %arg21: tensor<1x1x64x256xf32>, %arg22: tensor<2x128xf32>, %arg23: tensor<2x128xf32>, %arg24: tensor<2x512xf32>, %arg25: tensor<2x512xf32>, %arg26: tensor<1x1x256x128xf32>, %arg27: tensor<3x3x128x128xf32>, %arg28: tensor<1x1x128x512xf32>, %arg29: tensor<1x1x256x512xf32>, %arg30: tensor<2x128xf32>, %arg31: tensor<2x128xf32>, %arg32: tensor<2x512xf32>, %arg33: tensor<1x1x512x128xf32>, %arg34: tensor<3x3x128x128xf32>, %arg35: tensor<1x1x128x512xf32>, %arg36: tensor<2x128xf32>, %arg37: tensor<2x128xf32>, %arg38: tensor<2x512xf32>, %arg39: tensor<1x1x512x128xf32>, %arg40: tensor<3x3x128x128xf32>, %arg41: tensor<1x1x128x512xf32>, %arg42: tensor<2x128xf32>, %arg43: tensor<2x128xf32>, %arg44: tensor<2x512xf32>, %arg45: tensor<1x1x512x128xf32>, %arg46: tensor<3x3x128x128xf32>, %arg47: tensor<1x1x128x512xf32>, %arg48: tensor<2x256xf32>, %arg49: tensor<2x256xf32>, %arg50: tensor<2x1024xf32>, %arg51: tensor<2x1024xf32>, %arg52: tensor<1x1x512x256xf32>, %arg53: tensor<3x3x256x256xf32>, %arg54: tensor<1x1x256x1024xf32>, %arg55: tensor<1x1x512x1024xf32>, %arg56: tensor<2x256xf32>, %arg57: tensor<2x256xf32>, %arg58: tensor<2x1024xf32>, %arg59: tensor<1x1x1024x256xf32>, %arg60: tensor<3x3x256x256xf32>, %arg61: tensor<1x1x256x1024xf32>, %arg62: tensor<2x256xf32>, %arg63: tensor<2x256xf32>, %arg64: tensor<2x1024xf32>, %arg65: tensor<1x1x1024x256xf32>, %arg66: tensor<3x3x256x256xf32>, %arg67: tensor<1x1x256x1024xf32>, %arg68: tensor<2x256xf32>, %arg69: tensor<2x256xf32>, %arg70: tensor<2x1024xf32>, %arg71: tensor<1x1x1024x256xf32>, %arg72: tensor<3x3x256x256xf32>, %arg73: tensor<1x1x256x1024xf32>, %arg74: tensor<2x256xf32>, %arg75: tensor<2x256xf32>, %arg76: tensor<2x1024xf32>, %arg77: tensor<1x1x1024x256xf32>, %arg78: tensor<3x3x256x256xf32>, %arg79: tensor<1x1x256x1024xf32>, %arg80: tensor<2x256xf32>, %arg81: tensor<2x256xf32>, %arg82: tensor<2x1024xf32>, %arg83: tensor<1x1x1024x256xf32>, %arg84: tensor<3x3x256x256xf32>, %arg85: tensor<1x1x256x1024xf32>, %arg86: tensor<2x512xf32>, %arg87: tensor<2x512xf32>, %arg88: tensor<2x2048xf32>, %arg89: tensor<2x2048xf32>, %arg90: tensor<1x1x1024x512xf32>, %arg91: tensor<3x3x512x512xf32>, %arg92: tensor<1x1x512x2048xf32>, %arg93: tensor<1x1x1024x2048xf32>, %arg94: tensor<2x512xf32>, %arg95: tensor<2x512xf32>, %arg96: tensor<2x2048xf32>, %arg97: tensor<1x1x2048x512xf32>, %arg98: tensor<3x3x512x512xf32>, %arg99: tensor<1x1x512x2048xf32>, %arg100: tensor<2x512xf32>, %arg101: tensor<2x512xf32>, %arg102: tensor<2x2048xf32>, %arg103: tensor<1x1x2048x512xf32>, %arg104: tensor<3x3x512x512xf32>, %arg105: tensor<1x1x512x2048xf32>, %arg106: tensor<7x7x3x64xf32>, %arg107: tensor<2048x1000xf32>, %arg108: tensor<?x224x224x3xf32>) -> (tensor<?x1000xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg108, dim = 0 : (tensor<?x224x224x3xf32>) -> tensor<i32>
    %1 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[1].shape = (b, 224, 224, 3). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[1].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %2 = call @_wrapped_jax_export_main(%0, %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12, %arg13, %arg14, %arg15, %arg16, %arg17, %arg18, %arg19, %arg20, %arg21, %arg22, %arg23, %arg24, %arg25, %arg26, %arg27, %arg28, %arg29, %arg30, %arg31, %arg32, %arg33, %arg34, %arg35, %arg36, %arg37, %arg38, %arg39, %arg40, %arg41, %arg42, %arg43, %arg44, %arg45, %arg46, %arg47, %arg48, %arg49, %arg50, %arg51, %arg52, %arg53, %arg54, %arg55, %arg56, %arg57, %arg58, %arg59, %arg60, %arg61, %arg62, %arg63, %arg64, %arg65, %arg66, %arg67, %arg68, %arg69, %arg70, %arg71, %arg72, %arg73, %arg74, %arg75, %arg76, %arg77, %arg78, %arg79, %arg80, %arg81, %arg82, %arg83, %arg84, %arg85, %arg86, %arg87, %arg88, %arg89, %arg90, %arg91, %arg92, %arg93, %arg94, %arg95, %arg96, %arg97, %arg98, %arg99, %arg100, %arg101, %arg102, %arg103, %arg104, %arg105, %arg106, %arg107, %arg108) : (tensor<i32>, tensor<1000xf32>, tensor<2x64xf32>, tensor<2x64xf32>, tensor<2x64xf32>, tensor<2x256xf32>, tensor<2x256xf32>, tensor<1x1x64x64xf32>, tensor<3x3x64x64xf32>, tensor<1x1x64x256xf32>, tensor<1x1x64x256xf32>, tensor<2x64xf32>, tensor<2x64xf32>, tensor<2x256xf32>, tensor<1x1x256x64xf32>, tensor<3x3x64x64xf32>, tensor<1x1x64x256xf32>, tensor<2x64xf32>, tensor<2x64xf32>, tensor<2x256xf32>, tensor<1x1x256x64xf32>, tensor<3x3x64x64xf32>, tensor<1x1x64x256xf32>, tensor<2x128xf32>, tensor<2x128xf32>, tensor<2x512xf32>, tensor<2x512xf32>, tensor<1x1x256x128xf32>, tensor<3x3x128x128xf32>, tensor<1x1x128x512xf32>, tensor<1x1x256x512xf32>, tensor<2x128xf32>, tensor<2x128xf32>, tensor<2x512xf32>, tensor<1x1x512x128xf32>, tensor<3x3x128x128xf32>, tensor<1x1x128x512xf32>, tensor<2x128xf32>, tensor<2x128xf32>, tensor<2x512xf32>, tensor<1x1x512x128xf32>, tensor<3x3x128x128xf32>, tensor<1x1x128x512xf32>, tensor<2x128xf32>, tensor<2x128xf32>, tensor<2x512xf32>, tensor<1x1x512x128xf32>, tensor<3x3x128x128xf32>, tensor<1x1x128x512xf32>, tensor<2x256xf32>, tensor<2x256xf32>, tensor<2x1024xf32>, tensor<2x1024xf32>, tensor<1x1x512x256xf32>, tensor<3x3x256x256xf32>, tensor<1x1x256x1024xf32>, tensor<1x1x512x1024xf32>, tensor<2x256xf32>, tensor<2x256xf32>, tensor<2x1024xf32>, tensor<1x1x1024x256xf32>, tensor<3x3x256x256xf32>, tensor<1x1x256x1024xf32>, tensor<2x256xf32>, tensor<2x256xf32>, tensor<2x1024xf32>, tensor<1x1x1024x256xf32>, tensor<3x3x256x256xf32>, tensor<1x1x256x1024xf32>, tensor<2x256xf32>, tensor<2x256xf32>, tensor<2x1024xf32>, tensor<1x1x1024x256xf32>, tensor<3x3x256x256xf32>, tensor<1x1x256x1024xf32>, tensor<2x256xf32>, tensor<2x256xf32>, tensor<2x1024xf32>, tensor<1x1x1024x256xf32>, tensor<3x3x256x256xf32>, tensor<1x1x256x1024xf32>, tensor<2x256xf32>, tensor<2x256xf32>, tensor<2x1024xf32>, tensor<1x1x1024x256xf32>, tensor<3x3x256x256xf32>, tensor<1x1x256x1024xf32>, tensor<2x512xf32>, tensor<2x512xf32>, tensor<2x2048xf32>, tensor<2x2048xf32>, tensor<1x1x1024x512xf32>, tensor<3x3x512x512xf32>, tensor<1x1x512x2048xf32>, tensor<1x1x1024x2048xf32>, tensor<2x512xf32>, tensor<2x512xf32>, tensor<2x2048xf32>, tensor<1x1x2048x512xf32>, tensor<3x3x512x512xf32>, tensor<1x1x512x2048xf32>, tensor<2x512xf32>, tensor<2x512xf32>, tensor<2x2048xf32>, tensor<1x1x2048x512xf32>, tensor<3x3x512x512xf32>, tensor<1x1x512x2048xf32>, tensor<7x7x3x64xf32>, tensor<2048x1000xf32>, tensor<?x224x224x3xf32>) -> tensor<?x1000xf32>
    return %2 : tensor<?x1000xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<1000xf32>, %arg2: tensor<2x64xf32>, %arg3: tensor<2x64xf32>, %arg4: tensor<2x64xf32>, %arg5: tensor<2x256xf32>, %arg6: tensor<2x256xf32>, %arg7: tensor<1x1x64x64xf32>, %arg8: tensor<3x3x64x64xf32>, %arg9: tensor<1x1x64x256xf32>, %arg10: tensor<1x1x64x256xf32>, %arg11: tensor<2x64xf32>, %arg12: tensor<2x64xf32>, %arg13: tensor<2x256xf32>, %arg14: tensor<1x1x256x64xf32>, %arg15: tensor<3x3x64x64xf32>, %arg16: tensor<1x1x64x256xf32>, %arg17: tensor<2x64xf32>, %arg18: tensor<2x64xf32>, %arg19: tensor<2x256xf32>, %arg20: tensor<1x1x256x64xf32>, %arg21: tensor<3x3x64x64xf32>, %arg22: tensor<1x1x64x256xf32>, %arg23: tensor<2x128xf32>, %arg24: tensor<2x128xf32>, %arg25: tensor<2x512xf32>, %arg26: tensor<2x512xf32>, %arg27: tensor<1x1x256x128xf32>, %arg28: tensor<3x3x128x128xf32>, %arg29: tensor<1x1x128x512xf32>, %arg30: tensor<1x1x256x512xf32>, %arg31: tensor<2x128xf32>, %arg32: tensor<2x128xf32>, %arg33: tensor<2x512xf32>, %arg34: tensor<1x1x512x128xf32>, %arg35: tensor<3x3x128x128xf32>, %arg36: tensor<1x1x128x512xf32>, %arg37: tensor<2x128xf32>, %arg38: tensor<2x128xf32>, %arg39: tensor<2x512xf32>, %arg40: tensor<1x1x512x128xf32>, %arg41: tensor<3x3x128x128xf32>, %arg42: tensor<1x1x128x512xf32>, %arg43: tensor<2x128xf32>, %arg44: tensor<2x128xf32>, %arg45: tensor<2x512xf32>, %arg46: tensor<1x1x512x128xf32>, %arg47: tensor<3x3x128x128xf32>, %arg48: tensor<1x1x128x512xf32>, %arg49: tensor<2x256xf32>, %arg50: tensor<2x256xf32>, %arg51: tensor<2x1024xf32>, %arg52: tensor<2x1024xf32>, %arg53: tensor<1x1x512x256xf32>, %arg54: tensor<3x3x256x256xf32>, %arg55: tensor<1x1x256x1024xf32>, %arg56: tensor<1x1x512x1024xf32>, %arg57: tensor<2x256xf32>, %arg58: tensor<2x256xf32>, %arg59: tensor<2x1024xf32>, %arg60: tensor<1x1x1024x256xf32>, %arg61: tensor<3x3x256x256xf32>, %arg62: tensor<1x1x256x1024xf32>, %arg63: tensor<2x256xf32>, %arg64: tensor<2x256xf32>, %arg65: tensor<2x1024xf32>, %arg66: tensor<1x1x1024x256xf32>, %arg67: tensor<3x3x256x256xf32>, %arg68: tensor<1x1x256x1024xf32>, %arg69: tensor<2x256xf32>, %arg70: tensor<2x256xf32>, %arg71: tensor<2x1024xf32>, %arg72: tensor<1x1x1024x256xf32>, %arg73: tensor<3x3x256x256xf32>, %arg74: tensor<1x1x256x1024xf32>, %arg75: tensor<2x256xf32>, %arg76: tensor<2x256xf32>, %arg77: tensor<2x1024xf32>, %arg78: tensor<1x1x1024x256xf32>, %arg79: tensor<3x3x256x256xf32>, %arg80: tensor<1x1x256x1024xf32>, %arg81: tensor<2x256xf32>, %arg82: tensor<2x256xf32>, %arg83: tensor<2x1024xf32>, %arg84: tensor<1x1x1024x256xf32>, %arg85: tensor<3x3x256x256xf32>, %arg86: tensor<1x1x256x1024xf32>, %arg87: tensor<2x512xf32>, %arg88: tensor<2x512xf32>, %arg89: tensor<2x2048xf32>, %arg90: tensor<2x2048xf32>, %arg91: tensor<1x1x1024x512xf32>, %arg92: tensor<3x3x512x512xf32>, %arg93: tensor<1x1x512x2048xf32>, %arg94: tensor<1x1x1024x2048xf32>, %arg95: tensor<2x512xf32>, %arg96: tensor<2x512xf32>, %arg97: tensor<2x2048xf32>, %arg98: tensor<1x1x2048x512xf32>, %arg99: tensor<3x3x512x512xf32>, %arg100: tensor<1x1x512x2048xf32>, %arg101: tensor<2x512xf32>, %arg102: tensor<2x512xf32>, %arg103: tensor<2x2048xf32>, %arg104: tensor<1x1x2048x512xf32>, %arg105: tensor<3x3x512x512xf32>, %arg106: tensor<1x1x512x2048xf32>, %arg107: tensor<7x7x3x64xf32>, %arg108: tensor<2048x1000xf32>, %arg109: tensor<?x224x224x3xf32>) -> (tensor<?x1000xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<1000> : tensor<1xi32>
    %cst = stablehlo.constant dense<4.900000e+01> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c_1 = stablehlo.constant dense<2048> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<7> : tensor<1xi32>
    %c_3 = stablehlo.constant dense<1024> : tensor<1xi32>
    %c_4 = stablehlo.constant dense<14> : tensor<1xi32>
    %c_5 = stablehlo.constant dense<512> : tensor<1xi32>
    %c_6 = stablehlo.constant dense<128> : tensor<1xi32>
    %c_7 = stablehlo.constant dense<28> : tensor<1xi32>
    %c_8 = stablehlo.constant dense<256> : tensor<1xi32>
    %c_9 = stablehlo.constant dense<56> : tensor<1xi32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c_11 = stablehlo.constant dense<64> : tensor<1xi32>
    %c_12 = stablehlo.constant dense<112> : tensor<1xi32>
    %0 = stablehlo.convolution(%arg109, %arg107) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[3, 3], [3, 3]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x224x224x3xf32>, tensor<7x7x3x64xf32>) -> tensor<?x112x112x64xf32>
    %1 = stablehlo.slice %arg2 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x64xf32>) -> tensor<64xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %4 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %4, %c_12, %c_12, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %6 = stablehlo.dynamic_broadcast_in_dim %3, %5, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>, tensor<4xi32>) -> tensor<?x112x112x64xf32>
    %7 = stablehlo.multiply %0, %6 : tensor<?x112x112x64xf32>
    %8 = stablehlo.slice %arg2 [1:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
    %9 = stablehlo.reshape %8 : (tensor<1x64xf32>) -> tensor<64xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %11 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %12 = stablehlo.concatenate %11, %c_12, %c_12, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %13 = stablehlo.dynamic_broadcast_in_dim %10, %12, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>, tensor<4xi32>) -> tensor<?x112x112x64xf32>
    %14 = stablehlo.add %7, %13 : tensor<?x112x112x64xf32>
    %15 = call @relu(%arg0, %14) : (tensor<i32>, tensor<?x112x112x64xf32>) -> tensor<?x112x112x64xf32>
    %16 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<f32>
    %17 = "stablehlo.reduce_window"(%15, %16) <{padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg110: tensor<f32>, %arg111: tensor<f32>):
      %873 = stablehlo.maximum %arg110, %arg111 : tensor<f32>
      stablehlo.return %873 : tensor<f32>
    }) : (tensor<?x112x112x64xf32>, tensor<f32>) -> tensor<?x56x56x64xf32>
    %18 = stablehlo.convolution(%17, %arg7) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x56x56x64xf32>, tensor<1x1x64x64xf32>) -> tensor<?x56x56x64xf32>
    %19 = stablehlo.slice %arg3 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
    %20 = stablehlo.reshape %19 : (tensor<1x64xf32>) -> tensor<64xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %22 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %23 = stablehlo.concatenate %22, %c_9, %c_9, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %24 = stablehlo.dynamic_broadcast_in_dim %21, %23, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>, tensor<4xi32>) -> tensor<?x56x56x64xf32>
    %25 = stablehlo.multiply %18, %24 : tensor<?x56x56x64xf32>
    %26 = stablehlo.slice %arg3 [1:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
    %27 = stablehlo.reshape %26 : (tensor<1x64xf32>) -> tensor<64xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %29 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %30 = stablehlo.concatenate %29, %c_9, %c_9, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %31 = stablehlo.dynamic_broadcast_in_dim %28, %30, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>, tensor<4xi32>) -> tensor<?x56x56x64xf32>
    %32 = stablehlo.add %25, %31 : tensor<?x56x56x64xf32>
    %33 = call @relu_0(%arg0, %32) : (tensor<i32>, tensor<?x56x56x64xf32>) -> tensor<?x56x56x64xf32>
    %34 = stablehlo.convolution(%33, %arg8) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<?x56x56x64xf32>
    %35 = stablehlo.slice %arg4 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
    %36 = stablehlo.reshape %35 : (tensor<1x64xf32>) -> tensor<64xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %38 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %39 = stablehlo.concatenate %38, %c_9, %c_9, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %40 = stablehlo.dynamic_broadcast_in_dim %37, %39, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>, tensor<4xi32>) -> tensor<?x56x56x64xf32>
    %41 = stablehlo.multiply %34, %40 : tensor<?x56x56x64xf32>
    %42 = stablehlo.slice %arg4 [1:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
    %43 = stablehlo.reshape %42 : (tensor<1x64xf32>) -> tensor<64xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %45 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %46 = stablehlo.concatenate %45, %c_9, %c_9, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %47 = stablehlo.dynamic_broadcast_in_dim %44, %46, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>, tensor<4xi32>) -> tensor<?x56x56x64xf32>
    %48 = stablehlo.add %41, %47 : tensor<?x56x56x64xf32>
    %49 = call @relu_0(%arg0, %48) : (tensor<i32>, tensor<?x56x56x64xf32>) -> tensor<?x56x56x64xf32>
    %50 = stablehlo.convolution(%49, %arg9) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x56x56x64xf32>, tensor<1x1x64x256xf32>) -> tensor<?x56x56x256xf32>
    %51 = stablehlo.slice %arg5 [0:1, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %52 = stablehlo.reshape %51 : (tensor<1x256xf32>) -> tensor<256xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %54 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %55 = stablehlo.concatenate %54, %c_9, %c_9, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %56 = stablehlo.dynamic_broadcast_in_dim %53, %55, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x56x56x256xf32>
    %57 = stablehlo.multiply %50, %56 : tensor<?x56x56x256xf32>
    %58 = stablehlo.slice %arg5 [1:2, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %59 = stablehlo.reshape %58 : (tensor<1x256xf32>) -> tensor<256xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %61 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %62 = stablehlo.concatenate %61, %c_9, %c_9, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %63 = stablehlo.dynamic_broadcast_in_dim %60, %62, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x56x56x256xf32>
    %64 = stablehlo.add %57, %63 : tensor<?x56x56x256xf32>
    %65 = stablehlo.convolution(%17, %arg10) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x56x56x64xf32>, tensor<1x1x64x256xf32>) -> tensor<?x56x56x256xf32>
    %66 = stablehlo.slice %arg6 [0:1, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %67 = stablehlo.reshape %66 : (tensor<1x256xf32>) -> tensor<256xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %69 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %70 = stablehlo.concatenate %69, %c_9, %c_9, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %71 = stablehlo.dynamic_broadcast_in_dim %68, %70, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x56x56x256xf32>
    %72 = stablehlo.multiply %65, %71 : tensor<?x56x56x256xf32>
    %73 = stablehlo.slice %arg6 [1:2, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %74 = stablehlo.reshape %73 : (tensor<1x256xf32>) -> tensor<256xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %76 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %77 = stablehlo.concatenate %76, %c_9, %c_9, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %78 = stablehlo.dynamic_broadcast_in_dim %75, %77, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x56x56x256xf32>
    %79 = stablehlo.add %72, %78 : tensor<?x56x56x256xf32>
    %80 = stablehlo.add %79, %64 : tensor<?x56x56x256xf32>
    %81 = call @relu_1(%arg0, %80) : (tensor<i32>, tensor<?x56x56x256xf32>) -> tensor<?x56x56x256xf32>
    %82 = stablehlo.convolution(%81, %arg14) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x56x56x256xf32>, tensor<1x1x256x64xf32>) -> tensor<?x56x56x64xf32>
    %83 = stablehlo.slice %arg11 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
    %84 = stablehlo.reshape %83 : (tensor<1x64xf32>) -> tensor<64xf32>
    %85 = stablehlo.broadcast_in_dim %84, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %86 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %87 = stablehlo.concatenate %86, %c_9, %c_9, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %88 = stablehlo.dynamic_broadcast_in_dim %85, %87, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>, tensor<4xi32>) -> tensor<?x56x56x64xf32>
    %89 = stablehlo.multiply %82, %88 : tensor<?x56x56x64xf32>
    %90 = stablehlo.slice %arg11 [1:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
    %91 = stablehlo.reshape %90 : (tensor<1x64xf32>) -> tensor<64xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %93 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %94 = stablehlo.concatenate %93, %c_9, %c_9, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %95 = stablehlo.dynamic_broadcast_in_dim %92, %94, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>, tensor<4xi32>) -> tensor<?x56x56x64xf32>
    %96 = stablehlo.add %89, %95 : tensor<?x56x56x64xf32>
    %97 = call @relu_0(%arg0, %96) : (tensor<i32>, tensor<?x56x56x64xf32>) -> tensor<?x56x56x64xf32>
    %98 = stablehlo.convolution(%97, %arg15) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<?x56x56x64xf32>
    %99 = stablehlo.slice %arg12 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
    %100 = stablehlo.reshape %99 : (tensor<1x64xf32>) -> tensor<64xf32>
    %101 = stablehlo.broadcast_in_dim %100, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %102 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %103 = stablehlo.concatenate %102, %c_9, %c_9, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %104 = stablehlo.dynamic_broadcast_in_dim %101, %103, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>, tensor<4xi32>) -> tensor<?x56x56x64xf32>
    %105 = stablehlo.multiply %98, %104 : tensor<?x56x56x64xf32>
    %106 = stablehlo.slice %arg12 [1:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
    %107 = stablehlo.reshape %106 : (tensor<1x64xf32>) -> tensor<64xf32>
    %108 = stablehlo.broadcast_in_dim %107, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %109 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %110 = stablehlo.concatenate %109, %c_9, %c_9, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %111 = stablehlo.dynamic_broadcast_in_dim %108, %110, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>, tensor<4xi32>) -> tensor<?x56x56x64xf32>
    %112 = stablehlo.add %105, %111 : tensor<?x56x56x64xf32>
    %113 = call @relu_0(%arg0, %112) : (tensor<i32>, tensor<?x56x56x64xf32>) -> tensor<?x56x56x64xf32>
    %114 = stablehlo.convolution(%113, %arg16) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x56x56x64xf32>, tensor<1x1x64x256xf32>) -> tensor<?x56x56x256xf32>
    %115 = stablehlo.slice %arg13 [0:1, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %116 = stablehlo.reshape %115 : (tensor<1x256xf32>) -> tensor<256xf32>
    %117 = stablehlo.broadcast_in_dim %116, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %118 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %119 = stablehlo.concatenate %118, %c_9, %c_9, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %120 = stablehlo.dynamic_broadcast_in_dim %117, %119, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x56x56x256xf32>
    %121 = stablehlo.multiply %114, %120 : tensor<?x56x56x256xf32>
    %122 = stablehlo.slice %arg13 [1:2, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %123 = stablehlo.reshape %122 : (tensor<1x256xf32>) -> tensor<256xf32>
    %124 = stablehlo.broadcast_in_dim %123, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %125 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %126 = stablehlo.concatenate %125, %c_9, %c_9, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %127 = stablehlo.dynamic_broadcast_in_dim %124, %126, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x56x56x256xf32>
    %128 = stablehlo.add %121, %127 : tensor<?x56x56x256xf32>
    %129 = stablehlo.add %81, %128 : tensor<?x56x56x256xf32>
    %130 = call @relu_1(%arg0, %129) : (tensor<i32>, tensor<?x56x56x256xf32>) -> tensor<?x56x56x256xf32>
    %131 = stablehlo.convolution(%130, %arg20) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x56x56x256xf32>, tensor<1x1x256x64xf32>) -> tensor<?x56x56x64xf32>
    %132 = stablehlo.slice %arg17 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
    %133 = stablehlo.reshape %132 : (tensor<1x64xf32>) -> tensor<64xf32>
    %134 = stablehlo.broadcast_in_dim %133, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %135 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %136 = stablehlo.concatenate %135, %c_9, %c_9, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %137 = stablehlo.dynamic_broadcast_in_dim %134, %136, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>, tensor<4xi32>) -> tensor<?x56x56x64xf32>
    %138 = stablehlo.multiply %131, %137 : tensor<?x56x56x64xf32>
    %139 = stablehlo.slice %arg17 [1:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
    %140 = stablehlo.reshape %139 : (tensor<1x64xf32>) -> tensor<64xf32>
    %141 = stablehlo.broadcast_in_dim %140, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %142 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %143 = stablehlo.concatenate %142, %c_9, %c_9, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %144 = stablehlo.dynamic_broadcast_in_dim %141, %143, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>, tensor<4xi32>) -> tensor<?x56x56x64xf32>
    %145 = stablehlo.add %138, %144 : tensor<?x56x56x64xf32>
    %146 = call @relu_0(%arg0, %145) : (tensor<i32>, tensor<?x56x56x64xf32>) -> tensor<?x56x56x64xf32>
    %147 = stablehlo.convolution(%146, %arg21) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<?x56x56x64xf32>
    %148 = stablehlo.slice %arg18 [0:1, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
    %149 = stablehlo.reshape %148 : (tensor<1x64xf32>) -> tensor<64xf32>
    %150 = stablehlo.broadcast_in_dim %149, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %151 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %152 = stablehlo.concatenate %151, %c_9, %c_9, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %153 = stablehlo.dynamic_broadcast_in_dim %150, %152, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>, tensor<4xi32>) -> tensor<?x56x56x64xf32>
    %154 = stablehlo.multiply %147, %153 : tensor<?x56x56x64xf32>
    %155 = stablehlo.slice %arg18 [1:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
    %156 = stablehlo.reshape %155 : (tensor<1x64xf32>) -> tensor<64xf32>
    %157 = stablehlo.broadcast_in_dim %156, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %158 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %159 = stablehlo.concatenate %158, %c_9, %c_9, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %160 = stablehlo.dynamic_broadcast_in_dim %157, %159, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>, tensor<4xi32>) -> tensor<?x56x56x64xf32>
    %161 = stablehlo.add %154, %160 : tensor<?x56x56x64xf32>
    %162 = call @relu_0(%arg0, %161) : (tensor<i32>, tensor<?x56x56x64xf32>) -> tensor<?x56x56x64xf32>
    %163 = stablehlo.convolution(%162, %arg22) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x56x56x64xf32>, tensor<1x1x64x256xf32>) -> tensor<?x56x56x256xf32>
    %164 = stablehlo.slice %arg19 [0:1, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %165 = stablehlo.reshape %164 : (tensor<1x256xf32>) -> tensor<256xf32>
    %166 = stablehlo.broadcast_in_dim %165, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %167 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %168 = stablehlo.concatenate %167, %c_9, %c_9, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %169 = stablehlo.dynamic_broadcast_in_dim %166, %168, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x56x56x256xf32>
    %170 = stablehlo.multiply %163, %169 : tensor<?x56x56x256xf32>
    %171 = stablehlo.slice %arg19 [1:2, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %172 = stablehlo.reshape %171 : (tensor<1x256xf32>) -> tensor<256xf32>
    %173 = stablehlo.broadcast_in_dim %172, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %174 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %175 = stablehlo.concatenate %174, %c_9, %c_9, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %176 = stablehlo.dynamic_broadcast_in_dim %173, %175, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x56x56x256xf32>
    %177 = stablehlo.add %170, %176 : tensor<?x56x56x256xf32>
    %178 = stablehlo.add %130, %177 : tensor<?x56x56x256xf32>
    %179 = call @relu_1(%arg0, %178) : (tensor<i32>, tensor<?x56x56x256xf32>) -> tensor<?x56x56x256xf32>
    %180 = stablehlo.convolution(%179, %arg27) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x56x56x256xf32>, tensor<1x1x256x128xf32>) -> tensor<?x28x28x128xf32>
    %181 = stablehlo.slice %arg23 [0:1, 0:128] : (tensor<2x128xf32>) -> tensor<1x128xf32>
    %182 = stablehlo.reshape %181 : (tensor<1x128xf32>) -> tensor<128xf32>
    %183 = stablehlo.broadcast_in_dim %182, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %184 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %185 = stablehlo.concatenate %184, %c_7, %c_7, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %186 = stablehlo.dynamic_broadcast_in_dim %183, %185, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>, tensor<4xi32>) -> tensor<?x28x28x128xf32>
    %187 = stablehlo.multiply %180, %186 : tensor<?x28x28x128xf32>
    %188 = stablehlo.slice %arg23 [1:2, 0:128] : (tensor<2x128xf32>) -> tensor<1x128xf32>
    %189 = stablehlo.reshape %188 : (tensor<1x128xf32>) -> tensor<128xf32>
    %190 = stablehlo.broadcast_in_dim %189, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %191 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %192 = stablehlo.concatenate %191, %c_7, %c_7, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %193 = stablehlo.dynamic_broadcast_in_dim %190, %192, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>, tensor<4xi32>) -> tensor<?x28x28x128xf32>
    %194 = stablehlo.add %187, %193 : tensor<?x28x28x128xf32>
    %195 = call @relu_2(%arg0, %194) : (tensor<i32>, tensor<?x28x28x128xf32>) -> tensor<?x28x28x128xf32>
    %196 = stablehlo.convolution(%195, %arg28) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<?x28x28x128xf32>
    %197 = stablehlo.slice %arg24 [0:1, 0:128] : (tensor<2x128xf32>) -> tensor<1x128xf32>
    %198 = stablehlo.reshape %197 : (tensor<1x128xf32>) -> tensor<128xf32>
    %199 = stablehlo.broadcast_in_dim %198, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %200 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %201 = stablehlo.concatenate %200, %c_7, %c_7, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %202 = stablehlo.dynamic_broadcast_in_dim %199, %201, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>, tensor<4xi32>) -> tensor<?x28x28x128xf32>
    %203 = stablehlo.multiply %196, %202 : tensor<?x28x28x128xf32>
    %204 = stablehlo.slice %arg24 [1:2, 0:128] : (tensor<2x128xf32>) -> tensor<1x128xf32>
    %205 = stablehlo.reshape %204 : (tensor<1x128xf32>) -> tensor<128xf32>
    %206 = stablehlo.broadcast_in_dim %205, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %207 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %208 = stablehlo.concatenate %207, %c_7, %c_7, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %209 = stablehlo.dynamic_broadcast_in_dim %206, %208, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>, tensor<4xi32>) -> tensor<?x28x28x128xf32>
    %210 = stablehlo.add %203, %209 : tensor<?x28x28x128xf32>
    %211 = call @relu_2(%arg0, %210) : (tensor<i32>, tensor<?x28x28x128xf32>) -> tensor<?x28x28x128xf32>
    %212 = stablehlo.convolution(%211, %arg29) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x28x28x128xf32>, tensor<1x1x128x512xf32>) -> tensor<?x28x28x512xf32>
    %213 = stablehlo.slice %arg25 [0:1, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %214 = stablehlo.reshape %213 : (tensor<1x512xf32>) -> tensor<512xf32>
    %215 = stablehlo.broadcast_in_dim %214, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %216 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %217 = stablehlo.concatenate %216, %c_7, %c_7, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %218 = stablehlo.dynamic_broadcast_in_dim %215, %217, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x28x28x512xf32>
    %219 = stablehlo.multiply %212, %218 : tensor<?x28x28x512xf32>
    %220 = stablehlo.slice %arg25 [1:2, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %221 = stablehlo.reshape %220 : (tensor<1x512xf32>) -> tensor<512xf32>
    %222 = stablehlo.broadcast_in_dim %221, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %223 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %224 = stablehlo.concatenate %223, %c_7, %c_7, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %225 = stablehlo.dynamic_broadcast_in_dim %222, %224, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x28x28x512xf32>
    %226 = stablehlo.add %219, %225 : tensor<?x28x28x512xf32>
    %227 = stablehlo.convolution(%179, %arg30) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x56x56x256xf32>, tensor<1x1x256x512xf32>) -> tensor<?x28x28x512xf32>
    %228 = stablehlo.slice %arg26 [0:1, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %229 = stablehlo.reshape %228 : (tensor<1x512xf32>) -> tensor<512xf32>
    %230 = stablehlo.broadcast_in_dim %229, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %231 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %232 = stablehlo.concatenate %231, %c_7, %c_7, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %233 = stablehlo.dynamic_broadcast_in_dim %230, %232, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x28x28x512xf32>
    %234 = stablehlo.multiply %227, %233 : tensor<?x28x28x512xf32>
    %235 = stablehlo.slice %arg26 [1:2, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %236 = stablehlo.reshape %235 : (tensor<1x512xf32>) -> tensor<512xf32>
    %237 = stablehlo.broadcast_in_dim %236, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %238 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %239 = stablehlo.concatenate %238, %c_7, %c_7, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %240 = stablehlo.dynamic_broadcast_in_dim %237, %239, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x28x28x512xf32>
    %241 = stablehlo.add %234, %240 : tensor<?x28x28x512xf32>
    %242 = stablehlo.add %241, %226 : tensor<?x28x28x512xf32>
    %243 = call @relu_3(%arg0, %242) : (tensor<i32>, tensor<?x28x28x512xf32>) -> tensor<?x28x28x512xf32>
    %244 = stablehlo.convolution(%243, %arg34) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x28x28x512xf32>, tensor<1x1x512x128xf32>) -> tensor<?x28x28x128xf32>
    %245 = stablehlo.slice %arg31 [0:1, 0:128] : (tensor<2x128xf32>) -> tensor<1x128xf32>
    %246 = stablehlo.reshape %245 : (tensor<1x128xf32>) -> tensor<128xf32>
    %247 = stablehlo.broadcast_in_dim %246, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %248 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %249 = stablehlo.concatenate %248, %c_7, %c_7, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %250 = stablehlo.dynamic_broadcast_in_dim %247, %249, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>, tensor<4xi32>) -> tensor<?x28x28x128xf32>
    %251 = stablehlo.multiply %244, %250 : tensor<?x28x28x128xf32>
    %252 = stablehlo.slice %arg31 [1:2, 0:128] : (tensor<2x128xf32>) -> tensor<1x128xf32>
    %253 = stablehlo.reshape %252 : (tensor<1x128xf32>) -> tensor<128xf32>
    %254 = stablehlo.broadcast_in_dim %253, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %255 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %256 = stablehlo.concatenate %255, %c_7, %c_7, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %257 = stablehlo.dynamic_broadcast_in_dim %254, %256, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>, tensor<4xi32>) -> tensor<?x28x28x128xf32>
    %258 = stablehlo.add %251, %257 : tensor<?x28x28x128xf32>
    %259 = call @relu_2(%arg0, %258) : (tensor<i32>, tensor<?x28x28x128xf32>) -> tensor<?x28x28x128xf32>
    %260 = stablehlo.convolution(%259, %arg35) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<?x28x28x128xf32>
    %261 = stablehlo.slice %arg32 [0:1, 0:128] : (tensor<2x128xf32>) -> tensor<1x128xf32>
    %262 = stablehlo.reshape %261 : (tensor<1x128xf32>) -> tensor<128xf32>
    %263 = stablehlo.broadcast_in_dim %262, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %264 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %265 = stablehlo.concatenate %264, %c_7, %c_7, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %266 = stablehlo.dynamic_broadcast_in_dim %263, %265, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>, tensor<4xi32>) -> tensor<?x28x28x128xf32>
    %267 = stablehlo.multiply %260, %266 : tensor<?x28x28x128xf32>
    %268 = stablehlo.slice %arg32 [1:2, 0:128] : (tensor<2x128xf32>) -> tensor<1x128xf32>
    %269 = stablehlo.reshape %268 : (tensor<1x128xf32>) -> tensor<128xf32>
    %270 = stablehlo.broadcast_in_dim %269, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %271 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %272 = stablehlo.concatenate %271, %c_7, %c_7, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %273 = stablehlo.dynamic_broadcast_in_dim %270, %272, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>, tensor<4xi32>) -> tensor<?x28x28x128xf32>
    %274 = stablehlo.add %267, %273 : tensor<?x28x28x128xf32>
    %275 = call @relu_2(%arg0, %274) : (tensor<i32>, tensor<?x28x28x128xf32>) -> tensor<?x28x28x128xf32>
    %276 = stablehlo.convolution(%275, %arg36) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x28x28x128xf32>, tensor<1x1x128x512xf32>) -> tensor<?x28x28x512xf32>
    %277 = stablehlo.slice %arg33 [0:1, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %278 = stablehlo.reshape %277 : (tensor<1x512xf32>) -> tensor<512xf32>
    %279 = stablehlo.broadcast_in_dim %278, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %280 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %281 = stablehlo.concatenate %280, %c_7, %c_7, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %282 = stablehlo.dynamic_broadcast_in_dim %279, %281, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x28x28x512xf32>
    %283 = stablehlo.multiply %276, %282 : tensor<?x28x28x512xf32>
    %284 = stablehlo.slice %arg33 [1:2, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %285 = stablehlo.reshape %284 : (tensor<1x512xf32>) -> tensor<512xf32>
    %286 = stablehlo.broadcast_in_dim %285, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %287 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %288 = stablehlo.concatenate %287, %c_7, %c_7, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %289 = stablehlo.dynamic_broadcast_in_dim %286, %288, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x28x28x512xf32>
    %290 = stablehlo.add %283, %289 : tensor<?x28x28x512xf32>
    %291 = stablehlo.add %243, %290 : tensor<?x28x28x512xf32>
    %292 = call @relu_3(%arg0, %291) : (tensor<i32>, tensor<?x28x28x512xf32>) -> tensor<?x28x28x512xf32>
    %293 = stablehlo.convolution(%292, %arg40) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x28x28x512xf32>, tensor<1x1x512x128xf32>) -> tensor<?x28x28x128xf32>
    %294 = stablehlo.slice %arg37 [0:1, 0:128] : (tensor<2x128xf32>) -> tensor<1x128xf32>
    %295 = stablehlo.reshape %294 : (tensor<1x128xf32>) -> tensor<128xf32>
    %296 = stablehlo.broadcast_in_dim %295, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %297 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %298 = stablehlo.concatenate %297, %c_7, %c_7, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %299 = stablehlo.dynamic_broadcast_in_dim %296, %298, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>, tensor<4xi32>) -> tensor<?x28x28x128xf32>
    %300 = stablehlo.multiply %293, %299 : tensor<?x28x28x128xf32>
    %301 = stablehlo.slice %arg37 [1:2, 0:128] : (tensor<2x128xf32>) -> tensor<1x128xf32>
    %302 = stablehlo.reshape %301 : (tensor<1x128xf32>) -> tensor<128xf32>
    %303 = stablehlo.broadcast_in_dim %302, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %304 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %305 = stablehlo.concatenate %304, %c_7, %c_7, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %306 = stablehlo.dynamic_broadcast_in_dim %303, %305, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>, tensor<4xi32>) -> tensor<?x28x28x128xf32>
    %307 = stablehlo.add %300, %306 : tensor<?x28x28x128xf32>
    %308 = call @relu_2(%arg0, %307) : (tensor<i32>, tensor<?x28x28x128xf32>) -> tensor<?x28x28x128xf32>
    %309 = stablehlo.convolution(%308, %arg41) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<?x28x28x128xf32>
    %310 = stablehlo.slice %arg38 [0:1, 0:128] : (tensor<2x128xf32>) -> tensor<1x128xf32>
    %311 = stablehlo.reshape %310 : (tensor<1x128xf32>) -> tensor<128xf32>
    %312 = stablehlo.broadcast_in_dim %311, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %313 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %314 = stablehlo.concatenate %313, %c_7, %c_7, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %315 = stablehlo.dynamic_broadcast_in_dim %312, %314, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>, tensor<4xi32>) -> tensor<?x28x28x128xf32>
    %316 = stablehlo.multiply %309, %315 : tensor<?x28x28x128xf32>
    %317 = stablehlo.slice %arg38 [1:2, 0:128] : (tensor<2x128xf32>) -> tensor<1x128xf32>
    %318 = stablehlo.reshape %317 : (tensor<1x128xf32>) -> tensor<128xf32>
    %319 = stablehlo.broadcast_in_dim %318, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %320 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %321 = stablehlo.concatenate %320, %c_7, %c_7, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %322 = stablehlo.dynamic_broadcast_in_dim %319, %321, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>, tensor<4xi32>) -> tensor<?x28x28x128xf32>
    %323 = stablehlo.add %316, %322 : tensor<?x28x28x128xf32>
    %324 = call @relu_2(%arg0, %323) : (tensor<i32>, tensor<?x28x28x128xf32>) -> tensor<?x28x28x128xf32>
    %325 = stablehlo.convolution(%324, %arg42) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x28x28x128xf32>, tensor<1x1x128x512xf32>) -> tensor<?x28x28x512xf32>
    %326 = stablehlo.slice %arg39 [0:1, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %327 = stablehlo.reshape %326 : (tensor<1x512xf32>) -> tensor<512xf32>
    %328 = stablehlo.broadcast_in_dim %327, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %329 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %330 = stablehlo.concatenate %329, %c_7, %c_7, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %331 = stablehlo.dynamic_broadcast_in_dim %328, %330, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x28x28x512xf32>
    %332 = stablehlo.multiply %325, %331 : tensor<?x28x28x512xf32>
    %333 = stablehlo.slice %arg39 [1:2, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %334 = stablehlo.reshape %333 : (tensor<1x512xf32>) -> tensor<512xf32>
    %335 = stablehlo.broadcast_in_dim %334, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %336 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %337 = stablehlo.concatenate %336, %c_7, %c_7, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %338 = stablehlo.dynamic_broadcast_in_dim %335, %337, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x28x28x512xf32>
    %339 = stablehlo.add %332, %338 : tensor<?x28x28x512xf32>
    %340 = stablehlo.add %292, %339 : tensor<?x28x28x512xf32>
    %341 = call @relu_3(%arg0, %340) : (tensor<i32>, tensor<?x28x28x512xf32>) -> tensor<?x28x28x512xf32>
    %342 = stablehlo.convolution(%341, %arg46) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x28x28x512xf32>, tensor<1x1x512x128xf32>) -> tensor<?x28x28x128xf32>
    %343 = stablehlo.slice %arg43 [0:1, 0:128] : (tensor<2x128xf32>) -> tensor<1x128xf32>
    %344 = stablehlo.reshape %343 : (tensor<1x128xf32>) -> tensor<128xf32>
    %345 = stablehlo.broadcast_in_dim %344, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %346 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %347 = stablehlo.concatenate %346, %c_7, %c_7, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %348 = stablehlo.dynamic_broadcast_in_dim %345, %347, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>, tensor<4xi32>) -> tensor<?x28x28x128xf32>
    %349 = stablehlo.multiply %342, %348 : tensor<?x28x28x128xf32>
    %350 = stablehlo.slice %arg43 [1:2, 0:128] : (tensor<2x128xf32>) -> tensor<1x128xf32>
    %351 = stablehlo.reshape %350 : (tensor<1x128xf32>) -> tensor<128xf32>
    %352 = stablehlo.broadcast_in_dim %351, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %353 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %354 = stablehlo.concatenate %353, %c_7, %c_7, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %355 = stablehlo.dynamic_broadcast_in_dim %352, %354, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>, tensor<4xi32>) -> tensor<?x28x28x128xf32>
    %356 = stablehlo.add %349, %355 : tensor<?x28x28x128xf32>
    %357 = call @relu_2(%arg0, %356) : (tensor<i32>, tensor<?x28x28x128xf32>) -> tensor<?x28x28x128xf32>
    %358 = stablehlo.convolution(%357, %arg47) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<?x28x28x128xf32>
    %359 = stablehlo.slice %arg44 [0:1, 0:128] : (tensor<2x128xf32>) -> tensor<1x128xf32>
    %360 = stablehlo.reshape %359 : (tensor<1x128xf32>) -> tensor<128xf32>
    %361 = stablehlo.broadcast_in_dim %360, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %362 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %363 = stablehlo.concatenate %362, %c_7, %c_7, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %364 = stablehlo.dynamic_broadcast_in_dim %361, %363, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>, tensor<4xi32>) -> tensor<?x28x28x128xf32>
    %365 = stablehlo.multiply %358, %364 : tensor<?x28x28x128xf32>
    %366 = stablehlo.slice %arg44 [1:2, 0:128] : (tensor<2x128xf32>) -> tensor<1x128xf32>
    %367 = stablehlo.reshape %366 : (tensor<1x128xf32>) -> tensor<128xf32>
    %368 = stablehlo.broadcast_in_dim %367, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %369 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %370 = stablehlo.concatenate %369, %c_7, %c_7, %c_6, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %371 = stablehlo.dynamic_broadcast_in_dim %368, %370, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>, tensor<4xi32>) -> tensor<?x28x28x128xf32>
    %372 = stablehlo.add %365, %371 : tensor<?x28x28x128xf32>
    %373 = call @relu_2(%arg0, %372) : (tensor<i32>, tensor<?x28x28x128xf32>) -> tensor<?x28x28x128xf32>
    %374 = stablehlo.convolution(%373, %arg48) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x28x28x128xf32>, tensor<1x1x128x512xf32>) -> tensor<?x28x28x512xf32>
    %375 = stablehlo.slice %arg45 [0:1, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %376 = stablehlo.reshape %375 : (tensor<1x512xf32>) -> tensor<512xf32>
    %377 = stablehlo.broadcast_in_dim %376, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %378 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %379 = stablehlo.concatenate %378, %c_7, %c_7, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %380 = stablehlo.dynamic_broadcast_in_dim %377, %379, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x28x28x512xf32>
    %381 = stablehlo.multiply %374, %380 : tensor<?x28x28x512xf32>
    %382 = stablehlo.slice %arg45 [1:2, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %383 = stablehlo.reshape %382 : (tensor<1x512xf32>) -> tensor<512xf32>
    %384 = stablehlo.broadcast_in_dim %383, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %385 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %386 = stablehlo.concatenate %385, %c_7, %c_7, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %387 = stablehlo.dynamic_broadcast_in_dim %384, %386, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x28x28x512xf32>
    %388 = stablehlo.add %381, %387 : tensor<?x28x28x512xf32>
    %389 = stablehlo.add %341, %388 : tensor<?x28x28x512xf32>
    %390 = call @relu_3(%arg0, %389) : (tensor<i32>, tensor<?x28x28x512xf32>) -> tensor<?x28x28x512xf32>
    %391 = stablehlo.convolution(%390, %arg53) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x28x28x512xf32>, tensor<1x1x512x256xf32>) -> tensor<?x14x14x256xf32>
    %392 = stablehlo.slice %arg49 [0:1, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %393 = stablehlo.reshape %392 : (tensor<1x256xf32>) -> tensor<256xf32>
    %394 = stablehlo.broadcast_in_dim %393, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %395 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %396 = stablehlo.concatenate %395, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %397 = stablehlo.dynamic_broadcast_in_dim %394, %396, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %398 = stablehlo.multiply %391, %397 : tensor<?x14x14x256xf32>
    %399 = stablehlo.slice %arg49 [1:2, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %400 = stablehlo.reshape %399 : (tensor<1x256xf32>) -> tensor<256xf32>
    %401 = stablehlo.broadcast_in_dim %400, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %402 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %403 = stablehlo.concatenate %402, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %404 = stablehlo.dynamic_broadcast_in_dim %401, %403, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %405 = stablehlo.add %398, %404 : tensor<?x14x14x256xf32>
    %406 = call @relu_4(%arg0, %405) : (tensor<i32>, tensor<?x14x14x256xf32>) -> tensor<?x14x14x256xf32>
    %407 = stablehlo.convolution(%406, %arg54) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<?x14x14x256xf32>
    %408 = stablehlo.slice %arg50 [0:1, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %409 = stablehlo.reshape %408 : (tensor<1x256xf32>) -> tensor<256xf32>
    %410 = stablehlo.broadcast_in_dim %409, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %411 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %412 = stablehlo.concatenate %411, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %413 = stablehlo.dynamic_broadcast_in_dim %410, %412, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %414 = stablehlo.multiply %407, %413 : tensor<?x14x14x256xf32>
    %415 = stablehlo.slice %arg50 [1:2, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %416 = stablehlo.reshape %415 : (tensor<1x256xf32>) -> tensor<256xf32>
    %417 = stablehlo.broadcast_in_dim %416, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %418 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %419 = stablehlo.concatenate %418, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %420 = stablehlo.dynamic_broadcast_in_dim %417, %419, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %421 = stablehlo.add %414, %420 : tensor<?x14x14x256xf32>
    %422 = call @relu_4(%arg0, %421) : (tensor<i32>, tensor<?x14x14x256xf32>) -> tensor<?x14x14x256xf32>
    %423 = stablehlo.convolution(%422, %arg55) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x14x14x256xf32>, tensor<1x1x256x1024xf32>) -> tensor<?x14x14x1024xf32>
    %424 = stablehlo.slice %arg51 [0:1, 0:1024] : (tensor<2x1024xf32>) -> tensor<1x1024xf32>
    %425 = stablehlo.reshape %424 : (tensor<1x1024xf32>) -> tensor<1024xf32>
    %426 = stablehlo.broadcast_in_dim %425, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %427 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %428 = stablehlo.concatenate %427, %c_4, %c_4, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %429 = stablehlo.dynamic_broadcast_in_dim %426, %428, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>, tensor<4xi32>) -> tensor<?x14x14x1024xf32>
    %430 = stablehlo.multiply %423, %429 : tensor<?x14x14x1024xf32>
    %431 = stablehlo.slice %arg51 [1:2, 0:1024] : (tensor<2x1024xf32>) -> tensor<1x1024xf32>
    %432 = stablehlo.reshape %431 : (tensor<1x1024xf32>) -> tensor<1024xf32>
    %433 = stablehlo.broadcast_in_dim %432, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %434 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %435 = stablehlo.concatenate %434, %c_4, %c_4, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %436 = stablehlo.dynamic_broadcast_in_dim %433, %435, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>, tensor<4xi32>) -> tensor<?x14x14x1024xf32>
    %437 = stablehlo.add %430, %436 : tensor<?x14x14x1024xf32>
    %438 = stablehlo.convolution(%390, %arg56) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x28x28x512xf32>, tensor<1x1x512x1024xf32>) -> tensor<?x14x14x1024xf32>
    %439 = stablehlo.slice %arg52 [0:1, 0:1024] : (tensor<2x1024xf32>) -> tensor<1x1024xf32>
    %440 = stablehlo.reshape %439 : (tensor<1x1024xf32>) -> tensor<1024xf32>
    %441 = stablehlo.broadcast_in_dim %440, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %442 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %443 = stablehlo.concatenate %442, %c_4, %c_4, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %444 = stablehlo.dynamic_broadcast_in_dim %441, %443, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>, tensor<4xi32>) -> tensor<?x14x14x1024xf32>
    %445 = stablehlo.multiply %438, %444 : tensor<?x14x14x1024xf32>
    %446 = stablehlo.slice %arg52 [1:2, 0:1024] : (tensor<2x1024xf32>) -> tensor<1x1024xf32>
    %447 = stablehlo.reshape %446 : (tensor<1x1024xf32>) -> tensor<1024xf32>
    %448 = stablehlo.broadcast_in_dim %447, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %449 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %450 = stablehlo.concatenate %449, %c_4, %c_4, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %451 = stablehlo.dynamic_broadcast_in_dim %448, %450, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>, tensor<4xi32>) -> tensor<?x14x14x1024xf32>
    %452 = stablehlo.add %445, %451 : tensor<?x14x14x1024xf32>
    %453 = stablehlo.add %452, %437 : tensor<?x14x14x1024xf32>
    %454 = call @relu_5(%arg0, %453) : (tensor<i32>, tensor<?x14x14x1024xf32>) -> tensor<?x14x14x1024xf32>
    %455 = stablehlo.convolution(%454, %arg60) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x14x14x1024xf32>, tensor<1x1x1024x256xf32>) -> tensor<?x14x14x256xf32>
    %456 = stablehlo.slice %arg57 [0:1, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %457 = stablehlo.reshape %456 : (tensor<1x256xf32>) -> tensor<256xf32>
    %458 = stablehlo.broadcast_in_dim %457, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %459 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %460 = stablehlo.concatenate %459, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %461 = stablehlo.dynamic_broadcast_in_dim %458, %460, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %462 = stablehlo.multiply %455, %461 : tensor<?x14x14x256xf32>
    %463 = stablehlo.slice %arg57 [1:2, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %464 = stablehlo.reshape %463 : (tensor<1x256xf32>) -> tensor<256xf32>
    %465 = stablehlo.broadcast_in_dim %464, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %466 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %467 = stablehlo.concatenate %466, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %468 = stablehlo.dynamic_broadcast_in_dim %465, %467, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %469 = stablehlo.add %462, %468 : tensor<?x14x14x256xf32>
    %470 = call @relu_4(%arg0, %469) : (tensor<i32>, tensor<?x14x14x256xf32>) -> tensor<?x14x14x256xf32>
    %471 = stablehlo.convolution(%470, %arg61) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<?x14x14x256xf32>
    %472 = stablehlo.slice %arg58 [0:1, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %473 = stablehlo.reshape %472 : (tensor<1x256xf32>) -> tensor<256xf32>
    %474 = stablehlo.broadcast_in_dim %473, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %475 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %476 = stablehlo.concatenate %475, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %477 = stablehlo.dynamic_broadcast_in_dim %474, %476, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %478 = stablehlo.multiply %471, %477 : tensor<?x14x14x256xf32>
    %479 = stablehlo.slice %arg58 [1:2, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %480 = stablehlo.reshape %479 : (tensor<1x256xf32>) -> tensor<256xf32>
    %481 = stablehlo.broadcast_in_dim %480, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %482 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %483 = stablehlo.concatenate %482, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %484 = stablehlo.dynamic_broadcast_in_dim %481, %483, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %485 = stablehlo.add %478, %484 : tensor<?x14x14x256xf32>
    %486 = call @relu_4(%arg0, %485) : (tensor<i32>, tensor<?x14x14x256xf32>) -> tensor<?x14x14x256xf32>
    %487 = stablehlo.convolution(%486, %arg62) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x14x14x256xf32>, tensor<1x1x256x1024xf32>) -> tensor<?x14x14x1024xf32>
    %488 = stablehlo.slice %arg59 [0:1, 0:1024] : (tensor<2x1024xf32>) -> tensor<1x1024xf32>
    %489 = stablehlo.reshape %488 : (tensor<1x1024xf32>) -> tensor<1024xf32>
    %490 = stablehlo.broadcast_in_dim %489, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %491 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %492 = stablehlo.concatenate %491, %c_4, %c_4, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %493 = stablehlo.dynamic_broadcast_in_dim %490, %492, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>, tensor<4xi32>) -> tensor<?x14x14x1024xf32>
    %494 = stablehlo.multiply %487, %493 : tensor<?x14x14x1024xf32>
    %495 = stablehlo.slice %arg59 [1:2, 0:1024] : (tensor<2x1024xf32>) -> tensor<1x1024xf32>
    %496 = stablehlo.reshape %495 : (tensor<1x1024xf32>) -> tensor<1024xf32>
    %497 = stablehlo.broadcast_in_dim %496, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %498 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %499 = stablehlo.concatenate %498, %c_4, %c_4, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %500 = stablehlo.dynamic_broadcast_in_dim %497, %499, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>, tensor<4xi32>) -> tensor<?x14x14x1024xf32>
    %501 = stablehlo.add %494, %500 : tensor<?x14x14x1024xf32>
    %502 = stablehlo.add %454, %501 : tensor<?x14x14x1024xf32>
    %503 = call @relu_5(%arg0, %502) : (tensor<i32>, tensor<?x14x14x1024xf32>) -> tensor<?x14x14x1024xf32>
    %504 = stablehlo.convolution(%503, %arg66) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x14x14x1024xf32>, tensor<1x1x1024x256xf32>) -> tensor<?x14x14x256xf32>
    %505 = stablehlo.slice %arg63 [0:1, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %506 = stablehlo.reshape %505 : (tensor<1x256xf32>) -> tensor<256xf32>
    %507 = stablehlo.broadcast_in_dim %506, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %508 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %509 = stablehlo.concatenate %508, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %510 = stablehlo.dynamic_broadcast_in_dim %507, %509, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %511 = stablehlo.multiply %504, %510 : tensor<?x14x14x256xf32>
    %512 = stablehlo.slice %arg63 [1:2, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %513 = stablehlo.reshape %512 : (tensor<1x256xf32>) -> tensor<256xf32>
    %514 = stablehlo.broadcast_in_dim %513, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %515 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %516 = stablehlo.concatenate %515, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %517 = stablehlo.dynamic_broadcast_in_dim %514, %516, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %518 = stablehlo.add %511, %517 : tensor<?x14x14x256xf32>
    %519 = call @relu_4(%arg0, %518) : (tensor<i32>, tensor<?x14x14x256xf32>) -> tensor<?x14x14x256xf32>
    %520 = stablehlo.convolution(%519, %arg67) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<?x14x14x256xf32>
    %521 = stablehlo.slice %arg64 [0:1, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %522 = stablehlo.reshape %521 : (tensor<1x256xf32>) -> tensor<256xf32>
    %523 = stablehlo.broadcast_in_dim %522, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %524 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %525 = stablehlo.concatenate %524, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %526 = stablehlo.dynamic_broadcast_in_dim %523, %525, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %527 = stablehlo.multiply %520, %526 : tensor<?x14x14x256xf32>
    %528 = stablehlo.slice %arg64 [1:2, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %529 = stablehlo.reshape %528 : (tensor<1x256xf32>) -> tensor<256xf32>
    %530 = stablehlo.broadcast_in_dim %529, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %531 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %532 = stablehlo.concatenate %531, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %533 = stablehlo.dynamic_broadcast_in_dim %530, %532, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %534 = stablehlo.add %527, %533 : tensor<?x14x14x256xf32>
    %535 = call @relu_4(%arg0, %534) : (tensor<i32>, tensor<?x14x14x256xf32>) -> tensor<?x14x14x256xf32>
    %536 = stablehlo.convolution(%535, %arg68) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x14x14x256xf32>, tensor<1x1x256x1024xf32>) -> tensor<?x14x14x1024xf32>
    %537 = stablehlo.slice %arg65 [0:1, 0:1024] : (tensor<2x1024xf32>) -> tensor<1x1024xf32>
    %538 = stablehlo.reshape %537 : (tensor<1x1024xf32>) -> tensor<1024xf32>
    %539 = stablehlo.broadcast_in_dim %538, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %540 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %541 = stablehlo.concatenate %540, %c_4, %c_4, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %542 = stablehlo.dynamic_broadcast_in_dim %539, %541, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>, tensor<4xi32>) -> tensor<?x14x14x1024xf32>
    %543 = stablehlo.multiply %536, %542 : tensor<?x14x14x1024xf32>
    %544 = stablehlo.slice %arg65 [1:2, 0:1024] : (tensor<2x1024xf32>) -> tensor<1x1024xf32>
    %545 = stablehlo.reshape %544 : (tensor<1x1024xf32>) -> tensor<1024xf32>
    %546 = stablehlo.broadcast_in_dim %545, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %547 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %548 = stablehlo.concatenate %547, %c_4, %c_4, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %549 = stablehlo.dynamic_broadcast_in_dim %546, %548, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>, tensor<4xi32>) -> tensor<?x14x14x1024xf32>
    %550 = stablehlo.add %543, %549 : tensor<?x14x14x1024xf32>
    %551 = stablehlo.add %503, %550 : tensor<?x14x14x1024xf32>
    %552 = call @relu_5(%arg0, %551) : (tensor<i32>, tensor<?x14x14x1024xf32>) -> tensor<?x14x14x1024xf32>
    %553 = stablehlo.convolution(%552, %arg72) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x14x14x1024xf32>, tensor<1x1x1024x256xf32>) -> tensor<?x14x14x256xf32>
    %554 = stablehlo.slice %arg69 [0:1, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %555 = stablehlo.reshape %554 : (tensor<1x256xf32>) -> tensor<256xf32>
    %556 = stablehlo.broadcast_in_dim %555, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %557 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %558 = stablehlo.concatenate %557, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %559 = stablehlo.dynamic_broadcast_in_dim %556, %558, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %560 = stablehlo.multiply %553, %559 : tensor<?x14x14x256xf32>
    %561 = stablehlo.slice %arg69 [1:2, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %562 = stablehlo.reshape %561 : (tensor<1x256xf32>) -> tensor<256xf32>
    %563 = stablehlo.broadcast_in_dim %562, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %564 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %565 = stablehlo.concatenate %564, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %566 = stablehlo.dynamic_broadcast_in_dim %563, %565, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %567 = stablehlo.add %560, %566 : tensor<?x14x14x256xf32>
    %568 = call @relu_4(%arg0, %567) : (tensor<i32>, tensor<?x14x14x256xf32>) -> tensor<?x14x14x256xf32>
    %569 = stablehlo.convolution(%568, %arg73) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<?x14x14x256xf32>
    %570 = stablehlo.slice %arg70 [0:1, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %571 = stablehlo.reshape %570 : (tensor<1x256xf32>) -> tensor<256xf32>
    %572 = stablehlo.broadcast_in_dim %571, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %573 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %574 = stablehlo.concatenate %573, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %575 = stablehlo.dynamic_broadcast_in_dim %572, %574, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %576 = stablehlo.multiply %569, %575 : tensor<?x14x14x256xf32>
    %577 = stablehlo.slice %arg70 [1:2, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %578 = stablehlo.reshape %577 : (tensor<1x256xf32>) -> tensor<256xf32>
    %579 = stablehlo.broadcast_in_dim %578, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %580 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %581 = stablehlo.concatenate %580, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %582 = stablehlo.dynamic_broadcast_in_dim %579, %581, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %583 = stablehlo.add %576, %582 : tensor<?x14x14x256xf32>
    %584 = call @relu_4(%arg0, %583) : (tensor<i32>, tensor<?x14x14x256xf32>) -> tensor<?x14x14x256xf32>
    %585 = stablehlo.convolution(%584, %arg74) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x14x14x256xf32>, tensor<1x1x256x1024xf32>) -> tensor<?x14x14x1024xf32>
    %586 = stablehlo.slice %arg71 [0:1, 0:1024] : (tensor<2x1024xf32>) -> tensor<1x1024xf32>
    %587 = stablehlo.reshape %586 : (tensor<1x1024xf32>) -> tensor<1024xf32>
    %588 = stablehlo.broadcast_in_dim %587, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %589 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %590 = stablehlo.concatenate %589, %c_4, %c_4, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %591 = stablehlo.dynamic_broadcast_in_dim %588, %590, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>, tensor<4xi32>) -> tensor<?x14x14x1024xf32>
    %592 = stablehlo.multiply %585, %591 : tensor<?x14x14x1024xf32>
    %593 = stablehlo.slice %arg71 [1:2, 0:1024] : (tensor<2x1024xf32>) -> tensor<1x1024xf32>
    %594 = stablehlo.reshape %593 : (tensor<1x1024xf32>) -> tensor<1024xf32>
    %595 = stablehlo.broadcast_in_dim %594, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %596 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %597 = stablehlo.concatenate %596, %c_4, %c_4, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %598 = stablehlo.dynamic_broadcast_in_dim %595, %597, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>, tensor<4xi32>) -> tensor<?x14x14x1024xf32>
    %599 = stablehlo.add %592, %598 : tensor<?x14x14x1024xf32>
    %600 = stablehlo.add %552, %599 : tensor<?x14x14x1024xf32>
    %601 = call @relu_5(%arg0, %600) : (tensor<i32>, tensor<?x14x14x1024xf32>) -> tensor<?x14x14x1024xf32>
    %602 = stablehlo.convolution(%601, %arg78) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x14x14x1024xf32>, tensor<1x1x1024x256xf32>) -> tensor<?x14x14x256xf32>
    %603 = stablehlo.slice %arg75 [0:1, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %604 = stablehlo.reshape %603 : (tensor<1x256xf32>) -> tensor<256xf32>
    %605 = stablehlo.broadcast_in_dim %604, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %606 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %607 = stablehlo.concatenate %606, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %608 = stablehlo.dynamic_broadcast_in_dim %605, %607, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %609 = stablehlo.multiply %602, %608 : tensor<?x14x14x256xf32>
    %610 = stablehlo.slice %arg75 [1:2, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %611 = stablehlo.reshape %610 : (tensor<1x256xf32>) -> tensor<256xf32>
    %612 = stablehlo.broadcast_in_dim %611, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %613 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %614 = stablehlo.concatenate %613, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %615 = stablehlo.dynamic_broadcast_in_dim %612, %614, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %616 = stablehlo.add %609, %615 : tensor<?x14x14x256xf32>
    %617 = call @relu_4(%arg0, %616) : (tensor<i32>, tensor<?x14x14x256xf32>) -> tensor<?x14x14x256xf32>
    %618 = stablehlo.convolution(%617, %arg79) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<?x14x14x256xf32>
    %619 = stablehlo.slice %arg76 [0:1, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %620 = stablehlo.reshape %619 : (tensor<1x256xf32>) -> tensor<256xf32>
    %621 = stablehlo.broadcast_in_dim %620, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %622 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %623 = stablehlo.concatenate %622, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %624 = stablehlo.dynamic_broadcast_in_dim %621, %623, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %625 = stablehlo.multiply %618, %624 : tensor<?x14x14x256xf32>
    %626 = stablehlo.slice %arg76 [1:2, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %627 = stablehlo.reshape %626 : (tensor<1x256xf32>) -> tensor<256xf32>
    %628 = stablehlo.broadcast_in_dim %627, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %629 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %630 = stablehlo.concatenate %629, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %631 = stablehlo.dynamic_broadcast_in_dim %628, %630, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %632 = stablehlo.add %625, %631 : tensor<?x14x14x256xf32>
    %633 = call @relu_4(%arg0, %632) : (tensor<i32>, tensor<?x14x14x256xf32>) -> tensor<?x14x14x256xf32>
    %634 = stablehlo.convolution(%633, %arg80) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x14x14x256xf32>, tensor<1x1x256x1024xf32>) -> tensor<?x14x14x1024xf32>
    %635 = stablehlo.slice %arg77 [0:1, 0:1024] : (tensor<2x1024xf32>) -> tensor<1x1024xf32>
    %636 = stablehlo.reshape %635 : (tensor<1x1024xf32>) -> tensor<1024xf32>
    %637 = stablehlo.broadcast_in_dim %636, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %638 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %639 = stablehlo.concatenate %638, %c_4, %c_4, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %640 = stablehlo.dynamic_broadcast_in_dim %637, %639, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>, tensor<4xi32>) -> tensor<?x14x14x1024xf32>
    %641 = stablehlo.multiply %634, %640 : tensor<?x14x14x1024xf32>
    %642 = stablehlo.slice %arg77 [1:2, 0:1024] : (tensor<2x1024xf32>) -> tensor<1x1024xf32>
    %643 = stablehlo.reshape %642 : (tensor<1x1024xf32>) -> tensor<1024xf32>
    %644 = stablehlo.broadcast_in_dim %643, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %645 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %646 = stablehlo.concatenate %645, %c_4, %c_4, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %647 = stablehlo.dynamic_broadcast_in_dim %644, %646, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>, tensor<4xi32>) -> tensor<?x14x14x1024xf32>
    %648 = stablehlo.add %641, %647 : tensor<?x14x14x1024xf32>
    %649 = stablehlo.add %601, %648 : tensor<?x14x14x1024xf32>
    %650 = call @relu_5(%arg0, %649) : (tensor<i32>, tensor<?x14x14x1024xf32>) -> tensor<?x14x14x1024xf32>
    %651 = stablehlo.convolution(%650, %arg84) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x14x14x1024xf32>, tensor<1x1x1024x256xf32>) -> tensor<?x14x14x256xf32>
    %652 = stablehlo.slice %arg81 [0:1, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %653 = stablehlo.reshape %652 : (tensor<1x256xf32>) -> tensor<256xf32>
    %654 = stablehlo.broadcast_in_dim %653, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %655 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %656 = stablehlo.concatenate %655, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %657 = stablehlo.dynamic_broadcast_in_dim %654, %656, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %658 = stablehlo.multiply %651, %657 : tensor<?x14x14x256xf32>
    %659 = stablehlo.slice %arg81 [1:2, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %660 = stablehlo.reshape %659 : (tensor<1x256xf32>) -> tensor<256xf32>
    %661 = stablehlo.broadcast_in_dim %660, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %662 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %663 = stablehlo.concatenate %662, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %664 = stablehlo.dynamic_broadcast_in_dim %661, %663, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %665 = stablehlo.add %658, %664 : tensor<?x14x14x256xf32>
    %666 = call @relu_4(%arg0, %665) : (tensor<i32>, tensor<?x14x14x256xf32>) -> tensor<?x14x14x256xf32>
    %667 = stablehlo.convolution(%666, %arg85) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<?x14x14x256xf32>
    %668 = stablehlo.slice %arg82 [0:1, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %669 = stablehlo.reshape %668 : (tensor<1x256xf32>) -> tensor<256xf32>
    %670 = stablehlo.broadcast_in_dim %669, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %671 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %672 = stablehlo.concatenate %671, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %673 = stablehlo.dynamic_broadcast_in_dim %670, %672, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %674 = stablehlo.multiply %667, %673 : tensor<?x14x14x256xf32>
    %675 = stablehlo.slice %arg82 [1:2, 0:256] : (tensor<2x256xf32>) -> tensor<1x256xf32>
    %676 = stablehlo.reshape %675 : (tensor<1x256xf32>) -> tensor<256xf32>
    %677 = stablehlo.broadcast_in_dim %676, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %678 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %679 = stablehlo.concatenate %678, %c_4, %c_4, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %680 = stablehlo.dynamic_broadcast_in_dim %677, %679, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %681 = stablehlo.add %674, %680 : tensor<?x14x14x256xf32>
    %682 = call @relu_4(%arg0, %681) : (tensor<i32>, tensor<?x14x14x256xf32>) -> tensor<?x14x14x256xf32>
    %683 = stablehlo.convolution(%682, %arg86) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x14x14x256xf32>, tensor<1x1x256x1024xf32>) -> tensor<?x14x14x1024xf32>
    %684 = stablehlo.slice %arg83 [0:1, 0:1024] : (tensor<2x1024xf32>) -> tensor<1x1024xf32>
    %685 = stablehlo.reshape %684 : (tensor<1x1024xf32>) -> tensor<1024xf32>
    %686 = stablehlo.broadcast_in_dim %685, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %687 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %688 = stablehlo.concatenate %687, %c_4, %c_4, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %689 = stablehlo.dynamic_broadcast_in_dim %686, %688, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>, tensor<4xi32>) -> tensor<?x14x14x1024xf32>
    %690 = stablehlo.multiply %683, %689 : tensor<?x14x14x1024xf32>
    %691 = stablehlo.slice %arg83 [1:2, 0:1024] : (tensor<2x1024xf32>) -> tensor<1x1024xf32>
    %692 = stablehlo.reshape %691 : (tensor<1x1024xf32>) -> tensor<1024xf32>
    %693 = stablehlo.broadcast_in_dim %692, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %694 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %695 = stablehlo.concatenate %694, %c_4, %c_4, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %696 = stablehlo.dynamic_broadcast_in_dim %693, %695, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>, tensor<4xi32>) -> tensor<?x14x14x1024xf32>
    %697 = stablehlo.add %690, %696 : tensor<?x14x14x1024xf32>
    %698 = stablehlo.add %650, %697 : tensor<?x14x14x1024xf32>
    %699 = call @relu_5(%arg0, %698) : (tensor<i32>, tensor<?x14x14x1024xf32>) -> tensor<?x14x14x1024xf32>
    %700 = stablehlo.convolution(%699, %arg91) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x14x14x1024xf32>, tensor<1x1x1024x512xf32>) -> tensor<?x7x7x512xf32>
    %701 = stablehlo.slice %arg87 [0:1, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %702 = stablehlo.reshape %701 : (tensor<1x512xf32>) -> tensor<512xf32>
    %703 = stablehlo.broadcast_in_dim %702, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %704 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %705 = stablehlo.concatenate %704, %c_2, %c_2, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %706 = stablehlo.dynamic_broadcast_in_dim %703, %705, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x7x7x512xf32>
    %707 = stablehlo.multiply %700, %706 : tensor<?x7x7x512xf32>
    %708 = stablehlo.slice %arg87 [1:2, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %709 = stablehlo.reshape %708 : (tensor<1x512xf32>) -> tensor<512xf32>
    %710 = stablehlo.broadcast_in_dim %709, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %711 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %712 = stablehlo.concatenate %711, %c_2, %c_2, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %713 = stablehlo.dynamic_broadcast_in_dim %710, %712, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x7x7x512xf32>
    %714 = stablehlo.add %707, %713 : tensor<?x7x7x512xf32>
    %715 = call @relu_6(%arg0, %714) : (tensor<i32>, tensor<?x7x7x512xf32>) -> tensor<?x7x7x512xf32>
    %716 = stablehlo.convolution(%715, %arg92) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x7x7x512xf32>, tensor<3x3x512x512xf32>) -> tensor<?x7x7x512xf32>
    %717 = stablehlo.slice %arg88 [0:1, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %718 = stablehlo.reshape %717 : (tensor<1x512xf32>) -> tensor<512xf32>
    %719 = stablehlo.broadcast_in_dim %718, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %720 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %721 = stablehlo.concatenate %720, %c_2, %c_2, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %722 = stablehlo.dynamic_broadcast_in_dim %719, %721, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x7x7x512xf32>
    %723 = stablehlo.multiply %716, %722 : tensor<?x7x7x512xf32>
    %724 = stablehlo.slice %arg88 [1:2, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %725 = stablehlo.reshape %724 : (tensor<1x512xf32>) -> tensor<512xf32>
    %726 = stablehlo.broadcast_in_dim %725, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %727 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %728 = stablehlo.concatenate %727, %c_2, %c_2, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %729 = stablehlo.dynamic_broadcast_in_dim %726, %728, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x7x7x512xf32>
    %730 = stablehlo.add %723, %729 : tensor<?x7x7x512xf32>
    %731 = call @relu_6(%arg0, %730) : (tensor<i32>, tensor<?x7x7x512xf32>) -> tensor<?x7x7x512xf32>
    %732 = stablehlo.convolution(%731, %arg93) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x7x7x512xf32>, tensor<1x1x512x2048xf32>) -> tensor<?x7x7x2048xf32>
    %733 = stablehlo.slice %arg89 [0:1, 0:2048] : (tensor<2x2048xf32>) -> tensor<1x2048xf32>
    %734 = stablehlo.reshape %733 : (tensor<1x2048xf32>) -> tensor<2048xf32>
    %735 = stablehlo.broadcast_in_dim %734, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %736 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %737 = stablehlo.concatenate %736, %c_2, %c_2, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %738 = stablehlo.dynamic_broadcast_in_dim %735, %737, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>, tensor<4xi32>) -> tensor<?x7x7x2048xf32>
    %739 = stablehlo.multiply %732, %738 : tensor<?x7x7x2048xf32>
    %740 = stablehlo.slice %arg89 [1:2, 0:2048] : (tensor<2x2048xf32>) -> tensor<1x2048xf32>
    %741 = stablehlo.reshape %740 : (tensor<1x2048xf32>) -> tensor<2048xf32>
    %742 = stablehlo.broadcast_in_dim %741, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %743 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %744 = stablehlo.concatenate %743, %c_2, %c_2, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %745 = stablehlo.dynamic_broadcast_in_dim %742, %744, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>, tensor<4xi32>) -> tensor<?x7x7x2048xf32>
    %746 = stablehlo.add %739, %745 : tensor<?x7x7x2048xf32>
    %747 = stablehlo.convolution(%699, %arg94) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x14x14x1024xf32>, tensor<1x1x1024x2048xf32>) -> tensor<?x7x7x2048xf32>
    %748 = stablehlo.slice %arg90 [0:1, 0:2048] : (tensor<2x2048xf32>) -> tensor<1x2048xf32>
    %749 = stablehlo.reshape %748 : (tensor<1x2048xf32>) -> tensor<2048xf32>
    %750 = stablehlo.broadcast_in_dim %749, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %751 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %752 = stablehlo.concatenate %751, %c_2, %c_2, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %753 = stablehlo.dynamic_broadcast_in_dim %750, %752, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>, tensor<4xi32>) -> tensor<?x7x7x2048xf32>
    %754 = stablehlo.multiply %747, %753 : tensor<?x7x7x2048xf32>
    %755 = stablehlo.slice %arg90 [1:2, 0:2048] : (tensor<2x2048xf32>) -> tensor<1x2048xf32>
    %756 = stablehlo.reshape %755 : (tensor<1x2048xf32>) -> tensor<2048xf32>
    %757 = stablehlo.broadcast_in_dim %756, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %758 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %759 = stablehlo.concatenate %758, %c_2, %c_2, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %760 = stablehlo.dynamic_broadcast_in_dim %757, %759, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>, tensor<4xi32>) -> tensor<?x7x7x2048xf32>
    %761 = stablehlo.add %754, %760 : tensor<?x7x7x2048xf32>
    %762 = stablehlo.add %761, %746 : tensor<?x7x7x2048xf32>
    %763 = call @relu_7(%arg0, %762) : (tensor<i32>, tensor<?x7x7x2048xf32>) -> tensor<?x7x7x2048xf32>
    %764 = stablehlo.convolution(%763, %arg98) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x7x7x2048xf32>, tensor<1x1x2048x512xf32>) -> tensor<?x7x7x512xf32>
    %765 = stablehlo.slice %arg95 [0:1, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %766 = stablehlo.reshape %765 : (tensor<1x512xf32>) -> tensor<512xf32>
    %767 = stablehlo.broadcast_in_dim %766, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %768 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %769 = stablehlo.concatenate %768, %c_2, %c_2, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %770 = stablehlo.dynamic_broadcast_in_dim %767, %769, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x7x7x512xf32>
    %771 = stablehlo.multiply %764, %770 : tensor<?x7x7x512xf32>
    %772 = stablehlo.slice %arg95 [1:2, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %773 = stablehlo.reshape %772 : (tensor<1x512xf32>) -> tensor<512xf32>
    %774 = stablehlo.broadcast_in_dim %773, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %775 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %776 = stablehlo.concatenate %775, %c_2, %c_2, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %777 = stablehlo.dynamic_broadcast_in_dim %774, %776, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x7x7x512xf32>
    %778 = stablehlo.add %771, %777 : tensor<?x7x7x512xf32>
    %779 = call @relu_6(%arg0, %778) : (tensor<i32>, tensor<?x7x7x512xf32>) -> tensor<?x7x7x512xf32>
    %780 = stablehlo.convolution(%779, %arg99) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x7x7x512xf32>, tensor<3x3x512x512xf32>) -> tensor<?x7x7x512xf32>
    %781 = stablehlo.slice %arg96 [0:1, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %782 = stablehlo.reshape %781 : (tensor<1x512xf32>) -> tensor<512xf32>
    %783 = stablehlo.broadcast_in_dim %782, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %784 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %785 = stablehlo.concatenate %784, %c_2, %c_2, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %786 = stablehlo.dynamic_broadcast_in_dim %783, %785, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x7x7x512xf32>
    %787 = stablehlo.multiply %780, %786 : tensor<?x7x7x512xf32>
    %788 = stablehlo.slice %arg96 [1:2, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %789 = stablehlo.reshape %788 : (tensor<1x512xf32>) -> tensor<512xf32>
    %790 = stablehlo.broadcast_in_dim %789, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %791 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %792 = stablehlo.concatenate %791, %c_2, %c_2, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %793 = stablehlo.dynamic_broadcast_in_dim %790, %792, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x7x7x512xf32>
    %794 = stablehlo.add %787, %793 : tensor<?x7x7x512xf32>
    %795 = call @relu_6(%arg0, %794) : (tensor<i32>, tensor<?x7x7x512xf32>) -> tensor<?x7x7x512xf32>
    %796 = stablehlo.convolution(%795, %arg100) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x7x7x512xf32>, tensor<1x1x512x2048xf32>) -> tensor<?x7x7x2048xf32>
    %797 = stablehlo.slice %arg97 [0:1, 0:2048] : (tensor<2x2048xf32>) -> tensor<1x2048xf32>
    %798 = stablehlo.reshape %797 : (tensor<1x2048xf32>) -> tensor<2048xf32>
    %799 = stablehlo.broadcast_in_dim %798, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %800 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %801 = stablehlo.concatenate %800, %c_2, %c_2, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %802 = stablehlo.dynamic_broadcast_in_dim %799, %801, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>, tensor<4xi32>) -> tensor<?x7x7x2048xf32>
    %803 = stablehlo.multiply %796, %802 : tensor<?x7x7x2048xf32>
    %804 = stablehlo.slice %arg97 [1:2, 0:2048] : (tensor<2x2048xf32>) -> tensor<1x2048xf32>
    %805 = stablehlo.reshape %804 : (tensor<1x2048xf32>) -> tensor<2048xf32>
    %806 = stablehlo.broadcast_in_dim %805, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %807 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %808 = stablehlo.concatenate %807, %c_2, %c_2, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %809 = stablehlo.dynamic_broadcast_in_dim %806, %808, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>, tensor<4xi32>) -> tensor<?x7x7x2048xf32>
    %810 = stablehlo.add %803, %809 : tensor<?x7x7x2048xf32>
    %811 = stablehlo.add %763, %810 : tensor<?x7x7x2048xf32>
    %812 = call @relu_7(%arg0, %811) : (tensor<i32>, tensor<?x7x7x2048xf32>) -> tensor<?x7x7x2048xf32>
    %813 = stablehlo.convolution(%812, %arg104) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x7x7x2048xf32>, tensor<1x1x2048x512xf32>) -> tensor<?x7x7x512xf32>
    %814 = stablehlo.slice %arg101 [0:1, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %815 = stablehlo.reshape %814 : (tensor<1x512xf32>) -> tensor<512xf32>
    %816 = stablehlo.broadcast_in_dim %815, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %817 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %818 = stablehlo.concatenate %817, %c_2, %c_2, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %819 = stablehlo.dynamic_broadcast_in_dim %816, %818, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x7x7x512xf32>
    %820 = stablehlo.multiply %813, %819 : tensor<?x7x7x512xf32>
    %821 = stablehlo.slice %arg101 [1:2, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %822 = stablehlo.reshape %821 : (tensor<1x512xf32>) -> tensor<512xf32>
    %823 = stablehlo.broadcast_in_dim %822, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %824 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %825 = stablehlo.concatenate %824, %c_2, %c_2, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %826 = stablehlo.dynamic_broadcast_in_dim %823, %825, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x7x7x512xf32>
    %827 = stablehlo.add %820, %826 : tensor<?x7x7x512xf32>
    %828 = call @relu_6(%arg0, %827) : (tensor<i32>, tensor<?x7x7x512xf32>) -> tensor<?x7x7x512xf32>
    %829 = stablehlo.convolution(%828, %arg105) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x7x7x512xf32>, tensor<3x3x512x512xf32>) -> tensor<?x7x7x512xf32>
    %830 = stablehlo.slice %arg102 [0:1, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %831 = stablehlo.reshape %830 : (tensor<1x512xf32>) -> tensor<512xf32>
    %832 = stablehlo.broadcast_in_dim %831, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %833 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %834 = stablehlo.concatenate %833, %c_2, %c_2, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %835 = stablehlo.dynamic_broadcast_in_dim %832, %834, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x7x7x512xf32>
    %836 = stablehlo.multiply %829, %835 : tensor<?x7x7x512xf32>
    %837 = stablehlo.slice %arg102 [1:2, 0:512] : (tensor<2x512xf32>) -> tensor<1x512xf32>
    %838 = stablehlo.reshape %837 : (tensor<1x512xf32>) -> tensor<512xf32>
    %839 = stablehlo.broadcast_in_dim %838, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %840 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %841 = stablehlo.concatenate %840, %c_2, %c_2, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %842 = stablehlo.dynamic_broadcast_in_dim %839, %841, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>, tensor<4xi32>) -> tensor<?x7x7x512xf32>
    %843 = stablehlo.add %836, %842 : tensor<?x7x7x512xf32>
    %844 = call @relu_6(%arg0, %843) : (tensor<i32>, tensor<?x7x7x512xf32>) -> tensor<?x7x7x512xf32>
    %845 = stablehlo.convolution(%844, %arg106) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x7x7x512xf32>, tensor<1x1x512x2048xf32>) -> tensor<?x7x7x2048xf32>
    %846 = stablehlo.slice %arg103 [0:1, 0:2048] : (tensor<2x2048xf32>) -> tensor<1x2048xf32>
    %847 = stablehlo.reshape %846 : (tensor<1x2048xf32>) -> tensor<2048xf32>
    %848 = stablehlo.broadcast_in_dim %847, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %849 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %850 = stablehlo.concatenate %849, %c_2, %c_2, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %851 = stablehlo.dynamic_broadcast_in_dim %848, %850, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>, tensor<4xi32>) -> tensor<?x7x7x2048xf32>
    %852 = stablehlo.multiply %845, %851 : tensor<?x7x7x2048xf32>
    %853 = stablehlo.slice %arg103 [1:2, 0:2048] : (tensor<2x2048xf32>) -> tensor<1x2048xf32>
    %854 = stablehlo.reshape %853 : (tensor<1x2048xf32>) -> tensor<2048xf32>
    %855 = stablehlo.broadcast_in_dim %854, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %856 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %857 = stablehlo.concatenate %856, %c_2, %c_2, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %858 = stablehlo.dynamic_broadcast_in_dim %855, %857, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>, tensor<4xi32>) -> tensor<?x7x7x2048xf32>
    %859 = stablehlo.add %852, %858 : tensor<?x7x7x2048xf32>
    %860 = stablehlo.add %812, %859 : tensor<?x7x7x2048xf32>
    %861 = call @relu_7(%arg0, %860) : (tensor<i32>, tensor<?x7x7x2048xf32>) -> tensor<?x7x7x2048xf32>
    %862 = stablehlo.reduce(%861 init: %cst_0) applies stablehlo.add across dimensions = [1, 2] : (tensor<?x7x7x2048xf32>, tensor<f32>) -> tensor<?x2048xf32>
    %863 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %864 = stablehlo.concatenate %863, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %865 = stablehlo.dynamic_broadcast_in_dim %cst, %864, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x2048xf32>
    %866 = stablehlo.divide %862, %865 : tensor<?x2048xf32>
    %867 = stablehlo.dot_general %866, %arg108, contracting_dims = [1] x [0] : (tensor<?x2048xf32>, tensor<2048x1000xf32>) -> tensor<?x1000xf32>
    %868 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<1000xf32>) -> tensor<1x1000xf32>
    %869 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %870 = stablehlo.concatenate %869, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %871 = stablehlo.dynamic_broadcast_in_dim %868, %870, dims = [0, 1] : (tensor<1x1000xf32>, tensor<2xi32>) -> tensor<?x1000xf32>
    %872 = stablehlo.add %867, %871 : tensor<?x1000xf32>
    return %872 : tensor<?x1000xf32>
  }
  func.func private @relu(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x112x112x64xf32>) -> tensor<?x112x112x64xf32> {
    %c = stablehlo.constant dense<64> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<112> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c_0, %c_0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst, %1, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x112x112x64xf32>
    %3 = stablehlo.maximum %arg1, %2 : tensor<?x112x112x64xf32>
    return %3 : tensor<?x112x112x64xf32>
  }
  func.func private @relu_0(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x56x56x64xf32>) -> tensor<?x56x56x64xf32> {
    %c = stablehlo.constant dense<64> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<56> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c_0, %c_0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst, %1, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x56x56x64xf32>
    %3 = stablehlo.maximum %arg1, %2 : tensor<?x56x56x64xf32>
    return %3 : tensor<?x56x56x64xf32>
  }
  func.func private @relu_1(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x56x56x256xf32>) -> tensor<?x56x56x256xf32> {
    %c = stablehlo.constant dense<256> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<56> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c_0, %c_0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst, %1, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x56x56x256xf32>
    %3 = stablehlo.maximum %arg1, %2 : tensor<?x56x56x256xf32>
    return %3 : tensor<?x56x56x256xf32>
  }
  func.func private @relu_2(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x28x28x128xf32>) -> tensor<?x28x28x128xf32> {
    %c = stablehlo.constant dense<128> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<28> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c_0, %c_0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst, %1, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x28x28x128xf32>
    %3 = stablehlo.maximum %arg1, %2 : tensor<?x28x28x128xf32>
    return %3 : tensor<?x28x28x128xf32>
  }
  func.func private @relu_3(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x28x28x512xf32>) -> tensor<?x28x28x512xf32> {
    %c = stablehlo.constant dense<512> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<28> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c_0, %c_0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst, %1, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x28x28x512xf32>
    %3 = stablehlo.maximum %arg1, %2 : tensor<?x28x28x512xf32>
    return %3 : tensor<?x28x28x512xf32>
  }
  func.func private @relu_4(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x14x14x256xf32>) -> tensor<?x14x14x256xf32> {
    %c = stablehlo.constant dense<256> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<14> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c_0, %c_0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst, %1, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x14x14x256xf32>
    %3 = stablehlo.maximum %arg1, %2 : tensor<?x14x14x256xf32>
    return %3 : tensor<?x14x14x256xf32>
  }
  func.func private @relu_5(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x14x14x1024xf32>) -> tensor<?x14x14x1024xf32> {
    %c = stablehlo.constant dense<1024> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<14> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c_0, %c_0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst, %1, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x14x14x1024xf32>
    %3 = stablehlo.maximum %arg1, %2 : tensor<?x14x14x1024xf32>
    return %3 : tensor<?x14x14x1024xf32>
  }
  func.func private @relu_6(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x7x7x512xf32>) -> tensor<?x7x7x512xf32> {
    %c = stablehlo.constant dense<512> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<7> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c_0, %c_0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst, %1, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x7x7x512xf32>
    %3 = stablehlo.maximum %arg1, %2 : tensor<?x7x7x512xf32>
    return %3 : tensor<?x7x7x512xf32>
  }
  func.func private @relu_7(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x7x7x2048xf32>) -> tensor<?x7x7x2048xf32> {
    %c = stablehlo.constant dense<2048> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<7> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c_0, %c_0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst, %1, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x7x7x2048xf32>
    %3 = stablehlo.maximum %arg1, %2 : tensor<?x7x7x2048xf32>
    return %3 : tensor<?x7x7x2048xf32>
  }
}
