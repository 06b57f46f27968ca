"""Guards: an unchanged script runs under `python -m rrfp.megatron` as under `python`, and whatever is
wrong with how it was started or configured is said before anything runs.
"""

import os
import re
import subprocess
import sys

import pytest
from megatron_ranks import HERE, ROOT, mpirun

import rrfp


def start(*arguments, **environment):
    """The command on one rank, without MPI's launcher."""
    done = subprocess.run(
        [sys.executable, "-m", "rrfp.megatron", *map(str, arguments)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, done.stdout + done.stderr


def test_the_example_runs_unchanged():
    code, output = mpirun(
        2, "-m", "rrfp.megatron", HERE / "on_cpu.py", ROOT / "megatron_bridge/examples/train.py",
        "--pipeline", 2, "--iterations", 3, "--text", ROOT / "LICENSE",
    )
    assert code == 0, output
    losses = [float(loss) for loss in re.findall(r"loss (\S+)", output)]
    assert losses == pytest.approx([5.4886556, 5.3123479, 5.2151642], rel=1e-6)


def test_a_script_sees_what_it_would_see_under_python(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import os, sys\n"
        "import __main__\n"
        "print(__name__, sys.argv, sys.path[0], __main__.__file__ == __file__)\n"
        "print('torch' in sys.modules, 'megatron' in sys.modules, os.environ['RANK'])\n"
    )
    code, output = start(script, "--flag", "value")
    assert code == 0, output
    assert f"__main__ ['{script}', '--flag', 'value'] {tmp_path} True" in output
    assert "False False 0" in output


def test_torchrun_is_refused_with_the_command_to_use(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("")
    code, output = start(script, TORCHELASTIC_RUN_ID="1", RANK="0", WORLD_SIZE="4")
    assert code == 2
    assert "mpirun -n 4" in output


@pytest.mark.parametrize(("end", "code"), [
    ("sys.exit(16)", 16),
    ("argparse.ArgumentParser().parse_args(['--nothing'])", 2),
    ("sys.exit('in words')", 1),
    ("raise ValueError('why')", 1),
])
def test_the_exit_code_is_the_scripts(tmp_path, end, code):
    script = tmp_path / "script.py"
    script.write_text(f"import argparse, os, sys\nif os.environ['RANK'] == '1':\n    {end}\n")
    done, output = mpirun(2, "-m", "rrfp.megatron", script, seconds=60)
    assert done == code, output
    if code == 1:
        assert "in words" in output or "ValueError: why" in output


REFUSED = """
import on_cpu
from megatron.core.transformer.transformer_config import TransformerConfig

def config(**more):
    return TransformerConfig(num_layers=4, hidden_size=32, num_attention_heads=4, **more)

config(fine_grained_activation_offloading=False)
print("made without a pipeline", flush=True)
config(pipeline_model_parallel_size=2, pipeline_dtype=on_cpu.torch.float32, hybrid_context_parallel=True,
       context_parallel_size=2, cp_comm_type="p2p")
print("reached", flush=True)
"""


def test_what_cannot_run_is_refused_when_the_config_is_made_in_one_sentence(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(REFUSED)
    code, output = mpirun(2, "-m", "rrfp.megatron", script, seconds=90, PYTHONPATH=str(HERE))
    assert code == 2, output
    assert "made without a pipeline" in output and "reached" not in output
    assert output.count("rrfp does not run hybrid_context_parallel") == 1
    assert "start the script without -m rrfp.megatron" in output
    assert "Traceback" not in output, output


WORKER = """\
import multiprocessing

import rrfp.megatron

rrfp.megatron.enable(limit=3)
rrfp.megatron.set_iteration(2)


def work(queue):
    try:
        rrfp.megatron.forward_backward_func(limit=3)()
    except rrfp.process.LaunchError as error:
        queue.put(f"worked; {error}")


if __name__ == "__main__":
    spawning = multiprocessing.get_context("spawn")
    queue = spawning.Queue()
    worker = spawning.Process(target=work, args=(queue,))
    worker.start()
    print(queue.get(timeout=60), flush=True)
    worker.join()
    raise SystemExit(worker.exitcode)
"""


def test_r57_a_worker_by_spawn_imports_the_script_and_is_no_rank(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(WORKER)
    code, output = mpirun(2, script, seconds=90)
    assert code == 0, output
    assert output.count("worked; a schedule is called in a process of multiprocessing") == 2, output


@pytest.mark.parametrize(("setting", "said"), [
    ("arbitr=bf", "did you mean 'arbiter'"),
    ("limit=0", "give a number from 1"),
    ("limit=2P", "bytes as"),
    ("agreement=vote", "board or allgather"),
    ("split_weight=1", "true or false"),
])
def test_a_wrong_key_is_refused_before_anything_starts(tmp_path, setting, said):
    script = tmp_path / "script.py"
    script.write_text("print('started')")
    code, output = start("--set", setting, script)
    assert code == 2
    assert said in output
    assert "started" not in output


def test_arguments_come_before_the_environment_before_a_file(tmp_path, monkeypatch):
    file = tmp_path / "schedule.toml"
    file.write_text('[schedule]\narbiter = "fb"\nlimit = [4, 3]\ndeterministic = true\n')
    monkeypatch.setenv("RRFP_CONFIG", str(file))
    monkeypatch.setenv("RRFP_ARBITER", "b-priority")
    from rrfp import configuration

    chosen = configuration.load({"deterministic": False})
    assert chosen == rrfp.Configuration(arbiter="b-priority", limit=(4, 3), deterministic=False)
    assert chosen.limits(2) == [4, 3]
    assert configuration.load({"limit": "2P-s"}).limits(4) == [8, 7, 6, 5]
    assert configuration.load({"limit": "3 MiB"}).limit_bytes == 3 << 20
    monkeypatch.setenv("RRFP_LIMITT", "3")
    with pytest.raises(configuration.ConfigurationError, match="RRFP_LIMIT"):
        configuration.load()
