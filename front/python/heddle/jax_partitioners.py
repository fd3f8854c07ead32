# SPDX-License-Identifier: Apache-2.0
"""Partitioners of jax.experimental.custom_partitioning, asked for the layout that the program gives their arguments: that of an argument
of the program, of a constraint, or of what is computed from one element by element. What they return is not run; what they raise is raised."""
import dataclasses
import re
import threading

import numpy as np

_local = threading.local()


@dataclasses.dataclass
class Question:
    """A call of a function with a partitioner. |key|: of JAX's record of it; |values|: its arguments in the module; |rule|: Shardy's, as text, or ""."""
    module: object
    key: bytes
    call: object
    values: list
    rule: str

    def ask(self):
        from jax._src.lib import xla_client as xc
        info = self.module._sharding_callbacks[self.key]
        if info.mesh.empty: return
        known = [_specs_of(value, info.mesh) for value in self.values]
        unsaid = not self.rule and info.infer_sharding_from_operands is None  # how the results are
        if unsaid or all(specs is None for specs in known): return self._ask_for_any(info)
        of = lambda avals: [xc.Shape.array_shape(np.dtype(a.dtype), a.shape) for a in avals]  # noqa: E731
        args, results = of(self.call.in_avals), of(self.call.out_avals)
        result = results[0] if len(results) == 1 else xc.Shape.tuple_shape(results)
        arg_specs, result_specs = _by_rule(self.rule, known, [len(a.shape) for a in self.call.in_avals], [len(a.shape) for a in self.call.out_avals])
        layouts = _layouts(info.mesh, arg_specs)
        if info.infer_sharding_from_operands is not None:
            packed = self.module._custom_partitioning_infer_sharding_from_operands(args, layouts, result, self.key)
        else: packed = self.module._pack_result_sharding(result, _layouts(info.mesh, result_specs))
        self.module._custom_partitioning_partition(args, layouts, result, packed, self.key)

    def _ask_for_any(self, info):
        """Where the layout is not known: an error only if no layout of _usual_layouts gets parts of the shapes that go with it."""
        from jax._src.lib import xla_client as xc
        of = lambda avals: [xc.Shape.array_shape(np.dtype(a.dtype), a.shape) for a in avals]  # noqa: E731
        args, results = of(self.call.in_avals), of(self.call.out_avals)
        result = results[0] if len(results) == 1 else xc.Shape.tuple_shape(results)
        mismatch = None
        for specs in _usual_layouts(info.mesh, [a.shape for a in (*self.call.in_avals, *self.call.out_avals)]):
            layouts = _layouts(info.mesh, specs)
            packed = self.module._pack_result_sharding(result, layouts[len(args):])
            try: self.module._custom_partitioning_partition(args, layouts[:len(args)], result, packed, self.key)
            except Exception as error:  # the partitioner's own: it does not take this layout, which it need not
                if not str(error).startswith("Mismatch in result shapes."): return
                mismatch = error
            else: return
        if mismatch: raise ValueError(f"{mismatch} (the program does not say how the arguments lie; the partitioner gives other shapes for each layout that was tried)") from mismatch


MARK = "heddle.partitioner"


def mark(key, call, values, rule):
    """Marks a call of a function with a partitioner in the module that is being lowered, which has not its callers yet."""
    from jax._src import custom_partitioning
    from jax._src.lib.mlir import ir
    from jax._src.lib.mlir.dialects import hlo
    if not getattr(_local, "modules", 0): return Question(custom_partitioning, key, call, [], rule).ask()
    custom_partitioning._sharding_callbacks[key].heddle_call = call
    text, _local.marked = ir.StringAttr.get, True
    made = hlo.CustomCallOp([], list(values), call_target_name=text(MARK), has_side_effect=ir.BoolAttr.get(True), backend_config=text(key.decode()))
    made.operation.attributes["heddle.rule"] = text(rule)


