#include "libmap/machine/xml/peer_links.hpp"

#include <algorithm>

#include "libmap/base/text.hpp"

namespace rankmap {

PeerLinks even_out(const ToldLinks& told) {
  PeerLinks result;
  for (const auto& [ends, lanes] : told) {
    const auto [from, to] = ends;
    const auto back = told.find({to, from});
    const bool both = back != told.end();
    if (both && to < from) continue;  // done from the other end
    const int count = both ? std::min(lanes, back->second) : lanes;
    const int a = std::min(from, to);
    const int b = std::max(from, to);
    if (!both || lanes != back->second)
      result.uneven.push_back("gpu" + std::to_string(a) + "-gpu" + std::to_string(b));
    if (count > 0) result.links.push_back({a, b, count});
  }
  return result;
}

std::string uneven_warning(const std::string& kind, std::vector<std::string> uneven) {
  constexpr std::size_t most_named = 4;
  if (uneven.size() > most_named) {
    uneven.resize(most_named);
    uneven.emplace_back("...");
  }
  return kind +
         " links that the two ends tell differently are taken as both ways, the lesser count: " +
         join(uneven, ", ");
}

}  // namespace rankmap
