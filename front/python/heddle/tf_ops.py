# SPDX-License-Identifier: Apache-2.0
"""Ops that TensorFlow's legalization leaves in a program where dims are unknown, written as MHLO.

The program is text in MLIR's form, one op a line; TensorFlow prints its own ops in the generic form. Each op that has a
rule here (RULES) is replaced by lines that give its result the same name; ops without one are an error that names them."""
import collections
import re

from heddle.errors import UnimplementedError
from heddle.tf_build import Op, dims_of, type_of
from heddle.tf_rules import EARLY, LATE

OP = re.compile(r'^\s*(?P<result>%\w+(?::\d+|(?:, %\w+)*)) = "tf\.(?P<name>\w+)"\((?P<operands>[^)]*)\)(?: <\{(?P<properties>.*?)\}>)?(?: \{.*?\})? : '
                r'\((?P<types>.*)\) -> (?P<type>tensor<[^>]*>|\(.*\))$')
LEFT = re.compile(r'"?(tf(?:_executor|_device)?\.[A-Z]\w*|tf_executor\.\w+)"?\(')
CONSTANT = re.compile(r"^\s*(%\w+) = (?:mhlo|stablehlo|arith)\.constant dense<(.*)> : (tensor<.*>)$")
DEFINITION = re.compile(r"^\s*(%\w+)(?::\d+)? = ")


def reshape(op):
    """CHLO's own: the shape may hold one -1."""
    op.op("chlo.dynamic_reshape", op.operands, op.types, op.type, into=op.result)


def from_end(op, index, size):
    """|index|, or size + index where negative."""
    negative = op.op("mhlo.compare", [index, op.number(0)], ["tensor<i32>"] * 2, "tensor<i1>", "comparison_direction = #mhlo<comparison_direction LT>")
    return op.op("mhlo.select", [negative, op.math("add", index, size), index], ["tensor<i1>", "tensor<i32>", "tensor<i32>"], "tensor<i32>")


def strided_slice(op):
    """x[begin:end:stride, ...] of each dim, where bits of the masks say: begin or end left out, `...`, a new dim, an index alone."""
    mask = lambda name, i: op.attributes.get(f"{name}_mask", 0) >> i & 1  # noqa: E731
    x, tensor, (dims, element) = op.operands[0], op.types[0], dims_of(op.types[0])
    begins, strides, count = op.numbers(1), op.numbers(3), dims_of(op.types[1])[0][0]
    ends = op.numbers(2)
    if strides is None: raise UnimplementedError(12, "tf.StridedSlice: expected constant strides, got computed ones")
    given = sum(not mask("new_axis", i) and not mask("ellipsis", i) for i in range(count))
    starts, limits, steps, reverse, sliced, shape, kept, d = [], [], [], [], [], [], op.type, 0
    kept = iter(dims_of(op.type)[0])

    def whole(d):
        starts.append(op.number(0))
        limits.append(op.size(x, tensor, d))
        steps.append(1)
        sliced.append(next(kept))
        shape.append(d)
    for i in range(count):
        if mask("ellipsis", i):
            for _ in range(len(dims) - given): whole(d); d += 1  # noqa: E702
            continue
        if mask("new_axis", i):
            shape.append(None)
            next(kept)
            continue
        size, step = op.size(x, tensor, d), strides[i]
        if not step: raise UnimplementedError(12, "tf.StridedSlice: expected a stride that is not 0")

        def bound(numbers, k, left_out, default):
            if left_out: return default
            if numbers is None: return from_end(op, op.element(k, i), size)
            return op.number(numbers[i]) if numbers[i] >= 0 else op.math("add", size, op.number(numbers[i]))
        if mask("shrink_axis", i):
            start = bound(begins, 1, False, None)
            limit, step = op.math("add", start, op.number(1)), 1
            sliced.append(1)
        else:
            # Elements start, start - 1, ... above end are those of the reversed dim from size - 1 - start to size - 1 - end.
            one = op.number(1)
            low, high = (op.number(0), size) if step > 0 else (op.number(-1), op.math("subtract", size, one))
            clamped = lambda value: op.math("minimum", op.math("maximum", value, low), high)  # noqa: E731
            start = clamped(bound(begins, 1, mask("begin", i), low if step > 0 else high))
            limit = clamped(bound(ends, 2, mask("end", i), high if step > 0 else low))
            if step < 0:
                start, limit, step = op.math("subtract", high, start), op.math("subtract", high, limit), -step
                reverse.append(d)
            limit = op.math("maximum", start, limit)
            sliced.append(next(kept))
            shape.append(d)
        starts.append(start)
        limits.append(limit)
        steps.append(step)
        d += 1
    while d < len(dims): whole(d); d += 1  # noqa: E702
    if reverse:
        x = op.op("mhlo.reverse", [x], [tensor], tensor, f"dimensions = dense<{reverse}> : tensor<{len(reverse)}xi64>")
    if not dims:
        op.op("mhlo.reshape", [x], [tensor], op.type, into=op.result)
        return
    vectors = [op.vector(starts), op.vector(limits), op.vector([op.number(s) for s in steps])]
    part, same = type_of(sliced, element), shape == list(range(len(dims)))
    y = op.op("mhlo.real_dynamic_slice", [x, *vectors], [tensor, *[f"tensor<{len(dims)}xi32>"] * 3], part, into=op.result if same else None)
    if same: return
    if not shape:
        op.op("mhlo.reshape", [y], [part], op.type, into=op.result)
        return
    sizes = op.vector([op.number(1) if s is None else op.size(y, part, s) for s in shape])
    op.op("mhlo.dynamic_reshape", [y, sizes], [part, f"tensor<{len(shape)}xi32>"], op.type, into=op.result)


