// A checked request, in the form that every strategy works on: capacities, fixed ranks, nodes.
#pragma once

#include <optional>
#include <vector>

#include "libmap/place/strategy.hpp"

namespace rankmap {

struct Problem {
  const CommGraph& app;
  const Machine& machine;
  Objective objective;
  std::vector<int> capacity;  // ranks each slot may hold; 0: forbidden
  std::vector<SlotId> fixed;  // of every rank: its slot, or none
  ScoreOptions score;         // busy slots for `preserved`, force
  std::uint64_t seed = 0;
  std::optional<double> time_limit_seconds;
  int top = 0;
  Quality quality = Quality::medium;
  Quality most_quality = Quality::strong;  // that auto goes up to within a time limit
  std::function<void(const PlaceProgress&)> progress;
  double min_gain = 0;
  BoxScript script = {};
  std::vector<std::int64_t> app_extents = {};
  int ranks_per_slot = 1;
  bool bounded = true;  // a trivial_bound is wanted

  bool maximise() const { return row_of(objective.kind).maximise; }
  // effbw and preserved are defined inside one node only.
  bool within_one_node() const;
  // Ranks that fit on the node, given that fixed ranks stay where they are: 0 when a fixed rank is
  // on another node.
  std::int64_t room_on_node(NodeId node) const;
  // The nodes that can hold the whole job, ascending.
  std::vector<NodeId> nodes_with_room() const;
  // The same problem with every slot outside the node forbidden (still busy or free as before for
  // the objective `preserved`).
  Problem on_node(NodeId node) const;
  std::optional<double> value(const Mapping& mapping) const;
  // By the further objectives of a list, each such that less is better; infinite where not defined.
  std::vector<double> further_costs(const Mapping& mapping) const;
};

// Checks as documented at place(); throws UsageError or Infeasible.
Problem checked_problem(const PlaceRequest& request);

}  // namespace rankmap
