"""Random numbers by what is computed, not by when: the same dropout masks in any order of tasks."""

import contextlib
import hashlib

import torch
from megatron.core import tensor_parallel


class KeyedRandom:
    """The generators of a rank during one iteration.

    Each forward starts from states drawn from (the states when the iteration began, its number,
    microbatch, chunk). `restore` puts back the states when the iteration began, so that code
    outside sees the stream that it left.
    """

    def __init__(self, iteration: int, forward_only: bool):
        self._tracker = tensor_parallel.get_cuda_rng_tracker()
        self._default = torch.default_generator.get_state()
        self._device = torch.cuda.get_rng_state() if _has_device_generator() else None
        self._tracked = dict(self._tracker.get_states())
        self._key = f"{iteration}/{forward_only}".encode()
        self._bases = {
            name: self._digest(state) for name, state in self._tracked.items()
        }
        self._default_base = self._digest(self._default)
        self._device_base = None if self._device is None else self._digest(self._device)

    @contextlib.contextmanager
    def of(self, microbatch: int, chunk: int):
        place = f"{microbatch}/{chunk}".encode()
        torch.default_generator.manual_seed(_seed(self._default_base, place))
        if self._device is not None:
            torch.cuda.manual_seed(_seed(self._device_base, place))
        self._tracker.set_states(
            {
                name: _state(state.device, _seed(self._bases[name], place))
                for name, state in self._tracked.items()
            }
        )
        yield

    def restore(self) -> None:
        torch.default_generator.set_state(self._default)
        if self._device is not None:
            torch.cuda.set_rng_state(self._device)
        self._tracker.set_states(self._tracked)

    def _digest(self, state: torch.Tensor) -> bytes:
        return hashlib.blake2b(state.cpu().numpy().tobytes(), key=self._key, digest_size=16).digest()


class RunningRandom:
    """Leaves the generators to run on from task to task, as Megatron does."""

    @contextlib.contextmanager
    def of(self, microbatch: int, chunk: int):
        yield

    def restore(self) -> None:
        pass


def _has_device_generator() -> bool:
    return torch.cuda.is_available() and torch.cuda.is_initialized()


def _seed(base: bytes, place: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(place, key=base, digest_size=8).digest(), "little") >> 1


def _state(device: torch.device, seed: int) -> torch.Tensor:
    """The state of a fresh generator of the kind whose state lies on `device`."""
    kind = "cuda" if _has_device_generator() else "cpu"
    return torch.Generator(kind).manual_seed(seed).get_state().to(device)
