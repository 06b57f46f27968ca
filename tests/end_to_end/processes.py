"""What runs below a process, from /proc."""

import os
import time


def _parents():
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as stat:
                    text = stat.read()
            except OSError:
                continue  # it has just ended
            state, parent = text.rpartition(")")[2].split()[:2]
            if state != "Z":
                parents[int(name)] = int(parent)
    return parents


def descendants(pid):
    """All processes below `pid`, at any depth."""
    parents = _parents()
    found, level = [], {pid}
    while level:
        level = {child for child, parent in parents.items() if parent in level}
        found += sorted(level)
    return found


def name(pid):
    try:
        with open(f"/proc/{pid}/comm") as comm:
            return comm.read().strip()
    except OSError:
        return ""


def alive(pids):
    parents = _parents()
    return [pid for pid in pids if pid in parents]


def eventually(condition, seconds):
    """Polls until `condition()` holds; returns whether it did in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return bool(condition())
