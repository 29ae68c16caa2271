// Scripts against the mappings of Rubik 1.0.1 (tests/golden/rubik), and what we do where it does
// wrong.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "libmap/base/error.hpp"
#include "libmap/place/box/script.hpp"
#include "tests/unit/libmap/place/box/sha256.hpp"

namespace rankmap::test {
namespace {

using nlohmann::json;

constexpr std::int64_t most_cells = 1 << 20;

json golden() {
  std::ifstream file(RANKMAP_SOURCE_DIR "/tests/golden/rubik/golden_rubik.json");
  return json::parse(file);
}

std::string words(const json& values) {
  std::string text;
  for (const json& value : values)
    text += " " + (value.is_string() ? value.get<std::string>() : value.dump());
  return text;
}

std::string selection(const json& step) {
  if (!step.contains("at")) return "";
  const json& at = step["at"];
  if (at.contains("leaves")) return "[leaves]";
  if (at.contains("level")) return "[level " + at["level"].dump() + "]";
  std::string text;
  for (const json& place : at["path"]) text += place.dump();  // [1,0]
  return text;
}

// A step as a line of a script. `tiles`: what stands behind the sizes of a tile.
std::string line_of(const json& step, const std::string& tiles) {
  const std::string op = step["op"], box = step["box"];
  const std::string head = box + selection(step) + "." + op;
  if (op == "box") return box + " = box" + words(step["dims"]);
  if (op == "copy") return box + " = copy " + step["from"].get<std::string>();
  if (op == "map") return head + " " + step["from"].get<std::string>();
  if (op == "tile") return head + words(step["tile"]) + tiles;
  if (op == "div" || op == "mod") return head + words(step["divisors"]);
  if (op == "cut") return head + words(step["divisors"]) + words(step["how"]);
  if (op == "transpose") return head + words(step["axes"]);
  if (op == "zorder") return head;
  std::string text = head + " " + step["axis"].dump() + " " + step["direction"].dump();
  for (const char* const key : {"slope", "depth", "stride"})
    if (step.contains(key)) text += " " + step[key].dump();
  return text;
}

std::string script_of(const json& steps, const std::string& tiles) {
  std::string text;
  for (const json& step : steps) text += line_of(step, tiles) + "\n";
  return text;
}

BoxScriptResult run(const std::string& text) {
  return run_box_script({text, "script"}, std::vector<std::int64_t>{1}, most_cells);
}

std::string map_file(const Box& box) {
  std::string text;
  for (const Rank cell : cells_of_ranks(box)) {
    std::string line;
    for (const Rank c : coordinates_of(box, cell))
      line += (line.empty() ? "" : " ") + std::to_string(c);
    text += line + "\n";
  }
  return text;
}

json leaves_json(const Box& box) {
  json leaves = json::array();
  for (const BoxView* const leaf : leaves_of(box.tree)) {
    std::vector<Rank> cells;
    for_each_cell(*leaf, [&](Rank cell) { cells.push_back(cell); });
    leaves.push_back(
        {{"dims",
          std::vector<Rank>(leaf->extents.begin(),
                            leaf->extents.begin() + static_cast<std::ptrdiff_t>(leaf->dimensions))},
         {"pos", cells}});
  }
  return leaves;
}

TEST(GoldenBoxes, AreMappedAsByRubik) {
  const json cases = golden()["cases"];
  ASSERT_EQ(cases.size(), 188U);
  for (const json& one : cases) {
    SCOPED_TRACE(one["id"].get<std::string>());
    const std::string text = script_of(one["script"], " uneven");
    const BoxScriptResult result = run(text);
    const json& expected = one["result"];
    ASSERT_EQ(result.name, one["box"].get<std::string>()) << text;
    EXPECT_EQ(json(cells_of_ranks(result.box)), expected["rank_to_pos"]) << text;
    EXPECT_EQ(sha256(map_file(result.box)), expected["mapfile_sha256"]) << text;
    if (expected.contains("leaves")) {
      EXPECT_EQ(leaves_json(result.box), expected["leaves"]) << text;
    }
  }
}

// Probes of the Python API, and how a script says the same. Empty: it has nothing to say it with.
const std::map<std::string, std::string> said_otherwise = {
    {"err-cut-short-slicers", "net = box 4 4\nnet.cut 2 2 div\n"},
    {"quirk-map-from-child", "app = box 4 4\napp.div 2 1\nnet = box 2 4\nnet.map app[1,0]\n"},
    {"quirk-map-onto-child", "app = box 2 4\nnet = box 4 4\nnet.div 2 1\nnet[0,0].map app\n"},
    {"quirk-getitem", "net = box 4 4\nnet.div 2 2\nnet[0,0].tilt 0 1 1\n"},
    {"quirk-compatible", "app = box 4 4\napp.div 2 1\nnet = box 4 4\nnet.map app\n"},
    {"quirk-cut-unknown", "net = box 4 4\nnet.cut 2 2 div by\n"},
    {"quirk-box-scalar", "net = box 8\n"},
    {"quirk-partition-tilt-default", "net = box 4 4\nnet.tilt 0 1\n"},
    {"quirk-zigzag-default", "net = box 4 4 4\nnet.zigzag 2 0 1\n"},
    {"quirk-flat", ""},                 // a function of the old tool that never ended
    {"quirk-write-child-mapfile", ""},  // map files are of whole machines
    {"quirk-tile-mutates", ""},         // the sizes are no list that a caller keeps
    {"quirk-tile-tuple", ""},           // nor are there two kinds of lists,
    {"quirk-tile-short-tuple", ""},     // full or short
    {"quirk-div-scalar", ""},           // one divisor is a list of one
};

// Accepted although the old tool refuses, or the other way round.
const std::map<std::string, bool> accepted_otherwise = {
    {"quirk-getitem", true},      // "support"
    {"quirk-compatible", false},  // other numbers of leaves: not compatible
    {"quirk-partition-tilt-default", false},
    {"quirk-zigzag-default", true},   // "accept default stride 1"
    {"quirk-transpose-neg", false},   // axes count from 0
    {"quirk-map-from-child", false},  // "or be rejected"
    {"quirk-map-onto-child", false},
};

bool is_accepted(const json& probe) {
  const auto otherwise = accepted_otherwise.find(probe["id"]);
  if (otherwise != accepted_otherwise.end()) return otherwise->second;
  return probe["raises"].is_null() && !probe.value("recommend", "-").starts_with("error");
}

TEST(GoldenBoxes, AreRefusedWhereTheyShouldBe) {
  const json probes = golden()["error_cases"];
  ASSERT_EQ(probes.size(), 61U);
  int refused = 0, accepted = 0;
  for (const json& probe : probes) {
    const std::string id = probe["id"];
    SCOPED_TRACE(id);
    const auto otherwise = said_otherwise.find(id);
    if (otherwise != said_otherwise.end() && otherwise->second.empty()) continue;
    const std::string tiles = id == "quirk-tile-leaf-ragged" ? " uneven" : "";
    const std::string text =
        otherwise != said_otherwise.end() ? otherwise->second : script_of(probe["script"], tiles);
    if (!is_accepted(probe)) {
      ++refused;
      EXPECT_THROW(run(text), InputError) << text;
      continue;
    }
    ++accepted;
    const BoxScriptResult result = run(text);
    if (otherwise == said_otherwise.end() && probe.contains("state")) {
      EXPECT_EQ(json(result.box.rank_at), probe["state"]["ranks_by_pos"]) << text;
    }
  }
  EXPECT_EQ(refused + accepted, 55);
}

}  // namespace
}  // namespace rankmap::test
