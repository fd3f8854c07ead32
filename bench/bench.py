#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench.py: Heddle beside XLA:CPU (JAX), torch eager and torch inductor (dynamic).

Each peer runs in a process of its own with the same inputs and thread count. A figure is the median of single calls, taken
in short blocks that alternate between the peers, so that the machine's moods hit all alike; its spread is the quartiles.
Every figure is taken again with one core kept busy. Writes results.json and report.html (self-contained) to BUILD/bench,
after every model, and closes with the figures beside their goals.

  bench.py --quick                        one shape a model without inductor: about two minutes
  bench.py --only gelu,lstm --merge       these models; other rows of an earlier results.json stay
  bench.py --parts sweep,memory --merge   some parts: steady, compile, sweep, jit, host, cold, memory"""
import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import cases  # noqa: E402
import report  # noqa: E402

PEERS = ("heddle", "xla", "torch", "inductor")
MODES = ("plain", "bound")  # weights as arguments, or bound ahead
PARTS = ("steady", "compile", "sweep", "jit", "host", "cold", "memory")
JIT = ("heddle", "xla")  # the platforms that JAX runs on


class Worker:
    """A peer's process. Requests that fail give {"failed": why}."""

    def __init__(self, peer, o, warm=False, script="worker.py", more=None):
        """|warm|: inductor may take from disk what an earlier run compiled. |more|: of the environment."""
        self.peer = peer
        cache = os.path.join(o.out, "inductor-cache") if warm else tempfile.mkdtemp(prefix="inductor-", dir=o.scratch)
        env = {**os.environ, "HEDDLE_BUILD": os.path.abspath(o.build), "JAX_PLATFORMS": "cpu", "OMP_NUM_THREADS": str(o.threads),
               "TORCHINDUCTOR_CACHE_DIR": cache, "TORCHINDUCTOR_COMPILE_THREADS": "1", **(more or {})}
        self.log = open(os.path.join(o.out, f"{peer}.log"), "a", encoding="utf-8")
        self.process = subprocess.Popen([sys.executable, os.path.join(HERE, script), peer, str(o.threads)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.log, text=True, env=env)

    def send(self, **request):
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError: pass

    def receive(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"failed": "the process ended"}

    def ask(self, **request):
        self.send(**request)
        return self.receive()

    def close(self):
        try: self.process.stdin.close()
        except BrokenPipeError: pass
        self.process.wait(timeout=30)
        self.log.close()


class Busy:
    """One core kept busy while it is entered."""

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, "-c", "import os, time\nos.sched_setaffinity(0, {max(os.sched_getaffinity(0))})\n"
                                         "end = time.time() + 600\nwhile time.time() < end: pass"])
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def summary(times):
    times = sorted(times)
    at = lambda q: times[min(int(q * len(times)), len(times) - 1)]  # noqa: E731
    return {"median_us": statistics.median(times), "low_us": at(0.25), "high_us": at(0.75), "min_us": times[0], "calls": len(times)}


def cpu_seconds(pids):
    """Of all cores together, and of the processes |pids|."""
    tick = os.sysconf("SC_CLK_TCK")
    with open("/proc/stat", encoding="ascii") as handle: f = [int(x) for x in handle.readline().split()[1:9]]
    own = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as handle: fields = handle.read().rsplit(")", 1)[1].split()
        except OSError: continue
        own += int(fields[11]) + int(fields[12])
    return (sum(f) - f[3] - f[4]) / tick, own / tick


def alternate(workers, o, rounds, others=()):
    """Blocks of all workers in turn, so many rounds. A round in which processes that are not ours took more than a tenth of a
    core is done again, twice |rounds| times at most. Gives figures and how many disturbed rounds are among them."""
    pids = [os.getpid(), *others] + [w.process.pid for w in workers.values()]
    kept, disturbed = [], []
    for _ in range(3 * rounds):
        if len(kept) >= rounds: break
        start, before = time.monotonic(), cpu_seconds(pids)
        times = {}
        for name, worker in workers.items():
            time.sleep(0.003)
            times[name] = worker.ask(op="run", ms=o.ms).get("us", [])
        after, seconds = cpu_seconds(pids), time.monotonic() - start
        foreign = (after[0] - before[0]) - (after[1] - before[1])
        (disturbed if foreign > max(0.1 * seconds, 0.03) else kept).append(times)
    missing = max(rounds - len(kept), 0)
    taken = kept + disturbed[:missing]
    joined = {name: [t for times in taken for t in times[name]] for name in workers}
    return {name: summary(t) for name, t in joined.items() if t}, missing


