# SPDX-License-Identifier: Apache-2.0
"""The op sweep (test/e2e/op_sweep.py) where no compiler and no evaluator are: prepared before, each program with what the evaluator gives for it, and compared on the device.

A folder has NUMBER.npz of each program, its artifact and what is right, and index.json, which names its forms by row, element type and whether dims are unknown. The
rows themselves travel as the scripts that they are."""
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import ml_dtypes
import numpy as np

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
SCRIPTS = ("bench/device_sweep.py", "test/e2e/op_sweep.py", "test/e2e/op_rows.py", "test/e2e/op_row.py", "test/eval/libheddle.py", "test/support/error_model.py")
TYPES = ("i1", "i32", "bf16", "f32", "complex<f32>")  # of rows that take none of these the first that they take


def scripts():
    """op_sweep, of this tree."""
    path = os.path.join(ROOT, "test", "e2e")
    if path not in sys.path: sys.path.insert(0, path)
    import op_sweep
    return op_sweep


# ---- arrays in a file, with the types that numpy does not write ----

def pack(arrays):
    return {f"{kind}{k}": part for k, x in enumerate(arrays) for kind, part in (("d", np.ascontiguousarray(x).reshape(-1).view(np.uint8)), ("s", np.array(x.shape, np.int64)),
                                                                               ("t", np.array(x.dtype.name)))}


def unpack(file):
    count = sum(name[0] == "d" for name in file.files)
    def dtype(name): return np.dtype(getattr(ml_dtypes, name, name))
    return [file[f"d{k}"].view(dtype(str(file[f"t{k}"]))).reshape(file[f"s{k}"]) for k in range(count)]


# ---- where the compiler is ----

def prepare(folder, target, ptxas=None, every=1):
    """Of each |every|-th row. Returns what does not compile, {form: reason}; the evaluator's failures are raised."""
    sweep = scripts()
    from heddle.runtime import HeddleError, compile_program
    os.makedirs(folder, exist_ok=True)
    groups = []
    for n, row in list(enumerate(sweep.ROWS))[::every]:
        for group in sweep.forms_of(row): groups.append((n, [form for form in group if form.element in TYPES] or group[:1]))

    def compile_one(job):
        n, forms = job
        try: return [(n, forms, compile_program(sweep.program(forms).encode(), target=target, math="exact", ptxas=ptxas))], {}
        except HeddleError as error:
            if len(forms) == 1: return [], {forms[0].name: str(error).splitlines()[0][:200]}
        made = [compile_one((n, [form])) for form in forms]
        return [m for ms, _ in made for m in ms], {k: v for _, failed in made for k, v in failed.items()}
    programs, failed = [], {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for made, wrong in pool.map(compile_one, groups):
            programs += made
            failed.update(wrong)
    index = []
    for number, (n, forms, artifact) in enumerate(programs):
        arrays = list(sweep.evaluate(sweep.program(forms).encode(), [x for form in forms for x in form.inputs()]))
        exact = sweep.sums_of(forms)
        for form in forms: arrays += [x for pair in exact.get(form, ()) for x in pair]
        np.savez_compressed(os.path.join(folder, f"{number}.npz"), artifact=np.frombuffer(artifact, np.uint8), **pack(arrays))
        index.append([[n, form.element, form.dynamic] for form in forms])
    with open(os.path.join(folder, "index.json"), "w", encoding="utf-8") as handle: json.dump(index, handle)
    return failed


# ---- where the device is ----

def count(folder):
    with open(os.path.join(folder, "index.json"), encoding="utf-8") as handle: return len(json.load(handle))


def run(folder, number, load):
    """{"forms": how many, "wrong": {form: how it differs from what the evaluator gave}} of a program. load(artifact): the executable."""
    sweep = scripts()
    with open(os.path.join(folder, "index.json"), encoding="utf-8") as handle: told = json.load(handle)[number]
    forms = [sweep.Form(sweep.ROWS[n], element, dynamic) for n, element, dynamic in told]
    with np.load(os.path.join(folder, f"{number}.npz")) as file: artifact, arrays = file["artifact"].tobytes(), iter(unpack(file))
    got = load(artifact)(*(x for form in forms for x in form.inputs()))
    def take(form): return [next(arrays) for _ in form.results()]
    want = {form: take(form) for form in forms}
    wrong, at = {}, 0
    for form in forms:
        sums = (take(form), take(form)) if form.wide() else None
        text = sweep.disagreement(form, got[at:at + len(want[form])], want[form], sums)
        if text: wrong[form.name] = text[:200]
        at += len(want[form])
    return {"forms": len(forms), "wrong": wrong}
