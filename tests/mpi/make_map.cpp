// make_map RANKS CPU [HOST,HOST...] [FORMAT]: a map written to standard output, as a map file or in a
// launcher's format. Rank r is on GPU RANKS - 1 - r, on CPU (which no machine may have), on logical
// core 0, and on host r modulo the number of hosts (default: one nameless node).
#include <cstdlib>
#include <iostream>
#include <string>

#include "libmap/base/text.hpp"
#include "libmap/mapping/launcher.hpp"

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const int ranks = std::atoi(argv[1]);
  const std::string names = argc > 3 ? argv[3] : "*", format = argc > 4 ? argv[4] : "rankmap";
  const std::vector<std::string_view> hosts = rankmap::split(names, ',');
  rankmap::MapFile map{"test", "effbw", false, {}};
  for (int rank = 0; rank < ranks; ++rank) {
    rankmap::MapRow row;
    row.rank = rank;
    row.host = hosts[static_cast<std::size_t>(rank) % hosts.size()];
    row.gpu = ranks - 1 - rank;
    row.cpus.add(std::atoi(argv[2]));
    row.cores.add(0);
    map.rows.push_back(row);
  }
  std::cout << rankmap::export_map(map, format, {}).text;
  return 0;
}
