# SPDX-License-Identifier: Apache-2.0
"""How the arguments and the results of a program are nested: dicts, lists, tuples, named tuples. Read from a
jax.export.Exported or a jax.stages.Lowered, kept as text in its artifact, and used without JAX; dicts are in the order of their keys, as in JAX.

A nesting is "*" for an array, None for None, ["tuple", [...]], ["list", [...]], ["dict", [[key, nesting], ...]],
["named", "module:name", [field, ...], [...]] or ["custom", a tree of JAX], which no text can hold: a class that only JAX's
registry can take apart."""
import collections
import importlib
import json

from heddle.errors import InvalidArgumentError


def _wrong(path, expected, got): return InvalidArgumentError(3, f"{path}: expected {expected}, got {got}")


def _what(value):
    """|value| in a message: its kind."""
    if value is None: return "None"
    if isinstance(value, dict): return f"a dict of {_keys(value)}" if value else "an empty dict"
    if isinstance(value, (list, tuple)): return f"a {type(value).__name__} of {len(value)}"
    return "an array" if hasattr(value, "shape") else f"{type(value).__name__}"


def _keys(keys): return ", ".join(repr(key) for key in keys)


def of_tree(tree):
    """The nesting of a JAX tree."""
    data = tree.node_data()
    if data is None: return "*"
    kind, more = data
    children = [of_tree(child) for child in tree.children()]
    if kind is type(None): return None
    if kind is dict and all(isinstance(key, (str, int, bool)) for key in more): return ["dict", [list(item) for item in zip(more, children)]]
    if kind in (tuple, list): return [kind.__name__, children]
    if issubclass(kind, tuple) and hasattr(kind, "_fields"): return ["named", f"{kind.__module__}:{kind.__qualname__}", list(kind._fields), children]
    return ["custom", tree]


def _named(name, fields):
    """The class of a named tuple, or one like it where it cannot be imported."""
    module, _, path = name.partition(":")
    try:
        found = importlib.import_module(module)
        for part in path.split("."): found = getattr(found, part)
        if tuple(getattr(found, "_fields", ())) == tuple(fields): return found
    except (ImportError, AttributeError): pass
    return collections.namedtuple(path.split(".")[-1], fields)


def _flatten(nesting, value, path, leaves):
    if nesting == "*":
        if value is None or isinstance(value, (dict, list, tuple)): raise _wrong(path, "an array", _what(value))
        leaves.append((path, value))
    elif nesting is None:
        if value is not None: raise _wrong(path, "None", _what(value))
    elif nesting[0] == "custom":
        import jax
        found, tree = jax.tree_util.tree_flatten_with_path(value)
        if tree != nesting[1]: raise _wrong(path, nesting[1], tree)
        leaves += [(path + jax.tree_util.keystr(keys), leaf) for keys, leaf in found]
    elif nesting[0] == "dict":
        if not isinstance(value, dict): raise _wrong(path, f"a dict of {_keys(key for key, _ in nesting[1])}", _what(value))
        known = [key for key, _ in nesting[1]]
        for key in [*known, *value]:
            if key not in value: raise InvalidArgumentError(3, f"{path}[{key!r}] is missing: expected the keys {_keys(known)}, got {_keys(value) or 'none'}")
            if key not in known: raise _wrong(f"{path}[{key!r}]", f"the keys {_keys(known) or 'none'}", _keys(value))
        for key, inner in nesting[1]: _flatten(inner, value[key], f"{path}[{key!r}]", leaves)
    else:
        kind, children = nesting[0], nesting[-1]
        named = kind == "named"
        fields = nesting[2] if named else [None] * len(children)
        if named and list(getattr(value, "_fields", ())) != fields: raise _wrong(path, f"a {nesting[1].rpartition(':')[2]} of {', '.join(fields)}", _what(value))
        if not named and (type(value).__name__ != kind or hasattr(value, "_fields")): raise _wrong(path, f"a {kind} of {len(children)}", _what(value))
        if len(value) != len(children): raise _wrong(f"{path}[{min(len(value), len(children))}]", f"a {kind} of {len(children)}", f"one of {len(value)}")
        for i, (field, inner, child) in enumerate(zip(fields, children, value)): _flatten(inner, child, f"{path}.{field}" if field else f"{path}[{i}]", leaves)


