"""What two ranks find out; test_two_ranks.py judges it."""

import re

import training
from training import Job, arbiters, layout, options, ours, train, uneven
from two_ranks_names import REFUSED, VARIATIONS

import torch
import train as example
from megatron.core import tensor_parallel

import rrfp.megatron
from rrfp.configuration import ConfigurationError
from rrfp.megatron import _refusals

PIPELINE = options(pipeline=2)
CHUNKS = options(pipeline=2, chunks=2)


def orders(results):
    results["stock"] = train(PIPELINE)
    results["fixed"] = train(PIPELINE, ours(arbiter="fixed"))
    report = results.folder / "plain"
    results["deterministic"] = train(
        PIPELINE, ours(deterministic=True, report=str(report)), step=uneven()
    )
    results["default arbiter"] = arbiters(report)
    results["free"] = train(PIPELINE, ours(arbiter="b-priority"), step=uneven())
    report = results.folder / "split"
    results["split"] = train(
        PIPELINE,
        ours(split_weight=True, deterministic=True, report=str(report)),
        step=uneven(),
    )
    results["default arbiter of a split"] = arbiters(report)
    results["one rank"] = train(options(pipeline=1))


def python_arbiter(results):
    asked = []

    def last_candidate(candidates):
        asked.append(len(candidates))
        return candidates[-1]

    results["python arbiter"] = train(PIPELINE, ours(arbiter=last_candidate))
    results["python arbiter asked"] = len(asked)


def chunks(results):
    results["chunks stock"] = train(CHUNKS)
    results["chunks deterministic"] = train(
        CHUNKS, ours(deterministic=True, admission="window", limit=8), step=uneven()
    )
    report = results.folder / "chunks"
    results["chunks free"] = train(CHUNKS, ours(report=str(report)), step=uneven())
    results["default arbiter with chunks"] = arbiters(report)


def lengths(results):
    """R03 and R14: sequences of 3, 7, 3, 7 tokens."""

    def microbatch(text, number):
        return text.microbatch(number, (3, 7)[number % 2])

    def run(chosen, schedule=None):
        return train(
            chosen,
            schedule,
            microbatch=microbatch,
            variable_seq_lengths=True,
            moe_token_dispatcher_type="alltoall",
        )

    short = {"batch": 4, "sequence": 7}
    results["lengths one rank"] = run(options(pipeline=1, **short))
    results["lengths"] = run(options(pipeline=2, **short), ours())
    results["lengths chunks"] = run(options(pipeline=2, chunks=2, **short), ours())


def dropout(results):
    dropping = options(pipeline=2, dropout=0.1)
    results["dropout fixed"] = train(dropping, ours(arbiter="fixed"))
    results["dropout free"] = train(dropping, ours(deterministic=True), step=uneven())
    results["dropout recomputed"] = train(
        dropping,
        ours(deterministic=True),
        step=uneven(),
        recompute_granularity="full",
        recompute_method="uniform",
        recompute_num_layers=1,
    )
    results["dropout stock"] = train(dropping)
    results["dropout running"] = train(dropping, ours(arbiter="fixed", keyed_random=False))
    with layout(dropping):
        job = Job(dropping, ours())
        before = torch.get_rng_state(), tensor_parallel.get_cuda_rng_tracker().get_states()
        job.train(1)
        after = torch.get_rng_state(), tensor_parallel.get_cuda_rng_tracker().get_states()
        results["stream restored"] = torch.equal(before[0], after[0]) and all(
            torch.equal(state, after[1][name]) for name, state in before[1].items()
        )


def resumed(results):
    """Two iterations, their state into new objects, two more."""
    dropping = options(pipeline=2, dropout=0.1)
    results["uninterrupted"] = train(dropping, ours(deterministic=True), iterations=4)
    rrfp.megatron.set_iteration(0)
    with layout(dropping):
        first = Job(dropping, ours(deterministic=True)).train(2)
        model = [module.state_dict() for module in first.model]
        optimizer = first.optimizer.state_dict()
    with layout(dropping):
        rrfp.megatron.set_iteration(2)
        second = Job(dropping, ours(deterministic=True))
        for module, state in zip(second.model, model):
            module.load_state_dict(state)
        second.optimizer.load_state_dict(optimizer)
        second.iteration = 2
        results["resumed"] = second.train(2).result()


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


