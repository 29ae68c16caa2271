// What leaves slots, nodes and blocks of nodes: the bandwidths by which congestion is limited.
#include <algorithm>
#include <set>

#include "libmap/machine/machine.hpp"

namespace rankmap {
namespace {

// The first or last links of all ways of a slot, each once, together.
double widest_end(const std::vector<std::set<LinkId>>& ends,
                  const std::vector<double>& bandwidths) {
  double widest = 0;
  for (const std::set<LinkId>& links : ends) {
    double sum = 0;
    for (const LinkId link : links) sum += bandwidths[static_cast<std::size_t>(link)];
    widest = std::max(widest, sum);
  }
  return widest;
}

}  // namespace

// Where some way of a slot has no link, nothing limits what leaves a slot.
std::vector<SlotCut> Machine::cuts() const {
  std::vector<SlotCut> cuts;
  const std::int64_t inside = model_->slots();
  std::vector<std::set<LinkId>> first(static_cast<std::size_t>(inside)), last = first;
  bool limited = true;
  const auto note = [&](int from, int to, std::span<const LinkId> out, std::span<const LinkId> in) {
    limited = limited && !out.empty() && !in.empty();
    if (!limited) return;
    first[static_cast<std::size_t>(from)].insert(out.front());
    last[static_cast<std::size_t>(to)].insert(in.back());
  };
  for (int a = 0; a < inside; ++a) {
    for (int b = 0; b < inside; ++b)
      if (a != b) note(a, b, inner_way(a, b), inner_way(a, b));
    if (nodes_ == 1) continue;
    const auto slot = static_cast<std::size_t>(a);
    note(a, a, out_ways_[slot], in_ways_[slot]);
    if (network_->switch_domain() > 0 && !switch_out_[slot].empty())
      note(a, a, switch_out_[slot], switch_in_[slot]);
  }
  const bool several = nodes_ > 1 || inside > 1;
  if (limited && several)
    cuts.push_back(
        {1, std::int64_t{nodes_} * inside,
         std::max(widest_end(first, node_bandwidths_), widest_end(last, node_bandwidths_))});
  if (nodes_ == 1) return cuts;
  const bool by_ports = !ports_.empty() && network_->switch_domain() == 0;
  double sum = 0, widest = 0;
  for (const Port& port : ports_) {
    sum += static_cast<double>(port.bytes_per_second);
    widest = std::max(widest, static_cast<double>(port.bytes_per_second));
  }
  if (by_ports) cuts.push_back({inside, nodes_, sum});
  if (by_ports)
    cuts.push_back({inside, 0, widest});  // a slot has one NIC for all that leaves its node
  for (const NetworkCut& cut : network_->cuts())
    cuts.push_back({cut.nodes * inside, cut.count, cut.bytes_per_second});
  return cuts;
}

}  // namespace rankmap
