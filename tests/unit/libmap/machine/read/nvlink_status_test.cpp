#include "libmap/machine/read/nvlink_status.hpp"

#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "tests/unit/libmap/machine/read/topo_samples.hpp"

namespace rankmap {
namespace {

TEST(NvlinkStatus, NamesUuidsAndActiveLinksAreRead) {
  const std::vector<NvlinkStatus> rows = parse_nvlink_status(testing::nvlink_status, "status");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].gpu, 0);
  EXPECT_EQ(rows[0].name, "Tesla V100-SXM2-16GB");
  EXPECT_EQ(rows[0].uuid, "GPU-aaaa0000-0000-0000-0000-000000000000");
  EXPECT_EQ(rows[0].active_links, 2);
  EXPECT_EQ(rows[1].links_seen, 2);
  EXPECT_EQ(rows[1].active_links, 1);
  EXPECT_EQ(rows[1].gbps, 25.781);
}

TEST(NvlinkStatus, OldDriversPrintNoUuid) {
  const auto rows = parse_nvlink_status("GPU 3: Tesla P100-SXM2-16GB\n\t Link 0: 20 GB/s\n", "s");
  EXPECT_EQ(rows.at(0).gpu, 3);
  EXPECT_EQ(rows.at(0).uuid, "");
}

TEST(NvlinkStatus, AGpuWhoseLinksAreAllInactiveHasNone) {
  const auto rows = parse_nvlink_status(
      "GPU 0: NVIDIA RTX A6000\n"
      "NVML: Unable to retrieve NVLink information as all links are inActive\n",
      "s");
  EXPECT_TRUE(rows.at(0).all_inactive);
  EXPECT_EQ(rows.at(0).active_links, 0);
}

TEST(NvlinkStatus, LeftOutLinesAreNoted) {
  const auto rows =
      parse_nvlink_status("GPU 0: A\n Link 0: 25 GB/s\n   ...<snip>...\n Link 11: 25 GB/s\n", "s");
  EXPECT_TRUE(rows.at(0).cut);
}

TEST(NvlinkStatus, LinksWithoutAGpuLineStandForAnUnknownGpu) {
  const auto rows = parse_nvlink_status("Link 0: 25 GB/s\nLink 1: <inactive>\n", "s");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].gpu, none);
}

TEST(NvlinkStatus, EmptyAndOtherTextsAreRefused) {
  for (const std::string text : {"", " \n", "GPU 0: A10 (UUID: GPU-1)\n", "Linkage: 3\n"}) {
    EXPECT_THROW(parse_nvlink_status(text, "s"), InputError) << text;
    EXPECT_FALSE(recognises_nvlink_status(text)) << text;
  }
}

TEST(NvlinkStatus, AloneItIsNoMachineAndTheAdviceNamesTheOption) {
  EXPECT_TRUE(recognises_nvlink_status(testing::nvlink_status));
  try {
    read_nvlink_status(testing::nvlink_status, "status.txt", {});
    FAIL() << "was not refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("--nvlink"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace rankmap
