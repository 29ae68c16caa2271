#!/usr/bin/env bash
# The pages of `rankmap show --html` in a headless Chromium: no errors, every mark is there, a picture comes out.
# browser.sh RANKMAP
set -uo pipefail
rankmap=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chromium=$(command -v chromium || command -v chromium-browser) || {
  echo "skipped: no chromium (share/setup/install-packages.sh --optional)"
  exit 77
}

failed=0
fail() {
  echo "FAILED: $1"
  failed=1
}

# open_page NAME: NAME.html -> NAME.dom, NAME.png, NAME.err
open_page() {
  local page=$folder/$1
  local flags=(--headless --no-sandbox --disable-gpu --hide-scrollbars "--user-data-dir=$folder/profile")
  timeout 100 "$chromium" "${flags[@]}" --enable-logging=stderr --dump-dom "file://$page.html" >"$page.dom" 2>"$page.err" ||
    fail "$1: chromium did not end well"
  timeout 100 "$chromium" "${flags[@]}" --window-size=1200,1600 "--screenshot=$page.png" "file://$page.html" >/dev/null 2>&1
  grep -q "CONSOLE" "$page.err" && fail "$1: the console says: $(grep CONSOLE "$page.err" | head -3)"
  grep -q "http" "$page.html" && fail "$1: the page names another place"
  [ "$(stat -c %s "$page.html")" -lt 5000000 ] || fail "$1: the page is larger than 5 MB"
  [ "$(head -c 4 "$page.png" | tail -c 3)" = PNG ] || fail "$1: no screenshot"
  [ "$(stat -c %s "$page.png")" -gt 20000 ] || fail "$1: the screenshot is nearly empty"
}

# expect NAME COUNT PATTERN: so many times in what the browser shows
expect() {
  local found
  found=$(grep -o -E "$3" "$folder/$1.dom" | wc -l)
  [ "$found" -eq "$2" ] || fail "$1: found $found of $3, expected $2"
}

# map NAME APP MACHINE ARGUMENTS
map() {
  local name=$1 app=$2 machine=$3
  shift 3
  "$rankmap" map "$app" -m "$machine" -o "$folder/$name.rankmap" "$@" >/dev/null 2>&1 || fail "$name: no map"
}

"$rankmap" show dgx1-v100 --html "$folder/node.html" || fail "node: no page"
open_page node
expect node 8 '<rect class="s"'
expect node 33 '<path class="l '
expect node 1 'gpu0 - gpu3: nvlink, 2 lanes, 50 GB/s'

# Every pair of axes: 8 x 8 points, two lines from each. Two mappings, two phases on one range.
app=stencil:8x8x8,periodic,bytes=1000/ring:512,bytes=5000
map linear $app torus:8x8x8 --strategy linear
map random $app torus:8x8x8 --strategy random
"$rankmap" show "$folder/linear.rankmap" "$folder/random.rankmap" --app $app -m torus:8x8x8 --html "$folder/torus.html" ||
  fail "torus: no page"
open_page torus
expect torus $((2 * 3 * 64)) '<circle class="n"'
expect torus $((2 * 3 * 128)) '<line class="l k[0-9]"'
expect torus 3 '<select id='
expect torus 3 '<option value="[0-9]+">(phase [01]|all together)'

# The lines of one communicator stay: a row of four ranks on a ring of four nodes.
map rows alltoall:4x4,vary=y torus:4x4 --strategy linear
"$rankmap" show "$folder/rows.rankmap" --app alltoall:4x4,vary=y -m torus:4x4 --html "$folder/rows.html" ||
  fail "rows: no page"
sed -i 's|</body>|<script>const choice = document.getElementById("group"); choice.value = "1"; choice.dispatchEvent(new Event("change"));</script></body>|' "$folder/rows.html"
open_page rows
expect rows 5 '<option value="[0-3]*">(alltoall x=[0-3]|none by itself)'
expect rows 28 'class="l k[0-9] dim"'
expect rows 4 'class="l k[1-9]"'

# Each of the 16 ranks sends to all others: the first hot link's first pair is told.
map fly alltoall:16,bytes=1000 dragonfly:groups=4,routers=2,nodes=2,global=2 --strategy linear
"$rankmap" show "$folder/fly.rankmap" --app alltoall:16,bytes=1000 -m dragonfly:groups=4,routers=2,nodes=2,global=2 \
  --html "$folder/fly.html" || fail "fly: no page"
open_page fly
expect fly 4 '<circle class="g '
expect fly 6 '<path class="l ' # each two of four groups
expect fly 10 '[0-9]+→[0-9]+ \(1.00 kB\), [0-9]+→[0-9]+ \(1.00 kB\), [0-9]+→[0-9]+ \(1.00 kB\), and [0-9]+ pairs more'

# 1,024 GPUs: the matrix of the ranks is 64 x 64 cells of 16 ranks, one node is drawn.
app=parallel:8x16x8
map cluster $app hgx-h100x128@fattree:16:8,up=16 --strategy linear
"$rankmap" show "$folder/cluster.rankmap" --app $app -m hgx-h100x128@fattree:16:8,up=16 --html "$folder/cluster.html" ||
  fail "cluster: no page"
open_page cluster
expect cluster 8 '<rect class="s"'
expect cluster 1 'A cell is 16 ranks'
expect cluster 1 'one of 128'

exit $failed
