#include "libmap/report/result.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace rankmap {
namespace {

TEST(Gap, IsRelativeToTheBound) {
  EXPECT_EQ(gap_of(80.0, 80.0), 0.0);
  EXPECT_EQ(gap_of(60.0, 80.0), 0.25);
  EXPECT_EQ(gap_of(0.0, 0.0), 0.0);
  EXPECT_FALSE(gap_of(1.0, 0.0).has_value());
  EXPECT_FALSE(gap_of(std::nullopt, 1.0).has_value());
}

TEST(TimesBetter, FollowsTheSenseOfTheObjective) {
  EXPECT_EQ(times_better(ObjectiveKind::effbw, 80.0, 40.0), 2.0);
  EXPECT_EQ(times_better(ObjectiveKind::congestion, 1.0, 4.0), 4.0);
  EXPECT_EQ(times_better(ObjectiveKind::effbw, 6.0, 80.0), 6.0 / 80.0);
  EXPECT_EQ(times_better(ObjectiveKind::offnode, 0.0, 0.0), 1.0);
  EXPECT_FALSE(times_better(ObjectiveKind::offnode, 0.0, 5.0).has_value());
}

TEST(ResultJson, ReplacesWhatIsNoUtf8) {
  const nlohmann::json json = nlohmann::json::parse(infeasible_json("bad \xff byte"));
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_FALSE(json["infeasible"].get<std::string>().empty());
}

// Two ranks on one GPU of two cores: each row has the core that the map file gives to its rank.
TEST(ResultJson, DividesTheCoresOfASharedSlot) {
  NodeModel model;
  model.name = "box";
  model.gpus.resize(1);
  model.gpus[0].numa = 0;
  for (int core = 0; core < 2; ++core) model.cores.push_back({core, CpuSet({core}), 0, 0});
  const Machine machine(std::move(model), 1);
  GraphBuilder builder(2);
  builder.add({0, 1, 1, 1, 1, 0, none});
  const CommGraph app = std::move(builder).build("pair");
  MapResult result;
  result.app = &app;
  result.machine = &machine;
  result.placed.mapping = {{0, 0}};
  const nlohmann::json json = nlohmann::json::parse(map_json(result, std::nullopt));
  EXPECT_EQ(json["mapping"][0]["cpus"], "0");
  EXPECT_EQ(json["mapping"][1]["cpus"], "1");
}

}  // namespace
}  // namespace rankmap
