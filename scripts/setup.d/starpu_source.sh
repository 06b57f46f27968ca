# StarPU's source: Debian's source package, from the mirror this machine already uses.
#
# Debian 12 has StarPU 1.3 only, so a private apt configuration adds the source index of newer releases. It is
# signed by Debian's keyring, touches nothing of the machine's own configuration, and only downloads.

starpu_version=1.4.10
starpu_sha256=6b3bb9ec0d79f937882148b2da09ae6cb0ad4d1e83a104be45723dd70eba99c3
debian_releases=(forky sid)

debian_mirror() {
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | sort -u | head -n 1
}

# Prints options that make apt-get work in the given folder, with its sources.list.
private_apt() {
    mkdir -p "$1/lists/partial" "$1/cache/archives/partial"
    printf -- '-o %s\n' "Dir::Etc::SourceList=$1/sources.list" Dir::Etc::SourceParts=/dev/null \
        "Dir::State::Lists=$1/lists" "Dir::Cache=$1/cache" "APT::Sandbox::User=$(id -un)"
}

# Of the versions on standard input, prints the one to build: the wanted one, else the newest 1.4.
choose_version() {
    local versions
    versions=$(grep -E '^1\.4\.' | sort --version-sort)
    grep -E "^${starpu_version//./\\.}[^0-9.]" <<<"$versions" | tail -n 1 | grep . || tail -n 1 <<<"$versions"
}

# Downloads the original tarball into folder $1 and leaves its path in starpu_tarball.
fetch_starpu() {
    local work=$1 mirror release options version
    mirror=$(debian_mirror)
    [ -n "$mirror" ] || die "this machine's apt knows no Debian mirror (apt-get update helps if it never ran);" \
        "build StarPU $starpu_version yourself with scripts/patches and set RRFP_STARPU_PREFIX"
    for release in "${debian_releases[@]}"; do
        echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $release main"
    done >"$work/sources.list"
    # shellcheck disable=SC2207
    options=($(private_apt "$work"))
    logged starpu apt-get "${options[@]}" update

    version=$(apt-cache "${options[@]}" showsrc starpu | sed -n 's/^Version: //p' | choose_version)
    [ -n "$version" ] || die "Debian no longer has a StarPU 1.4; build one with scripts/patches and set RRFP_STARPU_PREFIX"
    (cd "$work" && logged starpu apt-get "${options[@]}" source --download-only "starpu=$version")
    starpu_tarball=$(echo "$work"/starpu_*.orig.tar.*)
    case $version in
        "$starpu_version"[!0-9.]*)
            sha256sum --check --quiet <<<"$starpu_sha256  $starpu_tarball" ||
                die "the tarball of StarPU $version is not the one known here (SHA-256 $starpu_sha256)" ;;
        *) say "notice: Debian has moved on to StarPU $version; rrfp was tried with $starpu_version" ;;
    esac
}
