// What each sub-communicator loads when it communicates alone: how many links it uses, and its
// worst one. A mapping may be better for all of them though the loads of all together are not
// (Bhatele et al., SC 2012: the tilts of pF3D).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "libmap/graph/comm_graph.hpp"
#include "libmap/machine/machine.hpp"
#include "libmap/mapping/mapping.hpp"

namespace rankmap {

// Of one group with traffic between slots.
struct CommunicatorLoad {
  std::int32_t group = none;
  std::int64_t links = 0;  // that carry any of its bytes
  double most_bytes = 0;   // on one of them
  double seconds = 0;      // its congestion time alone: max over links of bytes / bandwidth
};

// Of the groups of one phase.
struct PhaseCommunicators {
  std::int32_t phase = 0;
  std::int64_t communicators = 0;  // those with traffic between slots
  std::int64_t least_links = 0;
  std::int64_t most_links = 0;
  double mean_links = 0;
  CommunicatorLoad worst;  // the one with the most bytes on a link, the first of equals
};

// One row a group that has traffic between slots, by phase and group. O(edges x hops), and O(groups
// x links) where a pair's bytes are spread over several routes.
std::vector<CommunicatorLoad> communicator_loads(const CommGraph& app, const Machine& machine,
                                                 const Mapping& mapping);

// One row a phase with such groups. nullopt: groups x links is beyond 2^34 where every link is
// looked at.
std::optional<std::vector<PhaseCommunicators>> phase_communicators(const CommGraph& app,
                                                                   const Machine& machine,
                                                                   const Mapping& mapping);

}  // namespace rankmap
