// `torus:8x8x4,mesh=z`, `mesh:8x8`: sizes, which dimensions are open, routing.
#include <algorithm>
#include <array>
#include <numeric>

#include "libmap/base/text.hpp"
#include "libmap/machine/network/box_shape.hpp"
#include "libmap/machine/network/network_text.hpp"
#include "libmap/machine/network/networks.hpp"
#include "libmap/machine/network/seats.hpp"
#include "libmap/machine/network/torus.hpp"

namespace rankmap {
namespace {

constexpr std::array<std::string_view, 3> routings = {"dor", "ldf", "minpath"};
constexpr std::array<std::string_view, 3> ties = {"split", "plus", "minus"};

// The dimensions that the letters x, y, z, t, u, v (or their digits) name, each once.
std::vector<int> dimensions_of(const NetworkText& text, std::string_view key, std::size_t count) {
  const std::string& letters = *text.value(key);
  std::vector<int> dimensions;
  for (const char letter : letters) {
    const std::size_t digit = letter >= '0' && letter <= '9'
                                  ? static_cast<std::size_t>(letter - '0')
                                  : torus_letters.find(letter);
    const int d = static_cast<int>(digit);
    if (digit >= count || std::find(dimensions.begin(), dimensions.end(), d) != dimensions.end())
      text.refuse(std::string(key) + "=" + letters,
                  "dimensions among " + std::string(torus_letters.substr(0, count)) +
                      ", each at most once");
    dimensions.push_back(d);
  }
  return dimensions;
}

std::vector<int> order_of(const NetworkText& text, std::size_t count) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  if (text.value("order") == nullptr) return order;
  order = dimensions_of(text, "order", count);
  if (order.size() != count)
    text.refuse("order=" + *text.value("order"),
                "every dimension once as in " + std::string(torus_letters.substr(0, count)));
  return order;
}

struct Range {
  int first;
  int last;
};

// box=0-3x0-3x4-7: a range of coordinates, or one coordinate, a dimension.
std::vector<Range> ranges_of(const NetworkText& text, const std::vector<int>& extents) {
  const std::string& box = *text.value("box");
  std::vector<Range> ranges;
  for (const std::string_view word : split(box, 'x')) {
    const std::size_t dash = word.find('-');
    const auto first = parse_integer(word.substr(0, dash));
    const auto last = dash == word.npos ? first : parse_integer(word.substr(dash + 1));
    const int extent = ranges.size() < extents.size() ? extents[ranges.size()] : 0;
    if (!first || !last || *first < 0 || *last < *first || *last >= extent)
      text.refuse("box=" + box, "a range of coordinates a dimension, as in 0-3x0-3x4-7");
    ranges.push_back({static_cast<int>(*first), static_cast<int>(*last)});
  }
  if (ranges.size() != extents.size())
    text.refuse("box=" + box, std::to_string(extents.size()) + " ranges with 'x' between");
  return ranges;
}

// The nodes of a box, row-major; the routes are those of the whole torus.
std::shared_ptr<const Network> boxed(const NetworkText& text, std::shared_ptr<const Network> torus,
                                     const std::vector<int>& extents) {
  if (text.value("part") != nullptr) text.refuse("part=", "either box= or part=");
  std::vector<NodeId> nodes = {0};
  std::vector<int> sides;
  const std::vector<Range> ranges = ranges_of(text, extents);
  for (std::size_t d = 0; d < extents.size(); ++d) {
    std::vector<NodeId> longer;
    for (const NodeId node : nodes)
      for (int at = ranges[d].first; at <= ranges[d].last; ++at)
        longer.push_back(node * extents[d] + at);
    nodes = std::move(longer);
    sides.push_back(ranges[d].last - ranges[d].first + 1);
  }
  return seated(std::move(torus), text.text(), std::move(nodes), 1, box_shape(sides));
}

std::shared_ptr<const Network> grid(const NetworkText& text, bool wrap) {
  TorusOptions options;
  options.text = text.text();
  options.extents = text.extents('x', text.kind() + ":8x8x8");
  const std::size_t count = options.extents.size();
  if (count > most_torus_dimensions)
    text.refuse(text.sizes(), "at most " + std::to_string(most_torus_dimensions) + " dimensions");
  options.wrap.assign(count, wrap);
  if (text.value("mesh") != nullptr)
    for (const int d : dimensions_of(text, "mesh", count))
      options.wrap[static_cast<std::size_t>(d)] = false;
  options.bytes_per_second = text.bandwidths("gbps", count);
  options.routing = static_cast<TorusRouting>(text.choice("routing", routings));
  options.order = order_of(text, count);
  options.tie = static_cast<TorusTie>(text.choice("tie", ties));
  if (text.value("order") != nullptr && options.routing != TorusRouting::dor)
    text.refuse("order=" + *text.value("order"), "order= only with routing=dor");
  const std::vector<int> extents = options.extents;
  auto network = std::make_shared<Torus>(std::move(options));
  return text.value("box") == nullptr ? network : boxed(text, std::move(network), extents);
}

}  // namespace

std::shared_ptr<const Network> make_torus(const NetworkText& text, NodeId) {
  return grid(text, true);
}

std::shared_ptr<const Network> make_mesh(const NetworkText& text, NodeId) {
  return grid(text, false);
}

}  // namespace rankmap
