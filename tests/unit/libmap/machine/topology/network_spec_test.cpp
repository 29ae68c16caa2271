// Files behind @ in a machine's SPEC: switches of a cluster, and networks.
#include <gtest/gtest.h>
#include <unistd.h>

#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/machine/machine_spec.hpp"
#include "topology_texts.hpp"

namespace rankmap::test {
namespace {

class NetworkFile : public testing::Test {
 protected:
  void write(const std::string& text) { write_text(path_, text); }
  Machine read(const std::string& before, const std::string& behind = "",
               const std::vector<std::string>& hosts = {}) const {
    MachineOptions options;
    options.share_directory = RANKMAP_SOURCE_DIR "/share";
    options.hosts = hosts;
    return read_machine(before + "@" + path_ + behind, options);
  }
  std::string refusal(const std::string& before, const std::string& behind = "",
                      const std::vector<std::string>& hosts = {}) const {
    try {
      read(before, behind, hosts);
      return "";
    } catch (const UsageError& error) {
      return error.what();
    }
  }
  static BytesPerSecond speed_of(const Machine& machine, const std::string& name) {
    for (LinkId link = 0; link < machine.links(); ++link)
      if (machine.link_name(link) == name) return machine.link(link).bytes_per_second;
    return 0;
  }
  void SetUp() override { write(uneven_conf); }
  void TearDown() override { ::unlink(path_.c_str()); }

  std::string path_ = testing::TempDir() + "rankmap,network." + std::to_string(::getpid());
};

TEST_F(NetworkFile, GivesTheMachineItsHosts) {
  const Machine all = read("cpu-2socket");
  EXPECT_EQ(all.nodes(), 10);
  EXPECT_EQ(all.host(9), "n9");
  EXPECT_EQ(all.network()->text(), path_);
  EXPECT_EQ(all.network()->hops(0, 9), 3);
  const Machine first = read("cpu-2socketx6");
  EXPECT_EQ(first.host(5), "n5");
  const Machine some = read("cpu-2socketx2", "", {"n9", "n0"});
  EXPECT_EQ(some.host(0), "n9");
  EXPECT_EQ(some.network()->hops(0, 1), 3);
}

TEST_F(NetworkFile, CountsLinksInWhatANodeSends) {
  const Machine hgx = read("dgx-a100");
  EXPECT_EQ(speed_of(hgx, "spine0 up"), from_gbps(8 * 25));  // eight NICs of 25 GB/s
  EXPECT_EQ(speed_of(hgx, "leaf2 down"), from_gbps(4 * 8 * 25));
  EXPECT_EQ(speed_of(read("dgx-a100", ",gbps=50"), "leaf2 down"), from_gbps(200));
  EXPECT_NE(hgx.model().warnings.back().find("LinkSpeed"), std::string::npos);
}

TEST_F(NetworkFile, JoinsPlainSlots) {
  const Machine bare = read("", ",slots=3,gbps=2");
  EXPECT_EQ(bare.slots(), 30);
  EXPECT_EQ(speed_of(bare, "leaf0 up"), from_gbps(4));
  EXPECT_EQ(bare.cuts()[0].bytes_per_second, 2e9);
}

TEST_F(NetworkFile, MayHoldANetwork) {
  write("# ours\n\n torus:2x2,gbps=5\n");
  EXPECT_EQ(read("cpu-2socket").network()->text(), "torus:2x2,gbps=5");
  EXPECT_EQ(read("", ",slots=2").slots(), 8);
  write("torus:2x2\nmesh:2x2\n");
  EXPECT_THROW(read("cpu-2socket"), InputError);
  write("\n# nothing\n");
  EXPECT_THROW(read("cpu-2socket"), InputError);
}

TEST_F(NetworkFile, FlatTakesAnyNumber) {
  write("- topology: a\n  flat: true\n");
  EXPECT_EQ(read("cpu-2socketx3").nodes(), 3);
  EXPECT_EQ(read("cpu-2socket", "", {"x", "y"}).host(1), "y");
  EXPECT_NE(refusal("cpu-2socket"), "");
}

TEST_F(NetworkFile, IsRefusedWithWhatWasExpected) {
  const auto says = [](const std::string& said, const std::string& part) {
    return said.find(part) != std::string::npos;
  };
  EXPECT_TRUE(says(refusal("cpu-2socketx11"), "lists 10"));
  EXPECT_TRUE(says(refusal("cpu-2socketx3", "", {"n0", "n1"}), "2 hosts were given"));
  EXPECT_TRUE(says(refusal("cpu-2socketx2", "", {"x", "y"}), "none of the hosts"));
  EXPECT_TRUE(says(refusal("cpu-2socket", ",up=2"), "one of the keys gbps, slots"));
  EXPECT_TRUE(says(refusal("dgx-a100", ",slots=2"), "those of its machine, 8"));
  write("SwitchName=s0 Nodes=n0\nSwitchName=s0 Nodes=n1\n");
  try {
    read("cpu-2socket");
    FAIL() << "a broken file was taken";
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().source, path_);
    EXPECT_EQ(error.where().line, 2U);
  }
}

}  // namespace
}  // namespace rankmap::test
