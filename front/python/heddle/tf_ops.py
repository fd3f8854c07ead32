# SPDX-License-Identifier: Apache-2.0
"""Ops that TensorFlow's legalization leaves in a program where dims are unknown, written as MHLO.

The program is text in MLIR's form, one op a line; TensorFlow prints its own ops in the generic form. Each op that has a
rule here (RULES) is replaced by lines that give its result the same name; ops without one are an error that names them."""
import collections
import re

from heddle.errors import UnimplementedError

OP = re.compile(r'^\s*(?P<result>%\w+) = "tf\.(?P<name>\w+)"\((?P<operands>[^)]*)\)(?: <\{(?P<properties>.*?)\}>)?(?: \{.*?\})? : '
                r'\((?P<types>.*)\) -> (?P<type>tensor<[^>]*>)$')
LEFT = re.compile(r'"?(tf(?:_executor|_device)?\.[A-Z]\w*|tf_executor\.\w+)"?\(')
CONSTANT = re.compile(r"^\s*(%\w+) = (?:mhlo|stablehlo|arith)\.constant dense<(.*)> : (tensor<.*>)$")
DEFINITION = re.compile(r"^\s*(%\w+)(?::\d+)? = ")


def dims_of(tensor):
    """The dims of a ranked tensor type, None where unknown, and the element type."""
    *dims, element = re.fullmatch(r"tensor<(.*)>", tensor).group(1).split("x")
    return [None if d == "?" else int(d) for d in dims], element


def type_of(dims, element): return "tensor<" + "".join(f"{'?' if d is None else d}x" for d in dims) + element + ">"


