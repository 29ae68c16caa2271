// Planned against actual placement of a job's ranks: a table, and JSON.
#pragma once

#include <string>
#include <vector>

#include "libmap/mapping/placement_report.hpp"

namespace rankmap {

// One line a rank and the summary. More than most_rows ranks: only those that are not ok, at most so
// many. Ends with a newline.
std::string placement_table(const std::vector<PlacementRow>& rows, std::size_t most_rows);

// {"schema_version":1,"ranks":N,"as_planned":N,"rows":[{"rank","host","verdict","reason","planned":{},
// "actual":{}}]}; unknown values null. Ends with a newline.
std::string placement_json(const std::vector<PlacementRow>& rows);

}  // namespace rankmap
