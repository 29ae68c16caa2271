// Random graphs: connected, of the wanted degree, the same for the same seed.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "tests/unit/patterns/edges_of.hpp"

namespace rankmap {
namespace {

bool is_connected(const CommGraph& graph) {
  std::vector<Rank> parent(static_cast<std::size_t>(graph.ranks()));
  std::iota(parent.begin(), parent.end(), 0);
  const std::function<Rank(Rank)> root = [&](Rank rank) {
    while (parent[static_cast<std::size_t>(rank)] != rank)
      rank = parent[static_cast<std::size_t>(rank)];
    return rank;
  };
  Rank parts = graph.ranks();
  for (const Pair& pair : graph.pairs()) {
    const Rank a = root(pair.low);
    const Rank b = root(pair.high);
    if (a != b) --parts;
    parent[static_cast<std::size_t>(a)] = b;
  }
  return parts == 1;
}

TEST(RandomPattern, IsConnectedAndHasTheWantedDegree) {
  for (int n = 2; n <= 40; n += 3) {
    for (int degree = std::min(2, n - 1); degree < n; ++degree) {
      const CommGraph graph =
          read_app("random:" + std::to_string(n) + ",degree=" + std::to_string(degree));
      EXPECT_TRUE(is_connected(graph)) << n << " " << degree;
      EXPECT_EQ(graph.pairs().size(), static_cast<std::size_t>(n * degree / 2)) << n;
      EXPECT_EQ(graph.edges().size(), 2 * graph.pairs().size());
    }
  }
}

TEST(RandomPattern, HasADegreeOfFourUnlessThereAreFewerRanks) {
  EXPECT_EQ(pairs("random:100").size(), 200U);
  EXPECT_EQ(pairs("random:3"), pairs("clique:3"));
  EXPECT_EQ(edge_count("random:1"), 0U);
}

TEST(RandomPattern, DependsOnTheSeedAlone) {
  EXPECT_EQ(arcs("random:50,seed=7"), arcs("random:50,seed=7"));
  EXPECT_NE(arcs("random:50,seed=7"), arcs("random:50,seed=8"));
  EXPECT_EQ(arcs("random:50"), arcs("random:50,seed=0"));
}

TEST(RandomPattern, TakesEveryPairWhenAllAreWanted) {
  EXPECT_EQ(pairs("random:12,degree=11"), pairs("clique:12"));
}

}  // namespace
}  // namespace rankmap
