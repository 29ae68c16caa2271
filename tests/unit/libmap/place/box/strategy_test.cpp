// The strategy `box`: scripts on machines, those of share/patterns among them.
#include "libmap/place/strategy.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/machine/machine_spec.hpp"
#include "patterns/pattern.hpp"

namespace rankmap::test {
namespace {

using nlohmann::json;

struct Case {
  CommGraph app;
  Machine machine;
  PlaceRequest request;

  Case(const std::string& app_text, const std::string& machine_text, const std::string& script)
      : app(read_app(app_text)), machine(read_machine(machine_text, options())) {
    request.app = &app;
    request.machine = &machine;
    request.script = {script, "f"};
  }
  std::vector<SlotId> slots() const { return place("box", request).mapping.slot_of; }
  std::string refusal() const {
    try {
      place("box", request);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  }
  static MachineOptions options() {
    MachineOptions options;
    options.share_directory = RANKMAP_SOURCE_DIR "/share";
    return options;
  }
};

TEST(BoxStrategy, PresetsAreThePublishedMappings) {
  std::ifstream file(RANKMAP_SOURCE_DIR "/tests/golden/rubik/golden_rubik.json");
  const json read = json::parse(file);
  std::map<std::string, std::vector<SlotId>> golden;
  for (const json& one : read["cases"])
    golden[one["id"]] = one["result"]["rank_to_pos"].get<std::vector<SlotId>>();
  const std::pair<const char*, const char*> presets[] = {
      {"pf3d-2048-txyz", "pf3d-2048-TXYZ"},      {"pf3d-2048-xyzt", "pf3d-2048-XYZT"},
      {"pf3d-2048-tile", "pf3d-2048-tile"},      {"pf3d-2048-tilt-x", "pf3d-2048-tiltX"},
      {"pf3d-2048-tilt-xy", "pf3d-2048-tiltXY"}, {"qbox-2048", "qbox-2048-checkerboard"}};
  for (const auto& [preset, id] : presets) {
    const std::string text =
        read_text(RANKMAP_SOURCE_DIR "/share/patterns/" + std::string(preset) + ".box");
    EXPECT_EQ(Case("ring:2048", "torus:8x8x8,slots=4", text).slots(), golden.at(id)) << preset;
  }
}

TEST(BoxStrategy, MachinesAreBoxesOfTheirPlaces) {
  const std::string shift = "net = machine\nnet.rotate 0 1";
  // 2 nodes of 8 GPUs: the nodes, then the slots.
  EXPECT_EQ(Case("ring:16", "dgx1-v100x2", shift).slots()[0], 8);
  // Nested blocks, the outermost first: 3 x 2 nodes of 4.
  EXPECT_EQ(Case("ring:24", "tree:4:2:3", shift).slots()[0], 8);
  // Two ranks a slot are the last dimension.
  Case two("ring:16", "torus:4x2", "net = machine\nnet.rotate 2 1");
  two.request.ranks_per_slot = 2;
  EXPECT_EQ(two.slots(), (std::vector<SlotId>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7}));
}

TEST(BoxStrategy, GivesValueBoundAndSteps) {
  const PlaceResult result =
      place("box", Case("stencil:4x4,periodic", "torus:4x4", "net = machine").request);
  EXPECT_GE(result.value.value(), result.bound.value());
  ASSERT_EQ(result.steps.size(), 1U);
  EXPECT_EQ(result.steps[0], "f:1: net = machine: 4x4, 16 ranks");
}

// Without a script the best is searched for; what it gives is what its script says.
TEST(BoxStrategy, SearchesForScripts) {
  for (const ObjectiveKind objective : {ObjectiveKind::congestion, ObjectiveKind::hopbytes}) {
    Case search("pf3d:8x4x8", "torus:4x4x4,slots=4", "");
    search.request.script = {};
    search.request.app_extents = {8, 4, 8};
    search.request.objective.kind = objective;
    const PlaceResult found = place("box", search.request);
    ASSERT_NE(found.script, "");
    Case again("pf3d:8x4x8", "torus:4x4x4,slots=4", found.script);
    EXPECT_EQ(again.slots(), found.mapping.slot_of);
    EXPECT_GE(found.value.value(), found.bound.value());
    const std::string head = "app = box 8 4 8\napp.tile 1 4 8\nnet = machine\nnet.tile ";
    for (const char* const rest : {"2 2 2 4\nnet.map app\n", "4 4 2 1\nnet.map app\n",
                                   "4 4 2 1\nnet.map app\nnet.tilt z x 1\n",
                                   "4 4 2 1\nnet.map app\nnet.tilt z x 1\nnet.tilt z y 1\n"}) {
      Case published("pf3d:8x4x8", "torus:4x4x4,slots=4", head + rest);
      published.request.objective.kind = objective;
      EXPECT_LE(found.value.value(), place("box", published.request).value.value()) << rest;
    }
  }
  // 4 x 4 ranks on 4 x 4 nodes the other way round: an order is found.
  Case turned("stencil:2x8", "torus:8x2", "");
  turned.request.script = {};
  turned.request.objective.kind = ObjectiveKind::hopbytes;
  EXPECT_EQ(place("box", turned.request).value.value(), turned.app.total_bytes());
}

TEST(BoxStrategy, RefusesWhatDoesNotFit) {
  const std::string plain = "net = machine\n";
  EXPECT_EQ(Case("ring:8", "torus:4x4", plain).refusal(),
            "the box net of the script has 16 cells (4x4), but the app has 8 ranks");
  EXPECT_EQ(Case("ring:8", "torus:4x4", "net = box 8").refusal(),
            "the box net of the script has 8 cells (8), but the machine has places for 16 ranks");
  EXPECT_NE(Case("ring:16", "torus:4x4", "net = machines").refusal().find("f:1:7: "),
            std::string::npos);
  Case busy("ring:15", "torus:4x4", plain);
  busy.request.forbidden = {3};
  EXPECT_NE(busy.refusal().find("the app has 15 ranks"), std::string::npos);
  Case fixed("ring:16", "torus:4x4", plain);
  fixed.request.fixed = {{3, 3}};
  EXPECT_EQ(fixed.refusal(), "accepted");
  fixed.request.fixed = {{3, 4}};
  EXPECT_EQ(fixed.refusal(), "the script puts rank 3 on slot 3, but it is fixed to slot 4");
}

}  // namespace
}  // namespace rankmap::test