class Op:
    """An op of TensorFlow: operands with their types, attributes, and lines that take its place."""
    count = 0

    def __init__(self, match, constants):
        self.name, self.result, self.type = match["name"], match["result"], match["type"]
        self.operands = [x.strip() for x in match["operands"].split(",")]
        self.types = re.findall(r"tensor<[^>]*>", match["types"])
        self.attributes = {k: int(v) for k, v in re.findall(r"(\w+) = (-?\d+) : i64", match["properties"] or "")}
        self.constants, self.lines = constants, []

    def op(self, name, operands, types, result, attributes="", into=None):
        """One op of one result in generic form; gives the name of its result."""
        Op.count += 1
        into = into or f"%hd{Op.count}"
        self.lines.append(f'{into} = "{name}"({", ".join(operands)}){f" <{{{attributes}}}>" if attributes else ""} : ({", ".join(types)}) -> {result}')
        return into

    def numbers(self, k):
        """The elements of operand |k|, integers, where they are constant; else None."""
        if self.operands[k] not in self.constants: return None
        text, (dims, _) = self.constants[self.operands[k]], dims_of(self.types[k])
        found = [int(x) for x in re.findall(r"-?\d+", text)]
        return found * (dims[0] if dims else 1) if "[" not in text else found

    # ---- sizes and indices: names of tensor<i32>

    def number(self, n): return self.op("mhlo.constant", [], [], "tensor<i32>", f"value = dense<{n}> : tensor<i32>")
    def size(self, x, tensor, d): return self.op("mhlo.get_dimension_size", [x], [tensor], "tensor<i32>", f"dimension = {d} : i64")
    def math(self, name, a, b): return self.op(f"mhlo.{name}", [a, b], ["tensor<i32>"] * 2, "tensor<i32>")

    def element(self, k, i):
        """Element |i| of the vector that is operand |k|."""
        element = dims_of(self.types[k])[1]
        one = self.op("mhlo.slice", [self.operands[k]], [self.types[k]], f"tensor<1x{element}>", ", ".join(
            f"{what} = dense<{n}> : tensor<1xi64>" for what, n in (("start_indices", i), ("limit_indices", i + 1), ("strides", 1))))
        scalar = self.op("mhlo.reshape", [one], [f"tensor<1x{element}>"], f"tensor<{element}>")
        return scalar if element == "i32" else self.op("mhlo.convert", [scalar], [f"tensor<{element}>"], "tensor<i32>")

    def vector(self, numbers):
        """tensor<Nxi32> of names."""
        ones = [self.op("mhlo.reshape", [x], ["tensor<i32>"], "tensor<1xi32>") for x in numbers]
        return self.op("mhlo.concatenate", ones, ["tensor<1xi32>"] * len(ones), f"tensor<{len(ones)}xi32>", "dimension = 0 : i64")


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
        if step not in (-1,) and step < 1: raise UnimplementedError(12, f"tf.StridedSlice: expected a stride of -1 or above 0, got {step}")

        def bound(numbers, k, left_out, default):
            if left_out: return default
            if numbers is None: return from_end(op, op.element(k, i), size)
            return op.number(numbers[i]) if numbers[i] >= 0 else op.math("add", size, op.number(numbers[i]))
        if mask("shrink_axis", i):
            start = bound(begins, 1, False, None)
            limit, step = op.math("add", start, op.number(1)), 1
            sliced.append(1)
        else:
            low, high = op.number(0), size
            clamped = lambda value: op.math("minimum", op.math("maximum", value, low), high)  # noqa: E731
            if step < 0:
                # Elements start, start - 1, ... above end are those of the reversed dim from size - 1 - start on.
                if not mask("begin", i) or not mask("end", i): raise UnimplementedError(12, "tf.StridedSlice: a stride of -1 with bounds")
                reverse.append(d)
                step = 1
            start = clamped(bound(begins, 1, mask("begin", i), low))
            limit = op.math("maximum", start, clamped(bound(ends, 2, mask("end", i), high)))
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
    if depth is None: raise UnimplementedError(12, "tf.OneHot: expected a constant depth, got a computed one")
    axis = op.attributes.get("axis", -1) % len(dims)
    others = [d for d in range(len(dims)) if d != axis]
    sizes = [op.number(depth[0]) if d == axis else op.size(op.operands[0], op.types[0], others.index(d)) for d in range(len(dims))]
    shape, vector = op.vector(sizes), f"tensor<{len(dims)}xi32>"
    broadcast = lambda x, tensor, to, at: op.op("mhlo.dynamic_broadcast_in_dim", [x, shape], [tensor, vector], type_of(dims, to),  # noqa: E731
                                                f"broadcast_dimensions = dense<{at}> : tensor<{len(at)}xi64>")
    index = broadcast(op.operands[0], op.types[0], integer, others)
    place = op.op("mhlo.dynamic_iota", [shape], [vector], type_of(dims, integer), f"iota_dimension = {axis} : i64")
    hit = op.op("mhlo.compare", [index, place], [type_of(dims, integer)] * 2, type_of(dims, "i1"), "comparison_direction = #mhlo<comparison_direction EQ>")
    values = [broadcast(op.operands[k], op.types[k], element, []) for k in (2, 3)]
    op.op("mhlo.select", [hit, *values], [type_of(dims, "i1"), op.type, op.type], op.type, into=op.result)


RULES = {"Reshape": reshape, "StridedSlice": strided_slice, "OneHot": one_hot}


def rewrite(text):
    """|text| without ops of TensorFlow."""
    lines, constants, left = [], {}, collections.Counter()
    for line in text.splitlines():
        constant, match = CONSTANT.match(line), OP.match(line)
        if constant: constants[constant[1]] = constant[2]
        elif DEFINITION.match(line): constants.pop(DEFINITION.match(line)[1], None)  # a name is used again in another region
        if match and match["name"] in RULES:
            op = Op(match, constants)
            RULES[op.name](op)
            indent = line[:len(line) - len(line.lstrip())]
            lines += [indent + new for new in op.lines]
        else:
            left.update(LEFT.findall(line))
            lines.append(line)
    if left:
        raise UnimplementedError(12, "ops that neither TensorFlow's legalization nor heddle writes at unknown dims: " +
                                 ", ".join(f"{name} ({count})" for name, count in sorted(left.items())))
    return "\n".join(lines) + "\n"
