// What the ranks of a probe wrote, read back as the nodes of the job.
#include "libmap/machine/job/job_nodes.hpp"

#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/machine/json/machine_json.hpp"
#include "probe_folder.hpp"

namespace rankmap {
namespace {

using testing::preset_json;
using testing::ProbeFolder;
using Ranks = std::vector<Rank>;

// What is said of the folder; "" where it is taken.
template <typename Kind>
std::string complaint(const ProbeFolder& folder) {
  try {
    read_job_nodes(folder.path());
  } catch (const Kind& error) {
    return error.what();
  }
  return "";
}

TEST(JobNodes, StandInTheOrderOfTheirFirstRank) {
  const ProbeFolder folder;
  folder.add_rank(0, 0, 4, "b");
  folder.add_rank(1, 0, 4, "a");
  folder.add_rank(2, 1, 4, "b");
  folder.add_rank(3, 1, 4, "a");
  folder.add_node("a", preset_json("polaris"));
  folder.add_node("b", preset_json("dgx1-v100"));
  const std::vector<JobNode> nodes = read_job_nodes(folder.path());
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].host, "b");
  EXPECT_EQ(nodes[0].ranks, (Ranks{0, 2}));
  EXPECT_EQ(nodes[0].model.gpus.size(), 8U);
  EXPECT_EQ(nodes[1].host, "a");
  EXPECT_EQ(nodes[1].ranks, (Ranks{1, 3}));
  EXPECT_EQ(nodes[1].model.gpus.size(), 4U);
}

TEST(JobNodes, OrderTheirRanksByLocalRank) {
  const ProbeFolder folder;
  folder.add_rank(0, 2, 3, "n");
  folder.add_rank(1, 0, 3, "n");
  folder.add_rank(2, 1, 3, "n");
  folder.add_node("n", preset_json("polaris"));
  EXPECT_EQ(read_job_nodes(folder.path()).front().ranks, (Ranks{1, 2, 0}));
}

// hydra counts local ranks anew where it finds a host a second time in its list; others know none.
TEST(JobNodes, KeepRanksOfOneLocalRankInTheirOrder) {
  const ProbeFolder folder;
  for (const Rank rank : {0, 1, 2, 3}) folder.add_rank(rank, rank / 2, 4, "n");
  folder.add_node("n", preset_json("polaris"));
  EXPECT_EQ(read_job_nodes(folder.path()).front().ranks, (Ranks{0, 1, 2, 3}));
  for (const Rank rank : {0, 1, 2, 3}) folder.add_rank(rank, none, 4, "n");
  EXPECT_EQ(read_job_nodes(folder.path()).front().ranks, (Ranks{0, 1, 2, 3}));
}

TEST(JobNodes, HaveFilesWithoutTheOddLettersOfTheirHosts) {
  const ProbeFolder folder;
  folder.add_rank(0, 0, 1, "a/../b:c");
  folder.add_node("a_.._b_c", preset_json("polaris"));
  EXPECT_EQ(read_job_nodes(folder.path()).front().host, "a/../b:c");
}

TEST(JobNodes, AreMissingWithTheirRanks) {
  const ProbeFolder folder;
  EXPECT_EQ(complaint<NotAvailable>(folder),
            "no rank of the job told where it is; is the current folder seen from its nodes?");
  folder.add_rank(0, 0, 3, "n");
  folder.add_rank(2, 1, 3, "n");
  folder.add_node("n", preset_json("polaris"));
  EXPECT_EQ(complaint<NotAvailable>(folder),
            "only 2 of 3 ranks told where they are; is the current folder seen from all nodes?");
  // Without a size the greatest rank says how many there are.
  folder.add_rank(0, 0, none, "n");
  folder.add_rank(2, 1, none, "n");
  EXPECT_NE(complaint<NotAvailable>(folder).find("only 2 of 3"), std::string::npos);
  EXPECT_THROW(read_job_nodes("/nowhere/probe"), SystemError);
}

TEST(JobNodes, SayWhyAHostCouldNotBeExamined) {
  const ProbeFolder folder;
  folder.add_rank(0, 0, 1, "n.site");
  EXPECT_EQ(complaint<NotAvailable>(folder), "host n.site could not be examined");
  folder.write("node.n.site.err", "rankmap: warning: no NVML\nrankmap: no permission \nmore\n");
  EXPECT_EQ(complaint<NotAvailable>(folder),
            "host n.site could not be examined: rankmap: no permission");
  folder.write("node.n.site.err", "rankmap: warning: no NVML\n");
  EXPECT_EQ(complaint<NotAvailable>(folder),
            "host n.site could not be examined: rankmap: warning: no NVML");
}

