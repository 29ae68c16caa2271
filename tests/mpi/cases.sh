#!/bin/bash
# One test of the wrapper or the shim under a real MPI.
# cases.sh CASE MPI TESTS WRAPPER SHIM ; MPI: openmpi or mpich; TESTS: folder of the test programs.
# Exit code 77: skipped, because something is missing here.
set -u
case_name=$1 mpi=$2 programs=$3 wrapper=$4 shim=$5
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
first_cpu=$(taskset -pc $$ | sed 's/.*: *//; s/[,-].*//')
map=$work/job.rankmap

skip() { echo "skipped: $1"; exit 77; }
fail() { echo "failed: $1"; echo "--- output"; cat "$work/out" 2>/dev/null; exit 1; }
need() { [ -e "$programs/$1" ] || skip "$1 was not built"; }
make_map() { "$programs/make_map" "$@" >"$map" || fail "no map"; }

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

# Two ranks on reversed GPUs, both on the first CPU.
expect_placed() {
  expect_code 0
  expect "rank 0 gpu 1 placed yes cpus $first_cpu"
  expect "rank 1 gpu 0 placed yes cpus $first_cpu"
  expect_count 0 "broken"
}

wrapper_places() { make_map 2 "$first_cpu"; launch 2 "$wrapper" --map "$map" -- "$programs/where"; expect_placed; }
shim_places() { make_map 2 "$first_cpu"; preloaded 2 "$shim" "$programs/where"; expect_placed; }
shim_places_thread() { make_map 2 "$first_cpu"; preloaded 2 "$shim" "$programs/where_thread"; expect_placed; }
shim_places_pmpi() { make_map 2 "$first_cpu"; preloaded 2 "$shim" "$programs/where_pmpi"; expect_placed; }

shim_places_plugin() {
  make_map 2 "$first_cpu"
  preloaded 2 "$shim" "$programs/loader" "$programs/where_plugin.so"
  expect_placed
}

shim_places_fortran() {
  need where_fortran
  make_map 2 "$first_cpu"
  preloaded 2 "$shim" "$programs/where_fortran"
  expect "rank 0 gpu 1"
  expect "rank 1 gpu 0"
}

wrapper_and_shim_agree() {
  make_map 2 "$first_cpu"
  launch 2 env RANKMAP_MAP="$map" LD_PRELOAD="$shim" "$wrapper" --map "$map" -- "$programs/where"
  expect_placed
}

shim_before_a_tool() {
  make_map 2 "$first_cpu"
  preloaded 2 "$shim:$programs/tool.so" "$programs/where"
  expect_placed
  expect_count 2 "tool saw MPI_Init"
}

shim_behind_a_tool() {
  make_map 2 "$first_cpu"
  preloaded 2 "$programs/tool.so:$shim" "$programs/where"
  expect_placed
  expect_count 2 "tool saw MPI_Init"
}

other_size_passes() {
  make_map 3 "$first_cpu"
  launch 2 "$wrapper" --map "$map" -- "$programs/where"
  expect_code 0
  expect "rank 0 gpu - placed no"
  expect_count 1 "the job has 2 ranks, the map $map has 3"
}

strict_refuses() {
  make_map 3 "$first_cpu"
  launch 1 env RANKMAP_STRICT=1 "$wrapper" --map "$map" -- "$programs/where"
  expect_code 125
  expect_count 0 "rank 0 gpu"
  launch 1 env RANKMAP_STRICT=1 RANKMAP_MAP="$map" LD_PRELOAD="$shim" "$programs/where"
  [ "$code" -ne 0 ] || fail "the shim let a doubtful job run"
  expect_count 0 "rank 0 gpu"
}

exit_code_passes() {
  make_map 1 "$first_cpu"
  launch 1 "$wrapper" --map "$map" -- "$programs/where" 7
  expect_code 7
}

missing_cpus_are_told_once() {
  make_map 2 8000
  launch 2 "$wrapper" --map "$map" -- "$programs/where"
  expect_code 0
  expect "rank 0 gpu 1 placed yes"
  expect_count 1 "does not have the planned CPUs 8000"
}

garbage_map_passes() {
  head -c 4000 /dev/urandom >"$map"
  launch 2 "$wrapper" --map "$map" -- "$programs/where"
  expect_code 0
  expect "rank 1 gpu - placed no"
  expect_count 1 "not a map file"
  preloaded 2 "$shim" "$programs/where"
  expect_code 0
  expect "rank 1 gpu - placed no"
}

reports_are_written() {
  make_map 2 "$first_cpu"
  launch 2 "$wrapper" --map "$map" --report "$work" -- "$programs/where"
  expect_code 0
  for rank in 0 1; do
    grep -qx "state placed" "$work/rank.$rank" || fail "no report of rank $rank"
    grep -qx "cpus_actual $first_cpu" "$work/rank.$rank" || fail "wrong CPUs in the report of $rank"
  done
}

# The exported rankfile, as its command line says.
rankfile_starts() {
  make_map 2 "$first_cpu"
  "$programs/make_map" 2 "$first_cpu" "*" openmpi4 >"$work/rankfile"
  timeout 100 mpirun.openmpi --host localhost:2 -rf "$work/rankfile" -np 2 \
    "$wrapper" --map "$map" -- "$programs/where" >"$work/out" 2>&1
  code=$?
  expect_code 0
  expect "rank 0 gpu 1 placed yes"
  expect "rank 1 gpu 0 placed yes"
}

# Two host names on this machine: ranks 0, 2 on the first and 1, 3 on the second.
two_hosts() {
  local agent
  agent=$(dirname "$0")/other_host.sh
  bash "$agent" otherhost true 2>/dev/null || skip "no UTS namespaces for us here"
  make_map 4 "$first_cpu" hosta,hostb
  if [ "$mpi" = openmpi ]; then
    "$programs/make_map" 4 "$first_cpu" hosta,hostb openmpi4 >"$work/rankfile"
    timeout 100 mpirun.openmpi --mca plm rsh --mca plm_rsh_agent "bash $agent" \
      --host hosta:2,hostb:2 -rf "$work/rankfile" -np 4 \
      "$wrapper" --map "$map" --report "$work" -- "$programs/where" >"$work/out" 2>&1
  else
    printf '#!/bin/bash\nexec bash %s "$@"\n' "$agent" >"$work/agent"
    chmod +x "$work/agent"
    timeout 100 mpiexec.mpich -launcher ssh -launcher-exec "$work/agent" -hosts hosta,hostb -ppn 1 \
      -bind-to none -n 4 "$wrapper" --map "$map" --report "$work" -- "$programs/where" \
      >"$work/out" 2>&1
  fi
  code=$?
  expect_code 0
  expect "rank 0 gpu 3 placed yes"
  expect "rank 3 gpu 0 placed yes"
  grep -qx "host hostb" "$work/rank.1" || fail "rank 1 is not on hostb"
  grep -qx "host hosta" "$work/rank.2" || fail "rank 2 is not on hosta"
}

[ "$(type -t "$case_name")" = function ] || fail "no such case: $case_name"
need where
"$case_name"
echo "ok: $case_name under $mpi"
