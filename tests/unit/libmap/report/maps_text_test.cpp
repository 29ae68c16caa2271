#include "libmap/report/maps_text.hpp"

#include <gtest/gtest.h>

namespace rankmap {
namespace {

MapFile map_of_gpus(const std::vector<int>& gpus) {
  MapFile map{"box", "effbw", false, {}};
  for (const int gpu : gpus) {
    MapRow row;
    row.rank = static_cast<Rank>(map.rows.size());
    row.host = "*";
    row.gpu = gpu;
    map.rows.push_back(row);
  }
  return map;
}

TEST(MapsText, MarksTheRanksThatDiffer) {
  EXPECT_EQ(maps_text({{"a", map_of_gpus({0, 1})}, {"b", map_of_gpus({0, 3})}}),
            "rank  a      b\n"
            "   0  gpu 0  gpu 0\n"
            "   1  gpu 1  gpu 3  *\n");
}

TEST(MapsText, ShowsMapsOfDifferentSizeBesideEachOther) {
  EXPECT_EQ(maps_text({{"a", map_of_gpus({0})}, {"b", map_of_gpus({0, 3})}}),
            "rank  a      b\n"
            "   0  gpu 0  gpu 0\n"
            "   1  -      gpu 3  *\n");
}

TEST(MapsText, IsNothingForNoMaps) {
  EXPECT_EQ(maps_text({}), "");
}

}  // namespace
}  // namespace rankmap
