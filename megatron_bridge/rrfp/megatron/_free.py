"""How much memory is there for what waits for its backward."""

import os
import pathlib

import torch

_RESERVE = 0.1  # of what is free: for what a task needs while it runs, and for what is not foreseen
_CGROUP = pathlib.Path("/sys/fs/cgroup")


def usable_bytes(device: torch.device) -> int:
    """What this rank may fill, a reserve taken off."""
    free = _free_on_device(device) if device.type == "cuda" else _free_on_host()
    return int(free * (1 - _RESERVE))


def _free_on_device(device: torch.device) -> int:
    free, _ = torch.cuda.mem_get_info(device)
    # What torch holds and does not use is free for it.
    return free + torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)


def _free_on_host() -> int:
    """This rank's part of what the node, or the container, has left."""
    ranks = int(os.environ.get("OMPI_COMM_WORLD_LOCAL_SIZE", "1"))
    return min(_available(), _left_in_container()) // ranks


def _available() -> int:
    for line in pathlib.Path("/proc/meminfo").read_text().splitlines():
        name, value, *_ = line.split()
        if name == "MemAvailable:":
            return int(value) * 1024
    raise RuntimeError("/proc/meminfo has no line MemAvailable; give a limit as a number")


def _left_in_container() -> int:
    try:
        most = (_CGROUP / "memory.max").read_text().strip()
        used = int((_CGROUP / "memory.current").read_text())
    except (OSError, ValueError):
        return 2**63 - 1
    return 2**63 - 1 if most == "max" else max(0, int(most) - used)