def steady(o, name, bound, rows):
    """All shapes of one model in one mode."""
    workers = {peer: Worker(peer, o, warm=True) for peer in o.peers}
    failed = {}
    try:
        for worker in workers.values(): worker.send(op="load", model=name, bound=bound)  # all at once: this is not timed
        for peer, worker in workers.items():
            reply = worker.receive()
            if "failed" in reply: failed[peer] = reply["failed"]
        for dims in cases.STEADY[name][:1 if o.quick else None]:
            row = {"model": name, "shape": cases.label(dims), "mode": "bound weights" if bound else "", "peers": {}, "failed": dict(failed)}
            alive = {}
            path = os.path.join(o.scratch, "reference.npz")
            order = sorted((p for p in workers if p not in failed), key=lambda p: p != "xla")  # XLA's outputs are the reference
            have_reference = False
            for peer in order: workers[peer].send(op="shape", dims=dims)
            for reply, peer in [(workers[p].receive(), p) for p in order]:
                if "failed" not in reply:
                    reply = workers[peer].ask(op="check", path=path, write=not have_reference)
                if "failed" in reply:
                    row["failed"][peer] = reply["failed"]
                    continue
                have_reference = True
                row["peers"][peer] = {"error": reply["error"]}
                alive[peer] = workers[peer]
            if os.path.exists(path): os.remove(path)
            figures, row["disturbed_rounds"] = alternate(alive, o, o.rounds)
            for peer, figure in figures.items(): row["peers"][peer].update(figure)
            if o.busy:
                with Busy() as busy:
                    figures, _ = alternate(alive, o, max(o.rounds // 2, 1), [busy.process.pid])
                for peer, figure in figures.items(): row["peers"][peer]["busy"] = figure
            rows.append(row)
            print_row(row)
    finally:
        for worker in workers.values(): worker.close()


def print_row(row):
    def cell(peer):
        got = row["peers"].get(peer)
        return f"{got['median_us']:10.0f}" if got and "median_us" in got else f"{'-':>10}"
    ours = row["peers"].get("heddle", {}).get("median_us")
    others = [v["median_us"] for k, v in row["peers"].items() if k != "heddle" and "median_us" in v]
    ratio = f"{min(others) / ours:6.2f}x" if ours and others else f"{'-':>7}"
    print(f"  {row['model'] + ' ' + row['shape']:24} {row['mode']:14}" + "".join(cell(p) for p in PEERS) + f"  {ratio}", flush=True)
    for peer, v in row["peers"].items():
        if v["error"] > 1e-2: print(f"    {peer}: differs from {'xla' if 'xla' in row['peers'] else 'the first peer'} by {v['error']:.2g}", flush=True)
    if row["disturbed_rounds"]: print(f"    {row['disturbed_rounds']} rounds were disturbed by other processes", flush=True)
    for peer, why in row["failed"].items(): print(f"    {peer}: {why}", flush=True)


def compile_times(o):
    rows = []
    for name in cases.COMPILE:
        if o.only and name not in o.only or o.quick and name in cases.SLOW: continue
        row = {"model": name, "peers": {}}
        for peer in o.peers:
            worker = Worker(peer, o)
            loaded = worker.ask(op="load", model=name, bound=False)
            shape = worker.ask(op="shape", dims=cases.STEADY[name][0]) if "failed" not in loaded else loaded
            again = worker.ask(op="shape", dims=cases.STEADY[name][1]) if "failed" not in shape else shape
            worker.close()
            if "failed" in again: row["peers"][peer] = {"failed": again["failed"]}
            else: row["peers"][peer] = {"compile_ms": loaded["compile_ms"], "first_ms": shape["first_ms"], "next_shape_ms": again["first_ms"],
                                        "kernels": loaded.get("kernels")}
        rows.append(row)
        print(f"  {name}: " + ", ".join(f"{p} {v['compile_ms'] + v['first_ms']:.0f} ms, next shape {v['next_shape_ms']:.1f} ms" if "failed" not in v
                                        else f"{p} -" for p, v in row["peers"].items()), flush=True)
    return rows


def sweep(o):
    """Everything that a peer needs for 50 shapes that it has not seen, loading included."""
    out = {"model": cases.SWEEP, "shapes": [cases.label(d) for d in cases.sweep_shapes(o.sweep)], "peers": {}}
    for peer in o.peers:
        worker = Worker(peer, o)
        reply = worker.ask(op="load", model=cases.SWEEP, bound=False)
        total, each = reply.get("compile_ms", 0.0), []
        for dims in cases.sweep_shapes(o.sweep):
            if "failed" in reply: break
            reply = worker.ask(op="shape", dims=dims)
            each.append(reply.get("first_ms"))
        worker.close()
        out["peers"][peer] = {"failed": reply["failed"]} if "failed" in reply else {"total_ms": total + sum(each), "compile_ms": total, "each_ms": each}
        print(f"  {peer}: " + (f"{total + sum(each):.0f} ms" if "failed" not in reply else reply["failed"]), flush=True)
    return out


def pipeline(o):
    """All passes of a compilation, without machine code: the median of several."""
    times = []
    for _ in range(7):
        done = subprocess.run([os.path.join(o.build, "bin", "heddle"), "explain", os.path.join(HERE, "..", "examples", cases.PIPELINE + ".mlir"), "--json"],
                              capture_output=True, text=True)
        if done.returncode: return {"failed": done.stderr.strip()[:300]}
        times.append(sum(p["ms"] for p in json.loads(done.stdout)["passes"]))
    print(f"  passes of {cases.PIPELINE}, without machine code: {statistics.median(times):.1f} ms", flush=True)
    return {"model": cases.PIPELINE, "ms": statistics.median(times), "each_ms": times}


def jit_environment(peer, o, cache):
    """Of a process in which JAX runs on |peer|, with nothing compiled before."""
    if peer == "xla": return {"JAX_PLATFORMS": "cpu"}
    return {"JAX_PLATFORMS": "heddle", "HEDDLE_BUILD": os.path.abspath(o.build), "HEDDLE_CACHE_DIR": cache, "HEDDLE_NUM_THREADS": str(o.threads),
            "PYTHONPATH": os.pathsep.join(filter(None, (os.path.abspath(os.path.join(HERE, "..", "front", "python")), os.environ.get("PYTHONPATH"))))}


def jit(o):
    """jax.jit on Heddle and on XLA:CPU: a sweep of shapes, a process that imports jax and runs one gelu, a warm tiny function."""
    out, first, workers = {"shapes": o.sweep or 10, "peers": {}}, {p: [] for p in JIT}, {}
    with tempfile.TemporaryDirectory(dir=o.scratch) as cache:
        for peer in JIT:
            more = jit_environment(peer, o, os.path.join(cache, "sweep"))
            workers[peer] = Worker(peer, o, script="jit.py", more=more)
            out["peers"][peer] = workers[peer].ask(op="sweep", model=cases.SWEEP, shapes=cases.sweep_shapes(out["shapes"]))
        alive = {p: w for p, w in workers.items() if "failed" not in out["peers"][p]}
        for peer, figure in alternate(alive, o, o.rounds)[0].items(): out["peers"][peer]["tiny"] = figure
        for worker in workers.values(): worker.close()
        for turn in range(o.rounds):
            for peer in alive:
                env = dict(os.environ, **jit_environment(peer, o, os.path.join(cache, f"first{turn}")))
                start = time.perf_counter()
                done = subprocess.run([sys.executable, os.path.join(HERE, "jit.py"), peer, "--first"], capture_output=True, text=True, env=env)
                first[peer].append((time.perf_counter() - start) * 1e3)
                if done.returncode: out["peers"][peer]["failed"] = done.stderr.strip()[-300:]
    for peer, got in out["peers"].items():
        if first[peer]: got["first_ms"] = statistics.median(first[peer])
        print(f"  {peer}: " + (got["failed"] if "failed" in got else
                               f"{len(got['each_ms'])} shapes {sum(got['each_ms']):.0f} ms, {got['compiled']} compiled, {got['shared']} shared; import and first "
                               f"gelu {got['first_ms']:.0f} ms; warm tiny call {got['tiny']['median_us']:.1f} us"), flush=True)
    return out


def host_work(o):
    """What a call at a shape not seen before takes over the next calls at it. The memory pool is filled by larger shapes
    first, so that page faults, which are counted, stay out."""
    rows = []
    for name, first, shapes in cases.HOST:
        worker = Worker("heddle", o)
        reply = worker.ask(op="load", model=name, bound=False)
        if "failed" not in reply: reply = worker.ask(op="new_shapes", warm=first, shapes=shapes)
        worker.close()
        rows.append({"model": name, **reply})
        if "failed" in reply: print(f"  {name}: {reply['failed']}", flush=True)
        else: print(f"  {name:12} {statistics.median(reply['extra_us']):6.1f} us more at a new shape (median of {len(shapes)}), "
                    f"{sum(reply['faults'])} page faults", flush=True)
    return rows


def memory(o):
    """Peak resident memory over the process with its inputs alone: of a process that compiles and calls, and of a second one
    that finds the compiled code (Heddle's artifact, JAX's persistent cache). The first contains the pages of the compilers' own code."""
    rows = []
    for name in cases.STEADY:
        if o.only and name not in o.only or name == "gemm": continue
        row = {"model": name, "shape": cases.label(cases.STEADY[name][-1]), "peers": {}}
        for peer in o.peers:
            if peer == "inductor": continue
            replies = []
            with tempfile.TemporaryDirectory(dir=o.scratch) as compiled:
                for _ in range(2):
                    worker = Worker(peer, o)
                    replies.append(worker.ask(op="memory", model=name, dims=cases.STEADY[name][-1], compiled=compiled))
                    worker.close()
            failed = next((r for r in replies if "failed" in r), None)
            row["peers"][peer] = failed or {"all_mb": replies[0]["mb"], "run_mb": replies[1]["mb"]}
        rows.append(row)
        print(f"  {name + ' ' + row['shape']:24}" + "".join(f"{p:>10} " + ("-" if "failed" in v else f"{v['run_mb']:7.1f} MB ({v['all_mb']:7.1f} with compiling)")
                                                          for p, v in row["peers"].items()), flush=True)
    return rows


def cold_start(o):
    """A process that runs gelu from the cache: start to end."""
    with tempfile.TemporaryDirectory(dir=o.scratch) as cache:
        command = [os.path.join(o.build, "bin", "heddle"), "run", os.path.join(HERE, "..", "examples", "gelu.mlir"), "--random", "0", "--dims", "b=4,s=128"]
        env, times = dict(os.environ, HEDDLE_CACHE_DIR=cache), []
        for _ in range(11):
            start = time.perf_counter()
            try: done = subprocess.run(command, env=env, capture_output=True, text=True)
            except OSError as error: return {"failed": str(error)}
            times.append((time.perf_counter() - start) * 1e6)
            if done.returncode: return {"failed": done.stderr.strip()[:300]}
    print(f"  first {times[0] / 1e3:.1f} ms, from the cache {statistics.median(times[1:]) / 1e3:.1f} ms")
    return {"first_us": times[0], **summary(times[1:])}


def fma_peak(o):
    """GFLOP/s of all threads together; null where it cannot be measured."""
    program = os.path.join(o.scratch, "fma_peak")
    if subprocess.run(["gcc", "-O2", "-pthread", os.path.join(HERE, "fma_peak.c"), "-o", program]).returncode: return None
    return float(subprocess.run([program, str(o.threads)], capture_output=True, text=True).stdout or 0) or None


def machine(o):
    with open("/proc/cpuinfo", encoding="utf-8") as handle:
        cpu = next((line.split(":", 1)[1].strip() for line in handle if line.startswith("model name")), platform.machine())
    return {"cpu": cpu, "cores": len(os.sched_getaffinity(0)), "threads": o.threads, "fma_peak_gflops": fma_peak(o)}


class Results:
    """results.json and report.html, written after every part so that a run that is stopped leaves what it has."""

    def __init__(self, o):
        self.out, self.data = o.out, {"steady": []}
        path = os.path.join(o.out, "results.json")
        if o.merge and os.path.exists(path):
            with open(path, encoding="utf-8") as handle: self.data = json.load(handle)
        self.data["machine"] = machine(o)

    def put(self, part, value):
        """Rows replace those of the same model."""
        if isinstance(value, list):
            key = lambda row: (row["model"], row.get("mode"))  # noqa: E731
            new = {key(row) for row in value}
            value = [row for row in self.data.get(part, []) if key(row) not in new] + value
            value.sort(key=lambda row: list(cases.STEADY).index(row["model"]))
        self.data[part] = value
        with open(os.path.join(self.out, "results.json"), "w", encoding="utf-8") as handle: json.dump(self.data, handle, indent=1)
        with open(os.path.join(self.out, "report.html"), "w", encoding="utf-8") as handle: handle.write(report.page(self.data))


def run_parts(o, results):
    if "steady" in o.parts:
        print("\nsteady state, microseconds (median); last: best peer over Heddle\n  " + " " * 39 + "".join(f"{p:>10}" for p in PEERS), flush=True)
        for name in cases.STEADY:
            if o.only and name not in o.only: continue
            for bound in (False, True):
                if MODES[bound] not in o.modes or bound and name not in cases.BOUND: continue
                rows = []
                peak = fma_peak(o) if name == "gemm" else None
                steady(o, name, bound, rows)
                if peak:
                    peak = max(peak, fma_peak(o))
                    for row in rows: row["fma_peak_gflops"] = peak
                results.put("steady", rows)
    if "compile" in o.parts:
        print("\ncompile and first result", flush=True)
        results.put("compile", compile_times(o))
        results.put("pipeline", pipeline(o))
    if "sweep" in o.parts and o.sweep:
        print(f"\nsweep of {o.sweep} shapes of {cases.SWEEP}, everything counted", flush=True)
        results.put("sweep", sweep(o))
    if "jit" in o.parts:
        print("\njax.jit on Heddle and on XLA:CPU", flush=True)
        results.put("jit", jit(o))
    if "host" in o.parts:
        print("\nhost work for a new shape", flush=True)
        results.put("host", host_work(o))
    if "cold" in o.parts:
        print("\ncold start of gelu from the cache", flush=True)
        results.put("cold_start", cold_start(o))
    if "memory" in o.parts:
        print("\nmemory", flush=True)
        results.put("memory", memory(o))


def main():
    names = lambda s: s.split(",")  # noqa: E731
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    p.add_argument("--out", help="folder for results (BUILD/bench)")
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--peers", type=names, default=list(PEERS))
    p.add_argument("--only", type=names, help="models, comma-separated")
    p.add_argument("--parts", type=names, default=list(PARTS), help="parts, comma-separated: " + ", ".join(PARTS))
    p.add_argument("--modes", type=names, default=list(MODES), help="of the steady part: " + ", ".join(MODES))
    p.add_argument("--rounds", type=int, default=7)
    p.add_argument("--ms", type=int, default=100, help="length of one block")
    p.add_argument("--sweep", type=int, default=50, help="shapes of the sweep, 0 for none")
    p.add_argument("--no-busy", dest="busy", action="store_false", help="leave out the runs with one core kept busy")
    p.add_argument("--merge", action="store_true", help="keep what an earlier run in the same folder measured and this one does not")
    p.add_argument("--quick", action="store_true", help="one shape a model, short blocks, no inductor: about two minutes")
    o = p.parse_args()
    if o.quick:
        o.rounds, o.ms, o.busy, o.sweep = 3, 40, False, 10
        o.peers = [x for x in o.peers if x != "inductor"]
        o.parts = [x for x in o.parts if x != "memory"]
        o.modes = ["plain"]
    for given, known in ((o.peers, PEERS), (o.parts, PARTS), (o.modes, MODES), (o.only or [], cases.STEADY)):
        for x in given:
            if x not in known: p.error(f"unknown '{x}': expected some of {', '.join(known)}")
    o.out = os.path.abspath(o.out or os.path.join(o.build, "bench"))
    os.makedirs(o.out, exist_ok=True)
    for peer in PEERS:
        if os.path.exists(os.path.join(o.out, f"{peer}.log")): os.remove(os.path.join(o.out, f"{peer}.log"))
    with tempfile.TemporaryDirectory(prefix="heddle-bench-") as o.scratch:
        results = Results(o)
        m = results.data["machine"]
        print(f"{m['cpu']}, {m['cores']} cores, {m['threads']} threads, FMA peak {m['fma_peak_gflops']} GFLOP/s", flush=True)
        run_parts(o, results)
    print("\n" + report.goals_text(results.data) + f"\n\n{report.verdict(results.data)}\n{o.out}/report.html")


if __name__ == "__main__":
    main()
