// exact on machines that people have: the MAPA paper's examples, uniform nodes, clusters, lists.
#include <gtest/gtest.h>

#include <set>

#include "libmap/base/deadline.hpp"
#include "place_cases.hpp"
#include "tests/unit/libmap/model/model_machines.hpp"

namespace rankmap::test {
namespace {

constexpr Objective aggbw{ObjectiveKind::aggbw, EffbwModel::ring, PreserveCounts::all};
constexpr Objective ring_model{ObjectiveKind::effbw, EffbwModel::ring, PreserveCounts::all};
constexpr Objective congestion{ObjectiveKind::congestion, EffbwModel::ring, PreserveCounts::all};
constexpr Objective offnode{ObjectiveKind::offnode, EffbwModel::ring, PreserveCounts::all};

PlaceRequest request_for(const CommGraph& app, const Machine& machine, Objective objective) {
  PlaceRequest request;
  request.app = &app;
  request.machine = &machine;
  request.objective = objective;
  return request;
}

std::set<SlotId> set_of(const Mapping& mapping) {
  return {mapping.slot_of.begin(), mapping.slot_of.end()};
}

TEST(Exact, FindsThePapersBestThreeRing) {
  const Machine machine = dgx1v();
  const CommGraph ring = ring_app(3);
  const PlaceResult result = place("exact", request_for(ring, machine, aggbw));
  EXPECT_EQ(result.value, 125);  // the paper's figure 4: two double links and a single one
}

TEST(Exact, FindsTheCycleOfDoubleLinksForEightRanks) {
  const Machine machine = dgx1v();
  const CommGraph ring = ring_app(8);
  const PlaceResult result = place("exact", request_for(ring, machine, aggbw));
  EXPECT_EQ(result.value, 400);  // 8 double links of 50 GB/s
  EXPECT_EQ(result.bound, 400);
  EXPECT_TRUE(result.optimal);
  EXPECT_TRUE(result.order_optimal);
  for (Rank rank = 0; rank < 8; ++rank)
    EXPECT_EQ(machine.dedicated_lanes(result.mapping[rank], result.mapping[(rank + 1) % 8]), 2);
}

TEST(Exact, TellsTheFourRingsApartThatMapa2021CannotTell) {
  const Machine machine = dgx1v();
  const CommGraph ring = ring_app(4);
  const PlaceResult result = place("exact", request_for(ring, machine, ring_model));
  EXPECT_EQ(result.value, 80);  // 4 rings of 20 GB/s, as on {0, 1, 2, 3}
  EXPECT_TRUE(result.optimal);
  EXPECT_EQ(result.bound, result.value);
}

TEST(Exact, OrdersTheRanksOfAChosenSetByCongestion) {
  // Two lanes from 0 to 1, none elsewhere but PCIe: ranks 0 and 1, who talk, get the lanes.
  const Machine machine = machine_of(lanes_of(3, {{0, 2, 2}}), 25);
  const CommGraph app = app_of(3, {{0, 1}}, 1000);
  const Objective preserved{ObjectiveKind::preserved, EffbwModel::ring, PreserveCounts::all};
  const PlaceResult result = place("exact", request_for(app, machine, preserved));
  EXPECT_EQ(result.mapping, (Mapping{{0, 2, 1}}));
  EXPECT_TRUE(result.order_optimal);
}

TEST(Exact, AnswersUniformNodesAtOnceAndSaysSo) {
  const Machine machine = switch_machine({6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6}, 20);
  const CommGraph ring = ring_app(4);
  const PlaceResult result = place("exact", request_for(ring, machine, ring_model));
  EXPECT_EQ(result.value, 120);  // 6 lanes of 20 GB/s
  EXPECT_EQ(result.mapping, (Mapping{{0, 1, 2, 3}}));
  EXPECT_TRUE(result.optimal);
  EXPECT_TRUE(result.order_optimal);
  EXPECT_EQ(result.notes, std::vector<std::string>{"any 4 GPUs are equal; NIC and NUMA decide"});
}

TEST(Exact, ChoosesByNicAndNumaOnUniformNodes) {
  Machine plain = switch_machine({6, 6, 6, 6}, 20);
  NodeModel model = plain.model();
  model.nics.resize(2);
  for (std::size_t i = 0; i < 2; ++i) {
    model.nics[i].name = "nic" + std::to_string(i);
    const VertexId nic = model.add_hub(HubKind::nic, "nic:" + model.nics[i].name);
    model.connections.push_back({LinkKind::pcie, nic, model.hub_vertex(0), 1, from_gbps(24), 0});
  }
  for (std::size_t gpu = 0; gpu < 4; ++gpu) {
    model.gpus[gpu].nic = gpu < 2 ? 0 : 1;
    model.gpus[gpu].numa = 0;
  }
  model.numa_nodes.resize(1);
  const Machine machine(model, 1);
  const CommGraph ring = ring_app(2);
  const PlaceResult result = place("exact", request_for(ring, machine, ring_model));
  EXPECT_EQ(result.mapping, (Mapping{{0, 2}}));  // one rank a NIC, then the lowest index
}

TEST(Exact, UsesTheNodeWhoseFreeSlotsAreBest) {
  const Machine cluster(dgx1v().model(), 2);
  const CommGraph ring = ring_app(4);
  PlaceRequest request = request_for(ring, cluster, ring_model);
  request.forbidden = {1, 2, 5, 6};  // the quads of node 0 are broken
  const PlaceResult result = place("exact", request);
  EXPECT_EQ(result.value, 80);
  EXPECT_EQ(set_of(result.mapping), (std::set<SlotId>{8, 9, 10, 11}));
}

TEST(Exact, ListsTheBestSetsFirstTheMappingItself) {
  const Machine machine = dgx1v();
  const CommGraph ring = ring_app(4);
  PlaceRequest request = request_for(ring, machine, aggbw);
  request.top = 5;
  const PlaceResult exact = place("exact", request);
  const PlaceResult oracle = place("exhaustive", request);
  ASSERT_EQ(exact.top.size(), 5U);
  EXPECT_EQ(exact.top.front().mapping, exact.mapping);
  std::set<std::set<SlotId>> sets;
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(exact.top[i].value, oracle.top[i].value);
    EXPECT_EQ(exact.top[i].mapping, oracle.top[i].mapping);
    sets.insert(set_of(exact.top[i].mapping));
  }
  EXPECT_EQ(sets.size(), 5U);
}

TEST(Exact, ListsNoMoreSetsThanThereAre) {
  const Machine machine = machine_of(lanes_of(4, {{0, 1, 1}}), 25);
  const CommGraph chain = app_of(3, {{0, 1}, {1, 2}});
  for (const Objective& objective : {aggbw, ring_model, congestion}) {
    PlaceRequest request = request_for(chain, machine, objective);
    request.top = 9;
    EXPECT_EQ(place("exact", request).top.size(), 4U);  // 4 sets of 3 of 4 GPUs
  }
}

TEST(Exact, KeepsPartnersOnOneNode) {
  const Machine cluster(dgx1v().model(), 2);
  std::vector<std::pair<Rank, Rank>> pairs;
  for (Rank rank = 0; rank < 16; rank += 2) pairs.emplace_back(rank, rank + 1);
  const CommGraph app = app_of(16, pairs, 1000);
  const PlaceResult result = place("exact", request_for(app, cluster, offnode));
  EXPECT_EQ(result.value, 0);
  EXPECT_TRUE(result.optimal);
}

TEST(Exact, KeepsTheTimeLimitAndAnHonestBound) {
  Random random(3);
  const Machine machine(random_node(random, 16), 2);
  const CommGraph app = random_app(random, 32);
  for (const Objective& objective : {aggbw, congestion, offnode}) {
    PlaceRequest request = request_for(app, machine, objective);
    request.time_limit_seconds = 0.05;
    const PlaceResult result = place("exact", request);
    EXPECT_EQ(defect_of(result.mapping, machine, 1, {}), "");
    ASSERT_TRUE(result.bound.has_value());
    const double sign = objective.kind == ObjectiveKind::aggbw ? 1 : -1;
    EXPECT_GE(sign * *result.bound, sign * *result.value);
  }
}

TEST(Exact, ImprovesWhatIsTooLargeForAProof) {
  const Machine cluster(dgx1v().model(), 10);
  std::vector<std::pair<Rank, Rank>> pairs;
  for (Rank rank = 0; rank < 40; ++rank) pairs.emplace_back(rank, rank + 40);
  const CommGraph app = app_of(80, pairs, 1000);
  PlaceRequest request = request_for(app, cluster, offnode);
  request.time_limit_seconds = 0.5;
  const PlaceResult linear = place("linear", request);
  const PlaceResult result = place("exact", request);
  EXPECT_LT(*result.value, *linear.value);
  EXPECT_EQ(result.bound, 0);
  EXPECT_EQ(defect_of(result.mapping, cluster, 1, {}), "");
}

}  // namespace
}  // namespace rankmap::test
