# SPDX-License-Identifier: Apache-2.0
"""device_worker.py PEER DEVICE: one peer of bench/device.py in a process of its own, driven by JSON lines on stdin, answering on stdout.

  {"op": "kernel", "name", "element", "dims"}     -> {"error", "launches"?}   made ready at these dims; the error against numpy
  {"op": "product", "element", "mnk"}             -> {"error", "library_error"?, "library_calls"?}  the same of a product of matrices
  {"op": "model", "name", "dims", "check"}        -> {"error"?}               the same of a model, whose outputs are compared with those that the first peer wrote
  {"op": "chain", "count"}                        -> {"launches"}             kernels that wait for each other
  {"op": "sweep", "number"}                       -> {"forms", "wrong"}        a program of the op sweep against what the evaluator gave (device_sweep.py)
  {"op": "raw", "count"}                          -> {"graph_us", "marked_graph_us"}  of a kernel in a graph of so many, without and with a word written behind it
  {"op": "run", "ms", "what"?}                    -> {"us": [...]}            mean time of a call in each of some batches of calls that wait for nothing but the device
  {"op": "single", "ms"}                          -> {"us": [...]}            single calls, each to its end
  {"op": "kernels", "what"?}                      -> {"us": [...]}            of a call: time of its kernels alone, by the device's clock
DEVICE is cuda, or simt and cpu, with which the whole is rehearsed."""
import ctypes
import gc
import os
import sys
import time

import device_cases as cases
import device_sweep
import numpy as np
import protocol

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "front", "python"))


def artifacts(): return os.environ["HEDDLE_DEVICE_ARTIFACTS"]


class Peer:
    def __init__(self, device): self.device, self.batch = device, {}

    def kernel(self, name, element, dims):
        self.batch = {}
        inputs = cases.arguments(name, element, dims)
        self.ready_kernel(name, element, dims, inputs)
        return {"error": cases.error(name, element, inputs, self.first()), **self.about()}

    def about(self): return {}

    def product(self, element, mnk):
        self.batch = {}
        inputs = cases.product_arguments(element, mnk)
        self.ready_product(element, inputs)
        return {"error": cases.product_error(element, inputs, self.first()), **self.more_of_product(element, inputs)}

    def more_of_product(self, element, inputs): return {}

    def measure(self, ms, what=None):
        """So many calls in a batch that a batch takes a third of the time."""
        if what not in self.batch:
            self.many(what, 2)
            start = time.perf_counter()
            self.many(what, 4)
            self.batch[what] = max(1, min(200, int(ms / 3e3 / max((time.perf_counter() - start) / 4, 1e-7))))
        times, end = [], time.perf_counter() + ms / 1e3
        while len(times) < 3 or time.perf_counter() < end:
            start = time.perf_counter()
            self.many(what, self.batch[what])
            times.append((time.perf_counter() - start) / self.batch[what] * 1e6)
            if len(times) >= 100: break
        return times

    def single(self, ms):
        self.many(None, 1)
        times, end = [], time.perf_counter() + ms / 1e3
        while len(times) < 3 or time.perf_counter() < end:
            start = time.perf_counter()
            self.many(None, 1)
            times.append((time.perf_counter() - start) * 1e6)
        return times


