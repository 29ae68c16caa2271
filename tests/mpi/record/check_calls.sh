#!/bin/bash
# check_calls.sh EXPECTED PRINTED RECORD: every phase that the program printed against what is expected.
set -u
awk '
function want(s, d, bytes, messages) { if (s != d) expected[s ">" d ":" bytes ":" messages] = 1 }
function unfold(word,  part, r, q) {
  split(word, part, ":")
  for (r = 0; r < 4; ++r) {
    if (part[1] == "ring") want(r, (r + 1) % 4, part[2], part[3])
    if (part[1] == "back") want(r, (r + 3) % 4, part[2], part[3])
    for (q = 0; part[1] == "all" && q < 4; ++q) want(r, q, part[2], part[3])
  }
  if (word ~ />/) expected[word] = 1
}
function bad(text) { print name ": " text; ++wrong }
function judge(phase,  words, n, i, group, key, found, numbers, k) {
  name = phase_name[phase]
  if (!(name in row)) { bad("is not expected at all"); return }
  delete expected
  group = "-"
  n = split(row[name], words, " ")
  for (i = 1; i <= n; ++i)
    if (words[i] ~ /^[a-z_]+(:[0-9]+)?$/) group = words[i]
    else unfold(words[i])
  n = split(edges[phase], words, " ")
  for (i = 1; i <= n; ++i) {
    k = words[i]
    sub(/@.*/, "", k)
    found = words[i]
    sub(/.*@/, "", found)
    if (!(k in expected)) bad("sends " k)
    delete expected[k]
    if (group != (found == "-" ? "-" : groups[found]))
      bad(k " is of group " (found == "-" ? "-" : groups[found]) ", expected " group)
  }
  for (k in expected) bad("does not send " k)
  ++checked
}
FILENAME == ARGV[1] { if ($1 != "#") { key = $1; $1 = ""; row[key] = $0 } next }
FILENAME == ARGV[2] { if ($1 == "phase") phase_name[$2] = $3; next }
$1 == "group" { groups[group_count++] = $4 (sub(/^root=/, ":", $5) ? $5 : ""); next }
/^[0-9]/ { edges[$5] = edges[$5] " " $1 ">" $2 ":" $3 ":" $4 "@" $6 }
END {
  for (phase in phase_name) judge(phase)
  for (phase in edges) if (!(phase in phase_name)) { print "phase " phase " has no name"; ++wrong }
  print checked + 0 " calls checked, " wrong + 0 " wrong"
  exit wrong > 0 || checked < 15
}' "$@"