def ask_after_lowering(mlir):
    """Has the marked calls of every module asked about when it is whole, and takes the marks away."""
    from jax._src import custom_partitioning
    from jax._src.lib.mlir import ir
    lower = mlir.lower_jaxpr_to_module

    def lower_and_ask(*args, **parameters):
        before = getattr(_local, "modules", 0)
        _local.modules = before + 1
        try: result = lower(*args, **parameters)
        finally: _local.modules = before
        if not getattr(_local, "marked", False): return result
        _local.marked = before > 0
        with result.module.context:
            marks = [op for op in _ops(result.module, "stablehlo.custom_call") if ir.StringAttr(op.attributes["call_target_name"]).value == MARK]
            questions = []
            for op in marks:
                key, rule = (ir.StringAttr(op.attributes[name]).value for name in ("backend_config", "heddle.rule"))
                info = custom_partitioning._sharding_callbacks.get(key.encode())
                if info is not None: questions.append(Question(custom_partitioning, key.encode(), info.heddle_call, list(op.operands), rule))
            for question in questions: question.ask()
            for op in marks: op.erase()
        return result
    mlir.lower_jaxpr_to_module = lower_and_ask


def _layouts(mesh, specs):
    """HLO shardings of per-dim tuples of axes."""
    from jax.sharding import NamedSharding, PartitionSpec
    return [NamedSharding(mesh, PartitionSpec(*[axes or None for axes in spec]))._to_xla_hlo_sharding(len(spec)) for spec in specs]


def _usual_layouts(mesh, shapes):
    """All whole, then all split along one dim by one axis of the mesh, where that divides it."""
    yield [[()] * len(shape) for shape in shapes]
    for axis, parts in mesh.shape.items():
        for d in range(min(4, max(map(len, shapes), default=0))):
            yield [[(axis,) if k == d and size % parts == 0 else () for k, size in enumerate(shape)] for shape in shapes]


def _parse(sharding, mesh):
    """The axes of each dim of an sdy.sharding; None for parts of axes and other meshes."""
    text = re.search(r"\[((?:\{[^}]*\}(?:p\d+)?(?:, )?)*)\]", str(sharding).partition(",")[2])
    if text is None or '":(' in text[1]: return None
    specs = [tuple(re.findall(r'"([^"]*)"', dim)) for dim in re.findall(r"\{([^}]*)\}", text[1])]
    return specs if all(axis in mesh.shape for axes in specs for axis in axes) else None


def _parse_older(text, mesh, rank):
    """The same of an mhlo.sharding; None for devices that are listed, and manual ones."""
    from jax._src import sharding_impls
    from jax._src.lib import xla_client as xc
    if text == "{replicated}": return [()] * rank
    tiles = re.fullmatch(r"\{devices=\[([\d,]+)\]<=\[([\d,]+)\](?:T\(([\d,]+)\))?( last_tile_dim_replicate)?\}", text)
    if not tiles: return None
    dims, reshaped, order = ([int(n) for n in part.split(",")] if part else [] for part in tiles.groups()[:3])
    kinds = [xc.OpSharding.Type.REPLICATED] if tiles[4] else []
    sharding = xc.HloSharding.iota_tile(dims=dims, reshape_dims=reshaped, transpose_perm=order or list(range(len(reshaped))), subgroup_types=kinds)
    spec = sharding_impls.parse_flatten_op_sharding(sharding, mesh)[0]
    specs = [() if axes is None else axes if isinstance(axes, tuple) else (axes,) for axes in spec]
    return specs + [()] * (rank - len(specs))


# What is as its operands do.
BY_ELEMENT = frozenset("stablehlo." + name for name in (
    "abs add and atan2 cbrt ceil clamp compare complex convert cosine count_leading_zeros divide exponential exponential_minus_one floor imag is_finite log "
    "log_plus_one logistic maximum minimum multiply negate not optimization_barrier or popcnt power real reduce_precision remainder round_nearest_afz "
    "round_nearest_even rsqrt select shift_left shift_right_arithmetic shift_right_logical sign sine sqrt subtract tan tanh xor").split())


