"""The table: which figures are taken, and what each must reach."""

from __future__ import annotations

from rrfp_bench.figures import REPORTED, Figure, at_least, at_most
from rrfp_bench.runs import ANALYTIC, PYTORCH, SIMULATION, Run

PARTS = ("overhead", "peers", "arbiters", "speedup", "chunks", "defaults", "tide")
PIPELINES = (4, 8)
ARBITERS = ("fixed", "order", "bf", "fb", "b-priority", "f-priority")

KIB, MIB = 1024, 1024 * 1024
# By (pipeline, message bytes).
_OVER_ANALYTIC = {(4, 2 * KIB): 1.03, (4, MIB): 1.06, (8, 2 * KIB): 1.07, (8, MIB): 1.12}
_PYTORCH_OVER_OURS = {(4, 2 * KIB): 1.03, (4, MIB): 1.12, (8, 2 * KIB): 1.10, (8, MIB): 1.25}
# By pipeline.
_OVER_SIMULATION = {4: 1.04, 8: 1.08}
_SHARE_OF_SIMULATED_SPEEDUP = {4: 0.96, 8: 0.93}
# By (pipeline, compute CV).
_SPEEDUP = {(4, 0.5): 1.08, (4, 1.0): 1.12, (8, 0.5): 1.12, (8, 1.0): 1.20}
# By workload and compute CV: PyTorch's schedule of the same placement over ours where nobody chose an
# arbiter. Over our simulation, which has no overhead at all, PyTorch's interleaved 1F1B is at 1.13 (CV 0.5).
_PYTORCH_OVER_DEFAULT = {
    ("interleaved-1f1b", 0.5): 1.08,
    ("interleaved-1f1b", 1.0): 1.12,
    ("zbv", 0.5): 1.15,
    ("zbv", 1.0): 1.2,
}
# The workloads with several stages a rank.
_CHUNKED = ("interleaved-1f1b", "zbv")
# What a job file says where it leaves the arbiter to the runtime.
_DEFAULT = ""
# What varies in each scenario.
_SCENARIOS = {
    "jitter": {"compute_cv": 0.5},
    "length": {"microbatch_cv": 0.5},
    "comm": {"comm_mean_ms": 10.0},
}
_NOISE = 0.98


def _size(message_bytes: int) -> str:
    return "1 MB" if message_bytes == MIB else f"{message_bytes // KIB} KB"


def _overhead(pipeline: int) -> list[Figure]:
    figures = []
    for size in (2 * KIB, MIB):
        run = Run(pipeline, 0.0, size)
        name = f"fixed 1F1B over analytic, {_size(size)}"
        target = at_most(_OVER_ANALYTIC[pipeline, size])
        figures.append(Figure("overhead", name, target, (run,), (run.of(ANALYTIC),)))
    return figures


def _peers(pipeline: int) -> list[Figure]:
    figures = []
    for size in (2 * KIB, MIB):
        for cv in (0.0, 0.5, 1.0):
            run = Run(pipeline, cv, size)
            name = f"PyTorch 1F1B over our fixed 1F1B, {_size(size)}, CV {cv:g}"
            target = at_least(_PYTORCH_OVER_OURS[pipeline, size])
            figures.append(Figure("peers", name, target, (run.of(PYTORCH),), (run,)))
            # What a runtime without any overhead would reach.
            name = f"the same, over our simulation, {_size(size)}, CV {cv:g}"
            simulated = (run.of(SIMULATION),)
            figures.append(Figure("peers", name, REPORTED, (run.of(PYTORCH),), simulated))
    return figures


def _arbiters(pipeline: int) -> list[Figure]:
    figures = []
    for arbiter in ARBITERS:
        for cv in (0.5, 1.0):
            run = Run(pipeline, cv, arbiter=arbiter)
            name = f"{arbiter} over its simulation, CV {cv:g}"
            target = at_most(_OVER_SIMULATION[pipeline])
            figures.append(Figure("arbiters", name, target, (run,), (run.of(SIMULATION),)))
    return figures


