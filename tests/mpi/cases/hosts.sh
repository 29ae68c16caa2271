# Two host names on this machine, by namespaces: four ranks each, on GPUs that differ by node.

gpus=(2 0 0 3 3 1 1 2)

# on_two_hosts COMMAND... : even ranks on hosta, odd ones on hostb
on_two_hosts() {
  local agent=$here/other_host.sh
  bash "$agent" otherhost true 2>/dev/null || skip "no UTS namespaces for us here"
  make_map 8 "$first_cpu" hosta,hostb rankmap "$(IFS=,; echo "${gpus[*]}")"
  if [ "$mpi" = openmpi ]; then
    "$programs/make_map" 8 "$first_cpu" hosta,hostb openmpi4 >"$work/rankfile"
    timeout 100 mpirun.openmpi --mca plm rsh --mca plm_rsh_agent "bash $agent" \
      --host hosta:4,hostb:4 -rf "$work/rankfile" -np 8 "$@" >"$work/out" 2>&1
  else
    printf '#!/bin/bash\nexec bash %s "$@"\n' "$agent" >"$work/agent"
    chmod +x "$work/agent"
    timeout 100 mpiexec.mpich -launcher ssh -launcher-exec "$work/agent" -hosts hosta,hostb \
      -ppn 1 -bind-to none -n 8 "$@" >"$work/out" 2>&1
  fi
  code=$?
}

expect_on_two_hosts() {
  local rank
  expect_code 0
  for rank in 0 1 2 3 4 5 6 7; do
    expect "rank $rank gpu ${gpus[$rank]} placed yes"
    expect_report $rank "state placed"
    expect_report $rank "host host$([ $((rank % 2)) = 0 ] && echo a || echo b)"
    expect_report $rank "local_rank $((rank / 2))"
    expect_report $rank "local_size 4"
  done
}

# two_hosts ROUTE
two_hosts() {
  local sum
  case $1 in
    exec) on_two_hosts "$wrapper" --map "$map" --report "$work" -- "$programs/where" ;;
    preload)
      on_two_hosts env RANKMAP_MAP="$map" RANKMAP_REPORT="$work" LD_PRELOAD="$shim" \
        "$programs/where"
      ;;
    stage) # the checksum is read when the ranks start, as the map is made by then
      on_two_hosts sh -c "exec '$wrapper' --map '$map' --report '$work' --stage \
        --sum \$(sed -n '1s/.* body=\([0-9a-f]*\).*/\1/p' '$map') -- '$programs/where'"
      sum=$(sed -n '1s/.* body=\([0-9a-f]*\).*/\1/p' "$map")
      [ -z "$(find /dev/shm -name "rankmap.$(id -u).$sum.*.host?*" -newer "$map" 2>/dev/null)" ] ||
        fail "the copies were not removed"
      ;;
  esac
  expect_on_two_hosts
}