def one_hot(op):
    """|on| where the index is the place along |axis|, else |off|."""
    depth, (dims, element), (places, integer) = op.numbers(1), dims_of(op.type), dims_of(op.types[0])
    axis = op.attributes.get("axis", -1) % len(dims)
    others = [d for d in range(len(dims)) if d != axis]
    sizes = [(op.number(depth[0]) if depth else op.scalar(1)) if d == axis else op.size(op.operands[0], op.types[0], others.index(d)) for d in range(len(dims))]
    shape, vector = op.vector(sizes), f"tensor<{len(dims)}xi32>"
    broadcast = lambda x, tensor, to, at: op.op("mhlo.dynamic_broadcast_in_dim", [x, shape], [tensor, vector], type_of(dims, to),  # noqa: E731
                                                f"broadcast_dimensions = dense<{at}> : tensor<{len(at)}xi64>")
    index = broadcast(op.operands[0], op.types[0], integer, others)
    place = op.op("mhlo.dynamic_iota", [shape], [vector], type_of(dims, integer), f"iota_dimension = {axis} : i64")
    hit = op.op("mhlo.compare", [index, place], [type_of(dims, integer)] * 2, type_of(dims, "i1"), "comparison_direction = #mhlo<comparison_direction EQ>")
    values = [broadcast(op.operands[k], op.types[k], element, []) for k in (2, 3)]
    op.op("mhlo.select", [hit, *values], [type_of(dims, "i1"), op.type, op.type], op.type, into=op.result)


RULES = {"Reshape": reshape, "StridedSlice": strided_slice, "OneHot": one_hot, **LATE, **EARLY}


def unknown_space(op):
    """Does TensorFlow's legalization go wrong on |op|?"""
    x = op.value(0)
    return op.name == "Unpack" and None in x.dims or op.attribute("padding") == "SAME" and None in x.dims[1:3]


def hide(text):
    """|text| before TensorFlow's legalization, with ops that it must not see in the dress of one that it leaves alone, and what they are:
    for rewrite."""
    lines, hidden = [], {}
    for line in text.splitlines():
        match = OP.match(line)
        if match and match["name"] in EARLY and unknown_space(Op(match, {}, {})):
            token = f"heddle{len(hidden)}"
            hidden[token] = match["name"], match["properties"]
            line = f'{match["result"]} = "tf.PyFuncStateless"({match["operands"]}) {{token = "{token}"}} : ({match["types"]}) -> {match["type"]}'
        lines.append(line)
    return "\n".join(lines) + "\n", hidden


def shown(match, hidden):
    """The op that |match| was before it was hidden: name and properties."""
    token = re.search(r'token = "(\w+)"', match[0])
    return hidden.get(token[1] if token else "", (match["name"], match["properties"]))


def rewrite(text, hidden=None):
    """|text| without ops of TensorFlow; |hidden|: as hide gives it."""
    lines, constants, left, reducers, renamed = [], {}, collections.Counter(), {}, {}
    for line in text.splitlines():
        if "func.func" in line: renamed = {}  # names of values are a function's own
        if renamed: line = re.sub(r"%\w+#\d+\b", lambda m: renamed.get(m[0], m[0]), line)
        constant, match = CONSTANT.match(line), OP.match(line)
        if constant: constants[constant[1]] = constant[2]
        elif DEFINITION.match(line): constants.pop(DEFINITION.match(line)[1], None)  # a name is used again in another region
        op = Op(match, constants, reducers, *shown(match, hidden or {})) if match else None
        if op and op.name in RULES:
            RULES[op.name](op)
            indent = line[:len(line) - len(line.lstrip())]
            lines += [indent + new for new in op.lines]
            renamed.update(op.renamed)
        else:
            left.update(LEFT.findall(line))
            lines.append(line)
    if left:
        raise UnimplementedError(12, "ops that neither TensorFlow's legalization nor heddle writes at unknown dims: " +
                                 ", ".join(f"{name} ({count})" for name, count in sorted(left.items())))
    last = max(i for i, line in enumerate(lines) if line.strip() == "}") if reducers else 0
    for (kind, element), name in reducers.items():
        t = f"tensor<{element}>"
        lines.insert(last, f'  func.func private @{name}(%a: {t}, %b: {t}) -> {t} {{\n    %r = "mhlo.{kind}"(%a, %b) : ({t}, {t}) -> {t}\n    return %r : {t}\n  }}')
    return "\n".join(lines) + "\n"
