# SPDX-License-Identifier: Apache-2.0
"""Recurrent layers (nn.LSTM, nn.GRU, nn.RNN) kept whole for inference.

torch writes them out step by step while it traces, which makes each length a program of its own. Here one direction of
one layer is an op, heddle::recurrent, whose row is a loop (rows_recurrent.py). What needs gradients breaks the graph, as
it does without this file, and runs in torch: reported.

Tracing asks torch._dynamo.config.allow_rnn; its default becomes true. Other backends of the process still break the
graph at these layers, unless the user has set the option."""
import contextlib
import contextvars
import functools

import torch
from torch import Tensor
from torch._C import DispatchKey
from torch._dynamo import config
from torch._dynamo.symbolic_convert import InstructionTranslator
from torch._subclasses.fake_tensor import UnsupportedFakeTensorException

aten = torch.ops.aten

# The overloads and the kinds of their cells.
LAYERS = {aten.lstm.input: "lstm", aten.gru.input: "gru", aten.rnn_tanh.input: "tanh", aten.rnn_relu.input: "relu"}
EAGER = {"lstm": torch.lstm, "gru": torch.gru, "tanh": torch.rnn_tanh, "relu": torch.rnn_relu}


@torch.library.custom_op("heddle::recurrent", mutates_args=())
def recurrent(x: Tensor, state: list[Tensor], weights: list[Tensor], kind: str, reverse: bool) -> list[Tensor]:
    """One direction of one layer: |x| [length, batch, features], |state| h [batch, out] and, for an lstm, c [batch, hidden];
    |weights| as torch orders them: of the input, of h, the two biases if there are any, the projection if there is one.
    Gives the outputs [length, batch, out] and the last state."""
    before = [s[None] for s in state]
    out, *after = EAGER[kind](x.flip(0) if reverse else x, before if kind == "lstm" else before[0], weights, len(weights) >= 4, 1, 0.0, False, False, False)
    return [out.flip(0) if reverse else out, *[s[0].clone() for s in after]]


@recurrent.register_fake
def _(x, state, weights, kind, reverse):
    return [x.new_empty(x.shape[0], x.shape[1], state[0].shape[1]), *map(torch.empty_like, state)]


def layers(kind, x, state, weights, has_biases, num_layers, dropout, train, bidirectional, batch_first):
    """A module's layers and directions, with |state| a list of [layers * directions, batch, ...]."""
    if batch_first: x = x.transpose(0, 1)
    directions = 2 if bidirectional else 1
    each, last = len(weights) // (num_layers * directions), []
    for layer in range(num_layers):
        outs = []
        for d in range(directions):
            k = layer * directions + d
            out, *after = torch.ops.heddle.recurrent(x, [s[k] for s in state], weights[k * each:(k + 1) * each], kind, d == 1)
            outs.append(out)
            last.append(after)
        x = torch.cat(outs, -1) if bidirectional else out
        if train and dropout and layer + 1 < num_layers: x = torch.dropout(x, dropout, True)
    return (x.transpose(0, 1) if batch_first else x), *[torch.stack(states) for states in zip(*last)]


kept = contextvars.ContextVar("kept", default=False)


@contextlib.contextmanager
def keep_recurrent_layers():
    """torch.export.export within it, in this thread, keeps recurrent layers whole, with unknown lengths and batches."""
    before = kept.set(True)
    try:
        yield
    finally:
        kept.reset(before)


def backend():
    """The name of the backend for which Dynamo traces now; None where it does not."""
    try:
        translator = InstructionTranslator.current_tx()
    except AttributeError:
        return None
    compiler = getattr(translator.output.compiler_fn, "_torchdynamo_orig_backend", translator.output.compiler_fn)
    return getattr(compiler, "compiler_name", getattr(compiler, "__name__", ""))


def traced(overload, kind, written_out, report, x, state, weights, *options):
    """What |overload| is while torch traces; |written_out|: torch's own kernel."""
    name = "heddle" if kept.get() else backend()
    states = list(state) if kind == "lstm" else [state]
    if name == "heddle" and not (torch.is_grad_enabled() and any(t.requires_grad for t in (x, *states, *weights))):
        return layers(kind, x, states, list(weights), *options)
    if name is None or config._config["allow_rnn"].user_override.get() is True: return written_out(x, state, weights, *options)
    if name == "heddle": report(overload, "it needs gradients; torch.no_grad() says that it does not")
    raise UnsupportedFakeTensorException("recurrent layers run in torch here: they need gradients, or torch._dynamo.config.allow_rnn is not set")


def install(report):
    """Puts |traced| in the place of torch's kernels. |report|(op, reason) is told of what stays with torch."""
    # Not True itself: torch.export and config.patch leave the value that they found as if the user had set it.
    config._config["allow_rnn"].default = 1
    for overload, kind in LAYERS.items():
        kernel = functools.partial(traced, overload, kind, overload.py_kernels[DispatchKey.CompositeImplicitAutograd], report)
        for key in (DispatchKey.CompositeImplicitAutograd, DispatchKey.Autograd): overload.py_kernels[key] = kernel
        overload._dispatch_cache.clear()
