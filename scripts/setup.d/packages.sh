# Debian packages: installs those of packages.txt that are missing.

missing_packages() {
    local wanted installed
    wanted=$(grep -v '^#' "$setup_dir/packages.txt" | sort)
    # shellcheck disable=SC2086
    installed=$(dpkg-query --show --showformat '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
        sed -n 's/^installed //p' | sort -u)
    comm -23 <(echo "$wanted") <(echo "$installed")
}

ensure_packages() {
    command -v apt-get >/dev/null ||
        die "no apt-get here; install the counterparts of the packages in $setup_dir/packages.txt"
    local missing
    missing=$(missing_packages)
    [ -n "$missing" ] || return 0

    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
            as_root=(sudo)
        else
            printf 'setup: these Debian packages are missing:\n' >&2
            printf '  %s\n' $missing >&2
            die "not root and no usable sudo; have them installed with: apt-get install" $missing
        fi
    fi
    say "installing Debian packages:" $missing
    logged packages "${as_root[@]}" apt-get update
    # shellcheck disable=SC2086
    logged packages "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes --no-install-recommends $missing
}
