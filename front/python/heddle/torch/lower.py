# SPDX-License-Identifier: Apache-2.0
"""An FX graph of aten ops to a StableHLO program.

Sizes that torch knows become numbers; the others stay `?`. A symbol is read from the first input that has it as a dim. One
that only an integer input has travels as the size of an empty tensor, so that the compiler sees a dim like any other. A dim
may be an expression (2*s0, where an op that stays with torch made the input): it has a symbol of its own, by which what is
linear in it is known too."""
import operator

import sympy
import torch
from torch.fx import Node
from torch.utils._sympy.functions import FloorDiv

from heddle.torch import rows, rows_all
from heddle.torch.builder import Builder, Unsupported, Value, dim_of, element

INLINE = 64  # constants up to so many elements are written into the program


class Out:
    """What torch says of a node's result: |shape| and |dtype|, or |parts| of several."""

    def __init__(self, node, value):
        self.node, self.parts = node, [Out(node, v) for v in value] if isinstance(value, (tuple, list)) else None
        if isinstance(value, torch.Tensor):
            self.shape, self._dtype = tuple(map(dim_of, value.shape)), value.dtype

    @property
    def dtype(self): return element(self._dtype)


class Program:
    """|text|; |inputs|: where each argument comes from, ("arg", i), ("attr", name) or ("size", i); |results|: where each
    output of the graph comes from, ("out", i), ("arg", i), ("size", expression) or ("none", None); |shapes| of the program's
    outputs as (torch dtype, dims, strides); |symbols|: (symbol, argument, dim or None)."""

    def __init__(self): self.inputs, self.results, self.shapes, self.symbols, self.text = [], [], [], [], ""


def is_size(node): return isinstance(node.meta.get("val"), (torch.SymInt, torch.SymFloat))


def number_of(value):
    """As dim_of, for floats too."""
    if isinstance(value, torch.SymFloat): return float(value.node.expr) if value.node.expr.is_number else value.node.expr
    return dim_of(value)


def write(b, node, read):
    """The value of a call_function node; |read| gives that of a node it uses."""
    if node.target is operator.getitem:
        value = read(node.args[0])[node.args[1]]
        if value is None: raise Unsupported("a result that its op does not give")
        return value
    of_op = rows.row_of(node.target)
    if of_op is None: raise Unsupported("no lowering")

    def argument(a):
        if isinstance(a, Node) and isinstance(a.meta.get("val"), torch.SymFloat) and a.target is torch.ops.aten._local_scalar_dense.default:
            return read(a.args[0])
        if isinstance(a, Node): return number_of(a.meta["val"]) if is_size(a) else read(a)
        if isinstance(a, (torch.SymInt, torch.SymFloat, sympy.Number)): return number_of(a)
        if isinstance(a, torch.SymBool): raise Unsupported("a truth value computed from sizes")
        return type(a)(map(argument, a)) if isinstance(a, (list, tuple)) else a
    for used in node.all_input_nodes:
        value = used.meta.get("val")
        if isinstance(value, torch.Tensor) and (value.device.type != "cpu" or value.layout != torch.strided): raise Unsupported("a tensor that is not dense on the CPU")
    value = node.meta.get("val")
    if isinstance(value, torch.Tensor) and value.device.type != "cpu": raise Unsupported("a result that is not on the CPU")
    result = of_op(b, Out(node, value), *[argument(a) for a in node.args], **{k: argument(a) for k, a in node.kwargs.items()})
    return result


def reason_against(node):
    """Why |node| has no lowering, None when it has one: it is written alone, on values of the shapes that torch says."""
    b = Builder()
    b.missing = lambda symbol: (Value(b, "%s", (symbol, 0), "i1"), 0)

    def read(used):
        value = used.meta.get("val")
        if isinstance(value, (tuple, list)): return tuple(stand_in(v) for v in value)
        return stand_in(value)

    def stand_in(value):
        if not isinstance(value, torch.Tensor): return None
        return Value(b, "%x", map(dim_of, value.shape), element(value.dtype))
    try:
        write(b, node, read)
    except Unsupported as reason:
        return str(reason)
    except (TypeError, ValueError, KeyError, AttributeError, IndexError, AssertionError) as error:
        return f"its arguments are not understood ({type(error).__name__}: {error})"
    return None


def solved(dim, value, known):
    """What |dim|, an expression whose value is |value|, gives: itself, and the one symbol in it that is not |known| where it is
    linear in that."""
    given = {dim: value}
    unknown = [s for s in dim.free_symbols if s not in known]
    if len(unknown) == 1 and dim.is_polynomial(unknown[0]):
        terms = sympy.Poly(dim, unknown[0]).all_coeffs()
        if len(terms) == 2 and terms[0].is_Integer: given[unknown[0]] = FloorDiv(value - terms[1], terms[0])
    return given


