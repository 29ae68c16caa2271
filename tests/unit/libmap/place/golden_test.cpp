// exact reproduces the optimal values of tests/golden/mapa (see its README), case by case.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "libmap/place/strategy.hpp"
#include "place_cases.hpp"
#include "tests/unit/libmap/model/golden_apps.hpp"
#include "tests/unit/libmap/model/model_machines.hpp"

namespace rankmap::test {
namespace {

using nlohmann::json;

const json& golden() {
  static const json stored = [] {
    std::ifstream file(std::string(RANKMAP_SOURCE_DIR) + "/tests/golden/mapa/golden.json");
    return json::parse(file);
  }();
  return stored;
}

double relative_error(double found, double expected) {
  return std::abs(found - expected) / std::max(1.0, std::abs(expected));
}

struct Case {
  const json& row;
  Machine& pcie10;
  Machine& pcie12;

  PlaceRequest request(const CommGraph& app, const Machine& machine) const {
    PlaceRequest request;
    request.app = &app;
    request.machine = &machine;
    request.force = true;
    for (const json& gpu : row.at("busy")) request.forbidden.push_back(gpu.get<int>() - 1);
    return request;
  }
  double value(const CommGraph& app, const Machine& machine, Objective objective) const {
    PlaceRequest asked = request(app, machine);
    asked.objective = objective;
    const PlaceResult result = place("exact", asked);
    EXPECT_TRUE(result.optimal);
    return result.value.value();
  }
};

template <typename Check>
int for_each_feasible_case(Check check) {
  int cases = 0;
  for (const auto& [name, graph] : golden().at("graphs").items()) {
    Machine pcie10 = golden_machine(name, 10);
    Machine pcie12 = golden_machine(name, 12);
    for (const json& row : graph.at("cases")) {
      if (!row.at("feasible").get<bool>()) continue;
      check(Case{row, pcie10, pcie12});
      ++cases;
    }
  }
  return cases;
}

TEST(GoldenOptima, ExactReachesEveryEffAgg10AndAgg12) {
  int values = 0;
  const auto check = [&](double found, const json& expected, const std::string& what) {
    EXPECT_LT(relative_error(found, expected.at("value").get<double>()), 1e-6) << what;
    ++values;
  };
  for_each_feasible_case([&](const Case& one) {
    for (const auto& [pattern, expected] : one.row.at("patterns").items()) {
      const CommGraph app = golden_app(pattern, one.row.at("k").get<int>());
      const std::string what = one.pcie10.name() + " " + pattern + " " + one.row.at("k").dump() +
                               " busy " + one.row.at("busy").dump();
      check(one.value(app, one.pcie10, {ObjectiveKind::effbw, EffbwModel::mapa2021, {}}),
            expected.at("eff"), what);
      check(one.value(app, one.pcie10, {ObjectiveKind::aggbw, {}, {}}), expected.at("agg10"), what);
      check(one.value(app, one.pcie12, {ObjectiveKind::aggbw, {}, {}}), expected.at("agg12"), what);
    }
  });
  EXPECT_EQ(values, 9297);  // 3,099 pattern cases, three values each
}

TEST(GoldenOptima, ExactReachesEveryPreservedValue) {
  const int cases = for_each_feasible_case([&](const Case& one) {
    const CommGraph app = golden_app("ring", one.row.at("k").get<int>());
    const json& expected = one.row.at("preserved");
    const auto check = [&](const char* name, const Machine& machine, PreserveCounts counts) {
      const double found = one.value(app, machine, {ObjectiveKind::preserved, {}, counts});
      EXPECT_LT(relative_error(found, expected.at(name).at("value").get<double>()), 1e-6);
    };
    check("nvlink_only", one.pcie10, PreserveCounts::nvlink);
    check("with_pcie10", one.pcie10, PreserveCounts::all);
    check("with_pcie12", one.pcie12, PreserveCounts::all);
  });
  EXPECT_EQ(cases, 492);  // of 525 cases the feasible ones
}

}  // namespace
}  // namespace rankmap::test
