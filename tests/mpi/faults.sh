#!/bin/bash
# What goes wrong at a start, without any MPI: by default the program runs with at most one line of
# warning, strict refuses with the reason, and nothing hangs. faults.sh WRAPPER MAKE_MAP
set -u
wrapper=$1 maker=$2
work=$(mktemp -d) || exit 1
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
unset RANKMAP_MAP RANKMAP_REPORT RANKMAP_STRICT RANKMAP_PLACED RANKMAP_PASSED CUDA_VISIBLE_DEVICES
fail() { echo "failed: $1"; exit 1; }

cpus=$(taskset -pc $$ | sed 's/.*: *//')
first_cpu=${cpus%%[,-]*} last_cpu=${cpus##*[,-]}
map=$work/map
"$maker" 2 "$first_cpu" >"$work/good"

# as_rank RANK SIZE COMMAND...
as_rank() {
  local rank=$1 size=$2
  shift 2
  OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_LOCAL_RANK=$rank OMPI_COMM_WORLD_SIZE=$size \
    OMPI_COMM_WORLD_LOCAL_SIZE=$size timeout 20 "$@"
}

# expect_doubt NAME REASON [VARIABLE=VALUE...]: rank 0 of 2 with $map
expect_doubt() {
  local name=$1 reason=$2 out code
  shift 2
  out=$(as_rank 0 2 env "$@" "$wrapper" --map "$map" -- echo "it runs" 2>"$work/err")
  code=$?
  [ $code -eq 0 ] && [ "$out" = "it runs" ] || fail "$name: exit code $code, said: $out"
  [ "$(wc -l <"$work/err")" -le 1 ] || fail "$name: more than one line: $(cat "$work/err")"
  grep -qF -- "$reason" "$work/err" || fail "$name: expected \"$reason\", found: $(cat "$work/err")"
  out=$(as_rank 0 2 env RANKMAP_STRICT=1 "$@" "$wrapper" --map "$map" -- echo "it runs" 2>&1)
  code=$?
  [ $code -eq 125 ] || fail "$name: exit code $code under strict"
  case $out in *"it runs"*) fail "$name: strict let it run" ;; *"$reason"*) ;; *) fail "$name: $out" ;; esac
  echo "ok: $name"
}

rm -f "$map"
expect_doubt "a missing map" "$map: the map file cannot be opened"
head -c 100 "$work/good" >"$map"
expect_doubt "a cut header" "the header is cut, expected 256 bytes"
head -c 260 "$work/good" >"$map"
expect_doubt "a cut body" "the size is not 256 + ranks * width bytes"
sed '1s/# rankmap 1 /# rankmap 2 /' "$work/good" >"$map"
expect_doubt "another version" "unknown version of the map file, expected 1"
"$maker" 3 "$first_cpu" >"$map"
expect_doubt "another size" "the job has 2 ranks, the map $map has 3"
head -c 100000 /dev/urandom >"$map"
expect_doubt "noise" "not a map file"
rm "$map"; mkfifo "$map"
expect_doubt "a pipe" "the map file cannot be read"
rm "$map"; mkdir "$map"
expect_doubt "a folder" "the map file cannot be read"
rmdir "$map"
"$maker" 2 "$first_cpu" elsewhere >"$map"
expect_doubt "another host" "planned on host elsewhere, started on $(uname -n)"
cp "$work/good" "$map"
expect_doubt "a replaced map" "was replaced after the job was started" RANKMAP_SUM=0123456789abcdef

gpus=$work/root/proc/driver/nvidia/gpus/0000:07:00.0
mkdir -p "$gpus"
printf 'Model: \t\t Test\nGPU UUID: \t GPU-aaaa\nDevice Minor: \t 0\n' >"$gpus/information"
expect_doubt "an absent GPU" "GPU 1" RANKMAP_SYSROOT="$work/root"
rm -r "$work/root"