class Heddle(Peer):
    def __init__(self, device):
        super().__init__(device)
        from heddle.runtime import Buffer, Runtime
        self.upload, self.Runtime, self.runtime = Buffer.upload, Runtime, Runtime(driver=device)

    def load(self, name):
        with open(os.path.join(artifacts(), name + ".hdl"), "rb") as handle: artifact = handle.read()
        start = time.perf_counter()
        executable = self.runtime.load(artifact)
        self.load_ms = (time.perf_counter() - start) * 1e3
        return executable

    def take(self, executables, inputs):
        self.inputs = None
        gc.collect()
        self.executables = executables
        self.inputs = [self.upload(self.runtime, x) for x in inputs]

    def ready_kernel(self, name, element, dims, inputs):
        static = f"{name}_{element}_{dims[0]}x{dims[1]}"
        executables = {"static": self.load(static)} if os.path.exists(os.path.join(artifacts(), static + ".hdl")) else {}
        executables[None] = self.load(f"{name}_{element}")
        self.take(executables, inputs)
        if "static" in executables: # its result is held to the same bound
            error = cases.error(name, element, inputs, self.executables["static"].enqueue(self.inputs)[0].numpy())
            if not error < cases.TOLERANCE[element]: raise AssertionError(f"the static program is off by {error:.2g}")

    def ready_product(self, element, inputs):
        self.take({None: self.load(f"product_{element}"), "library": self.load(f"product_{element}_library")}, inputs)

    def more_of_product(self, element, inputs):
        library = self.executables["library"]
        return {"library_error": cases.product_error(element, inputs, library.enqueue(self.inputs)[0].numpy()), "library_calls": int(library.stats.library_calls)}

    def first(self): return self.executables[None].enqueue(self.inputs)[0].numpy()
    def about(self): return {"launches": int(self.executables[None].stats.launches), "load_ms": round(self.load_ms, 3), "static": "static" in self.executables}

    def many(self, what, count):
        executable = self.executables[what]
        outs = [executable.enqueue(self.inputs) for _ in range(count)]
        for each in outs:
            for out in each: out.wait()

    def kernels(self, what=None):
        executable, times = self.executables[what], []
        self.runtime.profile(True)
        for _ in range(12):
            for out in executable.enqueue(self.inputs): out.wait()
            times.append(sum(end - start for category, _, start, end in self.runtime.take_profile() if category == "kernel") / 1e3)
        self.runtime.profile(False)
        return times[2:]

    def chain(self, count, choice=None):
        """|choice|: of the driver, as its name has it: "graphs", "marks"."""
        own, self.batch = self.runtime, {}
        if choice: self.runtime = self.Runtime(driver=f"{self.device}:{choice}")
        try: self.take({None: self.load(f"chain{count}")}, [np.random.default_rng(0).standard_normal((64, 64), np.float32)])
        finally: self.runtime = own
        self.many(None, 3)
        return self.about()

    def sweep(self, number):
        return device_sweep.run(os.path.join(artifacts(), "sweep"), number, self.runtime.load)

    def model(self, name, dims):
        from heddle.random_inputs import random_array
        self.batch = {}
        executable = self.load(name)
        inputs = [random_array(t.dtype, [d if isinstance(d, int) else dims[d] for d in t.shape], 1, n, scale=float(s))
                  for n, (t, s) in enumerate(zip(executable.inputs, self.scales(name, executable)))]
        self.take({None: executable}, inputs)
        return [x.numpy() for x in executable.enqueue(self.inputs)]

    @staticmethod
    def scales(name, executable):
        """As its expectations have them: weights of a size that keeps values sane."""
        import json
        path = os.path.join(HERE, "..", "examples", name + ".json")
        if not os.path.exists(path): return [1.0] * executable.input_count
        with open(path, encoding="utf-8") as handle: return json.load(handle).get("scales") or [1.0] * executable.input_count


class Xla(Peer):
    def __init__(self, device):
        super().__init__(device)
        import jax
        self.jax = jax
        if device == "cuda" and jax.default_backend() not in ("gpu", "cuda"): raise RuntimeError(f"jax runs on {jax.default_backend()} here")

    def ready_kernel(self, name, element, dims, inputs):
        self.function, self.inputs = self.jax.jit(cases.jax_of(name)), [self.jax.numpy.asarray(x) for x in inputs]

    def ready_product(self, element, inputs):
        """In the precision of the elements, as the others."""
        self.function, self.inputs = self.jax.jit(lambda x, y: self.jax.numpy.dot(x, y, precision="highest")), [self.jax.numpy.asarray(x) for x in inputs]

    def first(self): return np.asarray(self.function(*self.inputs))

    def many(self, what, count):
        self.jax.block_until_ready([self.function(*self.inputs) for _ in range(count)])

    def model(self, name, dims):
        self.batch = {}
        _, args = model_inputs(name, dims, self.jax.numpy.asarray)
        self.function, self.inputs = self.jax.jit(models().load_models()[name].fn), args
        return [np.asarray(x) for x in self.jax.tree.leaves(self.function(*args))]


