// Networks through the program: what machine, show, map and score say of them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/run_program.hpp"

namespace rankmap::test {
namespace {

using nlohmann::json;

TEST(Networks, AreShownAsMachines) {
  for (const char* spec : {"torus:4x4x4", "mesh:8x8", "tree:4:8:6", "fattree:8:8:4,up=8:4",
                           "dragonfly:groups=9,routers=16x6,nodes=4,global=4", "nvlink:18,slots=4",
                           "@mira,part=0-511", "frontier@frontier,part=0-7"}) {
    const Outcome outcome = run_program({"show", spec});
    EXPECT_EQ(outcome.code, 0) << spec << outcome.err;
    EXPECT_EQ(run_program({"machine", spec}).code, 0) << spec;
  }
}

TEST(Networks, TellTheirLinks) {
  const std::string text = run_program({"machine", "torus:4x3,gbps=2:1,slots=2"}).out;
  EXPECT_NE(text.find("12 nodes of 2 slots"), text.npos) << text;
  EXPECT_NE(text.find("12 nodes in blocks of 2 x 3 x 2"), text.npos) << text;
  EXPECT_NE(run_program({"machine", "polaris@flat:4"}).out.find("the ports of the nodes limit"),
            std::string::npos);
}

TEST(Networks, OfBadTextsAreUsageErrors) {
  const Outcome outcome = run_program({"machine", "torus:8x8,tie=both"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(
      outcome.err.find("found \"tie=both\" in the network \"torus:8x8,tie=both\", expected one "
                       "of split, plus, minus"),
      std::string::npos)
      << outcome.err;
}

TEST(Networks, AllKeysAreInTheHelp) {
  const std::string help = run_program({"machine", "--help"}).out;
  for (const char* key : {"gbps=", "slots=", "part=", "box=", "mesh=", "routing=", "order=", "tie=",
                          "rails=", "domain=", "up=", "distance=", "global=", "links=", "local="})
    EXPECT_NE(help.find(key), help.npos) << key;
}

// Switches as Slurm's topology.conf tells them.
class SwitchesFile : public testing::Test {
 protected:
  void write(const char* text) { std::ofstream(path_) << text; }
  void TearDown() override { std::filesystem::remove(path_); }
  std::string path_ = testing::TempDir() + "rankmap_switches." + std::to_string(::getpid());
};

// A ring over hosts in an order that changes switches at every step is put on one after the other.
TEST_F(SwitchesFile, KeepNeighboursTogether) {
  write("SwitchName=s0 Nodes=a[0-2]\nSwitchName=s1 Nodes=b[0-1]\nSwitchName=t Switches=s[0-1]\n");
  const Outcome outcome = run_program({"map", "ring:5", "-m", "@" + path_, "--hosts",
                                       "a0,b0,a1,b1,a2", "--objective", "hopbytes", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json found = json::parse(outcome.out);
  EXPECT_NE(found["warnings"].dump().find("no LinkSpeed"), std::string::npos);
  // Two ports a message, and two links more where it changes switches, twice; in the given order four
  // times.
  EXPECT_EQ(found["value"], 5 * 2 + 2 * 2);
  EXPECT_EQ(found["default_value"], 5 * 2 + 4 * 2);
}

TEST_F(SwitchesFile, AreRefusedWithTheirPlace) {
  write("SwitchName=s0 Nodes=a[0-2]\nSwitchName=s1 Nodes=b[1-0]\n");
  const Outcome outcome = run_program({"machine", "@" + path_});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find(path_ + ":2:21: "), std::string::npos) << outcome.err;
}

TEST_F(SwitchesFile, AreToldFromMachines) {
  write("SwitchName=s0 Nodes=a[0-2]\n");
  const Outcome outcome = run_program({"machine", path_});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("write @" + path_), std::string::npos) << outcome.err;
}

json mapped(const std::string& app, const std::string& machine, const std::string& objective) {
  const Outcome outcome = run_program(
      {"map", app, "-m", machine, "--objective", objective, "--strategy", "linear", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return json::parse(outcome.out);
}

TEST(Networks, MapsAreScoredOnTheirLinks) {
  // Every rank of a periodic 4x4x4 stencil beside its neighbours: each of the 6 x 64 links carries one
  // message.
  const std::string app = "stencil:4x4x4,periodic,bytes=1000";
  const std::string torus = "torus:4x4x4,gbps=1";
  EXPECT_DOUBLE_EQ(mapped(app, torus, "hopbytes")["value"].get<double>(), 384 * 1000);
  EXPECT_DOUBLE_EQ(mapped(app, torus, "congestion")["value"].get<double>(), 1000 / 1e9);
  EXPECT_DOUBLE_EQ(mapped(app, torus, "offnode")["value"].get<double>(), 384 * 1000);
  // Four ranks in a row share a node: 2 x 16 x 4 neighbours in the other dimensions leave it.
  EXPECT_DOUBLE_EQ(mapped(app, "torus:4x4,slots=4", "offnode")["value"].get<double>(), 256 * 1000);
  // Rows of 32 over runs of 8: along a row 28 x 1 + 3 x 2 + 4 links, across 4 or 5; both directions.
  EXPECT_DOUBLE_EQ(
      mapped("stencil:16x32,periodic", "torus:8x8x8", "hopbytes")["value"].get<double>(),
      2 * (16 * 38 + 512 * 4.5));
}

// Four messages go between the nodes in any order of them; along the ring each goes one hop.
TEST(Networks, ListsOfObjectivesTellEveryValue) {
  const std::vector<std::string> line = {"map",         "ring:8",          "-m", "torus:4,slots=2",
                                         "--objective", "offnode,hopbytes"};
  std::vector<std::string> as_json = line;
  as_json.emplace_back("--json");
  const json result = json::parse(run_program(as_json).out);
  EXPECT_EQ(result["objective"], "offnode,hopbytes");
  EXPECT_EQ(result["value"], 4);
  EXPECT_EQ(result["bound"], 4);
  EXPECT_EQ(result["optimal"], true);
  ASSERT_EQ(result["further"].size(), 1U);
  EXPECT_EQ(result["further"][0]["objective"], "hopbytes");
  EXPECT_EQ(result["further"][0]["unit"], "bytes");
  EXPECT_EQ(result["further"][0]["value"], 4);
  const std::string text = run_program(line).out;
  EXPECT_NE(text.find("objective  offnode: 4 bytes, proven optimal"), text.npos) << text;
  EXPECT_NE(text.find("then       hopbytes: 4 bytes"), text.npos) << text;
}

TEST(Networks, BoundsOfGridsAreTold) {
  const json result = mapped("stencil:6x8x5", "flat:10,slots=24", "offnode");
  EXPECT_EQ(result["bound"], 284);
  EXPECT_DOUBLE_EQ(result["gap"].get<double>(), 212.0 / 284);  // the launcher's order has 496
  EXPECT_EQ(result["optimal"], false);
}

TEST(Networks, AMapScoresAsItWasMapped) {
  const std::string file =
      (std::filesystem::temp_directory_path() / "rankmap-net.rankmap").string();
  const std::string app = "alltoall:16", machine = "fattree:4:4,up=2";
  ASSERT_EQ(run_program({"map", app, "-m", machine, "--strategy", "linear", "-o", file}).code, 0);
  const Outcome outcome = run_program({"score", app, "-m", machine, "--map", file, "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  // A leaf sends 4 x 12 messages up over two links: 24 a link of 12.5 GB/s.
  EXPECT_NE(outcome.out.find("\"congestion_seconds\":1.92e-09"), std::string::npos) << outcome.out;
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace rankmap::test
