#!/bin/bash
# One test of the NCCL recorder, called by a stand-in for NCCL.
# nccl_cases.sh CASE MPI PROGRAMS RANKMAP LIBRARIES ; CASE: a function below with its arguments joined by
# dots; MPI: openmpi, mpich, or none: four processes that nobody launches; PROGRAMS: where nccl_caller is;
# LIBRARIES: where the recorders are. Exit code 77: skipped, because something is missing.
set -u
case_name=$1 mpi=$2 programs=$3 rankmap=$4 libraries=$5
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
unset "${!RANKMAP_@}" "${!SLURM_@}" "${!NCCL_@}"
plugin=$libraries/librankmap_record_nccl.so
record=$work/app.comm
caller=$programs/nccl_caller

skip() { echo "skipped: $1"; exit 77; }
fail() {
  echo "failed: $1"
  for file in "$work/out" "$record" "$record.nccl"/*; do
    [ ! -f "$file" ] || { echo "--- $file" && cat "$file"; }
  done
  exit 1
}
expect() { grep -qF -- "$1" "$work/out" || fail "expected: $1"; }
expect_not() { ! grep -qF -- "$1" "$work/out" || fail "did not expect: $1"; }
expect_times() {
  [ "$(grep -cF -- "$2" "$work/out")" -eq "$1" ] || fail "expected $1 times: $2"
}

# four VERSION WHAT: a process a rank; the worst exit code in $code
four() {
  local pids=() pid r own
  code=0
  for r in 0 1 2 3; do
    RANK=$r WORLD_SIZE=4 RANKMAP_RECORD=${recorded_to-$record} NCCL_PROFILER_PLUGIN=$plugin \
      timeout 60 "$caller" "$@" >"$work/out.$r" 2>&1 &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do
    wait "$pid"
    own=$?
    [ $own -le $code ] || code=$own
  done
  cat "$work"/out.[0-3] >"$work/out"
}

# as_graph FILE EXPECTED: what rankmap understands, without the weights and the heading
as_graph() {
  "$rankmap" pattern "file:$1" --comm >"$work/graph" 2>>"$work/out" || fail "$1 cannot be read"
  grep -v '^#' "$work/graph" | sed 's/^\([0-9].*\) 1$/\1/' >"$work/found"
  diff "$work/found" "$2" >>"$work/out" || fail "not what was expected (<: found)"
}

# of_version VERSION EXPECTED: only version 6 has collectives by copy engines
of_version() {
  if [ "$1" -eq 6 ]; then cat "$2" && return; fi
  awk '/AlltoAll/ { gone = n } /^group/ { ++n }
       /^[0-9]/ && $6 == gone && $6 != "-" { next } /^[0-9]/ && $6 + 0 > gone { --$6 } !/AlltoAll/' "$2"
}

# without_mpi.VERSION: parts of four processes
without_mpi() {
  four "$1" all
  [ "$code" -eq 0 ] || fail "exit code $code"
  expect_times 4 "mask $([ "$1" -eq 6 ] && echo 4102 || echo 6)"
  of_version "$1" "$here/nccl.expected" >"$work/expected"
  as_graph "$record.nccl" "$work/expected"
  [ -z "$(find "$record.nccl" -name '.part*')" ] || fail "an unfinished part is left"
}

# 2 threads x 5000 sends of 2 bytes and AllReduces of 10 on each communicator: 100000 bytes in 10000
# calls are 2 x 3/4 x 100000 = 150000 bytes in 60000 messages.
threads() {
  four 5 threads
  [ "$code" -eq 0 ] || fail "exit code $code"
  { printf 'ranks 4\nphases 1\n'
    for name in "Send 0x1 one" "AllReduce 0x1 one" "Send 0x2 two" "AllReduce 0x2 two"; do
      echo "group 0 0-3 $name"
    done
    for pair in "0 1" "1 2" "2 3" "3 0"; do
      for name in 0 1 2 3; do
        [ $((name % 2)) -eq 0 ] && echo "$pair 20000 10000 0 $name" || echo "$pair 150000 60000 0 $name"
      done
    done; } >"$work/expected"
  # Which communicator is first depends on the threads.
  "$rankmap" pattern "file:$record.nccl" --comm >"$work/graph" || fail "it cannot be read"
  grep -v '^#' "$work/graph" | awk '
    /^group/ { name[n++] = $4 " " $5 " " $6; print; next }
    /^[0-9]/ { print $1, $2, $3, $4, name[$6]; next } { print }' | sort >"$work/found"
  awk '/^group/ { name[n++] = $4 " " $5 " " $6; print; next }
    /^[0-9]/ { print $1, $2, $3, $4, name[$6]; next } { print }' "$work/expected" | sort |
    diff "$work/found" - >>"$work/out" || fail "not what was expected (<: found)"
}

# What was on disk when they were killed: two AllGathers of 100 bytes, in 3 x 2 messages.
killed() {
  four 5 killed
  [ "$code" -ne 0 ] || fail "they were not killed"
  cat >"$work/expected" <<'TEXT'
ranks 4
phases 1
group 0 0-3 AllGather 0x7 world
0 1 600 6 0 0
1 2 600 6 0 0
2 3 600 6 0 0
3 0 600 6 0 0
TEXT
  as_graph "$record.nccl" "$work/expected"
}

again() {
  four 6 again
  [ "$code" -eq 0 ] || fail "exit code $code"
  [ "$(find "$record.nccl" -type f | wc -l)" -eq 4 ] || fail "children wrote parts too"
  "$rankmap" pattern "file:$record.nccl" --comm >"$work/graph" || fail "it cannot be read"
  grep -q '^group 0 0-3 AllGather 0x7 first$' "$work/graph" || fail "the first load is forgotten"
  grep -q '^0 1 60 3 0 1 ' "$work/graph" || fail "the second load is not counted"
}

two_ranks_in_a_process() {
  RANK=0 WORLD_SIZE=1 RANKMAP_RECORD=$record NCCL_PROFILER_PLUGIN=$plugin "$caller" 6 both \
    >"$work/out" 2>&1 || fail "exit code $?"
  printf 'ranks 2\nphases 1\ngroup 0 0-1 AllGather 0x5\n0 1 100 1 0 0\n1 0 100 1 0 0\n' >"$work/expected"
  as_graph "$record.nccl" "$work/expected"
}

without_a_record() {
  recorded_to='' four 6 all
  [ "$code" -eq 0 ] || fail "exit code $code"
  expect_times 4 "mask 0"
  [ "$(find "$work" -name '*nccl*' | wc -l)" -eq 0 ] || fail "something was written"
}

unwritable() {
  recorded_to=$work/missing/app.comm four 6 all
  [ "$code" -eq 0 ] || fail "exit code $code"
  expect_times 4 "cannot write what NCCL did into $work/missing/app.comm.nccl: No such file"
  expect_times 4 "mask 4102"
  echo "not a folder" >"$record.nccl"
  four 6 all
  [ "$code" -eq 0 ] || fail "exit code $code"
  expect_times 4 "Not a directory"
}

phases_by_time() {
  export RANKMAP_RECORD_PHASES=time:0.2
  four 6 slow
  "$rankmap" pattern "file:$record.nccl" --comm >"$work/graph" || fail "it cannot be read"
  [ "$(grep -c ^group "$work/graph")" -ge 2 ] || fail "all is in one phase"
  [ "$(awk '/^0 1/ { bytes += $3 } END { print bytes }' "$work/graph")" -eq 900 ] || fail "calls are missing"
}

# It must load wherever NCCL does: no library but libc, no symbol version that an old glibc lacks.
loads_anywhere() {
  command -v objdump >/dev/null || skip "no objdump"
  [ "$(objdump -p "$plugin" | awk '$1 == "NEEDED" { print $2 }')" = libc.so.6 ] || fail "needs more"
  objdump -T "$plugin" | grep -oE 'GLIBC_[0-9.]+' | sort -Vu >"$work/out"
  [ "$({ cat "$work/out"; echo GLIBC_2.17; } | sort -V | tail -1)" = GLIBC_2.17 ] || fail "too new"
  objdump -T "$plugin" | awk '$4 ~ /^\./ { print $NF }' | sort | tr '\n' ' ' >"$work/out"
  [ "$(cat "$work/out")" = "ncclProfiler_v4 ncclProfiler_v5 ncclProfiler_v6 " ] || fail "other exports"
}

# launcher RANKS : the words that start so many ranks here
launcher() {
  if [ "$mpi" = openmpi ]; then
    echo mpirun.openmpi --oversubscribe --bind-to none -np "$1"
  else
    echo mpiexec.mpich -bind-to none -n "$1"
  fi
}

# run OPTIONS -- PROGRAM...: `rankmap run --record`, exit code in $code
run() {
  local options=()
  while [ "$1" != -- ]; do options+=("$1") && shift; done
  shift
  timeout 100 "$rankmap" run --record "$record" "${options[@]}" -- $(launcher 4) "$@" >"$work/out" 2>&1
  code=$?
}

# merged.VERSION.wrapper, merged.VERSION.preload: messages of MPI in phase 0, NCCL after MPI_Pcontrol(2)
merged() {
  local how=()
  [ "$2" = wrapper ] || how=(--preload)
  mkdir "$record.nccl"
  printf '# rankmap nccl 1\nprocess old 1\n' >"$record.nccl/part.old.1"
  echo "part of a thesis" >"$record.nccl/part.of.a.thesis"
  run "${how[@]}" -- "$caller" "$1" all
  [ "$code" -eq 0 ] || fail "exit code $code"
  expect "the record is in $record (of MPI and NCCL)"
  of_version "$1" "$here/nccl_merged.expected" >"$work/expected"
  as_graph "$record" "$work/expected"
  [ "$(tail -1 "$record")" = "# other: 4 calls of NCCL are not listed" ] || fail "the rest is not told"
  [ "$(ls -A "$record.nccl")" = part.of.a.thesis ] || fail "not all parts are gone, or more than they"
}

# NCCL alone, in a job that MPI's launcher starts.
alone() {
  export RANKMAP_MPI=none
  run -- sh -c 'RANK=${OMPI_COMM_WORLD_RANK:-$PMI_RANK} WORLD_SIZE=4 exec "$0" 6 all' \
    "$programs/../nccl_caller"
  [ "$code" -eq 0 ] || fail "exit code $code"
  expect "the record is in $record (of NCCL)"
  as_graph "$record" "$here/nccl.expected"
  [ ! -e "$record.nccl" ] || fail "the folder of the parts is left"
  run -- true
  expect "no record was written: no process used NCCL of version 2.27 or later"
}

# What the user loads into NCCL himself stays.
users_plugin() {
  export NCCL_PROFILER_PLUGIN=$plugin RANKMAP_STRICT=
  run -- "$caller" 6 all
  expect "NCCL is not recorded, as NCCL_PROFILER_PLUGIN is set to"
  expect "the record is in $record (of MPI)"
  export RANKMAP_MPI=none
  run -- "$caller" 6 all
  expect "there is nothing to record"
}

# Each process makes a communicator of the same name alone: that is no job.
what_contradicts_is_told() {
  run -- "$caller" 6 both
  [ "$code" -eq 0 ] || fail "exit code $code"
  expect "is another process above"
  expect "what NCCL did is not in the record, but stays in $record.nccl"
  expect "the record is in $record (of MPI)"
  [ "$(find "$record.nccl" -name 'part.*' | wc -l)" -eq 4 ] || fail "the parts are gone"
}

[ -e "$plugin" ] || fail "there is no $plugin"
[ -e "$caller" ] || skip "$caller was not built"
IFS=. read -r -a words <<<"$case_name"
[ "$(type -t "${words[0]}")" = function ] || fail "no such case: $case_name"
"${words[@]}"
echo "ok: $case_name under $mpi"
