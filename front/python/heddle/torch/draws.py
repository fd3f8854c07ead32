# SPDX-License-Identifier: Apache-2.0
"""Random numbers. torch draws them from its generator ahead of a program, in the graph's order, and the program takes them as
inputs: it stays whole, and a seed gives what eager torch gives."""
import torch
from torch.fx import Node

from heddle.torch.builder import Unsupported, dim_of
from heddle.torch.execute import evaluator
from heddle.torch.lower import is_size, number_of

aten = torch.ops.aten

# Ops that depend on the sizes of their arguments alone, not on elements.
DRAWN = {aten.bernoulli.p, aten.rand_like.default, aten.randn_like.default, aten.randint_like.default, aten.randint_like.low_dtype,
         aten.rand.default, aten.randn.default, aten.randint.default, aten.randint.low, aten.randperm.default, aten.uniform.default,
         aten.normal_functional.default, aten.exponential.default, aten.geometric.default, aten.cauchy.default, aten.log_normal.default}


def is_random(target): return target in DRAWN or torch.Tag.nondeterministic_seeded in getattr(target, "tags", ())


def drawer(node, sources):
    """A function of the graph's arguments that gives node's value. |sources|: (argument, dim or None) of each symbol."""
    symbols, sizes = sorted(sources, key=str), []

    def size(e):
        """The place of a size among the computed ones."""
        sizes.append(e)
        return len(sizes) - 1

    def later(a):
        """|a| as a function of the computed sizes."""
        if isinstance(a, Node) and isinstance(a.meta.get("val"), torch.Tensor):
            like = a.meta["val"]
            shape, strides = ([size(dim_of(d)) for d in each] for each in (like.shape, like.stride()))
            # Strides count: torch draws in the order of memory.
            return lambda values: torch.empty_strided([values[k] for k in shape], [values[k] for k in strides], dtype=like.dtype)
        if isinstance(a, Node) and not is_size(a): raise Unsupported("a draw from a list")
        if isinstance(a, (Node, torch.SymInt, torch.SymFloat)):
            k = size(number_of(a.meta["val"] if isinstance(a, Node) else a))
            return lambda values: values[k]
        if isinstance(a, (list, tuple)):
            parts = [later(p) for p in a]
            return lambda values: [p(values) for p in parts]
        return lambda values: a
    args, kwargs = [later(a) for a in node.args], {k: later(a) for k, a in node.kwargs.items()}
    compute = evaluator(symbols, (tuple(sizes),))

    def draw(arguments):
        values = compute(*[int(arguments[i] if d is None else arguments[i].shape[d]) for i, d in map(sources.get, symbols)])[0]
        return node.target(*[a(values) for a in args], **{k: a(values) for k, a in kwargs.items()})
    return draw


def lift(gm):
    """Makes inputs of what |gm| draws, after those that it has. Gives the functions that draw them."""
    inputs, sources, draws = [n for n in gm.graph.nodes if n.op == "placeholder"], {}, []
    for i, node in enumerate(inputs):
        value = node.meta.get("val")
        found = [(None, dim_of(value))] if isinstance(value, torch.SymInt) else [*enumerate(map(dim_of, value.shape))] if isinstance(value, torch.Tensor) else []
        for d, e in found:
            if getattr(e, "is_Symbol", False): sources.setdefault(e, (i, d))
    for node in [n for n in gm.graph.nodes if is_random(n.target)]:
        # The first one that stays with torch ends it: what is drawn after it in the graph comes after it from the generator.
        if node.target not in DRAWN or node.meta["val"].device.type != "cpu": break
        try:
            draws.append(drawer(node, sources))
        except Unsupported:
            break  # of a size that the inputs do not tell
        with gm.graph.inserting_after(inputs[-1]) if inputs else gm.graph.inserting_before(next(iter(gm.graph.nodes))):
            inputs.append(gm.graph.placeholder(f"{node.name}_drawn"))
        inputs[-1].meta = dict(node.meta)
        node.replace_all_uses_with(inputs[-1])
        gm.graph.erase_node(node)
    if draws: gm.recompile()
    return draws
