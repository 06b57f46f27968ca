"""A limit in bytes, and what a forward saves."""

import re

from training import Job, layout, ours, train, uneven

import torch
import train as example

import rrfp.megatron
from rrfp.configuration import ConfigurationError
from scenarios import PIPELINE


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
