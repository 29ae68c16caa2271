# srun, as a stand-in on the PATH: where the probe goes, what is added, which variables the ranks get.

# by_srun RANKS OPTIONS... -- PROGRAM...
by_srun() {
  local ranks=$1 options=()
  shift
  while [ "$1" != -- ]; do options+=("$1") && shift; done
  cp "$here/fake_srun.sh" "$work/bin/srun"
  chmod +x "$work/bin/srun"
  : >"$work/srun.log"
  FAKE_SRUN_LOG=$work/srun.log PATH=$work/bin:$PATH \
    rankmap_ run "${options[@]}" -- srun -n "$ranks" "${@:2}"
}

srun_wrapper() {
  by_srun 3 -- sh -c 'echo "$SLURM_PROCID $(taskset -pc $$ | sed "s/.*: *//")"'
  expect_code 0
  expect_line err "3 of 3 ranks sit as planned"
  [ "$(sort "$work/out" | cut -d' ' -f1 | tr '\n' ' ')" = "0 1 2 " ] || fail "not three ranks"
  local probe job
  { read -r probe && read -r job; } <"$work/srun.log"
  case $probe in
    "-n 3 --cpu-bind=none --gpu-bind=none "*"rankmap-exec --probe "*" --detect "*) ;;
    *) fail "the probe: $probe" ;;
  esac
  case $job in
    "-n 3 --cpu-bind=none --gpu-bind=none "*"rankmap-exec --map "*" -- sh -c "*) ;;
    *) fail "the job: $job" ;;
  esac
}

# The shim finds its variables in the environment that srun hands on.
srun_preload() {
  [ "$mpi" = mpich ] || skip "a single rank of Open MPI asks Slurm itself"
  by_srun 2 --preload --report seen/ -- "$programs/where"
  expect_code 0
  expect_count 2 out "placed yes"
  expect_count 0 out "placed no"
  case $(tail -n 1 "$work/srun.log") in *rankmap*) fail "the wrapper stands in the line" ;; esac
  grep -qx "launcher Slurm" seen/rank.1 || fail "not by Slurm's variables"
  expect_line err "2 of 2 ranks sit as planned"
}

# --export of a list names our variables as well.
srun_export() {
  cp "$here/fake_srun.sh" "$work/bin/srun" && chmod +x "$work/bin/srun"
  FAKE_SRUN_LOG=$work/srun.log PATH=$work/bin:$PATH \
    rankmap_ run --preload -- srun --export=HOME -n 1 true
  expect_code 0
  case $(tail -n 1 "$work/srun.log") in
    *--export=HOME,*LD_PRELOAD*) ;;
    *) fail "the job: $(tail -n 1 "$work/srun.log")" ;;
  esac
}

srun_exit_code() {
  by_srun 2 -- sh -c 'exit $((SLURM_PROCID + 4))'
  expect_code 5
}

# A launcher that does not start the probe: the job runs untouched after one warning with its words.
srun_refuses_the_probe() {
  export FAKE_SRUN_REFUSES=--probe
  by_srun 2 -- sh -c 'echo "rank $SLURM_PROCID ${RANKMAP_PLACED:-untouched}"'
  expect_code 0
  expect_line out "rank 0 untouched"
  expect_line out "rank 1 untouched"
  expect_count 1 err "rankmap"
  expect err "warning: asking the job where its ranks are ended with 9: srun: error: no such step"
  [ "$(tail -n 1 "$work/srun.log" | cut -c1-9)" = "-n 2 sh -" ] || fail "the command was changed"
  RANKMAP_STRICT=1 by_srun 2 -- true
  expect_code 125
  [ "$(wc -l <"$work/srun.log")" -eq 1 ] || fail "the job started all the same"
}
