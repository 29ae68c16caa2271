// Equation 2, its counts and its range.
#include <gtest/gtest.h>

#include "libmap/model/effbw.hpp"
#include "model_machines.hpp"

namespace rankmap::test {
namespace {

TEST(Mapa2021, WithoutLinksIsTheSumOfTheConstantFeatures) {
  // All inverse features are 1, the others 0: theta 4 + 5 + 6 + 10 + 11 + 12 + 14 =
  // -20.69484581 - 9.467461958 + 7.615106783 - 8.413419363 + 62.85125807 + 27.41832588 - 46.97390071
  EXPECT_NEAR(mapa2021(0, 0, 0), 12.335062892, 1e-9);
}

TEST(Mapa2021, OneDoubleLink) {
  // x = 1: theta1 + theta4 / 2 - theta4 more than without links: 16.39670455 + 10.347422905.
  EXPECT_NEAR(mapa2021(1, 0, 0), 12.335062892 + 16.39670455 + 20.69484581 / 2, 1e-9);
}

TEST(Mapa2021, CannotTellTwoSetsApartWhoseBestRingsAreAlike) {
  // DGX-1V: 0-3-2-1 has 0-3, 3-2, 2-1 double and 1-0 single; 0-3-7-4 has 0-3, 7-4, 4-0 double and 3-7
  // single. The first set has two more links inside that are not on the ring.
  const Machine machine = dgx1v();
  const LinkCounts quad = count_links(ring_app(4), machine, {{0, 3, 2, 1}});
  const LinkCounts across = count_links(ring_app(4), machine, {{0, 3, 7, 4}});
  EXPECT_EQ(quad, (LinkCounts{3, 1, 0, 2}));
  EXPECT_EQ(across, quad);
  EXPECT_NEAR(mapa2021(3, 1, 0), 68.71, 0.005);
}

TEST(Mapa2021, IsFittedToFiveRanksAndTwoLanes) {
  EXPECT_EQ(mapa2021_out_of_range(5, dgx1v()), "");
  EXPECT_EQ(mapa2021_out_of_range(1, dgx1v()), "");
  EXPECT_NE(mapa2021_out_of_range(6, dgx1v()).find("has 6"), std::string::npos);
  EXPECT_NE(mapa2021_out_of_range(2, switch_machine({12, 12}, 20)).find("12"), std::string::npos);
}

TEST(CountLinks, CountsAPairAsOftenAsItsWeight) {
  GraphBuilder builder(3);
  builder.add({0, 1, 1, 1, 2, 0, none});  // 0-3: double
  builder.add({1, 0, 1, 1, 1, 0, none});  // the same pair; the larger weight stays
  builder.add({0, 2, 1, 1, 3, 0, none});  // 0-5: PCIe
  const CommGraph app = std::move(builder).build("weights");
  const LinkCounts counts = count_links(app, dgx1v(), {{0, 3, 5}});
  EXPECT_EQ(counts, (LinkCounts{2, 0, 3, 2}));
}

TEST(CountLinks, TakesTheFewerLanesOfTwoGpusOnASwitch) {
  const LinkCounts counts = count_links(ring_app(2), switch_machine({6, 4}, 20), {{0, 1}});
  EXPECT_EQ(counts, (LinkCounts{1, 0, 0, 4}));
}

}  // namespace
}  // namespace rankmap::test