def half_precision(results):
    chosen = options(pipeline=2, bf16=True)
    results["bf16 stock"] = train(chosen)
    results["bf16"] = train(chosen, ours(deterministic=True), step=uneven())
    results["bf16 split"] = train(
        chosen, ours(split_weight=True, deterministic=True), step=uneven()
    )


def memory(results):
    """A limit in bytes, and what autograd's own hooks see a forward save."""
    with layout(PIPELINE):
        job = Job(PIPELINE)
        parameters = {
            parameter.untyped_storage().data_ptr()
            for module in job.model
            for parameter in module.parameters()
        }
        saved = {}

        def save(tensor):
            storage = tensor.untyped_storage()
            if storage.data_ptr() not in parameters:
                saved[storage.data_ptr()] = storage.nbytes()
            return tensor

        def step(iterator, module):
            with torch.autograd.graph.saved_tensors_hooks(save, lambda tensor: tensor):
                return example.forward_step(iterator, module)

        job.call(forward_only=True, step=step, num_microbatches=1)
        results["saved bytes"] = sum(saved.values())
    try:
        train(PIPELINE, ours(limit="1B"))
    except ConfigurationError as error:
        results["one byte"] = str(error)
    kept = int(re.search(r"keep (\d+) bytes", results["one byte"])[1])
    results["limit in bytes"] = train(
        PIPELINE, ours(limit=f"{3 * kept}B", deterministic=True), step=uneven()
    )
    results["in flight"] = rrfp.megatron.last_iteration().in_flight_high_water


def timers(results):
    for name, schedule in (("stock", None), ("ours", ours(arbiter="fixed"))):
        noted = Timers()
        train(PIPELINE, schedule, iterations=1, timers=noted)
        results[f"timers, {name}"] = noted.calls


def evaluation(results):
    """Evaluation before and between, with another number of microbatches; two phases in a process."""
    with layout(PIPELINE):
        job = Job(PIPELINE, ours(deterministic=True))
        with torch.no_grad():
            job.call(forward_only=True, num_microbatches=2)
        results["no gradients"] = all(
            parameter.grad is None and not parameter.main_grad.any()
            for module in job.model
            for parameter in module.parameters()
        )
        job.train(1)
        with torch.no_grad():
            results["evaluated"] = [float(entry["loss"]) for entry in job.call(forward_only=True)]
        job.schedule = None
        with torch.no_grad():
            results["evaluated, stock"] = [
                float(entry["loss"]) for entry in job.call(forward_only=True)
            ]
        job.schedule = ours(deterministic=True)
        results["with evaluation"] = job.train(1).result()

    def collect(output, non_loss_data=False):
        assert non_loss_data
        return list(output.shape)

    def step(iterator, module):
        return example.forward_step(iterator, module)[0], collect

    with layout(PIPELINE):
        for name, schedule in (("stock", None), ("ours", ours())):
            job = Job(PIPELINE, schedule)
            with torch.no_grad():
                results[f"collected, {name}"] = job.call(
                    forward_only=True, step=step, collect_non_loss_data=True
                )


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


def ways_in(results):
    """enable, disable, and what a script has imported before."""
    from megatron.core.pipeline_parallel import schedules

    stock = schedules.forward_backward_pipelining_without_interleaving
    rrfp.megatron.enable(arbiter="fixed")
    results["replaced"] = schedules.forward_backward_pipelining_without_interleaving is not stock
    results["enabled"] = train(PIPELINE)
    results["tasks"] = len(rrfp.megatron.last_iteration().tasks)
    rrfp.megatron.disable()
    results["put back"] = schedules.forward_backward_pipelining_without_interleaving is stock


def refusals(results):
    """Each option that the bridge does not run is refused by name, before a task runs."""
    texts = {}
    for name, value in REFUSED.items():
        with layout(PIPELINE):
            job = Job(PIPELINE, ours())
            setattr(job.config, name, value)
            try:
                job.call()
            except _refusals.Unsupported as error:
                texts[name] = str(error)
    results["refusals"] = texts


if __name__ == "__main__":
    training.run(
        [
            # Ordered so that the layout seldom changes.
            orders,
            lengths,
            chunks,
            synchronisation,
            python_arbiter,
            dropout,
            resumed,
            contract,
            half_precision,
            memory,
            timers,
            evaluation,
            ways_in,
            refusals,
        ]
    )
