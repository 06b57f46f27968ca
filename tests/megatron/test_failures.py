"""Guards: an exception in a task ends every rank within seconds, with its type, its text and its place;
other Python threads and Ctrl-C go on working while an iteration runs.
"""

import re
import time

import pytest
from megatron_ranks import HERE, mpirun


@pytest.mark.parametrize(("kind", "microbatch", "word"), [
    ("F", 3, "forward"), ("B", 5, "backward"), ("W", 1, "weight gradient"),
])
def test_r16_a_python_exception_keeps_its_type_and_names_its_place(kind, microbatch, word):
    began = time.monotonic()
    code, output = mpirun(4, HERE / "plain_runner.py", "fail", kind, seconds=60)
    assert code != 0
    assert time.monotonic() - began < 30
    assert "ValueError: no such token" in output
    assert f"rank 2, stage 2, microbatch {microbatch}: {word} failed" in output


def test_r22_other_threads_go_on_while_tasks_and_a_policy_run():
    code, output = mpirun(2, HERE / "plain_runner.py", "tick", seconds=60)
    assert code == 0, output
    gaps = [float(gap) for gap in re.findall(r"longest gap (\S+)", output)]
    assert len(gaps) == 2
    assert max(gaps) < 0.5


def test_r22_ctrl_c_ends_an_iteration():
    code, output = mpirun(2, HERE / "plain_runner.py", "interrupt", seconds=60)
    assert code != 0
    assert float(re.search(r"interrupted after (\S+)", output)[1]) < 2
    assert "KeyboardInterrupt" in output


def test_r15_data_that_ends_early_is_named(tmp_path):
    script = tmp_path / "short.py"
    script.write_text(
        "import sys\n"
        f"sys.path[:0] = [{str(HERE)!r}]\n"
        "import training, torch\n"
        "import rrfp.megatron\n"
        "rrfp.megatron.enable(limit=4)\n"
        "torch.distributed.init_process_group('gloo')\n"
        "chosen = training.options(pipeline=2, batch=4)\n"
        "with training.layout(chosen):\n"
        "    job = training.Job(chosen)\n"
        "    whole = job.text.iteration\n"
        "    job.text.iteration = lambda n: (\n"
        "        m for k, m in enumerate(whole(n)) if n == 0 or k < 2)\n"
        "    job.train(1)\n"
        "    print('iteration 0 is kept', flush=True)\n"
        "    job.train(1)\n"
    )
    code, output = mpirun(2, script, seconds=180)
    assert code != 0
    assert "iteration 0 is kept" in output
    assert re.search(r"ended on rank \d at microbatch 2 of iteration 1", output), output
