// make_map RANKS CPU: a map on one nameless node; rank r on GPU RANKS - 1 - r and on CPU (a number
// that no machine has may be given), written to standard output.
#include <cstdlib>
#include <iostream>

#include "libmap/mapping/map_file.hpp"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int ranks = std::atoi(argv[1]);
  rankmap::MapFile map{"test", "effbw", false, {}};
  for (int rank = 0; rank < ranks; ++rank) {
    rankmap::MapRow row;
    row.rank = rank;
    row.host = "*";
    row.gpu = ranks - 1 - rank;
    row.cpus.add(std::atoi(argv[2]));
    map.rows.push_back(row);
  }
  std::cout << rankmap::write_map(map);
  return 0;
}
