#!/bin/bash
# rankmap-exec --probe without any MPI: what each rank and each node leaves in the folder.
# probe.sh WRAPPER
set -u
wrapper=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
fail() { echo "failed: $1"; exit 1; }
mkdir "$work/probe"
host=$(uname -n | tr -c 'A-Za-z0-9._\n-' _)

printf '#!/bin/sh\necho "$@" >>%s/calls\necho "a machine"\necho "a complaint" >&2\nexit ${FAKE_CODE:-0}\n' \
  "$work" >"$work/rankmap"
chmod +x "$work/rankmap"

# probe RANK SIZE
probe() {
  OMPI_COMM_WORLD_RANK=$1 OMPI_COMM_WORLD_SIZE=$2 OMPI_COMM_WORLD_LOCAL_RANK=$1 \
    OMPI_COMM_WORLD_LOCAL_SIZE=$2 "$wrapper" --probe "$work/probe" --detect "$work/rankmap"
}

for rank in 0 1 2 3; do probe $rank 4 & done
wait
for rank in 0 1 2 3; do
  expected=$(printf 'rankmap-probe 1\nrank %d\nlocal_rank %d\nlocal_size 4\nsize 4\nhost %s\nlauncher Open MPI' \
    $rank $rank "$(uname -n)")
  [ "$(cat "$work/probe/probe.$rank")" = "$expected" ] || fail "wrong probe.$rank"
done
[ "$(cat "$work/calls")" = "machine local --json" ] || fail "the machine was not asked once"
[ "$(cat "$work/probe/node.$host.json")" = "a machine" ] || fail "no machine"
[ "$(cat "$work/probe/node.$host.err")" = "a complaint" ] || fail "no complaint"
ls "$work/probe" | grep -q part && fail "a part was left behind"

# A detection that fails leaves its complaint and no machine; the launch goes on.
rm "$work/probe"/*
FAKE_CODE=4 probe 0 1 || fail "a failed detection failed the probe"
[ ! -e "$work/probe/node.$host.json" ] || fail "the machine of a failed detection"
[ "$(cat "$work/probe/node.$host.err")" = "a complaint" ] || fail "no complaint of a failed detection"

out=$(OMPI_COMM_WORLD_RANK=0 "$wrapper" --probe "$work/none" 2>&1)
[ $? -eq 125 ] || fail "an absent folder is no failure"
case $out in *"cannot write $work/none/probe.0: No such file"*) ;; *) fail "said: $out" ;; esac
out=$("$wrapper" --probe "$work/probe" 2>&1)
[ $? -eq 125 ] || fail "no rank is no failure"
case $out in *"found no launcher's rank variable"*) ;; *) fail "said: $out" ;; esac
out=$("$wrapper" --probe "$work/probe" true 2>&1)
[ $? -eq 125 ] || fail "a program beside --probe is no failure"
echo ok
