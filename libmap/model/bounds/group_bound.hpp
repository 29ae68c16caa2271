// What ranks in groups must send between the groups, however they are placed.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "libmap/model/bounds/grid_app.hpp"

namespace rankmap {

// `count` groups that hold at most `most` ranks each.
struct GroupRow {
  std::int64_t most;
  std::int64_t count;
};

class GroupBound {
 public:
  // O(edges log edges).
  GroupBound(Rank ranks, std::span<const Edge> edges);

  // A lower limit of the bytes between different groups, both ways: the largest of
  //   peers: every rank has at most `most` - 1 peers in its group, its largest ones at best;
  //   a grid: no more of it fits inside groups than inside the best sets of cells, and what leaves
  //   them is no less than what leaves any set (grid_cuts.hpp); beside it, the peers of what is no
  //   grid.
  // Any numbering of ranks other than row-major hides the grid. O(ranks + rows x most), for groups
  // of more than 4,096 ranks O(ranks).
  double bytes_between(std::span<const GroupRow> rows) const;
  // The first of these alone: of every rank, all but its `peers` largest peers.
  double beyond(std::int64_t peers) const { return peers_.beyond(peers); }
  std::int64_t most_peers() const { return peers_.most(); }
  double bytes() const { return bytes_; }

 private:
  double grid_bytes_between(std::span<const GroupRow> rows) const;

  Rank ranks_;
  double bytes_ = 0;
  Peers peers_;
  std::optional<GridApp> grid_;
  Peers rest_;  // of the grid's
};

}  // namespace rankmap
