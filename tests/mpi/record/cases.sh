#!/bin/bash
# One test of the recorder under a real MPI. cases.sh CASE MPI TESTS RANKMAP LIBRARIES ; CASE: a function
# below with its arguments joined by dots; MPI: openmpi or mpich; TESTS: folder of the test programs;
# LIBRARIES: where the recorder and the shim are. Exit code 77: skipped, because something is missing.
set -u
case_name=$1 mpi=$2 programs=$3 rankmap=$4 libraries=$5
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
unset RANKMAP_RECORD RANKMAP_RECORD_PHASES RANKMAP_RECORD_FLOWS RANKMAP_RECORD_MPI RANKMAP_STRICT
recorder=$libraries/librankmap_record_$mpi.so
record=$work/app.comm

skip() { echo "skipped: $1"; exit 77; }
fail() { echo "failed: $1"; echo "--- output"; cat "$work/out"; echo "--- record"; head -50 "$record"; exit 1; }
need() { [ -e "$programs/$1" ] || skip "$1 was not built"; }

# launcher RANKS : the words that start so many ranks here
launcher() {
  if [ "$mpi" = openmpi ]; then
    echo mpirun.openmpi --oversubscribe --bind-to none -np "$1"
  else
    echo mpiexec.mpich -bind-to none -n "$1"
  fi
}

# preloaded RANKS LIBRARIES COMMAND... : output in $work/out, exit code in $code
preloaded() {
  local ranks=$1 libraries=$2
  shift 2
  timeout 100 $(launcher "$ranks") env RANKMAP_RECORD="$record" LD_PRELOAD="$libraries" "$@" \
    >"$work/out" 2>&1
  code=$?
}

recorded() {
  local ranks=$1
  shift
  preloaded "$ranks" "$recorder" "$@"
  [ "$code" -eq 0 ] || fail "exit code $code"
}

expect() { grep -qF -- "$1" "$work/out" || fail "expected: $1"; }
expect_not() { ! grep -qF -- "$1" "$work/out" || fail "did not expect: $1"; }
edges() { grep '^[0-9]' "$record"; }
expect_edges() { [ "$(edges | wc -l)" -eq "$1" ] || fail "$(edges | wc -l) edges, expected $1"; }

# calls.PROGRAM.EXPECTED
calls() {
  need "$1"
  recorded 4 "$programs/$1"
  bash "$here/check_calls.sh" "$here/$2.expected" "$work/out" "$record" || fail "the record differs"
}

# The point-to-point counts of Open MPI's own monitoring for this program.
stencil_as_monitored() {
  need stencil
  recorded 6 "$programs/stencil"
  edges | awk '$6 == "-" { print $1, $2, $3, $4 }' | sort -n -k1 -k2 | diff - "$here/stencil.expected" ||
    fail "not what was monitored"
  grep -qx 'group 0 0-5 allreduce calls=10 bytes=80' "$record" || fail "no group of the allreduce"
}

# Collectives expand to the edges that the same pattern has. 64 bytes: blocks without a rest.
collectives_are_patterns() {
  need collectives
  for kind in alltoall allgather allreduce bcast reduce; do
    recorded 8 "$programs/collectives" "$kind"
    "$rankmap" pattern "file:$record" --comm | grep '^[0-9]' >"$work/found"
    "$rankmap" pattern "$kind:8,bytes=64,messages=3" --comm | grep '^[0-9]' >"$work/wanted"
    [ -s "$work/wanted" ] || fail "no pattern $kind"
    diff "$work/found" "$work/wanted" || fail "$kind is not the pattern"
  done
}

threads() {
  need threads
  preloaded 2 "$recorder" "$programs/threads"
  [ "$code" -ne 77 ] || skip "no MPI_THREAD_MULTIPLE here"
  [ "$code" -eq 0 ] || fail "exit code $code"
  # 1000 messages of 1, 2, 3 and 4 bytes each way.
  edges | grep -qx '0 1 10000 4000 0 -' || fail "rank 0 sent otherwise"
  edges | grep -qx '1 0 10000 4000 0 -' || fail "rank 1 sent otherwise"
  grep -qx 'group 0 0-1 bcast root=0 calls=4000 bytes=10000' "$record" || fail "other broadcasts"
}

many_ranks_of_nothing() {
  need simple
  recorded 32 "$programs/simple" none
  printf '# rankmap comm 1\nranks 32\n' | diff - "$record" || fail "there was nothing to record"
  "$rankmap" pattern "file:$record" >"$work/out" || fail "it cannot be read"
}

phases_by_time() {
  need simple
  recorded 2 env RANKMAP_RECORD_PHASES=time:0.1 "$programs/simple" slow
  [ "$(edges | cut -d' ' -f5 | sort -u | wc -l)" -ge 3 ] || fail "fewer than three phases"
  recorded 2 env RANKMAP_RECORD_PHASES=nonsense "$programs/simple" each
  expect "neither pcontrol nor time:SECONDS"
}

