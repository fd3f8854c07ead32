module @roots {
  func.func private @first(%x: tensor<1x2xi64>) -> tensor<1x2xi64> {
    %0 = "stablehlo.collective_reduce"(%x) ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %s = stablehlo.add %a, %b : tensor<i64>
      stablehlo.return %s : tensor<i64>
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<1x2xi64>) -> tensor<1x2xi64>
    return %0 : tensor<1x2xi64>
  }
  func.func @sum_of_first() {
    %a = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
    %b = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
    %c = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
    %d = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
    %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@first], [@first], [@first], [@first]]} : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
    check.expect_eq_const %r#0, dense<[[16, 20]]> : tensor<1x2xi64>
    check.expect_eq_const %r#1, dense<0> : tensor<1x2xi64>
    check.expect_eq_const %r#3, dense<0> : tensor<1x2xi64>
    return
  }
  func.func private @counted(%x: tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<2xi64>) {
    %root = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
    %y = stablehlo.reshape %x : (tensor<1x2xi64>) -> tensor<2xi64>
    %0:2 = "stablehlo.collective_reduce"(%x, %y, %root) ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %s = stablehlo.multiply %a, %b : tensor<i64>
      stablehlo.return %s : tensor<i64>
    }) {has_dynamic_root, replica_groups = dense<[[2, 0]]> : tensor<1x2xi64>} : (tensor<1x2xi64>, tensor<2xi64>, tensor<2xi32>) -> (tensor<1x2xi64>, tensor<2xi64>)
    return %0#0, %0#1 : tensor<1x2xi64>, tensor<2xi64>
  }
  func.func @products_of_counted() {
    %a = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
    %b = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
    %c = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
    %d = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
    %r:8 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@counted], [@counted], [@counted], [@counted]]} : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<2xi64>, tensor<1x2xi64>, tensor<2xi64>, tensor<1x2xi64>, tensor<2xi64>, tensor<1x2xi64>, tensor<2xi64>)
    check.expect_eq_const %r#0, dense<[[5, 12]]> : tensor<1x2xi64>
    check.expect_eq_const %r#1, dense<0> : tensor<2xi64>
    check.expect_eq_const %r#2, dense<0> : tensor<1x2xi64>
    check.expect_eq_const %r#4, dense<0> : tensor<1x2xi64>
    check.expect_eq_const %r#5, dense<[5, 12]> : tensor<2xi64>
    check.expect_eq_const %r#6, dense<0> : tensor<1x2xi64>
    return
  }
  func.func private @several(%x: tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<2xf32>) {
    %y = stablehlo.convert %x : (tensor<1x2xi64>) -> tensor<1x2xf32>
    %z = stablehlo.reshape %y : (tensor<1x2xf32>) -> tensor<2xf32>
    %0:2 = "stablehlo.collective_broadcast"(%x, %z) {replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>} : (tensor<1x2xi64>, tensor<2xf32>) -> (tensor<1x2xi64>, tensor<2xf32>)
    return %0#0, %0#1 : tensor<1x2xi64>, tensor<2xf32>
  }
  func.func @several_of_first() {
    %a = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
    %b = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
    %c = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
    %d = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
    %r:8 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@several], [@several], [@several], [@several]]} : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<2xf32>, tensor<1x2xi64>, tensor<2xf32>, tensor<1x2xi64>, tensor<2xf32>, tensor<1x2xi64>, tensor<2xf32>)
    check.expect_eq_const %r#0, dense<0> : tensor<1x2xi64>
    check.expect_eq_const %r#2, dense<[[5, 6]]> : tensor<1x2xi64>
    check.expect_eq_const %r#3, dense<[5.0, 6.0]> : tensor<2xf32>
    check.expect_eq_const %r#5, dense<[5.0, 6.0]> : tensor<2xf32>
    check.expect_eq_const %r#7, dense<0.0> : tensor<2xf32>
    return
  }
  func.func private @chosen(%x: tensor<1x2xi64>) -> tensor<1x2xi64> {
    %n = stablehlo.slice %x [0:1, 0:1] : (tensor<1x2xi64>) -> tensor<1x1xi64>
    %zero = stablehlo.subtract %n, %n : tensor<1x1xi64>
    %one = stablehlo.constant dense<1> : tensor<1x1xi64>
    %root = stablehlo.add %zero, %one : tensor<1x1xi64>
    %i = stablehlo.convert %root : (tensor<1x1xi64>) -> tensor<1x1xi32>
    %r = stablehlo.reshape %i : (tensor<1x1xi32>) -> tensor<1xi32>
    %0 = "stablehlo.collective_broadcast"(%x, %r) {has_dynamic_root, replica_groups = dense<[[2, 1], [0, 3]]> : tensor<2x2xi64>} : (tensor<1x2xi64>, tensor<1xi32>) -> tensor<1x2xi64>
    return %0 : tensor<1x2xi64>
  }
  func.func @of_chosen() {
    %a = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
    %b = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
    %c = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
    %d = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
    %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@chosen], [@chosen], [@chosen], [@chosen]]} : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
    check.expect_eq_const %r#0, dense<[[7, 8]]> : tensor<1x2xi64>
    check.expect_eq_const %r#1, dense<[[3, 4]]> : tensor<1x2xi64>
    check.expect_eq_const %r#2, dense<[[3, 4]]> : tensor<1x2xi64>
    check.expect_eq_const %r#3, dense<[[7, 8]]> : tensor<1x2xi64>
    return
  }
}
