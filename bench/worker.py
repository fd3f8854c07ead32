# SPDX-License-Identifier: Apache-2.0
"""worker.py PEER THREADS: one peer in a process of its own, driven by JSON lines on stdin, answering on stdout.

  {"op": "load", "model": M, "bound": B}  -> {"compile_ms"}     what the peer does before it sees a shape
  {"op": "shape", "dims": D}              -> {"first_ms"}       first result at this shape, compiling included
  {"op": "check", "path": P, "write": W}  -> {"error"}          outputs written, or compared with those written
  {"op": "run", "ms": T}                  -> {"us": [...]}      single calls for about T ms, after one warm call
  {"op": "new_shapes", "warm": D, "shapes": [D...]} -> {"extra_us", "faults"}  per shape: its first call over its later ones
  {"op": "memory", "model": M, "dims": D, "compiled": P} -> {"mb"}  peak resident memory over the inputs, of making ready and calls;
                                                                compiled code is kept in the folder P, and found there by the next process
Times are wall time around one call on ready inputs to ready outputs."""
import os
import resource
import statistics
import sys
import time

import cases
import numpy as np
import protocol

tools = cases.tools


class Peer:
    compiled = None  # a folder that keeps compiled code

    def __init__(self, threads): self.threads = threads

    def load(self, name, bound):
        self.open(name, bound)
        return self.prepare()

    def open(self, name, bound):
        """What every peer needs of the model; not timed."""
        self.name, self.bound = name, bound
        self.model = cases.all_models()[name]
        self.exported = tools.export_model(self.model)
        self.kept = list(self.exported.module_kept_var_idx)
        self.weights, self.last = None, None

    def inputs(self, dims):
        """The same for every peer; weights are made once."""
        if self.last and self.last[0] == dims: return self.last[1]
        leaves = tools.leaves_with_index(self.model)
        flat = [aligned(x) for x in tools.normal_inputs(self.model, self.kept, dims, seed=1)]
        if self.weights is None: self.weights = {n: x for n, (k, x) in enumerate(zip(self.kept, flat)) if not tools.varies(leaves[k][0])}
        self.last = (dims, [self.weights.get(n, x) for n, x in enumerate(flat)])
        return self.last[1]

    def tree(self, flat, convert):
        import jax
        leaves = [None] * len(tools.leaves_with_index(self.model))
        for k, x in zip(self.kept, flat): leaves[k] = convert(x)
        leaves = [0 if x is None else x for x in leaves]
        return jax.tree.unflatten(jax.tree.structure(self.model.args), leaves)

    def prepare(self): return 0.0


class Heddle(Peer):
    def prepare(self):
        from heddle.runtime import Runtime, compile_program
        text = tools.program_text(self.exported).encode()
        leaves = tools.leaves_with_index(self.model)
        self.constant = [n for n, k in enumerate(self.kept) if not tools.varies(leaves[k][0])] if self.bound else []
        self.runtime = Runtime(self.threads)
        start = time.perf_counter()
        kept = self.compiled and os.path.join(self.compiled, self.name + ".hdl")
        if kept and os.path.exists(kept):
            with open(kept, "rb") as handle: artifact = handle.read()
        else: artifact = compile_program(text, self.name, self.constant, self.threads)
        if kept:
            with open(kept, "wb") as handle: handle.write(artifact)
        self.executable = self.runtime.load(artifact)
        ms = (time.perf_counter() - start) * 1e3
        self.kernels = self.executable.kernel_count
        self.ready = False
        return ms

    def ready_shape(self, dims):
        flat = self.inputs(dims)
        if not self.ready:
            for i in self.constant: self.executable.bind(i, flat[i])
            self.ready = True
        self.arrays = [None if i in self.constant else x for i, x in enumerate(flat)]
        self.call = self.executable.prepare(self.arrays)

    def shape(self, dims):
        self.inputs(dims)
        start = time.perf_counter()
        self.ready_shape(dims)
        self.call()
        return (time.perf_counter() - start) * 1e3

    def outputs(self): return self.executable(*self.arrays)


class Xla(Peer):
    def prepare(self):
        import jax
        if self.compiled:
            jax.config.update("jax_compilation_cache_dir", self.compiled)
            jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
            jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
        self.jit = jax.jit(self.model.fn)
        return 0.0

    def shape(self, dims):
        import jax
        args = self.tree(self.inputs(dims), jax.numpy.asarray)
        jax.block_until_ready(args)
        start = time.perf_counter()
        jax.block_until_ready(self.jit(*args))
        first = (time.perf_counter() - start) * 1e3
        self.call = lambda: jax.block_until_ready(self.jit(*args))
        return first

    def outputs(self):
        import jax
        return [np.asarray(x) for x in jax.tree.leaves(self.call())]


