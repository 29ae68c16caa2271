// Host files of Open MPI, hydra and others, as names alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rankmap {

// A host a line: `n0`, `n0 slots=4 max_slots=8`, `n0:4`, `n0:4 binding=...`, `n[01-04]`; # comments.
// Duplicates count once, the order is that of the file. The counts are checked and left out: a map says
// itself how many ranks a host gets. InputError with source:line:column; no host at all is one too.
std::vector<std::string> read_host_file(std::string_view text, const std::string& source);

}  // namespace rankmap