memory_is_bounded() {
  need simple
  recorded 8 env RANKMAP_RECORD_FLOWS=5 "$programs/simple" each
  expect_edges 40
  expect "leaves out 16 messages (16 bytes)"
  grep -qx '# other: 16 bytes in 16 messages are not listed' "$record" || fail "the rest is not told"
}

unwritable() {
  need simple
  record=$work/missing/app.comm
  recorded 2 "$programs/simple" each
  expect "ended well"
  expect "cannot write the record"
  [ "$(grep -c 'cannot write' "$work/out")" -eq 1 ] || fail "more than one warning"
}

# with_tool.first, with_tool.last: loaded before or behind the recorder
with_tool() {
  need tool.so
  local order=$programs/tool.so:$recorder
  [ "$1" = first ] || order=$recorder:$programs/tool.so
  preloaded 4 "$order" "$programs/simple" each
  [ "$code" -eq 0 ] || fail "exit code $code"
  [ "$(grep -c 'tool saw 3' "$work/out")" -eq 4 ] || fail "the tool did not see the calls"
  expect_edges 12
  [ "$(edges | awk '$3 != 1 || $4 != 1' | wc -l)" -eq 0 ] || fail "calls were counted twice"
}

with_shim() {
  local shim=$libraries/librankmap_shim.so
  for order in "$shim:$recorder" "$recorder:$shim"; do
    preloaded 4 "$order" "$programs/simple" each
    [ "$code" -eq 0 ] || fail "exit code $code"
    expect_edges 12
  done
}

# It must load wherever MPI does: no library but libc, no symbol version that an old glibc lacks.
loads_anywhere() {
  command -v objdump >/dev/null || skip "no objdump"
  [ "$(objdump -p "$recorder" | awk '$1 == "NEEDED" { print $2 }')" = libc.so.6 ] || fail "needs more"
  objdump -T "$recorder" | grep -oE 'GLIBC_[0-9.]+' | sort -Vu >"$work/out"
  [ "$({ cat "$work/out"; echo GLIBC_2.17; } | sort -V | tail -1)" = GLIBC_2.17 ] || fail "too new"
}

# The recorder of another MPI than the program's lets it through and writes nothing; with both loaded,
# the right one records.
the_other_mpi() {
  local other=$libraries/librankmap_record_mpich.so
  [ "$mpi" = openmpi ] || other=$libraries/librankmap_record_openmpi.so
  [ -e "$other" ] || skip "there is only one recorder"
  preloaded 4 "$other" "$programs/calls"
  [ "$code" -eq 0 ] || fail "exit code $code"
  [ ! -e "$record" ] || fail "the recorder of the other MPI wrote something"
  for order in "$other:$recorder" "$recorder:$other"; do
    preloaded 4 "$order" "$programs/calls"
    [ "$code" -eq 0 ] || fail "exit code $code"
    bash "$here/check_calls.sh" "$here/calls.expected" "$work/out" "$record" || fail "in order $order"
    rm "$record"
  done
}

# MPI is loaded out of the global scope there.
mpi4py() {
  /usr/bin/python3 -c 'import mpi4py' 2>/dev/null || skip "no python3-mpi4py here"
  for libraries in "$recorder" "$libraries/librankmap_shim.so:$recorder"; do
    preloaded 2 "$libraries" /usr/bin/python3 -c '
from mpi4py import MPI
comm = MPI.COMM_WORLD
comm.Sendrecv(bytearray(9), 1 - comm.rank, recvbuf=bytearray(9), source=1 - comm.rank)'
    [ "$code" -eq 0 ] || fail "exit code $code"
    edges | grep -qx '0 1 9 1 0 -' || fail "it was not recorded"
  done
}

# run.wrapper, run.preload: by rankmap itself
run() {
  local how
  case $1 in
    wrapper) how=() ;;
    preload) how=(--preload) ;;
  esac
  timeout 100 "$rankmap" run --record "$record" "${how[@]}" -- $(launcher 6) "$programs/stencil" \
    >"$work/out" 2>&1 || fail "the job failed"
  expect "the record is in $record"
  expect_edges 20
  "$rankmap" show "$record" >"$work/out" || fail "show cannot read it"
  expect stencil
}

run_says_when_nothing_was_written() {
  timeout 100 "$rankmap" run --record "$record" -- $(launcher 2) "$programs/simple" none \
    >"$work/out" 2>&1 || fail "the job failed"
  expect "the record is in"
  timeout 100 "$rankmap" run --record "$record" -- $(launcher 2) "$programs/simple" abort \
    >"$work/out" 2>&1 && fail "an aborted job ended well"
  expect "no record was written"
  expect_not "the record is in"
}

[ -e "$recorder" ] || skip "there is no recorder for $mpi"
IFS=. read -r -a words <<<"$case_name"
[ "$(type -t "${words[0]}")" = function ] || fail "no such case: $case_name"
"${words[@]}"
echo "ok: $case_name under $mpi"
