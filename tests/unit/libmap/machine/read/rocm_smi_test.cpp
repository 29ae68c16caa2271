#include "libmap/machine/read/rocm_smi.hpp"

#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/machine/machine.hpp"

namespace rankmap {
namespace {

using Matrix = std::vector<std::vector<std::string>>;

const std::string weight_table =
    "========= Weight between two GPUs =========\n"
    "       GPU0         GPU1         GPU2\n"
    "GPU0   0            15           72\n"
    "GPU1   15           0            72\n"
    "GPU2   72           72           0\n\n";
const std::string hops_table =
    "========= Hops between two GPUs =========\n"
    "       GPU0         GPU1         GPU2\n"
    "GPU0   0            1            3\n"
    "GPU1   1            0            3\n"
    "GPU2   3            3            0\n\n";
const std::string type_table =
    "========= Link Type between two GPUs =========\n"
    "       GPU0         GPU1         GPU2\n"
    "GPU0   0            XGMI         PCIE\n"
    "GPU1   XGMI         0            PCIE\n"
    "GPU2   PCIE         PCIE         0\n\n";
const std::string numa_lines =
    "========= Numa Nodes =========\n"
    "GPU[0]\t\t: (Topology) Numa Node: 0\n"
    "GPU[0]\t\t: (Topology) Numa Affinity: 0\n"
    "GPU[1]\t\t: (Topology) Numa Node: 0\n"
    "GPU[1]\t\t: (Topology) Numa Affinity: -1\n"
    "GPU 2          : (Topology) Numa Node: 1\n"
    "====== End of ROCm SMI Log ======\n";

NodeModel read(const std::string& text) {
  EXPECT_TRUE(recognises_rocm_smi(text));
  return read_rocm_smi(text, "rocm.txt", {});
}

std::string refusal(const std::string& text) {
  try {
    read_rocm_smi(text, "rocm.txt", {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "was not refused";
}

TEST(RocmSmi, AllTablesAreRead) {
  const NodeModel model =
      read("WARNING: low-power state\n" + weight_table + hops_table + type_table + numa_lines);
  EXPECT_EQ(model.gpu_matrix,
            (Matrix{{"X", "XGMI", "PCIE"}, {"XGMI", "X", "PCIE"}, {"PCIE", "PCIE", "X"}}));
  EXPECT_EQ(model.gpus[0].numa, 0);
  EXPECT_EQ(model.gpus[1].numa, none);
  EXPECT_EQ(model.gpus[1].numa_affinity, "-1");
  EXPECT_EQ(model.gpus[2].numa, 1);
  ASSERT_FALSE(model.connections.empty());
  EXPECT_EQ(model.connections[0].kind, LinkKind::xgmi);
  EXPECT_EQ(model.connections[0].count, 1);
  EXPECT_EQ(Machine(model, 1).dedicated_lanes(0, 1), 1);
  EXPECT_EQ(Machine(model, 1).dedicated_lanes(0, 2), 0);
}

TEST(RocmSmi, TheWeightStandsInForAMissingLinkType) {
  const NodeModel model = read(weight_table);
  EXPECT_EQ(model.gpu_matrix[0], (std::vector<std::string>{"X", "15", "72"}));
  EXPECT_EQ(Machine(model, 1).dedicated_lanes(0, 1), 1);
}

TEST(RocmSmi, WeightsTellTheSocketApart) {
  const Machine machine(read(weight_table + type_table), 1);
  EXPECT_EQ(machine.hops(0, 2), 4);  // gpu0 - domain0 - system - domain1 - gpu2
}

TEST(RocmSmi, TheLinkTypeTableAloneIsEnough) {
  EXPECT_EQ(read(type_table).gpu_matrix[2][0], "PCIE");
}

TEST(RocmSmi, MarkdownTablesAreRead) {
  const NodeModel model = read(
      "**Weight Between Two GPUs**\n\n"
      "|          | GPU0 | GPU1 |\n"
      "| :------- | :--: | :--: |\n"
      "| **GPU0** |  0   |  15  |\n"
      "| **GPU1** |  15  |  0   |\n");
  EXPECT_EQ(model.gpu_matrix, (Matrix{{"X", "15"}, {"15", "X"}}));
}

// Eight GPUs that all see each other in one hop are taken as MI300X: 64 GB/s a link.
TEST(RocmSmi, AFullMeshOfEightIsTakenAsMi300) {
  std::string text = "Link Type between two GPUs\n";
  for (int i = 0; i < 8; ++i) text += " GPU" + std::to_string(i);
  text += "\n";
  for (int i = 0; i < 8; ++i) {
    text += "GPU" + std::to_string(i);
    for (int j = 0; j < 8; ++j) text += i == j ? " 0" : " XGMI";
    text += "\n";
  }
  EXPECT_EQ(read(text).connections[0].bytes_per_second, from_gbps(64));
}

TEST(RocmSmi, PathsOfSeveralHopsAreNoLinks) {
  std::string far = hops_table;
  far.replace(far.find("0            1 "), 14, "0            2 ");
  far.replace(far.find("GPU1   1"), 8, "GPU1   2");
  EXPECT_EQ(Machine(read(type_table + far), 1).dedicated_lanes(0, 1), 0);
}

TEST(RocmSmi, ATableThatTheTextEndsInIsLeftOut) {
  const NodeModel model =
      read(weight_table + type_table.substr(0, type_table.find("GPU2   P") + 12));
  EXPECT_TRUE(model.partial);
  EXPECT_EQ(model.gpu_matrix[0][1], "15");
}

TEST(RocmSmi, DamagedRowsAreRefusedByName) {
  std::string text = weight_table;
  text.replace(text.find("GPU1   15           0"), 21, "GPU1   150");
  EXPECT_NE(refusal(text).find("row GPU1: found 2 cells, expected 3"), std::string::npos)
      << refusal(text);
}

TEST(RocmSmi, AMissingRowIsRefusedByName) {
  std::string text = weight_table;
  text.erase(text.find("GPU1   15"), text.find("GPU2   72") - text.find("GPU1   15"));
  EXPECT_NE(refusal(text).find("expected the row of GPU1"), std::string::npos) << refusal(text);
}

TEST(RocmSmi, AnAsymmetricMatrixIsRefused) {
  std::string text = type_table;
  text.replace(text.find("GPU1   XGMI"), 11, "GPU1   PCIE");
  EXPECT_NE(refusal(text).find("row GPU1, column GPU0"), std::string::npos) << refusal(text);
}

TEST(RocmSmi, TablesSideBySideAreRefused) {
  const std::string text =
      "Weight between two GPUs      Hops between two GPUs\n"
      "     GPU0 GPU1          GPU0 GPU1\n"
      "GPU0    0   40     GPU0    0    2\n"
      "GPU1   40    0     GPU1    2    0\n";
  EXPECT_NE(refusal(text).find("side by side"), std::string::npos) << refusal(text);
}

TEST(RocmSmi, TablesOfDifferentSizesAreRefused) {
  EXPECT_THROW(read(weight_table + "Hops between two GPUs\n  GPU0\nGPU0 0\n"), InputError);
}

TEST(RocmSmi, TextsWithoutWeightsAndTypesAreRefused) {
  for (const std::string& text : {std::string(), numa_lines, hops_table})
    EXPECT_NE(refusal(text).find("--showtopo"), std::string::npos) << text;
  EXPECT_FALSE(recognises_rocm_smi(""));
}

}  // namespace
}  // namespace rankmap
