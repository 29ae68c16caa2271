// The table of a job's ranks, planned against actual, for people.
#include "libmap/report/placement_table.hpp"

#include "libmap/report/text_table.hpp"

namespace rankmap {
namespace {

std::string or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

// The planned GPU, and what the rank sees where that reads differently.
std::string gpu_cell(const PlacementRow& row) {
  const std::string plan = row.plan.gpu == none ? "" : std::to_string(row.plan.gpu);
  const std::string& seen = row.seen.gpus;
  if (plan.empty() || seen.empty() || seen == plan) return or_dash(plan);
  return plan + " as " + seen;
}

std::string memory_cell(const PlacementRow& row) {
  if (row.plan.memory_nodes.empty()) return "-";
  const std::string text = row.plan.memory_policy + ":" + row.plan.memory_nodes.to_string();
  return row.seen.memory == "set" ? text : text + " " + row.seen.memory;
}

}  // namespace

std::string placement_table(const std::vector<PlacementRow>& rows, std::size_t most_rows) {
  std::vector<std::vector<std::string>> table = {
      {"rank", "host", "GPU", "CPUs", "memory", "NIC", "verdict"}};
  std::size_t hidden = 0;
  const bool all = rows.size() <= most_rows;
  for (const PlacementRow& row : rows) {
    const bool shown = all || row.verdict != PlacementVerdict::ok;
    if (!shown || table.size() > most_rows) {
      hidden += shown ? 1 : 0;
      continue;
    }
    const std::string why = row.reason.empty() ? "" : ": " + row.reason;
    table.push_back({std::to_string(row.rank), or_dash(row.host), gpu_cell(row),
                     or_dash(row.seen.cpus.to_string()), memory_cell(row), or_dash(row.seen.nic),
                     std::string(name_of(row.verdict)) + why});
  }
  std::string text = table.size() > 1 ? text_table(table, {0}) : "";
  if (hidden > 0) text += "... and " + std::to_string(hidden) + " more\n";
  return text + summary_of(rows) + "\n";
}

}  // namespace rankmap
