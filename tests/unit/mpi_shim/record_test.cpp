// The recorder's tables, without MPI: flows and groups against plain maps, what each member of a
// collective sends against the patterns, and the phases.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>
#include <tuple>

#include "patterns/pattern.hpp"

extern "C" {
#include "mpi_shim/record/flows.h"
#include "mpi_shim/record/phase.h"
}

namespace rankmap::testing {
namespace {

// A list as the recorder wants it: of malloc.
int* list(const std::vector<int>& ranks) {
  int* const copy = static_cast<int*>(std::malloc(ranks.size() * sizeof(int)));
  std::copy(ranks.begin(), ranks.end(), copy);
  return copy;
}

struct Flows : rankmap_flows {
  explicit Flows(int rank, int size, std::size_t most = 0) {
    rankmap_flows_begin(this, rank, size, most);
  }
  ~Flows() { rankmap_flows_end(this); }
  Flows(const Flows&) = delete;
  Flows& operator=(const Flows&) = delete;
};

TEST(RecordKeyMap, holds_what_a_map_holds_through_insertions_and_removals) {
  std::mt19937_64 random(7);
  std::map<std::uint64_t, void*> expected;
  rankmap_key_map map{};
  std::array<char, 64> values{};
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t key = 1 + random() % 5000;
    if (random() % 2 == 0) {
      void* const value = &values[random() % values.size()];
      ASSERT_EQ(rankmap_key_put(&map, key, value), 0);
      expected[key] = value;
    } else {
      const auto known = expected.find(key);
      ASSERT_EQ(rankmap_key_take(&map, key), known == expected.end() ? nullptr : known->second);
      expected.erase(key);
    }
    ASSERT_EQ(map.count, expected.size());
  }
  for (std::uint64_t key = 1; key <= 5000; ++key) {
    const auto known = expected.find(key);
    EXPECT_EQ(rankmap_key_find(&map, key), known == expected.end() ? nullptr : known->second);
  }
  std::free(map.slots);
}

TEST(RecordFlows, add_up_by_peer_phase_group_and_direction) {
  std::mt19937 random(3);
  std::map<std::tuple<int, int, int, int>, std::pair<std::uint64_t, std::uint64_t>> expected;
  Flows flows(0, 1000);
  for (int i = 0; i < 100'000; ++i) {
    const rankmap_flow flow{static_cast<int>(random() % 1000),
                            static_cast<int>(random() % 3),
                            static_cast<int>(random() % 3) - 1,
                            static_cast<int>(random() % 2),
                            random() % 100,
                            1 + random() % 2};
    rankmap_flows_add(&flows, flow);
    if (flow.peer == 0) continue;  // to itself
    auto& sum = expected[{flow.peer, flow.phase, flow.group, flow.incoming}];
    sum.first += flow.bytes;
    sum.second += flow.messages;
  }
  ASSERT_EQ(flows.flow_count, expected.size());
  for (std::size_t i = 0; i < flows.flow_count; ++i) {
    const rankmap_flow& flow = flows.flows[i];
    const auto& sum = expected.at({flow.peer, flow.phase, flow.group, flow.incoming});
    EXPECT_EQ(flow.bytes, sum.first);
    EXPECT_EQ(flow.messages, sum.second);
  }
}

TEST(RecordFlows, beyond_their_limit_only_known_streams_grow_and_the_rest_is_other) {
  Flows flows(0, 100, 10);
  for (int peer = 1; peer < 100; ++peer) rankmap_flows_add(&flows, {peer, 0, -1, 0, 2, 1});
  rankmap_flows_add(&flows, {1, 0, -1, 0, 5, 1});
  EXPECT_EQ(flows.flow_count, 10U);
  EXPECT_EQ(flows.flows[0].bytes, 7U);
  EXPECT_EQ(flows.other_messages, 89U);
  EXPECT_EQ(flows.other_bytes, 178U);
}

TEST(RecordFlows, a_rank_of_another_world_is_other) {
  Flows flows(0, 4);
  rankmap_flows_add(&flows, {-1, 0, -1, 0, 8, 2});
  EXPECT_EQ(flows.flow_count, 0U);
  EXPECT_EQ(flows.other_bytes, 8U);
  EXPECT_EQ(flows.other_messages, 2U);
}

TEST(RecordMembers, equal_lists_are_one_and_the_world_needs_no_list) {
  Flows flows(2, 4);
  rankmap_members* const odd = rankmap_members_of(&flows, list({1, 3}), 2);
  EXPECT_EQ(rankmap_members_of(&flows, list({1, 3}), 2), odd);
  EXPECT_NE(rankmap_members_of(&flows, list({3, 1}), 2), odd);
  EXPECT_EQ(rankmap_members_of(&flows, list({0, 1, 2, 3}), 4), &flows.world);
  EXPECT_EQ(flows.world.ranks, nullptr);
  EXPECT_EQ(odd->own, -1);
}

TEST(RecordMembers, are_forgotten_with_their_last_communicator_unless_a_group_names_them) {
  Flows flows(1, 4);
  rankmap_members* const odd = rankmap_members_of(&flows, list({1, 3}), 2);
  rankmap_members* const even = rankmap_members_of(&flows, list({0, 1}), 2);
  EXPECT_EQ(rankmap_flows_call(&flows, odd, RANKMAP_ALLTOALL, 0, 0, 8), 0);
  rankmap_members_release(&flows, odd);
  rankmap_members_release(&flows, even);
  ASSERT_EQ(flows.member_sets, 1U);
  EXPECT_EQ(flows.groups[0].members, flows.members[0]);
}

TEST(RecordGroups, are_the_same_on_all_ranks_and_differ_by_operation_root_and_phase) {
  Flows here(0, 4), there(3, 4);
  rankmap_flows_call(&here, &here.world, RANKMAP_BCAST, 1, 0, 8);
  rankmap_flows_call(&here, &here.world, RANKMAP_BCAST, 1, 0, 8);
  rankmap_flows_call(&here, &here.world, RANKMAP_BCAST, 2, 0, 8);
  rankmap_flows_call(&here, &here.world, RANKMAP_REDUCE, 1, 0, 8);
  rankmap_flows_call(&here, &here.world, RANKMAP_BCAST, 1, 1, 8);
  rankmap_flows_call(&there, &there.world, RANKMAP_BCAST, 1, 0, 8);
  ASSERT_EQ(here.group_count, 4U);
  EXPECT_EQ(here.groups[0].calls, 2U);
  EXPECT_EQ(here.groups[0].bytes, 16U);
  EXPECT_EQ(there.groups[0].key, here.groups[0].key);
}

// A world of four ranks and the operation that is number four met in one key once: 0, which is
// none.
TEST(RecordGroups, have_a_key_whatever_the_size_of_the_world) {
  for (int size = 2; size <= 64; ++size)
    for (int operation = 0; operation < RANKMAP_OPERATIONS; ++operation) {
      Flows flows(0, size);
      rankmap_flows_call(&flows, &flows.world, static_cast<rankmap_operation>(operation), 0, 0, 8);
      ASSERT_EQ(flows.group_count, 1U);
      EXPECT_NE(flows.groups[0].key, 0U) << "operation " << operation << " of " << size;
    }
}

// What all members send, as a graph.
CommGraph expanded(rankmap_operation operation, int ranks, std::uint64_t bytes) {
  GraphBuilder builder(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    Flows flows(rank, ranks);
    rankmap_flows_call(&flows, &flows.world, operation, 0, 0, bytes);
    std::pair<GraphBuilder*, int> context{&builder, rank};
    rankmap_expand(
        &flows.groups[0],
        [](void* to, int destination, std::uint64_t size, std::uint64_t messages) {
          const auto& [graph, source] = *static_cast<std::pair<GraphBuilder*, int>*>(to);
          graph->add({source, destination, size, messages, 1, 0, none});
        },
        &context);
  }
  return std::move(builder).build("expanded");
}

TEST(RecordExpand, is_what_the_pattern_of_the_operation_has) {
  const std::map<std::string, rankmap_operation> kinds = {{"alltoall", RANKMAP_ALLTOALL},
                                                          {"allgather", RANKMAP_ALLGATHER},
                                                          {"allreduce", RANKMAP_ALLREDUCE},
                                                          {"bcast", RANKMAP_BCAST},
                                                          {"reduce", RANKMAP_REDUCE}};
  for (const auto& [kind, operation] : kinds)
    for (int ranks = 2; ranks <= 17; ++ranks) {
      const CommGraph pattern = read_app(kind + ":" + std::to_string(ranks) + ",bytes=1003");
      const CommGraph found = expanded(operation, ranks, 1003);
      ASSERT_EQ(found.edges().size(), pattern.edges().size()) << kind << " of " << ranks;
      for (std::size_t i = 0; i < found.edges().size(); ++i) {
        const Edge& edge = found.edges()[i];
        const Edge& wanted = pattern.edges()[i];
        EXPECT_EQ(std::tie(edge.source, edge.destination, edge.bytes, edge.messages),
                  std::tie(wanted.source, wanted.destination, wanted.bytes, wanted.messages))
            << kind << " of " << ranks;
      }
    }
}

TEST(RecordPhase, follows_the_levels_of_pcontrol) {
  EXPECT_EQ(rankmap_phase_begin(nullptr), 0);
  EXPECT_EQ(rankmap_phase(), 0);
  const std::vector<std::pair<int, int>> level_and_phase = {
      {2, 1}, {5, 4}, {0, -1}, {1, 0}, {RANKMAP_MOST_PHASES + 10, RANKMAP_MOST_PHASES - 1}};
  for (const auto& [level, phase] : level_and_phase) {
    rankmap_phase_level(level);
    EXPECT_EQ(rankmap_phase(), phase) << "level " << level;
  }
  rankmap_phase_level(3);
  rankmap_phase_level(-1);
  EXPECT_EQ(rankmap_phase(), 2) << "a level below 0 means nothing";
}

TEST(RecordPhase, refuses_settings_that_are_none) {
  for (const char* bad : {"time", "time:", "time:0", "time:-1", "time:1x", "time:nan", "often"})
    EXPECT_EQ(rankmap_phase_begin(bad), -1) << bad;
  for (const char* good : {"", "pcontrol", "time:1", "time:0.25"})
    EXPECT_EQ(rankmap_phase_begin(good), 0) << good;
  rankmap_phase_begin(nullptr);
}

}  // namespace
}  // namespace rankmap::testing
