#!/usr/bin/env bash
# The house of DESIGN section 2: includes go down only, a third-party header stays in its home, and no
# file is over 800 lines. usage: check_floors.sh SOURCE_DIR; prints each breach, ends with 1 if any.
set -euo pipefail
cd "$1"

find cli libmap patterns mpi_shim bench share/examples -name '*.[ch]' -o -name '*.[ch]pp' |
  sort | xargs awk '
function floor_of(path,  part) {
  split(path, part, "/")
  return part[1] == "libmap" ? part[1] "/" part[2] : part[1]
}
function may(from, floors,  list, i, n) {
  n = split(floors, list, " ")
  for (i = 1; i <= n; ++i) below[from, list[i]] = 1
}
function home(header, place) { header_of[++homes] = header; home_of[homes] = place }
function breach(text) { print FILENAME ":" FNR ": " text; ++breaches }
BEGIN {
  may("libmap/graph", "libmap/base")
  may("patterns", "libmap/graph libmap/base")
  may("libmap/machine", "libmap/base")
  may("libmap/mapping", "libmap/machine libmap/wire libmap/base")
  may("libmap/model", "libmap/mapping libmap/graph libmap/machine libmap/base")
  may("libmap/place", "libmap/model libmap/mapping libmap/graph libmap/machine libmap/base")
  may("libmap/tenancy", "libmap/place libmap/model libmap/mapping libmap/graph libmap/machine libmap/base")
  may("libmap/report", "libmap/place libmap/model libmap/mapping libmap/graph libmap/machine libmap/base")
  may("libmap/capi", "libmap/place libmap/model libmap/mapping libmap/graph libmap/machine libmap/base patterns")
  may("mpi_shim", "libmap/wire")
  may("cli", "libmap/report libmap/tenancy libmap/place libmap/model libmap/mapping libmap/machine libmap/graph libmap/base patterns")
  home("^hwloc", "^libmap/(machine|place)/")
  home("^metis[.]h", "^libmap/place/")
  home("^Eigen/", "^libmap/model/")
  home("^CLI/", "^cli/")
  home("^nlohmann/", "_json[.][ch]pp$")
  home("^pugixml", "^libmap/machine/")
  home("^sqlite3", "^libmap/tenancy/")
  home("^mpi[.]h", "^(mpi_shim|bench|share/examples)/")
  home("^nccl", "^(bench|mpi_shim)/")
  home("^cuda", "^bench/")
  home("^slurm/", "^mpi_shim/")
  longest = 800
}
FNR == longest + 1 { breach("over " longest " lines") }
/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
  header = $0
  sub(/^[^<"]*[<"]/, "", header)
  sub(/[>"].*$/, "", header)
  from = floor_of(FILENAME)
  to = floor_of(header)
  if (header ~ /^(libmap|patterns|mpi_shim|cli)\// && to != from && from != "bench" &&
      !((from, to) in below))
    breach(from " includes " header ", which is not below it")
  for (i = 1; i <= homes; ++i)
    if (header ~ header_of[i] && FILENAME !~ home_of[i])
      breach(header " is included outside its home " home_of[i])
}
END { exit breaches > 0 }'
