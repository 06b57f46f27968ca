"""Guards: other releases of Megatron-Core than the installed one are scheduled as well, bit for bit."""

import importlib.metadata
import os
import pathlib
import sys

import pytest
from judging import same
from megatron_ranks import found_out

NEWER = "0.19.2"


def environment_of(release):
    """The variables with which `release` is imported; skips the test where it is not installed."""
    if importlib.metadata.version("megatron-core") == release:
        return {}
    cache = pathlib.Path(os.environ.get("RRFP_CACHE") or pathlib.Path.home() / ".cache/rrfp")
    folder = cache / f"megatron-{release}"
    if not folder.is_dir():
        pytest.skip(f"Megatron-Core {release} is not in {folder}; run scripts/setup")
    return {"PYTHONPATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))}


def judge(release, folder):
    ranks = found_out("release_ranks.py", 4, folder, **environment_of(release))
    assert [found["release"] for found in ranks] == [release] * 4
    for name in ("plain", "plain split", "chunks", "chunks split", "tensor"):
        same(ranks, name, f"{name.removesuffix(' split')} stock")
    order = [found["order"] for found in ranks]
    assert order[0] == order[1]
    assert order[2] == order[3]


def test_megatron_core_0_15_3_is_scheduled(tmp_path):
    judge("0.15.3", tmp_path)


@pytest.mark.nightly
@pytest.mark.skipif(
    sys.version_info < (3, 12), reason=f"Megatron-Core {NEWER} needs Python 3.12 or newer"
)
def test_megatron_core_0_19_2_is_scheduled(tmp_path):
    judge(NEWER, tmp_path)
