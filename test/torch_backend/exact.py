# SPDX-License-Identifier: Apache-2.0
"""What a torch function or module gives in f64, and results held to it by the error model."""
import copy

import ml_dtypes
import numpy as np
import torch
from error_model import PROGRAM_TERMS, assert_within, magnitudes, program
from torch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten


def array(t):
    """numpy's of a tensor's elements."""
    t = t.detach().resolve_conj()
    return t.view(torch.int16).numpy().view(ml_dtypes.bfloat16) if t.dtype == torch.bfloat16 else t.numpy()


def wide(t):
    if not torch.is_tensor(t): return t
    return t.detach().to(torch.complex128) if t.is_complex() else t.detach().double() if t.is_floating_point() else t


def exact_results(function, args, options=None):
    """magnitudes() of the tensors in what |function| gives for |args|; a module's parameters and buffers are inputs too."""
    module = copy.deepcopy(function).double() if isinstance(function, torch.nn.Module) else None
    state = [p for p in (*module.parameters(), *module.buffers()) if p.is_floating_point()] if module else []
    leaves, form = tree_flatten((tuple(args), options or {}))
    places = [i for i, leaf in enumerate(leaves) if torch.is_tensor(leaf)]

    def run(arrays):
        with torch.no_grad():
            tensors = [torch.from_numpy(np.array(x)) for x in arrays]
            for p, x in zip(state, tensors): p.copy_(x)
            given = list(leaves)
            for i, x in zip(places, tensors[len(state):], strict=True): given[i] = x
            positional, named = tree_unflatten(given, form)
            return [t.detach().resolve_conj().numpy() for t in tree_leaves((module or function)(*positional, **named)) if torch.is_tensor(t)]
    return magnitudes(run, [*[p.detach().clone().numpy() for p in state], *[wide(leaves[i]).numpy() for i in places]])


def assert_right(got, expected, terms=PROGRAM_TERMS, context=""):
    """The tensors in |got| are what exact_results() |expected|, each right as its type allows."""
    results = [array(t) for t in tree_leaves(got) if torch.is_tensor(t)]
    assert len(results) == len(expected[0]), f"{context}: expected {len(expected[0])} results, got {len(results)}"
    for i, (g, x, size) in enumerate(zip(results, *expected)): assert_within(g, x, program(g.dtype, terms), size, f"{context} result {i}")


def assert_exact(got, function, args, options=None, terms=PROGRAM_TERMS, context=""): assert_right(got, exact_results(function, args, options), terms, context)
