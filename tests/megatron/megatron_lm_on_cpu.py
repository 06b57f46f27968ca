"""Megatron-LM's training scripts without a GPU, on top of on_cpu.py.

    python megatron_lm_on_cpu.py SCRIPT ARGUMENT...     with a checkout of Megatron-LM in PYTHONPATH
"""

import functools
import os
import runpy
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import on_cpu
import torch

import megatron.training.initialize as initialize
import megatron.training.training as training


class _Properties:
    multi_processor_count, major, minor, total_memory = 1, 8, 0, 2**33


def _nothing(*_, **__):
    return 0


training.initialize_megatron = functools.partial(initialize.initialize_megatron, allow_no_cuda=True)
initialize._warmup_jit_function = _nothing
initialize.set_jit_fusion_options = training.set_jit_fusion_options = _nothing
for name in ("rand", "randn", "randint"):
    setattr(torch, name, on_cpu._on_host(getattr(torch, name)))
torch.cuda.device_count = lambda: 1
torch.cuda.get_device_properties = lambda *_: _Properties
torch.cuda.get_device_capability = lambda *_: (8, 0)
for name in (
    "memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved",
    "reset_peak_memory_stats", "mem_get_info",
):
    setattr(torch.cuda, name, _nothing)
for name in ("LongTensor", "FloatTensor", "IntTensor", "DoubleTensor", "ByteTensor", "HalfTensor"):
    setattr(torch.cuda, name, getattr(torch, name))

if __name__ == "__main__":
    del sys.argv[0]
    runpy.run_path(sys.argv[0], run_name="__main__")
