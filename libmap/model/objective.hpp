// What a strategy optimises, and the full score of a mapping.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libmap/graph/comm_graph.hpp"
#include "libmap/machine/machine.hpp"
#include "libmap/mapping/mapping.hpp"
#include "libmap/model/effbw.hpp"

namespace rankmap {

enum class ObjectiveKind { effbw, aggbw, preserved, congestion, hopbytes, offnode };
enum class PreserveCounts { all, nvlink };

// Mappings are compared by `kind`; those that are equal by the first of `then`, and so on.
struct Objective {
  ObjectiveKind kind = ObjectiveKind::congestion;
  EffbwModel model = EffbwModel::ring;            // effbw only
  PreserveCounts preserve = PreserveCounts::all;  // preserved only
  std::vector<ObjectiveKind> then = {};
};

struct ObjectiveRow {
  ObjectiveKind kind;
  const char* name;
  const char* summary;
  const char* unit;  // "GB/s", "s", "bytes"
  bool maximise;
};
std::span<const ObjectiveRow> objective_rows();
const ObjectiveRow& row_of(ObjectiveKind kind);
const ObjectiveRow& objective_row_of(std::string_view name);  // UsageError lists the names
// "offnode,congestion": kind and then, the rest as by default. UsageError: a name that is none, or
// twice.
Objective parse_objective(std::string_view text);
std::string objective_text(const Objective& objective);         // the same text
bool has_kind(const Objective& objective, ObjectiveKind kind);  // anywhere in the list

// Bandwidths in GB/s, times in seconds. effbw_* and preserved: nullopt across nodes or on bare
// slots.
struct Score {
  double aggbw = 0;  // equation 1: sum over pairs of weight x pair bandwidth
  LinkCounts counts;
  std::optional<double> effbw_ring;
  std::optional<double> effbw_tree;
  std::optional<double> effbw_mapa2021;  // nullopt outside its range
  std::optional<double> preserved;       // equation 3 among free (not forbidden) slots
  Bytes hop_bytes = 0;                   // sum of bytes x distance: links of the route
  double J = 0;                          // half of hop_bytes
  Bytes off_node_bytes = 0;
  double congestion_seconds = 0;  // sum over phases of max over links of load / bandwidth
  int max_dilation = 0;           // most links on the route of any edge
};

struct ScoreOptions {
  PreserveCounts preserve = PreserveCounts::all;
  std::vector<SlotId> busy;     // not free for `preserved`
  bool force_mapa2021 = false;  // give effbw_mapa2021 outside its range too
};

// O(edges x dimensions or levels + phases x links). The mapping must be valid.
Score score(const CommGraph& app, const Machine& machine, const Mapping& mapping,
            const ScoreOptions& options = {});

// Expected bytes on every link in every phase: [phase][link]. Whole numbers stay exact below 2^53
// where no route is spread over several links.
std::vector<std::vector<double>> link_loads(const CommGraph& app, const Machine& machine,
                                            const Mapping& mapping);
// Sum over phases of max over links of load / nominal bandwidth; 0 without traffic between slots.
double congestion_seconds(const CommGraph& app, const Machine& machine, const Mapping& mapping);
// Sum of bytes x Machine::distance. O(edges x dimensions). InputError: the sum leaves 64 bits.
Bytes hop_bytes(const CommGraph& app, const Machine& machine, const Mapping& mapping);
int max_dilation(const CommGraph& app, const Machine& machine, const Mapping& mapping);
Bytes off_node_bytes(const CommGraph& app, const Machine& machine, const Mapping& mapping);

// The value by the objective's `kind` of one mapping in its unit, computed plainly. nullopt: not
// defined (one rank's effbw). UsageError: effbw or preserved across nodes or on bare slots.
std::optional<double> value_of(const Objective& objective, const CommGraph& app,
                               const Machine& machine, const Mapping& mapping,
                               const ScoreOptions& options);
// The values by `then`, in its order.
std::vector<std::optional<double>> further_values_of(const Objective& objective,
                                                     const CommGraph& app, const Machine& machine,
                                                     const Mapping& mapping,
                                                     const ScoreOptions& options);

// The order among mappings of equal value (DESIGN section 4): smaller is better, field by field,
// then the mapping itself (lowest index). ranks_per_uplink: most ranks on one NIC, and on one PCIe
// uplink.
struct TieKey {
  double congestion_seconds;
  double negative_aggbw;
  int ranks_per_nic;
  int ranks_per_uplink;
  int numa_nodes;
  friend auto operator<=>(const TieKey&, const TieKey&) = default;
};
TieKey tie_key(const CommGraph& app, const Machine& machine, const Mapping& mapping);

}  // namespace rankmap
