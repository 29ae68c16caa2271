#!/bin/bash
# The wrapper without any MPI: its exit codes and messages. wrapper.sh WRAPPER SHIM
set -u
wrapper=$1 shim=$2
unset RANKMAP_MAP RANKMAP_REPORT RANKMAP_STRICT
fail() { echo "failed: $1"; exit 1; }

# expect CODE TEXT COMMAND...
expect() {
  local code=$1 text=$2 out
  shift 2
  out=$("$@" 2>&1)
  local found=$?
  [ "$found" -eq "$code" ] || fail "exit code $found, expected $code: $*"
  case $out in *"$text"*) ;; *) fail "expected \"$text\", found \"$out\": $*" ;; esac
}

expect 125 "no map: give --map FILE" "$wrapper" -- true
expect 125 "no program given" "$wrapper" --map m --
expect 125 "unknown option --mpa" "$wrapper" --mpa m -- true
expect 127 "cannot run /nonexistent" "$wrapper" --map m -- /nonexistent
expect 126 "cannot run /etc/passwd" "$wrapper" --map m -- /etc/passwd
expect 0 "no launcher's rank variable is set" "$wrapper" --map m -- true
expect 125 "no launcher's rank variable is set" env RANKMAP_STRICT=1 "$wrapper" --map m -- true
expect 3 "" "$wrapper" --map=m sh -c 'exit 3'
expect 0 "usage: rankmap-exec" "$wrapper" --help
expect 0 "" env LD_PRELOAD="$shim" RANKMAP_MAP=m true

# The shim must load into every program that runs: libc alone, and no symbol version that is young.
if command -v readelf >/dev/null && command -v objdump >/dev/null; then
  needed=$(readelf -d "$shim" | grep NEEDED | grep -v 'libc\.so\.6')
  [ -z "$needed" ] || fail "the shim needs more than libc: $needed"
  versions=$(objdump -T "$shim" | grep -o 'GLIBC_[0-9.]*' | sort -uV)
  newest=$(printf '%s\nGLIBC_2.17\n' "$versions" | sort -V | tail -1)
  [ "$newest" = GLIBC_2.17 ] || fail "the shim needs $newest"
  exported=$(objdump -T "$shim" | awk '/\.text/ {print $NF}' | grep -v '^P\?MPI_')
  [ -z "$exported" ] || fail "the shim exports more than MPI's names: $exported"
fi
echo ok
