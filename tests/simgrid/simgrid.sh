#!/bin/bash
# simgrid.sh RANKMAP PLATFORM SOURCE: what SimGrid's MPI needs for one exchange against our congestion time.
# The simulator shares links fairly and starts late on nothing, so it can only take longer: 1.00 to 1.30 times.
# On tori and fat trees it finds its own routes, elsewhere it takes ours (PLATFORM prints them). 77: no SimGrid.
set -u
rankmap=$1 platform=$2 source=$3
for program in smpicc smpirun; do
  command -v $program >/dev/null || { echo "skipped: there is no $program (libsimgrid-dev)"; exit 77; }
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
smpicc -O1 -o "$work/exchange" "$source/exchange.c" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }

options=(--cfg=network/model:CM02 --cfg=network/TCP-gamma:0 --cfg=network/crosstraffic:0
  --cfg=network/weight-S:0 --cfg=network/loopback-lat:0 --cfg=smpi/simulate-computation:no
  --cfg=smpi/host-speed:1Gf --cfg=smpi/privatization:no --log=root.thres:critical)

# cluster TOPOLOGY PARAMETERS HOSTS BANDWIDTH: SimGrid's own, with its own routes.
cluster() {
  cat <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>
<platform version='4.1'><zone id='world' routing='Full'>
<cluster id='c' topology='$1' topo_parameters='$2' prefix='s' radical='0-$(($3 - 1))' suffix='' speed='1Gf'
 bw='$4' lat='0s' loopback_bw='1TBps' loopback_lat='0s'/>
</zone></platform>
XML
}

failures=0 cases=0
fail() { echo "failed: $*"; failures=$((failures + 1)); }

# compare NAME NETWORK STRATEGY APP: with $work/platform.xml.
compare() {
  local name=$1 network=$2 strategy=$3 app=$4 ours simulated
  "$rankmap" map "$app" -m "$network" --objective congestion --strategy "$strategy" -o "$work/map" --json \
    >"$work/ours" 2>"$work/out" || { cat "$work/out"; fail "$name $app"; return; }
  ours=$(sed 's/.*"congestion_seconds":\([^,}]*\).*/\1/' "$work/ours")
  "$rankmap" pattern --all "$app" | awk '$1 == "0" {print $2, $3, $4}' >"$work/edges"
  awk 'NR > 1 {sub("node", "s", $2); print $2}' "$work/map" >"$work/hosts"
  simulated=$(timeout 60 smpirun -np "$(wc -l <"$work/hosts")" -platform "$work/platform.xml" \
    -hostfile "$work/hosts" "${options[@]}" "$work/exchange" "$work/edges" 2>"$work/out" |
    awk '$1 == "seconds" {print $2}')
  cases=$((cases + 1))
  awk -v ours="$ours" -v simulated="$simulated" -v what="$name $strategy $app" 'BEGIN {
    ratio = ours > 0 ? simulated / ours : 0
    printf "%-60s %9.1f us, simulated %9.1f us, ratio %.3f\n", what, ours * 1e6, simulated * 1e6, ratio
    exit !(ratio >= 0.999 && ratio <= 1.30) }' || fail "$name $strategy $app: $(head -n 3 "$work/out")"
}

# apps NAME NETWORK RANKS APP...: in order and shuffled.
apps() {
  local name=$1 network=$2 app strategy
  shift 2
  for app; do for strategy in linear random; do compare "$name" "$network" "$strategy" "$app"; done; done
}

big=bytes=1000000
cubes=("stencil:4x4x4,periodic,$big" "shift:64,by=5,$big" "alltoall:8x8,vary=y,$big")
odd=("stencil:5x3x3,periodic,$big" "stencil:5x9,points=9,$big" "shift:45,by=7,$big" "alltoall:5x9,vary=x,$big")

# Odd rings, where both ways round never tie. SimGrid writes the fastest dimension first.
torus=torus:5x3x3,gbps=2
cluster TORUS 3,3,5 45 2GBps >"$work/platform.xml"
apps "torus, SimGrid's routes" $torus "${odd[@]}"

tree=fattree:8:8,up=4,routing=dmodk,gbps=5
cluster FAT_TREE "2;8,8;1,4;1,1" 64 5GBps >"$work/platform.xml"
apps "fat tree, SimGrid's routes" $tree "${cubes[@]}"

dragonfly=dragonfly:groups=4,routers=4,nodes=4,links=1,gbps=5
"$platform" $dragonfly >"$work/platform.xml" || fail "no platform of $dragonfly"
apps "dragonfly, our routes" $dragonfly "${cubes[@]}"

[ "$cases" -gt 0 ] && [ "$failures" -eq 0 ]
