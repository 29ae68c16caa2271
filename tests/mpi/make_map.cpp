// make_map RANKS CPUS [HOSTS] [FORMAT] [GPUS]: a map written to standard output, as a map file or in a
// launcher's format. CPUS are lists joined by `/` (of CPUs which no machine may have), HOSTS and GPUS
// entries joined by commas; rank r takes the r-th entry, counted round. Without them: one nameless
// node, and GPU RANKS - 1 - r. Every rank is on logical core 0.
#include <cstdlib>
#include <iostream>
#include <string>

#include "libmap/base/text.hpp"
#include "libmap/mapping/launcher.hpp"

namespace {

std::string_view entry(const std::vector<std::string_view>& entries, int rank) {
  return entries[static_cast<std::size_t>(rank) % entries.size()];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const int ranks = std::atoi(argv[1]);
  const std::string sets = argv[2], names = argc > 3 ? argv[3] : "*",
                    format = argc > 4 ? argv[4] : "rankmap", gpus = argc > 5 ? argv[5] : "";
  rankmap::MapFile map{"test", "effbw", false, {}};
  for (int rank = 0; rank < ranks; ++rank) {
    rankmap::MapRow row;
    row.rank = rank;
    row.host = entry(rankmap::split(names, ','), rank);
    row.gpu = gpus.empty() ? ranks - 1 - rank
                           : std::stoi(std::string(entry(rankmap::split(gpus, ','), rank)));
    row.cpus = rankmap::CpuSet::parse_list(entry(rankmap::split(sets, '/'), rank)).value();
    row.cores.add(0);
    map.rows.push_back(row);
  }
  for (rankmap::MapRow& row : map.rows)
    for (const rankmap::MapRow& other : map.rows)
      if (other.host == row.host) row.node_gpus.push_back(other.gpu);
  std::cout << rankmap::export_map(map, format, {}).text;
  return 0;
}
