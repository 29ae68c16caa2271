#include "libmap/report/network_table.hpp"

#include <map>
#include <utility>

#include "libmap/report/result.hpp"
#include "libmap/report/text_table.hpp"

namespace rankmap {

std::string network_table(const Machine& machine) {
  const Network* network = machine.network();
  if (network == nullptr) return "";
  std::string blocks;
  for (const int arity : network->shape().arity)
    blocks += (blocks.empty() ? "" : " x ") + std::to_string(arity);
  std::string text = "\nnetwork " + network->text() + ": " + std::to_string(network->nodes()) +
                     " nodes in blocks of " + blocks;
  if (network->rails() > 1) text += ", " + std::to_string(network->rails()) + " rails";
  text += "\n";
  std::map<std::pair<LinkKind, BytesPerSecond>, LinkId> counts;
  for (LinkId link = 0; link < network->links(); ++link) {
    const NetworkLink row = network->link(link);
    ++counts[{row.kind, row.bytes_per_second}];
  }
  if (counts.empty()) return text + "it has no links of its own: the ports of the nodes limit\n";
  std::vector<std::vector<std::string>> rows = {{"link", "count", "GB/s"}};
  for (const auto& [row, count] : counts)
    rows.push_back({name_of(row.first), std::to_string(count), readable(to_gbps(row.second))});
  return text + text_table(rows, {1, 2});
}

}  // namespace rankmap
