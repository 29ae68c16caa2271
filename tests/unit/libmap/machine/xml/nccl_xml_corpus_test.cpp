// Every NCCL and RCCL file of the private corpus reads as its expected.json says.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "libmap/base/text.hpp"
#include "libmap/machine/xml/bus_id.hpp"
#include "libmap/machine/xml/nccl_xml.hpp"
#include "tests/unit/libmap/machine/xml/corpus.hpp"

namespace rankmap {
namespace {

using nlohmann::json;
using testing::CorpusCase;

int number(const json& text) {
  return static_cast<int>(parse_integer(text.get<std::string>()).value());
}

// What links[kind][other] sums to for one GPU in the model; the switch counts as -1.
std::map<int, int> lanes_of(const NodeModel& model, int gpu) {
  std::map<int, int> lanes;
  for (const Connection& row : model.connections) {
    if (row.kind != LinkKind::nvlink && row.kind != LinkKind::xgmi) continue;
    if (row.a != gpu && row.b != gpu) continue;
    const int other = row.a == gpu ? row.b : row.a;
    lanes[other < model.slots() ? other : -1] += row.count;
  }
  return lanes;
}

std::map<int, int> expected_lanes(const json& gpu, const std::map<std::string, int>& index_of) {
  std::map<int, int> lanes;
  for (const json& link : gpu.at("links")) {
    const auto target = index_of.find(normal_bus_id(link.at(1).get<std::string>()));
    lanes[target == index_of.end() ? -1 : target->second] += number(link.at(2));
  }
  return lanes;
}

// A mask that several NUMA nodes have is the process's: the reader must not take it for locality.
bool masks_overlap(const std::map<int, CpuSet>& cpus_of_numa) {
  for (const auto& [a, cpus] : cpus_of_numa)
    for (const auto& [b, others] : cpus_of_numa)
      if (a < b && !cpus.intersection(others).empty()) return true;
  return false;
}

void expect_gpus(const CorpusCase& file, const NodeModel& model) {
  std::map<std::string, int> index_of;
  for (std::size_t i = 0; i < model.gpus.size(); ++i)
    index_of[model.gpus[i].bus_id] = static_cast<int>(i);
  std::map<int, CpuSet> cpus_of_numa;
  for (const json& cpu : file.expected.at("cpus"))
    cpus_of_numa[number(cpu.at("numaid"))] =
        CpuSet::parse_mask(cpu.at("affinity").get<std::string>()).value();
  for (const json& expected : file.expected.at("gpus")) {
    const std::string bus_id = normal_bus_id(expected.at("busid").get<std::string>());
    ASSERT_TRUE(index_of.contains(bus_id)) << bus_id;
    const int index = index_of.at(bus_id);
    const Gpu& gpu = model.gpus[static_cast<std::size_t>(index)];
    EXPECT_EQ(gpu.numa, number(expected.at("numa"))) << bus_id;
    if (masks_overlap(cpus_of_numa)) {
      EXPECT_FALSE(gpu.cpus.has_value()) << bus_id;
    } else {
      EXPECT_EQ(gpu.cpus, cpus_of_numa.at(gpu.numa)) << bus_id;
    }
    EXPECT_EQ(CpuSet::parse_mask(gpu.cpu_affinity), cpus_of_numa.at(gpu.numa)) << bus_id;
    if (!expected.at("dev").is_null()) {
      EXPECT_EQ(index, number(expected.at("dev"))) << bus_id;
    }
    EXPECT_EQ(lanes_of(model, index), expected_lanes(expected, index_of)) << bus_id;
  }
}

void expect_numa_nodes(const CorpusCase& file, const NodeModel& model) {
  std::set<int> expected;
  for (const json& id : file.expected.at("numaids")) expected.insert(number(id));
  std::set<int> found;
  for (const NumaNode& node : model.numa_nodes) found.insert(node.id);
  EXPECT_EQ(found, expected);
}

void expect_nics(const CorpusCase& file, const NodeModel& model) {
  std::map<std::string, const Nic*> by_name;
  std::size_t named = 0;
  for (const Nic& nic : model.nics) {
    by_name[nic.name] = &nic;
    named += nic.name.empty() ? 0 : 1;
  }
  EXPECT_EQ(named, file.expected.at("net_count").get<std::size_t>());
  for (const json& net : file.expected.at("nets")) {
    const auto found = by_name.find(net.at("name").get<std::string>());
    ASSERT_NE(found, by_name.end()) << net.at("name");
    EXPECT_EQ(found->second->numa, number(net.at("numa")));
    EXPECT_EQ(found->second->bytes_per_second,
              static_cast<BytesPerSecond>(number(net.at("speed"))) * 125'000U);
    const json& pci = net.at("under_pci");
    EXPECT_EQ(found->second->bus_id, pci.is_null() ? "" : normal_bus_id(pci.get<std::string>()));
  }
}

void expect_as_told(const CorpusCase& file) {
  SCOPED_TRACE(file.path);
  const std::string text = file.text();
  ASSERT_TRUE(nccl_xml_reader.recognises(text));
  const NodeModel model = nccl_xml_reader.read(text, file.path, {});
  ASSERT_EQ(model.gpus.size(), file.expected.at("gpu_count").get<std::size_t>());
  expect_numa_nodes(file, model);
  expect_gpus(file, model);
  expect_nics(file, model);
  const bool has_switch = std::any_of(model.hubs.begin(), model.hubs.end(), [](const Hub& hub) {
    return hub.kind == HubKind::link_switch;
  });
  EXPECT_EQ(has_switch, file.expected.at("nvswitch").get<bool>());
}

TEST(NcclXmlCorpus, EveryFileReadsAsExpected) {
  const std::string folder = testing::corpus_folder("nccl_xml");
  if (folder.empty()) GTEST_SKIP() << "the private corpus is not here (RANKMAP_CORPUS)";
  const std::vector<CorpusCase> cases = testing::corpus_cases(folder, ".xml");
  ASSERT_FALSE(cases.empty());
  for (const CorpusCase& file : cases) expect_as_told(file);
}

}  // namespace
}  // namespace rankmap
