#!/bin/bash
# One test of `rankmap run` and `rankmap check` around a real launcher.
# run.sh CASE MPI TESTS RANKMAP NVML SHIM ; CASE: a function of cases/*.sh with its arguments joined by
# dots; MPI: openmpi or mpich; TESTS: folder of the test programs; NVML: the stand-in for NVIDIA's
# management library. Exit code 77: skipped, because something is missing here.
set -u
case_name=$1 mpi=$2 programs=$3 rankmap=$4 nvml=$5 shim=$6
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TMPDIR=$work/tmp
unset "${!RANKMAP_@}" "${!SLURM_@}" "${!HWLOC_@}" PBS_NODEFILE LSB_HOSTS CUDA_VISIBLE_DEVICES
mkdir "$work/tmp" "$work/folder" "$work/bin"
cd "$work/folder" || exit 1
host=$(uname -n)

# The CPUs that are allowed here, one by one.
each_cpu() {
  local part all=()
  for part in ${1//,/ }; do all+=($(seq "${part%-*}" "${part#*-}")); done
  echo "${all[*]}"
}
cpus=$(each_cpu "$(taskset -pc $$ | sed 's/.*: *//')")

skip() { echo "skipped: $1"; exit 77; }
fail() {
  echo "failed: $1"
  echo "--- stdout" && cat "$work/out"
  echo "--- stderr" && cat "$work/err"
  exit 1
}
need() { [ -e "$programs/$1" ] || skip "$1 was not built"; }

# launcher RANKS: the words before the program, in ${words[@]}
launcher() {
  case $mpi in
    openmpi) words=(mpirun.openmpi --oversubscribe -np "$1") ;;
    mpich) words=(mpiexec.mpich -n "$1") ;;
  esac
}

# rankmap_ WORDS... : stdout in $work/out, stderr in $work/err, exit code in $code
rankmap_() {
  timeout 250 "$rankmap" "$@" >"$work/out" 2>"$work/err"
  code=$?
  nothing_is_left
}

# run RANKS OPTIONS... -- PROGRAM... : and check RANKS ... likewise
run() { start run "$@"; }
check() { start check "$@"; }
start() {
  local command=$1 ranks=$2 options=() words
  shift 2
  while [ "$1" != -- ]; do options+=("$1") && shift; done
  launcher "$ranks"
  rankmap_ "$command" "${options[@]}" -- "${words[@]}" "${@:2}"
}

# The folders of a job go with it.
nothing_is_left() {
  local left
  left=$(find "$work/tmp" "$work/folder" -name 'rankmap-job*')
  [ -z "$left" ] || fail "left behind: $left"
}

expect() { grep -qF -- "$2" "$work/$1" || fail "expected on $1: $2"; }
expect_line() { grep -qxE -- "$2" "$work/$1" || fail "expected this line on $1: $2"; }
expect_count() {
  local found
  found=$(grep -cF -- "$3" "$work/$2")
  [ "$found" -eq "$1" ] || fail "expected $1 times on $2, found $found: $3"
}
expect_empty() { [ ! -s "$work/$1" ] || fail "expected nothing on $1"; }
expect_code() { [ "$code" -eq "$1" ] || fail "exit code $code, expected $1"; }

# expect_own_output RANKS: a line of `where` a rank, in rank order, and no other
expect_own_output() {
  local found
  found=$(sed -n 's/^rank \([0-9]*\) gpu .*/\1/p' "$work/out" | tr '\n' ' ')
  [ "$found" = "$(seq -s ' ' 0 $(($1 - 1))) " ] || fail "ranks on stdout: $found"
  [ "$(wc -l <"$work/out")" -eq "$1" ] || fail "more on stdout than the program says"
}

# As `where` says of rank $1: its GPUs, its CPUs.
gpus_of() { sed -n "s/^rank $1 gpu \([^ ]*\) .*/\1/p" "$work/out"; }
cpus_of() { sed -n "s/^rank $1 gpu .* cpus //p" "$work/out"; }

# The GPUs of all ranks of a map, in rank order.
gpus_of_map() { tail -c +257 "$1" | awk '{printf "%s%s", sep, $3; sep = " "}'; }

for file in "$here"/cases/*.sh; do . "$file"; done
IFS=. read -r -a case_words <<<"$case_name"
[ "$(type -t "${case_words[0]}")" = function ] || { echo "no such case: $case_name" && exit 1; }
need where
"${case_words[@]}"
echo "ok: $case_name under $mpi"
