// RUN: heddle-opt %s --split-input-file --verify-diagnostics

func.func @undeclared(%a: tensor<4xf32>) {
  // expected-error@+1 {{use of undeclared SSA value name '%b'}}
  %0 = stablehlo.add %b, %a : tensor<4xf32>
  return
}
// -----
func.func @type(%a: tensor<4xf32>) { // expected-note {{prior use here}}
  // expected-error@+1 {{use of value '%a' expects different type than prior uses: 'tensor<5xf32>' vs 'tensor<4xf32>'}}
  %0 = stablehlo.abs %a : tensor<5xf32>
  return
}
// -----
func.func @redefined(%a: f32) {
  // expected-note@+1 {{previously defined here}}
  %0 = arith.addf %a, %a : f32
  // expected-error@+1 {{redefinition of SSA value '%0'}}
  %0 = arith.addf %a, %a : f32
  return
}
// -----
func.func @block(%c: i1) {
  // expected-error@+1 {{reference to an undefined block '^bb2'}}
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return
}
// -----
func.func @count(%a: f32) {
  // expected-error@+1 {{operation defines 1 results but was provided 2 to bind}}
  %0:2 = arith.addf %a, %a : f32
  return
}
// -----
// expected-error@+1 {{custom op 'foo.bar' is unknown}}
foo.bar
// -----
// expected-error@+1 {{'foo.bar': the op's dialect is not known}}
"foo.bar"() : () -> ()
// -----
// expected-error@+1 {{expected 1 operand type but had 0}}
func.func @types(%a: f32) { "func.return"(%a) : () -> () }
// -----
// expected-error@+1 {{integer constant out of range for attribute: expected a value of i8, got 300}}
func.func private @range() attributes {a = 300 : i8}
// -----
// expected-error@+1 {{inferred shape of elements literal ([3]) does not match type ([2])}}
func.func private @shape() attributes {a = dense<[1, 2, 3]> : tensor<2xi32>}
// -----
// expected-error@+1 {{elements hex data size is invalid for provided type}}
func.func private @hex() attributes {a = dense<"0x0102"> : tensor<3xi8>}
// -----
// expected-error@+1 {{undefined symbol alias id 'nothing'}}
func.func private @alias() attributes {a = #nothing}
// -----
// expected-error@+1 {{expected type, got 'tensr'}}
func.func private @word(tensr<4xf32>)
// -----
// expected-error@+1 {{integer dimension is too large}}
func.func private @dim(tensor<99999999999999999999xf32>)
// -----
func.func @end(%a: f32) {
  // expected-error@+2 {{expected operation name in quotes, got the end of the input}}
  return
// -----
// expected-error@+1 {{duplicate key 'a' in dictionary attribute}}
func.func private @key() attributes {a = 1, a = 2}
// -----
// expected-error@+1 {{expected '"' in string literal}}
func.func private @string() attributes {a = "text
}
// -----
func.func @slice(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected ':', got ','}}
  %0 = stablehlo.slice %a [0, 1] : (tensor<4xf32>) -> tensor<1xf32>
  return
}
// -----
func.func @region(%a: f32) {
  // expected-error@+1 {{expected ')', got '='}}
  func.call @f(%a = 1) : (f32) -> ()
  return
}

// -----

// Aliases of aliases: seven lines that would print as two million types.
!a = tuple<i1, i1, i1, i1, i1, i1, i1, i1>
!b = tuple<!a, !a, !a, !a, !a, !a, !a, !a>
!c = tuple<!b, !b, !b, !b, !b, !b, !b, !b>
!d = tuple<!c, !c, !c, !c, !c, !c, !c, !c>
!e = tuple<!d, !d, !d, !d, !d, !d, !d, !d>
!f = tuple<!e, !e, !e, !e, !e, !e, !e, !e>
// expected-error@+1 {{the aliases of this file hold too many attributes and types when written out}}
!g = tuple<!f, !f, !f, !f, !f, !f, !f, !f>
// -----
// expected-note@+1 {{see existing symbol definition here}}
func.func private @twice()
// expected-error@+1 {{redefinition of symbol named 'twice'}}
func.func private @twice()
