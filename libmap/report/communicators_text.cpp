// The table of communicators of `rankmap score`.
#include "libmap/report/result.hpp"
#include "libmap/report/text_table.hpp"

namespace rankmap {
std::string communicators_text(const CommGraph& app, const std::vector<ScoredMap>& maps) {
  std::vector<std::vector<std::string>> rows = {{"phase", "map", "communicators", "least links",
                                                 "mean", "most", "most bytes", "time (s)", "of"}};
  std::string beyond;
  for (std::int32_t phase = 0; phase < app.phases(); ++phase) {
    for (const ScoredMap& map : maps) {
      if (!map.communicators) {
        beyond = "communicators: too many times too many links to be looked at one by one\n";
        continue;
      }
      for (const PhaseCommunicators& row : *map.communicators) {
        if (row.phase != phase) continue;
        rows.push_back({std::to_string(phase), map.name, std::to_string(row.communicators),
                        std::to_string(row.least_links), readable(row.mean_links),
                        std::to_string(row.most_links), readable(row.worst.most_bytes),
                        readable(row.worst.seconds),
                        app.groups()[static_cast<std::size_t>(row.worst.group)].name});
      }
    }
  }
  if (rows.size() == 1) return beyond;
  return "each communicator alone: links it uses, and the most bytes on one of them\n" +
         text_table(rows, {0, 2, 3, 4, 5, 6, 7}) + beyond;
}

}  // namespace rankmap
