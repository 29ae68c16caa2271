#!/bin/bash
# What the preloaded shim does before main, in programs that never call MPI: places a rank that is one
# for sure, and leaves agents, launchers and batch scripts alone. early.sh SHIM MAKE_MAP
set -u
shim=$1 maker=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset RANKMAP_STRICT RANKMAP_PLACED RANKMAP_PASSED CUDA_VISIBLE_DEVICES
fail() { echo "failed: $1"; exit 1; }

first_cpu=$(taskset -pc $$ | sed 's/.*: *//; s/[,-].*//')
"$maker" 2 "$first_cpu" >"$work/map"

step="SLURM_PROCID=1 SLURM_LOCALID=1 SLURM_STEP_NUM_TASKS=2 SLURM_STEP_ID=0 SLURM_JOB_ID=7"
agent="SLURM_PROCID=1 SLURM_LOCALID=0 SLURM_STEP_NUM_TASKS=3 SLURM_STEP_ID=0 SLURM_JOB_ID=7"
batch="SLURM_PROCID=0 SLURM_LOCALID=0 SLURM_NTASKS=2 SLURM_STEP_ID=4294967291 SLURM_JOB_ID=7"
ompi="OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_LOCAL_RANK=1 OMPI_COMM_WORLD_SIZE=2"

# expect NAME RESULT VARIABLES... : RESULT is the GPU that a program sees, or - : it was left alone
expect() {
  local name=$1 result=$2 out
  shift 2
  out=$(timeout 20 env RANKMAP_MAP="$work/map" "$@" LD_PRELOAD="$shim" sh -c \
    'echo "${CUDA_VISIBLE_DEVICES:--}"' 2>&1)
  [ "$out" = "$result" ] || fail "$name: expected $result, found $out"
  echo "ok: $name"
}

expect "Open MPI" 0 $ompi
expect "hydra" 0 PMI_RANK=1 PMI_SIZE=2 MPI_LOCALRANKID=1
expect "a Slurm step by PMIx" 0 $step PMIX_RANK=1 PMIX_NAMESPACE=x
expect "a Slurm step by PMI-2" 0 $step PMI_RANK=1 PMI_SIZE=2
expect "a Slurm step without PMI" - $step
expect "an agent in a Slurm step, by PMI-2" - $agent PMI_RANK=1 PMI_SIZE=3 RANKMAP_STRICT=1
expect "an agent in a Slurm step, by PMIx" - $agent PMIX_RANK=1 PMIX_NAMESPACE=x RANKMAP_STRICT=1
expect "a batch script" - $batch RANKMAP_STRICT=1
expect "a bare RANK" - RANK=1 LOCAL_RANK=1 WORLD_SIZE=2 RANKMAP_STRICT=1
expect "no rank" - RANKMAP_STRICT=1

# One line for a rank in doubt, not one for each program it starts.
out=$(env RANKMAP_MAP="$work/none" ${ompi//=1/=0} LD_PRELOAD="$shim" sh -c 'env true; env true' 2>&1)
[ "$(grep -c "cannot be opened" <<<"$out")" -eq 1 ] || fail "a doubt is told once: $out"
out=$(env RANKMAP_STRICT=1 RANKMAP_MAP="$work/none" $ompi LD_PRELOAD="$shim" echo "it runs" 2>&1)
[ $? -eq 125 ] || fail "strict did not refuse: $out"
case $out in *"it runs"*) fail "strict let it run" ;; esac
echo "ok: doubts"
