# The Python package rrfp (megatron_bridge), built from this checkout and installed into the environment.
#
# It is installed again when one of the sources it is made of has changed. Its build folder is kept, so that
# this compiles what has changed and no more.

package_sources() {
    find "$1"/{CMakeLists.txt,cmake,megatron_bridge,runtime,codelets,adapters/{schedules,files,plan,collectives}} -type f \
        -not -path '*/__pycache__/*' -print0 | sort --zero-terminated
}

ensure_package() {
    [ -z "${RRFP_PYTHON:-}" ] || return 0  # an environment that belongs to somebody else is left alone
    local root environment=$RRFP_CACHE/python wanted
    root=$(cd "$setup_dir/../.." && pwd)
    local stamp=$environment/rrfp.stamp
    wanted=$( (package_sources "$root" | xargs -0 cat; readlink "$RRFP_CACHE/starpu/current"; echo "$root") | short_hash)
    [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ] || return 0

    say "installing the Python package rrfp into $environment"
    rm -f "$stamp"
    logged package "$environment/bin/pip" install --no-input --disable-pip-version-check --no-build-isolation \
        --no-deps --force-reinstall "$root/megatron_bridge"
    echo "$wanted" >"$stamp"
}
