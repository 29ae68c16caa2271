#!/bin/bash
# A map is replaced over and over while 64 ranks start: every rank is placed wholly by one map, or,
# where the sum of the map is known, by that map or not at all. replaced.sh WRAPPER MAKE_MAP
set -u
wrapper=$1 maker=$2
work=$(mktemp -d) || exit 1
ranks=64
unset RANKMAP_MAP RANKMAP_STRICT RANKMAP_PLACED RANKMAP_PASSED CUDA_VISIBLE_DEVICES
fail() { echo "failed: $1"; exit 1; }

cpus=$(taskset -pc $$ | sed 's/.*: *//')
first_cpu=${cpus%%[,-]*} last_cpu=${cpus##*[,-]}
up=$(seq -s, 0 $((ranks - 1))) down=$(seq -s, $((ranks - 1)) -1 0)
"$maker" $ranks "$first_cpu" "*" rankmap "$up" >"$work/a"
"$maker" $ranks "$last_cpu" "*" rankmap "$down" >"$work/b"
cp "$work/a" "$work/map"
sum=$(sed -n '1s/.* body=\([0-9a-f]*\).*/\1/p' "$work/a")

while :; do
  for one in b a; do cp "$work/$one" "$work/next" && mv -f "$work/next" "$work/map"; done
done &
replacer=$!
trap 'kill $replacer; wait $replacer 2>/dev/null; rm -rf "$work"' EXIT

# start OPTIONS... : one line a rank in $work/out
start() {
  local rank pids=()
  : >"$work/out"
  for ((rank = 0; rank < ranks; ++rank)); do
    OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_LOCAL_RANK=$rank OMPI_COMM_WORLD_SIZE=$ranks \
      OMPI_COMM_WORLD_LOCAL_SIZE=$ranks timeout 30 "$wrapper" --map "$work/map" "$@" -- sh -c \
      'echo "$OMPI_COMM_WORLD_RANK ${CUDA_VISIBLE_DEVICES:--} $(taskset -pc $$ | sed "s/.*: *//")"' \
      >>"$work/out" 2>>"$work/err" &
    pids+=($!)
  done
  wait "${pids[@]}" || fail "a rank failed: $(tail -3 "$work/err")"
  [ "$(wc -l <"$work/out")" -eq $ranks ] || fail "not $ranks lines: $(cat "$work/out")"
}

# check A_LINE_MAY_BE... : each rank's line is one of the kinds a, b, passed
check() {
  local rank gpu on kinds=" $* "
  while read -r rank gpu on; do
    case $kinds in *" a "*) [ "$gpu $on" = "$rank $first_cpu" ] && continue ;; esac
    case $kinds in *" b "*) [ "$gpu $on" = "$((ranks - 1 - rank)) $last_cpu" ] && continue ;; esac
    case $kinds in *" passed "*) [ "$gpu $on" = "- $cpus" ] && continue ;; esac
    fail "rank $rank on gpu $gpu, cpus $on: $kinds"
  done <"$work/out"
}

start
check a b
start --sum "$sum"
check a passed
[ "$(grep -c "was replaced" "$work/err")" -le 1 ] || fail "more than one warning a node"
start --sum "$sum" --stage
check a passed
echo "ok: $ranks ranks, three times"
