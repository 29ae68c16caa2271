#include "libmap/machine/json/machine_json.hpp"

#include <gtest/gtest.h>

#include "libmap/base/error.hpp"

namespace rankmap {
namespace {

NodeModel read(const std::string& text) {
  return read_machine_json(text, "box.json", {});
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const Connection& link_between(const NodeModel& model, VertexId a, VertexId b) {
  for (const Connection& link : model.connections)
    if ((link.a == a && link.b == b) || (link.a == b && link.b == a)) return link;
  throw Bug("no such link");
}

constexpr const char* triangle = R"({
 "name": "triangle", "gpus": 3, "index_base": 1, "default_pcie_gbps": 10,
 "links": [
  {"a": 1, "b": 2, "type": "nvlink2", "count": 2, "gbps": 50, "artifact_type": "Double"},
  {"a": 2, "b": 3, "type": "nvlink2", "count": 1, "gbps": 25}
 ],
 "notes": ["a note"], "source": "own", "_anything": {"x": [1]}
})";

TEST(MachineJson, TheMinimalFormIsGpusAndLinksOverOnePcieHub) {
  const NodeModel model = read(triangle);
  EXPECT_EQ(model.name, "triangle");
  EXPECT_EQ(model.source_format, "rankmap-json");
  ASSERT_EQ(model.gpus.size(), 3U);
  ASSERT_EQ(model.hubs.size(), 1U);
  EXPECT_EQ(model.connections.size(), 2U + 3U);
  EXPECT_TRUE(model.warnings.empty()) << model.warnings.front();
  const Machine machine(model, 1);
  EXPECT_EQ(machine.pair_bandwidth(0, 1), from_gbps(50));  // GPUs 1 and 2 of the file
  EXPECT_EQ(machine.pair_bandwidth(0, 2), from_gbps(10));  // no link: over PCIe
  EXPECT_EQ(machine.dedicated_lanes(0, 1), 2);
}

TEST(MachineJson, TheTypeOfANvlinkImpliesItsSpeeds) {
  const NodeModel model = read(
      R"({"gpus": 3, "links": [{"a": 0, "b": 1, "type": "nvlink2", "count": 2},
                              {"a": 0, "b": 2, "type": "nvlink4", "count": 6}]})");
  EXPECT_EQ(link_between(model, 0, 1).kind, LinkKind::nvlink);
  EXPECT_EQ(link_between(model, 0, 1).bytes_per_second, from_gbps(50));
  EXPECT_EQ(link_between(model, 0, 1).nccl_bytes_per_second, from_gbps(20));
  EXPECT_EQ(link_between(model, 0, 2).bytes_per_second, from_gbps(150));
  EXPECT_EQ(link_between(model, 0, 2).nccl_bytes_per_second, from_gbps(20.6));
}

TEST(MachineJson, ALaneNeverAchievesMoreThanItsNominalBandwidth) {
  // The graph of the MAPA program has double links of 25 GB/s in all: 12.5 a lane, not NCCL's 20.
  const NodeModel model = read(
      R"({"gpus": 2, "links": [{"a": 0, "b": 1, "type": "nvlink2", "count": 2, "gbps": 25}]})");
  EXPECT_EQ(model.connections[0].nccl_bytes_per_second, from_gbps(12.5));
}

TEST(MachineJson, BandwidthMayBeGivenByLane) {
  const NodeModel model = read(
      R"({"gpus": 2, "links": [{"a": 0, "b": 1, "kind": "xgmi", "count": 4, "gbps_per_lane": 50,
                               "nccl_gbps": 36}]})");
  EXPECT_EQ(model.connections[0].bytes_per_second, from_gbps(200));
  EXPECT_EQ(model.connections[0].nccl_bytes_per_second, from_gbps(36));
}

