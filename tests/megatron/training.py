"""Trains the example's model in this process, under any layout and any schedule, several times."""

import contextlib
import hashlib
import json
import os
import pathlib
import random
import sys
import time

import on_cpu  # noqa: F401  before anything of megatron

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "megatron_bridge/examples"))

import torch
import train as example
from megatron.core import parallel_state

import rrfp.megatron


class Results:
    """What a rank found out, by name; written when the scenarios have ended."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self._file = self.folder / f"rank-{os.environ['RANK']}.json"
        self._found = {}

    def __setitem__(self, name, value):
        self._found[name] = value

    def __getitem__(self, name):
        return self._found[name]

    def write(self):
        self._file.write_text(json.dumps(self._found))


def options(**changes):
    chosen = example.parse_arguments([])
    chosen.iterations = 2
    for name, value in changes.items():
        setattr(chosen, name, value)
    return chosen


_groups = None


@contextlib.contextmanager
def layout(chosen):
    """Megatron's groups for a layout, and generators as at a start.

    Groups stay for the next user: each brings threads, which Megatron never ends.
    """
    global _groups
    wanted = (
        chosen.pipeline, chosen.tensor, chosen.chunks, chosen.context, chosen.expert_ranks,
    )
    if _groups == wanted:
        example.seed_generators(chosen)
    else:
        if _groups is not None:
            parallel_state.destroy_model_parallel()
        example.start(chosen)
        _groups = wanted
    yield


def uneven(step=example.forward_step, longest_ms=4.0):
    """`step` with a pause of its own for each rank and call, so that orders differ."""
    draws = random.Random(f"pauses of {os.environ['RANK']}")

    def paused(iterator, module):
        time.sleep(draws.random() * longest_ms / 1e3)
        return step(iterator, module)

    return paused


class Job:
    """A model with its optimizer and data, which a schedule trains."""

    def __init__(
        self, chosen, schedule=None, step=example.forward_step, microbatch=None,
        specification=None, **config,
    ):
        self.chosen, self.schedule, self.step = chosen, schedule, step
        self.config = example.make_config(chosen, **config)
        self.model = example.make_model(chosen, self.config, specification)
        self.optimizer = example.make_optimizer(chosen, self.model)
        self.text = example.Text(chosen)
        if microbatch is not None:
            self.text.microbatch = lambda number: microbatch(example.Text(chosen), number)
        self.iteration = 0
        self.losses = []

    def call(self, forward_only=False, step=None, **more):
        iterators = [self.text.iteration(self.iteration) for _ in self.model]
        step = step or self.step
        return example.run_schedule(
            self.chosen, self.model, iterators, forward_only, self.schedule, step, **more
        )

    def train(self, iterations):
        for _ in range(iterations):
            for module in self.model:
                module.zero_grad_buffer()
            self.optimizer.zero_grad()
            results = self.call()
            self.optimizer.step()
            self.losses.append(example.mean_over_ranks(results, self.chosen))
            self.iteration += 1
        return self

    def result(self):
        return {"losses": self.losses, "parameters": parameter_hash(self.model)}


def train(chosen, schedule=None, iterations=2, **more):
    """Losses of every iteration and a hash of this rank's parameters after them."""
    rrfp.megatron.set_iteration(0)
    with layout(chosen):
        return Job(chosen, schedule, **more).train(iterations).result()


def parameter_hash(model):
    digest = hashlib.sha256()
    for module in model:
        for _, parameter in sorted(module.named_parameters()):
            digest.update(parameter.detach().view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()


def arbiters(folder):
    """Those of the iterations that this rank has reported into `folder`."""
    report = json.loads((folder / f"rank-{os.environ['RANK']}.json").read_text())
    return [iteration["arbiter"] for iteration in report["iterations"]]


def limits(folder):
    """Of each iteration that this rank has reported into `folder`."""
    report = json.loads((folder / f"rank-{os.environ['RANK']}.json").read_text())
    return [iteration["limits"] for iteration in report["iterations"]]


def ours(**keys):
    """A schedule of rrfp; the limit suits a few microbatches."""
    return rrfp.megatron.forward_backward_func(**{"limit": 4, **keys})


def run(scenarios):
    """Runs functions of a Results one after the other, on every rank alike."""
    rrfp.megatron.enable()
    rrfp.megatron.disable()
    torch.distributed.init_process_group("gloo")
    results = Results(sys.argv[1])
    for scenario in scenarios:
        scenario(results)
    results.write()
    torch.distributed.destroy_process_group()