class Inductor(Peer):
    def __init__(self, device):
        super().__init__(device)
        import torch
        self.torch, self.place = torch, "cuda" if device == "cuda" else "cpu"
        if device == "cuda" and not torch.cuda.is_available(): raise RuntimeError("torch sees no GPU here")
        torch.set_grad_enabled(False)

    def tensor(self, x):
        bits = x.dtype.name == "bfloat16"
        t = self.torch.from_numpy(np.array(x.view(np.uint16) if bits else x))
        return (t.view(self.torch.bfloat16) if bits else t).to(self.place)

    def array(self, t):
        import ml_dtypes
        t = t.detach().cpu()
        return t.contiguous().view(self.torch.uint16).numpy().view(ml_dtypes.bfloat16) if t.dtype == self.torch.bfloat16 else t.numpy()

    def ready_kernel(self, name, element, dims, inputs):
        self.function, self.inputs = self.torch.compile(cases.torch_of(name), dynamic=True), [self.tensor(x) for x in inputs]

    def ready_product(self, element, inputs):
        self.function, self.inputs = self.torch.compile(self.torch.matmul, dynamic=True), [self.tensor(x) for x in inputs]

    def first(self): return self.array(self.function(*self.inputs))

    def many(self, what, count):
        out = None
        for _ in range(count): out = self.function(*self.inputs)
        if self.place == "cuda": self.torch.cuda.synchronize()
        del out

    def model(self, name, dims):
        import jax

        import torch_models
        self.batch = {}
        self.torch.set_grad_enabled(name == "train_step")
        make, function = torch_models.MODELS[name]
        _, args = model_inputs(name, dims, self.tensor)
        self.function, self.inputs = self.torch.compile(function, dynamic=True), make(*args)
        return [self.array(x) for x in jax.tree.leaves(self.function(*self.inputs))]

    def chain(self, count):
        """As many additions of a small tensor, from a graph that was captured: what the device itself takes from kernel to kernel."""
        torch = self.torch
        if self.place != "cuda": raise RuntimeError("torch has no graphs on the CPU")
        x, graph, side = torch.zeros(64, 64, device="cuda"), torch.cuda.CUDAGraph(), torch.cuda.Stream()
        with torch.cuda.stream(side): x.add_(1)
        side.synchronize()
        with torch.cuda.graph(graph):
            for _ in range(count): x.add_(1)
        self.function, self.inputs = graph.replay, []
        return {"launches": count}