def _speedup(pipeline: int) -> list[Figure]:
    figures = []
    for cv in (0.5, 1.0):
        fixed, bf = Run(pipeline, cv), Run(pipeline, cv, arbiter="bf")
        name = f"speed-up of bf over fixed 1F1B, CV {cv:g}"
        target = at_least(_SPEEDUP[pipeline, cv])
        figures.append(Figure("speedup", name, target, (fixed,), (bf,)))
        figures.append(
            Figure(
                "speedup",
                f"the same, over the simulated speed-up, CV {cv:g}",
                at_least(_SHARE_OF_SIMULATED_SPEEDUP[pipeline]),
                (fixed, bf.of(SIMULATION)),
                (bf, fixed.of(SIMULATION)),
            )
        )
    return figures


def _chunks(pipeline: int) -> list[Figure]:
    """PyTorch's schedules with two stages a rank, which it has for P 4."""
    if pipeline != 4:
        return []
    figures = []
    for workload in _CHUNKED:
        for cv in (0.0, 0.5, 1.0):
            fixed = Run(pipeline, cv, workload=workload)
            name = f"PyTorch {workload} over ours, fixed, CV {cv:g}"
            theirs = (fixed.of(PYTORCH),)
            figures.append(Figure("chunks", name, at_least(1.0), theirs, (fixed,)))
            if cv > 0:
                default = Run(pipeline, cv, workload=workload, arbiter=_DEFAULT)
                name = f"PyTorch {workload} over our default, CV {cv:g}"
                target = at_least(_PYTORCH_OVER_DEFAULT[workload, cv])
                figures.append(Figure("chunks", name, target, theirs, (default,)))
    return figures


def _defaults(pipeline: int) -> list[Figure]:
    """With two stages a rank: the arbiter and the admission that nobody chose, against `fixed`."""
    figures = []
    for workload in _CHUNKED:
        for cv in (0.0, 0.5):
            fixed = Run(pipeline, cv, workload=workload)
            default = Run(pipeline, cv, workload=workload, arbiter=_DEFAULT)
            name = f"{workload}, default over its simulation, CV {cv:g}"
            target = at_most(_OVER_SIMULATION[pipeline])
            figures.append(
                Figure("defaults", name, target, (default,), (default.of(SIMULATION),))
            )
            name = f"{workload}, fixed over default, CV {cv:g}"
            figures.append(Figure("defaults", name, at_least(_NOISE), (fixed,), (default,)))
            name = f"the same, over the simulated ratio, {workload}, CV {cv:g}"
            target = at_least(_SHARE_OF_SIMULATED_SPEEDUP[pipeline])
            ours = (fixed, default.of(SIMULATION))
            figures.append(
                Figure("defaults", name, target, ours, (default, fixed.of(SIMULATION)))
            )
    return figures


def _tide(pipeline: int) -> list[Figure]:
    figures = []
    for scenario, varied in _SCENARIOS.items():
        fixed = Run(pipeline, limit="P-s", **varied)
        for limit in ("P-s", "2P-s"):
            tide = Run(pipeline, limit=limit, arbiter="tide", **varied)
            name = f"tide over its simulation, {scenario}, limit {limit}"
            target = at_most(_OVER_SIMULATION[pipeline])
            figures.append(Figure("tide", name, target, (tide,), (tide.of(SIMULATION),)))
            if limit == "P-s":
                name = f"fixed 1F1B over tide, {scenario}, limit {limit}"
                figures.append(Figure("tide", name, at_least(_NOISE), (fixed,), (tide,)))
    return figures


_BUILDERS = {
    "overhead": _overhead,
    "peers": _peers,
    "arbiters": _arbiters,
    "speedup": _speedup,
    "chunks": _chunks,
    "defaults": _defaults,
    "tide": _tide,
}


def figures(parts: tuple[str, ...] = PARTS, pipelines: tuple[int, ...] = PIPELINES) -> list[Figure]:
    """The figures of these parts of the table, pipeline by pipeline."""
    return [
        figure for pipeline in pipelines for part in parts for figure in _BUILDERS[part](pipeline)
    ]
