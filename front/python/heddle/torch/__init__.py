# SPDX-License-Identifier: Apache-2.0
"""Heddle under torch.

    import heddle.torch                                      # registers the backend
    fast = torch.compile(model, backend="heddle", dynamic=True)

    heddle.torch.to_stablehlo(torch.export.export(model, args, dynamic_shapes=...))   # the program as text

counters and eager_ops tell what was compiled and what stays with torch; the logger "heddle.torch" says why."""
from torch._dynamo import list_backends, register_backend

from heddle.torch import rows_all
from heddle.torch.backend import counters, eager_ops, heddle, rebind
from heddle.torch.decompositions import table
from heddle.torch.lower import lower
from heddle.torch.recurrent import keep_recurrent_layers

__all__ = ["counters", "eager_ops", "heddle", "keep_recurrent_layers", "rebind", "to_stablehlo"]

# An installed package has an entry point, through which torch registers the backend when it is first asked for.
if "heddle" not in list_backends(exclude_tags=()): register_backend(heddle, name="heddle")


def to_stablehlo(exported):
    """The StableHLO text of a torch.export.ExportedProgram. Its arguments are those of the exported graph: parameters and
    buffers first, then the inputs. Unsupported, with the reason, for an op without a lowering."""
    rows_all.load()
    with keep_recurrent_layers(): return lower(exported.run_decompositions(table()).graph_module).text