mkdir -p "$work/root/sys/devices/system/cpu"
echo 0-8191 >"$work/root/sys/devices/system/cpu/present"
"$maker" 2 8000-8001 >"$map"
expect_doubt "an empty cpuset" "the planned CPUs 8000-8001 are not allowed to this job" \
  RANKMAP_SYSROOT="$work/root"
out=$(as_rank 0 2 env RANKMAP_SYSROOT="$work/root" "$wrapper" --map "$map" -- sh -c 'taskset -pc $$' \
  2>/dev/null)
[ "${out##*: }" = "$cpus" ] || fail "an empty cpuset: the program runs on CPUs ${out##*: }"

cp "$work/good" "$map"
chmod 600 "$map"
if [ "$(id -u)" != 0 ]; then
  chmod 0 "$map"
  expect_doubt "an unreadable map" "the map file cannot be opened"
elif setpriv --reuid 65534 --regid 65534 --clear-groups "$wrapper" --help >/dev/null 2>&1; then
  plain=$wrapper
  printf '#!/bin/sh\nexec setpriv --reuid 65534 --regid 65534 --clear-groups "%s" "$@"\n' \
    "$wrapper" >"$work/as_nobody"
  chmod 755 "$work/as_nobody"
  wrapper=$work/as_nobody
  expect_doubt "an unreadable map" "the map file cannot be opened"
  wrapper=$plain
else
  echo "skipped: an unreadable map (nobody cannot run the wrapper here)"
fi

# Reports: what cannot be written whole is not there, and the program does not notice.
cp "$work/good" "$map"
mkdir "$work/reports"
# expect_no_report NAME LIMIT
expect_no_report() {
  local out code
  out=$(ulimit -f "$2"; as_rank 0 2 "$wrapper" --map "$map" --report "$work/reports" -- \
    echo "it runs" 2>&1 | cat)
  [ "$out" = "it runs" ] || fail "$1: said: $out"
  [ -z "$(ls "$work/reports")" ] || fail "$1: left $(ls "$work/reports")"
  echo "ok: $1"
}
expect_no_report "reports over the limit of a file's size" 0
if unshare --mount sh -c "mount -t tmpfs -o size=4k none '$work/reports' &&
    head -c 100000 /dev/zero >'$work/reports/full'; [ -s '$work/reports/full' ]" 2>/dev/null; then
  out=$(unshare --mount sh -c "mount -t tmpfs -o size=4k none '$work/reports'
    head -c 100000 /dev/zero >'$work/reports/full' 2>/dev/null
    OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 '$wrapper' --map '$map' --report '$work/reports' \
      -- echo it runs; ls '$work/reports'" 2>&1)
  [ "$out" = "$(printf 'it runs\nfull')" ] || fail "a full disk: $out"
  echo "ok: a full disk"
else
  echo "skipped: a full disk (no mounts for us here)"
fi
rmdir "$work/reports"
expect_no_report() {
  local out
  out=$(as_rank 0 2 "$wrapper" --map "$map" --report "$2" -- echo "it runs" 2>&1)
  [ "$out" = "it runs" ] || fail "$1: said: $out"
  echo "ok: $1"
}
expect_no_report "no folder for reports" "$work/reports"
expect_no_report "a file for a folder" "$map"

# A closed standard error must not kill the program with its warning.
rm "$map"
out=$(as_rank 0 2 "$wrapper" --map "$map" -- echo "it runs" 2>&-)
[ "$out" = "it runs" ] || fail "a closed standard error: $out"
{ as_rank 0 2 sh -c "trap '' HUP; sleep 0.3; exec '$wrapper' --map '$map' -- touch '$work/ran'" \
  3>&1 1>/dev/null 2>&3 3>&-; } | true
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -e "$work/ran" ] && break; sleep 0.1; done
[ -e "$work/ran" ] || fail "a broken pipe for standard error killed the program"
echo "ok: standard error that is closed or broken"
