#include "libmap/report/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "libmap/base/error.hpp"
#include "libmap/report/comparison_rows.hpp"
#include "libmap/report/text_table.hpp"

namespace rankmap {
namespace {

// P(X < k) of a fair coin thrown n times.
double lower_tail(std::size_t n, std::size_t k) {
  double sum = 0, term = std::pow(0.5, static_cast<double>(n));
  for (std::size_t i = 0; i < k; ++i) {
    sum += term;
    term *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  }
  return sum;
}

std::string three_digits(double value) {
  const double scale = std::pow(10.0, 2 - std::floor(std::log10(std::max(value, 1e-9))));
  return readable(std::round(value * scale) / scale);
}

}  // namespace

Spread spread_of(std::vector<double> values) {
  if (values.empty()) throw Bug("the spread of no values");
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  Spread spread;
  spread.median = n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
  std::size_t k = 0;
  constexpr double half_of_5_percent = 0.025;
  while (k + 1 <= n / 2 && lower_tail(n, k + 1) <= half_of_5_percent) ++k;
  spread.covers = k > 0;
  spread.low = values[k == 0 ? 0 : k - 1];
  spread.high = values[k == 0 ? n - 1 : n - k];
  return spread;
}

std::vector<ComparisonRow> comparison_rows(const std::vector<Timing>& timings) {
  std::vector<ComparisonRow> rows;
  for (const Timing& timing : timings) {
    const std::vector<double>& first = timings.front().seconds;
    if (timing.seconds.size() != first.size()) throw Bug("rounds are missing in a comparison");
    std::vector<double> ratios;
    for (std::size_t i = 0; i < first.size(); ++i)
      ratios.push_back(first[i] / std::max(timing.seconds[i], 1e-9));
    const auto [least, most] = std::minmax_element(timing.seconds.begin(), timing.seconds.end());
    rows.push_back({timing.name, spread_of(timing.seconds).median, *least, *most,
                    spread_of(std::move(ratios))});
  }
  return rows;
}

std::string comparison_text(const std::vector<Timing>& timings) {
  std::vector<std::vector<std::string>> table = {
      {"map", "median s", "least", "most", "times faster than the first"}};
  bool covers = true;
  for (const ComparisonRow& row : comparison_rows(timings)) {
    const bool first = table.size() == 1;
    covers = covers && row.ratio.covers;
    table.push_back({row.name, three_digits(row.median_seconds), three_digits(row.least_seconds),
                     three_digits(row.most_seconds),
                     first ? "1"
                           : three_digits(row.ratio.median) + " (" + three_digits(row.ratio.low) +
                                 " to " + three_digits(row.ratio.high) + ")"});
  }
  const std::string rounds = std::to_string(timings.front().seconds.size());
  return text_table(table, {1, 2, 3}) + rounds + " rounds by turns; " +
         (covers ? "in brackets 95 % of confidence in the median\n"
                 : "in brackets the smallest and the largest (6 rounds or more give 95 % of "
                   "confidence in the median)\n");
}

}  // namespace rankmap
