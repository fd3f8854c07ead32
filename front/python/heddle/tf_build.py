# SPDX-License-Identifier: Apache-2.0
"""What the rules of tf_ops.py write with: ops of MHLO as lines of text, in generic form."""
import re
from typing import NamedTuple


def dims_of(tensor):
    """The dims of a ranked tensor type, None where unknown, and the element type."""
    *dims, element = re.fullmatch(r"tensor<(.*)>", tensor).group(1).split("x")
    return [None if d == "?" else int(d) for d in dims], element


def type_of(dims, element): return "tensor<" + "".join(f"{'?' if d is None else d}x" for d in dims) + element + ">"


class Value(NamedTuple):
    name: str
    dims: list  # None where unknown
    element: str

    @property
    def type(self): return type_of(self.dims, self.element)


def attribute_of(text):
    text = text.strip()
    if text.startswith("["): return [attribute_of(item) for item in text[1:-1].split(",") if item.strip()]
    if text.startswith('"'): return text[1:-1]
    number = re.match(r"-?\d+", text)
    return int(number[0]) if number else text == "true"


class Op:
    """An op of TensorFlow: operands with their types, attributes, and lines that take its place.

    |constants|: texts of the constants so far; |reducers|: names of functions by what they do and their element."""
    count = 0

    def __init__(self, match, constants, reducers, name=None, properties=None):
        self.name, self.result, self.type = name or match["name"], match["result"], match["type"]
        properties = properties or match["properties"] or ""
        self.operands = [x.strip() for x in match["operands"].split(",")]
        self.types = re.findall(r"tensor<[^>]*>", match["types"])
        self.given = dict(re.findall(r'(\w+) = (\[[^\]]*\]|"[^"]*"|[^,]+)', properties))
        self.attributes = {k: v for k, v in ((k, attribute_of(v)) for k, v in self.given.items()) if isinstance(v, int) and not isinstance(v, bool)}
        self.constants, self.reducers, self.lines, self.renamed = constants, reducers, [], {}

    def attribute(self, name): return attribute_of(self.given[name]) if name in self.given else None

    # ---- ops

    def fresh(self):
        Op.count += 1
        return f"%hd{Op.count}"

    def op(self, name, operands, types, result, attributes="", into=None, region=""):
        """One op of one result; gives the name of its result."""
        into = into or self.fresh()
        self.lines.append(f'{into} = "{name}"({", ".join(operands)}){f" <{{{attributes}}}>" if attributes else ""}{region} : ({", ".join(types)}) -> {result}')
        return into

    def emit(self, name, values, dims, element, attributes="", region=""):
        """The same on Values."""
        return Value(self.op(name, [v.name for v in values], [v.type for v in values], type_of(dims, element), attributes, region=region), list(dims), element)

    def value(self, k): return Value(self.operands[k], *dims_of(self.types[k]))

    def results(self):
        """The op's results, to be given."""
        names = self.result.split(",") if "," in self.result else [self.result]
        types = re.findall(r"tensor<[^>]*>", self.type)
        if ":" in self.result: names = [f"{self.result.split(':')[0]}#{i}" for i in range(len(types))]
        return [Value(name.strip(), *dims_of(t)) for name, t in zip(names, types)]

    def give(self, value, i=0):
        """|value| is result |i|."""
        result = self.results()[i]
        if "#" in result.name:
            self.renamed[result.name] = value.name
            if value.type == result.type: return
        if value.type == result.type:
            self.lines = [re.sub(rf"{re.escape(value.name)}\b", result.name, line) if not line.startswith("^") else line for line in self.lines]
            return
        vector = self.vector([self.size(value.name, value.type, d) for d in range(len(value.dims))])
        name = self.op("mhlo.dynamic_reshape", [value.name, vector], [value.type, f"tensor<{len(value.dims)}xi32>"], result.type,
                       into=None if "#" in result.name else result.name)
        if "#" in result.name: self.renamed[result.name] = name

    # ---- constants

    def numbers(self, k):
        """The elements of operand |k|, integers, where they are constant; else None."""
        if self.operands[k] not in self.constants: return None
        text, (dims, _) = self.constants[self.operands[k]], dims_of(self.types[k])
        found, count = [int(x) for x in re.findall(r"-?\d+", text)], 1
        for d in dims: count *= d
        return found * count if "[" not in text else found

    # ---- sizes and indices: names of tensor<i32>

    def number(self, n): return self.op("mhlo.constant", [], [], "tensor<i32>", f"value = dense<{n}> : tensor<i32>")
    def size(self, x, tensor, d): return self.op("mhlo.get_dimension_size", [x], [tensor], "tensor<i32>", f"dimension = {d} : i64")
    def math(self, name, a, b): return self.op(f"mhlo.{name}", [a, b], ["tensor<i32>"] * 2, "tensor<i32>")
    def sizes(self, v): return [self.size(v.name, v.type, d) if s is None else self.number(s) for d, s in enumerate(v.dims)]

    def scalar(self, k):
        """Operand |k|, an integer."""
        element = dims_of(self.types[k])[1]
        return self.operands[k] if element == "i32" else self.op("mhlo.convert", [self.operands[k]], [self.types[k]], "tensor<i32>")

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

    def shape(self, numbers): return Value(self.vector(numbers), [len(numbers)], "i32")

    # ---- Values, with sizes as names

    def broadcast(self, x, sizes, dims, at):
        return self.emit("mhlo.dynamic_broadcast_in_dim", [x, self.shape(sizes)], dims, x.element, f"broadcast_dimensions = dense<{list(at)}> : tensor<{len(at)}xi64>")

    def reshape(self, x, sizes, dims):
        if not sizes: return self.emit("mhlo.reshape", [x], [], x.element)
        return self.emit("mhlo.dynamic_reshape", [x, self.shape(sizes)], dims, x.element)

    def iota(self, sizes, dims, axis, element): return self.emit("mhlo.dynamic_iota", [self.shape(sizes)], dims, element, f"iota_dimension = {axis} : i64")
    def select(self, p, x, y): return self.emit("mhlo.select", [p, x, y], x.dims, x.element)
    def reverse(self, x, axes): return self.emit("mhlo.reverse", [x], x.dims, x.element, f"dimensions = dense<{axes}> : tensor<{len(axes)}xi64>")
    def concatenate(self, parts, axis, dims): return self.emit("mhlo.concatenate", parts, dims, parts[0].element, f"dimension = {axis} : i64")

    def compare(self, direction, x, y):
        return self.emit("mhlo.compare", [x, y], x.dims, "i1", f"comparison_direction = #mhlo<comparison_direction {direction}>")

    def slice(self, x, axis, start, stop, dims=None):
        """Elements |start| to |stop| (names) of |axis|; of |dims|, where more is known of them."""
        zero, one, sizes = self.number(0), self.number(1), self.sizes(x)
        rank = range(len(x.dims))
        bounds = [self.shape([start if d == axis else zero for d in rank]), self.shape([stop if d == axis else sizes[d] for d in rank]), self.shape([one for _ in rank])]
        return self.emit("mhlo.real_dynamic_slice", [x, *bounds], dims or [None if d == axis else s for d, s in enumerate(x.dims)], x.element)

    def body(self, kind, element):
        a, b, r, t = self.fresh(), self.fresh(), self.fresh(), f"tensor<{element}>"
        return f' ({{\n^bb0({a}: {t}, {b}: {t}):\n{r} = "mhlo.{kind}"({a}, {b}) : ({t}, {t}) -> {t}\n"mhlo.return"({r}) : ({t}) -> ()\n}})'

    def reduce(self, kind, x, init, axis):
        return self.emit("mhlo.reduce", [x, init], [s for d, s in enumerate(x.dims) if d != axis], x.element, f"dimensions = dense<{axis}> : tensor<1xi64>", self.body(kind, x.element))

    def reduce_window(self, kind, x, init, size, stride, dims):
        n = len(size)
        return self.emit("mhlo.reduce_window", [x, init], dims, x.element, f"window_dimensions = dense<{size}> : tensor<{n}xi64>, "
                         f"window_strides = dense<{stride}> : tensor<{n}xi64>, padding = dense<0> : tensor<{n}x2xi64>", self.body(kind, x.element))

    def reducer(self, kind, element):
        """The name of a function that applies mhlo.|kind| to two elements."""
        return self.reducers.setdefault((kind, element), f"hd_{kind}_{element}")
