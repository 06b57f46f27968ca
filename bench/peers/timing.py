"""Sleeps as exactly as the runtime's own timed stages do, so that no side of a comparison pays for
late wake-ups."""

from __future__ import annotations

import threading
import time

_LONGEST_SPIN = 0.25e-3
_thread = threading.local()


def sleep_for(seconds: float) -> None:
    """Sleeps `seconds`, never less: asks to be woken as much sooner as wake-ups were late on this
    thread before, and spins what is then left, at most about 0.25 ms."""
    deadline = time.perf_counter() + seconds
    lateness = getattr(_thread, "lateness", 0.05e-3)
    wake = deadline - lateness
    left = wake - time.perf_counter()
    if left > 0:
        time.sleep(left)
        late = min(time.perf_counter() - wake, _LONGEST_SPIN)
        _thread.lateness = lateness + 0.1 * (late - lateness)
    while time.perf_counter() < deadline:
        pass
