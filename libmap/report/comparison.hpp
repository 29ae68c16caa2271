// Run times of the same job under several maps, taken by turns: how many times faster, and how sure.
#pragma once

#include <string>
#include <vector>

namespace rankmap {

struct Timing {
  std::string name;             // the map
  std::vector<double> seconds;  // run i of every map belongs to round i
};

struct Spread {
  double median = 0;
  double low = 0, high = 0;  // of the median: covers it with 95 % where there are 6 values or more
  bool covers = false;       // false: low and high are just the smallest and the largest value
};

// By order statistics, without any assumption on the distribution: the widest ranks k, n+1-k whose
// binomial tail 2 P(X < k) is at most 5 %. Bug: no value.
Spread spread_of(std::vector<double> values);

// Rows: median, smallest and largest seconds, and the ratio to the first map in the same round (above
// 1: faster than the first). Ends with a newline. Bug: rows of different lengths.
std::string comparison_text(const std::vector<Timing>& timings);
std::string comparison_json(const std::vector<Timing>& timings);

}  // namespace rankmap
