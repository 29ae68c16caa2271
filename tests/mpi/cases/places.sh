# The matrix: every kind of program is placed by every route that can reach it.

# command_of KIND: how the program is started, in ${command[@]}
command_of() {
  command=("$programs/where_$1")
  case $1 in
    c) command=("$programs/where") ;;
    plugin) command=("$programs/loader" "$programs/where_plugin.so") ;;
    dlsym)
      if [ "$mpi" = openmpi ]; then
        command=("$programs/where_dlsym" libmpi.so.40 OMPI_COMM_WORLD_RANK)
      else
        command=("$programs/where_dlsym" libmpich.so.12 PMI_RANK)
      fi
      ;;
    mpi4py)
      [ "$mpi" = openmpi ] || skip "the packaged mpi4py is Open MPI's"
      /usr/bin/python3 -c 'import mpi4py' 2>/dev/null || skip "no python3-mpi4py here"
      command=(/usr/bin/python3 "$here/where_mpi4py.py")
      return
      ;;
  esac
  [ -e "${command[0]}" ] || skip "${command[0]} was not built"
}

# places ROUTE KIND
places() {
  local command
  command_of "$2"
  usual_map
  case $1 in
    exec) launch 2 "$wrapper" --map "$map" -- "${command[@]}" ;;
    preload) preloaded 2 "$shim" "${command[@]}" ;;
    both) launch 2 env RANKMAP_MAP="$map" LD_PRELOAD="$shim" "$wrapper" -- "${command[@]}" ;;
  esac
  expect_placed
}

# A shell between the launcher and the program is placed, and the program once with it.
shell_between_is_placed() {
  usual_map
  preloaded 2 "$shim" sh -c "true; '$programs/where'; exit \$?"
  expect_placed
}

shim_before_a_tool() {
  usual_map
  preloaded 2 "$shim:$programs/tool.so" "$programs/where"
  expect_placed
  expect_count 2 "tool saw MPI_Init"
}

shim_behind_a_tool() {
  usual_map
  preloaded 2 "$programs/tool.so:$shim" "$programs/where"
  expect_placed
  expect_count 2 "tool saw MPI_Init"
}

# The exported rankfile, as its command line says.
rankfile_starts() {
  usual_map
  "$programs/make_map" 2 "$first_cpu" "*" openmpi4 >"$work/rankfile"
  timeout 100 mpirun.openmpi --host localhost:2 -rf "$work/rankfile" -np 2 \
    "$wrapper" --map "$map" -- "$programs/where" >"$work/out" 2>&1
  code=$?
  expect_code 0
  expect "rank 0 gpu 1 placed yes"
  expect "rank 1 gpu 0 placed yes"
}

# openmp ROUTE: one thread and one place a core, and no CPU outside the plan.
openmp() {
  need where_openmp
  make_map 1 "$cpus"
  run_openmp "$1"
  expect "cpus $(each_cpu "$cpus")"
  [ "$1" = preload ] || expect "each_own yes"
  make_map 1 "$last_cpu"
  run_openmp "$1"
  grep -qx "threads 1 each_own yes cpus $last_cpu" "$work/out" || fail "threads outside the plan"
}

# "0-2,5" -> "0 1 2 5"
each_cpu() {
  local part all=()
  for part in ${1//,/ }; do all+=($(seq "${part%-*}" "${part#*-}")); done
  echo "${all[*]}"
}

run_openmp() {
  case $1 in
    exec) launch 1 "$wrapper" --map "$map" --openmp -- "$programs/where_openmp" ;;
    preload)
      launch 1 env RANKMAP_MAP="$map" RANKMAP_OPENMP=1 LD_PRELOAD="$shim" "$programs/where_openmp"
      ;;
  esac
  expect_code 0
}

# The ranks of an mpiexec that a rank starts stay where that rank was put, though their job has the
# size of the map.
nested_mpiexec_is_left_alone() {
  usual_map
  preloaded 2 "$shim" sh -c "mpiexec.mpich -bind-to none -n 2 '$programs/where' 2>&1; exit \$?"
  expect_code 0
  expect_count 1 "rank 0 gpu 1 placed yes cpus $first_cpu"
  expect_count 1 "rank 1 gpu 1 placed yes cpus $first_cpu"
  expect_count 1 "rank 0 gpu 0 placed yes cpus $last_cpu"
  expect_count 1 "rank 1 gpu 0 placed yes cpus $last_cpu"
}
