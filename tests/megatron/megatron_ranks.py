"""Starts the ranks of a test, with a time limit, and reads what each found out."""

import json
import os
import pathlib
import signal
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def mpirun(ranks, *arguments, seconds=240, **environment):
    """Runs Python on `ranks` ranks and returns (exit code, output); leaves no process behind."""
    command = ["mpirun", "--bind-to", "none", "--oversubscribe", "-n", str(ranks), sys.executable]
    process = subprocess.Popen(
        [*command, *map(str, arguments)],
        env={
            **os.environ,
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "CUDA_VISIBLE_DEVICES": "",
            **environment,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)  # mpirun ends its ranks
        output, _ = process.communicate(timeout=20)
        pytest.fail(f"not done in {seconds} s:\n{output}")
    return process.returncode, output


def found_out(script, ranks, folder, **environment):
    code, output = mpirun(ranks, HERE / script, folder, **environment)
    assert code == 0, output
    return [json.loads((folder / f"rank-{rank}.json").read_text()) for rank in range(ranks)]
