"""Launchers that start a command in hostile surroundings: in a mount namespace of its own, where file systems
are small or cannot be written, and without the system calls that containers forbid."""

import ctypes
import functools
import os
import platform
import struct
import subprocess
import sys

import pytest


@functools.cache
def unshare():
    """The start of a command with mounts of its own; skips the test where that is not permitted."""
    for flags in ["-m"], ["-rm"]:
        words = ["unshare", *flags, "--propagation", "private"]
        try:
            if subprocess.run([*words, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True).returncode == 0:
                return words
        except OSError:
            pass
    return None


def mounted(**sizes):
    """With a file system of its own at each place: a size as tmpfs takes it, or "full". `shm` is /dev/shm."""
    if unshare() is None:
        pytest.skip("mount namespaces are not permitted here")
    steps = []
    for place, size in sizes.items():
        path = {"shm": "/dev/shm"}.get(place, "/" + place)
        steps.append(f"mount -t tmpfs -o size={'64k' if size == 'full' else size},mode=1777 tmpfs {path}")
        if size == "full":
            steps.append(f"dd if=/dev/zero of={path}/filler bs=4k 2>/dev/null; true")
    return [*unshare(), "sh", "-c", " && ".join([*steps, 'exec "$@"']), "sh"]


def shell(prefix="", redirections=""):
    """After the shell's words `prefix`, such as a ulimit, with its streams changed by `redirections`."""
    return ["sh", "-c", f'{prefix}\nexec "$@" {redirections}', "sh"]


def listening(pid):
    """The addresses beyond this machine's own that `pid` accepts connections on, as /proc writes them."""
    sockets = {}
    for table in ("tcp", "tcp6"):
        for line in open(f"/proc/{pid}/net/{table}").read().splitlines()[1:]:
            words = line.split()
            if words[3] == "0A" and not words[1].startswith("0100007F:"):
                sockets[f"socket:[{words[9]}]"] = words[1]
    held = set()
    for descriptor in os.listdir(f"/proc/{pid}/fd"):
        try:
            held.add(os.readlink(f"/proc/{pid}/fd/{descriptor}"))
        except OSError:
            pass  # closed meanwhile
    return [address for socket, address in sockets.items() if socket in held]


# What containers without CAP_SYS_PTRACE refuse: process_vm_readv and process_vm_writev.
NUMBERS = {"x86_64": (310, 311), "aarch64": (270, 271)}


def without_reading_of_processes():
    if platform.machine() not in NUMBERS:
        pytest.skip(f"system call numbers of {platform.machine()} are not known here")
    return [sys.executable, __file__]


def _forbid(numbers):
    """Has the kernel answer EPERM to these system calls, in this process and what it becomes."""
    load, equal, answer = 0x20, 0x15, 0x06
    allowed, refused = 0x7FFF0000, 0x00050000 | 1
    steps = [(load, 0, 0, 0), (equal, 1, 0, numbers[0]), (equal, 0, 1, numbers[1])]
    steps += [(answer, 0, 0, refused), (answer, 0, 0, allowed)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))

    class Program(ctypes.Structure):
        _fields_ = [("steps", ctypes.c_ushort), ("code", ctypes.c_void_p)]

    libc = ctypes.CDLL(None, use_errno=True)
    no_new_privileges, seccomp, filter_mode = 38, 22, 2
    program = Program(len(steps), ctypes.addressof(code))
    for words in [(no_new_privileges, 1, 0, 0, 0), (seccomp, filter_mode, ctypes.byref(program), 0, 0)]:
        if libc.prctl(*words) != 0:
            sys.exit(f"prctl: {os.strerror(ctypes.get_errno())}")


if __name__ == "__main__":
    _forbid(NUMBERS[platform.machine()])
    os.execvp(sys.argv[1], sys.argv[1:])
