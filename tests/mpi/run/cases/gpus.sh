# A node with GPUs, made up: hwloc's machine and a stand-in for NVIDIA's library of 8 GPUs in 2 sockets.

node="pack:2 [numa] core:20 pu:2"

# on_gpus RANKS OPTIONS... -- PROGRAM...
on_gpus() {
  HWLOC_SYNTHETIC="$node" RANKMAP_NVML_LIBRARY=$nvml RANKMAP_STAND_IN_NVML=h100x8 run "$@"
}

# expect_gpus GPU... : rank by rank, in the program's environment and in the map
expect_gpus() {
  local rank found=()
  for rank in $(seq 0 $(($# - 1))); do found+=("$(gpus_of "$rank")"); done
  [ "${found[*]}" = "$*" ] || fail "GPUs ${found[*]}, expected $*"
  [ "$(gpus_of_map job.rankmap)" = "$*" ] || fail "the map has GPUs $(gpus_of_map job.rankmap)"
}

gpu_each() {
  on_gpus 8 --save-map job.rankmap -- "$programs/where"
  expect_code 0
  expect_own_output 8
  expect_gpus 0 1 2 3 4 5 6 7
  # no such GPUs and CPUs are here in truth, which is told
  expect_line err "0 of 8 ranks sit as planned, 8 as far as their host goes"
}

# Two ranks take a GPU of each socket, sixteen share them evenly.
gpu_spread() {
  on_gpus 2 --save-map job.rankmap -- "$programs/where"
  expect_gpus 0 4
}

gpu_shared() {
  on_gpus 16 --save-map job.rankmap -- "$programs/where"
  expect_code 0
  expect_gpus 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7
}

# aligned: one list for all, a rank's own GPU at its local rank.
gpu_aligned() {
  on_gpus 4 --gpus aligned --save-map job.rankmap -- "$programs/where"
  expect_code 0
  local own rank list
  read -r -a own <<<"$(gpus_of_map job.rankmap)"
  list=$(gpus_of 0)
  for rank in 0 1 2 3; do
    [ "$(gpus_of "$rank")" = "$list" ] || fail "rank $rank has another list"
    [ "$(cut -d, -f$((rank + 1)) <<<"$list")" = "${own[$rank]}" ] || fail "rank $rank is not there"
  done
}

# A program that fails with a GPU of its own alone is told of the other way.
gpu_hint() {
  on_gpus 2 -- sh -c 'exit 3'
  expect_code 3
  expect err 'if it says "invalid device ordinal"'
  expect err "--gpus aligned"
  on_gpus 2 --gpus aligned -- sh -c 'exit 3'
  expect_count 0 err "invalid device ordinal"
}
