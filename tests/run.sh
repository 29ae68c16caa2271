#!/usr/bin/env bash
# All tests: installs the missing packages, builds, runs. With CI=true (or --sanitize) a second time
# under AddressSanitizer and UBSan. Ends with what the tests that failed printed, and the line
# "N passed, N failed, N skipped" over all runs.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

sanitize=${CI:+yes}
for argument in "$@"; do
  case "$argument" in
    --sanitize) sanitize=yes ;;
    *) echo "usage: bash tests/run.sh [--sanitize]" >&2; exit 2 ;;
  esac
done

bash share/setup/install-packages.sh || exit $?

if [ -z "${RANKMAP_CORPUS:-}" ] && [ -d ../shared/corpus ]; then
  RANKMAP_CORPUS=$(cd ../shared/corpus && pwd)
  export RANKMAP_CORPUS
fi
# Tests start small MPI jobs, often as root in a container and on fewer cores than ranks.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1

passed=0 failed=0 skipped=0
failures=$(mktemp)
trap 'rm -f "$failures"' EXIT
count() { grep -cE "$1" "$2" || true; }

# run_preset PRESET [ctest arguments]
run_preset() {
  local preset=$1 log
  shift
  cmake --preset "$preset" >/dev/null || return 1
  cmake --build --preset "$preset" || return 1
  log=build/$preset/ctest.log
  ctest --preset "$preset" -j 2 "$@" | tee "$log"
  passed=$((passed + $(count '^ *[0-9]+/[0-9]+ Test .* Passed ' "$log")))
  skipped=$((skipped + $(count '^ *[0-9]+/[0-9]+ Test .*\*\*\*Skipped ' "$log")))
  failed=$((failed + $(count '^ *[0-9]+/[0-9]+ Test .*\*\*\*(Failed|Timeout|Exception|Not Run)' "$log")))
  awk '/^ *[0-9]+\/[0-9]+ Test |^ *Start |^[0-9]+% tests passed/ { shown = 0 }
       /\*\*\*(Failed|Timeout|Exception|Not Run)/ { shown = 1 }
       shown' "$log" >>"$failures"
}

if ! run_preset ci; then
  failed=$((failed + 1))
  echo "the build failed"
elif [ -n "$sanitize" ]; then
  echo "== once more under AddressSanitizer and UndefinedBehaviorSanitizer"
  # Not those under real MPIs: wrapper and libraries run inside programs that are not sanitized. Their
  # core has unit tests, and the program its own.
  run_preset asan -LE '^(nosanitize|mpi|slurm)$' || failed=$((failed + 1))
fi

if [ -s "$failures" ]; then
  echo "== what failed"
  cat "$failures"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
