# SPDX-License-Identifier: Apache-2.0
"""Many functions for which nothing is tuned (sweep_cases.py), at a small and a large size, beside XLA:CPU and torch eager.

  make bench-sweep                  build/bench/sweep.html, worst ratio first, and sweep.json; a second run shows what the first had
  sweep.py --only scan,sort --peers xla  cases whose name or class contains one of the texts

A figure is the least time of a call among short blocks that alternate between the peers, each in a process of its own with equal inputs and
threads: wall time, and processor time of all threads, which other processes disturb less. Results are compared with XLA's.
A case slower than a peer is explained: the kernels that its time is in and what keeps them from what the machine allows (`heddle explain --slow`)."""
import argparse
import html
import json
import math
import os
import subprocess
import sys
import time

import numpy as np
import protocol

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PEERS = ("heddle", "xla", "torch")


def inputs(arguments, dims, seed=1):
    """The same arrays for every peer."""
    import ml_dtypes
    out, r = [], np.random.default_rng(seed)
    for text in arguments:
        element, shape, kind = (text.split(" ") + ["normal"])[:3]
        shape = [int(d) if d.isdigit() else dims[d] for d in shape.split(",") if d]
        dtype = {"bf16": ml_dtypes.bfloat16, "f32": np.float32, "f16": np.float16, "i32": np.int32, "i16": np.int16, "i8": np.int8, "ui8": np.uint8}[element]
        if kind.startswith("ints:"):
            below, least = (kind[5:] + ":0").split(":")[:2]
            x = r.integers(int(least), int(below), shape)
        else: x = r.standard_normal(shape)
        if kind == "positive": x = np.abs(x) + 0.1
        if kind == "unit": x = r.uniform(-1, 1, shape)
        if kind == "sorted": x = np.sort(x, axis=-1)
        if kind == "definite": x = x @ x.swapaxes(-1, -2) / x.shape[-1] + np.eye(x.shape[-1])
        out.append(x.astype(dtype))
    return out


class Worker:
    """One peer: load makes a call of a case, run times it."""

    def __init__(self, peer, threads):
        import sweep_cases
        self.peer, self.threads, self.cases, self.programs = peer, threads, sweep_cases.CASES, {}
        if peer == "heddle":
            from heddle.runtime import Runtime
            self.runtime = Runtime(threads)
        if peer == "torch":
            import torch
            torch.set_num_threads(threads)

    def heddle(self, name, arrays):
        import jax
        from heddle.runtime import compile_program
        from jax import export
        row = self.cases[name]
        if name not in self.programs or row["known"]:
            scope, specs = export.SymbolicScope(row["least"]), []
            for text, x in zip(row["arguments"], arrays):
                shape = x.shape if row["known"] else export.symbolic_shape(text.split(" ")[1], scope=scope)
                specs.append(jax.ShapeDtypeStruct(shape, x.dtype))
            checks = [export.DisabledSafetyCheck.custom_call("mhlo.topk")]
            self.module = export.export(jax.jit(row["function"]), platforms=["cpu"], disabled_checks=checks)(*specs).mlir_module()
            self.programs[name] = self.runtime.load(compile_program(self.module.encode()))
        return self.programs[name].prepare(arrays), lambda: self.programs[name](*arrays)

    def xla(self, name, arrays):
        import jax
        function, values = jax.jit(self.cases[name]["function"]), [jax.numpy.asarray(x) for x in arrays]
        call = lambda: jax.block_until_ready(function(*values))  # noqa: E731
        return call, lambda: [np.asarray(x) for x in jax.tree.leaves(call())]

    def torch(self, name, arrays):
        import torch
        function = self.cases[name]["torch"]
        if not function: return None, None
        values = [torch.from_numpy(x.view(np.uint16)).view(torch.bfloat16) if x.dtype.name == "bfloat16" else torch.from_numpy(x) for x in arrays]
        return (lambda: function(torch, *values)), None

    def __call__(self, request):
        if request["op"] == "load":
            row = self.cases[request["case"]]
            arrays = inputs(row["arguments"], row["sizes"][request["size"]])
            self.shapes = [x.shape for x in arrays]
            self.call, outputs = getattr(self, self.peer)(request["case"], arrays)
            if not self.call: return {"none": True}
            self.call()
            start = time.perf_counter()
            self.call()
            wall = time.perf_counter() - start
            if outputs: np.savez(request["path"], *[np.asarray(x, np.float64) for x in outputs()])
            return {"us": wall * 1e6}
        if request["op"] == "run":
            wall = busy = math.inf
            for _ in range(request["calls"]):
                processor, start = time.process_time(), time.perf_counter()
                self.call()
                wall, busy = min(wall, time.perf_counter() - start), min(busy, time.process_time() - processor)
            return {"us": wall * 1e6, "processor_us": busy * 1e6}
        if request["op"] == "save": # of heddle: the program of the case, and the sizes of its arguments
            with open(request["path"], "w") as handle: handle.write(self.module)
            return {"shapes": ["x".join(map(str, shape)) for shape in self.shapes]}
        return None


