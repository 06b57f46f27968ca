"""Evaluation passes, and data other than losses."""

from training import Job, layout, ours

import torch
import train as example

from scenarios import PIPELINE


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
