#!/bin/bash
# One test of the wrapper or the shim under a real MPI.
# cases.sh CASE MPI TESTS WRAPPER SHIM ; CASE: a function of cases/*.sh with its arguments joined by
# dots (places.exec.c); MPI: openmpi or mpich; TESTS: folder of the test programs.
# Exit code 77: skipped, because something is missing here.
set -u
case_name=$1 mpi=$2 programs=$3 wrapper=$4 shim=$5
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
unset RANKMAP_MAP RANKMAP_REPORT RANKMAP_STRICT RANKMAP_PLACED RANKMAP_PASSED
map=$work/job.rankmap
peers=$(dirname "$shim")/librankmap_peers_$mpi.so

# The first and the last CPU that are allowed here, and all of them; on one CPU all the same.
cpus=$(taskset -pc $$ | sed 's/.*: *//')
first_cpu=${cpus%%[,-]*}
last_cpu=${cpus##*[,-]}

skip() { echo "skipped: $1"; exit 77; }
fail() { echo "failed: $1"; echo "--- output"; cat "$work/out" 2>/dev/null; exit 1; }
need() { [ -e "$programs/$1" ] || skip "$1 was not built"; }
make_map() { "$programs/make_map" "$@" >"$map" || fail "no map"; }
# Two ranks on reversed GPUs, one on the first and one on the last CPU.
usual_map() { make_map 2 "$first_cpu/$last_cpu"; }

# launch RANKS COMMAND... : output in $work/out, exit code in $code
launch() {
  local ranks=$1
  shift
  if [ "$mpi" = openmpi ]; then
    timeout 100 mpirun.openmpi --oversubscribe --bind-to none -np "$ranks" "$@" >"$work/out" 2>&1
  else
    timeout 100 mpiexec.mpich -bind-to none -n "$ranks" "$@" >"$work/out" 2>&1
  fi
  code=$?
}

# preloaded RANKS LIBRARIES COMMAND... : with LD_PRELOAD and the map in the environment of the ranks
preloaded() {
  local ranks=$1 libraries=$2
  shift 2
  launch "$ranks" env RANKMAP_MAP="$map" LD_PRELOAD="$libraries" "$@"
}

expect() { grep -qF -- "$1" "$work/out" || fail "expected: $1"; }
expect_count() {
  local found
  found=$(grep -cF -- "$2" "$work/out")
  [ "$found" -eq "$1" ] || fail "expected $1 times, found $found: $2"
}
expect_code() { [ "$code" -eq "$1" ] || fail "exit code $code, expected $1"; }
expect_report() { grep -qx -- "$2" "$work/rank.$1" || fail "not in the report of rank $1: $2"; }

# What usual_map plans.
expect_placed() {
  expect_code 0
  grep -qx "rank 0 gpu 1 placed yes cpus $first_cpu" "$work/out" || fail "rank 0 is elsewhere"
  grep -qx "rank 1 gpu 0 placed yes cpus $last_cpu" "$work/out" || fail "rank 1 is elsewhere"
  expect_count 0 "broken"
}

for file in "$here"/cases/*.sh; do . "$file"; done
IFS=. read -r -a words <<<"$case_name"
[ "$(type -t "${words[0]}")" = function ] || fail "no such case: $case_name"
need where
"${words[@]}"
echo "ok: $case_name under $mpi"
