# SPDX-License-Identifier: Apache-2.0
"""Whole models under torch.compile(backend="heddle"), and what happens around them: weights that change, ops without a
lowering, training, export."""
import copy
import logging
import os
import subprocess
import sys
import threading

import needs
import pytest
from error_model import PROGRAM_TERMS, assert_within, magnitudes, program

torch = needs.module("torch")
import numpy as np  # noqa: E402
from torch import nn  # noqa: E402

import heddle.torch as ht  # noqa: E402
from exact import assert_exact, assert_right, exact_results  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples"))
from inference_models import Decoder, Patches, Recurrent, Segments  # noqa: E402
from torch_models import Encoder, ResNet, warmed  # noqa: E402


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    torch.manual_seed(0)
    ht.counters.clear()
    ht.eager_ops.clear()


def test_encoder():
    """One compilation, nothing left to torch, weights bound once, right at every shape."""
    model = Encoder().eval()
    fast = torch.compile(model, backend="heddle", dynamic=True)
    with torch.no_grad():
        for batch, length in [(2, 7), (3, 16), (8, 128), (5, 33)]:
            ids = torch.randint(0, 1000, (batch, length))
            assert_exact(fast(ids), model, [ids])
    assert ht.counters["compiled"] == 1 and not ht.eager_ops and not ht.counters["eager_graphs"]
    assert ht.counters["bound_weights"] == len([p for p in model.parameters()]) and not ht.counters["rebound_weights"]


def test_encoder_with_padding():
    model = Encoder().eval()
    fast = torch.compile(model, backend="heddle", dynamic=True)
    with torch.no_grad():
        for batch, length in [(2, 7), (4, 20)]:
            ids, lengths = torch.randint(0, 1000, (batch, length)), torch.arange(3, 3 + batch)
            padding = torch.arange(length)[None] >= lengths[:, None]
            assert_exact(fast(ids, padding), model, [ids, padding])
    assert ht.counters["compiled"] == 1 and not ht.eager_ops


def test_resnet():
    model = warmed(ResNet(), torch.randn(4, 3, 64, 64))
    fast = torch.compile(model, backend="heddle", dynamic=True)
    with torch.no_grad():
        for batch, height, width in [(2, 64, 48), (3, 48, 80), (5, 33, 33)]:
            x = torch.randn(batch, 3, height, width)
            assert_exact(fast(x), model, [x])
    assert ht.counters["compiled"] == 1 and not ht.eager_ops and not ht.counters["eager_graphs"]


def whole(model, calls, compilations=1):
    """The model agrees with eager torch in every call; nothing is left to torch."""
    fast = torch.compile(model, backend="heddle", dynamic=True, fullgraph=True)
    with torch.no_grad():
        for args in calls: assert_exact(fast(*args), model, args)
    assert ht.counters["compiled"] == compilations and not ht.eager_ops and not ht.counters["eager_graphs"]


def test_decoder_with_caches():
    """A prompt, then tokens one by one: caches grow. torch asks for a program for each and one for each batch, not for each step."""
    model = Decoder().eval()
    fast = torch.compile(model, backend="heddle", dynamic=True)
    for batch, length in ((2, 5), (4, 9)):
        caches = [torch.zeros(batch, 3, 2, 8) for _ in range(4)]
        ids = torch.randint(0, 100, (batch, length))
        with torch.no_grad():
            for _ in range(4):
                got, want = fast(ids, caches), model(ids, caches)
                assert_exact(got, model, [ids, caches])
                ids, caches = want[0].argmax(-1, keepdim=True), want[1]
    assert ht.counters["compiled"] <= 4 and not ht.eager_ops and not ht.counters["eager_graphs"] and not ht.counters["rebound_weights"]


def test_vision_transformer(): whole(Patches().eval(), [[torch.randn(n, 3, 32, 32)] for n in (2, 3, 7)])


def test_unet():
    model = warmed(Segments(), torch.randn(2, 3, 16, 16))
    whole(model, [[torch.randn(2, 3, 32, 24)], [torch.randn(3, 3, 16, 40)]])


def test_recurrent(): whole(Recurrent().eval(), [[torch.randn(n, t, 12)] for n, t in ((2, 6), (3, 9), (7, 4))])


def test_automatic_dynamic():
    """Without dynamic=True torch compiles the first shape as it is and the second with unknown dims."""
    model = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 4)).eval()
    fast = torch.compile(model, backend="heddle")
    with torch.no_grad():
        for n in (3, 4, 9, 20):
            x = torch.randn(n, 8)
            assert_exact(fast(x), model, [x])
    assert ht.counters["compiled"] == 2


