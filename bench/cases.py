# SPDX-License-Identifier: Apache-2.0
"""What is measured: models, shapes and modes. Peers get the same inputs; a mode says which arguments stay bound."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
import model_tools as tools  # noqa: E402


def all_models():
    models = tools.load_models()
    gelu = models["gelu"]
    dim = gelu.args[0].shape[0]
    f32 = models["layernorm"].args[1]
    import jax
    models["gemm"] = type(gelu)(lambda x, w: x @ w, (jax.ShapeDtypeStruct((dim, 768), f32.dtype), jax.ShapeDtypeStruct((768, 3072), f32.dtype)), [])
    return models


def shapes(*pairs): return [dict(zip("bs", p)) for p in pairs]


# model -> shapes
STEADY = {
    "bert_layer": shapes((1, 16), (1, 128), (4, 64), (8, 128)),
    "bert_base": shapes((1, 17), (1, 128), (4, 64)),
    "gpt2_decode": shapes((1, 255), (5, 64)),
    "train_step": shapes((1,), (31,), (128,)),
    "lstm": shapes((4, 50), (7, 13)),
    "resnet50": shapes((1,), (3,)),
    "softmax": shapes((64, 1024), (4096, 128), (128, 8192)),
    "gelu": shapes((64, 1024), (3072, 4096)),
    "gelu_bf16": shapes((64, 1024),),
    "layernorm": shapes((1024,), (8192,)),
    "gemm": shapes((1,), (2,), (4,), (8,), (16,), (1024,)),
}
BOUND = ("bert_layer", "bert_base", "gpt2_decode", "lstm", "resnet50", "gemm")  # also measured with weights bound
COMPILE = ("gelu", "bert_layer", "bert_base", "resnet50")
SLOW = ("bert_base", "resnet50")  # to compile, by peers: left out of a quick run's compile times
PIPELINE = "bert_base"  # of which the passes are timed by themselves
SWEEP = "bert_layer"
# Host work for a new shape: model, a larger shape that fills the memory pool, the shapes that are new.
HOST = (("gelu", {"b": 64, "s": 64}, [{"b": 2 + i, "s": 3 + i % 7} for i in range(30)]),
        ("bert_layer", {"b": 2, "s": 32}, [{"b": 1 + i % 2, "s": 1 + i} for i in range(16)]))


def sweep_shapes(count=50):
    """Distinct (b, s), spread over what a service sees."""
    out, k = [], 0
    while len(out) < count:
        k += 1
        shape = {"b": 1 + k * 7 % 4, "s": 8 + k * 29 % 121}
        if shape not in out: out.append(shape)
    return out


def label(dims): return "x".join(str(v) for v in dims.values())
