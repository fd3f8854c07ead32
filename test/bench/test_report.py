# SPDX-License-Identifier: Apache-2.0
"""bench/report.py: goals say what falls short; the page holds every row."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench"))
import report  # noqa: E402


def figures(us): return {"median_us": us, "low_us": us, "high_us": us, "min_us": us, "calls": 3, "error": 0.0}


def row(model, shape, mode="", **us):
    return {"model": model, "shape": shape, "mode": mode, "peers": {p: figures(t) for p, t in us.items()}, "failed": {}, "disturbed_rounds": 0}


def results(**more):
    steady = [row("gelu", "64x1024", heddle=10, xla=40, torch=20), row("softmax", "64x1024", heddle=10, xla=8, torch=30)]
    return {"machine": {"cpu": "a <cpu>", "threads": 2, "fma_peak_gflops": 100.0}, "steady": steady, **more}


def goal(data, start): return next(g for g in report.goals(data) if g[0].strip().startswith(start))


def test_ratio_is_to_the_best_peer():
    assert report.ratios(results()) == [("gelu 64x1024", 2.0), ("softmax 64x1024", 0.8)]
    mean, least = goal(results(), "best peer over Heddle"), goal(results(), "the least")
    assert not mean[3] and mean[2] == "1.26x"
    assert not least[3] and "softmax 64x1024 0.80" in least[4] and "gelu" not in least[4]


def test_share_of_the_peak():
    gemm = dict(row("gemm", "1024", heddle=2e-3 * 1024 * 768 * 3072 / 90.0, torch=9e9), fma_peak_gflops=100.0)
    data = results()
    data["steady"].append(gemm)
    what, _, got, met, _ = goal(data, "gemm 1024")
    assert met and got == "90%", what


def test_few_rows_of_bound_weights_against_torch():
    data = results()
    data["steady"] += [row("gemm", "4", "bound weights", heddle=10, torch=19), row("gemm", "4", heddle=10, torch=5)]
    found = [g for g in report.goals(data) if g[0].startswith("gemm 4")]
    assert len(found) == 1 and not found[0][3] and found[0][2] == "1.9x"


def test_sweep_host_cold_and_memory():
    data = results(sweep={"model": "bert_layer", "shapes": ["1x8"], "peers": {"heddle": {"total_ms": 100.0, "compile_ms": 50.0, "each_ms": [50.0]}, "xla": {"total_ms": 400.0, "compile_ms": 0.0, "each_ms": [400.0]}}},
                   host=[{"model": "gelu", "extra_us": [1.0, 2.0, 30.0], "faults": [0, 0, 0]}],
                   cold_start={"first_us": 9e3, **figures(2e3)},
                   memory=[{"model": "gelu", "shape": "64x1024", "peers": {"heddle": {"run_mb": 10.0, "all_mb": 12.0}, "xla": {"run_mb": 20.0, "all_mb": 30.0}}}])
    assert goal(data, "sweep")[2:4] == ("0.25 ", False)
    assert goal(data, "host work")[2:4] == ("2 us", True)
    assert goal(data, "gelu from the cache")[3]
    assert goal(data, "memory of gelu")[3]
    text = report.goals_text(data)
    assert text.count("\n") == len(report.goals(data)) and "BELOW" in text


def jit_peer(ms, first, tiny, compiled): return {"each_ms": [ms, ms], "compiled": compiled, "shared": 2 - compiled, "first_ms": first, "tiny": figures(tiny)}


def test_jit_and_pipeline():
    data = results(pipeline={"model": "bert_base", "ms": 41.0}, jit={"shapes": 2, "peers": {"heddle": jit_peer(10, 900, 6, 1), "xla": jit_peer(60, 1000, 5, 2)}})
    assert goal(data, "passes of bert_base")[2:4] == ("41 ms", False)
    assert goal(data, "2 shapes through jax.jit")[3] and goal(data, "what they compile")[3]
    assert goal(data, "import jax and first jit")[2:4] == ("0.9 ", True)
    assert goal(data, "warm call of a tiny jit")[2:4] == ("1.2 ", False)
    data["jit"]["peers"]["xla"] = {"failed": "no jax"}
    assert not [g for g in report.goals(data) if "jit" in g[0]]


def test_page_is_whole_and_escaped():
    page = report.page(results())
    assert page.startswith("<!doctype html>") and "a &lt;cpu&gt;" in page and "http" not in page.replace("http-equiv", "")
    for label in ("gelu 64x1024", "softmax 64x1024", "0.80×", "2.00×"): assert label in page


def test_nothing_measured_has_no_goals():
    assert report.goals({"steady": []}) == []


def test_markdown_has_a_row_a_case():
    lines = report.markdown(results()).splitlines()
    assert "| softmax 64x1024 | 10.0 µs | 0.80 | 3.00 | - | **0.80** | - |" in lines
