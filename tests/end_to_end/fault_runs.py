"""Jobs that a test holds at a place, to inject a fault there. HOLD names another build's tests/support/hold.c."""

import json
import os
import pathlib
import signal
import subprocess

from command import PROGRAM
from processes import alive, descendants, eventually, name
from training_jobs import GPT, book

HOLD = pathlib.Path(os.environ.get("RRFP_HOLD", PROGRAM.parents[1] / "lib/hold.so"))
PLACES = ["start", "iteration", "between", "checkpoint", "shutdown"]
LONG = ["--set", "train.iterations=1000"]
SHORT = ["--set", "train.iterations=2", "--set", "train.microbatches=4"]
TRAINED = ["--set", "parallel.pipeline=2", "--set", "train.microbatches=2", "--set", "train.iterations=1",
           "--set", "output.checkpoint=saved"]


def environment(pid):
    with open(f"/proc/{pid}/environ") as text:
        return dict(pair.split("=", 1) for pair in text.read().split("\0") if "=" in pair)


def ranks_below(pid):
    """The ranks' processes, by rank."""
    found = {}
    for child in descendants(pid):
        if name(child).startswith("rrfp") and (number := environment(child).get("OMPI_COMM_WORLD_RANK")):
            found[int(number)] = child
    return [found[number] for number in sorted(found)]


def end_all(process, below):
    """Ends what is left of a job, in the way that leaves nothing behind if it can."""
    if process.poll() is None:
        process.send_signal(signal.SIGCONT)
        process.terminate()
    try:
        process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate(timeout=20)
    for pid in alive(below):
        os.kill(pid, signal.SIGKILL)


class HeldRun:
    """`rrfp run` of a job whose ranks are at `place`; `--json` is asked for."""

    def __init__(self, rrfp, place, limit=2, longest=60):
        self.rrfp = rrfp
        trained = place == "checkpoint"
        if trained:
            rrfp.write(GPT)
            (rrfp.folder / "book.txt").write_text(book())
        self.signs = rrfp.folder / "signs"
        self.signs.mkdir()
        self.report = rrfp.folder / "report.json"
        self.count = 2 if trained else 4
        words = TRAINED if trained else LONG if place == "iteration" else SHORT
        held = {"LD_PRELOAD": str(HOLD), "HOLD_AT": place, "HOLD_FOR": str(longest), "HOLD_SIGN": str(self.signs)}
        self.process = subprocess.Popen(
            [PROGRAM, "run", "job.toml", *words, "--set", f"watchdog.seconds={limit}", "--json", self.report],
            cwd=rrfp.folder, env={**os.environ, **held}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.below = []
        self.wait_for(place)
        self.below = descendants(self.process.pid)
        self.ranks = ranks_below(self.process.pid)
        self.mpirun = next(pid for pid in self.below if name(pid) == "mpirun")
        self.session = environment(self.ranks[0])

    def wait_for(self, place):
        if place == "iteration":
            assert self.process.stdout.readline().startswith("iteration 1/")
            return
        held = 1 if place == "between" else self.count
        assert eventually(lambda: len(list(self.signs.iterdir())) >= held, 40), self.process.poll()

    def go_on(self):
        (self.signs / "go").touch()

    def end(self, seconds):
        """Exit code and standard error; all its processes are gone, and what they had in the file system."""
        _, err = self.process.communicate(timeout=seconds)
        assert eventually(lambda: not alive(self.below), 10), [(pid, name(pid)) for pid in alive(self.below)]
        assert eventually(lambda: not self.left_behind(), 5), self.left_behind()
        return self.process.returncode, err

    def left_behind(self):
        job = f".{int(self.session['PMIX_NAMESPACE']):x}."
        shared = [file for file in os.listdir("/dev/shm") if job in file]
        folder = self.session["PMIX_SERVER_TMPDIR"]
        return shared + [folder] * os.path.exists(folder)

    def whole_report(self):
        return len(json.loads(self.report.read_text())["iterations"])

    def kill(self):
        end_all(self.process, self.below)
