"""How a pipeline is scheduled: the `[schedule]` keys of a job file, and where they come from."""

import dataclasses
import difflib
import os
import pathlib
import tomllib
import typing

from rrfp import _native

PREFIX = "RRFP_"


class ConfigurationError(ValueError):
    """A key or value that cannot be; says where it stands and what could be there."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Configuration:
    """The keys of `[schedule]`, as in a job file of rrfp, and what only the bridge needs."""

    # The name of an arbiter, or a function: choose(candidates) -> one of them, or None to wait.
    # Empty is tide, with split_weight tide-w, and with chunks below the hint's memory what suits graded.
    arbiter: str | typing.Callable = ""
    # The order that `order`, `fixed` and some others follow, a schedule or a CSV file; empty is
    # 1f1b, with chunks interleaved-1f1b, with split_weight zb-h1.
    hint: str = ""
    # Microbatches in flight: "auto", as many as fit into free memory, up to 32 and no fewer than the fixed
    # schedule of the same shape keeps; a number, one a pipeline rank, "P-s", "2P-s", or bytes as "512MiB".
    # Empty is 32, and no less than the fixed schedule keeps, whatever is free.
    limit: int | str | tuple[int, ...] = "auto"
    # How the limit admits forwards where a rank has chunks: drain, window or graded; auto is window where the
    # hint's memory is there, else graded.
    admission: str = "auto"
    # Weight gradients as tasks of their own.
    split_weight: bool = False
    # Backwards of a chunk in microbatch order, so that gradients are bit-identical.
    deterministic: bool = False
    # How tensor-parallel ranks agree on an order: board or allgather.
    agreement: str = "board"
    # A library with an arbiter, which `arbiter` then names.
    plugin: str = ""
    # How idle threads wait: auto, doorbell, nap or spin.
    waiting: str = "auto"
    # Random numbers of a forward by (iteration, microbatch, chunk), whatever ran before it.
    keyed_random: bool = True
    # Seconds without progress after which the job is ended; 0 never.
    watchdog_seconds: float = 60.0
    # A folder for StarPU's traces, and one for what each rank did in each iteration.
    trace: str = ""
    report: str = ""

    def __post_init__(self):
        for field in dataclasses.fields(self):
            _check(field.name, getattr(self, field.name))

    @property
    def limit_bytes(self) -> int | None:
        """The bytes that `limit` allows a rank, None where it counts microbatches."""
        if not isinstance(self.limit, str) or self.limit == "auto":
            return None
        return _native.limit_bytes(self.limit)

    def limits(self, ranks: int) -> list[int]:
        """The limit of each of the `ranks` pipeline ranks, none for the default; not for one that is measured."""
        if self.limit in ((), "auto"):
            return []
        limit = [self.limit] if isinstance(self.limit, int) else self.limit
        try:
            return _native.limits(limit if isinstance(limit, str) else list(limit), ranks)
        except ValueError as error:
            raise ConfigurationError(f"limit {error}") from None


_WORDS = _native.words()
_KEYS = tuple(field.name for field in dataclasses.fields(Configuration))


def load(arguments: typing.Mapping[str, typing.Any] = {}) -> Configuration:
    """The configuration: `arguments` before RRFP_… variables before the file RRFP_CONFIG names.

    A key `config` among the arguments names a file in the place of RRFP_CONFIG's.
    """
    arguments = dict(arguments)
    file = arguments.pop("config", None) or os.environ.get(PREFIX + "CONFIG")
    values = {**(_read(file) if file else {}), **_environment()}
    for key, value in arguments.items():
        values[_known(key, "an argument")] = value
    if isinstance(values.get("limit"), list):
        values["limit"] = tuple(values["limit"])
    return Configuration(**values)


def parse(text: str) -> typing.Any:
    """A value as TOML says it; a bare word is a string."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _read(file: str) -> dict[str, typing.Any]:
    try:
        with pathlib.Path(file).open("rb") as stream:
            sections = tomllib.load(stream)
    except OSError as error:
        raise ConfigurationError(f"{file}: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{file}: {error}") from None
    schedule = sections.get("schedule")
    if not isinstance(schedule, dict):
        raise ConfigurationError(f"{file} has no section [schedule]")
    return {_known(key, f"[schedule] of {file}"): value for key, value in schedule.items()}


def _environment() -> dict[str, typing.Any]:
    values = {}
    for name, text in os.environ.items():
        if not name.startswith(PREFIX):
            continue
        key = name.removeprefix(PREFIX).lower()
        if key in _KEYS:
            values[key] = parse(text)
        elif close := difflib.get_close_matches(key, _KEYS, 1, 0.8):
            raise ConfigurationError(
                f"the environment variable {name} means nothing; did you mean "
                f"{PREFIX}{close[0].upper()}?"
            )
    return values


def _known(key: str, place: str) -> str:
    if key in _KEYS:
        return key
    close = difflib.get_close_matches(key, _KEYS, 1)
    hint = f"did you mean '{close[0]}'? " if close else ""
    raise ConfigurationError(f"{place}: unknown key '{key}'; {hint}known are {', '.join(_KEYS)}")


def _check(key: str, value: typing.Any) -> None:
    if key == "arbiter":
        if not (isinstance(value, str) or callable(value)):
            raise ConfigurationError(f"arbiter is {value!r}; give a name or a function")
    elif key == "limit":
        _check_limit(value)
    elif key in _WORDS:
        if value not in _WORDS[key]:
            raise ConfigurationError(f"{key} is {value!r}; give {' or '.join(_WORDS[key])}")
    elif key == "watchdog_seconds":
        if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
            raise ConfigurationError(f"watchdog_seconds is {value!r}; give seconds, or 0 for no limit")
    else:
        wanted = type(Configuration.__dataclass_fields__[key].default)
        if not isinstance(value, wanted):
            kind = {bool: "true or false", str: "a text"}[wanted]
            raise ConfigurationError(f"{key} is {value!r}; give {kind}")


def _check_limit(value: typing.Any) -> None:
    if value == "auto":
        return
    if isinstance(value, str):
        try:
            _native.limit_bytes(value)
        except ValueError as error:
            raise ConfigurationError(f"limit = {value!r} {error}") from None
        return
    numbers = value if isinstance(value, tuple) else (value,)
    if any(isinstance(n, bool) or not isinstance(n, int) or n < 1 for n in numbers):
        raise ConfigurationError(
            f"limit is {value!r}; give a number from 1, a list with one for each pipeline rank, or "
            "a rule as a text"
        )
