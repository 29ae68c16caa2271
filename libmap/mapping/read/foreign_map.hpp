// A mapping as another tool wrote it: for each rank a host and, as far as told, a place on it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "libmap/base/cpu_set.hpp"
#include "libmap/base/error.hpp"
#include "libmap/base/ids.hpp"
#include "libmap/machine/machine.hpp"
#include "libmap/mapping/mapping.hpp"

namespace rankmap {

// Logical cores, of the whole node or counted within one package.
struct CoreSelection {
  int package = none;
  bool whole_package = false;
  CpuSet cores;
};

// What is not told is none or empty. The first that is told counts: slot, gpu, cores, cpus; a rank with
// none of them gets the first free slot of its node, in ascending order of ranks.
struct ForeignRank {
  std::string host;  // "": node is given
  NodeId node = none;
  int slot = none;  // of its node
  int gpu = none;
  std::vector<CoreSelection> cores;
  CpuSet cpus;         // OS numbers
  TextPosition where;  // of this rank in the text, for errors
};

struct ForeignMap {
  std::string source;
  std::map<Rank, ForeignRank> ranks;  // as many as the text has, complete or not
};

// Hosts are the machine's by name (up to the first dot where that is unambiguous), or by order of
// appearance where the machine has no names. InputError: a rank is missing, a host, GPU, core or slot is
// not in the machine, or a node is full. O(ranks x slots of a node).
Mapping place_on(const ForeignMap& map, const Machine& machine);

// The row of a rank, which must be new and below the limit of ranks that readers share.
ForeignRank& add_rank(ForeignMap& map, std::int64_t rank, const TextPosition& where);

inline constexpr std::int64_t most_ranks = 1 << 26;

}  // namespace rankmap
