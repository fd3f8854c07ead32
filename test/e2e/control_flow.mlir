// RUN: heddle check %s --target=eval
// RUN: heddle check %s --target=cpu

// Values that change places: (a, b) -> (b, a + b).
func.func @moves() {
  %n = stablehlo.constant dense<10> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %a = %zero, %b = %one) : tensor<i32>, tensor<i32>, tensor<i32>
  cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %j, %b, %c : tensor<i32>, tensor<i32>, tensor<i32>
  }
  check.expect_eq_const %r#1, dense<55> : tensor<i32>
  check.expect_eq_const %r#2, dense<89> : tensor<i32>
  return
}

// A swap, a rotation of three, one value yielded twice, and one of the outside; the loop's inputs stay as they were.
func.func @permutations() {
  %n = stablehlo.constant dense<4> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %z = stablehlo.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %r:7 = stablehlo.while(%i = %zero, %a = %x, %b = %y, %c = %z, %d = %x, %e = %x, %f = %y) : tensor<i32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.add %a, %e : tensor<2xf32>
    stablehlo.return %j, %b, %c, %a, %z, %f, %f : tensor<i32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }
  check.expect_eq_const %r#1, dense<[3.0, 4.0]> : tensor<2xf32>
  check.expect_eq_const %r#2, dense<[5.0, 6.0]> : tensor<2xf32>
  check.expect_eq_const %r#3, dense<[1.0, 2.0]> : tensor<2xf32>
  check.expect_eq_const %r#4, dense<[5.0, 6.0]> : tensor<2xf32>
  check.expect_eq_const %r#5, dense<[3.0, 4.0]> : tensor<2xf32>
  check.expect_eq_const %r#6, dense<[3.0, 4.0]> : tensor<2xf32>
  check.expect_eq_const %x, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}

// A loop in a loop: the inner one starts anew in every step of the outer one.
func.func @nested() {
  %three = stablehlo.constant dense<3> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %x = stablehlo.constant dense<[1, 10]> : tensor<2xi32>
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<2xi32>
  cond {
    %p = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %s:2 = stablehlo.while(%k = %zero, %b = %a) : tensor<i32>, tensor<2xi32>
    cond {
      %p = stablehlo.compare LT, %k, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %l = stablehlo.add %k, %one : tensor<i32>
      %c = stablehlo.add %b, %b : tensor<2xi32>
      stablehlo.return %l, %c : tensor<i32>, tensor<2xi32>
    }
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %s#1 : tensor<i32>, tensor<2xi32>
  }
  check.expect_eq_const %r#1, dense<[8, 80]> : tensor<2xi32>
  return
}

// Updates of a carried buffer: at a place of its own; after a reader of the old value; where the old value lives on.
func.func @updates() {
  %n = stablehlo.constant dense<4> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %x = stablehlo.constant dense<[1, 1, 1, 1]> : tensor<4xi32>
  %r:4 = stablehlo.while(%i = %zero, %a = %x, %b = %x, %c = %x) : tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %u = stablehlo.reshape %j : (tensor<i32>) -> tensor<1xi32>
    %a1 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>
    %old = stablehlo.dynamic_slice %b, %zero, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
    %more = stablehlo.add %old, %u : tensor<1xi32>
    %b1 = stablehlo.dynamic_update_slice %b, %more, %zero : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>
    %c1 = stablehlo.dynamic_update_slice %c, %u, %i : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>
    %c2 = stablehlo.add %c1, %c : tensor<4xi32>
    stablehlo.return %j, %a1, %b1, %c2 : tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  }
  check.expect_eq_const %r#1, dense<[1, 2, 3, 4]> : tensor<4xi32>
  check.expect_eq_const %r#2, dense<[11, 1, 1, 1]> : tensor<4xi32>
  check.expect_eq_const %r#3, dense<[16, 16, 14, 12]> : tensor<4xi32>
  return
}

// Branches: what a branch makes, what it only passes on, the same value twice, an index out of range.
func.func @branches() {
  %two = stablehlo.constant dense<7> : tensor<i32>
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %x = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %r:3 = "stablehlo.case"(%two) ({
    stablehlo.return %x, %x, %x : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }, {
    %m = stablehlo.negate %x : tensor<2xf32>
    %s = stablehlo.add %m, %m : tensor<2xf32>
    stablehlo.return %s, %m, %m : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }) : (tensor<i32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  %q = "stablehlo.if"(%yes) ({
    %a = stablehlo.abs %r#0 : tensor<2xf32>
    stablehlo.return %a : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  check.expect_eq_const %r#0, dense<[-2.0, 4.0]> : tensor<2xf32>
  check.expect_eq_const %r#1, dense<[-1.0, 2.0]> : tensor<2xf32>
  check.expect_eq_const %r#2, dense<[-1.0, 2.0]> : tensor<2xf32>
  check.expect_eq_const %q, dense<[2.0, 4.0]> : tensor<2xf32>
  return
}
