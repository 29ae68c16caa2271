// What the SPANK plugin changes in the environment of a task reaches the task, and nothing else does.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <map>
#include <string>
#include <vector>

extern "C" {
#include "mpi_shim/slurm/environment.h"
}

namespace rankmap::testing {
namespace {

struct Told {
  std::map<std::string, std::string> set;
  std::vector<std::string> unset;
};

void tell_set(void* told, const char* name, const char* value) {
  static_cast<Told*>(told)->set[name] = value;
}

void tell_unset(void* told, const char* name) {
  static_cast<Told*>(told)->unset.emplace_back(name);
}

class LentEnvironment : public ::testing::Test {
 protected:
  void SetUp() override { setenv("RANKMAP_TEST_OWN", "ours", 1); }
  void TearDown() override { unsetenv("RANKMAP_TEST_OWN"); }

  // Lends `task`, runs `change` and returns what is to be changed in the task.
  static Told told_after(std::vector<std::string> task, void (*change)()) {
    std::vector<char*> list;
    for (std::string& entry : task) list.push_back(entry.data());
    list.push_back(nullptr);
    rankmap_lent_environment lent;
    Told told;
    EXPECT_EQ(rankmap_lend_environment(&lent, list.data()), 1);
    change();
    rankmap_return_environment(&lent, &told, tell_set, tell_unset);
    return told;
  }
};

TEST_F(LentEnvironment, IsTheTasksAloneAndThenOursAgain) {
  const Told told = told_after({"SLURM_PROCID=3", "EMPTY="}, [] {
    EXPECT_STREQ(getenv("SLURM_PROCID"), "3");
    EXPECT_STREQ(getenv("EMPTY"), "");
    EXPECT_EQ(getenv("RANKMAP_TEST_OWN"), nullptr);
  });
  EXPECT_TRUE(told.set.empty());
  EXPECT_TRUE(told.unset.empty());
  EXPECT_STREQ(getenv("RANKMAP_TEST_OWN"), "ours");
  EXPECT_EQ(getenv("SLURM_PROCID"), nullptr);
}

TEST_F(LentEnvironment, TellsWhatIsNewChangedAndGone) {
  const Told told = told_after({"CUDA_VISIBLE_DEVICES=0,1", "KEPT=a=b", "GONE=1"}, [] {
    setenv("CUDA_VISIBLE_DEVICES", "1", 1);
    setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1);
    unsetenv("GONE");
  });
  const std::map<std::string, std::string> expected = {{"CUDA_DEVICE_ORDER", "PCI_BUS_ID"},
                                                       {"CUDA_VISIBLE_DEVICES", "1"}};
  EXPECT_EQ(told.set, expected);
  EXPECT_EQ(told.unset, std::vector<std::string>{"GONE"});
}

TEST_F(LentEnvironment, IsNotMisledByNamesThatBeginAlike) {
  const Told told = told_after({"GPU=1", "GPUS=2"}, [] { setenv("GPU", "3", 1); });
  const std::map<std::string, std::string> expected = {{"GPU", "3"}};
  EXPECT_EQ(told.set, expected);
  EXPECT_TRUE(told.unset.empty());
}

}  // namespace
}  // namespace rankmap::testing
