// rankmap machine, pattern and show through the program.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/run_program.hpp"

namespace rankmap::test {
namespace {

using nlohmann::json;

constexpr const char* two_gpus =
    "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\n"
    "GPU0\t X \tNV2\t0-3\t0\n"
    "GPU1\tNV2\t X \t4-7\t1\n";

TEST(Machine, IsReadFromStandardInput) {
  const Outcome outcome = run_program({"machine", "-", "--json"}, two_gpus);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json machine = json::parse(outcome.out);
  EXPECT_EQ(machine["gpu_matrix"], json::parse(R"([["X","NV2"],["NV2","X"]])"));
  EXPECT_EQ(machine["gpus"][1]["cpu_affinity"], "4-7");
  EXPECT_EQ(machine["gpus"][1]["numa"], 1);
  EXPECT_EQ(machine["partial"], false);
  for (const char* key :
       {"name", "source_format", "links", "nics", "cpus", "numa_nodes", "warnings"})
    EXPECT_TRUE(machine.contains(key)) << key;
}

TEST(Machine, ItsJsonReadsBackAsTheSameMachine) {
  const Outcome first = run_program({"machine", "dgx1-v100", "--json"});
  const Outcome again = run_program({"machine", "-", "--json"}, first.out);
  ASSERT_EQ(again.code, 0) << again.err;
  json a = json::parse(first.out);
  json b = json::parse(again.out);
  for (const char* key : {"gpus", "links", "gpu_matrix", "nics", "cpus", "numa_nodes"})
    EXPECT_EQ(a[key], b[key]) << key;
}

TEST(Machine, ListsEveryShippedMachineAndEachReads) {
  std::istringstream names(run_program({"machine", "--list"}).out);
  int count = 0;
  for (std::string name; std::getline(names, name); ++count)
    EXPECT_EQ(run_program({"show", name}).code, 0) << name;
  EXPECT_GE(count, 20);
}

TEST(Machine, ThisOneHasSlots) {
  const Outcome outcome = run_program({"machine", "local", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_GE(json::parse(outcome.out)["slots"], 1);
}

TEST(Pattern, PrintsItsEdges) {
  const json app = json::parse(run_program({"pattern", "ring:3,bytes=2KiB", "--json"}).out);
  EXPECT_EQ(app["edges"], 3);
  EXPECT_EQ(app["edge_list"][2]["destination"], 0);
  EXPECT_EQ(app["edge_list"][2]["bytes"], 2048);
}

TEST(Pattern, ItsFileFormIsTheSameApp) {
  const std::string file = testing::TempDir() + "rankmap_pattern.comm";
  const Outcome written = run_program({"pattern", "stencil:3x3/alltoall:3x3,vary=x", "--comm"});
  std::ofstream(file) << written.out;
  const json direct = json::parse(
      run_program({"pattern", "stencil:3x3/alltoall:3x3,vary=x", "--all", "--json"}).out);
  const json read = json::parse(run_program({"pattern", "file:" + file, "--all", "--json"}).out);
  EXPECT_EQ(direct["edge_list"], read["edge_list"]);
  std::filesystem::remove(file);
}

TEST(Show, PutsMapsSideBySide) {
  const std::string a = testing::TempDir() + "rankmap_show_a";
  const std::string b = testing::TempDir() + "rankmap_show_b";
  run_program({"map", "ring:4", "-m", "dgx1-v100", "-o", a});
  run_program({"map", "ring:4", "-m", "dgx1-v100", "--fix", "0=7", "-o", b});
  const Outcome one = run_program({"show", a});
  EXPECT_NE(one.out.find("0-4,40-44"), std::string::npos) << one.out;
  const Outcome both = run_program({"show", a, b});
  EXPECT_NE(both.out.find("gpu 7"), std::string::npos) << both.out;
  EXPECT_NE(both.out.find("*"), std::string::npos);  // they differ
  std::filesystem::remove(a);
  std::filesystem::remove(b);
}

}  // namespace
}  // namespace rankmap::test
