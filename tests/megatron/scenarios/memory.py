"""A limit in bytes, and what a forward saves."""

import re

from training import Job, layout, limits, ours, train, uneven

import torch
import train as example

import rrfp.megatron
from rrfp.configuration import ConfigurationError
from rrfp.megatron import _free
from scenarios import CHUNKS, PIPELINE


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


def automatic(results):
    """No limit: first the fixed schedule's memory, then what is free; with little of it, and with chunks."""
    for name, chosen, free in (
        ("plenty", PIPELINE, None), ("little", PIPELINE, 1), ("chunks", CHUNKS, None),
    ):
        usable = _free.usable_bytes
        if free is not None:
            _free.usable_bytes = lambda device: free
        report = results.folder / f"automatic-{name}"
        try:
            results[f"automatic {name}"] = train(
                chosen, ours(limit="auto", deterministic=True, report=str(report)), iterations=3
            )
        finally:
            _free.usable_bytes = usable
        results[f"automatic {name}, limits"] = limits(report)
