"""Trains a small GPT with Megatron-Core on bytes of a text; knows nothing of rrfp.

    torchrun --nproc-per-node 2 train.py --pipeline 2
    mpirun -n 2 python -m rrfp.megatron train.py --pipeline 2

Initial weights and the samples of an iteration depend on the seed and the global batch alone, so
losses agree between layouts. Which layouts: --pipeline, --tensor, --chunks, --expert-ranks; replicas are the rest.
"""

import argparse
import pathlib
import zlib

import torch
import torch.distributed
from megatron.core import parallel_state, tensor_parallel
from megatron.core.distributed import (
    DistributedDataParallel,
    DistributedDataParallelConfig,
    finalize_model_grads,
)
from megatron.core.models.gpt import GPTModel
from megatron.core.models.gpt.gpt_layer_specs import get_gpt_layer_local_spec
from megatron.core.optimizer import OptimizerConfig, get_megatron_optimizer
from megatron.core.pipeline_parallel import get_forward_backward_func
from megatron.core.transformer.module import Float16Module
from megatron.core.transformer.transformer_config import TransformerConfig


def parse_arguments(arguments=None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pipeline", type=int, default=1)
    parser.add_argument("--tensor", type=int, default=1)
    parser.add_argument("--chunks", type=int, default=1, help="model chunks a pipeline rank")
    parser.add_argument("--context", type=int, default=1, help="ranks that divide each sequence")
    parser.add_argument("--experts", type=int, default=0, help="of a layer; 0 for none")
    parser.add_argument("--expert-ranks", type=int, default=1, help="among which experts are divided")
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--sequence", type=int, default=16)
    parser.add_argument("--batch", type=int, default=8, help="microbatches over all replicas")
    parser.add_argument("--microbatch-size", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--overlap-grad-reduce", action="store_true")
    parser.add_argument("--bf16", action="store_true")
    parser.add_argument("--sequence-parallel", action="store_true")
    parser.add_argument("--text", default=__file__, help="a file to learn from")
    return parser.parse_args(arguments)


class Text:
    """Samples of a text: bytes at places that depend on the number of the sample."""

    def __init__(self, options: argparse.Namespace):
        self._bytes = torch.tensor(list(pathlib.Path(options.text).read_bytes()))
        self._options = options

    def microbatch(self, number: int, length: int | None = None) -> dict[str, torch.Tensor]:
        length = length or self._options.sequence
        size = self._options.microbatch_size
        starts = (torch.arange(size) + number * size) * 7919 % (len(self._bytes) - length - 1)
        rows = torch.stack([self._bytes[start : start + length + 1] for start in starts.tolist()])
        return {
            "tokens": rows[:, :-1].contiguous(),
            "labels": rows[:, 1:].contiguous(),
            "positions": torch.arange(length).expand(size, -1),
            "mask": torch.triu(torch.ones(length, length, dtype=torch.bool), 1)[None, None],
        }

    def iteration(self, number: int):
        """The microbatches of this replica in one iteration."""
        replicas = parallel_state.get_data_parallel_world_size()
        mine = self._options.batch // replicas
        first = number * self._options.batch + parallel_state.get_data_parallel_rank() * mine
        for index in range(mine):
            yield self.microbatch(first + index)


def number_type(options: argparse.Namespace) -> torch.dtype:
    return torch.bfloat16 if options.bf16 else torch.float32


def make_config(options: argparse.Namespace, **more) -> TransformerConfig:
    return TransformerConfig(
        num_layers=options.layers,
        hidden_size=options.hidden,
        num_attention_heads=options.heads,
        pipeline_model_parallel_size=options.pipeline,
        virtual_pipeline_model_parallel_size=options.chunks if options.chunks > 1 else None,
        tensor_model_parallel_size=options.tensor,
        hidden_dropout=options.dropout,
        attention_dropout=options.dropout,
        sequence_parallel=options.sequence_parallel,
        context_parallel_size=options.context,
        expert_model_parallel_size=options.expert_ranks,
        num_moe_experts=options.experts or None,
        **{
            "bf16": options.bf16,
            "params_dtype": number_type(options),
            "pipeline_dtype": number_type(options),
            "use_cpu_initialization": True,
            "gradient_accumulation_fusion": False,
            "bias_activation_fusion": False,
            "bias_dropout_fusion": False,
            "masked_softmax_fusion": False,
            "persist_layer_norm": False,
            # With two ranks and chunks, Megatron's batched messages between the two get mixed up.
            "batch_p2p_comm": options.chunks == 1,
            "deallocate_pipeline_outputs": True,
            **more,
        },
    )


def fill(module: GPTModel, options: argparse.Namespace) -> None:
    """Weights that depend on the seed and their name in the whole model, whatever the layout."""
    names = {f"decoder.layers.{i}.": layer.layer_number for i, layer in enumerate(module.decoder.layers)}
    part, parts = (
        parallel_state.get_tensor_model_parallel_rank(),
        parallel_state.get_tensor_model_parallel_world_size(),
    )
    for name, parameter in module.named_parameters():
        if parameter.dim() < 2:
            continue
        for prefix, layer in names.items():
            if name.startswith(prefix):
                name = f"layer.{layer}.{name.removeprefix(prefix)}"
                break
        name = name.replace("output_layer.", "embedding.word_embeddings.")
        shape, dimension = list(parameter.shape), getattr(parameter, "partition_dim", -1)
        divided = getattr(parameter, "tensor_model_parallel", False) and parts > 1
        if divided:
            shape[dimension] *= parts
        generator = torch.Generator().manual_seed(zlib.crc32(f"{options.seed}/{name}".encode()))
        whole = torch.empty(shape).normal_(0, 0.05, generator=generator)
        with torch.no_grad():
            parameter.copy_(whole.chunk(parts, dimension)[part] if divided else whole)


def make_model(options: argparse.Namespace, config: TransformerConfig, specification=None) -> list:
    """One module a chunk, in Megatron's data-parallel wrapper; `specification(config, stage)` says
    of what layers."""
    wrapped = []
    for chunk in range(options.chunks):
        stage = chunk if options.chunks > 1 else None
        module = GPTModel(
            config=config,
            transformer_layer_spec=(
                specification(config, stage)
                if specification
                else get_gpt_layer_local_spec(num_experts=config.num_moe_experts)
            ),
            vocab_size=256,
            max_sequence_length=options.sequence,
            pre_process=parallel_state.is_pipeline_first_stage(ignore_virtual=False, vp_stage=stage),
            post_process=parallel_state.is_pipeline_last_stage(ignore_virtual=False, vp_stage=stage),
            share_embeddings_and_output_weights=True,
            vp_stage=stage,
        )
        fill(module, options)
        if torch.cuda.is_available():
            module.cuda()
        if options.bf16:
            module = Float16Module(config, module)
        reduction = DistributedDataParallelConfig(
            grad_reduce_in_fp32=True, overlap_grad_reduce=options.overlap_grad_reduce
        )
        wrapped.append(
            DistributedDataParallel(config, reduction, module, disable_bucketing=chunk > 0)
        )
    config.finalize_model_grads_func = finalize_model_grads
    if options.overlap_grad_reduce:
        functions = [module.no_sync for module in wrapped]
        config.no_sync_func = functions if len(functions) > 1 else functions[0]
    return wrapped


def forward_step(iterator, module):
    """One microbatch through one chunk, and how its loss is computed."""
    inner = module
    while hasattr(inner, "module"):
        inner = inner.module
    batch = dict.fromkeys(("tokens", "labels", "positions", "mask"))
    if inner.pre_process or inner.post_process:
        batch = next(iterator)
        if torch.cuda.is_available():
            batch = {name: value.cuda() for name, value in batch.items()}
    output = module(
        batch["tokens"],
        batch["positions"],
        batch["mask"],
        labels=batch["labels"] if inner.post_process else None,
    )
    return output, mean_loss


def mean_loss(losses: torch.Tensor):
    loss = losses.mean()
    return loss, {"loss": loss.detach().clone()}


def mean_over_ranks(results: list, options: argparse.Namespace) -> float:
    """The mean loss of an iteration, known to every rank."""
    total = torch.zeros(1, device=torch.cuda.current_device() if torch.cuda.is_available() else "cpu")
    for result in results:
        total += result["loss"]
    # Each rank of a tensor group has the same losses.
    torch.distributed.all_reduce(total)
    return (total / options.batch / options.tensor).item()


def start(options: argparse.Namespace) -> None:
    if not torch.distributed.is_initialized():
        torch.distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    parallel_state.initialize_model_parallel(
        tensor_model_parallel_size=options.tensor,
        pipeline_model_parallel_size=options.pipeline,
        virtual_pipeline_model_parallel_size=options.chunks if options.chunks > 1 else None,
        context_parallel_size=options.context,
        expert_model_parallel_size=options.expert_ranks,
    )
    seed_generators(options)


def seed_generators(options: argparse.Namespace) -> None:
    seed = options.seed + 100 * parallel_state.get_pipeline_model_parallel_rank()
    torch.manual_seed(seed)
    tensor_parallel.model_parallel_cuda_manual_seed(seed)


def make_optimizer(options: argparse.Namespace, model: list):
    return get_megatron_optimizer(
        OptimizerConfig(
            optimizer="adam",
            lr=options.learning_rate,
            params_dtype=number_type(options),
            bf16=options.bf16,
            fp16=False,
        ),
        model,
    )


def run_schedule(options, model, iterators, forward_only=False, schedule=None, step=forward_step, **more):
    """One call of Megatron's schedule."""
    call = {
        "forward_step_func": step,
        "data_iterator": iterators if len(model) > 1 else iterators[0],
        "model": model,
        "num_microbatches": options.batch // parallel_state.get_data_parallel_world_size(),
        "seq_length": options.sequence,
        "micro_batch_size": options.microbatch_size,
        "forward_only": forward_only,
        **more,
    }
    return (schedule or get_forward_backward_func())(**call)


def main() -> None:
    options = parse_arguments()
    start(options)
    config = make_config(options)
    model = make_model(options, config)
    optimizer = make_optimizer(options, model)
    config.grad_scale_func = optimizer.scale_loss
    text = Text(options)
    for iteration in range(options.iterations):
        for module in model:
            module.zero_grad_buffer()
        optimizer.zero_grad()
        results = run_schedule(options, model, [text.iteration(iteration) for _ in model])
        optimizer.step()
        loss = mean_over_ranks(results, options)
        if torch.distributed.get_rank() == 0:
            print(f"iteration {iteration}: loss {loss:.7f}", flush=True)
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
