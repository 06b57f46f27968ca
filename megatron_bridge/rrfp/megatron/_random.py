"""Random numbers by what is computed, not by when: the same dropout masks in any order of tasks."""

import collections.abc
import contextlib
import hashlib
import typing

import torch
from megatron.core import tensor_parallel


_WORD = 2**64 - 1


class KeyedRandom:
    """The generators of a rank during one iteration.

    Each forward starts from states drawn from (the states when the iteration began, whether it trains,
    microbatch, chunk). Nothing else is in the key: who puts the states back, to resume a run or to run an
    iteration again, gets the same masks. `restore` puts back the states when the iteration began;
    `advance` then steps each by one number, so that the next iteration draws others.
    """

    def __init__(self, forward_only: bool):
        self._tracker = tensor_parallel.get_cuda_rng_tracker()
        self._default = torch.default_generator.get_state()
        self._device = torch.cuda.get_rng_state() if _has_device_generator() else None
        self._tracked = dict(self._tracker.get_states())
        self._key = b"evaluation" if forward_only else b"training"
        self._bases: dict[str, int] = {}
        self._default_base = self._digest(self._default)
        self._device_base = None if self._device is None else self._digest(self._device)
        self._scratch = torch.Generator("cpu" if self._device is None else "cuda")

    @contextlib.contextmanager
    def of(self, microbatch: int, chunk: int):
        place = microbatch << 32 | chunk
        torch.default_generator.manual_seed(_mixed(self._default_base, place))
        if self._device is not None:
            torch.cuda.manual_seed(_mixed(self._device_base, place))
        self._tracker.set_states(
            _StatesOnDemand(self._tracked, lambda name: self._tracked_state(name, place))
        )
        yield

    def restore(self) -> None:
        torch.default_generator.set_state(self._default)
        if self._device is not None:
            torch.cuda.set_rng_state(self._device)
        self._tracker.set_states(self._tracked)

    def advance(self) -> None:
        torch.empty((), dtype=torch.int64).random_()
        if self._device is not None:
            torch.empty((), dtype=torch.int64, device="cuda").random_()
        self._tracker.set_states({name: self._stepped(state) for name, state in self._tracked.items()})

    def _stepped(self, state: torch.Tensor) -> torch.Tensor:
        self._scratch.set_state(state)
        torch.empty((), dtype=torch.int64, device=self._scratch.device).random_(generator=self._scratch)
        stepped = self._scratch.get_state()
        return stepped if stepped.device == state.device else stepped.to(state.device)

    def _tracked_state(self, name: str, place: int) -> torch.Tensor:
        made = self._scratch.manual_seed(_mixed(self._base_of(name), place)).get_state()
        device = self._tracked[name].device
        return made if made.device == device else made.to(device)

    def _base_of(self, name: str) -> int:
        if name not in self._bases:
            self._bases[name] = self._digest(self._tracked[name])
        return self._bases[name]

    def _digest(self, state: torch.Tensor) -> int:
        content = state.cpu().numpy().tobytes()
        return int.from_bytes(hashlib.blake2b(content, key=self._key, digest_size=8).digest(), "little")


class _StatesOnDemand(collections.abc.MutableMapping):
    """The tracker's states, each made when it is first read: making one takes 0.1 ms, and a forward
    reads one of Megatron's three."""

    def __init__(self, names: typing.Iterable[str], make: typing.Callable[[str], torch.Tensor]):
        self._states: dict[str, torch.Tensor | None] = dict.fromkeys(names)
        self._make = make

    def __getitem__(self, name: str) -> torch.Tensor:
        if self._states[name] is None:
            self._states[name] = self._make(name)
        return self._states[name]

    def __setitem__(self, name: str, state: torch.Tensor) -> None:
        self._states[name] = state

    def __delitem__(self, name: str) -> None:
        del self._states[name]

    def __iter__(self) -> typing.Iterator[str]:
        return iter(self._states)

    def __len__(self) -> int:
        return len(self._states)

    def __contains__(self, name: object) -> bool:  # without making it
        return name in self._states


class RunningRandom:
    """Leaves the generators to run on from task to task, as Megatron does."""

    @contextlib.contextmanager
    def of(self, microbatch: int, chunk: int):
        yield

    def restore(self) -> None:
        pass

    def advance(self) -> None:
        pass


def _has_device_generator() -> bool:
    return torch.cuda.is_available() and torch.cuda.is_initialized()


def _mixed(base: int, place: int) -> int:
    """A seed from both: the finaliser of SplitMix64 (Steele, Lea and Flood 2014). A cryptographic hash
    took 50 us of each forward, most of it to fetch code that had left the caches."""
    bits = (base + (place + 1) * 0x9E3779B97F4A7C15) & _WORD
    bits = ((bits ^ bits >> 30) * 0xBF58476D1CE4E5B9) & _WORD
    bits = ((bits ^ bits >> 27) * 0x94D049BB133111EB) & _WORD
    return (bits ^ bits >> 31) >> 1