def test_weights_that_change():
    model = nn.Linear(8, 4).eval()
    fast = torch.compile(model, backend="heddle", dynamic=True)
    x = torch.randn(5, 8)
    with torch.no_grad():
        assert_exact(fast(x), model, [x])
        model.weight.mul_(2)
        assert_exact(fast(x), model, [x])
        model.load_state_dict(nn.Linear(8, 4).state_dict())
        assert_exact(fast(x), model, [x])
        assert ht.counters["rebound_weights"] == 3
        model.weight.data.mul_(3)  # torch counts no version for this
        ht.rebind()
        assert_exact(fast(x), model, [x])
    assert ht.counters["compiled"] == 1


def test_ops_without_a_lowering(caplog):
    """They run in torch between compiled parts, and are reported."""
    def f(x):
        y = (x @ x.t()).relu() + x.shape[0]
        z = torch.linalg.inv(y + 9 * torch.eye(x.shape[0]))
        return (z * 2).softmax(-1).sum(0), y.transpose(0, 1)
    fast = torch.compile(f, backend="heddle", dynamic=True)
    with caplog.at_level(logging.WARNING, "heddle.torch"):
        for n in (3, 6):
            x = torch.randn(n, 4)
            assert_exact(fast(x), f, [x])
    assert ht.counters["compiled"] == 2 and ht.eager_ops["aten.linalg_inv_ex.default"] == 1
    assert "aten.linalg_inv_ex.default stays with torch: no lowering" in caplog.text


def test_ops_that_are_registered_later():
    """Ops of a library that loads after the first graph, one that torch defines by others and one that has a decomposition of its own in no table."""
    with torch.no_grad(): torch.compile(lambda x: x + 1, backend="heddle")(torch.ones(3))
    library = torch.library.Library("heddle_test_later", "DEF")
    library.define("doubled(Tensor x) -> Tensor")
    library.impl("doubled", lambda x: x * 2 + x.sum(), "CompositeImplicitAutograd")
    whole(lambda x: torch.ops.heddle_test_later.doubled(x) - 1, [[torch.randn(n, 4)] for n in (3, 5)], compilations=2)
    assert len(ht.backend.backend_table()) == len(ht.backend.backend_table.__wrapped__()) - 1


def running(x): return torch.cummax(x, 0)[0]  # has no lowering


