#!/bin/bash
# Reading a plan costs one open and two preads, however many ranks the map has.
# map_reads.sh WRAPPER COUNTER
set -u
wrapper=$1 counter=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
fail() { echo "failed: $1"; exit 1; }

# sparse RANKS RANK FILE: a map with the line of one rank; the rest is a hole.
sparse() {
  printf '%-255s\n' "# rankmap 1 ranks=$1 width=64 machine=m objective=o body=0000000000000000" >"$3"
  truncate -s $((256 + 64 * $1)) "$3"
  printf '%-63s\n' "$2 * 5 - - - - - -" |
    dd of="$3" bs=1 seek=$((256 + 64 * $2)) conv=notrunc status=none
}

# calls RANKS RANK: the counts of one rank's start
calls() {
  sparse "$1" "$2" "$work/map"
  OMPI_COMM_WORLD_RANK=$2 OMPI_COMM_WORLD_SIZE=$1 "$counter" "$work/map" "$wrapper" \
    --map "$work/map" -- /bin/sh -c 'echo "gpu $CUDA_VISIBLE_DEVICES"'
}

"$counter" /none true >/dev/null
[ $? -ne 77 ] || { echo "skipped: tracing is refused here"; exit 77; }
small=$(calls 1 0)
large=$(calls 1000000 987654)
case $large in *"gpu 5"*) ;; *) fail "not placed: $large" ;; esac
case $large in *"opens 1 preads 2 "*) ;; *) fail "$large" ;; esac
[ "$small" = "$large" ] || fail "a small map: $small; a large one: $large"
echo "ok: $large"
