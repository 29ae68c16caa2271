#include <nlohmann/json.hpp>

#include "libmap/report/placement_table.hpp"

namespace rankmap {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

Json or_null(int number) {
  return number == none ? Json() : Json(number);
}

Json planned_json(const MapRow& plan) {
  if (plan.host.empty()) return {};
  const std::string memory =
      plan.memory_nodes.empty() ? "" : plan.memory_policy + ":" + plan.memory_nodes.to_string();
  return {{"host", plan.host},
          {"gpu", or_null(plan.gpu)},
          {"gpu_id", or_null(plan.gpu_id)},
          {"nic", or_null(plan.nic)},
          {"cpus", or_null(plan.cpus.to_string())},
          {"memory", or_null(memory)}};
}

Json actual_json(const PlacementRow& row) {
  const ActualPlacement& seen = row.seen;
  if (row.host.empty()) return {};
  return {{"host", row.host},
          {"job", or_null(seen.job)},
          {"pid", seen.pid < 0 ? Json() : Json(seen.pid)},
          {"launcher", or_null(seen.launcher)},
          {"local_rank", or_null(seen.local_rank)},
          {"gpu_mode", or_null(seen.gpu_mode)},
          {"gpu_variable", or_null(seen.gpu_variable)},
          {"gpus", or_null(seen.gpus)},
          {"gpu_device", or_null(seen.gpu_device)},
          {"nic", or_null(seen.nic)},
          {"cpus", or_null(seen.cpus.to_string())},
          {"memory", or_null(seen.memory)},
          {"openmp", or_null(seen.openmp)},
          {"mpi_peers", seen.mpi_peers == 0 ? Json() : Json(seen.mpi_peers)}};
}

}  // namespace

std::string placement_json(const std::vector<PlacementRow>& rows) {
  Json list = Json::array();
  std::size_t good = 0;
  for (const PlacementRow& row : rows) {
    good += row.verdict == PlacementVerdict::ok ? 1 : 0;
    list.push_back({{"rank", row.rank},
                    {"host", or_null(row.host)},
                    {"verdict", name_of(row.verdict)},
                    {"reason", or_null(row.reason)},
                    {"planned", planned_json(row.plan)},
                    {"actual", actual_json(row)}});
  }
  const Json document = {
      {"schema_version", 1}, {"ranks", rows.size()}, {"as_planned", good}, {"rows", list}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace rankmap
