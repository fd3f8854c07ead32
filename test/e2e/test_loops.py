# SPDX-License-Identifier: Apache-2.0
"""Loops carry buffers that change places: a step neither copies nor allocates, however many steps there are."""
import json

import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("compiler")

# s steps of a state that is made anew, a row that is read, a row that is written, and a counter.
SCAN = """func.func @main(%xs: tensor<?x8xf32>, %h: tensor<8xf32>) -> (tensor<8xf32>, tensor<?x8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %s = stablehlo.get_dimension_size %xs, dim = 0 : (tensor<?x8xf32>) -> tensor<i32>
  %r:4 = stablehlo.while(%i = %zero, %x = %xs, %state = %h, %ys = %xs) : tensor<i32>, tensor<?x8xf32>, tensor<8xf32>, tensor<?x8xf32>
  cond {
    %p = stablehlo.compare LT, %i, %s, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %row = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 8] : (tensor<?x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %flat = stablehlo.reshape %row : (tensor<1x8xf32>) -> tensor<8xf32>
    %sum = stablehlo.add %state, %flat : tensor<8xf32>
    %next = stablehlo.tanh %sum : tensor<8xf32>
    %as_row = stablehlo.reshape %next : (tensor<8xf32>) -> tensor<1x8xf32>
    %ys1 = stablehlo.dynamic_update_slice %ys, %as_row, %i, %zero : (tensor<?x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<?x8xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %x, %next, %ys1 : tensor<i32>, tensor<?x8xf32>, tensor<8xf32>, tensor<?x8xf32>
  }
  return %r#2, %r#3 : tensor<8xf32>, tensor<?x8xf32>
}
"""


def counts(heddle, program, dims, *more):
    return json.loads(heddle("run", program, "--random", "1", "--dims", dims, "--json", *more, check=True).stdout)


def test_step_neither_copies_nor_allocates(heddle, tmp_path):
    program = tmp_path / "scan.mlir"
    program.write_text(SCAN)
    few, many = (counts(heddle, program, f"d0={s}", "--reference=eval") for s in (3, 40))
    for what in ("copies", "allocations", "library_calls"): assert few[what] == many[what], what
    assert many["launches"] == few["launches"]  # all steps are one kernel


@pytest.mark.parametrize("n", (0, 1, 3, 17, 100, 5000))
def test_size_that_the_run_tells(heddle, tmp_path, n):
    """The state is small or is not: one kernel for all steps, or launches; the results are those of any number of threads."""
    (tmp_path / "scan.mlir").write_text(SCAN.replace("x8xf32", "x?xf32").replace("<8xf32>", "<?xf32>").replace("<1x8xf32>", "<1x?xf32>")
                                        .replace("""    %row = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 8] : (tensor<?x?xf32>, tensor<i32>, tensor<i32>) -> tensor<1x?xf32>
    %flat = stablehlo.reshape %row : (tensor<1x?xf32>) -> tensor<?xf32>
""", "    %flat = stablehlo.reduce(%x init: %none) applies stablehlo.maximum across dimensions = [0] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>\n")
                                        .replace("    %as_row = stablehlo.reshape %next : (tensor<?xf32>) -> tensor<1x?xf32>\n", "")
                                        .replace("""    %ys1 = stablehlo.dynamic_update_slice %ys, %as_row, %i, %zero : (tensor<?x?xf32>, tensor<1x?xf32>, tensor<i32>, tensor<i32>) -> tensor<?x?xf32>
""", "    %ys1 = stablehlo.add %ys, %x : tensor<?x?xf32>\n").replace("  %one =", "  %none = stablehlo.constant dense<-1.0> : tensor<f32>\n  %one ="))
    outputs = []
    for threads in (1, 2):
        heddle("run", tmp_path / "scan.mlir", "--random", "1", "--shape", f"arg0=5x{n}", "--shape", f"arg1={n}", "--reference=eval", "--threads", threads,
               "--outputs", tmp_path / f"{threads}.npz", check=True)
        with np.load(tmp_path / f"{threads}.npz") as made: outputs.append([made[f].tobytes() for f in made.files])
    assert outputs[0] == outputs[1]


# A step rolls its state by 3: what it slices has sizes that the host computes.
ROLL = """func.func @main(%s: tensor<i32>, %h: tensor<?xi32>) -> tensor<?xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %from = stablehlo.constant dense<0> : tensor<1xi32>
  %step = stablehlo.constant dense<1> : tensor<1xi32>
  %r:2 = stablehlo.while(%i = %zero, %x = %h) : tensor<i32>, tensor<?xi32>
  cond {
    %p = stablehlo.compare LT, %i, %s, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %n = stablehlo.get_dimension_size %h, dim = 0 : (tensor<?xi32>) -> tensor<i32>
    %m = stablehlo.remainder %three, %n : tensor<i32>
    %at = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
    %to = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
    %a = stablehlo.real_dynamic_slice %x, %at, %to, %step : (tensor<?xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
    %b = stablehlo.real_dynamic_slice %x, %from, %at, %step : (tensor<?xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
    %c = stablehlo.concatenate %a, %b, dim = 0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
    %y = stablehlo.add %x, %c : tensor<?xi32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %y : tensor<i32>, tensor<?xi32>
  }
  return %r#1 : tensor<?xi32>
}
"""


