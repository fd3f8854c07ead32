# SPDX-License-Identifier: Apache-2.0
"""Serves a torch model on Heddle: requests of any batch size and length, one compilation.

    python examples/torch_serve.py [--requests N] [--threads N] [--layers N] [--dim N]

Each request is a batch of token ids of its own shape, answered by a worker thread and compared with eager torch."""
import argparse
import queue
import sys
import threading
import time

import torch
from torch_models import Encoder

import heddle.torch

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--requests", type=int, default=50)
parser.add_argument("--threads", type=int, default=2)
parser.add_argument("--layers", type=int, default=2)
parser.add_argument("--dim", type=int, default=64)
options = parser.parse_args()

torch.manual_seed(0)
model = Encoder(layers=options.layers, dim=options.dim).eval()
serve = torch.compile(model, backend="heddle", dynamic=True)
with torch.no_grad():
    start = time.perf_counter()
    serve(torch.zeros(2, 8, dtype=torch.long))
    print(f"ready after {time.perf_counter() - start:.2f} s")

requests, wrong, times = queue.Queue(), [], []
for k in range(options.requests):
    batch, length = 2 + torch.randint(0, 7, ()).item(), 4 + torch.randint(0, 125, ()).item()
    requests.put(torch.randint(0, 1000, (batch, length)))


def worker():
    with torch.no_grad():
        while True:
            try:
                ids = requests.get_nowait()
            except queue.Empty:
                return
            begin = time.perf_counter()
            answer = serve(ids)
            times.append(time.perf_counter() - begin)
            if not torch.allclose(answer, model(ids), rtol=1e-4, atol=1e-4): wrong.append(tuple(ids.shape))


workers = [threading.Thread(target=worker) for _ in range(options.threads)]
for w in workers: w.start()
for w in workers: w.join()
compiled = heddle.torch.counters["compiled"]
print(f"{len(times)} requests, {compiled} compilation{'s' if compiled != 1 else ''}, median {sorted(times)[len(times) // 2] * 1e3:.2f} ms")
if wrong: sys.exit(f"wrong answers at shapes {wrong}")
