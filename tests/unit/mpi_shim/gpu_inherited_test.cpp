// Lists of visible devices that a rank inherits: never outside them, and as they spell it.
#include <random>

#include "tests/unit/mpi_shim/gpu_node.hpp"

namespace rankmap::testing {
namespace {

using GpuInherited = GpuNode;

Environment cuda(const std::string& list) {
  return {{"CUDA_VISIBLE_DEVICES", list}};
}

TEST_F(GpuInherited, OrdinalsCountUsableGpusInPciOrder) {
  four_nvidia();
  remove("dev/nvidia3");  // 07
  EXPECT_EQ(place({.id = "0000:4e:00.0"}, cuda("2,0")).at("CUDA_VISIBLE_DEVICES"), "2");
  const GpuOutcome outside = place({.gpu = 2, .id = "0000:47:00.0"}, cuda("2,0"));
  EXPECT_EQ(outside.at("CUDA_VISIBLE_DEVICES"), "2,0");
  EXPECT_EQ(outside.at("CUDA_DEVICE_ORDER"), "-");
  EXPECT_EQ(outside.at("doubt"),
            "GPU 2 of the plan is not in CUDA_VISIBLE_DEVICES=2,0, which is kept. ");
}

TEST_F(GpuInherited, UuidsMayBeCutAndAreSpelledAsInherited) {
  four_nvidia();
  EXPECT_EQ(place({.id = "0000:0a:00.0"}, cuda("GPU-aa,GPU-BBBB2")).at("CUDA_VISIBLE_DEVICES"),
            "GPU-BBBB2");
  // one that names no device, or two, ends the list
  nvidia("0000:50:00.0", "GPU-bbbb9999-0000", 4);
  for (const char* list : {"GPU-bbbb,GPU-aaaa", "GPU-eeee,GPU-aaaa"})
    EXPECT_EQ(place({.id = "0000:07:00.0"}, cuda(list)).at("CUDA_VISIBLE_DEVICES"), list);
}

TEST_F(GpuInherited, AListMixedOfBothIsWrittenInUuids) {
  four_nvidia();
  Environment environment = cuda("GPU-aaaa,1");
  environment["RANKMAP_GPUS"] = "own-first";
  EXPECT_EQ(place({.id = "0000:0a:00.0"}, environment).at("CUDA_VISIBLE_DEVICES"),
            "GPU-bbbb2222-0000,GPU-aaaa");
}

TEST_F(GpuInherited, TheFirstItemThatIsNoDeviceEndsIt) {
  four_nvidia();
  const GpuPlan third = {.gpu = 2, .id = "0000:47:00.0"};
  for (const char* list : {"", "-1,2", "NoDevFiles", "4,2", "0,,2", "0,x,2", "2x", "0 1,+2", "0x2",
                           "99999999999999999999,2", "GPU-,2", "1.2"})
    EXPECT_EQ(place(third, cuda(list)).at("CUDA_VISIBLE_DEVICES"), list);
  for (const char* list : {"2", " 2", "2 ", "2,-1", "0, 2,x"})
    EXPECT_EQ(place(third, cuda(list)).at("CUDA_VISIBLE_DEVICES"), "2") << list;
}

TEST_F(GpuInherited, AGpuNamedTwiceIsADoubt) {
  four_nvidia();
  for (const char* list : {"2,2", "2,0,2", "GPU-cccc,2"}) {
    const GpuOutcome outcome = place({.gpu = 2, .id = "0000:47:00.0"}, cuda(list));
    EXPECT_EQ(outcome.at("CUDA_VISIBLE_DEVICES"), list);
    EXPECT_NE(outcome.at("doubt").find("names a GPU twice"), std::string::npos);
  }
}

TEST_F(GpuInherited, OrdinalsOfUnlikeGpusNeedAnOrder) {
  four_nvidia();
  nvidia("0000:50:00.0", "GPU-eeee5555-0000", 4, "Test 200");
  Environment environment = cuda("2");
  const GpuPlan third = {.gpu = 2, .id = "0000:47:00.0"};
  GpuOutcome outcome = place(third, environment);
  EXPECT_EQ(outcome.at("CUDA_VISIBLE_DEVICES"), "2");
  EXPECT_NE(outcome.at("doubt").find("CUDA_VISIBLE_DEVICES=2 counts unlike GPUs"),
            std::string::npos);
  environment["CUDA_DEVICE_ORDER"] = "FASTEST_FIRST";
  EXPECT_NE(place(third, environment).at("doubt"), "");
  environment["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID";
  EXPECT_EQ(place(third, environment).at("doubt"), "");
  EXPECT_EQ(place(third, cuda("GPU-cccc")).at("doubt"), "");  // uuids need none
  EXPECT_EQ(place(third).at("CUDA_VISIBLE_DEVICES"), "2");    // nor does no list at all
  remove("dev/nvidia4");                                      // the unlike one is not for us
  EXPECT_EQ(place(third, cuda("2")).at("doubt"), "");
}

TEST_F(GpuInherited, MigDevicesAreComparedAsTexts) {
  four_nvidia();
  const GpuPlan plan = {.gpu = 1, .id = "MIG-1234-5678"};
  EXPECT_EQ(place(plan, cuda("MIG-aaaa,MIG-1234")).at("CUDA_VISIBLE_DEVICES"), "MIG-1234");
  EXPECT_EQ(place(plan, cuda("MIG-aaaa,MIG-1235")).at("CUDA_VISIBLE_DEVICES"), "MIG-aaaa,MIG-1235");
  EXPECT_EQ(place(plan, cuda("0,1")).at("CUDA_VISIBLE_DEVICES"), "0,1");
}

TEST_F(GpuInherited, WithoutADriverItemsAreComparedAsTexts) {
  EXPECT_EQ(place({.gpu = 2}, cuda("3,2,12")).at("CUDA_VISIBLE_DEVICES"), "2");
  EXPECT_EQ(place({.gpu = 2, .id = "GPU-abcd"}, cuda("GPU-1,GPU-ab")).at("CUDA_VISIBLE_DEVICES"),
            "GPU-ab");
  for (const char* list : {"0,1", "12", "", "GPU-2", "-1,2"})
    EXPECT_EQ(place({.gpu = 2}, cuda(list)).at("CUDA_VISIBLE_DEVICES"), list);
}

TEST_F(GpuInherited, MpsCountsAnewSoUuidsAreWritten) {
  four_nvidia();
  Environment environment = cuda("0,1");
  environment["CUDA_MPS_PIPE_DIRECTORY"] = "/tmp/mps";
  const GpuPlan second = {.gpu = 1, .id = "0000:0a:00.0"};
  EXPECT_EQ(place(second, environment).at("CUDA_VISIBLE_DEVICES"), "GPU-bbbb2222-0000");
  node("tmp/nvidia-mps/control");
  EXPECT_EQ(place(second).at("CUDA_VISIBLE_DEVICES"), "GPU-bbbb2222-0000");
  information("0000:0a:00.0", "GPU-????????", 2);
  const GpuOutcome untold = place(second);
  EXPECT_EQ(untold.at("CUDA_VISIBLE_DEVICES"), "1");
  EXPECT_NE(untold.at("note").find("under MPS"), std::string::npos);
}

TEST_F(GpuInherited, HugeListsAndLongUuidsAreCutSafely) {
  four_nvidia();
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "MIG-" + std::to_string(10000 + i) + ",";
  EXPECT_EQ(place({.id = "0000:07:00.0"}, cuda(many + "0")).at("CUDA_VISIBLE_DEVICES"), many + "0");
  const std::string longer = "GPU-" + std::string(10000, 'a');
  EXPECT_EQ(place({.id = "0000:07:00.0"}, cuda(longer)).at("CUDA_VISIBLE_DEVICES"), longer);
  Environment environment = cuda("MIG-" + std::string(2000, 'a') + ",0");
  environment["RANKMAP_GPUS"] = "own-first";
  const GpuOutcome outcome = place({.id = "0000:07:00.0"}, environment);
  EXPECT_EQ(outcome.at("CUDA_VISIBLE_DEVICES"), environment["CUDA_VISIBLE_DEVICES"]);
  EXPECT_NE(outcome.at("doubt").find("too many or nameless"), std::string::npos);
}

// Of a list that a rank inherits something else is made only where nothing is in doubt.
TEST_F(GpuInherited, RandomListsDoNoHarm) {
  four_nvidia();
  constexpr const char* items[] = {"0", "1", "2",    "3",  "GPU-a", "GPU-b", "GPU-cccc3333-0000",
                                   "",  "-", "MIG-", "17", "1.1",   "x",     " 2"};
  constexpr const char* modes[] = {"own", "aligned", "own-first"};
  std::mt19937 random(7);
  int placed = 0, kept = 0;
  for (int run = 0; run < 400; ++run) {
    std::string list;
    for (int i = static_cast<int>(random() % 6); i >= 0; --i)
      list += items[random() % std::size(items)] + std::string(random() % 8 == 0 ? "" : ",");
    Environment environment = cuda(list);
    environment["RANKMAP_GPUS"] = modes[random() % 3];
    const int gpu = static_cast<int>(random() % 4);
    const GpuOutcome outcome =
        place({.gpu = gpu, .node_gpus = "0,1,2,3", .local_rank = gpu}, environment);
    const bool in_doubt = !outcome.at("doubt").empty();
    EXPECT_EQ(outcome.at("CUDA_VISIBLE_DEVICES"), in_doubt ? list : outcome.at("planned")) << list;
    ++(in_doubt ? kept : placed);
  }
  EXPECT_GT(placed, 10);
  EXPECT_GT(kept, 10);
}

}  // namespace
}  // namespace rankmap::testing
