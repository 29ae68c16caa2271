# Jobs on several hosts without a map: two host names on this machine, by namespaces.

# on_two_hosts COMMAND RANKS OPTIONS... -- PROGRAM... : even ranks on hosta, odd ones on hostb
on_two_hosts() {
  local command=$1 ranks=$2 options=() words
  shift 2
  while [ "$1" != -- ]; do options+=("$1") && shift; done
  unshare --uts true 2>/dev/null || skip "no UTS namespaces for us here"
  printf '#!/bin/bash\nexport RANKMAP_TEST_HOSTS=%q\nexec bash %q "$@"\n' "$work" "$here/made_up_host.sh" \
    >"$work/ssh"
  chmod +x "$work/ssh"
  case $mpi in
    openmpi)
      words=(mpirun.openmpi --mca plm rsh --mca plm_rsh_agent "$work/ssh" --map-by node
        --host "hosta:$ranks,hostb:$ranks" -np "$ranks")
      ;;
    mpich)
      words=(mpiexec.mpich -launcher ssh -launcher-exec "$work/ssh" -hosts hosta,hostb -ppn 1
        -n "$ranks")
      ;;
  esac
  rankmap_ "$command" "${options[@]}" -- "${words[@]}" "${@:2}"
}

# What a host is made of: a machine of the stand-in for NVIDIA's library.
host_has() {
  printf 'export RANKMAP_NVML_LIBRARY=%q RANKMAP_STAND_IN_NVML=%q\n' "$nvml" "$2" >"$work/$1"
}

two_hosts() {
  on_two_hosts run 4 --save-map job.rankmap -- "$programs/where"
  expect_code 0
  expect_own_output 4
  expect_line err " *0 +hosta .* ok"
  expect_line err " *3 +hostb .* ok"
  expect_line err "4 of 4 ranks sit as planned.*"
  cp job.rankmap "$work/out"
  expect_line out "0 +hosta .*"
  expect_line out "1 +hostb .*"
  on_two_hosts check 4 --map job.rankmap -- "$programs/where"
  expect_code 0
  expect_line out "rank 3: hostb, .*"
}

# Every rank gets a GPU of its own host, as each host has them.
two_models() {
  host_has hosta h100x8
  host_has hostb gracehopper
  on_two_hosts run 8 --save-map job.rankmap -- "$programs/where"
  expect_code 0
  expect_own_output 8
  local found=() rank
  for rank in 0 1 2 3 4 5 6 7; do found+=("$(gpus_of $rank)"); done
  [ "${found[*]}" = "$(gpus_of_map job.rankmap)" ] || fail "GPUs ${found[*]} against the map"
  # four of hosta's eight, and hostb's two by twos
  [ "${found[1]} ${found[3]} ${found[5]} ${found[7]}" = "0 0 1 1" ] || fail "hostb: ${found[*]}"
  [ "${found[0]} ${found[2]} ${found[4]} ${found[6]}" = "0 1 4 5" ] || fail "hosta: ${found[*]}"
}

# The question takes nothing of the job's input.
two_hosts_input() {
  [ "$mpi" = openmpi ] || skip "hydra 4.0 waits for ever with an input and a launcher of its own"
  on_two_hosts run 2 -- sh -c 'head -n 1' <<<"a line of input"
  expect_code 0
  expect_line out "a line of input"
}

# The map goes through a folder that all hosts see: the current one, where it can be written.
folder_that_cannot_be_written() {
  cd /proc || skip "no /proc"
  on_two_hosts run 2 -- "$programs/where"
  expect_code 0
  expect_own_output 2
  expect_count 2 out "placed no"
  expect_count 1 err "warning"
  expect err 'warning: cannot create a folder in "/proc"'
  expect err "the job starts as it is, nothing is placed"
  RANKMAP_STRICT=1 on_two_hosts run 2 -- "$programs/where"
  expect_code 125
  expect_empty out
}

# A host that cannot be asked: the reason is that host's own.
host_without_detection() {
  unshare --uts --mount true 2>/dev/null || skip "no mount namespaces for us here"
  printf '#!/bin/sh\necho "rankmap: warning: no NVML" >&2\necho "rankmap: no permission" >&2\nexit 4\n' \
    >"$work/bin/refuses"
  chmod +x "$work/bin/refuses"
  printf 'prepare=%q\n' "mount --bind '$work/bin/refuses' '$rankmap'" >"$work/hostb"
  on_two_hosts run 2 -- "$programs/where"
  expect_code 0
  expect_count 2 out "placed no"
  expect_count 1 err "rankmap"
  expect err "warning: host hostb could not be examined: rankmap: no permission; the job starts as it is"
}