TEST(JobNodes, OfDamagedProbesAreRefused) {
  const std::string good = "rankmap-probe 1\nrank 0\nlocal_rank 0\nsize 1\nhost n\n";
  const char* const damaged[] = {"",
                                 "hello\n",
                                 "rankmap-probe 2\nrank 0\nsize 1\nhost n\n",
                                 "rankmap-probe 1\n",
                                 "rankmap-probe 1\nrank 0\nsize 1\nhost \n",
                                 "rankmap-probe 1\nrank 0\nsize 1\n",
                                 "rankmap-probe 1\nrank -1\nsize 1\nhost n\n",
                                 "rankmap-probe 1\nrank x\nsize 1\nhost n\n",
                                 "rankmap-probe 1\nsize 1\nhost n\n",
                                 "rankmap-probe 1\nrank 0\nsize 1\nhost a b\n",
                                 "rankmap-probe 1\nrank 0\nsize 1\nhost a\tb\n"};
  const ProbeFolder folder;
  folder.add_node("n", preset_json("polaris"));
  for (const char* text : damaged) {
    folder.write("probe.0", text);
    const std::string said = complaint<InputError>(folder);
    EXPECT_TRUE(said.starts_with(folder.path() + "/probe.0:1:1: ")) << text << ": " << said;
    EXPECT_NE(said.find("expected"), std::string::npos) << said;
  }
  folder.write("probe.0", good);
  EXPECT_EQ(read_job_nodes(folder.path()).size(), 1U);
}

TEST(JobNodes, RefuseTwoProbesOfOneRank) {
  const ProbeFolder folder;
  folder.add_node("n", preset_json("polaris"));
  folder.add_rank(0, 0, 2, "n");
  folder.write("probe.1", "rankmap-probe 1\nrank 0\nlocal_rank 0\nsize 2\nhost n\n");
  EXPECT_NE(complaint<InputError>(folder).find("rank 0 stands in the file of rank 1"),
            std::string::npos);
}

TEST(JobNodes, OfDamagedMachinesAreRefused) {
  const ProbeFolder folder;
  folder.add_rank(0, 0, 1, "n");
  folder.add_node("n", preset_json("polaris").substr(0, 200));
  EXPECT_NE(complaint<InputError>(folder).find("/node.n.json:"), std::string::npos);
}

TEST(JobNodes, LeaveOtherFilesAlone) {
  const ProbeFolder folder;
  folder.add_rank(0, 0, 1, "n");
  folder.add_node("n", preset_json("polaris"));
  folder.write("probe.0.part", "half");
  folder.write("launcher.out", "hello");
  EXPECT_EQ(read_job_nodes(folder.path()).size(), 1U);
}

JobNode node(const std::string& host, const std::string& preset) {
  return {host, read_node_model(preset_json(preset), preset), {}};
}

TEST(MachineOfJob, HasNodesOfOneModelAndNames) {
  std::vector<JobNode> nodes = {node("n1", "polaris"), node("n0", "polaris")};
  for (std::size_t i = 0; i < 2; ++i)
    for (Gpu& gpu : nodes[i].model.gpus) gpu.uuid = "GPU-of-" + nodes[i].host;
  nodes[1].model.name = "another name";
  nodes[1].model.warnings = {"a complaint of this host"};
  const Machine machine = machine_of_job(nodes);
  EXPECT_EQ(machine.name(), "job");
  EXPECT_EQ(machine.nodes(), 2);
  EXPECT_EQ(machine.slots(), 8);
  EXPECT_EQ(machine.host(0), "n1");
  EXPECT_EQ(machine.host(1), "n0");
  EXPECT_EQ(machine.model().gpus[0].uuid, "");  // of one host, and true of no other
}

TEST(MachineOfJob, OfOneHostIsAsItWasFound) {
  JobNode only = node("*", "polaris");
  only.model.gpus[0].uuid = "GPU-1";
  const Machine machine = machine_of_job({only});
  EXPECT_FALSE(machine.hosts_named());
  EXPECT_EQ(machine.model().gpus[0].uuid, "GPU-1");
}

TEST(MachineOfJob, NeedsNodesThatAreAlike) {
  const auto complaint = [](const std::vector<JobNode>& nodes) -> std::string {
    try {
      machine_of_job(nodes);
    } catch (const Infeasible& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint({node("a", "polaris"), node("b", "polaris"), node("c", "perlmutter")}),
            "the nodes a and c of this job are not alike, and one machine has nodes of one model; "
            "`rankmap run` without a map places each rank on its own node");
  JobNode other = node("b", "polaris");
  other.model.gpus[3].bus_id = "0000:ff:00.0";
  EXPECT_NE(complaint({node("a", "polaris"), other}), "");
  // An instance of a GPU is named by its uuid alone.
  other = node("b", "polaris");
  other.model.gpus[3].uuid = "MIG-3";
  EXPECT_NE(complaint({node("a", "polaris"), other}), "");
  EXPECT_THROW(machine_of_job({}), NotAvailable);
}

// Nothing that a node's ranks are placed by is lost on the way through the probe's file.
TEST(MachineOfJob, ReadsWhatEveryPresetWrites) {
  for (const char* preset : {"polaris", "perlmutter", "lumi-g", "frontier", "juwels-booster",
                             "aurora", "summit", "dgx2", "cpu-2socket", "torus2d-16"}) {
    const JobNode found = node("*", preset);
    Machine machine = machine_of_job({found});
    machine.set_name(found.model.name);
    EXPECT_EQ(machine_json(machine), preset_json(preset)) << preset;
  }
}

}  // namespace
}  // namespace rankmap
