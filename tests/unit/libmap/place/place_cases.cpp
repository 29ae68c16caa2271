#include "place_cases.hpp"

#include <algorithm>
#include <numeric>

#include "tests/unit/libmap/model/golden_apps.hpp"

namespace rankmap::test {
namespace {

int below(Random& random, int bound) {
  return static_cast<int>(random.below(static_cast<std::uint64_t>(bound)));
}

Pairs ring_and_tree(Rank ranks) {
  Pairs pairs = ring(ranks);
  for (const auto& pair : binary_tree(ranks)) pairs.push_back(pair);
  return pairs;
}

Pairs two_columns(Rank ranks) {  // a stencil of ranks / 2 x 2, the last rank alone when odd
  Pairs pairs;
  for (Rank i = 0; i + 1 < ranks; i += 2) {
    pairs.emplace_back(i, i + 1);
    if (i + 3 < ranks) pairs.emplace_back(i, i + 2), pairs.emplace_back(i + 1, i + 3);
  }
  return pairs;
}

Pairs random_pairs(Random& random, Rank ranks) {
  Pairs pairs;
  for (const auto& pair : clique(ranks))
    if (random.below(2) == 0) pairs.push_back(pair);
  return pairs;
}

// Each pair both ways or one way; equal for all, or each with its own bytes, weight and phase.
CommGraph with_traffic(Random& random, Rank ranks, const Pairs& pairs) {
  GraphBuilder builder(ranks);
  const bool alike = random.below(2) == 0;
  const bool both_ways = random.below(2) == 0;
  const int phases = 1 + below(random, 2);
  for (int phase = 1; phase < phases; ++phase) builder.add_phase();
  const auto amount = [&](int most) { return alike ? 1 : 1 + below(random, most); };
  for (const auto& [a, b] : pairs) {
    const auto weight = static_cast<std::uint32_t>(amount(3));
    const std::int32_t phase = alike ? 0 : below(random, phases);
    builder.add({a, b, static_cast<Bytes>(1000 * amount(5)), 1, weight, phase, none});
    if (both_ways)
      builder.add({b, a, static_cast<Bytes>(1000 * amount(5)), 1, weight, phase, none});
  }
  return std::move(builder).build("random");
}

Pairs random_shape(Random& random, Rank ranks) {
  switch (random.below(9)) {
    case 0:
      return {};
    case 1:
      return chain(ranks);
    case 2:
      return star(ranks);
    case 3:
      return binary_tree(ranks);
    case 4:
      return clique(ranks);
    case 5:
      return two_columns(ranks);
    case 6:
      return ring_and_tree(ranks);
    case 7:
      return random_pairs(random, ranks);
    default:
      return ring(ranks);
  }
}

void add_pcie_tree(Random& random, NodeModel& model, int nics) {
  const VertexId root = model.add_hub(HubKind::system, "root");
  const int hubs = 1 + below(random, 3);
  std::vector<VertexId> pcie;
  for (int i = 0; i < hubs; ++i) {
    pcie.push_back(model.add_hub(HubKind::host_bridge, "pcie" + std::to_string(i)));
    model.connections.push_back({LinkKind::cpu, pcie.back(), root, 1, from_gbps(16), 0});
  }
  for (VertexId gpu = 0; gpu < model.slots(); ++gpu)
    model.connections.push_back({LinkKind::pcie, gpu,
                                 pcie[static_cast<std::size_t>(below(random, hubs))], 1,
                                 from_gbps(random.below(4) == 0 ? 10 : 12), 0});
  for (int i = 0; i < nics; ++i) {
    const VertexId nic = model.add_hub(HubKind::nic, "nic:nic" + std::to_string(i));
    model.connections.push_back({LinkKind::pcie, nic,
                                 pcie[static_cast<std::size_t>(below(random, hubs))], 1,
                                 from_gbps(24), 0});
  }
}

void add_lanes(Random& random, NodeModel& model) {
  const std::uint64_t sparsity = 1 + random.below(4);
  const int most_lanes = 1 + below(random, 3);
  for (VertexId a = 0; a < model.slots(); ++a)
    for (VertexId b = a + 1; b < model.slots(); ++b)
      if (random.below(sparsity) == 0) {
        const int lanes = 1 + below(random, most_lanes);
        model.connections.push_back(
            {LinkKind::nvlink, a, b, lanes, from_gbps(25.0 * lanes), from_gbps(20)});
      }
}

void add_switch(NodeModel& model) {
  const VertexId hub = model.add_hub(HubKind::link_switch, "nvswitch");
  for (VertexId gpu = 0; gpu < model.slots(); ++gpu)
    model.connections.push_back({LinkKind::nvlink, gpu, hub, 6, from_gbps(150), from_gbps(20)});
}

}  // namespace

NodeModel random_node(Random& random, int gpus) {
  NodeModel model;
  model.name = "random";
  model.gpus.resize(static_cast<std::size_t>(gpus));
  const int nics = below(random, 3);
  for (int i = 0; i < nics; ++i) {
    Nic nic;
    nic.name = "nic" + std::to_string(i);
    model.nics.push_back(nic);
  }
  for (int numa = 0; numa < 2; ++numa) {
    NumaNode node;
    node.id = numa;
    node.cpus = {numa};
    model.numa_nodes.push_back(node);
  }
  for (Gpu& gpu : model.gpus) {
    gpu.numa = random.below(5) == 0 ? none : below(random, 2);
    if (nics > 0 && random.below(4) != 0) gpu.nic = below(random, nics);
  }
  add_pcie_tree(random, model, nics);
  if (random.below(8) == 0)
    add_switch(model);
  else
    add_lanes(random, model);
  return model;
}

CommGraph random_app(Random& random, Rank ranks) {
  return with_traffic(random, ranks, random_shape(random, ranks));
}

RandomCase random_case(Random& random, Objective objective, int gpus, NodeId nodes,
                       Rank most_ranks) {
  Machine machine(random_node(random, gpus), nodes);
  PlaceRequest request;
  request.objective = objective;
  request.force = true;
  request.ranks_per_slot = random.below(5) == 0 ? 2 : 1;
  std::vector<SlotId> free_slots(static_cast<std::size_t>(machine.slots()));
  std::iota(free_slots.begin(), free_slots.end(), 0);
  random.shuffle(free_slots);
  const bool one_node =
      objective.kind == ObjectiveKind::effbw || objective.kind == ObjectiveKind::preserved;
  const int busy = random.below(2) == 0 ? 0 : below(random, one_node && nodes > 1 ? 1 : gpus);
  for (int i = 0; i < busy; ++i) {
    request.forbidden.push_back(free_slots.back());
    free_slots.pop_back();
  }
  const int room =
      (one_node ? gpus - busy : static_cast<int>(free_slots.size())) * request.ranks_per_slot;
  const int most = std::min<int>(room, most_ranks);
  const Rank ranks = 1 + std::max(below(random, most), below(random, most));
  if (random.below(4) == 0) request.fixed.emplace_back(below(random, ranks), free_slots[0]);
  if (random.below(8) == 0 && ranks > 1 && !(one_node && nodes > 1) && free_slots.size() > 1 &&
      request.fixed.size() == 1)
    request.fixed.emplace_back((request.fixed[0].first + 1) % ranks, free_slots[1]);
  return {random_app(random, ranks), std::move(machine), std::move(request)};
}

}  // namespace rankmap::test
