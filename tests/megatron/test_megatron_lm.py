"""Guards: Megatron-LM's own pretrain_gpt.py, not edited, has the losses, norms and evaluations of its own
schedule when it runs readiness-first.

For the night, over a checkout that RRFP_MEGATRON_LM names (core_v0.16.1, with what its arguments import in
the environment: six, pydantic, pybind11, and `make` done in megatron/core/datasets).
"""

import os
import pathlib
import re

import pytest
from megatron_ranks import HERE, mpirun

CHECKOUT = os.environ.get("RRFP_MEGATRON_LM", "")
ARGUMENTS = """
--use-cpu-initialization --transformer-impl local --no-persist-layer-norm --no-gradient-accumulation-fusion
--no-masked-softmax-fusion --no-bias-gelu-fusion --no-bias-dropout-fusion --no-bias-swiglu-fusion
--no-rope-fusion --distributed-backend gloo --num-layers 4 --hidden-size 32 --num-attention-heads 4
--seq-length 16 --max-position-embeddings 16 --micro-batch-size 1 --global-batch-size 8 --train-iters 6
--lr 1e-3 --min-lr 1e-4 --lr-decay-style linear --eval-iters 1 --eval-interval 3 --log-interval 1
--hidden-dropout 0 --attention-dropout 0 --mock-data --tokenizer-type NullTokenizer --vocab-size 127
--pipeline-model-parallel-size 2 --no-create-attention-mask-in-dataloader
""".split()
OPTIONS = {
    "plain": [],
    "recompute": ["--recompute-granularity", "full", "--recompute-method", "uniform",
                  "--recompute-num-layers", "1"],
    "untied": ["--untie-embeddings-and-output-weights"],
    "distributed optimizer": ["--use-distributed-optimizer"],
    "rotary": ["--position-embedding-type", "rope"],
    "grouped queries": ["--group-query-attention", "--num-query-groups", "2"],
}

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not CHECKOUT, reason="RRFP_MEGATRON_LM names no checkout of Megatron-LM"),
]


def logged(way, options):
    """Losses, norms and evaluations as the script's log has them."""
    script = HERE / "megatron_lm_on_cpu.py", pathlib.Path(CHECKOUT, "pretrain_gpt.py")
    path = os.pathsep.join([CHECKOUT, os.environ.get("PYTHONPATH", "")])
    code, output = mpirun(2, *way, *script, *ARGUMENTS, *options, seconds=240, PYTHONPATH=path,
                          CUDA_DEVICE_MAX_CONNECTIONS="1")
    assert code == 0, output[-4000:]
    found = re.findall(r"lm loss: (\S+).*?grad norm: (\S+)|lm loss value: (\S+)", output)
    assert len(found) == 10, output[-4000:]
    return found


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_the_unedited_script_has_its_own_losses(options):
    stock = logged(["-m", "rrfp.megatron", "--set", "arbiter=fixed", HERE / "stock_schedule.py"], options)
    assert logged(["-m", "rrfp.megatron", "--set", "deterministic=true"], options) == stock
