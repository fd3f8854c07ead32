# SPDX-License-Identifier: Apache-2.0
"""torch.compile(backend="heddle"): torch's own front end gives a graph of aten ops; what has a lowering runs on Heddle, what
has none stays with torch, op by op, between the compiled parts. Each such op is counted and logged with its reason."""
import collections
import logging
import operator
import weakref

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd
from torch._guards import TracingContext
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupportBase

from heddle.errors import HeddleError
from heddle.torch import recurrent, rows_all
from heddle.torch.builder import Unsupported, dim_of
from heddle.torch.decompositions import backend_table
from heddle.torch.draws import lift
from heddle.torch.execute import Compiled, evaluator
from heddle.torch.lower import is_size, lower, number_of, reason_against

log = logging.getLogger("heddle.torch")

# graphs: given by torch; compiled: programs compiled; eager_graphs: parts that did not compile; eager_ops: ops that
# stay with torch, as written in each graph; drawn: random inputs of programs; bound_weights, rebound_weights, runs.
counters = collections.Counter()
eager_ops = collections.Counter()  # the same ops by name
live = weakref.WeakSet()  # all Compiled


def report(op, reason):
    """|op| stays with torch."""
    counters["eager_ops"] += 1
    eager_ops[str(op)] += 1
    log.warning("%s stays with torch: %s", op, reason)


recurrent.install(report)


def hoist_sizes(gm):
    """Sizes are computed from the integer inputs, ahead of everything: no part waits for another for a size's sake."""
    inputs = [n for n in gm.graph.nodes if n.op == "placeholder"]
    known = {dim_of(n.meta["val"]): n for n in inputs if is_size(n) and getattr(dim_of(n.meta["val"]), "is_Symbol", False)}
    for node in list(gm.graph.nodes):
        if node.op != "call_function" or not is_size(node): continue
        expression = number_of(node.meta["val"])
        symbols = sorted(getattr(expression, "free_symbols", ()), key=str)
        if not all(s in known for s in symbols): continue
        if isinstance(expression, (int, float)):
            node.replace_all_uses_with(expression)
            gm.graph.erase_node(node)
            continue
        try:
            compute = evaluator(symbols, ((expression,),))
        except Unsupported:
            continue
        with gm.graph.inserting_after(inputs[-1]):
            new = gm.graph.call_function(lambda *values, f=compute: f(*values)[0][0], tuple(known[s] for s in symbols))
        new.meta = dict(node.meta)
        node.replace_all_uses_with(new)
        gm.graph.erase_node(node)
    gm.graph.lint()
    gm.recompile()


class Support(OperatorSupportBase):
    def __init__(self, refused): self.refused = refused
    def is_node_supported(self, submodules, node): return node.op == "call_function" and not is_size(node) and node not in self.refused


def refusals(gm):
    """The ops that have no lowering, with the reason."""
    found = {}
    for node in gm.graph.nodes:
        if node.op == "call_module" or node.op == "call_method": found[node] = "not an aten op"
        if node.op != "call_function" or is_size(node): continue
        if node.target is operator.getitem:
            if node.args[0] in found: found[node] = None
            continue
        reason = reason_against(node)
        if reason: found[node] = reason
    return found


def built(gm, static_inputs):
    """A Compiled of |gm|, or None where Heddle refuses it: reported."""
    try:
        compiled = Compiled(lower(gm, static_inputs), gm, counters)
    except (Unsupported, HeddleError) as error:
        counters["eager_graphs"] += 1
        log.warning("%d ops stay with torch: %s", sum(n.op == "call_function" for n in gm.graph.nodes), error)
        return None
    counters["compiled"] += 1
    live.add(compiled)
    return compiled


def compile_graph(gm, static_inputs=()):
    with unset_fake_temporarily():
        draws = lift(gm)
        run = compiled_graph(gm, static_inputs)
        if not draws: return run
        counters["drawn"] += len(draws)
        return lambda *args: run(*args, *[draw(args) for draw in draws])


def compiled_graph(gm, static_inputs):
    rows_all.load()
    counters["graphs"] += 1
    gm.graph.eliminate_dead_code()
    refused = refusals(gm)
    if not refused:
        if not any(n.op == "call_function" and not is_size(n) for n in gm.graph.nodes): return gm.forward
        return built(gm, static_inputs) or gm.forward
    for node, reason in refused.items():
        if reason is not None: report(node.target, reason)
    hoist_sizes(gm)
    names = {n.name for i, n in enumerate(n for n in gm.graph.nodes if n.op == "placeholder") if i in set(static_inputs)}
    partitioner = CapabilityBasedPartitioner(gm, Support(refusals(gm)), allows_single_node_partition=True)
    split = partitioner.partition_and_fuse()
    for node in split.graph.nodes:
        if node.op != "call_module": continue
        part = split.get_submodule(node.target)
        static = [i for i, a in enumerate(node.args) if getattr(a, "name", None) in names]
        compiled = built(part, static)
        if compiled: setattr(part, "forward", compiled)
    return split.forward


def compile_inference(gm, example_inputs):
    context = TracingContext.try_get()
    metadata = context.fw_metadata if context else None
    static = list(metadata.static_input_indices or ()) if metadata else ()
    return make_boxed_func(compile_graph(gm, static))


def rebind():
    """Forgets all bound weights. Needed only after a change that torch does not see, such as writing through .data."""
    for compiled in list(live): compiled.unbind()


def compile_training(gm, example_inputs): return make_boxed_func(compile_graph(gm))


def heddle(gm, example_inputs, options=None):
    if options: raise ValueError(f"heddle takes no options of torch.compile, got {', '.join(map(repr, options))}")
    return aot_autograd(fw_compiler=compile_training, bw_compiler=compile_training, inference_compiler=compile_inference, decompositions=backend_table())(gm, example_inputs)
