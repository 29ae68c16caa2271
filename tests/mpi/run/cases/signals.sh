# Signals to rankmap end the job, whether it runs or is still being asked for.

# wait_for COMMAND... : until it succeeds
wait_for() {
  local turn
  for turn in $(seq 300); do
    "$@" && return
    sleep 0.1
  done
  fail "waited in vain for: $*"
}

# The rank's process, which must not outlive the job.
sleeper() { pgrep -f "^sleep 98.$$" >/dev/null; }
no_sleeper() { ! sleeper; }

# ends_after SIGNAL WORDS... : the exit code of a job that gets a signal once its ranks run
ends_after() {
  local signal=$1
  shift
  "$@" >"$work/out" 2>"$work/err" &
  local job=$!
  wait_for sleeper
  kill -"$signal" $job
  wait $job
  code=$?
  wait_for no_sleeper
}

# It ends as without us. After SIGTERM hydra's code is now 0, now 15.
signal_ends_the_job() {
  local words bare
  launcher 2
  ends_after "$1" "${words[@]}" sleep "98.$$"
  bare=$code
  ends_after "$1" "$rankmap" run -- "${words[@]}" sleep "98.$$"
  [ "$mpi$1" = mpichTERM ] || expect_code $bare
  nothing_is_left
  expect_count 0 err "starts as it is"
}

# While the nodes are asked: then no job is wanted any more.
signal_ends_the_question() {
  printf '#!/bin/sh\ntouch %s/asked\ncase "$*" in *--probe*) exec sleep 98.%s ;; esac\ntouch %s/started\n' \
    "$work" $$ "$work" >"$work/bin/srun"
  chmod +x "$work/bin/srun"
  PATH=$work/bin:$PATH ends_after "$1" "$rankmap" run -- srun -n 2 true
  expect_code $((128 + $(kill -l "$1")))
  [ -e "$work/asked" ] && [ ! -e "$work/started" ] || fail "the job started all the same"
  nothing_is_left
}