class Copy(Peer):
    """A copy on the device of half as many bytes as a kernel moves: that many are read and that many written."""

    def ready(self, traffic):
        self.batch = {}
        self.make(max(traffic // 2, 64))

    def make(self, size):
        if self.device != "cuda":
            self.memory = np.ones(size, np.uint8), np.empty(size, np.uint8)
            return
        cu = getattr(self, "cu", None) or self.open()
        for address in getattr(self, "memory", ()): self.must(cu.cuMemFreeAsync(address, self.stream))
        self.memory, self.size = [], size
        for _ in range(2):
            address = ctypes.c_uint64()
            self.must(cu.cuMemAllocAsync(ctypes.byref(address), ctypes.c_size_t(size), self.stream))
            self.memory.append(address)
        self.must(cu.cuMemsetD8Async(self.memory[0], ctypes.c_ubyte(0x5a), ctypes.c_size_t(size), self.stream))
        self.must(cu.cuStreamSynchronize(self.stream))

    def open(self):
        cu = self.cu = ctypes.CDLL("libcuda.so.1")
        device, context, self.stream = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p()
        self.must(cu.cuInit(0))
        self.must(cu.cuDeviceGet(ctypes.byref(device), 0))
        self.must(cu.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
        self.must(cu.cuCtxPushCurrent_v2(context))
        self.must(cu.cuStreamCreate(ctypes.byref(self.stream), 1))
        return cu

    @staticmethod
    def must(code):
        if code: raise RuntimeError(f"CUDA answers {code}")

    def many(self, what, count):
        for _ in range(count):
            if self.device == "cuda": self.must(self.cu.cuMemcpyAsync(self.memory[1], self.memory[0], ctypes.c_size_t(self.size), self.stream))
            else: np.copyto(self.memory[1], self.memory[0])
        if self.device == "cuda": self.must(self.cu.cuStreamSynchronize(self.stream))


class Raw(Copy):
    """CUDA's driver by itself: what a kernel that does nothing takes in a graph, alone and with the word that drivers/cuda has the device write behind each."""

    PTX = b"//\n.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry empty()\n{\nret;\n}\n\0"

    def raw(self, count):
        cu = self.open()
        module, function, word = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        self.must(cu.cuModuleLoadData(ctypes.byref(module), self.PTX))
        self.must(cu.cuModuleGetFunction(ctypes.byref(function), module, b"empty"))
        self.must(cu.cuMemHostAlloc(ctypes.byref(word), ctypes.c_size_t(64), 1))
        out = {"graph_us": self.graph(function, None, count), "marked_graph_us": self.graph(function, word, count)}
        self.must(cu.cuMemFreeHost(word))
        self.must(cu.cuModuleUnload(module))
        return out

    def graph(self, function, word, count):
        cu, graph, ready = self.cu, ctypes.c_void_p(), ctypes.c_void_p()
        self.must(cu.cuStreamBeginCapture_v2(self.stream, 1))
        for i in range(count):
            self.must(cu.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, self.stream, None, None))
            if word: self.must(cu.cuStreamWriteValue32_v2(self.stream, word, ctypes.c_uint32(i), 0))
        self.must(cu.cuStreamEndCapture(self.stream, ctypes.byref(graph)))
        self.must(cu.cuGraphInstantiateWithFlags(ctypes.byref(ready), graph, ctypes.c_ulonglong(0)))
        times = []
        for _ in range(12):
            start = time.perf_counter()
            self.must(cu.cuGraphLaunch(ready, self.stream))
            self.must(cu.cuStreamSynchronize(self.stream))
            times.append((time.perf_counter() - start) / count * 1e6)
        self.must(cu.cuGraphExecDestroy(ready))
        self.must(cu.cuGraphDestroy(graph))
        return sorted(times[2:])[len(times[2:]) // 2]


PEERS = {"heddle": Heddle, "xla": Xla, "inductor": Inductor, "copy": Copy, "raw": Raw}


def models():
    sys.path.insert(0, os.path.join(HERE, "..", "tools"))
    import model_tools
    return model_tools


def model_inputs(name, dims, convert):
    """What Heddle's program is given, as the tree of arguments: (kept leaves, tree)."""
    import json

    import jax
    from heddle.random_inputs import random_array
    tools = models()
    model = tools.load_models()[name]
    kept = list(tools.export_model(model).module_kept_var_idx)
    with open(os.path.join(HERE, "..", "examples", name + ".json"), encoding="utf-8") as handle: scales = json.load(handle)["scales"]
    pairs = tools.leaves_with_index(model)
    leaves = [0] * len(pairs)
    for n, k in enumerate(kept):
        leaf = pairs[k][0]
        leaves[k] = convert(random_array(leaf.dtype, tools.concrete_shape(leaf, dims), 1, n, scale=scales[n]))
    return kept, jax.tree.unflatten(jax.tree.structure(model.args), leaves)


def compare(outs, path):
    """By the largest magnitude of each output; what the first wrote is what others are compared with."""
    wide = [np.asarray(x).astype(np.float64) for x in outs]
    if not os.path.exists(path):
        np.savez(path, *wide)
        return None
    with np.load(path) as file: wants = [file[name] for name in file.files]
    if [w.shape for w in wants] != [g.shape for g in wide]: return float("inf")
    return max((float(np.nan_to_num(np.abs(g - w), nan=np.inf).max() / max(np.abs(w).max(), 1e-30)) for g, w in zip(wide, wants) if w.size), default=0.0)


def answer_of(peer, r):
    op = r["op"]
    if op == "kernel" and isinstance(peer, Copy): return peer.ready(cases.traffic(r["name"], r["element"], r["dims"])) or {"error": 0.0}
    if op == "kernel": return peer.kernel(r["name"], r["element"], tuple(r["dims"]))
    if op == "product": return peer.product(r["element"], tuple(r["mnk"]))
    if op == "model": return {"error": compare(peer.model(r["name"], r["dims"]), r["check"]), **peer.about()}
    if op == "sweep": return peer.sweep(r["number"])
    if op == "raw": return peer.raw(r["count"])
    if op == "chain": return peer.chain(r["count"])
    if op == "run": return {"us": peer.measure(r["ms"], r.get("what"))}
    if op == "single": return {"us": peer.single(r["ms"])}
    if op == "kernels": return {"us": peer.kernels(r.get("what"))}
    return None


def main():
    def connect():
        made = []

        def answer(request): # a peer that is not here says so in its first answer
            if not made: made.append(PEERS[sys.argv[1]](sys.argv[2]))
            return answer_of(made[0], request)
        return answer
    protocol.serve(connect)


if __name__ == "__main__":
    main()
