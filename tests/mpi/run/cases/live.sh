# check --live while a job runs: its ranks, where they may run and what they hold open.

# A job whose ranks hold the made-up GPU of the variable GPU_<rank>, in the background.
start_live_job() {
  local words
  mkdir -p "$work/root/dev" "$work/root/proc/driver/nvidia/gpus/0000:1"{0,1}:00.0
  for gpu in 0 1; do
    printf 'Device Minor: \t %s\n' $gpu >"$work/root/proc/driver/nvidia/gpus/0000:1$gpu:00.0/information"
    : >"$work/root/dev/nvidia$gpu"
  done
  launcher 2
  "${words[@]}" sh -c 'eval gpu=\$GPU_${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
    exec sleep 97.'$$' 3<'"$work"'/root/dev/nvidia$gpu' >"$work/job.out" 2>&1 &
  job_pid=$!
  trap 'kill $job_pid 2>/dev/null; wait $job_pid 2>/dev/null; rm -rf "$work"' EXIT
  wait_for two_sleepers
}
two_sleepers() { [ "$(pgrep -cf "^sleep 97.$$")" -eq 2 ]; }

# Other jobs may run here: only lines of our processes count.
expect_live() {
  local pid
  RANKMAP_SYSROOT=$work/root rankmap_ check --live
  for pid in $(pgrep -f "^sleep 97.$$"); do
    grep -q "pid $pid, opened gpu" "$work/out" || fail "process $pid is not seen"
  done
  expect_count "$1" out "is held open by ranks 0, 1"
}

live_sees_gpus() {
  export GPU_0=0 GPU_1=1
  start_live_job
  expect_live 0
  expect_line out "rank 0: $host, (job \"[^\"]*\", )?pid [0-9]+, opened gpu 0, cpus .*: ok"
  expect_line out "rank 1: $host, (job \"[^\"]*\", )?pid [0-9]+, opened gpu 1, cpus .*: ok"
}

live_sees_a_doubled_gpu() {
  export GPU_0=1 GPU_1=1
  start_live_job
  expect_live 2
  expect_code 1
  expect_line out "rank 0: $host, (job \"[^\"]*\", )?pid [0-9]+, opened gpu 1, .*: wrong: gpu 1 is held open by ranks 0, 1"
}

# A map is of one job, and others may run here: a process namespace of its own sees but ours.
live_against_a_map() {
  unshare --pid --fork --mount-proc true 2>/dev/null || skip "no PID namespaces for us here"
  unshare --pid --fork --mount-proc bash "$here/run.sh" live_alone "$mpi" "$programs" "$rankmap" \
    "$nvml" "$shim" || exit
}

live_alone() {
  "$programs/make_map" 2 "${cpus// /,}" "*" rankmap 0,1 >job.rankmap
  export GPU_0=0 GPU_1=0 RANKMAP_SYSROOT=$work/root
  start_live_job
  rankmap_ check --live --map job.rankmap
  expect_code 1
  expect_line out "rank 0: $host, (job \"[^\"]*\", )?pid [0-9]+, opened gpu 0, cpus .*: ok"
  expect_line out "rank 1: .*: wrong: holds GPU 0 open instead of the planned 1"
  "$programs/make_map" 2 "${cpus// /,}" "*" rankmap 0,0 >job.rankmap
  rankmap_ check --live --map job.rankmap --json
  expect_code 0
  expect out '"as_planned": 2'
}
