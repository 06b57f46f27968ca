"""python -m rrfp.megatron [--config FILE] [--set KEY=VALUE]... SCRIPT [ARGUMENT...]

Runs SCRIPT as `python SCRIPT ARGUMENT...` would, with its pipeline scheduled by rrfp.
"""

import argparse
import os
import sys
import types

from rrfp import configuration, process
from rrfp.megatron import _installation


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m rrfp.megatron",
        description="Runs a Megatron-Core training script with its pipeline scheduled by rrfp.",
    )
    parser.add_argument("--config", metavar="FILE", help="a TOML file with a section [schedule]")
    parser.add_argument(
        "--set", metavar="KEY=VALUE", action="append", default=[], help="one key of [schedule]"
    )
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    return parser.parse_args()


def _load(options: argparse.Namespace) -> configuration.Configuration:
    keys = {"config": options.config}
    for setting in options.set:
        key, equals, value = setting.partition("=")
        if not equals:
            raise configuration.ConfigurationError(f"--set {setting}: give KEY=VALUE")
        keys[key] = configuration.parse(value)
    return configuration.load(keys)


def _run_script(script: str, arguments: list[str]) -> None:
    with open(script, "rb") as stream:
        code = compile(stream.read(), script, "exec")
    sys.argv = [script, *arguments]
    if not sys.flags.safe_path:
        sys.path[0] = os.path.dirname(os.path.realpath(script))
    module = types.ModuleType("__main__")
    module.__file__ = script
    module.__builtins__ = __builtins__
    sys.modules["__main__"] = module
    exec(code, module.__dict__)


def main() -> None:
    options = _arguments()
    try:
        chosen = _load(options)
        if not os.path.isfile(options.script):
            raise configuration.ConfigurationError(f"{options.script}: no such file")
        ranks = os.environ.get("OMPI_COMM_WORLD_SIZE", "1")
        if ranks != "1":  # as torchrun: ranks share the cores
            os.environ.setdefault("OMP_NUM_THREADS", "1")
        joined = process.join(chosen)
    except (configuration.ConfigurationError, process.LaunchError) as error:
        print(f"rrfp: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    _installation.enable(chosen)
    try:
        _run_script(options.script, options.arguments)
    except SystemExit as error:
        if error.code not in (None, 0):  # the other ranks may wait for this one
            if not isinstance(error.code, int):
                print(error.code, file=sys.stderr)
            joined.end_job(error)
        raise


if __name__ == "__main__":
    main()
