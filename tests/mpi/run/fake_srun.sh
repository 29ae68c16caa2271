#!/bin/bash
# Stands in for srun: srun -n N [OPTIONS] PROGRAM... starts N tasks with Slurm's variables and nothing
# of Slurm. It notes its arguments in $FAKE_SRUN_LOG; what begins with $FAKE_SRUN_REFUSES is refused.
echo "$*" >>"$FAKE_SRUN_LOG"
export SLURM_STEP_NUM_TASKS=1 SLURM_JOB_ID=77 SLURM_STEP_ID=0 SLURM_NODEID=0
while [ "${1#-}" != "$1" ]; do
  case $1 in -n) SLURM_STEP_NUM_TASKS=$2 && shift ;; esac
  shift
done
case "${FAKE_SRUN_REFUSES:-none} " in "${2:-} ") echo "srun: error: no such step" >&2 && exit 9 ;; esac
export SLURM_NTASKS=$SLURM_STEP_NUM_TASKS SLURM_STEP_TASKS_PER_NODE=$SLURM_STEP_NUM_TASKS
tasks=() worst=0
trap 'kill "${tasks[@]}"' TERM
for task in $(seq 0 $((SLURM_STEP_NUM_TASKS - 1))); do
  SLURM_PROCID=$task SLURM_LOCALID=$task "$@" &
  tasks+=($!)
done
for task in "${tasks[@]}"; do
  wait "$task"
  code=$?
  [ $code -le $worst ] || worst=$code
done
exit $worst
