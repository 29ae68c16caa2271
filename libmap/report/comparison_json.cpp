#include <nlohmann/json.hpp>

#include "libmap/report/comparison_rows.hpp"

namespace rankmap {

std::string comparison_json(const std::vector<Timing>& timings) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  const std::vector<ComparisonRow> rows = comparison_rows(timings);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ComparisonRow& row = rows[i];
    list.push_back({{"map", row.name},
                    {"seconds", timings[i].seconds},
                    {"median_seconds", row.median_seconds},
                    {"times_faster_than_first",
                     {{"median", row.ratio.median},
                      {"low", row.ratio.low},
                      {"high", row.ratio.high},
                      {"covers_95_percent", row.ratio.covers}}}});
  }
  const Json document = {{"schema_version", 1}, {"maps", list}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace rankmap
