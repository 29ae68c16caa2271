// Loads of single communicators: the published table of pF3D's mappings, and a plain count.
#include "libmap/model/communicators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "libmap/base/random.hpp"
#include "libmap/machine/machine_spec.hpp"
#include "libmap/model/objective.hpp"
#include "patterns/pattern.hpp"

namespace rankmap::test {
namespace {

using nlohmann::json;

constexpr double KiB = 1024;

// Rows: the FFTs along the last dimension, along the middle one, and an all-to-all of whole planes;
// 1 KiB a pair. Links that a communicator uses on average, and the most bytes on a link from one of
// them.
TEST(Communicators, OfPf3dAreThoseOfThePublishedMappings) {
  std::ifstream file(RANKMAP_SOURCE_DIR "/tests/golden/rubik/golden_rubik.json");
  const json golden = json::parse(file);
  const auto slots_of = [&](const std::string& id) {
    for (const json& one : golden["cases"])
      if (one["id"] == id) return one["result"]["rank_to_pos"].get<std::vector<SlotId>>();
    throw std::runtime_error("no case " + id);
  };
  struct Cell {
    double links, most_kib;
  };
  const struct {
    const char* id;
    Cell rows, columns, planes;
  } table[] = {
      {"pf3d-2048-TXYZ", {6, 64}, {76, 8}, {112, 512}},
      {"pf3d-2048-XYZT", {48, 16}, {40, 4}, {640, 128}},
      {"pf3d-2048-tile", {48, 16}, {16, 8}, {640, 128}},
      {"pf3d-2048-tiltX", {48, 16}, {128, 3.5}, {2304, 96}},
      {"pf3d-2048-tiltXY", {160, 12}, {128, 3.5}, {2304, 96}},
  };
  const Machine machine = read_machine("torus:8x8x8,slots=4", {});
  const std::string dims = "alltoall:16x8x16,bytes=1KiB,vary=";
  const CommGraph app = read_app(dims + "z/" + dims + "y/" + dims + "yz/ring:2048");
  for (const auto& row : table) {
    const auto phases = phase_communicators(app, machine, Mapping{slots_of(row.id)}).value();
    ASSERT_EQ(phases.size(), 3U) << row.id;
    const Cell cells[] = {row.rows, row.columns, row.planes};
    for (std::size_t i = 0; i < 3; ++i) {
      SCOPED_TRACE(std::string(row.id) + ", phase " + std::to_string(i));
      EXPECT_EQ(phases[i].phase, static_cast<std::int32_t>(i));
      EXPECT_EQ(phases[i].mean_links, cells[i].links);
      EXPECT_EQ(phases[i].worst.most_bytes, cells[i].most_kib * KiB);
    }
    EXPECT_EQ(phases[0].communicators, 128);
    EXPECT_EQ(phases[1].communicators, 256);
    EXPECT_EQ(phases[2].communicators, 16);
  }
}

// Each group as an app of its own, all links looked at.
TEST(Communicators, AreCountedLinkByLink) {
  Random random(1);
  for (const char* const spec :
       {"torus:4x3x2,slots=2", "torus:5x5", "dragonfly:groups=3,routers=4x1,nodes=2,global=2",
        "dgx1-v100x3", "fattree:4:4:2"}) {
    MachineOptions options;
    options.share_directory = RANKMAP_SOURCE_DIR "/share";
    const Machine machine = read_machine(spec, options);
    const CommGraph app = read_app(
        "alltoall:4x5,vary=y,bytes=7/ring:20/allreduce:4x5,vary=x,bytes=60+alltoall:4x5,vary=y");
    std::vector<SlotId> slots(static_cast<std::size_t>(machine.slots()));
    for (std::size_t i = 0; i < slots.size(); ++i) slots[i] = static_cast<SlotId>(i);
    random.shuffle(slots);
    slots.resize(20);
    const Mapping mapping{slots};
    std::vector<CommunicatorLoad> expected;
    for (std::int32_t group = 0; group < static_cast<std::int32_t>(app.groups().size()); ++group) {
      GraphBuilder builder(20);
      for (Edge edge : app.edges()) {
        if (edge.group != group) continue;
        edge.phase = 0;
        edge.group = none;
        builder.add(edge);
      }
      const CommGraph alone = std::move(builder).build("group");
      const std::vector<double> loads = link_loads(alone, machine, mapping).front();
      const auto used = std::count_if(loads.begin(), loads.end(), [](double l) { return l > 0; });
      if (used == 0) continue;
      expected.push_back({group, used, *std::max_element(loads.begin(), loads.end()),
                          congestion_seconds(alone, machine, mapping)});
    }
    const std::vector<CommunicatorLoad> found = communicator_loads(app, machine, mapping);
    ASSERT_EQ(found.size(), expected.size()) << spec;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].group, expected[i].group) << spec;
      EXPECT_EQ(found[i].links, expected[i].links) << spec;
      EXPECT_NEAR(found[i].most_bytes, expected[i].most_bytes, 1e-9) << spec;
      EXPECT_NEAR(found[i].seconds, expected[i].seconds, 1e-15) << spec;
    }
  }
}

TEST(Communicators, WithoutGroupsThereAreNone) {
  const Machine machine = read_machine("torus:4x4", {});
  const CommGraph app = read_app("ring:16");
  Mapping mapping;
  for (SlotId slot = 0; slot < 16; ++slot) mapping.slot_of.push_back(slot);
  EXPECT_TRUE(phase_communicators(app, machine, mapping)->empty());
}

}  // namespace
}  // namespace rankmap::test
