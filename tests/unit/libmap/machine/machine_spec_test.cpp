#include "libmap/machine/machine_spec.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "libmap/base/error.hpp"

namespace rankmap {
namespace {

MachineOptions shared() {
  MachineOptions options;
  options.share_directory = std::string(RANKMAP_SOURCE_DIR) + "/share";
  return options;
}

std::string usage_error(const std::string& spec) {
  try {
    read_machine(spec, shared());
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

class SpecInFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("rankmap-spec-" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
               "-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name) << content;
    return (folder_ / name).string();
  }
  std::filesystem::path folder_;
};

TEST_F(SpecInFolder, AFileIsReadByContentWhateverItsName) {
  const std::string path = file("node.txt", R"({"gpus": 3, "default_pcie_gbps": 10})");
  const Machine machine = read_machine(path, shared());
  EXPECT_EQ(machine.slots(), 3);
  EXPECT_EQ(machine.nodes(), 1);
  EXPECT_EQ(machine.host(0), "*");
}

TEST_F(SpecInFolder, AnEmptyFileIsRefused) {
  EXPECT_THROW(read_machine(file("empty", ""), shared()), InputError);
  EXPECT_THROW(read_machine(file("words", "hello world\n"), shared()), InputError);
}

TEST_F(SpecInFolder, AFolderIsNoFile) {
  EXPECT_NE(usage_error(folder_.string()), "");
}

TEST(Spec, ANameOfAPresetIsFoundInTheShareDirectory) {
  const Machine machine = read_machine("dgx1-v100", shared());
  EXPECT_EQ(machine.name(), "dgx1-v100");
  EXPECT_EQ(machine.slots(), 8);
}

TEST(Spec, TheFirstSlotOfADgx1HasTheCoresAndMemoryThatTheIssueShows) {
  const SlotRow slot = read_machine("dgx1-v100", shared()).slot(0);
  EXPECT_EQ(slot.host, "*");
  EXPECT_EQ(slot.gpu, 0);
  EXPECT_EQ(slot.gpu_id, "");
  EXPECT_EQ(slot.nic, "");
  EXPECT_EQ(slot.cpus.to_string(), "0-4,40-44");  // 20 cores of NUMA node 0 for four GPUs
  EXPECT_EQ(slot.numa, 0);
}

TEST(Spec, NameTimesCountGivesThatManyNodes) {
  const Machine machine = read_machine("dgx1-v100x4", shared());
  EXPECT_EQ(machine.nodes(), 4);
  EXPECT_EQ(machine.slots(), 32);
  EXPECT_EQ(machine.name(), "dgx1-v100x4");
  EXPECT_EQ(machine.host(3), "node3");
}

TEST(Spec, ANetworkCountsTheNodesWhereNoCountIsGiven) {
  EXPECT_EQ(read_machine("polaris@flat:3", shared()).nodes(), 3);
  EXPECT_EQ(read_machine("polarisx3@flat:3", shared()).nodes(), 3);
  EXPECT_NE(usage_error("polarisx4@flat:3"), "");
  EXPECT_NE(usage_error("polaris@flat:3,slots=2"), "");
}

TEST(Spec, ABareNetworkHasPlainSlots) {
  const Machine one = read_machine("flat:16", shared());
  EXPECT_EQ(one.nodes(), 16);
  EXPECT_EQ(one.slots(), 16);
  EXPECT_FALSE(one.has_gpus());
  const Machine four = read_machine("flat:16,slots=4", shared());
  EXPECT_EQ(four.slots(), 64);
  EXPECT_EQ(four.node_of(5), 1);  // the slot index is last and fastest
}

TEST(Spec, BadCountsAndNetworksAreUsageErrors) {
  EXPECT_NE(usage_error("flat:0"), "");
  EXPECT_NE(usage_error("flat"), "");
  EXPECT_NE(usage_error("flat:4,slots=0"), "");
  EXPECT_NE(usage_error("flat:4,slot=2"), "");
  EXPECT_NE(usage_error("flat:99999999999"), "");
  EXPECT_NE(usage_error("dgx1-v100x0"), "");
  EXPECT_NE(usage_error(""), "");
  EXPECT_EQ(usage_error("polaris@tours:8x8"),
            "unknown network \"tours\", expected one of: flat, torus, mesh, tree, fattree, "
            "dragonfly, nvlink");
}

TEST(Spec, AnUnknownNameIsAnsweredWithTheNearOnes) {
  const std::string near = usage_error("dgx1-v10");
  EXPECT_NE(near.find("did you mean dgx1-v100?"), near.npos) << near;
  EXPECT_NE(near.find("polaris"), near.npos);
  const std::string part = usage_error("H100");
  EXPECT_NE(part.find("did you mean hgx-h100?"), part.npos) << part;
  EXPECT_EQ(usage_error("nothing-like-it").find("did you mean"), std::string::npos);
}

TEST(Spec, AMissingFileIsToldAsOne) {
  EXPECT_NE(usage_error("./missing.json").find("\"./missing.json\" is neither a file nor"),
            std::string::npos);
}

TEST(Spec, NamesDoNotLeaveTheShareDirectory) {
  EXPECT_NE(usage_error("../machines/polaris"), "");
}

TEST(Spec, TheAllocationIsNotAvailableYetAndSaysWhatToDo) {
  EXPECT_THROW(read_machine("job", shared()), NotAvailable);
}

TEST(Spec, HostsAreAsManyAsNodes) {
  MachineOptions options = shared();
  options.hosts = {"alpha", "beta"};
  EXPECT_EQ(read_machine("polarisx2", options).host(1), "beta");
  EXPECT_THROW(read_machine("polarisx3", options), UsageError);
}

}  // namespace
}  // namespace rankmap