@pytest.mark.parametrize("n", (1, 2, 3, 4, 17, 1000, 9001))
def test_slices_of_sizes_that_the_host_computes(heddle, tmp_path, n):
    """Their loads leave the loop, so that small steps are one kernel; results are those of the evaluator and of any number of threads."""
    (tmp_path / "roll.mlir").write_text(ROLL)
    launches = {}
    for steps in (0, 1, 30):
        np.savez(tmp_path / "in.npz", arg0=np.int32(steps), arg1=np.arange(n, dtype=np.int32) ** 2)
        for threads in (1, 2):
            done = heddle("run", tmp_path / "roll.mlir", "--inputs", tmp_path / "in.npz", "--reference=eval", "--threads", threads,
                          "--outputs", tmp_path / f"{threads}.npz", "--json", check=True)
            launches[steps] = json.loads(done.stdout)["launches"]
        assert (tmp_path / "1.npz").read_bytes() == (tmp_path / "2.npz").read_bytes()
        x = np.arange(n, dtype=np.int32) ** 2
        for _ in range(steps): x = np.roll(x, -(3 % n)) + x
        with np.load(tmp_path / "1.npz") as made: np.testing.assert_array_equal(made["out0"], x)
    if n <= 1000: assert launches[1] == launches[30]


PLACES = """func.func @main(%n: tensor<i32>, %a: TYPE, %b: TYPE) -> (TYPE, TYPE) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %x = %a, %y = %b) : tensor<i32>, TYPE, TYPE
  cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %sum = stablehlo.add %x, %y : TYPE
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, GIVEN : tensor<i32>, TYPE, TYPE
  }
  return %r#1, %r#2 : TYPE, TYPE
}
"""


@pytest.mark.parametrize("given", ("%sum, %x", "%y, %x", "%y, %sum"))
@pytest.mark.parametrize("size", (1, 4, 16, 17, 32, 64, 65))
def test_buffers_change_places(heddle, tmp_path, given, size):
    """What a step gives is all read before any of it is written over, in a frame and in memory."""
    (tmp_path / "p.mlir").write_text(PLACES.replace("TYPE", f"tensor<{size}xf32>").replace("GIVEN", given))
    x, y = np.arange(size, dtype=np.float32), np.arange(size, dtype=np.float32)[::-1] + 100
    np.savez(tmp_path / "in.npz", arg0=np.int32(5), arg1=x, arg2=y)
    heddle("run", tmp_path / "p.mlir", "--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "out.npz", check=True)
    for _ in range(5):
        values = {"%sum": x + y, "%x": x, "%y": y}
        x, y = (values[name] for name in given.split(", "))
    with np.load(tmp_path / "out.npz") as made:
        np.testing.assert_array_equal(made["out0"], x)
        np.testing.assert_array_equal(made["out1"], y)


FIBONACCI = """func.func @main(%n: tensor<i64>) -> (tensor<i64>, tensor<2xi64>) {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %pair = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %r:3 = stablehlo.while(%x = %n, %steps = %zero, %f = %pair) : tensor<i64>, tensor<i64>, tensor<2xi64>
  cond {
    %p = stablehlo.compare LT, %steps, %x, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %next = stablehlo.add %steps, %one : tensor<i64>
    %a = stablehlo.slice %f [0:1] : (tensor<2xi64>) -> tensor<1xi64>
    %b = stablehlo.slice %f [1:2] : (tensor<2xi64>) -> tensor<1xi64>
    %c = stablehlo.add %a, %b : tensor<1xi64>
    %g = stablehlo.concatenate %b, %c, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    stablehlo.return %x, %next, %g : tensor<i64>, tensor<i64>, tensor<2xi64>
  }
  return %r#1, %r#2 : tensor<i64>, tensor<2xi64>
}
"""


def test_more_steps_than_one_launch_takes(heddle, tmp_path):
    """The kernel returns to the host at times; the state goes on where it was. Sums of 64 bits wrap."""
    (tmp_path / "fibonacci.mlir").write_text(FIBONACCI)
    n = 50_000
    np.savez(tmp_path / "in.npz", arg0=np.int64(n))
    heddle("run", tmp_path / "fibonacci.mlir", "--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "out.npz", check=True)
    a, b = 0, 1
    for _ in range(n): a, b = b, (a + b) % 2**64
    with np.load(tmp_path / "out.npz") as out: steps, pair = (out[f] for f in out.files)
    assert steps == n and [int(x) % 2**64 for x in pair] == [a, b]


def test_lstm_step(heddle, root):
    few, many = (counts(heddle, f"{root}/examples/lstm.mlir", f"b=2,s={s}") for s in (3, 40))
    for what in ("copies", "allocations"): assert few[what] == many[what], what
    assert many["launches"] - few["launches"] == 2 * 37
    assert many["library_calls"] - few["library_calls"] == 37  # the state's product; those of the inputs are one before the loop


FOREVER = """func.func @main() -> tensor<i64> {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %go = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.while(%a = %zero) : tensor<i64>
  cond { stablehlo.return %go : tensor<i1> } do { stablehlo.return %a : tensor<i64> }
  return %r : tensor<i64>
}
"""


@pytest.mark.parametrize("command", ["run", "eval"])
def test_loop_without_end(heddle, tmp_path, command):
    """It changes nothing, and never ends: that it does not is what it does."""
    (tmp_path / "forever.mlir").write_text(FOREVER)
    stopped = heddle(command, tmp_path / "forever.mlir", "--timeout", "1", timeout=60)
    assert stopped.returncode == 4, stopped.stderr
    (tmp_path / "never.mlir").write_text(FOREVER.replace("dense<true>", "dense<false>"))
    heddle(command, tmp_path / "never.mlir", check=True)
