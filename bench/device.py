#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""device.py: what programs reach on a device, beside a copy, XLA and torch inductor, in one call of at most nine minutes.

  device.py prepare --to DIR [--target cuda:80,90] [--ptxas PROGRAM]   where Heddle is built: DIR has all that the measuring needs
  python3 DIR/bench/device.py run --out OUT                            where the device is: needs Python, numpy and ml_dtypes, no compiler and no build
  device.py rehearse --out OUT                                         both at tiny sizes on simt

A kernel's figure is the time of a copy of as many bytes on the device, over its own. Blocks of all peers alternate; results are compared with numpy's before they
are timed. Each peer is a process that is ended when it takes too long; what is left out is said, with the reason. OUT/device.json and OUT/device.md are
written after every case, so that a run that is cut off leaves what it has."""
import argparse
import glob
import json
import os
import platform
import queue
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, ".."))
sys.path.insert(0, HERE)
import device_cases as cases  # noqa: E402
import device_report as report  # noqa: E402
import device_sweep  # noqa: E402

LIMIT_MB = 64  # of what travels
MODELS = {"softmax": {"b": 4096, "s": 1024}, "gelu": {"b": 3072, "s": 4096}, "gelu_bf16": {"b": 3072, "s": 4096}, "layernorm": {"b": 65536}, "lstm": {"b": 64, "s": 50},
          "train_step": {"b": 128}, "gpt2_decode": {"b": 5, "s": 64}, "bert_layer": {"b": 8, "s": 128}, "bert_base": {"b": 4, "s": 64}, "resnet50": {"b": 3}}
PTXAS = "triton/backends/nvidia/bin/ptxas"  # in the wheel of Triton
TINY = {"softmax": {"b": 3, "s": 70}, "gelu": {"b": 2, "s": 5}, "layernorm": {"b": 5}}
MOST_WRONG = 30  # of the op sweep: more say nothing new and take the time of the rest
SIZES = (128 << 20, 512 << 20)  # bytes of the largest argument


# ---- prepare: where the compiler is ----

def compile_to(o, text, path, *flags):
    command = [os.path.join(o.build, "bin", "heddle"), "compile", text, "--target", o.target, "-o", path, *flags]
    done = subprocess.run(command + (["--ptxas", o.ptxas] if o.ptxas else []), capture_output=True, text=True)
    return None if not done.returncode else (done.stderr.strip().splitlines() or ["failed"])[0][:300]


def prepare(o):
    """Artifacts with machine code of the host and of the device, the runtime, and the scripts, in their folders of the tree."""
    for path in ("bench/device.py", "bench/device_cases.py", "bench/device_worker.py", "bench/device_report.py", "bench/protocol.py", "bench/torch_models.py", "tools/model_tools.py", *device_sweep.SCRIPTS):
        os.makedirs(os.path.join(o.to, os.path.dirname(path)), exist_ok=True)
        shutil.copy(os.path.join(ROOT, path), os.path.join(o.to, path))
    shutil.copytree(os.path.join(ROOT, "front", "python", "heddle"), os.path.join(o.to, "front", "python", "heddle"), ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    for folder in ("build/lib", "build/bin", "examples", "artifacts"): os.makedirs(os.path.join(o.to, folder), exist_ok=True)
    for path in ("lib/libheddle_rt.so", "lib/heddle_python.abi3.so", "bin/heddle", "bin/conformance_test"):
        subprocess.run(["strip", "--strip-unneeded", "-o", os.path.join(o.to, "build", path), os.path.join(o.build, path)], check=True)
    shutil.copy(os.path.join(ROOT, "examples", "models.py"), os.path.join(o.to, "examples"))
    if o.ptxas == "none": o.ptxas = None
    elif not o.ptxas and o.target.startswith("cuda"): o.ptxas = shutil.which("ptxas") or next((p for p in (os.path.join(folder, PTXAS) for folder in sys.path) if os.path.exists(p)), None)
    plan = {"target": o.target, "ptxas": o.ptxas and os.path.basename(o.ptxas), "tiny": o.tiny, "kernels": [], "models": {}, "failed": {}}
    texts, jobs = os.path.join(o.to, "programs"), []
    os.makedirs(texts, exist_ok=True)

    def add(name, text):
        path = os.path.join(texts, name + ".mlir")
        with open(path, "w", encoding="utf-8") as handle: handle.write(text)
        jobs.append((name, path))
    for size in o.sizes:
        for name, element in ((k, e) for k in cases.KERNELS for e in cases.ELEMENTS if not o.only or k in o.only):
            if size == o.sizes[0]: add(f"{name}_{element}", cases.program(name, element))
            dims = cases.dims_of(name, element, size)
            add(f"{name}_{element}_{dims[0]}x{dims[1]}", cases.program(name, element, dims))
            plan["kernels"].append({"name": name, "element": element, "dims": dims})
    plan["launch"] = not o.only or "launch" in o.only
    for count in (1, cases.CHAIN) if plan["launch"] else (): add(f"chain{count}", cases.program(f"chain{count}", "f32"))
    plan["products"] = (cases.PRODUCTS_TINY if o.tiny else cases.PRODUCTS) if not o.only or "product" in o.only else []
    for element in {e for e, _ in plan["products"]}:
        add(f"product_{element}", cases.product_program(element))
        add(f"product_{element}_library", cases.product_program(element))
    for name, dims in (TINY if o.tiny else MODELS).items():
        if o.only and name not in o.only: continue
        plan["models"][name] = dims
        shutil.copy(os.path.join(ROOT, "examples", name + ".json"), os.path.join(o.to, "examples"))
        jobs.append((name, os.path.join(ROOT, "examples", name + ".mlir")))
    for name, path in jobs:
        why = compile_to(o, path, os.path.join(o.to, "artifacts", name + ".hdl"), *["--library-products"] * name.endswith("_library"))
        if why: plan["failed"][name] = why
    if not o.only or "sweep" in o.only:
        why = prepare_sweep(o)
        if why: plan["failed"]["sweep"] = why
    with open(os.path.join(o.to, "plan.json"), "w", encoding="utf-8") as handle: json.dump(plan, handle, indent=1)
    size = sum(os.path.getsize(os.path.join(folder, file)) for folder, _, files in os.walk(o.to) for file in files) / 2 ** 20
    print(f"{o.to}: {len(jobs)} artifacts of {o.target}{', machine code by ' + o.ptxas if o.ptxas else ''}, {len(plan['failed'])} failed, {size:.1f} MiB")
    for name, why in plan["failed"].items(): print(f"  {name}: {why}")
    if size > LIMIT_MB: sys.exit(f"more than the {LIMIT_MB} MiB that travel")


def prepare_sweep(o):
    """The op sweep for the newest of the architectures. Returns what of it does not compile, as text; "" where all does."""
    os.environ["HEDDLE_BUILD"] = o.build
    kind, _, architectures = o.target.partition(":")
    target = kind + (":" + architectures.split(",")[-1] if architectures else "")
    failed = device_sweep.prepare(os.path.join(o.to, "artifacts", "sweep"), target, o.ptxas, every=40 if o.tiny else 1)
    return "; ".join(f"{form}: {why}" for form, why in failed.items())[:1000]


# ---- peers ----

def environment(peer, o):
    """Of a peer's process: on the device of CUDA, or on the CPU."""
    env = {**os.environ, "HEDDLE_BUILD": os.path.join(o.root, "build"), "HEDDLE_DEVICE_ARTIFACTS": os.path.join(o.root, "artifacts"), "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
           "PYTHONUNBUFFERED": "1", "TORCHINDUCTOR_CACHE_DIR": os.path.join(o.scratch, "inductor")}
    if o.device != "cuda": return {**env, "JAX_PLATFORMS": "cpu", "TORCHINDUCTOR_COMPILE_THREADS": "1"}
    env.pop("JAX_PLATFORMS", None)
    if peer == "heddle":  # which finds CUDA's libraries as the loader does; others bring their own
        folders = [d for p in sys.path for d in glob.glob(os.path.join(p, "nvidia", "*", "lib"))]
        env["LD_LIBRARY_PATH"] = os.pathsep.join([os.environ.get("LD_LIBRARY_PATH", ""), *folders]).strip(os.pathsep)
    return env


