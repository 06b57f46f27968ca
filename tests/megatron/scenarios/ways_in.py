"""How rrfp comes into a script, and what it refuses there."""

from training import Job, layout, ours, train
from two_ranks_names import REFUSED

import rrfp.megatron
from rrfp.megatron import _refusals
from scenarios import PIPELINE


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
