"""Readiness-first pipeline-parallel training on StarPU.

`rrfp.megatron` runs the pipeline of a Megatron-Core training script; see docs/megatron.md. Nothing
here imports torch or Megatron before the script does.
"""

from rrfp._native import Iteration, RankFailure, Task, TaskFailure, __version__
from rrfp.configuration import Configuration

__all__ = ["Configuration", "Iteration", "RankFailure", "Task", "TaskFailure", "__version__"]
