// The order of ranks for an application's graph, against all orders where they can be counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

extern "C" {
#include "mpi_shim/reorder/order/order.h"
}

namespace rankmap::testing {
namespace {

using Edges = std::vector<rankmap_edge>;
using Sites = std::vector<rankmap_site>;

struct Ordered {
  std::vector<int> rank_of;
  int hosts = 0;
  int64_t before = 0;
  int64_t after = 0;
};

Ordered order_of(const rankmap_graph& graph, const Sites& sites) {
  Ordered ordered{std::vector<int>(sites.size(), -1), 0, 0, 0};
  struct rankmap_order order{ordered.rank_of.data(), 0, 0, 0};
  EXPECT_EQ(rankmap_order(&graph, sites.data(), &order), 1);
  ordered.hosts = order.hosts;
  ordered.before = order.before;
  ordered.after = order.after;
  return ordered;
}

class Graph {
 public:
  Graph(int count, const Edges& edges) {
    EXPECT_EQ(rankmap_graph_of_edges(&graph_, count, edges.data(), static_cast<int>(edges.size())),
              1);
  }
  Graph(int count, const rankmap_grid& grid) {
    EXPECT_EQ(rankmap_graph_of_grid(&graph_, count, &grid), 1);
  }
  ~Graph() { rankmap_graph_free(&graph_); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  const rankmap_graph& operator*() const { return graph_; }

 private:
  rankmap_graph graph_{};
};

// Processes dealt to `hosts` hosts by turns, as a cyclic launcher does.
Sites dealt(int processes, int hosts) {
  Sites sites;
  for (int p = 0; p < processes; ++p)
    sites.push_back({1000 - static_cast<uint64_t>(p % hosts), -1});
  return sites;
}

int64_t weight_between_hosts(const Edges& edges, const Sites& sites,
                             const std::vector<int>& rank_of) {
  std::vector<int> process_of(rank_of.size());
  for (std::size_t p = 0; p < rank_of.size(); ++p) process_of[rank_of[p]] = static_cast<int>(p);
  int64_t weight = 0;
  for (const rankmap_edge& edge : edges)
    if (sites[process_of[edge.from]].host != sites[process_of[edge.to]].host)
      weight += std::max(edge.weight, 0);
  return weight;
}

int64_t least_of_all_orders(const Edges& edges, const Sites& sites) {
  std::vector<int> rank_of(sites.size());
  std::iota(rank_of.begin(), rank_of.end(), 0);
  int64_t least = INT64_MAX;
  do least = std::min(least, weight_between_hosts(edges, sites, rank_of));
  while (std::next_permutation(rank_of.begin(), rank_of.end()));
  return least;
}

void expect_permutation(std::vector<int> rank_of) {
  std::sort(rank_of.begin(), rank_of.end());
  for (std::size_t i = 0; i < rank_of.size(); ++i) ASSERT_EQ(rank_of[i], static_cast<int>(i));
}

TEST(Reorder, RandomGraphsReachTheLeastWeightOfAllOrders) {
  std::mt19937 random(20240229);
  const auto below = [&random](int limit) { return static_cast<int>(random() % limit); };
  for (int round = 0; round < 150; ++round) {
    const int count = 2 + below(round % 10 == 0 ? 7 : 6), hosts = 2 + below(2);
    Sites sites;
    for (int p = 0; p < count; ++p) sites.push_back({static_cast<uint64_t>(below(hosts)), -1});
    Edges edges;
    for (int e = below(3 * count); e >= 0; --e)
      edges.push_back({below(count), below(count), below(9) - 1});
    const Graph graph(count, edges);
    const Ordered ordered = order_of(*graph, sites);
    expect_permutation(ordered.rank_of);
    std::vector<int> identity(sites.size());
    std::iota(identity.begin(), identity.end(), 0);
    ASSERT_EQ(ordered.before, weight_between_hosts(edges, sites, identity)) << "round " << round;
    ASSERT_EQ(ordered.after, weight_between_hosts(edges, sites, ordered.rank_of));
    ASSERT_EQ(ordered.after, least_of_all_orders(edges, sites)) << "round " << round;
  }
}

struct GridCase {
  rankmap_grid grid;
  int hosts;
  int64_t before;  // dealt by turns
  int64_t after;
};

int vertices(const rankmap_grid& grid) {
  return std::accumulate(grid.extents, grid.extents + grid.dimensions, 1, std::multiplies<>());
}

// 4x2 dealt to two hosts: the second dimension alternates, so its 4 edges cross; the first does not.
//   Two halves of 2x2 share 2 edges. Periodic in the first dimension, they share 4.
// 2x4: each of the 6 edges along the second dimension crosses; two halves share 2.
// 8x8 dealt to 4: all 7*8 edges along the second dimension cross; four blocks of 4x4 share 4 * 4.
// 8x8x8 dealt to 8: all 7*64 along the last cross; eight cubes share 3 planes of 64.
// 12x12 dealt to 9: 0 steps along the second dimension stay (11*12), and of the first, 12 mod 9 = 3
//   moves to another host as well (11*12); nine blocks of 4x4 share 2 * 2 * 12.
// 16x4 torus dealt to 4: rows lie host by host, so each of the 64 edges along the second crosses; four
//   strips of 4x4 share 4 * 4.
// 9x7 dealt to 3: 63 = 3 * 21 and 7 mod 3 = 1, so every edge crosses, 8*7 + 9*6; three strips of 3
//   rows share 2 * 7.
const GridCase grid_cases[] = {
    {{2, {4, 2}, {0, 0}}, 2, 4, 2},           {{2, {4, 2}, {1, 0}}, 2, 4, 4},
    {{2, {2, 4}, {0, 0}}, 2, 6, 2},           {{2, {8, 8}, {0, 0}}, 4, 56, 16},
    {{3, {8, 8, 8}, {0, 0, 0}}, 8, 448, 192}, {{2, {12, 12}, {0, 0}}, 9, 264, 48},
    {{2, {16, 4}, {1, 1}}, 4, 64, 16},        {{2, {9, 7}, {0, 0}}, 3, 110, 14},
};

TEST(Reorder, GridsDealtByTurnsBecomeBlocks) {
  for (const GridCase& c : grid_cases) {
    const int count = vertices(c.grid);
    const Graph graph(count, c.grid);
    const Ordered ordered = order_of(*graph, dealt(count, c.hosts));
    expect_permutation(ordered.rank_of);
    EXPECT_EQ(ordered.hosts, c.hosts);
    EXPECT_EQ(ordered.before, c.before) << c.grid.extents[0] << "x" << c.grid.extents[1];
    EXPECT_EQ(ordered.after, c.after) << c.grid.extents[0] << "x" << c.grid.extents[1];
  }
}

TEST(Reorder, RanksStayWhereTheOrderIsBestAlready) {
  Sites sites;
  for (int p = 0; p < 16; ++p) sites.push_back({static_cast<uint64_t>(p / 8), -1});
  const Graph graph(16, rankmap_grid{2, {4, 4}, {0, 0}});
  const Ordered ordered = order_of(*graph, sites);
  for (int p = 0; p < 16; ++p) EXPECT_EQ(ordered.rank_of[p], p);
}

TEST(Reorder, ProcessesBeyondTheGridAreLeftOver) {
  // 3x2 on 2 hosts of 4: one row can be cut off, 2 edges, or one vertex, 2 edges.
  const Graph graph(8, rankmap_grid{2, {3, 2}, {0, 0}});
  const Ordered ordered = order_of(*graph, dealt(8, 2));
  expect_permutation(ordered.rank_of);
  EXPECT_EQ(ordered.before, 3);
  EXPECT_EQ(ordered.after, 2);
}

TEST(Reorder, RanksOfAHostGatherByNumaNode) {
  // One host, two NUMA nodes dealt by turns; a chain of 8 needs one edge between them.
  Sites sites;
  for (int p = 0; p < 8; ++p) sites.push_back({7, p % 2});
  Edges chain;
  for (int v = 0; v < 7; ++v) chain.push_back({v, v + 1, 5});
  const Graph graph(8, chain);
  const Ordered ordered = order_of(*graph, sites);
  expect_permutation(ordered.rank_of);
  Sites as_hosts;
  for (const rankmap_site& site : sites)
    as_hosts.push_back({static_cast<uint64_t>(site.domain), -1});
  EXPECT_EQ(weight_between_hosts(chain, as_hosts, ordered.rank_of), 5);
}

TEST(Reorder, NumaNodesNeverCostWeightBetweenHosts) {
  // Two hosts of two NUMA nodes each, 16 ranks of a 4x4 grid: halves share 4, quarters in them 2 each.
  Sites sites, nodes;
  for (int p = 0; p < 16; ++p) {
    sites.push_back({static_cast<uint64_t>(p % 2), p / 2 % 2});
    nodes.push_back({static_cast<uint64_t>(p % 4), -1});
  }
  Edges edges;
  for (int v = 0; v < 16; ++v) {
    if (v % 4 < 3) edges.push_back({v, v + 1, 1});
    if (v < 12) edges.push_back({v, v + 4, 1});
  }
  const Graph graph(16, edges);
  const Ordered ordered = order_of(*graph, sites);
  EXPECT_EQ(ordered.after, 4);
  EXPECT_EQ(weight_between_hosts(edges, nodes, ordered.rank_of), 8);
}

TEST(Reorder, TheSameInputGivesTheSameOrder) {
  std::mt19937 random(5);
  Edges edges;
  for (int e = 0; e < 4000; ++e)
    edges.push_back({static_cast<int>(random() % 300), static_cast<int>(random() % 300),
                     static_cast<int>(random() % 100)});
  const Graph graph(300, edges);
  const Ordered once = order_of(*graph, dealt(300, 7));
  const Ordered again = order_of(*graph, dealt(300, 7));
  EXPECT_EQ(once.rank_of, again.rank_of);
  EXPECT_LT(once.after, once.before);
}

TEST(Reorder, EdgesToNobodyAreRefused) {
  const Edges edges = {{0, 4, 1}};
  rankmap_graph graph;
  EXPECT_EQ(rankmap_graph_of_edges(&graph, 4, edges.data(), 1), 0);
}

}  // namespace
}  // namespace rankmap::testing
