# SPDX-License-Identifier: Apache-2.0
"""Programs of rare ops, compiled against the evaluator; what has no compiled path says so where it is."""
import numpy as np
import pytest

from heddle.runtime import HeddleError, Runtime, compile_program
from error_model import Bound
from libheddle import evaluate
from op_sweep import difference

pytestmark = pytest.mark.usefixtures("compiler")

PROGRAMS = {
    "set_dim": """
func.func @main(%x: tensor<4xf32>) -> tensor<?xf32> {
 %n = stablehlo.constant dense<3> : tensor<i32>
 %r = "stablehlo.set_dimension_size"(%x, %n) <{dimension = 0 : i64}> : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32>
 return %r : tensor<?xf32>
}
""",
    "dyn_top_k": """
func.func @main(%x: tensor<3x8xf32>) -> (tensor<3x?xf32>, tensor<3x?xi32>) {
 %k = stablehlo.constant dense<2> : tensor<i32>
 %r:2 = "chlo.dynamic_top_k"(%x, %k) : (tensor<3x8xf32>, tensor<i32>) -> (tensor<3x?xf32>, tensor<3x?xi32>)
 return %r#0, %r#1 : tensor<3x?xf32>, tensor<3x?xi32>
}
""",
    "after_all": """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
 %t = stablehlo.after_all : !stablehlo.token
 %u = stablehlo.create_token : !stablehlo.token
 %v = stablehlo.after_all %t, %u : !stablehlo.token
 return %x : tensor<4xf32>
}
""",
    "token_while": """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
 %t = stablehlo.after_all : !stablehlo.token
 %z = stablehlo.constant dense<0> : tensor<i32>
 %a, %b, %c = stablehlo.while(%i = %z, %v = %x, %tok = %t) : tensor<i32>, tensor<4xf32>, !stablehlo.token
 cond {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.return %p : tensor<i1>
 } do {
  %o = stablehlo.constant dense<1> : tensor<i32>
  %j = stablehlo.add %i, %o : tensor<i32>
  %w = stablehlo.add %v, %v : tensor<4xf32>
  stablehlo.return %j, %w, %tok : tensor<i32>, tensor<4xf32>, !stablehlo.token
 }
 return %b : tensor<4xf32>
}
""",
    "dyn_topk_cc": """
func.func @main(%x: tensor<3x8xf32>, %k: tensor<i32>) -> (tensor<3x?xf32>, tensor<3x?xi32>) {
 %r:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : (tensor<3x8xf32>, tensor<i32>) -> (tensor<3x?xf32>, tensor<3x?xi32>)
 return %r#0, %r#1 : tensor<3x?xf32>, tensor<3x?xi32>
}
""",
    "mhlo_topk_cc": """
func.func @main(%x: tensor<3x8xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>) {
 %r:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<3x8xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
 return %r#0, %r#1 : tensor<3x2xf32>, tensor<3x2xi32>
}
""",
    "topk_small": """
func.func @main(%x: tensor<3x8xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>) {
 %r:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = false}, mhlo.version = 1 : i64} : (tensor<3x8xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
 return %r#0, %r#1 : tensor<3x2xf32>, tensor<3x2xi32>
}
""",
    "erf_cc": """
func.func @main(%x: tensor<3x8xf32>) -> tensor<3x8xf32> {
 %r = stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<3x8xf32>) -> tensor<3x8xf32>
 return %r : tensor<3x8xf32>
}
""",
    "chlo_dynreshape": """
func.func @main(%x: tensor<3x8xf32>) -> tensor<?x?xf32> {
 %s = stablehlo.constant dense<[4,-1]> : tensor<2xi32>
 %r = "chlo.dynamic_reshape"(%x, %s) : (tensor<3x8xf32>, tensor<2xi32>) -> tensor<?x?xf32>
 return %r : tensor<?x?xf32>
}
""",
    "async": """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
 %f = "stablehlo.async_start"(%x) ({
 ^bb0(%a: tensor<4xf32>):
   %s = stablehlo.add %a, %a : tensor<4xf32>
   stablehlo.return %s : tensor<4xf32>
 }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
 %r = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
 return %r : tensor<4xf32>
}
""",
    "fusion": """
func.func @main(%x: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>) {
 %r:2 = "mhlo.fusion"(%x) ({
 ^bb0(%a: tensor<3x4xf32>):
   %d = "mhlo.fusion"(%a) ({
   ^bb0(%b: tensor<3x4xf32>):
     %1 = mhlo.add %b, %b : tensor<3x4xf32>
     mhlo.return %1 : tensor<3x4xf32>
   }) {fusion_kind = #mhlo<fusion_kind kLoop>} : (tensor<3x4xf32>) -> tensor<3x4xf32>
   %z = mhlo.constant dense<0.0> : tensor<f32>
   %s = mhlo.reduce(%d init: %z) applies mhlo.add across dimensions = [0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<4xf32>
   mhlo.return %d, %s : tensor<3x4xf32>, tensor<4xf32>
 }) {fusion_kind = #mhlo<fusion_kind kInput>} : (tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>)
 return %r#0, %r#1 : tensor<3x4xf32>, tensor<4xf32>
}
""",
    "domain": """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
 %0 = "mhlo.domain"(%x) {kind = #mhlo<kind sharding>, entry_metadata = "a", exit_metadata = "b"} : (tensor<4xf32>) -> tensor<4xf32>
 %t = mhlo.create_token : !mhlo.token
 %1 = "mhlo.add_dependency"(%0, %t) : (tensor<4xf32>, !mhlo.token) -> tensor<4xf32>
 mhlo.trace %1, "seen" : tensor<4xf32>
 return %1 : tensor<4xf32>
}
""",
    "case_in_map": """
func.func @main(%x: tensor<2x20xf32>, %p: tensor<i1>) -> tensor<2x20xf32> {
 %r = "stablehlo.if"(%p) ({
   %t = stablehlo.tuple %x, %x : tuple<tensor<2x20xf32>, tensor<2x20xf32>>
   %e = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2x20xf32>, tensor<2x20xf32>>) -> tensor<2x20xf32>
   stablehlo.return %e : tensor<2x20xf32>
 }, {
   stablehlo.return %x : tensor<2x20xf32>
 }) : (tensor<i1>) -> tensor<2x20xf32>
 return %r : tensor<2x20xf32>
}
""",
    "reduce_if": """
func.func @main(%x: tensor<2x20xf32>) -> tensor<2xf32> {
 %i = stablehlo.constant dense<0.0> : tensor<f32>
 %r = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 1>}> ({
 ^bb0(%a: tensor<f32>, %b: tensor<f32>):
   %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
   %s = "stablehlo.if"(%c) ({
     stablehlo.return %b : tensor<f32>
   }, {
     %n = stablehlo.add %a, %b : tensor<f32>
     stablehlo.return %n : tensor<f32>
   }) : (tensor<i1>) -> tensor<f32>
   stablehlo.return %s : tensor<f32>
 }) : (tensor<2x20xf32>, tensor<f32>) -> tensor<2xf32>
 return %r : tensor<2xf32>
}
""",
    "sort_noarg": """
func.func @main(%x: tensor<20xf32>) -> tensor<20xf32> {
 %r = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
 ^bb0(%a: tensor<f32>, %b: tensor<f32>):
   %aa = stablehlo.abs %a : tensor<f32>
   %bb = stablehlo.abs %b : tensor<f32>
   %c = stablehlo.compare LT, %aa, %bb : (tensor<f32>, tensor<f32>) -> tensor<i1>
   stablehlo.return %c : tensor<i1>
 }) : (tensor<20xf32>) -> tensor<20xf32>
 return %r : tensor<20xf32>
}
""",
    "reduce_multi": """
func.func @main(%x: tensor<2x20xf32>, %y: tensor<2x20xi32>) -> (tensor<20xf32>, tensor<20xi32>) {
 %i = stablehlo.constant dense<0.0> : tensor<f32>
 %j = stablehlo.constant dense<1> : tensor<i32>
 %r:2 = "stablehlo.reduce"(%x, %y, %i, %j) <{dimensions = array<i64: 0>}> ({
 ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
   %s = stablehlo.add %a, %c : tensor<f32>
   %t = stablehlo.multiply %b, %d : tensor<i32>
   stablehlo.return %s, %t : tensor<f32>, tensor<i32>
 }) : (tensor<2x20xf32>, tensor<2x20xi32>, tensor<f32>, tensor<i32>) -> (tensor<20xf32>, tensor<20xi32>)
 return %r#0, %r#1 : tensor<20xf32>, tensor<20xi32>
}
""",
}

