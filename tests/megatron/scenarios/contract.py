"""What the caller of forward_backward_func sees of a training step: losses, timers, synchronisation."""

from training import Job, layout, ours, train, uneven
from two_ranks_names import VARIATIONS

import torch
import train as example

from scenarios import CHUNKS, PIPELINE


def three_tuple(losses):
    loss = losses.sum()
    return loss, torch.tensor(losses.numel(), dtype=torch.int), {"loss": losses.detach().mean()}


def _three_tuple_step(iterator, module):
    return example.forward_step(iterator, module)[0], three_tuple


class Timers:
    """Notes the calls of the timers that do not time messages of Megatron's own."""

    def __init__(self):
        self.calls = []

    def __call__(self, name, log_level=None):
        self._name = name
        return self

    def start(self, barrier=False):
        self._note("start")

    def stop(self):
        self._note("stop")

    def _note(self, event):
        if not self._name.endswith(("send", "recv")):
            self.calls.append((self._name, event))


VARIED = {
    "three values of a loss": {"step": _three_tuple_step},
    "loss per token": {"step": _three_tuple_step, "calculate_per_token_loss": True},
    "scaled loss": {"grad_scale_func": lambda loss: loss * 8},
    "outputs kept": {"deallocate_pipeline_outputs": False},
    "recomputed": {
        "recompute_granularity": "full",
        "recompute_method": "uniform",
        "recompute_num_layers": 1,
    },
}


def contract(results):
    for name in VARIATIONS:
        variation = VARIED[name]
        results[name + ", stock"] = train(PIPELINE, **variation)
        results[name] = train(PIPELINE, ours(deterministic=True), **variation)


def timers(results):
    for name, schedule in (("stock", None), ("ours", ours(arbiter="fixed"))):
        noted = Timers()
        train(PIPELINE, schedule, iterations=1, timers=noted)
        results[f"timers, {name}"] = noted.calls


def synchronisation(results):
    """Who is called when: no_sync once around, a chunk's gradients after its last backward."""
    calls = []
    with layout(CHUNKS):
        job = Job(CHUNKS, ours(), step=uneven())
        job.config.grad_sync_func = [
            lambda parameters, chunk=chunk: calls.append(["gradients", chunk, len(list(parameters))])
            for chunk in range(2)
        ]
        job.config.param_sync_func = [
            lambda parameters, chunk=chunk: calls.append(["parameters", chunk]) for chunk in range(2)
        ]
        kept = job.config.grad_sync_func
        job.call(forward_only=True)
        results["synchronised by evaluation"] = len(calls)
        assert job.config.grad_sync_func is kept
        job.call()
        results["synchronised"] = calls