TEST(MachineJson, HubsAndNicsAreEndsByName) {
  const NodeModel model = read(R"({
    "gpus": [{"index": 0, "numa": 0, "nic": "mlx5_0"}, {"index": 1, "numa": 0}],
    "numa_nodes": [{"id": 0, "cpus": "0-3"}],
    "nics": [{"name": "mlx5_0", "numa": 0, "gbps": 12.5, "bus_id": "05:00.0"}],
    "hubs": [{"name": "sw", "kind": "pcie_switch"}],
    "links": [{"a": 0, "b": "sw", "kind": "pcie", "gbps": 12},
              {"a": 1, "b": "sw", "kind": "pcie", "gbps": 12},
              {"a": "mlx5_0", "b": "sw", "kind": "pcie", "gbps": 12}]})");
  ASSERT_EQ(model.hubs.size(), 2U);
  EXPECT_EQ(model.hubs[1].name, "nic:mlx5_0");
  EXPECT_EQ(model.hubs[1].kind, HubKind::nic);
  EXPECT_EQ(model.gpus[0].nic, 0);
  EXPECT_EQ(model.gpus[1].nic, none);
  EXPECT_EQ(model.nics[0].bus_id, "0000:05:00.0");
  EXPECT_EQ(model.gpus[0].cpus, CpuSet({0, 1, 2, 3}));  // those of its NUMA node
  EXPECT_EQ(Machine(model, 1).slot(1).nic, "mlx5_0");   // the nearest one
}

TEST(MachineJson, CoresFollowFromTheNumberOfThreads) {
  const NodeModel model = read(R"({
    "gpus": 0, "core_gbps": 12, "threads_per_core": 2, "thread_numbering": "threads-last",
    "numa_nodes": [{"id": 0, "cpus": "0-1,4-5", "package": 0}, {"id": 1, "cpus": "2-3,6-7", "package": 1}],
    "hubs": [{"name": "numa0", "kind": "numa"}, {"name": "numa1", "kind": "numa"}],
    "links": [{"a": "numa0", "b": "numa1", "kind": "cpu", "gbps": 20}]})");
  ASSERT_EQ(model.cores.size(), 4U);
  EXPECT_EQ(model.cores[2].package, 1);
  const Machine machine(model, 1);
  EXPECT_EQ(machine.slots(), 4);
  EXPECT_EQ(machine.hops(0, 1), 2);  // up to numa0 and down
  EXPECT_EQ(machine.hops(1, 2), 3);
  EXPECT_EQ(machine.slot(3).cpus.to_string(), "3,7");
}

TEST(MachineJson, CoresMayBeListed) {
  const NodeModel model = read(R"({"gpus": 1, "default_pcie_gbps": 12,
    "cores": [{"cpus": "0,2"}, {"cpus": "1,3", "numa": 0, "package": 0}]})");
  EXPECT_EQ(model.threads_per_core, 2);
  EXPECT_EQ(model.cores[1].numa, 0);
}

TEST(MachineJson, LogicalNumbersOfCoresMayHaveGapsButRise) {
  // A source that knows only some NUMA nodes' CPUs knows only some cores.
  const NodeModel model = read(R"({"gpus": 1, "default_pcie_gbps": 12,
    "cores": [{"logical": 16, "cpus": "16"}, {"cpus": "17"}, {"logical": 40, "cpus": "40"}]})");
  EXPECT_EQ(model.cores[0].logical, 16);
  EXPECT_EQ(model.cores[1].logical, 17);
  EXPECT_EQ(model.cores[2].logical, 40);
  EXPECT_NE(error_of(R"({"cores": [{"logical": 1, "cpus": "0"}, {"logical": 1, "cpus": "1"}]})"),
            "");
}

TEST(MachineJson, ANicMayBeNameless) {
  const NodeModel model = read(R"({"gpus": 1, "nics": [{"gbps": 25}, {"name": null, "numa": 0}]})");
  EXPECT_EQ(model.nics.size(), 2U);
  EXPECT_EQ(model.nics[0].name, "");
}

TEST(MachineJson, TheNameDefaultsToTheFile) {
  EXPECT_EQ(read_machine_json(R"({"gpus": 2})", "/tmp/my-node.json", {}).name, "my-node");
}

TEST(MachineJson, UnknownKeysAreWarnedAboutWithTheirPlace) {
  const NodeModel model = read("{\"gpus\": 2,\n \"default_pcie_gpbs\": 12}");
  ASSERT_EQ(model.warnings.size(), 1U);
  EXPECT_EQ(model.warnings[0], "box.json:2:2: the unknown key \"default_pcie_gpbs\" is not read");
}

struct Refusal {
  const char* text;
  const char* message;  // the beginning
};

