"""One rank of a Megatron-Core pipeline that several schedules run by turns; started by run_megatron.py."""

import argparse
import json
import math
import random
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/megatron"), str(ROOT / "megatron_bridge/examples")]

import on_cpu  # noqa: E402,F401  before anything of megatron
import torch  # noqa: E402
import train as example  # noqa: E402

import rrfp.megatron  # noqa: E402


def _schedules(options, ranks):
    """By name; None is Megatron's own 1F1B, interleaved where ranks have chunks."""
    if options.chunks > 1:
        # What interleaved 1F1B keeps before the first backward of each rank, and the forward beside it.
        stock = [(options.chunks - 1) * ranks + 2 * (ranks - 1 - rank) + 1 for rank in range(ranks)]
        most = options.microbatches * options.chunks
        return {
            "stock": None,
            "fixed": {"arbiter": "fixed"},
            "default": {},
            "default, stock's memory": {"limit": [min(limit, most) for limit in stock]},
            "default, 2P more": {"limit": [min(limit + 2 * ranks, most) for limit in stock]},
        }
    return {
        "stock": None,
        "fixed": {"arbiter": "fixed"},
        "bf": {"arbiter": "bf"},
        "bf, stock's memory": {"arbiter": "bf", "limit": "P-s"},
        "tide": {"arbiter": "tide"},
        "tide, stock's memory": {"arbiter": "tide", "limit": "P-s"},
    }


class Filled(torch.autograd.Function):
    """Sleeps at the end of a forward, and of the backward, what is left of their durations."""

    @staticmethod
    def forward(context, output, end, backward_s):
        context.backward_s = backward_s
        _sleep_until(end)
        return output.clone()

    @staticmethod
    def backward(context, gradient):
        end = time.perf_counter() + context.backward_s
        torch.autograd.Variable._execution_engine.queue_callback(lambda: _sleep_until(end))
        return gradient, None, None


def _sleep_until(end):
    time.sleep(max(0.0, end - time.perf_counter()))


class UnevenWork:
    """A forward_step whose tasks take drawn durations: log-normal factors with mean 1."""

    def __init__(self, options):
        self._options = options
        self.iteration = 0

    def __call__(self, iterator, module):
        began = time.perf_counter()
        output, loss = example.forward_step(iterator, module)
        microbatch = module.module.decoder.layers[0].current_microbatch
        stage = f"{torch.distributed.get_rank()}/{module.module.vp_stage or 0}"
        forward_s = self._drawn_s("F", stage, microbatch, self._options.forward_ms)
        backward_s = self._drawn_s("B", stage, microbatch, self._options.backward_ms)
        return Filled.apply(output, began + forward_s, backward_s), loss

    def _drawn_s(self, kind, stage, microbatch, mean_ms):
        draws = random.Random(f"{self.iteration}/{stage}/{microbatch}/{kind}")
        variance = math.log1p(self._options.cv**2)
        return mean_ms / 1e3 * math.exp(draws.gauss(-variance / 2, math.sqrt(variance)))


def _arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--result", type=Path, required=True)
    parser.add_argument("--microbatches", type=int, required=True)
    parser.add_argument("--chunks", type=int, required=True)
    parser.add_argument("--forward-ms", type=float, required=True)
    parser.add_argument("--backward-ms", type=float, required=True)
    parser.add_argument("--iterations", type=int, required=True)
    parser.add_argument("--cv", type=float, required=True)
    return parser.parse_args()


def _gaps_us(iteration):
    """Times between tasks that follow each other at once."""
    tasks = iteration.tasks
    gaps = [1e3 * (later[1] - earlier[2]) for earlier, later in zip(tasks, tasks[1:])]
    return [gap for gap in gaps if gap < 1e3]


class Turns:
    """The schedules by turns over one model and its data."""

    def __init__(self, options):
        self._chosen = example.parse_arguments([])
        self._chosen.pipeline = torch.distributed.get_world_size()
        self._chosen.chunks = options.chunks
        self._chosen.layers = max(4, self._chosen.pipeline * options.chunks)
        self._chosen.batch, self._chosen.microbatch_size = options.microbatches, 1
        example.start(self._chosen)
        self._work = UnevenWork(options)
        self._model = example.make_model(self._chosen, example.make_config(self._chosen))
        self._text = example.Text(self._chosen)
        self._schedules = {
            name: None if keys is None else rrfp.megatron.forward_backward_func(**keys)
            for name, keys in _schedules(options, self._chosen.pipeline).items()
        }
        self.found = {
            name: {"milliseconds": [], "gaps": [], "in_flight": None} for name in self._schedules
        }

    def run(self, iteration, measured):
        self._work.iteration = iteration
        for name, schedule in self._schedules.items():
            for module in self._model:
                module.zero_grad_buffer()
            torch.distributed.barrier()
            began = time.perf_counter()
            example.run_schedule(
                self._chosen, self._model, [self._text.iteration(iteration) for _ in self._model],
                schedule=schedule, step=self._work,
            )
            torch.distributed.barrier()
            if measured:
                self._note(name, 1e3 * (time.perf_counter() - began))

    def _note(self, name, milliseconds):
        found = self.found[name]
        found["milliseconds"].append(milliseconds)
        if self._schedules[name] is not None:
            iteration = rrfp.megatron.last_iteration()
            found["gaps"] += _gaps_us(iteration)
            found["in_flight"] = max(found["in_flight"] or 0, iteration.in_flight_high_water)


def main():
    options = _arguments()
    rrfp.megatron.enable()
    rrfp.megatron.disable()
    torch.distributed.init_process_group("gloo")
    turns = Turns(options)
    for iteration in range(options.iterations):
        turns.run(iteration, measured=iteration > 0)
    if torch.distributed.get_rank() == 0:
        for found in turns.found.values():
            gaps = sorted(found.pop("gaps"))
            found["gap_us"] = gaps[len(gaps) // 2] if gaps else None
        options.result.write_text(json.dumps(turns.found))
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
