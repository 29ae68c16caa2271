// `tree:4:8:6,distance=1:10:100` and `fattree:8:8:4,up=8:4`, both written innermost first.
#include <array>
#include <limits>

#include "libmap/machine/network/fat_tree.hpp"
#include "libmap/machine/network/network_text.hpp"
#include "libmap/machine/network/networks.hpp"

namespace rankmap {
namespace {

constexpr std::array<std::string_view, 2> routings = {"ecmp", "dmodk"};
constexpr int most_up = 4096;

std::string numbers_expected(std::size_t count) {
  if (count == 0) return "no such key where there is one level of switches";
  return count == 1 ? "one number" : std::to_string(count) + " numbers with ':' between";
}

// One a level of switches but the highest; as many as the links below, where none are told.
std::vector<int> up_links(const NetworkText& text, const std::vector<int>& down) {
  const std::size_t levels = down.size() - 1;
  std::vector<int> up = text.integers("up", ':', 1, most_up);
  if (up.empty()) return {down.begin(), down.end() - 1};
  if (up.size() != levels) text.refuse("up=" + *text.value("up"), numbers_expected(levels));
  return up;
}

std::vector<int> distances_of(const NetworkText& text, std::size_t count) {
  constexpr int most = 1 << 20;
  std::vector<int> distances = text.integers("distance", ':', 0, most);
  if (!distances.empty() && distances.size() != count)
    text.refuse("distance=" + *text.value("distance"), numbers_expected(count));
  return distances;
}

}  // namespace

std::shared_ptr<const Network> make_tree(const NetworkText& text, NodeId) {
  const std::vector<int> sizes = text.extents(':', "tree:4:8:6");
  FatTreeOptions options;
  options.text = text.text();
  options.down.assign(sizes.begin() + 1, sizes.end());
  if (options.down.empty()) options.down = {1};
  options.up.assign(options.down.size() - 1, 1);
  options.bytes_per_second = text.bandwidths("gbps", options.down.size());
  options.distances = distances_of(text, sizes.size());
  if (!options.distances.empty() && sizes.size() == 1) options.distances.push_back(0);
  return std::make_shared<FatTree>(std::move(options));
}

std::shared_ptr<const Network> make_fat_tree(const NetworkText& text, NodeId) {
  FatTreeOptions options;
  options.text = text.text();
  options.down = text.extents(':', "fattree:8:8:4");
  options.up = up_links(text, options.down);
  options.bytes_per_second = text.bandwidths("gbps", options.down.size());
  options.routing = static_cast<TreeRouting>(text.choice("routing", routings));
  const int ports = options.down[0];
  return railed(text, std::make_shared<FatTree>(std::move(options)), ports);
}

}  // namespace rankmap
