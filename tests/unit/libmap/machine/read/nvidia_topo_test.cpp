// Every way in which people paste `nvidia-smi topo -m`, in samples of our own.
#include "libmap/machine/read/nvidia_topo.hpp"

#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "tests/unit/libmap/machine/read/topo_samples.hpp"

namespace rankmap {
namespace {

using testing::native_topo;
using Matrix = std::vector<std::vector<std::string>>;

const Matrix pair_matrix = {{"X", "NV2"}, {"NV2", "X"}};

NodeModel read(const std::string& text) {
  EXPECT_TRUE(recognises_nvidia_topo(text));
  return read_nvidia_topo(text, "topo.txt", {});
}

std::string refusal(const std::string& text) {
  try {
    read_nvidia_topo(text, "topo.txt", {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "was not refused";
}

bool warns(const NodeModel& model, const std::string& words) {
  for (const std::string& warning : model.warnings)
    if (warning.find(words) != std::string::npos) return true;
  return false;
}

bool says(const std::string& message, const std::string& words) {
  return message.find(words) != std::string::npos;
}

void expect_pair(const NodeModel& model) {
  EXPECT_EQ(model.gpu_matrix, pair_matrix);
  ASSERT_EQ(model.gpus.size(), 2U);
  EXPECT_EQ(model.gpus[0].cpu_affinity, "0-3,8-11");
  EXPECT_EQ(model.gpus[1].cpu_affinity, "4-7,12-15");
  EXPECT_EQ(model.gpus[1].numa_affinity, "1");
  EXPECT_FALSE(model.partial);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

TEST(NvidiaTopo, NativeTabsAndColoursAreRead) {
  const NodeModel model = read(native_topo);
  expect_pair(model);
  EXPECT_EQ(model.gpus[0].gpu_numa_id, "N/A");
  ASSERT_EQ(model.nics.size(), 1U);
  EXPECT_EQ(model.nics[0].name, "mlx5_3");
  EXPECT_EQ(model.gpu_nic_matrix, (Matrix{{"PIX"}, {"SYS"}}));
  EXPECT_EQ(model.source_format, "nvidia-smi-topo");
  EXPECT_EQ(model.name, "topo");
}

TEST(NvidiaTopo, ColoursThatAreNeverResetAreRead) {
  expect_pair(read(replaced(native_topo, "\x1b[0m", "")));
}

TEST(NvidiaTopo, WindowsLineEndsAreRead) {
  expect_pair(read(replaced(native_topo, "\n", "\r\n")));
}

TEST(NvidiaTopo, BlanksInsteadOfTabsAreRead) {
  expect_pair(
      read("        GPU0    GPU1    CPU Affinity    NUMA Affinity   GPU NUMA ID\n"
           "GPU0     X      NV2     0-3,8-11        0               N/A\n"
           "GPU1    NV2      X      4-7,12-15       1               N/A\n"));
}

TEST(NvidiaTopo, MixedTabsAndBlanksAreRead) {
  expect_pair(
      read("\t\tGPU0\tGPU1\tCPU Affinity    NUMA Affinity\n"
           "GPU0\t X \t\tNV2\t    0-3,8-11\t\t0\n"
           "GPU1\tNV2\t  X \t4-7,12-15\t\t1\n"));
}

TEST(NvidiaTopo, RunsOfTabsBehindTheCellsAreOneSeparator) {
  expect_pair(
      read("\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\n"
           "GPU0\tX\tNV2\t\t0-3,8-11\t\t0\n"
           "GPU1\tNV2\tX\t\t4-7,12-15\t\t1\n"));
}

TEST(NvidiaTopo, AMarkdownTableIsReadByItsTitles) {
  const NodeModel model = read(
      "| CPU Affinity | NUMA Affinity |          | GPU0 | GPU1 | mlx5_0 |\n"
      "|--------------|:-------------:|----------|------|------|--------|\n"
      "| 0-3,8-11     | 0             | **GPU0** | X    | NV2  | PIX    |\n"
      "| 4-7,12-15    | 1             | **GPU1** | NV2  | X    | SYS    |\n"
      "|              |               | mlx5_0   | PIX  | SYS  | X      |\n");
  expect_pair(model);
  EXPECT_EQ(model.nics[0].name, "mlx5_0");
}

TEST(NvidiaTopo, FencesPromptsAndOtherOutputAreLeftOut) {
  expect_pair(read("Here is what GPU0 prints:\n```bash\nuser@host:~$ nvidia-smi topo -m\n" +
                   native_topo + "```\n# nvidia-smi topo -c 0\nThe GPUs are:\n0, 1\n"));
}

TEST(NvidiaTopo, CommentedLinesAreRead) {
  for (const std::string mark : {"# ", "// ", " * ", "> ", "#"})
    expect_pair(read(mark + replaced(native_topo, "\n", "\n" + mark)));
}

TEST(NvidiaTopo, AStringOfAProgramIsRead) {
  expect_pair(read("    topo = '''" + native_topo));
  expect_pair(read("\t\t`" + native_topo));
}

TEST(NvidiaTopo, IndentedRowsAreRead) {
  expect_pair(read(replaced(native_topo, "\n", "\n    ")));
}

TEST(NvidiaTopo, AHeaderWithoutALeadIsRead) {
  expect_pair(read(native_topo.substr(1)));
  expect_pair(read("     " + native_topo.substr(1)));
  expect_pair(read("\t" + native_topo));
}

TEST(NvidiaTopo, ABlankLineBelowTheHeaderIsRead) {
  const std::size_t end = native_topo.find('\n') + 1;
  expect_pair(read(native_topo.substr(0, end) + "\n" + native_topo.substr(end)));
}

TEST(NvidiaTopo, AGluedHeaderIsTakenApart) {
  const NodeModel model = read(
      "\t    GPU0GPU1mlx5_0\tCPU Affinity\n"
      "GPU0\t X \tNV2\tPIX\t0-3\n"
      "GPU1\tNV2\t X \tSOC\t4-7\n"
      "mlx5_0\tPIX\tSOC\t X \n");
  EXPECT_EQ(model.gpu_matrix, pair_matrix);
  EXPECT_EQ(model.nics[0].name, "mlx5_0");
}

TEST(NvidiaTopo, AnEmptyTailOfAPageTurnedIntoTextIsLeftOut) {
  const NodeModel model = read(
      "GPU0 GPU1 CPU Affinity | |\n"
      "GPU0 X PHB 0-3 | |\n"
      "GPU1 PHB X 4-7 | |\n");
  EXPECT_EQ(model.gpu_matrix, (Matrix{{"X", "PHB"}, {"PHB", "X"}}));
  EXPECT_EQ(model.gpus[1].cpu_affinity, "4-7");
}

TEST(NvidiaTopo, PaddingOfAWrappedTerminalIsTakenOut) {
  const std::string padding(170, ' ');
  expect_pair(read("        GPU0    GPU1    CPU Affi" + padding + "nity    NUMA Affinity\n" +
                   "GPU0     X      NV2     0-3," + padding + "8-11      0\n" +
                   "GPU1    NV2      X      4-7,1" + padding + "2-15     1\n"));
}

TEST(NvidiaTopo, OneGpuAloneIsRead) {
  const NodeModel model =
      read("\tGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\nGPU0\t X \t0-31\t0\t\t1\n");
  EXPECT_EQ(model.gpu_matrix, (Matrix{{"X"}}));
  EXPECT_EQ(model.gpus[0].gpu_numa_id, "1");
}

TEST(NvidiaTopo, TablesWithoutAffinityColumnsAreRead) {
  const NodeModel model = read("   GPU0 GPU1\nGPU0 X SYS\nGPU1 SYS X\n");
  EXPECT_EQ(model.gpus[0].cpu_affinity, "");
  EXPECT_EQ(model.gpus[0].numa, none);
}

TEST(NvidiaTopo, AnyNumberOfNvlinksIsRead) {
  EXPECT_EQ(read("\tGPU0\tGPU1\nGPU0\tX\tNV7\nGPU1\tNV7\tX\n").gpu_matrix[0][1], "NV7");
}

TEST(NvidiaTopo, NicsKeepTheOrderOfTheHeader) {
  const NodeModel model = read(
      "\tGPU0\tmlx5_2\tmlx5_0\tNIC7\n"
      "GPU0\tX\tSYS\tPIX\tNODE\n"
      "mlx5_2\tSYS\tX\tSYS\tSYS\n"
      "mlx5_0\tPIX\tSYS\tX\tNODE\n"
      "NIC7\tNODE\tSYS\tNODE\tX\n"
      "mlx5_9: bond   NIC7: rocep177s0f1\n");
  EXPECT_EQ(model.nics[0].name, "mlx5_2");
  EXPECT_EQ(model.nics[1].name, "mlx5_0");
  EXPECT_EQ(model.nics[2].name, "rocep177s0f1");
}

TEST(NvidiaTopo, ALegendWithHolesIsAWarning) {
  const NodeModel model = read(replaced(native_topo, "NIC0: mlx5_3", ""));
  EXPECT_EQ(model.nics[0].name, "NIC0");
  EXPECT_TRUE(warns(model, "does not name NIC0"));
}

TEST(NvidiaTopo, AnEmptyCpuAffinityBetweenTabsIsNoLocality) {
  const NodeModel model = read(
      "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
      "GPU0\t X \tSYS\t0-3\t0\t\tN/A\n"
      "GPU1\tSYS\t X \t\t1\t\tN/A\n");
  EXPECT_EQ(model.gpus[1].cpu_affinity, "");
  EXPECT_EQ(model.gpus[1].numa_affinity, "1");
  EXPECT_FALSE(model.gpus[1].cpus);
  EXPECT_TRUE(warns(model, "GPU 1: no CPU affinity"));
}

TEST(NvidiaTopo, MissingNicRowsMakeItPartial) {
  const std::size_t cut = native_topo.find("NIC0\tPIX");
  const NodeModel model = read(native_topo.substr(0, cut));
  EXPECT_TRUE(model.partial);
  EXPECT_EQ(model.gpu_matrix, pair_matrix);
  EXPECT_TRUE(warns(model, "no rows for NIC0"));
}

TEST(NvidiaTopo, ANicRowThatTheTextEndsInMakesItPartial) {
  const std::size_t cut = native_topo.find("NIC0\tPIX");
  EXPECT_TRUE(read(native_topo.substr(0, cut) + "NIC0\tPIX\tSY").partial);
}

TEST(NvidiaTopo, AMissingGpuRowIsRefusedByName) {
  const std::string message = refusal(native_topo.substr(0, native_topo.find("GPU1\tNV2")));
  EXPECT_TRUE(says(message, "no whole row was found for GPU1")) << message;
}

TEST(NvidiaTopo, AMergedCellIsRefusedByRowAndColumn) {
  const std::string message = refusal(
      "\tGPU0\tGPU1\tNIC0\tCPU Affinity\n"
      "GPU0\t X \tNV2\tPIX\t0-3\n"
      "GPU1\tNV2\t X \tPI0-3\n");
  EXPECT_TRUE(says(message, "topo.txt:3")) << message;
  EXPECT_TRUE(says(message, "row GPU1, column NIC0: found \"PI0-3\"")) << message;
}

TEST(NvidiaTopo, AnAsymmetricMatrixIsRefused) {
  const std::string message = refusal("\tGPU0\tGPU1\nGPU0\tX\tNV2\nGPU1\tNV1\tX\n");
  EXPECT_TRUE(says(message, "row GPU0, column GPU1: found \"NV2\"")) << message;
}

TEST(NvidiaTopo, AWrongDiagonalIsRefused) {
  EXPECT_TRUE(says(refusal("\tGPU0\tGPU1\nGPU0\tX\tX\nGPU1\tX\tX\n"), "column GPU1"));
}

TEST(NvidiaTopo, ARowThatStandsTwiceIsRefused) {
  EXPECT_TRUE(says(refusal("\tGPU0\tGPU1\nGPU0\tX\tPIX\nGPU0\tX\tPIX\n"), "row GPU0 stands twice"));
}

TEST(NvidiaTopo, ARowOfAGpuWithoutAColumnIsRefused) {
  EXPECT_TRUE(says(refusal("\tGPU0\nGPU0\tX\nGPU1\tPIX\n"), "no column GPU1"));
}

TEST(NvidiaTopo, CellsWithoutAColumnAreLeftOutWithAWarning) {
  const NodeModel model =
      read("   GPU0 GPU1 CPU Affinity\nGPU0 X PIX NODE 0-3\nGPU1 PIX X SYS 4-7\n");
  EXPECT_EQ(model.gpus[1].cpu_affinity, "4-7");
  EXPECT_TRUE(warns(model, "cells without a column"));
}

TEST(NvidiaTopo, AffinityThatBlanksMadeAmbiguousIsUnknown) {
  const NodeModel model = read(
      "   GPU0 GPU1 CPU Affinity NUMA Affinity GPU NUMA ID\n"
      "GPU0  X   SYS  0-3  N/A\n"
      "GPU1  SYS  X   1    N/A\n");
  EXPECT_EQ(model.gpus[0].cpu_affinity, "0-3");
  EXPECT_EQ(model.gpus[0].gpu_numa_id, "N/A");
  EXPECT_EQ(model.gpus[1].cpu_affinity, "");
  EXPECT_TRUE(warns(model, "row GPU1: the affinity columns cannot be told apart"));
}

TEST(NvidiaTopo, AP2pMatrixAloneIsRefusedAndSaysWhy) {
  const std::string p2p = "\tGPU0\tGPU1\n GPU0\tX\tOK\n GPU1\tOK\tX\n";
  EXPECT_TRUE(recognises_nvidia_topo(p2p));
  EXPECT_TRUE(says(refusal(p2p), "-p2p"));
}

TEST(NvidiaTopo, AP2pMatrixBeforeTheTableIsSkipped) {
  expect_pair(
      read("$ nvidia-smi topo -p2p rw\n\tGPU0\tGPU1\n GPU0\tX\tCNS\n GPU1\tCNS\tX\n"
           "$ nvidia-smi topo -m\n" +
           native_topo));
}

TEST(NvidiaTopo, TheFirstOfTwoHostsIsReadAndTheOtherTold) {
  const NodeModel model =
      read("host a\n" + native_topo + "host b\n" + replaced(native_topo, "NV2", "NV1"));
  expect_pair(model);
  EXPECT_TRUE(warns(model, "1 more tables"));
}

TEST(NvidiaTopo, TheOutputOfMpIsReadWithAWarning) {
  const NodeModel model = read("$ nvidia-smi topo -mp\n\tGPU0\tGPU1\nGPU0\tX\tSYS\nGPU1\tSYS\tX\n");
  EXPECT_TRUE(warns(model, "hides NVLink"));
  EXPECT_EQ(model.gpu_matrix[0][1], "SYS");
}

TEST(NvidiaTopo, TheOutputOfMIsPreferredToThatOfMp) {
  const NodeModel model = read(
      "$ nvidia-smi topo -mp\n\tGPU0\tGPU1\nGPU0\tX\tSYS\nGPU1\tSYS\tX\n\n"
      "$ nvidia-smi topo -m\n" +
      native_topo);
  expect_pair(model);
  EXPECT_FALSE(warns(model, "hides NVLink"));
}

TEST(NvidiaTopo, TextsWithoutATableAreRefused) {
  for (const std::string text : {"", "nothing here", "GPU0 GPU1\n", "GPU0 is busy\n"}) {
    EXPECT_FALSE(recognises_nvidia_topo(text));
    EXPECT_TRUE(says(refusal(text), "found no table")) << text;
  }
}

TEST(NvidiaTopo, AHeaderThatTheTextEndsBehindIsRefusedByTheMissingRows) {
  const std::string text = "\tGPU0\tGPU1\tCPU Affinity\n";
  EXPECT_TRUE(recognises_nvidia_topo(text));
  EXPECT_TRUE(says(refusal(text), "GPU0, GPU1"));
}

TEST(NvidiaTopo, OtherVendorsTablesAreNotTaken) {
  EXPECT_FALSE(recognises_nvidia_topo("       GPU0   GPU1\nGPU0   0   15\nGPU1   15   0\n"));
  EXPECT_FALSE(recognises_nvidia_topo("        GPU 0/0  GPU 1/0\nGPU 0/0  S  XL24\n"));
}

TEST(NvidiaTopo, MoreGpusThanTheLimitAreRefused) {
  std::string header;
  std::string row = "GPU0\tX";
  for (int gpu = 0; gpu < 300; ++gpu) header += "\tGPU" + std::to_string(gpu);
  for (int gpu = 1; gpu < 300; ++gpu) row += "\tSYS";
  EXPECT_TRUE(says(refusal(header + "\n" + row + "\n"), "at most 256 GPUs"));
}

TEST(NvidiaTopo, GpusThatDoNotCountFromZeroKeepTheirNumbers) {
  const NodeModel model = read("\tGPU4\tGPU5\nGPU4\tX\tPIX\nGPU5\tPIX\tX\n");
  EXPECT_EQ(model.gpus[0].device, 4);
  EXPECT_EQ(model.gpus[1].device, 5);
}

}  // namespace
}  // namespace rankmap
