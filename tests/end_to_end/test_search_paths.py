"""Guards: no program or library of ours looks for its libraries where others may put theirs: every entry of
its search path is a folder from the root on. An empty entry is the working directory."""

import os
import pathlib
import re
import subprocess
import sysconfig

import pytest

from command import PROGRAM

ENTRIES = re.compile(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]")


def of_ours():
    built = PROGRAM.parents[1]
    found = [PROGRAM, PROGRAM.with_name("rrfp-torch"), *built.glob("lib/*.so")]
    found += pathlib.Path(sysconfig.get_paths()["platlib"]).glob("rrfp/_native*.so")
    return [file for file in found if file.exists()]


def search_path(file):
    """The entries that the loader reads from the file; none where it has no search path."""
    dynamic = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
    return [entry for found in ENTRIES.findall(dynamic) for entry in found.split(":")]


@pytest.mark.parametrize("file", of_ours(), ids=lambda file: file.name)
def test_b26_every_entry_is_a_folder_from_the_root_on(file):
    assert all(entry.startswith(("/", "$ORIGIN")) for entry in search_path(file)), search_path(file)


def test_b26_a_library_in_the_working_directory_is_not_run(tmp_path):
    """Under the names of all libraries that the program wants."""
    wanted = subprocess.run(["readelf", "-d", PROGRAM], capture_output=True, text=True, check=True).stdout
    source = tmp_path / "planted.c"
    source.write_text('#include <unistd.h>\n__attribute__((constructor)) static void f(void) { _exit(42); }\n')
    names = re.findall(r"\(NEEDED\).*\[(lib.*)\]", wanted)
    assert names
    for name in names:
        subprocess.run(["cc", "-shared", "-fPIC", source, "-o", tmp_path / name], check=True)
    surroundings = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    done = subprocess.run([PROGRAM, "--version"], cwd=tmp_path, env=surroundings, timeout=60)
    assert done.returncode == 0
