#!/bin/bash
# Builds record_bench.c with an MPI and runs both measurements with the recorder of that MPI; or, with
# nccl, nccl_record_bench.c with the recorder of NCCL.
# record_bench.sh openmpi|mpich|nccl LIBRARIES ; LIBRARIES: the folder of librankmap_record_*.so
set -eu
mpi=$1 recorder=$(realpath "$2")/librankmap_record_$1.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "$mpi" = nccl ]; then
  here=$(dirname "$0")
  cc -O2 -I"$here/.." -o "$work/nccl_record_bench" "$here/nccl_record_bench.c" -ldl
  RANKMAP_RECORD="$work/app.comm" "$work/nccl_record_bench" "$recorder"
  exit
fi
mpicc."$mpi" -O2 -Wno-stringop-overflow -o "$work/record_bench" "$(dirname "$0")/record_bench.c" -ldl -lm
run() {
  if [ "$mpi" = openmpi ]; then
    mpirun.openmpi --oversubscribe -np "$@"
  else
    mpiexec.mpich -n "$@"
  fi
}
for what in "2 calls" "2 halo"; do
  read -r ranks mode <<<"$what"
  echo "$mpi, $mode, $ranks ranks"
  run "$ranks" env RANKMAP_RECORD="$work/app.comm" LD_PRELOAD="$recorder" "$work/record_bench" "$mode"
done