class Torch(Peer):
    dynamic = False

    def prepare(self):
        import torch
        import torch_models
        torch.set_num_threads(self.threads)
        torch.set_grad_enabled(self.name == "train_step")
        self.make, function = torch_models.MODELS[self.name]
        self.function = torch.compile(function, dynamic=True) if self.dynamic else function
        return 0.0

    def convert(self, x):
        import torch
        if x.dtype.name == "bfloat16": return torch.from_numpy(np.ascontiguousarray(x).view(np.uint16)).view(torch.bfloat16)
        return torch.from_numpy(np.ascontiguousarray(x))

    def shape(self, dims):
        args = self.make(*self.tree(self.inputs(dims), self.convert))
        start = time.perf_counter()
        self.function(*args)
        first = (time.perf_counter() - start) * 1e3
        self.call = lambda: self.function(*args)
        return first

    def outputs(self):
        import jax
        import ml_dtypes
        import torch
        out = jax.tree.leaves(self.call())
        return [x.view(torch.uint16).numpy().view(ml_dtypes.bfloat16) if x.dtype == torch.bfloat16 else x.numpy() for x in out]


class Inductor(Torch):
    dynamic = True


PEERS = {"heddle": Heddle, "xla": Xla, "torch": Torch, "inductor": Inductor}


def check(peer, path, write):
    outs = peer.outputs()
    if write:
        np.savez(path, *[np.asarray(x, np.float64) for x in outs])
        return 0.0
    with np.load(path) as wants:
        wants = [wants[f] for f in wants.files]
    assert len(wants) == len(outs), (len(wants), len(outs))
    worst = 0.0
    for got, want in zip(outs, wants):
        assert got.shape == want.shape, (got.shape, want.shape)
        if want.size: worst = max(worst, np.abs(got.astype(np.float64) - want).max() / max(np.abs(want).max(), 1e-30))
    return float(worst)


def aligned(x):
    """A copy that starts on a cache line, as a runtime's own buffers do: numpy's are anywhere."""
    memory = np.empty(x.nbytes + 64, np.uint8)
    start = -memory.ctypes.data % 64
    out = memory[start:start + x.nbytes].view(x.dtype).reshape(x.shape)
    out[...] = x
    return out


def run(peer, ms):
    peer.call()
    times, end = [], time.perf_counter() + ms / 1e3
    while not times or (time.perf_counter() < end and len(times) < 2000):
        start = time.perf_counter()
        peer.call()
        times.append((time.perf_counter() - start) * 1e6)
    return times


def new_shapes(peer, warm, shapes):
    """Each call is after calls at |warm|, so that the first at a shape differs from later ones in the shape's age alone."""
    peer.ready_shape(warm)
    again, calls = peer.call, []
    for dims in shapes:
        peer.ready_shape(dims)
        calls.append(peer.call)
    for _ in range(50): again()
    extra, faults = [], []
    for call in calls:
        times = []
        for _ in range(10):
            for _ in range(4): again()
            before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
            start = time.perf_counter()
            call()
            times.append((time.perf_counter() - start) * 1e6)
            if len(times) == 1: faults.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
        extra.append(times[0] - statistics.median(times[1:]))
    return {"extra_us": extra, "faults": faults}


def resident(what):
    """VmRSS or VmHWM of this process, in MB."""
    with open("/proc/self/status", encoding="ascii") as handle:
        return next(int(line.split()[1]) for line in handle if line.startswith(what)) / 1024


def memory(peer, name, dims, compiled):
    peer.compiled = compiled
    peer.open(name, False)
    peer.inputs(dims)
    base = resident("VmRSS")
    with open("/proc/self/clear_refs", "w", encoding="ascii") as handle: handle.write("5")  # the peak starts anew
    peer.prepare()
    peer.shape(dims)
    for _ in range(3): peer.call()
    return {"mb": resident("VmHWM") - base}


def main():
    def connect():
        peer = PEERS[sys.argv[1]](int(sys.argv[2]))

        def answer(request):
            op = request["op"]
            if op == "load": return {"compile_ms": peer.load(request["model"], request["bound"]), "kernels": getattr(peer, "kernels", None)}
            if op == "shape": return {"first_ms": peer.shape(request["dims"])}
            if op == "check": return {"error": check(peer, request["path"], request["write"])}
            if op == "run": return {"us": run(peer, request["ms"])}
            if op == "new_shapes": return new_shapes(peer, request["warm"], request["shapes"])
            if op == "memory": return memory(peer, request["model"], request["dims"], request["compiled"])
            return None
        return answer
    protocol.serve(connect)


if __name__ == "__main__":
    main()
