#!/bin/bash
# reorder.sh CASE MPI PROGRAMS LIBRARY RANKMAP MAKE_MAP: one test of the reorder library under a real MPI, with eight
# ranks dealt by turns to two emulated hosts. CASE: a function of this file with its arguments joined
# by dots. Exit code 77: skipped, because something is missing here.
set -u
case_name=$1 mpi=$2 programs=$3 library=$4 rankmap=$5 make_map=$6
here=$(cd "$(dirname "$0")" && pwd)
agent=$here/../other_host.sh
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# There are more ranks than CPUs, which Open MPI does not know: both hosts are this machine.
export OMPI_MCA_mpi_yield_when_idle=1
unset RANKMAP_MAP RANKMAP_STRICT RANKMAP_VERBOSE

skip() { echo "skipped: $1"; exit 77; }
fail() { echo "failed: $1"; echo "--- output"; cat "$work/out" 2>/dev/null; exit 1; }
expect() { grep -qx -- "$1" "$work/out" || fail "expected: $1"; }
expect_none() { if grep -q -- "$1" "$work/out"; then fail "did not expect: $1"; fi; }
expect_code() { [ "$code" -eq "$1" ] || fail "exit code $code, expected $1"; }

# The launcher's words for ranks 0, 2, 4, 6 on hosta and the others on hostb.
printf '#!/bin/bash\nexec bash %s "$@"\n' "$agent" >"$work/agent"
chmod +x "$work/agent"
if [ "$mpi" = openmpi ]; then
  start=(mpirun.openmpi --mca plm rsh --mca plm_rsh_agent "$work/agent" --host hosta:4,hostb:4
    --map-by node --bind-to none -np 8)
else
  start=(mpiexec.mpich -launcher ssh -launcher-exec "$work/agent" -hosts hosta,hostb -ppn 1
    -bind-to none -n 8)
fi

# dealt [VARIABLE=VALUE...] PROGRAM [ARGUMENTS...]
dealt() {
  timeout 250 "${start[@]}" env LD_PRELOAD="$library" "$@" >"$work/out" 2>&1
  code=$?
}

# least KIND BETWEEN EXTENTS... : the new order has the least weight of all orders, which is BETWEEN
least() {
  local kind=$1 between=$2
  shift 2
  dealt RANKMAP_STRICT=1 "$programs/topology" "$kind" "$@"
  expect_code 0
  expect "between hosts $between"
  expect "least $between"
  grep -q "^rank moved" "$work/out" || fail "no rank moved"
}

# Without reorder, and with it where the library is not loaded, every rank keeps its number.
untouched() {
  dealt "$programs/topology" "$1!" "${@:2}"
  expect_code 0
  expect_none "rank moved"
  library=
  dealt "$programs/topology" "$@"
  expect_code 0
  expect_none "rank moved"
}

# stays KIND BETWEEN EXTENTS... : dealt by turns is the best already
stays() {
  dealt "$programs/topology" "$1" "${@:3}"
  expect_code 0
  expect "between hosts $2"
  expect "least $2"
  expect_none "rank moved"
}

one_host_is_untouched() {
  start=(mpirun.openmpi --oversubscribe --bind-to none -np 8)
  [ "$mpi" = openmpi ] || start=(mpiexec.mpich -bind-to none -n 8)
  dealt "$programs/topology" cart 4 2
  expect_code 0
  expect "between hosts 0"
  expect_none "rank moved"
}

verbose_says_what_was_won() {
  dealt RANKMAP_VERBOSE=1 "$programs/topology" cart 2 4
  expect_code 0
  expect "rankmap: reorder: MPI_Cart_create of 8 ranks on 2 hosts: weight between hosts 2, was 6"
}

# A list that names an edge at one of its ends only.
strict_refuses_a_lonely_edge() {
  dealt "$programs/lonely"
  expect_code 0
  dealt RANKMAP_STRICT=1 "$programs/lonely"
  [ "$code" -ne 0 ] || fail "strict let a broken topology pass"
  expect "rankmap: reorder: MPI_Dist_graph_create_adjacent: the edge 0 -> 3 stands at one of its ends only"
}

# The library of the other MPI stays out of the way.
other_library_passes() {
  library=$(dirname "$library")/librankmap_reorder_$([ "$mpi" = openmpi ] && echo mpich || echo openmpi).so
  [ -e "$library" ] || skip "there is no other library"
  dealt "$programs/topology" cart 4 2
  expect_code 0
  expect_none "rank moved"
}

errors_are_the_mpis() {
  dealt "$programs/errors"
  expect_code 0
  [ "$(grep -o "errors came back" "$work/out" | wc -l)" -eq 8 ] || fail "an error was lost"
}

# run_reorder [--preload] : by the flag, beside the wrapper or beside the shim; all processes stay where
# they are planned
run_reorder() {
  [ -x "$rankmap" ] || skip "rankmap was not built"
  local cpus
  cpus=$(taskset -pc $$ | sed 's/.*: *//')
  "$make_map" 8 "$cpus" hosta,hostb rankmap 0,0,1,1,2,2,3,3 >"$work/map" || fail "no map"
  timeout 250 "$rankmap" run --map "$work/map" --reorder "$@" -- "${start[@]}" "$programs/topology" \
    cart 4 2 >"$work/out" 2>&1
  code=$?
  expect_code 0
  expect "between hosts 4"
  expect "least 4"
  grep -Eq "(^8 of 8 ranks sit as planned|, 8 as far as their host goes)$" "$work/out" ||
    fail "a rank is elsewhere"
}

# fortran KIND : a 4x2 grid out of Fortran
fortran() {
  dealt "$programs/cart_$1"
  expect_code 0
  expect "hosts are halves of the grid"
}

# The recorder counts what the program sends, and nothing of ours.
recorded() {
  local recorder=${library/_reorder_/_record_}
  [ -e "$recorder" ] || skip "$recorder was not built"
  library=$recorder:$library
  dealt RANKMAP_RECORD="$work/app.comm" "$programs/topology" cart 4 2
  expect_code 0
  expect "least 4"
  grep -q "^group 0 0-7 gather root=0 calls=2 " "$work/app.comm" || fail "the program's two gathers"
  [ "$(grep -c "^group 0 " "$work/app.comm")" -eq 1 ] || fail "our calls are in the record"
}

# Debian's mpi4py is Open MPI's.
python() {
  [ "$mpi" = openmpi ] && /usr/bin/python3 -c 'import mpi4py' 2>/dev/null || skip "no mpi4py for $mpi"
  dealt /usr/bin/python3 "$here/cart_mpi4py.py"
  expect_code 0
  expect "hosts are halves of the grid"
}

[ -e "$programs/topology" ] || skip "the programs were not built"
[[ $case_name != fortran.* || -e $programs/cart_${case_name#*.} ]] || skip "no Fortran here"
[ -e "$library" ] || skip "$library was not built"
bash "$agent" otherhost true 2>/dev/null || skip "no UTS namespaces for us here"
IFS=. read -r -a words <<<"$case_name"
[ "$(type -t "${words[0]}")" = function ] || fail "no such case: $case_name"
"${words[@]}"
echo "ok: $case_name under $mpi"
