// One function a foreign format. All of them: InputError with source:line:column says what was found and
// what was expected; memory stays in proportion to the text and to the machine's slots.
#pragma once

#include "libmap/mapping/read/foreign_map.hpp"

namespace rankmap {

// `rank R=HOST slot=LIST`, comments #, // and /* */, `slots=`, blanks around `=`. LIST: logical cores
// (`8-11`, `0,4`), package:cores (`0:0-1;1:*`), packages (`S1`, `P0`); HOST `+n1` is node 1. Refused, for
// launchers disagree on them: `slot=*`, `0:0,1`, ends of line CRLF.
ForeignMap read_rankfile(std::string_view text, const std::string& source, const Machine& machine);

// Ranks in order of processes, by commas or lines, `a-b` for ranges, # comments. Processes lie in blocks:
// as many on every node where the nodes of the machine divide them evenly, else nodes are filled.
ForeignMap read_rank_order(std::string_view text, const std::string& source,
                           const Machine& machine);

// Line r: the coordinates of rank r on the machine's torus or mesh, then T, its slot (0 if absent).
ForeignMap read_bluegene_map(std::string_view text, const std::string& source,
                             const Machine& machine);

// A host a rank, by lines or commas; `n0*2` for two; # comments.
ForeignMap read_task_hosts(std::string_view text, const std::string& source,
                           const Machine& machine);

// The first line names the columns: rank and host, and of gpu, cores, cpus what there is; others are
// passed over. Fields may be quoted.
ForeignMap read_csv_map(std::string_view text, const std::string& source, const Machine& machine);

}  // namespace rankmap
