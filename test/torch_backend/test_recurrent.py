# SPDX-License-Identifier: Apache-2.0
"""Recurrent layers under torch.compile(backend="heddle"): one compilation serves every length and batch."""
import needs
import pytest

torch = needs.module("torch")
from torch import nn  # noqa: E402

import heddle.torch as ht  # noqa: E402
from exact import assert_exact  # noqa: E402


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    torch.manual_seed(0)
    ht.counters.clear()
    ht.eager_ops.clear()


def compiled(function, calls, compilations=1, **options):
    """Right in every call; nothing is left to torch."""
    fast = torch.compile(function, backend="heddle", fullgraph=True, **{"dynamic": True, **options})
    with torch.no_grad():
        for args in calls: assert_exact(fast(*args), function, args)
    assert ht.counters["compiled"] == compilations and not ht.eager_ops and not ht.counters["eager_graphs"]


KINDS = {"lstm": nn.LSTM, "gru": nn.GRU, "tanh": nn.RNN, "relu": lambda *a, **k: nn.RNN(*a, nonlinearity="relu", **k)}
SHAPES = [(7, 3), (4, 5), (23, 2), (2, 17)]


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("layers", [1, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_kinds(kind, layers, bidirectional):
    compiled(KINDS[kind](6, 8, layers, bidirectional=bidirectional), [[torch.randn(*s, 6)] for s in SHAPES])


@pytest.mark.parametrize("kind", KINDS)
def test_batch_first_without_biases(kind): compiled(KINDS[kind](6, 8, 2, bias=False, batch_first=True), [[torch.randn(*s, 6)] for s in SHAPES])


@pytest.mark.parametrize("kind", KINDS)
def test_given_state(kind):
    def state(n): return (torch.randn(4, n, 8), torch.randn(4, n, 8)) if kind == "lstm" else torch.randn(4, n, 8)
    compiled(KINDS[kind](6, 8, 2, bidirectional=True), [[torch.randn(t, n, 6), state(n)] for t, n in SHAPES])


def test_projection(): compiled(nn.LSTM(6, 8, 2, proj_size=3, bidirectional=True), [[torch.randn(*s, 6)] for s in SHAPES])


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_batch(kind): compiled(KINDS[kind](6, 8), [[torch.randn(t, 6)] for t in (5, 9)])


@pytest.mark.parametrize("kind", KINDS)
def test_known_sizes(kind): compiled(KINDS[kind](6, 8, bidirectional=True), [[torch.randn(5, 2, 6)]], dynamic=False)


@pytest.mark.parametrize("length", [1, 2])
def test_short(length): compiled(nn.GRU(6, 8, bidirectional=True), [[torch.randn(length, n, 6)] for n in (3, 5)])


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
@pytest.mark.parametrize("kind", KINDS)
def test_element_types(kind, dtype): compiled(KINDS[kind](6, 8, dtype=dtype), [[torch.randn(*s, 6, dtype=dtype)] for s in SHAPES[:2]])


@pytest.mark.parametrize("kind", KINDS)
def test_nan_and_infinity(kind):
    x = torch.randn(5, 3, 6)
    x[2, 0, 0], x[3, 1, 1], x[1, 2, 2] = torch.nan, torch.inf, -torch.inf
    model = KINDS[kind](6, 8)
    fast = torch.compile(model, backend="heddle", dynamic=True)
    with torch.no_grad(): assert_exact(fast(x), model, [x])


def test_within_a_model():
    """An acoustic model: convolutions over time, recurrent layers, the last step's state into a classifier."""
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.front, self.lstm = nn.Conv1d(5, 12, 3, padding=1), nn.LSTM(12, 8, 2, batch_first=True, bidirectional=True, dropout=0.3)
            self.gru, self.head = nn.GRU(16, 8, batch_first=True), nn.Linear(8, 3)

        def forward(self, x):
            y = self.front(x).relu().transpose(1, 2)
            y, _ = self.lstm(y)
            y, last = self.gru(y)
            return self.head(last[-1]), y.mean(1)
    compiled(Model().eval(), [[torch.randn(n, 5, t)] for t, n in SHAPES[:3]])


def test_cells():
    """Cells called step by step in Python are pointwise code; a loop over them is unrolled, for the length that is traced."""
    class Steps(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm, self.gru = nn.LSTMCell(6, 8), nn.GRUCell(8, 8)

        def forward(self, x):
            h = c = g = torch.zeros(x.shape[1], 8, dtype=x.dtype)
            for k in range(3):
                h, c = self.lstm(x[k], (h, c))
                g = self.gru(h, g)
            return h, c, g
    compiled(Steps(), [[torch.randn(3, n, 6)] for n in (4, 7)])


def test_weights_are_bound_once():
    model = nn.LSTM(6, 8).eval()
    fast = torch.compile(model, backend="heddle", dynamic=True)
    with torch.no_grad():
        for t, n in SHAPES: fast(torch.randn(t, n, 6))
    assert ht.counters["bound_weights"] == 4 and not ht.counters["rebound_weights"]


def test_gradients_stay_with_torch():
    """Training breaks the graph at the layer, and trains as eager torch does."""
    class Loss(nn.Module):
        def __init__(self):
            super().__init__()
            self.model, self.head = nn.GRU(6, 8), nn.Linear(8, 2)

        def loss(self, x): return self.head(self.model(x * 2)[0]).square().sum()

        @torch.enable_grad()
        def forward(self, x): return torch.autograd.grad(self.loss(x), self.model.weight_hh_l0)

    module, x = Loss(), torch.randn(5, 3, 6)
    torch.compile(module.loss, backend="heddle", dynamic=True)(x).backward()
    assert_exact(module.model.weight_hh_l0.grad, module, [x])
    assert ht.eager_ops == {"aten.gru.input": 1} and ht.counters["compiled"] == 3


def test_dropout_between_layers():
    """Its random numbers are drawn by torch, ahead of the program: the graph is whole, and draws anew each time."""
    model = nn.LSTM(6, 8, 2, dropout=0.9)
    fast = torch.compile(model, backend="heddle", dynamic=True)
    with torch.no_grad():
        x = torch.randn(9, 4, 6)
        first, second, plain = fast(x)[0], fast(x)[0], nn.LSTM.eval(model)(x)[0]
    assert first.shape == plain.shape and not torch.equal(first, second)
    assert not ht.eager_ops and ht.counters["compiled"] == 1


def test_packed_sequences_stay_with_torch():
    class Packed(nn.Module):
        def __init__(self):
            super().__init__()
            self.model, self.head = nn.LSTM(6, 8, batch_first=True), nn.Linear(8, 2)

        def forward(self, x, lengths):
            packed = nn.utils.rnn.pack_padded_sequence(x * 2, lengths, batch_first=True, enforce_sorted=False)
            return self.head(nn.utils.rnn.pad_packed_sequence(self.model(packed)[0], batch_first=True)[0])
    f = Packed()
    fast = torch.compile(f, backend="heddle", dynamic=True)
    with torch.no_grad():
        for lengths in ([5, 2, 7], [3, 3, 1, 2]):
            x, lengths = torch.randn(len(lengths), max(lengths), 6), torch.tensor(lengths)
            assert_exact(fast(x, lengths), f, [x, lengths])


def test_other_backends_break_the_graph():
    """As without heddle.torch, unless the user asks for recurrent layers in graphs."""
    model, graphs = nn.GRU(6, 8), []

    def keep(gm, _):
        graphs.append(gm)
        return gm.forward
    x = torch.randn(5, 3, 6)
    with torch.no_grad():
        assert_exact(torch.compile(model, backend=keep)(x), model, [x])
        torch._dynamo.reset()
        with torch._dynamo.config.patch(allow_rnn=True): pass  # leaves what it found, which is not the user's word
        with pytest.raises(Exception, match="recurrent layers run in torch here"): torch.compile(model, backend=keep, fullgraph=True)(x)
        torch._dynamo.reset()
        with torch._dynamo.config.patch(allow_rnn=True): assert_exact(torch.compile(model, backend=keep, fullgraph=True)(x), model, [x])


def test_threads_that_compile():
    """What allow_rnn is by default holds in every thread."""
    import threading
    results, model, x = [], nn.LSTM(6, 8), torch.randn(5, 3, 6)

    def work():
        with torch.no_grad(): results.append(torch.compile(model, backend="heddle", fullgraph=True)(x))
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert_exact(results[0], model, [x])


@pytest.mark.parametrize("kind", ["lstm", "gru"])
def test_export(kind, tmp_path, heddle):
    """torch.export gives a recurrent layer one length unless it is told to keep it whole."""
    import numpy as np
    model, dims = KINDS[kind](6, 8).eval(), {0: torch.export.Dim("t", min=2), 1: torch.export.Dim("b", min=2)}
    with torch.no_grad(), ht.keep_recurrent_layers(): exported = torch.export.export(model, (torch.randn(3, 5, 6),), dynamic_shapes=(dims,))
    text = ht.to_stablehlo(exported)
    assert "tensor<?x?x6xf32>" in text and text.count("stablehlo.while") == 1
    program, x = tmp_path / "layer.mlir", torch.randn(9, 4, 6)
    program.write_text(text)
    arrays = [*[p.detach().numpy() for p in model.parameters()], x.numpy()]
    np.savez(tmp_path / "in.npz", **{f"arg{i}": a for i, a in enumerate(arrays)})
    heddle("run", program, "--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "out.npz", check=True)
    with np.load(tmp_path / "out.npz") as out: got = [torch.from_numpy(out[f"out{i}"]) for i in range(len(out.files))]
    assert_exact(got, model, [x])
