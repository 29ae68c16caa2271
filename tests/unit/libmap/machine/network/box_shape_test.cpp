// Blocks of grids are boxes, level by level.
#include "libmap/machine/network/box_shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "link_graph.hpp"

namespace rankmap::test {
namespace {

// The nodes of every block at every level fill a box: its sides' product is their number.
void expect_boxes(const std::vector<int>& extents) {
  const NetworkShape shape = box_shape(extents);
  const NodeId nodes = std::accumulate(extents.begin(), extents.end(), 1, std::multiplies<>());
  EXPECT_EQ(std::accumulate(shape.arity.begin(), shape.arity.end(), 1, std::multiplies<>()), nodes);
  EXPECT_EQ(std::set<NodeId>(shape.order.begin(), shape.order.end()).size(), std::size_t(nodes));
  NodeId size = nodes;
  for (const int arity : shape.arity) {
    size /= arity;
    for (NodeId first = 0; first < nodes; first += size) {
      NodeId volume = 1;
      NodeId stride = nodes;
      for (const int extent : extents) {
        stride /= extent;
        std::set<int> places;
        for (NodeId i = first; i < first + size; ++i)
          places.insert(shape.order[std::size_t(i)] / stride % extent);
        EXPECT_EQ(*places.rbegin() - *places.begin() + 1, int(places.size()));
        volume *= static_cast<NodeId>(places.size());
      }
      EXPECT_EQ(volume, size);
    }
  }
}

TEST(BoxShape, BlocksAreBoxesAtEveryLevel) {
  for (const std::vector<int>& extents :
       {std::vector<int>{8, 4, 2}, {5, 3}, {6, 6, 6}, {1}, {7}, {12, 1, 4}, {2, 2, 2, 2, 2, 2}})
    expect_boxes(extents);
}

TEST(BoxShape, SplitsTheLongestSideByItsSmallestPrimeFactor) {
  EXPECT_EQ(box_shape(std::vector<int>{8, 4, 2}).arity, (std::vector<int>{2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(box_shape(std::vector<int>{9, 4}).arity, (std::vector<int>{3, 2, 3, 2}));
  EXPECT_EQ(box_shape(std::vector<int>{1, 1}).arity, (std::vector<int>{1}));
}

TEST(Shape, OfOtherNetworksIsTheirHierarchyAsNumbered) {
  EXPECT_EQ(network("tree:4:8:6")->shape().arity, (std::vector<int>{6, 8}));
  EXPECT_EQ(network("fattree:8:4:2")->shape().arity, (std::vector<int>{2, 4, 8}));
  EXPECT_EQ(network("dragonfly:groups=5,routers=4x3,nodes=2,global=1")->shape().arity,
            (std::vector<int>{5, 4, 3, 2}));
  EXPECT_EQ(network("flat:16")->shape().arity, (std::vector<int>{16}));
  EXPECT_TRUE(network("tree:4:8:6")->shape().order.empty());
}

}  // namespace
}  // namespace rankmap::test
