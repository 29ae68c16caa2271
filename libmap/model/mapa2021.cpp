// Equation 2 of the MAPA paper (arXiv 2110.03214, section 3.4) and the counts that it takes.
#include <algorithm>
#include <array>
#include <cstddef>

#include "libmap/model/effbw.hpp"

namespace rankmap {
namespace {

constexpr Rank most_ranks = 5;  // the paper's training data: 2..5 GPUs of a DGX-1V
constexpr int most_lanes = 2;

// The lanes that join two slots of a node: their own, else the fewer of both to the link switch.
int lanes_of_pair(const Machine& machine, int a, int b) {
  const int dedicated = machine.dedicated_lanes(a, b);
  if (dedicated > 0) return dedicated;
  return std::min(machine.switch_lanes(a), machine.switch_lanes(b));
}

}  // namespace

LinkCounts count_links(const CommGraph& app, const Machine& machine, const Mapping& mapping) {
  LinkCounts counts;
  for (const Pair& pair : app.pairs()) {
    const SlotId a = mapping[pair.low];
    const SlotId b = mapping[pair.high];
    if (a == b) continue;
    const bool one_node = machine.node_of(a) == machine.node_of(b);
    const int lanes =
        one_node ? lanes_of_pair(machine, machine.local_of(a), machine.local_of(b)) : 0;
    int& count = lanes >= 2 ? counts.doubles : lanes == 1 ? counts.singles : counts.pcie;
    count += static_cast<int>(pair.weight);
    counts.widest = std::max(counts.widest, lanes);
  }
  return counts;
}

double mapa2021(int x_count, int y_count, int z_count) {
  // Table 2 of the paper shows these cut to three decimals; in full as its program has them.
  static constexpr std::array<double, 14> theta = {
      16.39670455, 4.536821878,  1.55623404,   -20.69484581, -9.467461958,
      7.615106783, -7.973335727, 12.73323772,  -4.195655221, -8.413419363,
      62.85125807, 27.41832588,  -5.114108079, -46.97390071};
  const double x = x_count;
  const double y = y_count;
  const double z = z_count;
  const auto inverse = [](double feature) { return 1.0 / (feature + 1.0); };
  const std::array<double, 14> features = {x,
                                           y,
                                           z,
                                           inverse(x),
                                           inverse(y),
                                           inverse(z),
                                           x * y,
                                           y * z,
                                           z * x,
                                           inverse(x * y),
                                           inverse(y * z),
                                           inverse(z * x),
                                           x * y * z,
                                           inverse(x * y * z)};
  double sum = 0;
  for (std::size_t i = 0; i < theta.size(); ++i) sum += theta[i] * features[i];
  return sum;
}

std::string mapa2021_out_of_range(Rank ranks, const Machine& machine) {
  if (ranks > most_ranks) {
    return "mapa2021 is fitted to 2..5 ranks, the app has " + std::to_string(ranks);
  }
  for (int a = 0; a < machine.slots_per_node(); ++a) {
    for (int b = a + 1; b < machine.slots_per_node(); ++b) {
      const int lanes = lanes_of_pair(machine, a, b);
      if (lanes <= most_lanes) continue;
      return "mapa2021 is fitted to pairs of at most 2 lanes, GPUs " + std::to_string(a) + " and " +
             std::to_string(b) + " have " + std::to_string(lanes);
    }
  }
  return "";
}

}  // namespace rankmap
