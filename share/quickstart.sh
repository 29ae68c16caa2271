#!/usr/bin/env bash
# From a fresh Debian 12 to a placed MPI job: installs what is missing, builds, and runs the main job:
# pattern and machine -> proven placement -> rankfile -> real MPI program -> rank by rank check.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

step() { printf '\n== %s\n' "$*"; }
show() {
  printf '$ %s\n' "$*"
  "$@"
}

step "Packages"
bash share/setup/install-packages.sh

step "Build (a few minutes the first time)"
jobs=$(nproc)
cmake --preset release -DRANKMAP_BUILD_TESTS=OFF -DRANKMAP_BUILD_BENCH=OFF >/dev/null
cmake --build build/release -j "$jobs" | tail -n 1
export PATH="$root/build/release/bin:$PATH"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mpicc.openmpi -O1 -o "$work/where" share/examples/where.c

# Open MPI refuses root unless told; containers and CI run as root.
if [ "$(id -u)" -eq 0 ]; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi

cores=$(rankmap machine local --json | tr -d ' \n' | sed -n 's/.*"slots":\([0-9]*\).*/\1/p')
ranks=$((cores < 4 ? cores : 4))

step "1. A ring of $ranks on this machine: placed, written as a rankfile, started by mpirun"
cd "$work"
show rankmap map "ring:$ranks" -m local --objective congestion -o local.rankmap
show rankmap export local.rankmap --for openmpi4 -o local.rankfile
cat local.rankfile
show mpirun.openmpi -np "$ranks" -rf local.rankfile ./where

step "2. Without a map: every rank gets the cores, memory (GPU, NIC) nearest to one another"
show rankmap run -- mpirun.openmpi --oversubscribe -np "$ranks" ./where

step "3. The planned map through rankmap run, and checked rank by rank"
show rankmap run --map local.rankmap -- mpirun.openmpi --oversubscribe -np "$ranks" ./where
show rankmap check --map local.rankmap -- mpirun.openmpi --oversubscribe -np "$ranks" ./where

step "4. A ring of 4 on a DGX-1V whose GPUs 0 and 3 are busy (not here: visibility is set, CPUs are a note)"
show rankmap map ring:4 -m dgx1-v100 --busy 0,3 -o dgx1.rankmap
show rankmap run --map dgx1.rankmap -- mpirun.openmpi --oversubscribe -np 4 ./where
show rankmap check --map dgx1.rankmap -- mpirun.openmpi --oversubscribe -np 4 ./where

step "Done. Try: build/release/bin/rankmap help"