def start(peer, threads, build):
    environment = dict(os.environ, JAX_PLATFORMS="cpu", HEDDLE_BUILD=os.path.abspath(build), OMP_NUM_THREADS=str(threads),
                       PYTHONPATH=os.pathsep.join([os.path.join(ROOT, "front", "python"), os.path.dirname(os.path.abspath(__file__))]))
    return subprocess.Popen([sys.executable, __file__, "--worker", peer, "--threads", str(threads)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                            env=environment, stderr=subprocess.DEVNULL)


def ask(process, **request):
    process.stdin.write(json.dumps(request) + "\n")
    process.stdin.flush()
    line = process.stdout.readline()
    return json.loads(line) if line else {"failed": "the process ended"}


def error(folder):
    """How far Heddle's results are from XLA's, of the largest number."""
    with np.load(os.path.join(folder, "heddle.npz")) as a, np.load(os.path.join(folder, "xla.npz")) as b:
        if [a[f].shape for f in a.files] != [b[f].shape for f in b.files]: return math.inf
        worst = 0.0
        for f in a.files:
            with np.errstate(invalid="ignore"):
                got, want = np.atleast_1d(a[f]), np.atleast_1d(b[f])
                far = np.where((got == want) | (np.isnan(got) & np.isnan(want)), 0, np.abs(got - want))
                worst = max(worst, float(far.max(initial=0) / max(np.abs(want[np.isfinite(want)]).max(initial=0), 1e-30)))
        return worst


def wrong(row):
    """Further from XLA's than rounding explains; XLA rounds bf16 at each step."""
    return row.get("error", 0) > (0.05 if "bf16" in row["case"] else 1e-2)


def explain(process, build, folder, threads, us):
    """What the time of the case that is loaded is in, and why it is no less."""
    path = os.path.join(folder, "slow.mlir")
    shapes = [f"--shape=arg{i}={shape}" for i, shape in enumerate(ask(process, op="save", path=path)["shapes"]) if shape]
    done = subprocess.run([os.path.join(build, "bin", "heddle"), "explain", path, "--slow", "--json", "--random=0", "--timeout=120", f"--threads={threads}", *shapes],
                          capture_output=True, text=True)
    if done.returncode: return "no explanation: " + done.stderr.strip().split("\n")[0]
    answer = json.loads(done.stdout)
    kernels, total = answer["slow"], sum(k["us"] for k in answer["slow"])
    of_possible = lambda k: "" if k["least_us"] is None else f" at {k['least_us'] / max(k['us'], 1e-9):.0%} of what the machine allows"  # noqa: E731
    parts = [f"{k['name']} {k['us'] / max(total, 1e-9):.0%}{of_possible(k)}" + (f", {k['reason']}" if k["reason"] else "") for k in sorted(kernels, key=lambda k: -k["us"])[:2]]
    if us < 2 * max(us - total, 0): parts.insert(0, f"{us - total:.1f} of {us:.1f} us are the call")
    return "; ".join(parts)


def measure(name, size, processes, folder, rounds):
    row, peers = {"case": name, "size": size}, {}
    for peer, process in processes.items():
        reply = ask(process, op="load", case=name, size=size, path=os.path.join(folder, peer + ".npz"))
        if "failed" in reply: row[peer + "_failed"] = reply["failed"]
        elif "none" not in reply: peers[peer] = {"first": reply["us"]}
    if "heddle" not in peers: return row
    if "xla" in peers: row["error"] = error(folder)
    for _ in range(rounds):
        for peer, times in peers.items():
            # Of 30 ms; at least 10, since the first find caches of the other peers and sleeping threads, but where that takes half a second.
            in_us = lambda us: int(us / max(times["first"], 1))  # noqa: B023, E731
            calls = max(2, min(100, max(in_us(30_000), min(10, in_us(500_000)))))
            for key, value in ask(processes[peer], op="run", calls=calls).items(): times[key] = min(times.get(key, math.inf), value)
    row["peers"] = peers
    for key in ("us", "processor_us"):
        others = [t[key] for peer, t in peers.items() if peer != "heddle"]
        if others: row["ratio" if key == "us" else "processor_ratio"] = min(others) / peers["heddle"][key]
    return row


def page(rows, before, path):
    """Worst first."""
    cells = []
    for row in sorted(rows, key=lambda r: r.get("ratio", 0)):
        old = before.get((row["case"], row["size"]), {}).get("ratio")
        time_of = lambda p: f"{row['peers'][p]['us']:.1f}" if p in row.get("peers", {}) else ""  # noqa: B023, E731
        number = lambda v: f"{v:.2f}" if v is not None else ""  # noqa: E731
        note = row.get("heddle_failed", "") or (f"differs by {row['error']:.2g}" if wrong(row) else row.get("why", ""))
        cells.append("<tr><td>" + "<td>".join([row["case"], row["class"], row["size"], number(row.get("ratio")), number(row.get("processor_ratio")), number(old),
                                               *map(time_of, PEERS), html.escape(note)]))
    mean = lambda found: math.exp(sum(map(math.log, found)) / len(found)) if found else float("nan")  # noqa: E731
    ratios = [r["ratio"] for r in rows if "ratio" in r]
    classes = "".join(f"<tr><td>{k}<td>{mean([r['ratio'] for r in rows if r['class'] == k and 'ratio' in r]):.2f}" for k in sorted({r["class"] for r in rows}))
    with open(path, "w") as out:
        out.write("<!doctype html><meta charset=utf-8><title>Heddle: sweep</title><style>body{font:14px system-ui;margin:2em}td,th{padding:.1em .7em;text-align:right;"
                  "border-bottom:1px solid #ddd}td:last-child{text-align:left}table{border-collapse:collapse;margin:1em 0}</style>"
                  f"<p>Best peer over Heddle: geometric mean {mean(ratios):.2f} over {len(ratios)} rows, {sum(r < 0.9 for r in ratios)} below 0.9."
                  f"<table>{classes}</table><table><tr><th>case<th>class<th>size<th>ratio<th>of processor time<th>before<th>Heddle µs<th>XLA µs<th>torch µs<th>why" + "".join(cells) + "</table>\n")
    return f"geometric mean {mean(ratios):.2f} over {len(ratios)} rows, {sum(r < 0.9 for r in ratios)} below 0.9"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--only", default="")
    parser.add_argument("--sizes", default="small,large")
    parser.add_argument("--peers", default="xla,torch")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker: return protocol.serve(lambda: Worker(options.worker, options.threads))
    folder = os.path.join(options.build, "bench")
    os.makedirs(folder, exist_ok=True)
    result, before = os.path.join(folder, "sweep.json"), {}
    if os.path.exists(result):
        with open(result) as handle: before = {(r["case"], r["size"]): r for r in json.load(handle)}
    import sweep_cases
    processes = {peer: start(peer, options.threads, options.build) for peer in ["heddle", *options.peers.split(",")]}
    rows = []
    for name, case in sweep_cases.CASES.items():
        if not any(text in name or text in case["class"] for text in options.only.split(",")): continue
        for size in options.sizes.split(","):
            row = measure(name, size, processes, folder, options.rounds)
            if row.get("ratio", 1) < 1: row["why"] = explain(processes["heddle"], options.build, folder, options.threads, row["peers"]["heddle"]["us"])
            rows.append(dict(row, **{"class": case["class"]}))
            ratios = [f"{row[k]:7.2f}" if k in row else f"{'-':>7s}" for k in ("ratio", "processor_ratio")]
            print(f"{name:26s} {size:6s} {' '.join(ratios)}  {row.get('heddle_failed', '')}"
                  + (f"  differs by {row['error']:.2g}" if wrong(row) else "") + "".join(f"  {p} failed" for p in PEERS[1:] if p + "_failed" in row), flush=True)
    for process in processes.values(): process.stdin.close()
    print(page(rows, before, os.path.join(folder, "sweep.html")))
    kept = {**before, **{(r["case"], r["size"]): r for r in rows}}
    with open(result, "w") as handle: json.dump(list(kept.values()), handle, indent=1)
    return 1 if any("heddle_failed" in r or wrong(r) for r in rows) else 0


if __name__ == "__main__": sys.exit(main())
