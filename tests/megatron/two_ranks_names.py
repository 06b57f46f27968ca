"""Names that the scenarios and the tests of two ranks share; imports nothing."""

VARIATIONS = (
    "three values of a loss",
    "loss per token",
    "scaled loss",
    "outputs kept",
    "recomputed",
)
REFUSED = {
    "defer_embedding_wgrad_compute": True,
    "num_microbatches_with_partial_activation_checkpoints": 1,
    "overlap_moe_expert_parallel_comm": True,
    "fine_grained_activation_offloading": True,
}
