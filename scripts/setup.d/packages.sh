# Debian packages: installs those of packages.txt that are missing.

missing_packages() {
    local wanted
    mapfile -t wanted < <(grep -v '^#' "$setup_dir/packages.txt" | sort)
    comm -23 <(printf '%s\n' "${wanted[@]}") <(
        dpkg-query --show --showformat '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null |
            sed -n 's/^installed //p' | sort -u
    )
}

ensure_packages() {
    command -v apt-get >/dev/null ||
        die "no apt-get here; install the counterparts of the packages in $setup_dir/packages.txt"
    local missing as_root=()
    mapfile -t missing < <(missing_packages)
    [ ${#missing[@]} -gt 0 ] || return 0

    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
            as_root=(sudo)
        else
            printf 'setup: these Debian packages are missing:\n' >&2
            printf '  %s\n' "${missing[@]}" >&2
            die "not root and no usable sudo; have them installed with: apt-get install ${missing[*]}"
        fi
    fi
    say "installing Debian packages: ${missing[*]}"
    logged packages "${as_root[@]}" apt-get update
    logged packages "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes --no-install-recommends "${missing[@]}"
}