def _unflatten(nesting, leaves):
    if nesting == "*": return next(leaves)
    if nesting is None: return None
    if nesting[0] == "custom": return nesting[1].unflatten([next(leaves) for _ in range(nesting[1].num_leaves)])
    if nesting[0] == "dict": return {key: _unflatten(inner, leaves) for key, inner in nesting[1]}
    children = [_unflatten(inner, leaves) for inner in nesting[-1]]
    if nesting[0] == "named": return _named(nesting[1], nesting[2])(*children)
    return children if nesting[0] == "list" else tuple(children)


def _has_custom(nesting):
    if nesting is None or nesting == "*": return False
    if nesting[0] == "dict": return any(_has_custom(inner) for _, inner in nesting[1])
    return nesting[0] == "custom" or any(_has_custom(inner) for inner in nesting[-1])


def _kept(program):
    """Which arrays of the arguments the program has; None for what is no JAX program. JAX drops those that it does not use."""
    if getattr(program, "mlir_module_serialized", None) is not None: return list(program.module_kept_var_idx)
    if not hasattr(program, "compiler_ir"): return None
    lowering = getattr(program, "_lowering", None)  # a jax.stages.Lowered says it nowhere else
    kept = getattr(lowering, "compile_args", {}).get("kept_var_idx")
    return list(range(program.in_tree.num_leaves)) if kept is None else sorted(kept)


class Nesting:
    """What a Function takes and gives. |kept|: which arrays of the arguments the program uses."""

    def __init__(self, arguments, names, results, kept):
        self.arguments, self.names, self.results, self.kept = arguments, names, results, kept
        # Are the caller's arguments the program's, one array each?
        self.is_row = not names and all(x == "*" for x in arguments) and list(kept) == list(range(len(arguments)))

    @staticmethod
    def of(program):
        """That of a jax.export.Exported or a jax.stages.Lowered; None for other programs."""
        if not hasattr(program, "in_tree") or not hasattr(program, "out_tree"): return None
        kept = _kept(program)
        if kept is None: return None
        (_, (arguments, names)), results = of_tree(program.in_tree), of_tree(program.out_tree)
        return Nesting(arguments[1], names[1], results, kept)

    @staticmethod
    def of_text(text):
        """What text() wrote; None where there is none."""
        try:
            read = json.loads(text)["nesting"]
            return Nesting(read["arguments"], read["names"], read["results"], read["kept"])
        except (ValueError, KeyError, TypeError, RecursionError): return None  # metadata of somebody else

    @property
    def is_text(self): return not any(_has_custom(x) for x in (*self.arguments, *(inner for _, inner in self.names), self.results))

    def text(self):
        """For an artifact, where is_text."""
        return json.dumps({"nesting": {"arguments": self.arguments, "names": self.names, "results": self.results, "kept": self.kept}})

    def flatten(self, arrays, keywords):
        """The program's arguments in order, each with its path; InvalidArgumentError names the first place that is nested otherwise."""
        names = [name for name, _ in self.names]
        missing, unknown = [name for name in names if name not in keywords], [name for name in keywords if name not in names]
        if missing or unknown:
            place = f"kwargs['{missing[0]}'] is missing" if missing else f"kwargs['{unknown[0]}']"
            expected = f"arguments named {', '.join(names)}" if names else "arguments without names"
            raise InvalidArgumentError(3, f"{place}: expected {expected}, got {', '.join(keywords) or 'none with a name'}")
        if len(arrays) != len(self.arguments):
            place = f"args[{len(self.arguments)}]" if len(arrays) > len(self.arguments) else f"args[{len(arrays)}] is missing"
            raise InvalidArgumentError(3, f"{place}: expected {len(self.arguments)} arguments, got {len(arrays)}")
        leaves = []
        for i, (inner, value) in enumerate(zip(self.arguments, arrays)): _flatten(inner, value, f"args[{i}]", leaves)
        for name, inner in self.names: _flatten(inner, keywords[name], f"kwargs['{name}']", leaves)
        return [leaves[i] for i in self.kept]

    def unflatten(self, results): return _unflatten(self.results, iter(results))
