"""Megatron-Core without a GPU: stands in for what it takes for granted of CUDA.

    python on_cpu.py SCRIPT ARGUMENT...     runs a script so
    import on_cpu                           before anything of megatron, does the same to this process

For tests alone: nothing of the package depends on it. It replaces functions of torch and two of
Megatron's, never its schedules, models or optimizers.
"""

import functools
import importlib.machinery
import importlib.util
import logging
import os
import runpy
import sys
import types
import warnings

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
warnings.filterwarnings("ignore")

import torch
import torch._dynamo  # sees torch.cuda as it is, which torch.optim relies on

HOST = torch.device("cpu")


def _on_host(make):
    """`make` with any CUDA device it is asked for replaced by the host."""

    @functools.wraps(make)
    def made(*arguments, **options):
        if str(options.get("device", "")).startswith("cuda"):
            options["device"] = HOST
        return make(*arguments, **options)

    return made


class _Stream:
    """A stream whose work is always done."""

    def __init__(self, *_, **__):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def _nothing(self, *_):
        return None

    def record_event(self, *_):
        return self  # done as well

    synchronize = wait_stream = wait_event = _nothing


def _stand_in_for_cuda():
    for name in ("arange", "empty", "empty_like", "full", "ones", "tensor", "zeros", "zeros_like"):
        setattr(torch, name, _on_host(getattr(torch, name)))
    torch.Tensor.cuda = torch.nn.Module.cuda = lambda self, *_, **__: self
    torch.compile = lambda model=None, **_: model if model is not None else (lambda same: same)
    replacements = {
        "current_device": lambda: HOST,
        "current_stream": lambda *_: _Stream(),
        "default_stream": lambda *_: _Stream(),
        "get_rng_state": lambda *_, **__: torch.get_rng_state(),
        "manual_seed": torch.manual_seed,
        "set_rng_state": lambda state, *_, **__: torch.set_rng_state(state),
        "Stream": _Stream,
    }
    for name, replacement in replacements.items():
        setattr(torch.cuda, name, replacement)
    for name in ("empty_cache", "set_device", "synchronize"):
        setattr(torch.cuda, name, lambda *_, **__: None)
    for name in ("range_push", "range_pop"):
        setattr(torch.cuda.nvtx, name, lambda *_, **__: None)


def _call_types_as_on_a_gpu():
    """Optimizers ask a tensor for the name of its type."""
    type_of = torch.Tensor.type

    def named(self, *wanted, **options):
        found = type_of(self, *wanted, **options)
        return found.replace("torch.", "torch.cuda.") if isinstance(found, str) else found

    torch.Tensor.type = named


def _stand_in_for_triton():
    """Some releases import triton unasked, and use nothing of it on the way."""

    class Anything(types.ModuleType):
        __path__ = ()
        __version__ = "3.0.0"

        def __getattr__(self, name):
            if name.startswith("__"):
                raise AttributeError(name)
            return Anything(f"{self.__name__}.{name}")

        def __call__(self, *arguments, **__):
            function = arguments[0] if arguments and callable(arguments[0]) else None
            return function or (lambda same: same)

    if importlib.util.find_spec("triton") is None:
        for name in ("triton", "triton.language"):
            sys.modules[name] = Anything(name)
            sys.modules[name].__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=True)


def _without_compiler():
    """Megatron-Core 0.15 compiles an allocator for CUDA when it is imported, or does without."""
    from torch.utils import cpp_extension

    def load_inline(*_, **__):
        raise RuntimeError("there is no CUDA to compile for")

    cpp_extension.load_inline = load_inline


def _adapt_megatron():
    from megatron.core.tensor_parallel import random

    # Both generators are the host's here, so one changes with the other.
    random._get_cuda_rng_state = lambda *_, **__: torch.get_rng_state()
    random._set_cuda_rng_state = lambda state, *_, **__: torch.set_rng_state(state)
    logging.getLogger(random.__name__).setLevel(logging.ERROR)


if torch.cuda.is_available():
    raise ImportError("on_cpu is for machines without CUDA; hide the GPUs with CUDA_VISIBLE_DEVICES=")
torch.set_num_threads(1)
_stand_in_for_cuda()
_call_types_as_on_a_gpu()
_stand_in_for_triton()
_without_compiler()
_adapt_megatron()

if __name__ == "__main__":
    del sys.argv[0]
    sys.path[0] = os.path.dirname(os.path.realpath(sys.argv[0]))
    runpy.run_path(sys.argv[0], run_name="__main__")
