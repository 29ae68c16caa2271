#!/bin/bash
# A program that starts CUDA before MPI, under the preloaded shim. late.sh SHIM LATE MAKE_MAP
set -u
shim=$1 late=$2 make_map=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "failed: $1"; cat "$work/out"; exit 1; }

# launch NAME=VALUE...: under these variables alone
launch() {
  env -i RANKMAP_SYSROOT="$work" RANKMAP_MAP="$work/map" LD_PRELOAD="$shim" "$@" "$late" \
    >"$work/out" 2>&1 || fail "exit code $?: $*"
}
expect() { grep -qx -- "$1" "$work/out" || fail "expected the line \"$1\""; }
says_late() { grep -q "CUDA driver was initialised before this rank was placed" "$work/out"; }

mkdir -p "$work/dev"
touch "$work/dev/nvidiactl"
for gpu in 0 1; do
  mkdir -p "$work/proc/driver/nvidia/gpus/0000:0$gpu:00.0"
  printf 'Model:\tTest 1\nGPU UUID:\tGPU-%d%d\nDevice Minor:\t%d\n' $gpu $gpu $gpu \
    >"$work/proc/driver/nvidia/gpus/0000:0$gpu:00.0/information"
  touch "$work/dev/nvidia$gpu"
done
"$make_map" 1 0 >"$work/map"

# Slurm's variables alone are not certain before MPI_Init
slurm="SLURM_PROCID=0 SLURM_LOCALID=0 SLURM_NTASKS=1 SLURM_STEP_NUM_TASKS=1 SLURM_JOB_ID=1 SLURM_STEP_ID=0"
launch $slurm
says_late || fail "expected the warning that the choice came too late"
expect "list -"

launch $slurm CUDA_VISIBLE_DEVICES=0
says_late && fail "a driver that started with the plan's list is fine"
expect "list 0"

# Open MPI's are: the rank is placed when the shim is loaded
launch OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_LOCAL_RANK=0 OMPI_COMM_WORLD_SIZE=1
says_late && fail "placed before the program began"
expect "list 0"
echo ok
