// Folders that something else wrote are read, or refused with an error of ours.
#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/base/random.hpp"
#include "libmap/machine/job/job_nodes.hpp"
#include "probe_folder.hpp"

namespace rankmap {
namespace {

using testing::preset_json;
using testing::ProbeFolder;

std::string damaged(std::string text, Random& random) {
  for (std::uint64_t flips = random.below(6); flips > 0; --flips)
    text[random.below(text.size())] = static_cast<char>(random.below(256));
  return random.below(3) == 0 ? text.substr(0, random.below(text.size())) : text;
}

// Whether the folder is taken. Any other exception than these two fails the test.
bool is_taken(const ProbeFolder& folder) {
  try {
    machine_of_job(read_job_nodes(folder.path()));
    return true;
  } catch (const InputError&) {
    return false;
  } catch (const NotAvailable&) {
    return false;
  }
}

TEST(JobNodesFuzz, DamagedProbesAreTakenOrRefused) {
  const ProbeFolder folder;
  folder.add_node("n0", preset_json("polaris"));
  Random random(17);
  int taken = 0;
  for (int round = 0; round < 1500; ++round) {
    folder.write("probe.0", damaged("rankmap-probe 1\nrank 0\nlocal_rank 0\nlocal_size 1\nsize 1\n"
                                    "host n0\nlauncher hydra\n",
                                    random));
    taken += is_taken(folder) ? 1 : 0;
  }
  EXPECT_GT(taken, 150);  // an untouched one, or the name of the launcher
  EXPECT_LT(taken, 1350);
}

TEST(JobNodesFuzz, DamagedMachinesAreTakenOrRefused) {
  const ProbeFolder folder;
  folder.add_rank(0, 0, 1, "n0");
  const std::string text = preset_json("polaris");
  Random random(19);
  int taken = 0;
  for (int round = 0; round < 150; ++round) {
    folder.add_node("n0", damaged(text, random));
    taken += is_taken(folder) ? 1 : 0;
  }
  EXPECT_GT(taken, 0);
  EXPECT_LT(taken, 150);
}

TEST(JobNodesFuzz, RandomBytesAreRefused) {
  const ProbeFolder folder;
  Random random(23);
  for (int round = 0; round < 500; ++round) {
    std::string text;
    for (std::uint64_t length = random.below(200); length > 0; --length)
      text += static_cast<char>(random.below(256));
    folder.write("probe.0", text);
    EXPECT_FALSE(is_taken(folder));
    folder.write("probe.0", "rankmap-probe 1\nrank 0\nsize 1\nhost n0\n");
    folder.add_node("n0", text);
    EXPECT_FALSE(is_taken(folder));
    folder.clear();
  }
}

TEST(JobNodesFuzz, HugeFilesAreRefused) {
  const ProbeFolder folder;
  folder.add_node("n0", preset_json("polaris"));
  folder.write("probe.0",
               "rankmap-probe 1\nrank 0\nsize 1\nhost n0\nlauncher " + std::string(1 << 20, 'x'));
  EXPECT_FALSE(is_taken(folder));
}

}  // namespace
}  // namespace rankmap
