// The placement of a job's ranks for other programs.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "libmap/base/files.hpp"
#include "libmap/base/random.hpp"
#include "libmap/report/placement_table.hpp"
#include "placement_rows.hpp"

namespace rankmap {
namespace {

using nlohmann::json;
using testing::placed_row;
using testing::placed_rows;

json parsed(const std::vector<PlacementRow>& rows) {
  return json::parse(placement_json(rows));
}

TEST(PlacementJson, TellsPlanAndActual) {
  PlacementRow row = placed_row(3);
  row.plan.gpu_id = "0000:8a:00.0";
  row.plan.nic = "mlx5_1";
  row.seen.pid = 99;
  row.seen.launcher = "hydra";
  row.seen.local_rank = 0;
  row.seen.gpu_mode = "own";
  row.seen.gpu_variable = "CUDA_VISIBLE_DEVICES";
  row.seen.mpi_peers = 4;
  EXPECT_EQ(parsed({row}), json::parse(R"({
    "schema_version": 1, "ranks": 1, "as_planned": 1,
    "rows": [{"rank": 3, "host": "n0", "verdict": "ok", "reason": null,
      "planned": {"host": "n0", "gpu": 3, "gpu_id": "0000:8a:00.0", "nic": "mlx5_1",
        "cpus": "13", "memory": "preferred:1"},
      "actual": {"host": "n0", "job": null, "pid": 99, "launcher": "hydra", "local_rank": 0,
        "gpu_mode": "own", "gpu_variable": "CUDA_VISIBLE_DEVICES", "gpus": "3",
        "gpu_device": null, "nic": null, "cpus": "13", "memory": "set", "openmp": null,
        "mpi_peers": 4}}]})"));
}

TEST(PlacementJson, HasNullForWhatIsUnknown) {
  PlacementRow row;
  row.rank = 0;
  row.plan.host = "*";
  row.reason = "no report";
  const json found = parsed({row})["rows"][0];
  EXPECT_EQ(found["verdict"], "wrong");
  EXPECT_EQ(found["reason"], "no report");
  EXPECT_TRUE(found["host"].is_null());
  EXPECT_TRUE(found["actual"].is_null());
  for (const char* key : {"gpu", "gpu_id", "nic", "cpus", "memory"})
    EXPECT_TRUE(found["planned"].at(key).is_null()) << key;
}

TEST(PlacementJson, CountsWhatIsAsPlannedWithoutANote) {
  std::vector<PlacementRow> rows = placed_rows(3);
  rows[0].verdict = PlacementVerdict::note;
  rows[1].verdict = PlacementVerdict::wrong;
  const json found = parsed(rows);
  EXPECT_EQ(found["ranks"], 3);
  EXPECT_EQ(found["as_planned"], 1);
  EXPECT_EQ(found["rows"].size(), 3U);
  EXPECT_EQ(parsed({})["rows"], json::array());
}

// What ranks wrote may be anything; JSON is UTF-8 all the same.
TEST(PlacementJson, StaysJsonWhateverTheRanksWrote) {
  Random random(29);
  for (int round = 0; round < 300; ++round) {
    std::string report =
        "rankmap-report 1\nrank 3\nhost n0\npid 9\nstate placed\ngpu_actual \n"
        "nic_actual \nopenmp \ndoubt \nnote \n";
    for (int i = 0; i < 12; ++i)
      report.insert(report.begin() + static_cast<std::ptrdiff_t>(random.below(report.size())),
                    static_cast<char>(random.below(256)));
    const PlacementRow row = judge_placement(placed_row(3).plan, report);
    EXPECT_EQ(parsed({row})["rows"][0]["rank"], 3);
    EXPECT_FALSE(placement_table({row}, 16).empty());
  }
  PlacementRow row = placed_row(3);
  row.seen.nic = "\xff\xfe\x80";
  row.reason = std::string("a\0b", 3);
  EXPECT_EQ(parsed({row})["rows"][0]["actual"]["nic"], "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

// The schema names every key that is printed and no other.
void expect_same_keys(const json& schema, const json& printed, const std::string& where) {
  std::vector<std::string> described, found;
  for (const auto& [key, value] : schema["properties"].items()) described.push_back(key);
  for (const auto& [key, value] : printed.items()) found.push_back(key);
  std::sort(found.begin(), found.end());
  EXPECT_EQ(described, found) << where;
  EXPECT_EQ(schema["required"].size(), found.size()) << where;
}

TEST(PlacementJson, IsAsItsSchemaSays) {
  const json schema = json::parse(
      read_text(std::string(RANKMAP_SOURCE_DIR) + "/share/schemas/placement.schema.json"));
  const json printed = parsed({placed_row(0)});
  const json& row = printed["rows"][0];
  expect_same_keys(schema, printed, "document");
  expect_same_keys(schema["$defs"]["row"], row, "row");
  expect_same_keys(schema["$defs"]["planned"], row["planned"], "planned");
  expect_same_keys(schema["$defs"]["actual"], row["actual"], "actual");
}

}  // namespace
}  // namespace rankmap
