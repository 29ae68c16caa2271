# Jobs on this host without a map: every rank has CPUs of its own, and the program is left in peace.

expect_own_cpus() {
  local rank cpu seen=" "
  expect_own_output "$1"
  for rank in $(seq 0 $(($1 - 1))); do
    grep -q "^rank $rank gpu .* placed yes" "$work/out" || fail "rank $rank was not placed"
    for cpu in $(cpus_of "$rank"); do
      case " $cpus " in *" $cpu "*) ;; *) fail "rank $rank is on CPU $cpu, allowed are $cpus" ;; esac
      case $seen in *" $cpu "*) fail "two ranks are on CPU $cpu" ;; esac
      seen="$seen$cpu "
    done
  done
}

places() {
  set -- $cpus
  [ $# -ge 2 ] || skip "two CPUs are needed"
  run 2 -- "$programs/where"
  expect_code 0
  expect_own_cpus 2
  expect err "no map: each rank gets the GPU, NIC, cores and memory that are nearest to one another"
  expect_line err "rank +host +GPU +CPUs +memory +NIC +verdict"
  expect_line err " *1 +$host .* ok"
  expect_line err "2 of 2 ranks sit as planned"
}

preload() {
  set -- $cpus
  [ $# -ge 2 ] || skip "two CPUs are needed"
  run 2 --preload --report ranks.json -- "$programs/where"
  expect_code 0
  expect_own_cpus 2
  expect_line err "2 of 2 ranks sit as planned"
  cp ranks.json "$work/err"
  [ ! -e "$(dirname "$shim")/librankmap_peers_$mpi.so" ] || expect_count 2 err '"mpi_peers": 2'
}

quiet() {
  run 2 --quiet -- "$programs/where"
  expect_code 0
  expect_own_output 2
  expect_empty err
}

exit_code() {
  run 2 -- "$programs/where" 7
  expect_code 7
  expect_own_output 2
  expect err "2 of 2 ranks sit as planned"
}

# The input is the program's, also where the launcher hands it on.
input() {
  run 1 -- cat <<<"a line of input"
  expect_code 0
  expect_line out "a line of input"
}

openmp() {
  need where_openmp
  run 1 --openmp -- "$programs/where_openmp"
  expect_code 0
  expect_line out "threads [0-9]+ each_own yes cpus $cpus"
}

many_ranks() {
  local start=$SECONDS
  run 64 -- "$programs/where"
  expect_code 0
  expect_own_output 64
  expect_line err "64 of 64 ranks sit as planned"
  expect_count 0 err "verdict"
  [ $((SECONDS - start)) -lt 60 ] || fail "$((SECONDS - start)) seconds"
}

# A binding that the command line asks for stays.
users_binding() {
  local option=(--bind-to core) words
  [ "$mpi" = openmpi ] || option=(-bind-to core)
  launcher 1
  rankmap_ run -- "${words[0]}" "${option[@]}" "${words[@]:1}" "$programs/where"
  expect_code 0
  expect err "CPUs and memory stay as the command line binds them"
  expect_line err "1 of 1 ranks sit as planned"
}
