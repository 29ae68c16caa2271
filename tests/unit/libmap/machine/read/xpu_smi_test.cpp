#include "libmap/machine/read/xpu_smi.hpp"

#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/machine/machine.hpp"

namespace rankmap {
namespace {

using Matrix = std::vector<std::vector<std::string>>;

const std::string with_pipes =
    "xpu-smi topology -m\n\n"
    "         GPU 0/0|GPU 0/1|GPU 1/0|GPU 1/1|CPU Affinity\n"
    "GPU 0/0 |S      |MDF    |XL*    |XL8    |0-3\n"
    "GPU 0/1 |MDF    |S      |XL8    |XL*    |0-3\n"
    "GPU 1/0 |XL*    |XL8    |S      |MDF    |4-7\n"
    "GPU 1/1 |XL8    |XL*    |MDF    |S      |4-7\n";

NodeModel read(const std::string& text) {
  EXPECT_TRUE(recognises_xpu_smi(text));
  return read_xpu_smi(text, "xpu.txt", {});
}

std::string refusal(const std::string& text) {
  try {
    read_xpu_smi(text, "xpu.txt", {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "was not refused";
}

TEST(XpuSmi, TilesCardsAndLinksAreRead) {
  const NodeModel model = read(with_pipes);
  EXPECT_EQ(model.gpu_matrix[0], (std::vector<std::string>{"X", "MDF", "XL*", "XL8"}));
  EXPECT_EQ(model.gpus[1].package, 0);
  EXPECT_EQ(model.gpus[1].device, 0);
  EXPECT_EQ(model.gpus[2].package, 1);
  EXPECT_EQ(model.gpus[3].cpus, (CpuSet{4, 5, 6, 7}));
  const Machine machine(model, 1);
  EXPECT_EQ(machine.dedicated_lanes(0, 3), 8);
  // 8 lanes of 13.3 GB/s.
  EXPECT_EQ(machine.pair_bandwidth(0, 3), from_gbps(8 * 13.3));
  EXPECT_EQ(machine.dedicated_lanes(0, 2), 0);
  EXPECT_GT(machine.pair_bandwidth(0, 1), machine.pair_bandwidth(0, 3));
}

TEST(XpuSmi, BlanksInsteadOfPipesAreRead) {
  const NodeModel model = read(
      "         GPU 0/0  GPU 1/0  CPU Affinity\n"
      "GPU 0/0  S        XL24     0-143\n"
      "GPU 1/0  XL24     S        0-143\n");
  EXPECT_EQ(model.gpu_matrix, (Matrix{{"X", "XL24"}, {"XL24", "X"}}));
  EXPECT_EQ(model.gpus[1].cpu_affinity, "0-143");
  EXPECT_FALSE(model.gpus[1].cpus);  // one list for all and no NUMA column: no locality
}

TEST(XpuSmi, RowsWithoutAHeaderAreReadWithAWarning) {
  const NodeModel model = read("GPU 0/0  S  XL24  0-3\nGPU 1/0  XL24  S  4-7\n");
  EXPECT_EQ(model.gpus.size(), 2U);
  EXPECT_NE(model.warnings.at(0).find("header line is missing"), std::string::npos);
}

TEST(XpuSmi, PathsOfVersionTwoAreRead) {
  const NodeModel model = read(
      "       GPU 0  GPU 1  GPU 2  CPU Affinity\n"
      "GPU 0  S      PIX    SYS    0-3\n"
      "GPU 1  PIX    S      SYS    0-3\n"
      "GPU 2  SYS    SYS    S      4-7\n");
  const Machine machine(model, 1);
  EXPECT_EQ(machine.hops(0, 1), 2);  // over their switch
  EXPECT_EQ(machine.hops(0, 2), 5);  // switch, domain0, system, domain1
}

TEST(XpuSmi, DamageIsRefusedByRowAndColumn) {
  const std::string message = refusal(
      "         GPU 0/0  GPU 1/0  CPU Affinity\n"
      "GPU 0/0  S        XL240-3\n"
      "GPU 1/0  XL24     S        4-7\n");
  EXPECT_NE(message.find("row GPU 0/0, column GPU 1/0: found \"XL240-3\""), std::string::npos)
      << message;
}

TEST(XpuSmi, AMissingRowIsRefusedByName) {
  const std::string message = refusal(with_pipes.substr(0, with_pipes.find("GPU 1/1 |XL8")));
  EXPECT_NE(message.find("GPU 1/1"), std::string::npos) << message;
}

TEST(XpuSmi, AnAsymmetricMatrixIsRefused) {
  EXPECT_NE(refusal("GPU 0/0  S  XL4\nGPU 1/0  XL8  S\n").find("symmetric"), std::string::npos);
}

TEST(XpuSmi, OtherTextsAreRefused) {
  for (const std::string text : {"", "GPU 0: name\n", "GPU 0/0 is idle\n"}) {
    EXPECT_FALSE(recognises_xpu_smi(text));
    EXPECT_NE(refusal(text).find("topology -m"), std::string::npos);
  }
}

}  // namespace
}  // namespace rankmap
