// Rows of a job's placement, made up.
#pragma once

#include <string>
#include <vector>

#include "libmap/mapping/placement_report.hpp"

namespace rankmap::testing {

// A rank on GPU `rank` and CPU 10 + rank of host n0, as planned.
inline PlacementRow placed_row(Rank rank) {
  PlacementRow row;
  row.rank = rank;
  row.host = "n0";
  row.verdict = PlacementVerdict::ok;
  row.plan.rank = rank;
  row.plan.host = "n0";
  row.plan.gpu = rank;
  row.plan.cpus = row.seen.cpus = CpuSet{10 + rank};
  row.plan.memory_nodes = CpuSet{1};
  row.plan.memory_policy = "preferred";
  row.seen.gpus = std::to_string(rank);
  row.seen.memory = "set";
  return row;
}

inline std::vector<PlacementRow> placed_rows(Rank ranks) {
  std::vector<PlacementRow> rows;
  for (Rank rank = 0; rank < ranks; ++rank) rows.push_back(placed_row(rank));
  return rows;
}

}  // namespace rankmap::testing
