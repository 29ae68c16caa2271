// The numbers of a comparison, for its text and its JSON.
#pragma once

#include <string>
#include <vector>

#include "libmap/report/comparison.hpp"

namespace rankmap {

struct ComparisonRow {
  std::string name;
  double median_seconds, least_seconds, most_seconds;
  Spread ratio;  // first map's seconds over this one's, round by round
};
std::vector<ComparisonRow> comparison_rows(const std::vector<Timing>& timings);

}  // namespace rankmap
