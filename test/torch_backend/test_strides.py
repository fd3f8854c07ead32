# SPDX-License-Identifier: Apache-2.0
"""Results whose elements share memory: expanded views and gradients of sums. Values and strides are those of torch's aot_eager."""
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: tools/setup.sh test")

import heddle.torch as ht  # noqa: E402
from heddle.torch.execute import with_strides  # noqa: E402

VIEWS = {
    "expanded sum": lambda x: x.sum().expand(5),
    "expanded column": lambda x: (x * 2)[:, :1].expand(5, 7),
    "expanded in the middle": lambda x: (x * 2)[:, None].expand(5, 2, 7),
    "broadcast_to": lambda x: torch.broadcast_to(x.sum(0), (4, 7)),
    "expanded": lambda x: (x + 1).expand(2, 5, 7),
    "expanded to nothing": lambda x: x.sum(0).expand(0, 7),
    "expanded transposed": lambda x: (x + 1).t().expand(3, 7, 5),
    "windows": lambda x: (x + 1).as_strided((4, 3), (1, 1)),
    "expanded windows": lambda x: (x + 1).as_strided((2, 4, 3), (0, 2, 1)),
    "unfolded": lambda x: (x + 1).unfold(1, 3, 1),
    "expanded numbers": lambda x: (x > 0).any().expand(3),
}
SUMS = {
    "sum": lambda x: x.sum(), "row sums": lambda x: x.sum(1), "mean": lambda x: x.mean(0), "kept": lambda x: x.sum(1, keepdim=True),
    "expanded": lambda x: (x * 2).expand(2, 5, 7), "both": lambda x: (x.sum(), x.sum(0)),
}


def compiled(f, backend, dynamic):
    torch._dynamo.reset()
    ht.eager_ops.clear()
    ht.counters.clear()
    return torch.compile(f, backend=backend, fullgraph=True, dynamic=dynamic)


def assert_same(got, want):
    torch.testing.assert_close(got, want)
    assert (got.stride(), got.is_contiguous()) == (want.stride(), want.is_contiguous())


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("name", VIEWS)
def test_views(name, dynamic):
    x, f = torch.randn(5, 7), VIEWS[name]
    with torch.no_grad():
        want = compiled(f, "aot_eager", dynamic)(x)
        got = compiled(f, "heddle", dynamic)(x)
    assert not ht.eager_ops and not ht.counters["eager_graphs"] and ht.counters["runs"], dict(ht.eager_ops)
    assert_same(got, want)


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("name", SUMS)
def test_gradients(name, dynamic):
    def gradients(backend):
        x = values.clone().requires_grad_()
        results = compiled(SUMS[name], backend, dynamic)(x)
        results = results if isinstance(results, tuple) else (results,)
        return torch.autograd.grad(sum((r * r).sum() for r in results), x)[0], [r.detach() for r in results]
    values = torch.randn(5, 7)
    want, want_results = gradients("aot_eager")
    got, got_results = gradients("heddle")
    assert not ht.eager_ops and not ht.counters["eager_graphs"] and ht.counters["runs"], dict(ht.eager_ops)
    assert_same(got, want)
    for a, b in zip(got_results, want_results): assert_same(a, b)


@pytest.mark.parametrize("shape, strides, bytes", [
    ((5, 7), (0, 0), 4), ((5, 7), (1, 0), 20), ((5, 7), (0, 1), 28), ((2, 5, 7), (0, 1, 5), 140), ((4, 3), (1, 1), 24), ((3, 4, 3), (0, 2, 1), 36), ((2, 2, 2), (2, 1, 1), 20),
    ((0, 7), (0, 1), 0), ((), (), 4), ((1, 3), (9, 2), 20)])
def test_memory(shape, strides, bytes):
    """As little memory as the strides need, and no element beside another's."""
    source = torch.arange(100.0).as_strided(shape, strides)
    got = with_strides(source.contiguous(), strides)
    assert torch.equal(got, source) and got.stride() == strides and got.untyped_storage().nbytes() == bytes
