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

// A step that yields a table, beside one that is computed: the table's own memory is never written.
func.func @constant_yields() {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %x = stablehlo.constant dense<[7, 8, 9]> : tensor<3xi32>
  %r:3 = stablehlo.while(%i = %zero, %v = %x, %w = %x) : tensor<i32>, tensor<3xi32>, tensor<3xi32>
  cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %table = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
    %s = stablehlo.add %v, %w : tensor<3xi32>
    %j1 = stablehlo.reshape %j : (tensor<i32>) -> tensor<1xi32>
    %t = stablehlo.dynamic_update_slice %s, %j1, %i : (tensor<3xi32>, tensor<1xi32>, tensor<i32>) -> tensor<3xi32>
    stablehlo.return %j, %table, %t : tensor<i32>, tensor<3xi32>, tensor<3xi32>
  }
  check.expect_eq_const %r#1, dense<[1, 2, 3]> : tensor<3xi32>
  check.expect_eq_const %r#2, dense<[3, 4, 3]> : tensor<3xi32>
  return
}

// Tokens and tuples go around loops and through branches.
func.func @tokens() {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %token = stablehlo.create_token : !stablehlo.token
  %pair = stablehlo.tuple %one, %token : tuple<tensor<i32>, !stablehlo.token>
  %r:2 = stablehlo.while(%i = %zero, %t = %pair) : tensor<i32>, tuple<tensor<i32>, !stablehlo.token>
  cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %a = stablehlo.get_tuple_element %t[0] : (tuple<tensor<i32>, !stablehlo.token>) -> tensor<i32>
    %b = stablehlo.get_tuple_element %t[1] : (tuple<tensor<i32>, !stablehlo.token>) -> !stablehlo.token
    %c = stablehlo.after_all %b, %token : !stablehlo.token
    %d = stablehlo.add %a, %a : tensor<i32>
    %u = stablehlo.tuple %d, %c : tuple<tensor<i32>, !stablehlo.token>
    stablehlo.return %j, %u : tensor<i32>, tuple<tensor<i32>, !stablehlo.token>
  }
  %p = stablehlo.compare EQ, %r#0, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %q = "stablehlo.if"(%p) ({
    stablehlo.return %r#1 : tuple<tensor<i32>, !stablehlo.token>
  }, {
    stablehlo.return %pair : tuple<tensor<i32>, !stablehlo.token>
  }) : (tensor<i1>) -> tuple<tensor<i32>, !stablehlo.token>
  %s = stablehlo.get_tuple_element %q[0] : (tuple<tensor<i32>, !stablehlo.token>) -> tensor<i32>
  check.expect_eq_const %s, dense<8> : tensor<i32>
  return
}

// A loop decides in a loop of its own.
func.func @loop_in_condition() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %limit = stablehlo.constant dense<50> : tensor<i32>
  %r = stablehlo.while(%i = %zero) : tensor<i32>
  cond {
    %s:2 = stablehlo.while(%a = %i, %b = %zero) : tensor<i32>, tensor<i32>
    cond {
      %p = stablehlo.compare GT, %a, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %c = stablehlo.subtract %a, %one : tensor<i32>
      %d = stablehlo.add %b, %a : tensor<i32>
      stablehlo.return %c, %d : tensor<i32>, tensor<i32>
    }
    %p = stablehlo.compare LT, %s#1, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j : tensor<i32>
  }
  check.expect_eq_const %r, dense<10> : tensor<i32>
  return
}

// Sizes that differ by step and by branch, in a function that is called.
func.func private @evens(%k: tensor<i32>) -> tensor<?xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %none = stablehlo.constant dense<> : tensor<0xi32>
  %start = stablehlo.convert %none : (tensor<0xi32>) -> tensor<?xi32>
  %r:2 = stablehlo.while(%i = %zero, %v = %start) : tensor<i32>, tensor<?xi32>
  cond {
    %p = stablehlo.compare LT, %i, %k, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %m = stablehlo.remainder %i, %two : tensor<i32>
    %s = "stablehlo.case"(%m) ({
      %a = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
      %c = stablehlo.concatenate %v, %a, dim = 0 : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>
      stablehlo.return %c : tensor<?xi32>
    }, {
      stablehlo.return %v : tensor<?xi32>
    }) : (tensor<i32>) -> tensor<?xi32>
    stablehlo.return %j, %s : tensor<i32>, tensor<?xi32>
  }
  return %r#1 : tensor<?xi32>
}
func.func @sizes() {
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r = func.call @evens(%seven) : (tensor<i32>) -> tensor<?xi32>
  %n = stablehlo.get_dimension_size %r, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %s = stablehlo.reduce(%r init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %n, dense<4> : tensor<i32>
  check.expect_eq_const %s, dense<12> : tensor<i32>
  %e = func.call @evens(%zero) : (tensor<i32>) -> tensor<?xi32>
  %m = stablehlo.get_dimension_size %e, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  check.expect_eq_const %m, dense<0> : tensor<i32>
  return
}
