// The slow twin of every network: its links as an explicit graph, told by their names, on which paths
// are searched one after the other.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "libmap/machine/network/networks.hpp"

namespace rankmap::test {

std::shared_ptr<const Network> network(const std::string& text);
// What the text is refused with; "" if it is not.
std::string refusal(const std::string& text);

class LinkGraph {
 public:
  struct Ends {
    std::string from;
    std::string to;
  };
  using EndsOf = Ends (*)(const std::string& link_name, const std::vector<int>& sizes);
  // ends_of makes two vertices out of the name of a link.
  LinkGraph(const Network& network, EndsOf ends_of, std::vector<int> sizes);

  // Fewest links between two vertices.
  int distance(const std::string& from, const std::string& to) const;
  // Adds the bytes on all shortest paths, each alike, found one by one.
  void add_shortest(const std::string& from, const std::string& to, double bytes,
                    std::vector<double>& loads) const;
  // Whether the links lead from one vertex to the other.
  bool leads(const std::vector<LinkId>& route, const std::string& from,
             const std::string& to) const;
  const std::vector<Ends>& links() const { return links_; }

 private:
  void collect(const std::string& at, const std::string& to, const std::map<std::string, int>& left,
               std::vector<LinkId>& path, std::vector<std::vector<LinkId>>& paths) const;
  std::map<std::string, int> distances_to(const std::string& to) const;

  std::vector<Ends> links_;
};

// "(1,2)" of a torus of these sizes, the router of a dragonfly ("g0r3"), the leaf of a tree.
std::string torus_node(NodeId node, const std::vector<int>& extents);
LinkGraph::Ends torus_ends(const std::string& name, const std::vector<int>& extents);
LinkGraph::Ends dragonfly_ends(const std::string& name, const std::vector<int>&);

std::vector<NodeFlow> random_flows(const Network& network, int count, std::uint64_t seed);
// Batched and one by one are the same; routes have hops() links, all of which carry bytes.
void expect_consistent(const Network& network, std::uint64_t seed);
// The sum of the loads is the sum of bytes x hops.
void expect_minimal(const Network& network, std::uint64_t seed);
void expect_same(const std::vector<double>& found, const std::vector<double>& expected,
                 const Network& network);

}  // namespace rankmap::test