# What needs another end is an error when there is none.
ALONE = {
    "infeed": """
func.func @main() -> tensor<4xf32> {
 %t = stablehlo.after_all : !stablehlo.token
 %r:2 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
 return %r#0 : tensor<4xf32>
}
""",
    "outfeed": """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
 %t = stablehlo.after_all : !stablehlo.token
 %r = "stablehlo.outfeed"(%x, %t) <{outfeed_config = ""}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
 return %x : tensor<4xf32>
}
""",
    "send": """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
 %t = stablehlo.after_all : !stablehlo.token
 %r = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
 return %x : tensor<4xf32>
}
""",
}


def inputs_of(text):
    """Values for the arguments of @main, from their types."""
    head = text[text.index("@main(") + 6:]
    head = head[:head.index(") ->")]
    arrays = []
    rng = np.random.default_rng(3)
    for kind in [part.split("tensor<")[1].rstrip(">, ") for part in head.split("%") if "tensor<" in part]:
        *dims, element = kind.split("x")
        shape = tuple(map(int, dims))
        arrays.append({"f32": lambda s: rng.uniform(-1, 1, s).astype(np.float32), "i32": lambda s: np.full(s, 3, np.int32),
                       "i1": lambda s: np.full(s, True)}[element](shape))
    return arrays


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_program(name):
    text = PROGRAMS[name]
    arrays = inputs_of(text)
    got = Runtime(threads=2).load(compile_program(text.encode()))(*arrays)
    want = evaluate(text.encode(), arrays)
    assert len(got) == len(want)
    for g, w in zip(got, want): assert difference(g, w, Bound(ulps=8, modulus=8)) is None


@pytest.mark.parametrize("name", sorted(ALONE))
def test_alone(name):
    executable = Runtime(threads=1).load(compile_program(ALONE[name].encode()))
    reason = "this program runs alone" if name == "send" else f"there is no {name}"
    with pytest.raises(HeddleError, match=f"custom call 'heddle.{name}': .*{reason}"):
        executable(*inputs_of(ALONE[name]))
