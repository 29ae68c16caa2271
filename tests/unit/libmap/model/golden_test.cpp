// The stored optima of tests/golden/mapa score as their files say, mapping by mapping.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "libmap/model/objective.hpp"
#include "model_machines.hpp"
#include "tests/unit/libmap/model/golden_apps.hpp"

namespace rankmap::test {
namespace {

using nlohmann::json;

json golden() {
  std::ifstream file(std::string(RANKMAP_SOURCE_DIR) + "/tests/golden/mapa/golden.json");
  return json::parse(file);
}

Mapping from_one(const json& gpus) {
  Mapping mapping;
  for (const json& gpu : gpus) mapping.slot_of.push_back(gpu.get<int>() - 1);
  return mapping;
}

// Calls check(machine at PCIe 10, machine at PCIe 12, case) for all feasible cases.
template <typename Check>
int for_each_case(Check check) {
  int cases = 0;
  const json stored = golden();
  for (const auto& [name, graph] : stored.at("graphs").items()) {
    const Machine pcie10 = golden_machine(name, 10);
    const Machine pcie12 = golden_machine(name, 12);
    for (const json& item : graph.at("cases")) {
      if (!item.at("feasible").get<bool>()) continue;
      check(pcie10, pcie12, item);
      ++cases;
    }
  }
  return cases;
}

constexpr double relative = 1e-6;  // the file has 9 decimals

TEST(Golden, EveryStoredMappingHasItsEquation2ValueAndCounts) {
  int values = 0;
  for_each_case([&](const Machine& machine, const Machine&, const json& item) {
    for (const auto& [pattern, result] : item.at("patterns").items()) {
      const CommGraph app = golden_app(pattern, item.at("k").get<int>());
      const json& eff = result.at("eff");
      ScoreOptions options;
      options.force_mapa2021 = true;  // some cases have 6 ranks
      const Score scored = score(app, machine, from_one(eff.at("map")), options);
      const double expected = eff.at("value").get<double>();
      ASSERT_TRUE(scored.effbw_mapa2021.has_value());
      EXPECT_NEAR(*scored.effbw_mapa2021, expected, relative * std::abs(expected));
      EXPECT_EQ(scored.counts.doubles, eff.at("xyz").at(0).get<int>());
      EXPECT_EQ(scored.counts.singles, eff.at("xyz").at(1).get<int>());
      EXPECT_EQ(scored.counts.pcie, eff.at("xyz").at(2).get<int>());
      ++values;
    }
  });
  EXPECT_EQ(values, 3099);
}

TEST(Golden, EveryStoredMappingHasItsAggregatedBandwidth) {
  int values = 0;
  for_each_case([&](const Machine& pcie10, const Machine& pcie12, const json& item) {
    for (const auto& [pattern, result] : item.at("patterns").items()) {
      const CommGraph app = golden_app(pattern, item.at("k").get<int>());
      const Objective objective{ObjectiveKind::aggbw, {}, {}};
      const auto value = [&](const Machine& machine, const char* key) {
        return value_of(objective, app, machine, from_one(result.at(key).at("map")), {});
      };
      EXPECT_DOUBLE_EQ(*value(pcie10, "agg10"), result.at("agg10").at("value").get<double>());
      EXPECT_DOUBLE_EQ(*value(pcie12, "agg12"), result.at("agg12").at("value").get<double>());
      values += 2;
    }
  });
  EXPECT_EQ(values, 2 * 3099);
}

TEST(Golden, EveryStoredSetPreservesItsBandwidth) {
  const int cases =
      for_each_case([](const Machine& pcie10, const Machine& pcie12, const json& item) {
        const CommGraph app = golden_app("chain", item.at("k").get<int>());
        ScoreOptions options;
        options.busy = from_one(item.at("busy")).slot_of;
        const auto expect = [&](const Machine& machine, PreserveCounts counts, const char* key) {
          const json& stored = item.at("preserved").at(key);
          const Objective objective{ObjectiveKind::preserved, {}, counts};
          const auto value = value_of(objective, app, machine, from_one(stored.at("set")), options);
          EXPECT_DOUBLE_EQ(*value, stored.at("value").get<double>()) << key;
        };
        expect(pcie10, PreserveCounts::nvlink, "nvlink_only");
        expect(pcie10, PreserveCounts::all, "with_pcie10");
        expect(pcie12, PreserveCounts::all, "with_pcie12");
      });
  EXPECT_GT(cases, 400);  // 7 graphs x 21 busy sets x 4 or 5 k, less the infeasible
}

}  // namespace
}  // namespace rankmap::test
