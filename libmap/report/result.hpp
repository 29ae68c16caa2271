// What `rankmap map` and `rankmap score` found, as one value, and its two faces: text and JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libmap/graph/comm_graph.hpp"
#include "libmap/machine/machine.hpp"
#include "libmap/mapping/launcher.hpp"
#include "libmap/model/communicators.hpp"
#include "libmap/model/objective.hpp"
#include "libmap/place/strategy.hpp"

namespace rankmap {

// The app and the machine must outlive the value.
struct MapResult {
  const CommGraph* app = nullptr;
  const Machine* machine = nullptr;
  Objective objective;
  PlaceResult placed;
  Score score;
  double seconds = 0;                   // of the strategy alone
  std::optional<double> default_value;  // of the launcher's own order; nullopt: not defined
  bool with_top = false;                // show placed.top
};

// schema_version 1; bandwidths in GB/s, times in seconds, unknown values null. Ends with a newline.
// `written`: the file of a launcher, given as "export".
std::string map_json(const MapResult& result, const std::optional<Export>& written);
// {"schema_version":1,"infeasible":"..."}
std::string infeasible_json(const std::string& reason);

struct ScoredMap {
  std::string name;  // the file
  Score score;
  // Of every phase that has communicators; nullopt: too many to be looked at.
  std::optional<std::vector<PhaseCommunicators>> communicators = std::vector<PhaseCommunicators>{};
};
// {"schema_version":1,"app":{},"machine":{},"maps":[{"file","score":{},"communicators":[]}]};
// "score" again beside them where there is one map.
std::string scores_json(const CommGraph& app, const Machine& machine,
                        const std::vector<ScoredMap>& maps);
// The graph: ranks, edges, bytes, phases, groups and, up to `most_edges`, the edges themselves.
std::string app_json(const CommGraph& app, std::size_t most_edges);

std::string map_text(const MapResult& result);
std::string scores_text(const std::vector<ScoredMap>& maps);
// What the communicators of each phase load alone, a row a map and phase; "" where there are none.
std::string communicators_text(const CommGraph& app, const std::vector<ScoredMap>& maps);
std::string app_text(const CommGraph& app, std::size_t most_edges);
std::string machine_text(const Machine& machine);

// How many times better `value` is than `other` in the sense of the objective; 1 where they are equal,
// nullopt where one is missing or not above 0.
std::optional<double> times_better(ObjectiveKind kind, std::optional<double> value,
                                   std::optional<double> other);

// |value - bound| / |bound|; nullopt where either is missing or the bound is 0 and the value is not.
std::optional<double> gap_of(std::optional<double> value, std::optional<double> bound);

}  // namespace rankmap