TEST(MachineJson, MistakesOfMeaningAreToldWithTheirPlace) {
  const Refusal refusals[] = {
      {"{\"gpus\": 2, \"links\": [\n {\"a\": 0, \"b\": 2, \"type\": \"nvlink2\"}]}",
       "box.json:2:16: \"b\" is 2, expected a whole number from 0 to 1"},
      {R"({"gpus": 2, "index_base": 1, "links": [{"a": 0, "b": 2, "type": "nvlink2"}]})",
       "box.json:1:46: \"a\" is 0, expected a whole number from 1 to 2"},
      {R"({"gpus": 2, "links": [{"a": 1, "b": 1, "type": "nvlink2"}]})",
       "box.json:1:23: a link joins gpu1 with itself"},
      {R"({"gpus": 2, "links": [{"a": 0, "b": 1, "kind": "pcie", "gbps": 12}]})",
       "box.json:1:23: a pcie link joins two slots"},
      {R"({"gpus": 2, "links": [{"a": 0, "b": 1, "kind": "xgmi"}]})",
       "box.json:1:23: a link without \"gbps\""},
      {R"({"gpus": 2, "links": [{"a": 0, "b": 1, "kind": "xgmi", "gbps": 0}]})",
       "box.json:1:64: \"gbps\" is 0, expected a number above 0"},
      {R"({"gpus": 2, "links": [{"a": 0, "b": 1, "kind": "nvlnk", "gbps": 1}]})",
       "box.json:1:48: unknown kind of link \"nvlnk\", expected one of: nvlink, xgmi"},
      {R"({"gpus": 2, "links": [{"a": 0, "b": "sw", "kind": "pcie", "gbps": 1}]})",
       "box.json:1:37: unknown hub or NIC \"sw\""},
      {R"({"gpus": 2, "links": [{"a": 0, "b": 1, "type": "nvlink9"}]})",
       "box.json:1:48: \"type\" is \"nvlink9\", expected nvlink1 to nvlink5"},
      {R"({"gpus": 2, "links": [{"a": 0, "b": 1, "type": "nvlink2"}, {"b": 0, "a": 1, "type": "nvlink2"}]})",
       "box.json:1:60: a second link between"},
      {R"({"gpus": 1025})",
       "box.json:1:10: \"gpus\" is 1025, expected a whole number from 0 to 1024"},
      {R"({"gpus": [{"numa": 3}], "numa_nodes": [{"id": 0}]})",
       "box.json:1:20: the NUMA node 3 does not stand in \"numa_nodes\""},
      {R"({"gpus": [{"cpus": "4-1"}]})",
       "box.json:1:20: \"cpus\" is \"4-1\", expected a list like"},
      {R"({"gpus": [{"bus_id": "six"}]})",
       "box.json:1:22: \"bus_id\" is \"six\", expected one like"},
      {R"({"gpus": [{"nic": "mlx5_0"}]})", "box.json:1:19: the NIC \"mlx5_0\" does not stand"},
      {R"({"gpus": [{"index": 1}]})", "box.json:1:21: \"index\" is 1, expected 0"},
      {R"({"gpus": 1, "nics": [{"name": "mlx5 0"}]})",
       "box.json:1:31: found \"mlx5 0\", expected a word"},
      {R"({"gpus": 1, "schema_version": 2})", "box.json:1:31: \"schema_version\" is 2"},
      {R"({"gpus": 1, "threads_per_core": 2, "numa_nodes": [{"id": 0, "cpus": "0-2"}]})",
       "box.json:1:33: the CPUs of numa_nodes do not make whole cores"},
      {R"({"gpus": 2, "gpu_matrix": [["X"], ["X"]]})",
       "box.json:1:28: \"gpu_matrix\" is not 2 rows"},
      {R"(["gpus"])", "box.json:1:1: a machine is an array, expected an object"},
  };
  for (const Refusal& refusal : refusals)
    EXPECT_EQ(error_of(refusal.text).rfind(refusal.message, 0), 0U)
        << refusal.text << "\ngave: " << error_of(refusal.text);
}

TEST(MachineJson, IsRecognisedByItsKeysAndNotByBracesAlone) {
  EXPECT_TRUE(recognises_machine_json(triangle));
  EXPECT_TRUE(recognises_machine_json("\xEF\xBB\xBF {\"gpus\": 2}"));
  EXPECT_FALSE(recognises_machine_json("{\"card0\": {\"GPU ID\": \"0x740c\"}}"));
  EXPECT_FALSE(recognises_machine_json("GPU0 \"gpus\""));
  EXPECT_FALSE(recognises_machine_json(""));
}

}  // namespace
}  // namespace rankmap
