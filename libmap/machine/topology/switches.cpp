#include "libmap/machine/topology/switches.hpp"

#include <algorithm>
#include <numeric>

#include "libmap/base/error.hpp"

namespace rankmap {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

// The number of different values of a list whose equal ones stand together; 0 where some occur more
// often than others.
NodeId even_blocks(const std::vector<int>& blocks) {
  std::vector<NodeId> counts;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i == 0 || blocks[i] != blocks[i - 1]) counts.push_back(0);
    ++counts.back();
  }
  const bool even =
      std::all_of(counts.begin(), counts.end(), [&](NodeId n) { return n == counts[0]; });
  return even ? static_cast<NodeId>(counts.size()) : 0;
}

}  // namespace

Switches::Switches(std::string text, std::vector<Row> rows, std::vector<int> switch_of,
                   BytesPerSecond port)
    : text_(std::move(text)),
      rows_(std::move(rows)),
      switch_of_(std::move(switch_of)),
      port_(port) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const int parent = rows_[i].parent;
    if ((i == 0) != (parent == none) || parent >= static_cast<int>(i))
      throw Bug("switches of a network are no tree in order");
    depth_.push_back(i == 0 ? 0 : depth_[at(parent)] + 1);
  }
}

NetworkLink Switches::link(LinkId link) const {
  return {link % 2 == 1 ? LinkKind::down : LinkKind::up, rows_[at(link / 2 + 1)].up};
}

std::string Switches::link_name(LinkId link) const {
  return rows_[at(link / 2 + 1)].name + (link % 2 == 1 ? " down" : " up");
}

template <class Visit>
void Switches::climb(EndpointId from, EndpointId to, Visit visit) const {
  int a = switch_of_[at(from)], b = switch_of_[at(to)];
  while (a != b) {
    int& lower = depth_[at(a)] >= depth_[at(b)] ? a : b;
    visit(2 * (lower - 1) + (&lower == &a ? 0 : 1));
    lower = rows_[at(lower)].parent;
  }
}

void Switches::append_route(EndpointId from, EndpointId to, std::vector<LinkId>& route) const {
  std::vector<LinkId> down;
  climb(from, to, [&](LinkId link) { (link % 2 == 0 ? route : down).push_back(link); });
  route.insert(route.end(), down.rbegin(), down.rend());
}

int Switches::hops(EndpointId from, EndpointId to) const {
  int hops = 0;
  climb(from, to, [&](LinkId) { ++hops; });
  return hops;
}

void Switches::add_load(EndpointId from, EndpointId to, double bytes,
                        std::span<double> loads) const {
  climb(from, to, [&](LinkId link) { loads[at(link)] += bytes; });
}

int Switches::above(NodeId node, int depth) const {
  int number = switch_of_[at(node)];
  while (depth_[at(number)] > depth) number = rows_[at(number)].parent;
  return number;
}

// The levels below the root at which every node is below some switch; more than any network has are
// not looked at.
int Switches::common_depth() const {
  int depth = 32;
  for (const int number : switch_of_) depth = std::min(depth, depth_[at(number)]);
  return depth;
}

NetworkShape Switches::shape() const {
  NetworkShape shape;
  shape.order.resize(switch_of_.size());
  std::iota(shape.order.begin(), shape.order.end(), 0);
  std::stable_sort(shape.order.begin(), shape.order.end(),
                   [&](NodeId a, NodeId b) { return switch_of_[at(a)] < switch_of_[at(b)]; });
  NodeId blocks = 1;
  for (int depth = 1; depth <= common_depth(); ++depth) {
    std::vector<int> block_of;
    for (const NodeId node : shape.order) block_of.push_back(above(node, depth));
    const NodeId used = even_blocks(block_of);
    if (used <= blocks) continue;
    shape.arity.push_back(used / blocks);
    blocks = used;
  }
  if (blocks < nodes() || shape.arity.empty()) shape.arity.push_back(nodes() / blocks);
  return shape;
}

std::vector<NetworkCut> Switches::cuts() const {
  std::vector<NetworkCut> cuts;
  for (int depth = 1; depth <= common_depth(); ++depth) {
    std::vector<NodeId> below(rows_.size(), 0);
    for (NodeId node = 0; node < nodes(); ++node) ++below[at(above(node, depth))];
    NetworkCut cut{0, 0, 0};
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (below[i] == 0) continue;
      ++cut.count;
      cut.nodes = std::max(cut.nodes, below[i]);
      cut.bytes_per_second = std::max(cut.bytes_per_second, static_cast<double>(rows_[i].up));
    }
    cuts.push_back(cut);
  }
  return cuts;
}

}  // namespace rankmap
