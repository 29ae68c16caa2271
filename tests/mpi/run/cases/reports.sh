# What is kept of a job: a table, JSON, the ranks' own reports, the map; and check on all of them.

report_files() {
  run 2 --report ranks.json -- "$programs/where"
  expect_code 0
  cp ranks.json "$work/out"
  expect out '"schema_version": 1'
  expect out '"as_planned": 2'
  expect_count 2 out '"verdict": "ok"'
  run 2 --report ranks.txt --quiet -- "$programs/where"
  expect_empty err
  cp ranks.txt "$work/out"
  expect_line out "2 of 2 ranks sit as planned"
  expect_line out " *0 +$host .* ok"
}

# A folder keeps what the ranks wrote; what an earlier job left there is gone.
report_folder() {
  run 2 --report seen/ --save-map job.rankmap -- "$programs/where"
  expect_code 0
  [ -s seen/rank.0 ] && [ -s seen/rank.1 ] || fail "no reports in the folder"
  rankmap_ check --map job.rankmap seen/
  expect_code 0
  expect_line out "2 of 2 ranks sit as planned"
  run 1 --report seen -- "$programs/where"
  expect_code 0
  [ -s seen/rank.0 ] && [ ! -e seen/rank.1 ] || fail "the report of an earlier job stayed"
  rankmap_ check --map job.rankmap seen/
  expect_code 1
  expect_line out "rank 1: .*wrong: no report.*"
}

# Said before the job starts, not when hours of it are over.
report_that_cannot_be_written() {
  run 1 --report /nowhere/at/all.json -- "$programs/where"
  expect_code 125
  expect err "/nowhere/at/all.json"
  expect_empty out
}

saved_map() {
  run 2 --save-map job.rankmap --quiet -- "$programs/where"
  expect_code 0
  cp "$work/out" first
  check 2 --map job.rankmap -- "$programs/where"
  expect_code 0
  expect_line out "2 of 2 ranks sit as planned"
  expect_line out "rank 1: $host, .*: ok"
  run 2 --map job.rankmap --quiet -- "$programs/where"
  cmp -s first "$work/out" || fail "the saved map places otherwise"
  check 2 --map job.rankmap --json -- true
  expect_code 0
  expect out '"as_planned": 2'
}

# A script between the shim and the program takes another GPU: the check says no.
check_says_no() {
  on_gpus 2 --save-map job.rankmap --quiet -- true
  check 2 --map job.rankmap --preload -- sh -c "CUDA_VISIBLE_DEVICES=7 '$programs/where'; exit \$?"
  expect_code 1
  expect_line out 'rank 0: .*: wrong: CUDA_VISIBLE_DEVICES is "7", planned "0"'
  expect_line out "0 of 2 ranks sit as planned"
}

check_without_a_map() {
  check 2 -- "$programs/where"
  expect_code 0
  expect_line out "2 of 2 ranks sit as planned"
  expect_line out "rank 0 gpu .* placed yes.*"
  check 2 -- "$programs/where" 7
  expect_code 7
  expect err "the job ended with 7"
}
