// Which GPUs of a node a rank can use at all, and how its plan finds one of them.
#include "tests/unit/mpi_shim/gpu_node.hpp"

namespace rankmap::testing {
namespace {

using GpuDevices = GpuNode;

TEST_F(GpuDevices, GoByBusIdInPciOrder) {
  four_nvidia();
  const GpuOutcome outcome = place({.gpu = 9, .id = "00000000:4E:00.0"});
  EXPECT_EQ(outcome.at("CUDA_VISIBLE_DEVICES"), "3");
  EXPECT_EQ(outcome.at("CUDA_DEVICE_ORDER"), "PCI_BUS_ID");
  EXPECT_EQ(outcome.at("device"), "0000:4e:00.0");
  EXPECT_EQ(outcome.at("variable"), "CUDA_VISIBLE_DEVICES");
  EXPECT_EQ(outcome.at("planned"), "3");
  EXPECT_EQ(outcome.at("mode"), "own");
  EXPECT_EQ(outcome.at("doubt"), "");
}

TEST_F(GpuDevices, GoByUuid) {
  four_nvidia();
  const GpuOutcome outcome = place({.id = "GPU-BBBB2222-0000"});
  EXPECT_EQ(outcome.at("CUDA_VISIBLE_DEVICES"), "1");
  EXPECT_EQ(outcome.at("device"), "0000:0a:00.0");
}

TEST_F(GpuDevices, DomainsBeyondFourDigitsStandLast) {
  nvidia("10000:01:00.0", "GPU-x", 0);
  nvidia("ffff:01:00.0", "GPU-y", 1);
  EXPECT_EQ(place({.id = "10000:01:00.0"}).at("CUDA_VISIBLE_DEVICES"), "1");
}

TEST_F(GpuDevices, AreThoseWhoseNodeIsThere) {
  four_nvidia();
  remove("dev/nvidia3");  // 07: CUDA's ordinals begin at 0a
  remove("dev/nvidia1");  // 47
  EXPECT_EQ(place({.id = "0000:4e:00.0"}).at("CUDA_VISIBLE_DEVICES"), "1");
  EXPECT_EQ(place({.gpu = 1}).at("device"), "0000:4e:00.0");  // the second usable one
  const GpuOutcome closed = place({.gpu = 2, .id = "0000:47:00.0"});
  EXPECT_EQ(closed.at("CUDA_VISIBLE_DEVICES"), "-");
  EXPECT_EQ(closed.at("device"), "0000:47:00.0");
  EXPECT_EQ(closed.at("doubt"),
            "this process may not use GPU 2 0000:47:00.0 of this node; its GPUs are left as they "
            "are. ");
  EXPECT_EQ(place({.gpu = 2}).at("doubt"),
            "this node has no usable GPU 2; its GPUs are left as they are. ");
}

TEST_F(GpuDevices, AreAllWhereTheDriverDoesNotTellMinors) {
  node("dev/nvidiactl");
  information("0000:07:00.0", "GPU-a", -1);
  information("0000:0a:00.0", "GPU-b", -1);
  const GpuOutcome outcome = place({.gpu = 1});
  EXPECT_EQ(outcome.at("CUDA_VISIBLE_DEVICES"), "1");
  EXPECT_EQ(outcome.at("note"), "");
}

TEST_F(GpuDevices, AreAllWhereTheDriverHasMadeNoNodesYet) {
  information("0000:07:00.0", "GPU-a", 0);
  information("0000:0a:00.0", "GPU-b", 1);
  const GpuOutcome outcome = place({.gpu = 1});
  EXPECT_EQ(outcome.at("CUDA_VISIBLE_DEVICES"), "1");
  EXPECT_NE(outcome.at("note").find("/dev has no NVIDIA nodes yet"), std::string::npos);
  node("dev/nvidiactl");  // a container that was given none
  EXPECT_EQ(place({.gpu = 1}).at("CUDA_VISIBLE_DEVICES"), "-");
  EXPECT_NE(place({.gpu = 1}).at("doubt"), "");
}

TEST_F(GpuDevices, AreNotThoseTheAdministratorExcluded) {
  four_nvidia();
  information("0000:07:00.0", "GPU-aaaa1111-0000", 3, "Test 100", "GPU Excluded:\t Yes\n");
  EXPECT_EQ(place({.id = "0000:0a:00.0"}).at("CUDA_VISIBLE_DEVICES"), "0");
  EXPECT_EQ(place({.id = "0000:07:00.0"}).at("CUDA_VISIBLE_DEVICES"), "-");
}

TEST_F(GpuDevices, ThatAreNotHereAreADoubt) {
  four_nvidia();
  const GpuOutcome outcome = place({.gpu = 2, .id = "0000:48:00.0"});
  EXPECT_EQ(outcome.at("CUDA_VISIBLE_DEVICES"), "-");
  EXPECT_EQ(outcome.at("CUDA_DEVICE_ORDER"), "-");
  EXPECT_EQ(outcome.at("device"), "");
  EXPECT_EQ(outcome.at("doubt"),
            "this node has no GPU 2 0000:48:00.0; its GPUs are left as they are. ");
  EXPECT_NE(place({.id = "not an id"}).at("doubt"), "");
}

TEST_F(GpuDevices, WithoutADriverPlannedIndicesStand) {
  EXPECT_EQ(place({.gpu = 65535}).at("CUDA_VISIBLE_DEVICES"), "65535");
  EXPECT_EQ(place({.gpu = 3, .id = "0000:48:00.0"}).at("CUDA_VISIBLE_DEVICES"), "3");
  EXPECT_EQ(place({.gpu = 3}).at("device"), "");
}

TEST_F(GpuDevices, MigDevicesStandForThemselves) {
  four_nvidia();
  const GpuOutcome outcome = place({.gpu = 5, .id = "MIG-1234"});
  EXPECT_EQ(outcome.at("CUDA_VISIBLE_DEVICES"), "MIG-1234");
  EXPECT_EQ(outcome.at("doubt"), "");
}

TEST_F(GpuDevices, NoneArePlacedWhereThePlanHasNone) {
  four_nvidia();
  const GpuOutcome outcome = place({.gpu = -1}, {{"RANKMAP_GPUS", "nonsense"}});
  EXPECT_EQ(outcome.at("variable"), "");
  EXPECT_EQ(outcome.at("doubt"), "");
}

TEST_F(GpuDevices, GarbageIsNoGpu) {
  std::string noise;
  for (int i = 0; i < 9000; ++i) noise += static_cast<char>(1 + i * 7 % 255);
  folder_.write("proc/driver/nvidia/gpus/0000:07:00.0/information", noise);
  folder_.write("proc/driver/nvidia/gpus/0000:0a:00.0/information", "GPU UUID:");
  folder_.write("proc/driver/nvidia/gpus/0000:0b:00.0/information", "");
  folder_.write("proc/driver/nvidia/gpus/0000:0c:00.0", "a file, not a folder");
  folder_.write("proc/driver/nvidia/gpus/" + std::string(200, ':') + "/information", "Model: x\n");
  information("0000:0d:00.0", "GPU-" + std::string(3000, 'a'), 0);
  information("0000:0e:00.0", "GPU-????????", 1);
  information("0000:0f:00.0", "GPU-eeee", 99999);
  node("dev/nvidia0");
  node("dev/nvidia1");
  // 07, 0a, 0b, 0c tell no minor and count as usable; 0f has no node
  EXPECT_EQ(place({.id = "0000:0e:00.0"}).at("CUDA_VISIBLE_DEVICES"), "5");
  EXPECT_EQ(place({.id = "GPU-????????"}).at("CUDA_VISIBLE_DEVICES"), "-");
  EXPECT_EQ(place({.id = "GPU-" + std::string(200, 'a')}).at("CUDA_VISIBLE_DEVICES"), "-");
  EXPECT_NE(place({.id = "GPU-eeee"}).at("doubt").find("may not use"), std::string::npos);
}

TEST_F(GpuDevices, BeyondTheLimitTheFirstInPciOrderStay) {
  for (int bus = 0; bus < 200; ++bus) {
    char name[32];
    snprintf(name, sizeof name, "0000:%02x:00.0", bus);
    information(name, "GPU-" + std::to_string(1000 + bus), -1);
  }
  EXPECT_EQ(place({.id = "0000:7f:00.0"}).at("CUDA_VISIBLE_DEVICES"), "127");
  EXPECT_NE(place({.id = "0000:80:00.0"}).at("doubt"), "");
}

}  // namespace
}  // namespace rankmap::testing
