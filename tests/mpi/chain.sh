#!/bin/bash
# Record, map, run, check: the whole way of a code that nobody knows.
# chain.sh MPI RANKMAP STENCIL ; exit code 77: skipped, because something is missing here.
set -u
mpi=$1 rankmap=$2 stencil=$3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fail() { echo "failed: $1"; tail -n 40 ./*.out; exit 1; }
[ -x "$stencil" ] || { echo "skipped: the stencil was not built"; exit 77; }

case $mpi in
  openmpi) launcher=(mpirun.openmpi --oversubscribe -np 6) ;;
  mpich) launcher=(mpiexec.mpich -n 6) ;;
esac

timeout 100 "$rankmap" run --quiet --record app.comm -- "${launcher[@]}" "$stencil" >record.out 2>&1 ||
  fail "the recorded run"
[ -s app.comm ] || fail "there is no record"

# closed in its second dimension, of two ranks: both neighbours there are the same
"$rankmap" show app.comm >show.out 2>&1 || fail "show"
grep -q "^looks like stencil:3x2" show.out || fail "not recognised as a stencil of 3x2"
grep -q "not bandwidth sensitive" show.out || fail "small messages taken for large ones"

cores=$("$rankmap" machine local --json | tr -d ' \n' | sed -n 's/.*"slots":\([0-9]*\).*/\1/p')
"$rankmap" map file:app.comm -m local --ranks-per-slot $(((5 + cores) / cores)) -o job.rankmap \
  >map.out 2>&1 || fail "map"
timeout 100 "$rankmap" run --map job.rankmap --report ranks.json -- "${launcher[@]}" "$stencil" \
  >run.out 2>&1 || fail "the planned run"
grep -q '"ranks": 6' ranks.json || fail "six ranks did not report"
! grep -q '"verdict": "wrong"' ranks.json || fail "a rank is not as planned"
timeout 100 "$rankmap" check --map job.rankmap -- "${launcher[@]}" "$stencil" >check.out 2>&1 ||
  fail "check says no"
grep -Eq "^[0-6] of 6 ranks sit as planned" check.out || fail "check does not count six"
echo "ok: recorded, recognised, mapped, run and checked under $mpi"
