# The Python environment with PyTorch, whose libraries the C++ code links too, and DLPack's header out of it.

megatron_version=0.16.1
# Older and newer releases that tests run besides, each in a folder of its own, megatron-VERSION.
older_megatron_version=0.15.3
newer_megatron_version=0.19.2  # wants Python 3.12

# Debian's own interpreter where there is one: the package python3-venv belongs to it.
base_python() {
    if [ -x /usr/bin/python3 ]; then echo /usr/bin/python3; else command -v python3; fi
}

# Prints where the package torch of an interpreter lies, without importing it.
torch_root() {
    "$1" -c 'import importlib.util as u; print(u.find_spec("torch").submodule_search_locations[0])' 2>/dev/null
}

ensure_environment() {
    local environment=$RRFP_CACHE/python wanted
    local stamp=$environment/requirements.stamp
    wanted=$( (cat "$setup_dir/requirements.txt"; echo "$megatron_version") | short_hash)
    [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ] || return 0

    need_space 8 "PyTorch"
    say "installing PyTorch into $environment (about 5 GB, a few minutes)"
    rm -f "$stamp"
    [ -x "$environment/bin/pip" ] || logged python "$(base_python)" -m venv "$environment"
    logged python "$environment/bin/pip" install --no-input --disable-pip-version-check --progress-bar off \
        --requirement "$setup_dir/requirements.txt"
    # Without dependencies: it lists what training on GPUs may want, and runs without.
    logged python "$environment/bin/pip" install --no-input --disable-pip-version-check --progress-bar off \
        --no-deps "megatron-core==$megatron_version"
    echo "$wanted" >"$stamp"
}

# ensure_megatron_beside VERSION: that release, out of the environment's way.
ensure_megatron_beside() {
    local folder=$RRFP_CACHE/megatron-$1
    [ ! -d "$folder" ] || return 0
    say "installing Megatron-Core $1 into $folder"
    rm -rf "$folder.partial"
    logged python "$RRFP_CACHE/python/bin/pip" install --no-input --disable-pip-version-check \
        --progress-bar off --no-deps --target "$folder.partial" "megatron-core==$1"
    mv "$folder.partial" "$folder"
}

ensure_other_megatrons() {
    ensure_megatron_beside "$older_megatron_version"
    if "$RRFP_CACHE/python/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 12))'; then
        ensure_megatron_beside "$newer_megatron_version"
    fi
}

ensure_python() {
    local python root
    if [ -n "${RRFP_PYTHON:-}" ]; then
        python=$RRFP_PYTHON
        [ ! -d "$python" ] || python=$python/bin/python
        root=$(torch_root "$python") || die "RRFP_PYTHON=$RRFP_PYTHON has no package torch; install it or unset RRFP_PYTHON"
    else
        ensure_environment
        root=$(torch_root "$RRFP_CACHE/python/bin/python") ||
            die "$RRFP_CACHE/python is damaged; remove it and run scripts/setup again"
        ensure_other_megatrons
    fi
    # The runtime needs this header and nothing else of PyTorch.
    local header=$RRFP_CACHE/include/dlpack/dlpack.h
    if ! cmp --quiet "$root/include/ATen/dlpack.h" "$header"; then
        install -D --mode=644 "$root/include/ATen/dlpack.h" "$header"
    fi
}
