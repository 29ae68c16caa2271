// What one mapping does to the links of a machine, as the pictures and tables of a page need it.
#pragma once

#include <string>
#include <vector>

#include "libmap/graph/comm_graph.hpp"
#include "libmap/machine/machine.hpp"
#include "libmap/mapping/mapping.hpp"

namespace rankmap {

struct NamedMapping {
  std::string name;
  Mapping mapping;
};

struct GuiltyPair {
  Rank source, destination;
  double bytes;  // of this pair on the link, all phases
};

struct HotLink {
  LinkId link;
  double bytes;                   // all phases
  double seconds;                 // bytes / bandwidth
  std::vector<GuiltyPair> pairs;  // the heaviest first, at most as many as were asked for
  std::size_t all_pairs;          // how many rank pairs the link carries
};

struct MappingTraffic {
  std::string name;
  Mapping mapping;
  std::vector<std::vector<double>> loads;  // [phase][link] bytes
  std::vector<double> total;               // [link] bytes of all phases
  std::vector<double> phase_seconds;       // congestion of each phase
  Bytes hop_bytes, off_node_bytes;
  int max_dilation;
  std::vector<HotLink> hottest;  // by seconds, the busiest first; no idle link
};

// The mapping must be valid. Infeasible: more than 2^26 phases x links. O(edges x (hops + links) +
// phases x links), `links` and `pairs` being how many of each `hottest` names. Where the network
// chooses routes by load (ugal), the pairs are those of its shortest ways.
MappingTraffic traffic_of(const CommGraph& app, const Machine& machine, const NamedMapping& named,
                          std::size_t links = 10, std::size_t pairs = 3);

}  // namespace rankmap