def lower(gm, static_inputs=()):
    """The Program of a graph whose every op has a lowering. |static_inputs|: numbers of inputs that stay the same."""
    rows_all.load()
    b, program, values, arguments, sizes = Builder(), Program(), {}, [], {}

    def new_argument(shape, dtype, source):
        value = Value(b, f"%arg{len(arguments)}", shape, dtype)
        names = (b.given.get(d, d) for d in value.shape)
        names = ", ".join(f'"{d}"' if getattr(d, "is_Symbol", False) else str(d) if isinstance(d, int) else '""' for d in names)
        arguments.append((value, "" if all(isinstance(d, int) for d in value.shape) else f"hd.dims = [{names}]"))
        program.inputs.append(source)
        return value

    def missing(symbol):
        if symbol not in sizes:
            raise Unsupported(f"size {symbol} does not follow from the dims of what these ops read: have them read a tensor with a dim "
                              f"of that size, or mark the dim static (torch._dynamo.mark_static)")
        value = new_argument((symbol, 0), "i1", ("size", sizes[symbol]))
        program.symbols.append((symbol, sizes[symbol], None))
        return value, 0
    b.missing = missing
    inputs = [n for n in gm.graph.nodes if n.op == "placeholder"]
    for i, node in enumerate(inputs):
        value = node.meta.get("val")
        if is_size(node):
            if getattr(dim_of(value), "is_Symbol", False): sizes.setdefault(dim_of(value), i)
    tensors = [(i, n) for i, n in enumerate(inputs) if isinstance(n.meta.get("val"), torch.Tensor) and n.users]
    known = {d for _, n in tensors for d in map(dim_of, n.meta["val"].shape) if getattr(d, "is_Symbol", False)} | set(sizes)
    expressions = [(i, d, e) for i, n in tensors for d, e in enumerate(map(dim_of, n.meta["val"].shape)) if isinstance(e, sympy.Expr) and not e.is_Symbol]
    for i, d, dim in expressions:
        if dim in b.given or dim.free_symbols <= known: continue
        value = sympy.Symbol(f"{inputs[i].name}_{d}", integer=True)
        for e, given in solved(dim, value, known | set(b.given)).items(): b.given[e] = given.xreplace(b.given)
        program.symbols.append((value, i, d))
    for i, node in enumerate(inputs):
        value = node.meta.get("val")
        if isinstance(value, torch.Tensor) and node.users:
            values[node] = new_argument(map(dim_of, value.shape), element(value.dtype), ("arg", i))
            for d, size in enumerate(values[node].shape):
                own = b.given.get(size, size)
                if not getattr(own, "is_Symbol", False) or own in b.sources: continue
                b.sources[own] = (values[node], d)
                if own is size: program.symbols.append((size, i, d))
    for node in gm.graph.nodes:
        if node.op == "get_attr":
            data = getattr(gm, node.target)
            values[node] = b.dense(data.detach()) if data.numel() <= INLINE else new_argument(data.shape, element(data.dtype), ("attr", node.target))
        elif node.op == "call_function" and not is_size(node):
            values[node] = write(b, node, values.__getitem__)

    def known_size(dim):
        dim = dim_of(dim)
        return dim.xreplace(b.given) if isinstance(dim, sympy.Basic) else dim
    output = next(n for n in gm.graph.nodes if n.op == "output").args[0]
    program.single = isinstance(output, Node)
    results = []
    for node in [output] if program.single else output:
        if node is None or isinstance(node, (int, float, bool)): program.results.append(("value", node))
        elif is_size(node): program.results.append(("size", known_size(node.meta["val"])))
        elif node.op == "placeholder": program.results.append(("arg", inputs.index(node)))
        else:
            value = values[node]
            program.results.append(("out", len(results)))
            fake = node.meta["val"]
            program.shapes.append((fake.dtype, tuple(map(known_size, value.shape)), tuple(map(known_size, fake.stride()))))
            results.append(value)
    # A size that only the caller reads, for which the program has no argument, is taken from the input that has it.
    named = {s for s, _, _ in program.symbols}
    told = [e for kind, e in program.results if kind == "size"] + [e for _, dims, strides in program.shapes for e in (*dims, *strides)]
    for symbol in sorted({s for e in told if isinstance(e, sympy.Expr) for s in e.free_symbols} - named, key=str):
        of_dims = ((symbol, i, d) for i, n in enumerate(inputs) if isinstance(n.meta.get("val"), torch.Tensor)
                   for d, size in enumerate(map(dim_of, n.meta["val"].shape)) if size == symbol)
        found = (symbol, sizes[symbol], None) if symbol in sizes else next(of_dims, None)
        if found: program.symbols.append(found)
    program.static = [k for k, (kind, i) in enumerate(program.inputs) if kind == "attr" or kind == "arg" and i in set(static_inputs)]
    program.text = b.function("torch", arguments, results)
    return program