def _specs_of(value, mesh, depth=200):
    """The axes that divide each dim of |value|, or None where the module does not say."""
    from jax._src.lib.mlir import ir
    if not depth: return None
    more = lambda other: _specs_of(other, mesh, depth - 1)  # noqa: E731
    if isinstance(value.owner, ir.Block):
        index, function = ir.BlockArgument(value).arg_number, value.owner.owner.operation
        if function.name != "func.func": return None
        attributes = ir.ArrayAttr(function.attributes["arg_attrs"])[index] if "arg_attrs" in function.attributes else {}
        if "sdy.sharding" in attributes: return _parse(attributes["sdy.sharding"], mesh)
        if "mhlo.sharding" in attributes: return _parse_older(ir.StringAttr(attributes["mhlo.sharding"]).value, mesh, len(ir.RankedTensorType(value.type).shape))
        callers = [op for op in _ops(function.parent, "func.call") if ir.FlatSymbolRefAttr(op.attributes["callee"]).value == ir.StringAttr(function.attributes["sym_name"]).value]
        found = [more(op.operands[index]) for op in callers]
        return found[0] if found and all(specs == found[0] for specs in found) else None
    op, index = value.owner.operation, ir.OpResult(value).result_number
    if op.name == "sdy.sharding_constraint": return _parse(op.attributes["sharding"], mesh)
    if op.name == "stablehlo.custom_call" and ir.StringAttr(op.attributes["call_target_name"]).value == "Sharding":
        return _parse_older(ir.StringAttr(op.attributes["mhlo.sharding"]).value, mesh, len(ir.RankedTensorType(value.type).shape))
    if op.name == "func.call":
        callee = _function(op, ir.FlatSymbolRefAttr(op.attributes["callee"]).value)
        return more(list(callee.regions[0].blocks[0].operations)[-1].operands[index])
    if op.name not in BY_ELEMENT: return None
    shape = ir.RankedTensorType(value.type).shape
    found = (more(operand) for operand in op.operands if ir.RankedTensorType(operand.type).shape == shape)
    return next((specs for specs in found if specs is not None), None)


def _function(op, name):
    """The function of the module that |op| is in."""
    from jax._src.lib.mlir import ir
    while op.name != "builtin.module": op = op.parent.operation
    found = (inner.operation for inner in op.regions[0].blocks[0].operations)
    return next(f for f in found if f.name == "func.func" and ir.StringAttr(f.attributes["sym_name"]).value == name)


def _ops(module, name):
    """The ops of |name| in |module|."""
    found = []

    def visit(op):
        if op.name == name: found.append(op)
        for region in op.regions:
            for block in region.blocks:
                for inner in block.operations: visit(inner.operation)
    visit(module.operation)
    return found


def _by_rule(rule, known, arg_ranks, result_ranks):
    """Axes of each dim of arguments and results: those that are |known|, the rest by Shardy's rule: dims of one factor are alike."""
    args = [list(specs) if specs is not None else [()] * rank for specs, rank in zip(known, arg_ranks)]
    results = [[()] * rank for rank in result_ranks]
    sides = re.search(r"\((.*?)\)->\((.*?)\)", rule or "")
    if not sides: return args, results
    factors = lambda side: [re.findall(r"[^, ]+", dims) for dims in re.findall(r"\[(.*?)\]", side)]  # noqa: E731
    whole = set(re.findall(r"\w+", " ".join(re.findall(r"need_replication=\{(.*?)\}", rule))))
    of_args, of_results, axes = factors(sides[1]), factors(sides[2]), {}
    for specs, dims in zip(args, of_args):
        for d, factor in enumerate(dims):
            if factor in whole: specs[d] = ()
            elif specs[d]: axes.setdefault(factor, specs[d])
    for i, (specs, dims) in enumerate(zip((*args, *results), (*of_args, *of_results))):
        used = {axis for spec in specs for axis in spec}
        for d, factor in enumerate(dims):
            if (i < len(args) and known[i] is not None) or specs[d] or used & set(axes.get(factor, ())): continue
            specs[d] = axes.get(factor, ())
            used |= set(specs[d])
    return args, results
