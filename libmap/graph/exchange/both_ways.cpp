#include "libmap/graph/exchange/both_ways.hpp"

#include "libmap/base/error.hpp"

namespace rankmap {
namespace {

class BothWays {
 public:
  BothWays(const CommGraph& graph, const NeighbourLists& lists);
  void check();

 private:
  std::string vertex(Rank rank) const { return "vertex " + std::to_string(lists_.base + rank); }
  std::size_t line(Rank rank) const { return lists_.lines[static_cast<std::size_t>(rank)]; }
  [[noreturn]] void fail(Rank rank, const std::string& message) const {
    throw InputError({graph_.name, line(rank), 1}, message);
  }
  [[noreturn]] void fail_one_way(Rank lists, Rank does_not) const;
  void match(const Edge& edge);

  const CommGraph& graph_;
  const NeighbourLists& lists_;
  std::vector<std::size_t> begin_;  // of each rank's edges
  std::vector<std::size_t> next_;   // the first edge of each that no smaller rank has matched
};

BothWays::BothWays(const CommGraph& graph, const NeighbourLists& lists)
    : graph_(graph), lists_(lists), begin_(static_cast<std::size_t>(graph.ranks()) + 1, 0) {
  for (const Edge& edge : graph.edges()) ++begin_[static_cast<std::size_t>(edge.source) + 1];
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  next_.assign(begin_.begin(), begin_.end() - 1);
}

void BothWays::fail_one_way(Rank lists, Rank does_not) const {
  fail(does_not, vertex(does_not) + " does not list " + vertex(lists) +
                     ", which lists it in line " + std::to_string(line(lists)) +
                     ", expected both or neither");
}

// Edges come by source: in the list of the larger end, the smaller ends come in order as well.
void BothWays::match(const Edge& edge) {
  const Rank other = edge.destination;
  std::size_t& next = next_[static_cast<std::size_t>(other)];
  if (next == begin_[static_cast<std::size_t>(other) + 1]) fail_one_way(edge.source, other);
  const Edge& back = graph_.edges()[next];
  if (back.destination > edge.source) fail_one_way(edge.source, other);
  if (back.destination < edge.source) fail_one_way(other, back.destination);
  if (back.bytes != edge.bytes)
    fail(other, vertex(other) + " gives " + std::to_string(back.bytes) + " for its edge to " +
                    vertex(edge.source) + ", which gives " + std::to_string(edge.bytes) +
                    " in line " + std::to_string(line(edge.source)) + ", expected the same");
  ++next;
}

void BothWays::check() {
  for (const Edge& edge : graph_.edges()) {
    if (edge.messages != 1)
      fail(edge.source, vertex(edge.source) + " lists " + vertex(edge.destination) + " " +
                            std::to_string(edge.messages) + " times, expected once");
    if (edge.source < edge.destination) {
      match(edge);
    } else if (&edge - graph_.edges().data() >=
               static_cast<std::ptrdiff_t>(next_[static_cast<std::size_t>(edge.source)])) {
      fail_one_way(edge.source, edge.destination);
    }
  }
}

}  // namespace

void check_both_ways(const CommGraph& graph, const NeighbourLists& lists) {
  BothWays(graph, lists).check();
}

}  // namespace rankmap