class Worker:
    """A peer's process, in a group of its own, made when it is first asked. A request that fails or takes too long gives {"failed": why}; the latter ends the process."""

    def __init__(self, peer, o):
        self.peer, self.o, self.process = peer, o, None

    def start(self):
        env = environment(self.peer, self.o)
        self.log = open(os.path.join(self.o.out, f"{self.peer}.log"), "a", encoding="utf-8")
        self.process = subprocess.Popen([sys.executable, os.path.join(HERE, "device_worker.py"), self.peer, self.o.device], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.log, text=True, env=env, start_new_session=True)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, args=(self.process, self.lines), daemon=True).start()

    @staticmethod
    def read(process, lines):
        for line in process.stdout: lines.put(line)
        lines.put(None)

    def send(self, **request):
        if not self.process: self.start()
        self.sent = time.monotonic()
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except OSError: pass  # the answer will say that it ended

    def receive(self, limit):
        limit = min(limit, max(self.o.end - time.monotonic(), 0.5))
        try: line = self.lines.get(timeout=max(limit - (time.monotonic() - self.sent), 0.01))
        except queue.Empty:
            self.end()
            return {"failed": f"took longer than {limit:.0f} s"}
        if line is None:
            code = self.process.wait(timeout=10)
            self.end()
            return {"failed": f"the process ended, {f'signal {-code}' if code < 0 else f'exit {code}'}: {self.last_words()}"}
        return json.loads(line)

    def last_words(self):
        with open(os.path.join(self.o.out, f"{self.peer}.log"), encoding="utf-8", errors="replace") as handle: lines = [line.strip() for line in handle if line.strip()]
        return lines[-1][:200] if lines else "it said nothing"

    def ask(self, limit, **request):
        self.send(**request)
        return self.receive(limit)

    def end(self):
        if not self.process: return
        try: os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError: pass
        self.process.wait(timeout=10)
        self.process.stdin.close()
        self.log.close()
        self.process = None


