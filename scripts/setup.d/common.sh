# What the parts of the set-up share: where things go, how it speaks, how a long step is logged.

export RRFP_CACHE=${RRFP_CACHE:-$HOME/.cache/rrfp}
mkdir -p "$RRFP_CACHE/log"

say() { printf 'setup: %s\n' "$*"; }

die() {
    printf 'setup: error: %s\n' "$*" >&2
    exit 1
}

# logged NAME COMMAND...: runs the command with its output in a log file, whose end is shown if it fails.
logged() {
    local log=$RRFP_CACHE/log/$1.log
    shift
    printf '\n$ %s\n' "$*" >>"$log"
    if ! "$@" >>"$log" 2>&1 </dev/null; then
        tail -n 30 "$log" >&2
        die "'$*' failed; the whole log is $log"
    fi
}

# Two set-ups at once would write into one folder: the second waits.
hold_lock() {
    exec 9>"$RRFP_CACHE/lock"
    if ! flock --nonblock 9; then
        say "waiting for another set-up to finish"
        flock 9
    fi
}

# need_space GIB FOR: stops early instead of failing half-way through a download.
need_space() {
    local free
    free=$(($(df --output=avail -k "$RRFP_CACHE" | tail -n 1) / 1024 / 1024))
    [ "$free" -ge "$1" ] || die "$2 needs $1 GiB in $RRFP_CACHE, $free GiB are free; set RRFP_CACHE to another disk"
}

# Prints the SHA-256 of standard input, shortened: enough to tell versions of our own files apart.
short_hash() { sha256sum | cut -c 1-12; }
