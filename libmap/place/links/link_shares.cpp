#include "libmap/place/links/link_shares.hpp"

namespace rankmap {

std::span<const LinkShare> LinkShares::of(SlotId from, SlotId to) {
  constexpr std::size_t most_pairs = std::size_t{1} << 20;
  const std::uint64_t key = static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  if (known_.size() >= most_pairs) known_.clear();
  std::vector<LinkShare>& shares = known_[key];
  if (from != to) measure(from, to, shares);
  return shares;
}

void LinkShares::measure(SlotId from, SlotId to, std::vector<LinkShare>& shares) {
  if (machine_.plain_routes()) {
    route_.clear();
    machine_.append_route(from, to, route_);
    for (const LinkId link : route_) shares.push_back({link, 1});
    return;
  }
  machine_.add_load(from, to, 1.0, loads_);
  for (LinkId link = 0; link < machine_.links(); ++link) {
    double& load = loads_[static_cast<std::size_t>(link)];
    if (load != 0) shares.push_back({link, static_cast<float>(load)});
    load = 0;
  }
}

}  // namespace rankmap
