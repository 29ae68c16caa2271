// Tori and meshes of up to six dimensions: every node is joined to its neighbours.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "libmap/base/divider.hpp"
#include "libmap/machine/network.hpp"

namespace rankmap {

inline constexpr std::size_t most_torus_dimensions = 6;
inline constexpr std::string_view torus_letters = "xyztuv";  // of the dimensions, as written

enum class TorusRouting { dor, ldf, minpath };
enum class TorusTie { split, plus, minus };

struct TorusOptions {
  std::string text;
  std::vector<int> extents;                      // of each dimension, 1 to 6 of them
  std::vector<bool> wrap;                        // of each: a ring, else an open line
  std::vector<BytesPerSecond> bytes_per_second;  // of each: of its links, one direction
  // dor: one dimension after the other in `order`. ldf: the one with the most steps first, the
  // lower of equals. minpath: every shortest path alike.
  TorusRouting routing = TorusRouting::dor;
  std::vector<int> order;  // a permutation of the dimensions
  // Where both ways round are equally long; split: half the bytes each, in each dimension by
  // itself.
  TorusTie tie = TorusTie::split;
};

// Nodes are row-major, the last dimension fastest. Each node has two links (+ and -) a dimension of
// size >= 2, also of size 2; an open line of D nodes has D - 1 links each way; size 1 has none.
class Torus final : public Network {
 public:
  explicit Torus(TorusOptions options);  // UsageError: more than 2^28 links

  std::string text() const override { return options_.text; }
  NodeId nodes() const override { return nodes_; }
  LinkId links() const override { return links_; }
  NetworkLink link(LinkId link) const override;
  std::string link_name(LinkId link) const override;  // "(0,3) +y"
  bool direct() const override { return true; }
  bool single_path() const override;
  void append_route(EndpointId from, EndpointId to, std::vector<LinkId>& route) const override;
  int hops(EndpointId from, EndpointId to) const override;
  void add_load(EndpointId from, EndpointId to, double bytes,
                std::span<double> loads) const override;
  // O(flows x dimensions + links) but for minpath: O(flows x nodes of the box between the two).
  void add_loads(std::span<const NodeFlow> flows, std::span<double> loads) const override;
  NetworkShape shape() const override;
  std::vector<NetworkCut> cuts()
      const override;  // the boxes of shape(), and slabs of each dimension
  // Exact where all dimensions wrap, else from the middle. O(dimensions x diameter^2).
  std::vector<NetworkReach> reaches() const override;
  // Halves: of a ring of D nodes D / 2 pairs of opposite cuts part two nodes as often as they are
  // steps apart (odd D: D pairs, each counted half); of a line the D - 1 cuts do.
  std::vector<NetworkDivision> divisions() const override;

  const std::vector<int>& extents() const { return options_.extents; }
  bool is_ring(std::size_t dimension) const { return options_.wrap[dimension]; }
  // The link by which a node is left; the node must have it. direction 0: +, 1: -.
  LinkId link_from(NodeId node, std::size_t dimension, int direction) const;

 private:
  struct Dimension {
    int extent;
    NodeId stride;
    LinkId positions;  // links of one line, one direction
    LinkId first;
    Divider by_extent;
    Divider by_stride;
    Divider by_slab;  // stride x extent
  };
  // Steps along one dimension, and the share of the bytes that goes each way round.
  struct Steps {
    int count;
    double plus;
    double minus;
  };
  // The nodes on shortest paths from a node in given directions, one cell each.
  struct Side {
    std::size_t dimension;
    int steps;
    std::size_t stride;  // in cells
    int direction;
  };
  struct Box {
    std::array<Side, most_torus_dimensions> sides{};
    std::size_t count = 0;
    std::size_t cells = 1;
  };
  using Order = std::array<std::size_t, most_torus_dimensions>;

  std::size_t dimensions() const { return rows_.size(); }
  int coordinate(NodeId node, std::size_t d) const {
    return rows_[d].by_extent.remainder(rows_[d].by_stride.quotient(node));
  }
  const Dimension& dimension_of(LinkId link) const;
  Steps steps(NodeId from, NodeId to, std::size_t d) const;
  Order order_for(NodeId from, NodeId to) const;
  LinkId link_at(std::size_t d, LinkId line, LinkId position, int direction) const {
    return rows_[d].first + 2 * (line * rows_[d].positions + position) + direction;
  }
  LinkId line_of(NodeId node, std::size_t d) const {
    const Dimension& row = rows_[d];
    return row.by_slab.quotient(node) * row.stride + row.by_stride.remainder(node);
  }
  template <typename AddArc>
  void visit_arcs(EndpointId from, EndpointId to, const AddArc& add_arc) const;
  void add_box(const Box& box, NodeId from, double bytes, std::span<double> loads,
               std::vector<double>& room) const;
  void add_minimal_paths(const NodeFlow& flow, std::span<double> loads,
                         std::vector<double>& room) const;
  NetworkCut cut_into(const std::vector<int>& sides) const;
  void add_sums(std::span<const double> differences, std::span<double> loads) const;

  TorusOptions options_;
  std::vector<Dimension> rows_;
  NodeId nodes_ = 1;
  LinkId links_ = 0;
};

}  // namespace rankmap
