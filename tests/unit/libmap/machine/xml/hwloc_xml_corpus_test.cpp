// Every hwloc XML file of the private corpus loads or is refused as its expected.json says.
#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/xml/hwloc_topology.hpp"
#include "libmap/machine/xml/hwloc_xml.hpp"
#include "tests/unit/libmap/machine/xml/corpus.hpp"

namespace rankmap {
namespace {

using nlohmann::json;
using testing::CorpusCase;

int or_zero(const json& count) {
  return count.is_null() ? 0 : count.get<int>();
}

void expect_counts(const json& expected, const HwlocCounts& found) {
  EXPECT_EQ(found.package, or_zero(expected.at("package")));
  EXPECT_EQ(found.numanode, or_zero(expected.at("numanode")));
  EXPECT_EQ(found.core, or_zero(expected.at("core")));
  EXPECT_EQ(found.pu, or_zero(expected.at("pu")));
}

void expect_numa_nodes(const json& expected, const NodeModel& model) {
  ASSERT_EQ(model.numa_nodes.size(), expected.size());
  for (const json& node : expected) {
    const int id = static_cast<int>(parse_integer(node.at(0).get<std::string>()).value());
    const auto found = std::find_if(model.numa_nodes.begin(), model.numa_nodes.end(),
                                    [&](const NumaNode& row) { return row.id == id; });
    ASSERT_NE(found, model.numa_nodes.end()) << "NUMA node " << id;
    if (!node.at(1).is_null()) {
      EXPECT_EQ(std::to_string(found->memory_bytes), node.at(1).get<std::string>());
    }
    EXPECT_EQ(found->subtype, node.at(2).is_null() ? "" : node.at(2).get<std::string>());
  }
}

// CUDA, NVML and RSMI devices count GPUs; without them the PCI classes 3D and AMD's two do.
std::size_t expected_gpus(const json& expected) {
  int most = 0;
  for (const char* backend : {"CUDA", "NVML", "RSMI"})
    most = std::max(most, expected.at("osdev").value(backend, 0));
  if (most > 0) return static_cast<std::size_t>(most);
  const json& classes = expected.at("gpu_pci_classes");
  const int by_class = classes.value("pci_class_0302", 0) + classes.value("pci_class_0380", 0) +
                       classes.value("pci_class_1200", 0);
  return static_cast<std::size_t>(std::max(by_class, expected.at("osdev").value("OpenCL", 0)));
}

void expect_loaded(const CorpusCase& file, const std::string& text) {
  const HwlocTopology topology = hwloc_from_xml(text, file.path);
  expect_counts(file.expected.at("counts_with_disallowed"), count_all(topology.get()));
  expect_counts(file.expected.at("counts"), count_allowed(topology.get()));
  const NodeModel model = hwloc_xml_reader.read(text, file.path, {});
  expect_numa_nodes(file.expected.at("numa"), model);
  EXPECT_EQ(model.gpus.size(), expected_gpus(file.expected));
  const int cores = or_zero(file.expected.at("counts_with_disallowed").at("core"));
  const int pus = file.expected.at("counts_with_disallowed").at("pu").get<int>();
  EXPECT_EQ(model.cores.size(), static_cast<std::size_t>(cores > 0 ? cores : pus));
}

void expect_refused(const CorpusCase& file, const std::string& text) {
  try {
    hwloc_xml_reader.read(text, file.path, {});
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    const std::string message = error.what();
    if (text.find("<topology version=\"3.0\"") != std::string::npos) {
      EXPECT_NE(message.find("--export-xml-flags v2"), std::string::npos) << message;
    }
  }
}

TEST(HwlocXmlCorpus, EveryFileLoadsOrIsRefusedAsExpected) {
  const std::string folder = testing::corpus_folder("hwloc_xml");
  if (folder.empty()) GTEST_SKIP() << "the private corpus is not here (RANKMAP_CORPUS)";
  if (HWLOC_API_VERSION >> 16 != 2) GTEST_SKIP() << "the expectations are for hwloc 2";
  const std::vector<CorpusCase> cases = testing::corpus_cases(folder, ".xml");
  ASSERT_FALSE(cases.empty());
  for (const CorpusCase& file : cases) {
    SCOPED_TRACE(file.path);
    const std::string text = file.text();
    EXPECT_TRUE(hwloc_xml_reader.recognises(text));
    if (file.expected.at("expect_with_hwloc_2.9") == "load") {
      expect_loaded(file, text);
    } else {
      expect_refused(file, text);
    }
  }
}

}  // namespace
}  // namespace rankmap
