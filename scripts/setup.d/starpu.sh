# StarPU, built from source with traces (FxT), MPI and the patches of scripts/patches.
#
# Each build has a folder of its own in $RRFP_CACHE/starpu, named after the hash of what went into it, so that
# a changed patch is a new build; the link "current" names the one in use.

patches_dir=$(dirname "$setup_dir")/patches
starpu_options=(--with-fxt --enable-mpi --enable-maxcpus=64 --disable-static
    --disable-opencl --disable-hip --disable-build-doc --disable-build-examples --disable-build-tests
    --disable-starpufft --disable-socl --disable-starpupy --disable-hdf5 --disable-fortran
    --disable-openmp-llvm)

# With CUDA where its toolkit is. Such a StarPU also runs where there is no GPU, or no driver. The loader is told
# where the toolkit lies, since not every installation of CUDA tells it.
cuda_options() {
    local root=${CUDA_HOME:-/usr/local/cuda}
    if [ -x "$root/bin/nvcc" ] && [ -e "$root/lib64/libcudart.so" ]; then
        printf '%s\n' "--with-cuda-dir=$root" "LDFLAGS=-Wl,-rpath,$root/lib64"
    else
        echo "--disable-cuda"
    fi
}

# Applies each patch that fits. The header "Without it:" of one that does not says what is lost.
patch_starpu() {
    local patch
    for patch in "$patches_dir"/starpu-*.patch; do
        if patch --strip=1 --dry-run --silent --force <"$patch" >/dev/null; then
            logged starpu patch --strip=1 --input="$patch"
        else
            say "notice: $(basename "$patch") does not apply to this StarPU and is left out." \
                "$(sed -n 's/^Without it: //p' "$patch")"
        fi
    done
}

build_starpu() {
    local prefix=$1 work
    shift
    need_space 2 "Building StarPU"
    rm -f "$RRFP_CACHE/log/starpu.log"
    # One fixed path, so that ccache makes a rebuild after a change of patches quick.
    work=$RRFP_CACHE/starpu-build
    rm -rf "$work"
    mkdir "$work"
    fetch_starpu "$work"
    say "building $(basename "$starpu_tarball" | sed 's/_/ /;s/\.orig.*//') for $prefix (a few minutes)"
    mkdir "$work/source" "$work/build"
    tar --extract --file="$starpu_tarball" --directory="$work/source" --strip-components=1
    (cd "$work/source" && patch_starpu)
    (
        cd "$work/build"
        logged starpu "$work/source/configure" --prefix="$prefix" CC="ccache gcc" CXX="ccache g++" "$@"
        logged starpu make --jobs="$(nproc)"
        logged starpu make install
    )
    rm -rf "$work"
}

ensure_starpu() {
    if [ -n "${RRFP_STARPU_PREFIX:-}" ]; then
        [ -e "$RRFP_STARPU_PREFIX/lib/pkgconfig/starpumpi-1.4.pc" ] ||
            die "RRFP_STARPU_PREFIX=$RRFP_STARPU_PREFIX holds no StarPU 1.4 with MPI (lib/pkgconfig/starpumpi-1.4.pc)"
        return 0
    fi
    local options key prefix
    mapfile -t options < <(printf '%s\n' "${starpu_options[@]}"; cuda_options)
    key=$(cat <(printf '%s\n' "$starpu_version" "${options[@]}") "$patches_dir"/starpu-*.patch | short_hash)
    prefix=$RRFP_CACHE/starpu/$key
    if [ ! -e "$prefix/complete" ]; then
        rm -rf "$prefix"
        build_starpu "$prefix" "${options[@]}"
        touch "$prefix/complete"
    fi
    [ "$(readlink "$RRFP_CACHE/starpu/current")" = "$key" ] || ln -sfn "$key" "$RRFP_CACHE/starpu/current"
}
