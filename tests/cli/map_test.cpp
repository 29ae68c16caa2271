// rankmap map and score through the program, by the interface that others rely on.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/run_program.hpp"

namespace rankmap::test {
namespace {

using nlohmann::json;

json json_of(const std::vector<std::string>& arguments) {
  const Outcome outcome = run_program(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return json::parse(outcome.out);
}

std::string temporary(const std::string& name) {
  return testing::TempDir() + "rankmap_" + name;
}

TEST(Map, ARingOfFourOnADgx1IsProvenTheBest) {
  const json result = json_of({"map", "--app", "ring:4", "--machine", "dgx1-v100", "--json"});
  EXPECT_EQ(result["schema_version"], 1);
  EXPECT_EQ(result["app"]["ranks"], 4);
  EXPECT_EQ(result["app"]["edges"], 4);
  EXPECT_EQ(result["app"]["bytes"], 4);
  EXPECT_EQ(result["machine"]["name"], "dgx1-v100");
  EXPECT_EQ(result["machine"]["nodes"], 1);
  EXPECT_EQ(result["machine"]["slots"], 8);
  EXPECT_EQ(result["objective"], "effbw");
  EXPECT_EQ(result["model"], "ring");
  EXPECT_EQ(result["unit"], "GB/s");
  EXPECT_EQ(result["value"], 80.0);  // four rings of 20 GB/s
  EXPECT_EQ(result["bound"], 80.0);
  EXPECT_EQ(result["gap"], 0.0);
  EXPECT_EQ(result["optimal"], true);
  EXPECT_EQ(result["order_optimal"], true);
  EXPECT_EQ(result["strategy"], "exact");
  EXPECT_EQ(result["xyz"], json({3, 1, 0}));
  EXPECT_EQ(result["score"]["aggbw"], 175.0);  // 3 x 50 + 25
  EXPECT_EQ(result["score"]["effbw_ring"], 80.0);
  EXPECT_NEAR(result["score"]["effbw_mapa2021"], 68.71, 0.01);
  ASSERT_EQ(result["mapping"].size(), 4U);
  const json& row = result["mapping"][0];
  EXPECT_EQ(row["rank"], 0);
  EXPECT_EQ(row["slot"], 0);
  EXPECT_EQ(row["host"], "*");
  EXPECT_EQ(row["gpu"], 0);
  EXPECT_EQ(row["gpu_id"], nullptr);
  EXPECT_EQ(row["nic"], nullptr);
  EXPECT_EQ(row["cpus"], "0-4,40-44");
  EXPECT_EQ(row["memory"], "0");
}

TEST(Map, TheDoubleLinkCycleIsTheBestEightRingByAggregatedBandwidth) {
  const json result =
      json_of({"map", "ring:8", "-m", "dgx1-v100", "--objective", "aggbw", "--json"});
  EXPECT_EQ(result["value"], 400.0);  // 8 double links of 50 GB/s
  EXPECT_EQ(result["optimal"], true);
}

TEST(Map, TheRingModelTellsApartWhatEquationTwoCannot) {
  const auto value = [](const std::string& busy, const std::string& model) {
    return json_of({"map", "ring:4", "-m", "dgx1-v100", "--busy", busy, "--effbw", model,
                    "--json"})["value"]
        .get<double>();
  };
  EXPECT_EQ(value("4,5,6,7", "ring"), 80.0);
  EXPECT_EQ(value("1,2,5,6", "ring"), 40.0);
  EXPECT_NEAR(value("4,5,6,7", "mapa2021"), 68.71, 0.01);
  EXPECT_NEAR(value("1,2,5,6", "mapa2021"), 68.71, 0.01);
  EXPECT_EQ(json_of({"map", "ring:8", "-m", "dgx1-v100", "--json"})["value"], 120.0);
}

TEST(Map, TooFewFreeGpusIsInfeasibleWithTheReason) {
  const Outcome outcome =
      run_program({"map", "ring:4", "-m", "dgx1-v100", "--busy", "0,1,2,3,4", "--json"});
  EXPECT_EQ(outcome.code, 1);
  const json result = json::parse(outcome.out);
  EXPECT_EQ(result["schema_version"], 1);
  EXPECT_FALSE(result["infeasible"].get<std::string>().empty());
}

TEST(Map, FixedRanksStayAndBusyGpusAreLeftOut) {
  const json result = json_of(
      {"map", "stencil:2x2", "-m", "dgx1-v100", "--fix", "0=5,2=7", "--busy", "6", "--json"});
  EXPECT_EQ(result["mapping"][0]["gpu"], 5);
  EXPECT_EQ(result["mapping"][2]["gpu"], 7);
  for (const json& row : result["mapping"]) EXPECT_NE(row["gpu"], 6);
}

TEST(Map, TopListsTheBestFirst) {
  const json result = json_of({"map", "ring:3", "-m", "dgx1-v100", "--top", "5", "--json"});
  ASSERT_EQ(result["top"].size(), 5U);
  EXPECT_EQ(result["top"][0]["mapping"], result["mapping"]);
  for (std::size_t i = 1; i < 5; ++i)
    EXPECT_LE(result["top"][i]["value"], result["top"][i - 1]["value"]);
}

TEST(Map, TheSameInputGivesTheSameBytes) {
  const auto bytes = [] {
    json result = json_of({"map", "random:6,seed=3", "-m", "dgx1-v100", "--objective", "congestion",
                           "--seed", "7", "--json"});
    result.erase("seconds");
    return result.dump();
  };
  EXPECT_EQ(bytes(), bytes());
}

TEST(Map, OneRankHasNoBandwidthBut12ByEquationTwo) {
  EXPECT_EQ(json_of({"map", "ring:1", "-m", "dgx1-v100", "--json"})["value"], nullptr);
  EXPECT_NEAR(json_of({"map", "ring:1", "-m", "dgx1-v100", "--effbw", "mapa2021", "--force",
                       "--json"})["value"],
              12.3351, 1e-3);
}

TEST(Map, EquationTwoOutsideItsRangeNeedsForce) {
  const std::vector<std::string> words = {"map",     "ring:7",   "-m",    "dgx1-v100",
                                          "--effbw", "mapa2021", "--json"};
  EXPECT_EQ(run_program(words).code, 1);
  std::vector<std::string> forced = words;
  forced.emplace_back("--force");
  EXPECT_EQ(json_of(forced)["optimal"], true);
}

TEST(Map, WritesAMapThatScoresTheSame) {
  const std::string file = temporary("a.rankmap");
  const json result = json_of({"map", "nccl:5", "-m", "dgx1-v100", "-o", file, "--json"});
  const json scored = json_of({"score", "nccl:5", "-m", "dgx1-v100", "--map", file, "--json"});
  EXPECT_EQ(scored["maps"][0]["score"], result["score"]);
  std::filesystem::remove(file);
}

TEST(Map, WritesRankfilesWithTheirCommandLine) {
  const std::string file = temporary("rankfile");
  const Outcome outcome =
      run_program({"map", "ring:4", "-m", "dgx1-v100", "--for", "openmpi4", "-o", file});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("mpirun"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(file + ".rankmap"));
  const Outcome printed = run_program({"map", "ring:4", "-m", "dgx1-v100", "--for", "prrte"});
  EXPECT_NE(printed.out.find("\nrank 0="), std::string::npos);
  std::filesystem::remove(file);
  std::filesystem::remove(file + ".rankmap");
}

TEST(Map, SeveralNamelessNodesNeedHostsForARankfile) {
  const std::vector<std::string> words = {"map",          "ring:16", "-m",    "dgx1-v100x2",
                                          "--time-limit", "1",       "--for", "openmpi4"};
  EXPECT_EQ(run_program(words).code, 2);
  std::vector<std::string> named = words;
  named.insert(named.end(), {"--hosts", "n0,n1"});
  const Outcome outcome = run_program(named);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("=n1 slot="), std::string::npos);
}

TEST(Map, TellsWhenTheDefaultOrderIsAsGood) {
  const Outcome outcome = run_program({"map", "alltoall:4", "-m", "hgx-h100"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("default order is under 2 %"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace rankmap::test
