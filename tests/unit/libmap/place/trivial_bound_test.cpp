// Bounds that need no search: no mapping may pass them.
#include "libmap/place/trivial_bound.hpp"

#include <gtest/gtest.h>

#include "place_cases.hpp"

namespace rankmap::test {
namespace {

const Objective objectives[] = {
    {ObjectiveKind::effbw, EffbwModel::ring, PreserveCounts::all},
    {ObjectiveKind::effbw, EffbwModel::tree, PreserveCounts::all},
    {ObjectiveKind::effbw, EffbwModel::mapa2021, PreserveCounts::all},
    {ObjectiveKind::aggbw, EffbwModel::ring, PreserveCounts::all},
    {ObjectiveKind::preserved, EffbwModel::ring, PreserveCounts::all},
    {ObjectiveKind::preserved, EffbwModel::ring, PreserveCounts::nvlink},
    {ObjectiveKind::congestion, EffbwModel::ring, PreserveCounts::all},
    {ObjectiveKind::hopbytes, EffbwModel::ring, PreserveCounts::all}};

TEST(TrivialBound, HoldsForTheProvenOptimum) {
  Random random(20);
  for (int round = 0; round < 240; ++round) {
    const Objective& objective =
        objectives[static_cast<std::size_t>(round) % std::size(objectives)];
    const int gpus = 2 + static_cast<int>(random.below(5));
    RandomCase random_job = random_case(random, objective, gpus, 1, gpus);
    PlaceRequest request = random_job.request_of();
    request.force = true;
    const PlaceResult best = place("exact", request);
    const PlaceResult simple = place("linear", request);
    if (!best.value) continue;
    ASSERT_TRUE(simple.bound.has_value()) << row_of(objective.kind).name;
    const double sign = row_of(objective.kind).maximise ? 1 : -1;
    EXPECT_GE(sign * *simple.bound, sign * *best.value - 1e-9) << row_of(objective.kind).name;
  }
}

TEST(TrivialBound, OneRankHasNone) {
  Random random(1);
  RandomCase job = random_case(random, objectives[0], 3, 1, 1);
  EXPECT_FALSE(place("linear", job.request_of()).bound.has_value());
}

}  // namespace
}  // namespace rankmap::test