def ready(workers, limits, o, **request):
    """All at once, since making ready is work of the host; {peer: reply}."""
    for worker in workers.values(): worker.send(**request)
    return {peer: worker.receive(limits.get(peer, o.limit)) for peer, worker in workers.items()}


def median_us(times): return round(statistics.median(times), 3) if times else None


def alternate(series, o, op="run", **more):
    """Blocks in turn: series are (name, worker, what). {name: {"us", "low_us", "high_us"} or {"failed"}}"""
    times, failed = {name: [] for name, _, _ in series}, {}
    for _ in range(o.rounds):
        for name, worker, what in series:
            if name in failed: continue
            reply = worker.ask(o.limit, op=op, ms=o.ms, what=what, **more)
            if "failed" in reply: failed[name] = reply["failed"]
            else: times[name] += reply["us"]
    out = {}
    for name in times:
        t = sorted(times[name])
        out[name] = {"failed": failed[name]} if name in failed else {"us": median_us(t), "low_us": round(t[len(t) // 4], 3), "high_us": round(t[3 * len(t) // 4], 3)}
    return out


# ---- the machine ----

SMI = "name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem,power.draw,temperature.gpu"


def clocks(o):
    """What nvidia-smi says now; None where it is not, or there is nothing to say."""
    program = o.device == "cuda" and (shutil.which("nvidia-smi") or next(iter(glob.glob("/usr/local/nvidia/bin/nvidia-smi")), None))
    if not program: return None
    try: done = subprocess.run([program, f"--query-gpu={SMI}", "--format=csv,noheader"], capture_output=True, text=True, timeout=10)
    except subprocess.TimeoutExpired: return None
    if done.returncode or not done.stdout.strip(): return None
    return dict(zip(SMI.split(","), (x.strip() for x in done.stdout.splitlines()[0].split(","))))


def machine(o):
    heddle = subprocess.run([os.path.join(o.root, "build", "bin", "heddle"), "devices"], capture_output=True, text=True, timeout=60)
    line = next((line for line in heddle.stdout.splitlines() if line.startswith(o.device)), heddle.stderr.strip() or "nothing")
    return {"device": " ".join(line.split()[1:]), "clocks": clocks(o), "host": platform.platform(), "python": platform.python_version(), "target": o.plan["target"], "tiny": o.plan["tiny"]}


# ---- run: where the device is ----

class Results:
    def __init__(self, o):
        self.o, self.data = o, {"machine": machine(o), "launch": {}, "kernels": [], "products": [], "models": [], "skipped": [], "seconds": 0}
        for name, why in o.plan["failed"].items(): self.skip(name, f"it does not compile: {why}")

    def skip(self, what, why):
        self.data["skipped"].append({"what": what, "why": why})
        print(f"  skipped {what}: {why}", flush=True)

    def put(self, part, key, row):
        rows = self.data[part]
        rows[:] = [r for r in rows if any(r[k] != row[k] for k in key)] + [row]
        self.write()

    def write(self):
        self.data["seconds"] = round(time.monotonic() - self.o.start, 1)
        for name, text in (("device.json", json.dumps(self.data, indent=1)), ("device.md", report.page(self.data))):
            with open(os.path.join(self.o.out, name + ".part"), "w", encoding="utf-8") as handle: handle.write(text)
            os.replace(os.path.join(self.o.out, name + ".part"), os.path.join(self.o.out, name))


def late(o, seconds=2.0): return time.monotonic() + seconds > o.end


def kernel(case, peers, o, results):
    label = f"{case['name']} {case['element']} {case['dims'][0]}x{case['dims'][1]}"
    if late(o): return results.skip(label + f" beside {', '.join(peers)}", "no time is left")
    workers = {p: o.workers[p] for p in peers}
    told = ready(workers, {"inductor": o.slow}, o, op="kernel", **case)
    row = {**case, "bytes": cases.traffic(case["name"], case["element"], case["dims"]), "peers": {}}
    series = []
    for peer, reply in told.items():
        wrong = "failed" not in reply and not reply["error"] < cases.TOLERANCE[case["element"]]
        if wrong: reply = {"failed": f"its result is off by {reply['error']:.2g}"}
        row["peers"][peer] = reply
        if "failed" in reply: results.skip(f"{label} by {peer}", reply["failed"])
        else: series += [(peer, workers[peer], None)] + ([("static", workers[peer], "static")] if reply.get("static") else [])
    for name, figures in alternate(series, o).items():
        row["peers"][name] = {**row["peers"].get(name, {}), **figures}
        if "failed" in figures: results.skip(f"{label} by {name}", figures["failed"])
    for name, what in (("heddle", None), ("static", "static")):
        if "us" not in row["peers"].get(name, {}): continue
        reply = workers["heddle"].ask(o.limit, op="kernels", what=what)
        if "failed" in reply: results.skip(f"{label}: time of {name}'s kernels by the device", reply["failed"])
        else: row["peers"][name]["kernel_us"] = median_us(reply["us"])
    row["clocks"] = clocks(o)
    results.put("kernels", ("name", "element", "dims"), row)
    print("  " + report.kernel_line(row), flush=True)
    return None


def product(element, mnk, peers, o, results):
    label = f"product {element} {'x'.join(map(str, mnk))}"
    if late(o): return results.skip(f"{label} beside {', '.join(peers)}", "no time is left")
    workers = {p: o.workers[p] for p in peers}
    row = {"name": "product", "element": element, "dims": mnk, "peers": ready(workers, {"inductor": o.slow}, o, op="product", element=element, mnk=mnk)}
    series = []
    for peer, reply in row["peers"].items():
        if "failed" not in reply and not reply["error"] < cases.TOLERANCE[element]: reply["failed"] = f"its result is off by {reply['error']:.2g}"
        if "failed" in reply: results.skip(f"{label} by {peer}", reply["failed"])
        else: series.append((peer, workers[peer], None))
    own = row["peers"].get("heddle", {})
    if own.get("library_calls") and not own["library_error"] < cases.TOLERANCE[element]: results.skip(f"{label} by the library", f"its result is off by {own['library_error']:.2g}")
    elif own.get("library_calls"): series.append(("library", workers["heddle"], "library"))
    elif "failed" not in own: results.skip(f"{label} by the library", "it does not take it")
    for name, figures in alternate(series, o).items(): row["peers"][name] = {**row["peers"].get(name, {}), **figures}
    results.put("products", ("element", "dims"), row)
    print("  " + report.product_line(row), flush=True)
    return None


def model(name, peers, o, results):
    dims = o.plan["models"][name]
    if late(o): return results.skip(f"{name} beside {', '.join(peers)}", "no time is left")
    workers, check = {p: o.workers[p] for p in peers}, os.path.join(o.scratch, "check.npz")
    row = {"name": name, "dims": dims, "peers": {"heddle": workers["heddle"].ask(o.limit, op="model", name=name, dims=dims, check=check)}}
    others = {p: w for p, w in workers.items() if p != "heddle"}
    row["peers"].update(ready(others, {p: o.slow for p in others}, o, op="model", name=name, dims=dims, check=check))
    series = [(p, workers[p], None) for p, reply in row["peers"].items() if "failed" not in reply]
    singles = alternate(series, o, op="single")
    for peer, figures in alternate(series, o).items(): row["peers"][peer].update(figures, single_us=singles[peer].get("us"))
    for peer, reply in row["peers"].items():
        if "failed" in reply: results.skip(f"{name} by {peer}", reply["failed"])
    if os.path.exists(check): os.remove(check)
    results.put("models", ("name",), row)
    print("  " + report.model_line(row), flush=True)
    return None


def conformance(o, results):
    """What every driver must do, of the device's driver itself."""
    if late(o): return results.skip("conformance", "no time is left")
    try: done = subprocess.run([os.path.join(o.root, "build", "bin", "conformance_test")], capture_output=True, text=True, timeout=max(min(o.slow, o.end - time.monotonic()), 0.1))
    except subprocess.TimeoutExpired: return results.skip("conformance", "took too long")
    said = next((line for line in done.stdout.splitlines() if line.startswith(f"driver {o.device}:")), "")
    results.data["conformance"] = said if not done.returncode and "skipped" not in said else f"failed: {said or (done.stdout + done.stderr).strip()[-300:]}"
    results.write()
    print(f"  conformance: {results.data['conformance']}", flush=True)
    return None


def sweep(o, results):
    """Every op against what the evaluator gave; a process whose program failed is ended, since the device may be of no use to it any more."""
    worker, out = o.workers["heddle"], {"programs": 0, "forms": 0, "wrong": {}}
    count = device_sweep.count(os.path.join(o.root, "artifacts", "sweep"))
    results.data["sweep"], end = out, time.monotonic() + o.slow
    for number in range(count):
        over = late(o, 5) or time.monotonic() > end
        if over or len(out["wrong"]) >= MOST_WRONG:
            results.skip(f"{count - number} programs of the op sweep", "no time is left" if over else "too many failed")
            break
        told = worker.ask(o.limit, op="sweep", number=number)
        if "failed" in told:
            told = {"forms": 1, "wrong": {f"program {number}": told["failed"]}}
            worker.end()
        out["programs"], out["forms"] = out["programs"] + 1, out["forms"] + told["forms"]
        out["wrong"].update(told["wrong"])
    results.write()
    print("  " + report.sweep_line(out), flush=True)
    return None


def expectations(name, o, results):
    """heddle run --expect: every case of the file that JAX wrote."""
    if late(o): return results.skip(f"expectations of {name}", "no time is left")
    command = [os.path.join(o.root, "build", "bin", "heddle"), "run", os.path.join(o.root, "artifacts", name + ".hdl"), "--expect", os.path.join(o.root, "examples", name + ".json"), "--json"]
    try: done = subprocess.run(command + ["--driver", o.device], capture_output=True, text=True, timeout=min(o.slow, max(o.end - time.monotonic(), 1)))
    except subprocess.TimeoutExpired: return results.skip(f"expectations of {name}", "took too long")
    results.data.setdefault("expectations", {})[name] = "met" if not done.returncode else (done.stderr.strip() or done.stdout.strip()[-200:] or "failed")[:300]
    results.write()
    print(f"  {name}: expectations {results.data['expectations'][name]}", flush=True)
    return None


def raw_launches(o, results):
    worker = Worker("raw", o)
    told = worker.ask(o.limit, op="raw", count=1000)
    worker.end()
    if "failed" in told: return results.skip("kernels of a graph of CUDA's", told["failed"])
    results.data["launch"]["cuda"] = {k: round(v, 3) for k, v in told.items()}
    results.write()
    print("  " + report.raw_line(results.data["launch"]), flush=True)
    return None


def launches(o, results):
    """The slope from one kernel to many that wait for each other: what a launch adds. Once with launches that follow each other, once with a wait after each call."""
    out = results.data["launch"]
    worker = o.workers["heddle"]
    points = {}
    for count in (1, cases.CHAIN):
        told = worker.ask(o.limit, op="chain", count=count)
        if "failed" in told: return results.skip("launches", told["failed"])
        runs = alternate([("heddle", worker, None)], o)["heddle"]
        single = alternate([("heddle", worker, None)], o, op="single")["heddle"]
        spans = worker.ask(o.limit, op="kernels")
        if "failed" in runs or "failed" in single: return results.skip("launches", str(runs.get("failed") or single.get("failed")))
        points[count] = {"launches": told["launches"], "us": runs["us"], "single_us": single["us"], "kernel_us": median_us(spans.get("us"))}
    few, many = points[1], points[cases.CHAIN]
    more = many["launches"] - few["launches"]
    out["heddle"] = {"points": points, "launch_us": round((many["us"] - few["us"]) / more, 3) if more else None, "call_us": few["us"], "single_us": few["single_us"]}
    for choice in ("graphs", "marks") if o.device == "cuda" and not late(o, 10) else ():  # launches that go out together; a number that the device writes after each
        told = worker.ask(o.limit, op="chain", count=cases.CHAIN, choice=choice)
        runs = told if "failed" in told else alternate([("heddle", worker, None)], o)["heddle"]
        if "failed" in runs: results.skip(f"launches of driver cuda:{choice}", runs["failed"])
        else: out[choice] = {"launch_us": round(runs["us"] / told["launches"], 3)}
    if "inductor" in o.peers and not late(o, 10):
        told = o.workers["inductor"].ask(o.slow, op="chain", count=100)
        runs = told if "failed" in told else alternate([("torch", o.workers["inductor"], None)], o)["torch"]
        if "failed" in runs: results.skip("launches from a graph of torch", runs["failed"])
        else: out["torch_graph"] = {"launch_us": round(runs["us"] / 100, 3)}
    results.write()
    print("  " + report.launch_line(out), flush=True)
    return None


def run(o):
    with open(os.path.join(o.root, "plan.json"), encoding="utf-8") as handle: o.plan = json.load(handle)
    o.start = time.monotonic()
    o.end = o.start + o.seconds
    o.device = o.plan["target"].split(":")[0]
    os.makedirs(o.out, exist_ok=True)
    o.out = os.path.abspath(o.out)
    with tempfile.TemporaryDirectory(prefix="heddle-device-", ignore_cleanup_errors=True) as o.scratch: measure(o)


def measure(o):
    peers = [p for p in ("copy", "heddle", "xla", "inductor") if p in o.peers or p in ("copy", "heddle")]
    o.workers = {p: Worker(p, o) for p in peers}
    results = Results(o)
    results.write()
    print(f"{results.data['machine']['device']}; {o.seconds:.0f} s at most", flush=True)
    failed = o.plan["failed"]
    kernels = [k for k in o.plan["kernels"] if f"{k['name']}_{k['element']}" not in failed and (not o.only or k["name"] in o.only)]
    names = [m for m in o.plan["models"] if m not in failed and (not o.only or m in o.only)]
    if not o.only: conformance(o, results)
    print("beside a copy alone", flush=True)
    for case in kernels: kernel(case, ["copy", "heddle"], o, results)
    if o.plan["launch"] and (not o.only or "launch" in o.only): launches(o, results)
    if o.device == "cuda" and (not o.only or "raw" in o.only): raw_launches(o, results)
    products = [p for p in o.plan["products"] if not o.only or "product" in o.only]
    for element, mnk in products: product(element, mnk, ["heddle"], o, results)
    for name in names: expectations(name, o, results)
    if os.path.isdir(os.path.join(o.root, "artifacts", "sweep")) and (not o.only or "sweep" in o.only): sweep(o, results)
    others = [p for p in peers if p not in ("copy", "heddle")]
    for p in list(others):  # a peer that is not here is said once
        told = o.workers[p].ask(o.slow, op="hello")
        if "unknown op" in told.get("failed", ""): continue
        results.skip(f"everything by {p}", told["failed"])
        others.remove(p)
    print(f"beside {', '.join(others) or 'nobody else'}", flush=True)
    first = [k for k in kernels if k["dims"] == next(c["dims"] for c in kernels if (c["name"], c["element"]) == (k["name"], k["element"]))]
    for case in first if others else []: kernel(case, ["copy", "heddle", *others], o, results)
    for name in names: model(name, ["heddle", *others], o, results)
    for element, mnk in products if others else []: product(element, mnk, ["heddle", *others], o, results)
    for case in [k for k in kernels if k not in first] if others else []: kernel(case, ["copy", "heddle", *others], o, results)
    for worker in o.workers.values(): worker.end()
    results.data["machine"]["clocks_at_end"] = clocks(o)
    results.write()
    print("\n" + report.page(results.data) + f"\n{o.out}/device.json", flush=True)


def main():
    names = lambda s: s.split(",")  # noqa: E731
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("command", choices=("prepare", "run", "rehearse"))
    p.add_argument("--build", default=os.path.join(ROOT, "build"))
    p.add_argument("--to", help="prepare: the folder that travels (BUILD/device)")
    p.add_argument("--target", default="cuda:80,90")
    p.add_argument("--ptxas", help="prepare: the program that makes machine code of PTX (ptxas in PATH or in Triton's wheel); 'none': the device's driver compiles")
    p.add_argument("--out", help="run: the folder for results")
    p.add_argument("--seconds", type=float, default=530, help="run: for all of it")
    p.add_argument("--peers", type=names, default=["xla", "inductor"])
    p.add_argument("--only", type=names, help="of kernels, models, 'product', 'launch', 'raw' and 'sweep' these, comma-separated")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--ms", type=float, default=30, help="length of one block")
    p.add_argument("--limit", type=float, default=20, help="seconds for one answer of a peer")
    p.add_argument("--slow", type=float, default=60, help="the same where a peer compiles")
    o = p.parse_args()
    o.build, o.tiny, o.sizes = os.path.abspath(o.build), False, SIZES
    o.to = os.path.abspath(o.to or os.path.join(o.build, "device"))
    if o.command == "rehearse":
        o.target, o.tiny, o.sizes, o.rounds, o.ms, o.limit = "simt", True, (16384,), 1, 1, 60
    if o.command != "run": prepare(o)
    o.root = ROOT if o.command == "run" else o.to
    o.out = o.out or os.path.join(o.root, "results")
    if o.command != "prepare": run(o)


if __name__ == "__main__":
    main()
