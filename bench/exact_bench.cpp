// How long `exact` takes: patterns x ranks x the five graphs of the MAPA paper, the oracle for
// comparison, and the slowest of 1,000 random busy sets.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "libmap/base/deadline.hpp"
#include "libmap/base/random.hpp"
#include "libmap/machine/machine_spec.hpp"
#include "libmap/place/strategy.hpp"
#include "patterns/pattern.hpp"

namespace rankmap {
namespace {

constexpr std::array machine_names{"dgx1-v100", "dgx1-p100", "summit", "torus2d-16", "cubemesh-16"};
constexpr std::array pattern_names{"ring", "chain", "star", "tree", "clique"};

struct ModelRow {
  const char* name;
  Objective objective;
  bool set_only;  // the pattern does not change the value: one is enough
};
constexpr std::array models{
    ModelRow{"aggbw", {ObjectiveKind::aggbw, EffbwModel::ring, PreserveCounts::all}, false},
    ModelRow{"mapa2021", {ObjectiveKind::effbw, EffbwModel::mapa2021, PreserveCounts::all}, false},
    ModelRow{"effbw_ring", {ObjectiveKind::effbw, EffbwModel::ring, PreserveCounts::all}, true},
    ModelRow{"effbw_tree", {ObjectiveKind::effbw, EffbwModel::tree, PreserveCounts::all}, true},
};

const Machine& machine_named(const std::string& name) {
  static std::map<std::string, std::unique_ptr<Machine>> machines;
  std::unique_ptr<Machine>& machine = machines[name];
  if (!machine) {
    MachineOptions options;
    options.share_directory = std::string(RANKMAP_SOURCE_DIR) + "/share";
    machine = std::make_unique<Machine>(read_machine(name, options));
  }
  return *machine;
}

PlaceRequest request_for(const CommGraph& app, const Machine& machine, Objective objective) {
  PlaceRequest request;
  request.app = &app;
  request.machine = &machine;
  request.objective = objective;
  request.force = true;
  return request;
}

void place_once(benchmark::State& state, const std::string& strategy, const std::string& machine,
                const std::string& app_text, Objective objective) {
  const CommGraph app = read_app(app_text);
  const PlaceRequest request = request_for(app, machine_named(machine), objective);
  bool optimal = true, order_optimal = true;
  for ([[maybe_unused]] auto step : state) {
    const PlaceResult result = place(strategy, request);
    optimal = result.optimal;
    order_optimal = result.order_optimal;
    benchmark::DoNotOptimize(result.value);
  }
  state.counters["optimal"] = optimal ? 1 : 0;
  state.counters["order_optimal"] = order_optimal ? 1 : 0;
}

// One time a busy set; every step of the state is a whole round of 1,000.
void random_busy_sets(benchmark::State& state, const std::string& machine_name,
                      const std::string& pattern, Objective objective) {
  const Machine& machine = machine_named(machine_name);
  std::vector<double> seconds;
  for ([[maybe_unused]] auto step : state) {
    Random random(2021);
    seconds.clear();
    for (int i = 0; i < 1000; ++i) {
      std::vector<SlotId> slots;
      for (SlotId slot = 0; slot < machine.slots(); ++slot) slots.push_back(slot);
      random.shuffle(slots);
      const auto free_slots = 2 + random.below(slots.size() - 1);
      const auto ranks = 2 + random.below(std::min<std::uint64_t>(free_slots - 1, 7));
      const CommGraph app = read_app(pattern + ":" + std::to_string(ranks));
      PlaceRequest request = request_for(app, machine, objective);
      request.forbidden.assign(slots.begin() + static_cast<std::ptrdiff_t>(free_slots),
                               slots.end());
      const Stopwatch watch;
      benchmark::DoNotOptimize(place("exact", request).value);
      seconds.push_back(watch.seconds());
    }
  }
  std::sort(seconds.begin(), seconds.end());
  state.counters["p50_us"] = seconds[seconds.size() / 2] * 1e6;
  state.counters["p99_us"] = seconds[seconds.size() * 99 / 100] * 1e6;
  state.counters["max_us"] = seconds.back() * 1e6;
}

void add(const std::string& name, const std::string& strategy, const std::string& machine,
         const std::string& app, Objective objective) {
  benchmark::RegisterBenchmark(
      name.c_str(),
      [=](benchmark::State& state) { place_once(state, strategy, machine, app, objective); })
      ->Unit(benchmark::kMicrosecond)
      ->MinTime(0.02);
}

void add_all() {
  for (const ModelRow& model : models) {
    for (const char* machine : machine_names) {
      for (const char* pattern : pattern_names) {
        if (model.set_only && pattern != pattern_names.front()) continue;
        for (int ranks = 2; ranks <= machine_named(machine).slots(); ++ranks) {
          const std::string app = std::string(pattern) + ":" + std::to_string(ranks);
          add(std::string("exact/") + model.name + "/" + machine + "/" + app, "exact", machine, app,
              model.objective);
        }
      }
    }
  }
  add("reference/exact", "exact", "torus2d-16", "ring:7", models[0].objective);
  benchmark::RegisterBenchmark("reference/exhaustive",
                               [](benchmark::State& state) {
                                 place_once(state, "exhaustive", "torus2d-16", "ring:7",
                                            models[0].objective);
                               })
      ->Unit(benchmark::kMicrosecond)
      ->Iterations(1);
  for (const ModelRow& model : models)
    for (const char* machine : machine_names)
      benchmark::RegisterBenchmark(
          (std::string("busy1000/") + model.name + "/" + machine + "/ring").c_str(),
          [=](benchmark::State& state) {
            random_busy_sets(state, machine, "ring", model.objective);
          })
          ->Unit(benchmark::kMillisecond)
          ->Iterations(1);
}

}  // namespace
}  // namespace rankmap

int main(int argc, char** argv) {
  rankmap::add_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