@pytest.mark.parametrize("function, calls", [
    (lambda x: running(torch.cat([x, x])).mean(0) + 1, [[(5, 3)], [(7, 3)], [(4, 6)]]),
    (lambda x: running(nn.functional.pad(x, (0, 0, 1, 2))).softmax(0).mean(0), [[(5, 3)], [(7, 4)]]),
    (lambda x: running(x[: x.shape[0] // 2]).mean(0) + x.sum(), [[(6, 3)], [(9, 4)]]),
    (lambda x, y: running(torch.cat([x.flatten(), y.flatten()])).mean() + 1, [[(5, 3), (4, 6)], [(7, 3), (9, 2)]]),
    (lambda x, y: (running(torch.cat([x, y])) * 2)[: x.shape[0]].mean(0) + x.sum(), [[(5, 3), (4, 3)], [(7, 3), (9, 3)]])])
def test_sizes_behind_ops_that_stay_with_torch(function, calls):
    """What comes after such an op has dims that are expressions of the graph's: these parts run on Heddle too."""
    fast = torch.compile(function, backend="heddle", dynamic=True)
    with torch.no_grad():
        for shapes in calls:
            arguments = [torch.randn(*s) for s in shapes]
            assert_exact(fast(*arguments), function, arguments)
    assert ht.eager_ops["aten.cummax.default"] and not ht.counters["eager_graphs"]


def test_shape_that_depends_on_data():
    def f(x):
        kept = x[x > 0]
        return (kept * 2).sum() + kept.shape[0]
    fast = torch.compile(f, backend="heddle", dynamic=True)
    for n in (5, 9):
        x = torch.randn(n)
        assert_exact(fast(x), f, [x])


def test_results_that_are_inputs_and_sizes():
    def f(x, y): return x, x.shape[0] * 2, y + 1, None
    fast = torch.compile(f, backend="heddle", dynamic=True)
    for n in (3, 4):
        x, y = torch.randn(n, 2), torch.randn(n)
        got, want = fast(x, y), f(x, y)
        assert got[0] is x and got[1] == want[1] and got[3] is None
        assert_exact(got[2], lambda y: y + 1, [y])


def test_strided_inputs_and_element_types():
    fast = torch.compile(lambda x: (x * 2 + 1).float().sum(-1), backend="heddle", dynamic=True)
    for x in (torch.randn(6, 8).t(), torch.randn(4, 3, 5).permute(2, 0, 1), torch.randn(9, 8)[:, ::2]):
        torch._dynamo.reset()
        for dtype, terms in ((torch.float32, PROGRAM_TERMS), (torch.bfloat16, PROGRAM_TERMS * 2 ** 16), (torch.float64, PROGRAM_TERMS)):
            assert_exact(fast(x.to(dtype)), lambda x: (x * 2 + 1).sum(-1), [x.to(dtype)], terms=terms, context=str(dtype))


def test_inplace():
    def f(x):
        x.add_(1)
        return x * 2
    fast = torch.compile(f, backend="heddle", dynamic=True)
    for n in (3, 5):
        x, y = torch.ones(n), torch.ones(n)
        assert torch.equal(fast(x), f(y)) and torch.equal(x, y)


def test_training():
    """Forward and backward graphs both run on Heddle."""
    model = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.LayerNorm(16), nn.Linear(16, 4))
    data = [(torch.randn(n, 8), torch.randint(0, 4, (n,))) for n in (6, 7, 8, 6)]

    def losses(weights, dtype, step=lambda model: model):
        trained = copy.deepcopy(model).to(dtype)
        trained.load_state_dict(dict(zip(model.state_dict(), map(torch.from_numpy, weights))))
        fast, optimiser, seen = step(trained), torch.optim.SGD(trained.parameters(), 0.1), []
        for x, y in data:
            loss = nn.functional.cross_entropy(fast(x.to(dtype)), y)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            seen.append(loss.item())
        return np.array(seen)
    weights = [p.numpy() for p in model.state_dict().values()]
    exact, sizes = magnitudes(lambda arrays: [losses(arrays, torch.float64)], [w.astype(np.float64) for w in weights])
    got = losses(weights, torch.float32, lambda model: torch.compile(model, backend="heddle", dynamic=True))
    assert_within(got.astype(np.float32), exact[0], program(np.float32), sizes[0])
    assert ht.counters["compiled"] == 2 and not ht.eager_ops


def test_threads():
    model = Encoder().eval()
    fast = torch.compile(model, backend="heddle", dynamic=True)
    inputs = [torch.randint(0, 1000, (b, s)) for b, s in [(2, 5), (3, 9), (4, 30), (2, 64)]]
    expected = [exact_results(model, [x]) for x in inputs]
    with torch.no_grad(): fast(inputs[0])
    failures = []

    def work(k):
        try:
            with torch.no_grad():
                for _ in range(5): assert_right(fast(inputs[k]), expected[k])
        except Exception as error:
            failures.append(error)
    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads: t.start()
    for t in threads: t.join()
    assert not failures, failures


def test_export(tmp_path, heddle):
    """The text of an exported program runs on the command line at other shapes."""
    model = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 4)).eval()
    batch = torch.export.Dim("batch", min=2)
    text = ht.to_stablehlo(torch.export.export(model, (torch.randn(3, 8),), dynamic_shapes=({0: batch},)))
    assert "tensor<?x8xf32>" in text
    program, x = tmp_path / "mlp.mlir", torch.randn(7, 8)
    program.write_text(text)
    arrays = [p.detach().numpy() for p in model.parameters()] + [x.numpy()]
    np.savez(tmp_path / "in.npz", **{f"arg{i}": a for i, a in enumerate(arrays)})
    heddle("run", program, "--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "out.npz", check=True)
    assert_exact(torch.from_numpy(np.load(tmp_path / "out.npz")["out0"]), model, [x])


def test_wrong_options_are_named():
    with pytest.raises(Exception, match="heddle takes no options of torch.compile, got 'speed'"):
        torch.compile(lambda x: x + 1, backend="heddle", options={"speed": 9})(torch.ones(2))


def test_serving_example(root, build):
    done = subprocess.run([sys.executable, os.path.join(root, "examples", "torch_serve.py"), "--requests", "12"], capture_output=True, text=True, timeout=300,
                          env={**os.environ, "HEDDLE_BUILD": build, "PYTHONPATH": os.path.join(root, "front", "python")})
    assert done.returncode == 0, done.stderr
    assert "12 requests" in done.stdout and "1 compilation" in done.stdout
