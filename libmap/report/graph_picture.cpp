#include "libmap/report/graph_picture.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "libmap/base/units.hpp"
#include "libmap/report/text_table.hpp"

namespace rankmap {
namespace {

constexpr std::string_view shades = ".:-=+*#%@";
constexpr double large_message_bytes = 1e5;

char shade(double bytes, double most) {
  if (bytes <= 0) return ' ';
  // Eight orders of two between the lightest and the darkest, at least.
  const double floor = std::max(most / std::exp2(16), 0.5);
  const double part = bytes <= floor ? 0 : std::log2(bytes / floor) / std::log2(most / floor);
  const auto last = static_cast<double>(shades.size() - 1);
  return shades[static_cast<std::size_t>(std::lround(std::clamp(part, 0.0, 1.0) * last))];
}

}  // namespace

std::string graph_picture(const CommGraph& graph, int width) {
  const Rank ranks = graph.ranks();
  if (ranks < 1) return "";
  const Rank each = (ranks + width - 1) / width;  // ranks to a cell
  const auto cells = static_cast<std::size_t>((ranks + each - 1) / each);
  std::vector<double> bytes(cells * cells, 0);
  for (const Edge& edge : graph.edges())
    bytes[static_cast<std::size_t>(edge.source / each) * cells +
          static_cast<std::size_t>(edge.destination / each)] += static_cast<double>(edge.bytes);
  const double most = *std::max_element(bytes.begin(), bytes.end());
  std::string text = "+" + std::string(cells, '-') + "+";
  text += each > 1 ? " a cell is " + std::to_string(each) + " ranks\n" : " a cell is one rank\n";
  for (std::size_t row = 0; row < cells; ++row) {
    text += "|";
    for (std::size_t column = 0; column < cells; ++column)
      text += shade(bytes[row * cells + column], most);
    text += "|\n";
  }
  return text + "+" + std::string(cells, '-') + "+\n";
}

double share_of_large_messages(const CommGraph& graph, double bytes) {
  double large = 0, all = 0;
  for (const Edge& edge : graph.edges()) {
    const auto of_edge = static_cast<double>(edge.bytes);
    const double mean = of_edge / static_cast<double>(std::max<std::uint64_t>(edge.messages, 1));
    all += of_edge;
    large += mean >= bytes ? of_edge : 0;
  }
  return all > 0 ? large / all : 0;
}

std::string messages_text(const CommGraph& graph) {
  double bytes = 0, messages = 0;
  for (const Edge& edge : graph.edges()) {
    bytes += static_cast<double>(edge.bytes);
    messages += static_cast<double>(edge.messages);
  }
  if (messages <= 0) return "no messages\n";
  const double share = share_of_large_messages(graph, large_message_bytes);
  const std::string percent = readable(std::round(share * 100));
  const std::string verdict = share >= 0.5 ? "bandwidth sensitive: fast links pay"
                                           : "not bandwidth sensitive: latency decides";
  return readable(messages) + " messages, mean " + readable(std::round(bytes / messages)) +
         " bytes; " + percent + " % of the bytes in messages of 100 kB or more: " + verdict + "\n";
}

}  // namespace rankmap
