"""A small GPT's job, settings that tests of training share, and what a report says was learnt."""

GPT = """\
[model]
layers = 4
hidden = 32
heads = 2
sequence = 16

[data]
text = "book.txt"

[parallel]
pipeline = 4

[train]
microbatches = 8
microbatch_size = 2
iterations = 6
learning_rate = 1e-2
"""
DETERMINISTIC = ["--set", "schedule.deterministic=true"]
JITTER = ["--set", "jitter.compute_cv=1.0", "--set", "jitter.comm_mean_ms=2"]
SPLIT = ["--set", "schedule.split_weight=true"]


def book():
    """A text that a small model learns in a few iterations."""
    words = ["the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog", "and", "sleeps"]
    return " ".join(words[(i * i + 3 * i) % len(words)] for i in range(4000))


def losses(report):
    return [iteration["loss"] for iteration in report["iterations"]]


def learnt(report):
    return losses(report), report["summary"]["parameters_sha256"]
