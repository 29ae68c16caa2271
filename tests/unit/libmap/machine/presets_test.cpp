// Every machine of share/machines is sound: it loads, says where it comes from, and its GPUs have no
// more links than the silicon.
#include <gtest/gtest.h>

#include <algorithm>

#include "libmap/base/files.hpp"
#include "libmap/machine/machine_spec.hpp"

namespace rankmap {
namespace {

struct Preset {
  const char* name;
  int slots;
  int most_lanes;  // link ends of one GPU: 4 on P100, 6 on V100, 12 on A100, 18 on H100 and B200
  bool uniform;    // any two GPUs are alike
  int nics;        // named ones
};
// Summit: two more of the six go to the CPU. MI250X: 4 + 2 + 1 lanes of GCD 0 are the most. MI300X: 7 peers. Aurora: 1 + 5 peers. cubemesh-16
// is a made-up node of up to 7.
constexpr Preset presets[] = {
    {"aurora", 12, 6, false, 8},        {"cpu-2socket", 64, 0, false, 0},
    {"cubemesh-16", 16, 7, false, 0},   {"dgx-a100", 8, 12, true, 12},
    {"dgx1-p100", 8, 4, false, 0},      {"dgx1-v100", 8, 6, false, 0},
    {"dgx2", 16, 6, true, 0},           {"frontier", 8, 7, false, 4},
    {"gb200-tray", 4, 18, true, 0},     {"hgx-b200", 8, 18, true, 0},
    {"hgx-h100", 8, 18, true, 0},       {"hgx-h200", 8, 18, true, 0},
    {"juwels-booster", 4, 12, true, 4}, {"lumi-g", 8, 7, false, 4},
    {"mi250x", 8, 7, false, 0},         {"mi300x", 8, 7, true, 0},
    {"perlmutter", 4, 12, true, 4},     {"polaris", 4, 12, true, 2},
    {"summit", 6, 4, false, 2},         {"torus2d-16", 16, 6, false, 0},
};

const std::string share = std::string(RANKMAP_SOURCE_DIR) + "/share";

Machine load(const std::string& name) {
  MachineOptions options;
  options.share_directory = share;
  return read_machine(name, options);
}

int lanes_of(const Machine& machine, int slot) {
  int lanes = machine.switch_lanes(slot);
  for (int other = 0; other < machine.slots_per_node(); ++other)
    lanes += machine.dedicated_lanes(slot, other);
  return lanes;
}

TEST(Presets, AreTheOnesOfThisTable) {
  std::vector<std::string> names;
  for (const Preset& preset : presets) names.emplace_back(preset.name);
  EXPECT_EQ(machine_names(share), names);
}

TEST(Presets, LoadWithoutWarningsAndJoinEveryTwoSlots) {
  for (const Preset& preset : presets) {
    const Machine machine = load(preset.name);
    EXPECT_EQ(machine.name(), preset.name);
    EXPECT_EQ(machine.slots(), preset.slots) << preset.name;
    EXPECT_TRUE(machine.model().warnings.empty())
        << preset.name << ": " << machine.model().warnings.front();
    for (int a = 0; a < machine.slots(); ++a)
      for (int b = 0; b < a; ++b) EXPECT_GT(machine.pair_bandwidth(a, b), 0U) << preset.name;
  }
}

TEST(Presets, SayWhereTheyComeFrom) {
  for (const Preset& preset : presets) {
    const std::string text = read_text(share + "/machines/" + preset.name + ".json");
    EXPECT_NE(text.find("\"source\": \""), text.npos) << preset.name;
    EXPECT_NE(text.find("\"notes\": ["), text.npos) << preset.name;
    EXPECT_NE(text.find("\"schema_version\": 1"), text.npos) << preset.name;
  }
}

TEST(Presets, HaveNoMoreLanesThanTheGpuHasLinks) {
  for (const Preset& preset : presets) {
    const Machine machine = load(preset.name);
    int most = 0;
    for (int slot = 0; slot < machine.slots(); ++slot)
      most = std::max(most, lanes_of(machine, slot));
    EXPECT_EQ(most, preset.most_lanes) << preset.name;
  }
}

TEST(Presets, AreUniformWhereEveryTwoGpusAreAlike) {
  for (const Preset& preset : presets)
    EXPECT_EQ(load(preset.name).uniform(), preset.uniform) << preset.name;
}

TEST(Presets, PutEveryGpuAndNicAtANumaNodeThatHasCpus) {
  for (const Preset& preset : presets) {
    const Machine machine = load(preset.name);
    const NodeModel& model = machine.model();
    EXPECT_EQ(static_cast<int>(model.nics.size()), preset.nics) << preset.name;
    if (model.numa_nodes.empty()) continue;
    for (const Gpu& gpu : model.gpus) {
      ASSERT_NE(gpu.numa, none) << preset.name;
      ASSERT_TRUE(gpu.cpus && !gpu.cpus->empty()) << preset.name;
    }
    for (SlotId slot = 0; slot < machine.slots(); ++slot)
      EXPECT_FALSE(machine.slot(slot).cpus.empty()) << preset.name << " slot " << slot;
  }
}

TEST(Presets, TheDgx1HasTheLinksOfTheMapaPaper) {
  const Machine machine = load("dgx1-v100");
  // GPU 0's row of the paper's Figure 1 (GPUs 2, 3, 4, 5 there): single, single, double, double.
  EXPECT_EQ(machine.dedicated_lanes(0, 1), 1);
  EXPECT_EQ(machine.dedicated_lanes(0, 2), 1);
  EXPECT_EQ(machine.dedicated_lanes(0, 3), 2);
  EXPECT_EQ(machine.dedicated_lanes(0, 4), 2);
  for (const int far : {5, 6, 7}) {
    EXPECT_EQ(machine.dedicated_lanes(0, far), 0);
    EXPECT_EQ(machine.pair_bandwidth(0, far), from_gbps(12));
  }
  BytesPerSecond sum = 0;  // 8 double and 8 single links: 8*50 + 8*25
  for (int a = 0; a < 8; ++a)
    for (int b = 0; b < a; ++b)
      if (machine.dedicated_lanes(a, b) > 0) sum += machine.pair_bandwidth(a, b);
  EXPECT_EQ(sum, from_gbps(600));
}

TEST(Presets, PairsWithoutNvlinkCostPcieOnTheMachinesOfThePaper) {
  for (const char* name : {"dgx1-v100", "dgx1-p100", "summit", "torus2d-16", "cubemesh-16"}) {
    const Machine machine = load(name);
    for (int a = 0; a < machine.slots(); ++a)
      for (int b = 0; b < a; ++b) {
        if (machine.dedicated_lanes(a, b) > 0) continue;
        EXPECT_EQ(machine.pair_bandwidth(a, b), from_gbps(12)) << name << ' ' << a << ' ' << b;
      }
  }
}

TEST(Presets, FrontierCrossesNumaNodesAndGcds) {
  const Machine machine = load("frontier");
  EXPECT_EQ(machine.slot(4).numa, 0);
  EXPECT_EQ(machine.slot(2).numa, 1);
  EXPECT_EQ(machine.slot(6).numa, 2);
  EXPECT_EQ(machine.slot(0).numa, 3);
  EXPECT_EQ(machine.slot(4).cpus.to_string(), "1-7,65-71");  // core 0 is kept for the system
}

}  // namespace
}  // namespace rankmap
