"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{function_type = (tensor<?x?xbf16>) -> tensor<?x?xbf16>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<?x?xbf16>):
    %29 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %30 = "stablehlo.get_dimension_size"(%arg3) <{dimension = 0 : i64}> : (tensor<?x?xbf16>) -> tensor<i32>
    %31 = "stablehlo.get_dimension_size"(%arg3) <{dimension = 1 : i64}> : (tensor<?x?xbf16>) -> tensor<i32>
    %32 = "stablehlo.compare"(%30, %29) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.custom_call"(%32, %30) <{api_version = 2 : i32, call_target_name = "shape_assertion", has_side_effect = true}> {error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[0].shape = (b, s). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details."} : (tensor<i1>, tensor<i32>) -> ()
    %33 = "stablehlo.compare"(%31, %29) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.custom_call"(%33, %30, %31) <{api_version = 2 : i32, call_target_name = "shape_assertion", has_side_effect = true}> {error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 's'. Using the following polymorphic shapes specifications: args[0].shape = (b, s). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), 's' = {1} from specification 's' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details."} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %34 = "func.call"(%30, %31, %arg3) <{callee = @_wrapped_jax_export_main}> : (tensor<i32>, tensor<i32>, tensor<?x?xbf16>) -> tensor<?x?xbf16>
    "func.return"(%34) : (tensor<?x?xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {jax.global_constant = "s"}, {}], function_type = (tensor<i32>, tensor<i32>, tensor<?x?xbf16>) -> tensor<?x?xbf16>, res_attrs = [{jax.result_info = "result"}], sym_name = "_wrapped_jax_export_main", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<?x?xbf16>):
    %0 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<bf16>}> : () -> tensor<bf16>
    %1 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %2 = "stablehlo.constant"() <{value = dense<7.968750e-01> : tensor<bf16>}> : () -> tensor<bf16>
    %3 = "stablehlo.constant"() <{value = dense<4.467770e-02> : tensor<bf16>}> : () -> tensor<bf16>
    %4 = "stablehlo.multiply"(%arg2, %arg2) : (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xbf16>
    %5 = "stablehlo.multiply"(%4, %arg2) : (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xbf16>
    %6 = "stablehlo.reshape"(%arg0) : (tensor<i32>) -> tensor<1xi32>
    %7 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %8 = "stablehlo.concatenate"(%6, %7) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %9 = "stablehlo.dynamic_broadcast_in_dim"(%3, %8) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>, tensor<2xi32>) -> tensor<?x?xbf16>
    %10 = "stablehlo.multiply"(%9, %5) : (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xbf16>
    %11 = "stablehlo.add"(%arg2, %10) : (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xbf16>
    %12 = "stablehlo.reshape"(%arg0) : (tensor<i32>) -> tensor<1xi32>
    %13 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %14 = "stablehlo.concatenate"(%12, %13) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %15 = "stablehlo.dynamic_broadcast_in_dim"(%2, %14) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>, tensor<2xi32>) -> tensor<?x?xbf16>
    %16 = "stablehlo.multiply"(%15, %11) : (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xbf16>
    %17 = "stablehlo.tanh"(%16) : (tensor<?x?xbf16>) -> tensor<?x?xbf16>
    %18 = "stablehlo.reshape"(%arg0) : (tensor<i32>) -> tensor<1xi32>
    %19 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %20 = "stablehlo.concatenate"(%18, %19) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %21 = "stablehlo.dynamic_broadcast_in_dim"(%1, %20) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>, tensor<2xi32>) -> tensor<?x?xbf16>
    %22 = "stablehlo.add"(%21, %17) : (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xbf16>
    %23 = "stablehlo.reshape"(%arg0) : (tensor<i32>) -> tensor<1xi32>
    %24 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %25 = "stablehlo.concatenate"(%23, %24) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %26 = "stablehlo.dynamic_broadcast_in_dim"(%0, %25) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>, tensor<2xi32>) -> tensor<?x?xbf16>
    %27 = "stablehlo.multiply"(%26, %22) : (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xbf16>
    %28 = "stablehlo.multiply"(%arg2, %27) : (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xbf16>
    "func.return"(%28) : (tensor<?x?xbf16>) -> ()
  }) : () -> ()
}) {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
