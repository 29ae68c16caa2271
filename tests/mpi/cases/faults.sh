# Doubts: by default the program runs as its launcher made it, and strict refuses with the reason.

other_size_passes() {
  make_map 3 "$first_cpu"
  launch 2 "$wrapper" --map "$map" -- "$programs/where"
  expect_code 0
  expect "rank 0 gpu - placed no"
  expect_count 1 "the job has 2 ranks, the map $map has 3"
  preloaded 2 "$shim" "$programs/where"
  expect_code 0
  expect_count 1 "the job has 2 ranks, the map $map has 3"
}

strict_refuses() {
  make_map 3 "$first_cpu"
  launch 1 env RANKMAP_STRICT=1 "$wrapper" --map "$map" -- "$programs/where"
  expect_code 125
  expect_count 0 "rank 0 gpu"
  launch 1 env RANKMAP_STRICT=1 RANKMAP_MAP="$map" LD_PRELOAD="$shim" "$programs/where"
  [ "$code" -ne 0 ] || fail "the shim let a doubtful job run"
  expect_count 0 "rank 0 gpu"
}

missing_cpus_are_told_once() {
  make_map 2 8000
  launch 2 "$wrapper" --map "$map" -- "$programs/where"
  expect_code 0
  expect "rank 0 gpu 1 placed yes"
  expect_count 1 "does not have the planned CPUs 8000"
}

garbage_map_passes() {
  head -c 4000 /dev/urandom >"$map"
  launch 2 "$wrapper" --map "$map" -- "$programs/where"
  expect_code 0
  expect "rank 1 gpu - placed no"
  expect_count 1 "not a map file"
  preloaded 2 "$shim" "$programs/where"
  expect_code 0
  expect "rank 1 gpu - placed no"
  expect_count 1 "not a map file"
}
