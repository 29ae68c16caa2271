#!/bin/bash
# What the formats write for Open MPI and MPICH is what these launchers take: the very command line that
# `rankmap export` prints is run, and every rank must find itself where its map says.
# formats.sh MPI TESTS RANKMAP ; MPI: openmpi or mpich; TESTS: folder of the test programs.
# Exit code 77: skipped, because something is missing here.
set -u
mpi=$1 programs=$2 rankmap=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
unset RANKMAP_MAP RANKMAP_REPORT RANKMAP_STRICT RANKMAP_PLACED RANKMAP_PASSED
skip() { echo "skipped: $1"; exit 77; }
fail() { echo "failed: $1"; for f in command file out; do echo "--- $f"; cat "$work/$f"; done; exit 1; }
[ -x "$programs/where" ] || skip "the test programs were not built"

# The names that the command lines use. No links: launchers look for their helpers beside themselves.
mkdir "$work/bin" && cd "$work" || exit 1
called() { printf '#!/bin/bash\nexec %s "$@"\n' "$2" >"bin/$1" && chmod +x "bin/$1"; }
[ "$mpi" = openmpi ] && name=mpirun || name=mpiexec
launcher=$(command -v "$name.$mpi") || skip "no $name.$mpi"
called "$name" "$launcher"
called rankmap "$rankmap"
export PATH=$work/bin:$PATH

# Two host names, both of them here.
called agent "bash $here/other_host.sh"
export HYDRA_LAUNCHER=ssh HYDRA_LAUNCHER_EXEC=$work/bin/agent
export OMPI_MCA_plm=rsh OMPI_MCA_plm_rsh_agent=$work/bin/agent

# start FORMAT RANKS: the map job.rankmap through the format and its own command line.
start() {
  local format=$1 ranks=$2 command
  rankmap export job.rankmap --for "$format" -o file --program "$programs/where" >command 2>&1 ||
    fail "$format was not written"
  command=$(sed -n 's/^  //p' command | head -1)
  RANKMAP_STRICT=1 timeout 100 sh -c "$command" >out 2>&1 || fail "$format: $command"
  [ "$(grep -c 'placed yes' out)" -eq "$ranks" ] || fail "$format: not every rank is placed"
  grep -q 'MPI is broken' out && fail "$format: MPI is broken"
  echo "ok: $format, $ranks ranks"
}

# numbers LIST: "0-2,8" as "0 1 2 8", "0-4:2" as "0 2 4"
numbers() {
  local item range stride
  for item in ${1//,/ }; do
    range=${item%%:*} stride=1
    [ "$range" = "$item" ] || stride=${item##*:}
    seq -s ' ' "${range%-*}" "$stride" "${range#*-}"
  done | paste -sd ' '
}

# expect_cpus: rank r ran on the CPUs of line r of the map.
expect_cpus() {
  local rank=0 cpus
  [ "$(numbers 1-2,8)$(numbers 0-4:2)" = "1 2 80 2 4" ] || fail "lists are misread"
  awk 'NR > 1 { print $7 }' job.rankmap >cpus
  while read -r cpus; do
    grep -q "^rank $rank .*placed yes cpus $(numbers "$cpus")\$" out || fail "rank $rank is not on CPU $cpus"
    rank=$((rank + 1))
  done <cpus
}

formats=openmpi4
[ "$mpi" = mpich ] && formats="mpich mpich40"
slots=$(rankmap machine local --json | sed -n 's/.*"slots": *\([0-9]*\).*/\1/p' | head -1)
[ "$slots" -ge 1 ] || fail "this machine has no slots"
ranks=$((slots < 4 ? slots : 4))

# This host, without a name.
for seed in 1 2 3; do
  rankmap map "alltoall:$ranks" -m local --strategy random --seed $seed --objective congestion \
    -o job.rankmap >out 2>&1 || fail "no map"
  for format in $formats; do
    start "$format" "$ranks"
    expect_cpus
  done
done

# Two hosts: in blocks, round, and mixed.
bash "$here/other_host.sh" otherhost true 2>/dev/null || skip "no UTS namespaces for us here"
[ "$slots" -ge 2 ] || skip "one core alone cannot be two slots"
rankmap machine local --json >local.json || fail "no machine"

# two_hosts FIXED: ranks on slots of hosta (0, 1 ...) and hostb
two_hosts() {
  rankmap map alltoall:4 -m local.jsonx2 --hosts hosta,hostb --fix "$1" --objective congestion \
    --strategy linear -o job.rankmap >out 2>&1 || fail "no map of $1"
}
a=0 b=$slots
orders=("0=$a,1=$((a + 1)),2=$b,3=$((b + 1))" "0=$((a + 1)),1=$((b + 1)),2=$a,3=$b"
  "0=$((a + 1)),1=$b,2=$((b + 1)),3=$a")
for order in "${orders[@]}"; do
  two_hosts "$order"
  for format in $formats; do
    if [ "$format" != openmpi4 ] && [ "$order" = "${orders[2]}" ]; then
      rankmap export job.rankmap --for mpich40 >out 2>&1 && fail "mpich40 took mixed ranks"
      grep -q "shared memory" out || fail "no reason"
      rankmap export job.rankmap --for mpich 2>&1 | grep -q -- "-rankmap 0,1,1,0 -n 4" ||
        fail "no -rankmap"
      continue
    fi
    start "$format" 4
    expect_cpus
  done
done
echo "ok: $formats under $mpi"
