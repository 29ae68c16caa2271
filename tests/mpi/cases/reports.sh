# What ranks tell about themselves: exit codes, warnings, reports, and MPI's view of the node.

exit_code_passes() {
  make_map 1 "$first_cpu"
  launch 1 "$wrapper" --map "$map" -- "$programs/where" 7
  expect_code 7
}

reports_are_written() {
  usual_map
  launch 2 "$wrapper" --map "$map" --report "$work" -- "$programs/where"
  expect_code 0
  expect_report 0 "state placed"
  expect_report 0 "cpus_actual $first_cpu"
  expect_report 1 "cpus_actual $last_cpu"
  expect_report 1 "local_rank 1"
  expect_report 1 "local_size 2"
}

# A script of the user between the shim and the program has the last word, and the report tells.
reports_follow_a_script() {
  usual_map
  launch 2 env RANKMAP_MAP="$map" RANKMAP_REPORT="$work" LD_PRELOAD="$shim" \
    sh -c "CUDA_VISIBLE_DEVICES=5 '$programs/where'; exit \$?"
  expect_code 0
  expect_report 1 "gpu_planned 0"
  expect_report 1 "gpu_actual 5"
}

verbose_says_one_line_a_rank() {
  usual_map
  launch 2 "$wrapper" --map "$map" --verbose -- "$programs/where"
  expect_code 0
  expect_count 1 "rank 0 on $(uname -n): gpu 1 as CUDA_VISIBLE_DEVICES=1, cpus $first_cpu"
  expect_count 1 "rank 1 on $(uname -n): gpu 0 as CUDA_VISIBLE_DEVICES=0, cpus $last_cpu"
}

# Jobs of other tests may meet meanwhile; what they leave in the end is nothing.
expect_no_meeting() {
  local turn
  for turn in $(seq 150); do
    [ -z "$(find /dev/shm -name "rankmap.*.peers*" -newer "$map" 2>/dev/null)" ] && return
    sleep 0.2
  done
  fail "files left"
}

# neighbours KIND: through every interface MPI says how many ranks share the node.
neighbours() {
  local command
  [ -e "$peers" ] || skip "no ${peers##*/}"
  command_of "$1"
  usual_map
  launch 2 env RANKMAP_MAP="$map" RANKMAP_REPORT="$work" LD_PRELOAD="$shim:$peers" "${command[@]}"
  expect_placed
  expect_report 0 "mpi_peers 2"
  expect_report 1 "mpi_peers 2"
  expect_count 0 "as neighbours"
  expect_no_meeting
}

# The library of another MPI says nothing and does no harm.
neighbours_of_the_other_mpi() {
  local other=openmpi
  [ "$mpi" = openmpi ] && other=mpich
  peers=${peers/_$mpi/_$other}
  [ -e "$peers" ] || skip "no ${peers##*/}"
  usual_map
  launch 2 env RANKMAP_MAP="$map" RANKMAP_REPORT="$work" LD_PRELOAD="$shim:$peers" "$programs/where"
  expect_placed
  expect_report 1 "mpi_peers 0"
}

# A rank without the shim cannot be waited for for ever.
neighbours_without_one_rank() {
  [ -e "$peers" ] || skip "no ${peers##*/}"
  usual_map
  launch 2 sh -c "export LD_PRELOAD=$shim:$peers RANKMAP_MAP=$map RANKMAP_REPORT=$work
    case \${PMI_RANK:-\$OMPI_COMM_WORLD_RANK} in 1) unset LD_PRELOAD;; esac
    exec '$programs/where'"
  expect_code 0
  expect "rank 0 gpu 1 placed yes"
  expect "rank 1 gpu - placed no"
  expect_report 0 "mpi_peers 0"
  expect_no_meeting
}

# hydra takes a host that is listed twice for two nodes.
repeated_hosts_are_told() {
  [ -e "$peers" ] || skip "no ${peers##*/}"
  usual_map
  timeout 100 mpiexec.mpich -hosts "localhost,$(uname -n)" -bind-to none -n 2 env \
    RANKMAP_MAP="$map" RANKMAP_REPORT="$work" LD_PRELOAD="$shim:$peers" "$programs/where" \
    >"$work/out" 2>&1
  code=$?
  expect_placed
  expect_report 0 "mpi_peers 1"
  expect_count 1 "MPI sees 1 of the 2 ranks of this node as neighbours"
}

# The wrapper placed the rank and wrote the report; the shim in the program adds what MPI sees.
neighbours_behind_the_wrapper() {
  [ -e "$peers" ] || skip "no ${peers##*/}"
  usual_map
  launch 2 env RANKMAP_MAP="$map" RANKMAP_REPORT="$work" LD_PRELOAD="$shim:$peers" "$wrapper" -- \
    "$programs/where"
  expect_placed
  expect_report 0 "state placed"
  expect_report 0 "mpi_peers 2"
}
