// Every text file of the private corpus reads as its expected.json says.
#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/machine/machine.hpp"
#include "libmap/machine/read/lstopo_text.hpp"
#include "libmap/machine/read/nvidia_topo.hpp"
#include "libmap/machine/read/nvlink_status.hpp"
#include "libmap/machine/read/rocm_smi.hpp"
#include "libmap/machine/read/xpu_smi.hpp"
#include "tests/unit/libmap/machine/xml/corpus.hpp"

namespace rankmap {
namespace {

using nlohmann::json;
using testing::CorpusCase;

struct Recogniser {
  const char* format;
  bool (*recognises)(std::string_view);
};
const Recogniser recognisers[] = {{"nvidia-smi-topo", recognises_nvidia_topo},
                                  {"rocm-smi", recognises_rocm_smi},
                                  {"xpu-smi", recognises_xpu_smi},
                                  {"nvlink", recognises_nvlink_status},
                                  {"lstopo", recognises_lstopo_text}};

// The first that takes a text, in the order in which the program asks.
std::string format_of(const std::string& text) {
  for (const Recogniser& row : recognisers)
    if (row.recognises(text)) return row.format;
  return "";
}

std::vector<CorpusCase> cases_of(const std::string& kind) {
  const std::string folder = testing::corpus_folder(kind);
  return folder.empty() ? std::vector<CorpusCase>() : testing::corpus_cases(folder, ".txt");
}

std::string string_or_empty(const json& value) {
  return value.is_null() ? std::string() : value.get<std::string>();
}

void expect_strings(const NodeModel& model, const json& expected, std::string Gpu::*field) {
  for (std::size_t i = 0; i < model.gpus.size(); ++i)
    EXPECT_EQ(model.gpus[i].*field, expected.is_null() ? "" : string_or_empty(expected.at(i)));
}

void expect_topo(const CorpusCase& file) {
  const NodeModel model = read_nvidia_topo(file.text(), file.path, {});
  const json& expected = file.expected;
  EXPECT_EQ(model.partial, expected.at("expect") == "parse_partial");
  EXPECT_EQ(model.gpus.size(), expected.at("gpu_count").get<std::size_t>());
  EXPECT_EQ(json(model.gpu_matrix), expected.at("gpu_matrix"));
  if (!model.nics.empty()) {
    EXPECT_EQ(json(model.gpu_nic_matrix), expected.at("gpu_nic"));
  }
  expect_strings(model, expected.at("cpu_affinity"), &Gpu::cpu_affinity);
  expect_strings(model, expected.at("numa_affinity"), &Gpu::numa_affinity);
  expect_strings(model, expected.at("gpu_numa_id"), &Gpu::gpu_numa_id);
  for (std::size_t i = 0; i < model.gpus.size() && !expected.at("cpu_list").is_null(); ++i)
    EXPECT_EQ(json(CpuSet::parse_list(model.gpus[i].cpu_affinity).value().numbers()),
              expected.at("cpu_list").at(i));
  std::vector<std::string> names;
  for (const json& nic : expected.at("nics"))
    names.push_back(expected.at("nic_legend").value(nic.get<std::string>(), nic));
  ASSERT_EQ(model.nics.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(model.nics[i].name, names[i]);
  EXPECT_EQ(Machine(model, 1).slots(), static_cast<SlotId>(model.gpus.size()));
}

TEST(TextCorpus, EveryNvidiaTopologyReadsAsExpectedOrIsRefused) {
  const std::vector<CorpusCase> cases = cases_of("smi_topo");
  if (cases.empty()) GTEST_SKIP() << "the corpus is not here: set RANKMAP_CORPUS";
  for (const CorpusCase& file : cases) {
    SCOPED_TRACE(file.path);
    EXPECT_EQ(format_of(file.text()), "nvidia-smi-topo");
    if (file.expected.at("expect") == "refuse") {
      EXPECT_THROW(read_nvidia_topo(file.text(), file.path, {}), InputError);
    } else {
      EXPECT_NO_THROW(expect_topo(file));
    }
  }
}

// The first error that the independent reader noted: "row GPU5: 18 cells of 20 good; first odd
// [('NIC7', 'PIXNODE')]"; ours must name the same row and column.
TEST(TextCorpus, DamagedTopologiesAreRefusedByRowAndDeviceName) {
  const std::vector<CorpusCase> cases = cases_of("smi_topo");
  if (cases.empty()) GTEST_SKIP() << "the corpus is not here: set RANKMAP_CORPUS";
  for (const CorpusCase& file : cases) {
    if (file.expected.at("errors").empty()) continue;
    SCOPED_TRACE(file.path);
    const std::string noted = file.expected.at("errors").at(0);
    const std::string row = noted.substr(0, noted.find(':'));
    const std::size_t column = noted.find("('") + 2;
    try {
      read_nvidia_topo(file.text(), file.path, {});
      ADD_FAILURE() << "was not refused";
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find(row), std::string::npos) << message;
      EXPECT_NE(message.find(noted.substr(column, noted.find("'", column) - column)),
                std::string::npos)
          << message;
    }
  }
}

TEST(TextCorpus, EveryNvlinkStatusReadsAsExpectedOrIsRefused) {
  const std::vector<CorpusCase> cases = cases_of("nvlink_s");
  if (cases.empty()) GTEST_SKIP() << "the corpus is not here: set RANKMAP_CORPUS";
  for (const CorpusCase& file : cases) {
    SCOPED_TRACE(file.path);
    EXPECT_THROW(read_nvlink_status(file.text(), file.path, {}), InputError);
    if (file.expected.at("expect") == "refuse") {
      EXPECT_THROW(parse_nvlink_status(file.text(), file.path), InputError);
      continue;
    }
    EXPECT_EQ(format_of(file.text()), "nvlink");
    const std::vector<NvlinkStatus> rows = parse_nvlink_status(file.text(), file.path);
    ASSERT_EQ(rows.size(), file.expected.at("gpus").size());
    for (const NvlinkStatus& row : rows) {
      const json& gpu =
          file.expected.at("gpus").at(row.gpu == none ? "?" : std::to_string(row.gpu));
      EXPECT_EQ(row.name, gpu.at("name"));
      EXPECT_EQ(row.links_seen, gpu.at("n_links_seen"));
      EXPECT_EQ(row.active_links, gpu.at("n_active"));
      EXPECT_EQ(row.all_inactive, gpu.at("inactive"));
      if (row.active_links == 0) continue;
      const std::string speed = gpu.at("speeds").at(0);
      EXPECT_EQ(row.gbps, std::stod(speed));
    }
  }
}

void expect_rocm(const CorpusCase& file) {
  const RocmTopology tables = parse_rocm_topology(file.text(), file.path);
  const json& expected = file.expected.at("tables");
  const json nothing = json::array();
  EXPECT_EQ(json(tables.weight), expected.value("weight", nothing));
  EXPECT_EQ(json(tables.hops), expected.value("hops", nothing));
  EXPECT_EQ(json(tables.link_type), expected.value("link type", nothing));
  for (const auto& [gpu, numa] : file.expected.at("numa_node").items())
    EXPECT_EQ(tables.numa_node.at(std::stoi(gpu)), numa);
  for (const auto& [gpu, numa] : file.expected.at("numa_affinity").items())
    EXPECT_EQ(tables.numa_affinity.at(std::stoi(gpu)), numa);

  const NodeModel model = read_rocm_smi(file.text(), file.path, {});
  EXPECT_EQ(model.gpus.size(), file.expected.at("gpu_count").get<std::size_t>());
  json matrix = expected.contains("link type") ? expected.at("link type") : expected.at("weight");
  for (std::size_t i = 0; i < model.gpus.size(); ++i) {
    matrix[i][i] = "X";
    const int numa = file.expected.at("numa_affinity").value(std::to_string(i), none);
    EXPECT_EQ(model.gpus[i].numa, numa);
  }
  EXPECT_EQ(json(model.gpu_matrix), matrix);
  EXPECT_EQ(Machine(model, 1).slots(), static_cast<SlotId>(model.gpus.size()));
}

TEST(TextCorpus, EveryRocmTopologyReadsAsExpectedOrIsRefused) {
  const std::vector<CorpusCase> cases = cases_of("rocm_smi");
  if (cases.empty()) GTEST_SKIP() << "the corpus is not here: set RANKMAP_CORPUS";
  for (const CorpusCase& file : cases) {
    SCOPED_TRACE(file.path);
    EXPECT_EQ(format_of(file.text()), "rocm-smi");
    if (file.expected.at("expect") == "refuse") {
      EXPECT_THROW(read_rocm_smi(file.text(), file.path, {}), InputError);
    } else {
      EXPECT_NO_THROW(expect_rocm(file));
    }
  }
}

TEST(TextCorpus, EveryXpuTopologyReadsAsExpected) {
  const std::vector<CorpusCase> cases = cases_of("xpu_smi");
  if (cases.empty()) GTEST_SKIP() << "the corpus is not here: set RANKMAP_CORPUS";
  for (const CorpusCase& file : cases) {
    SCOPED_TRACE(file.path);
    EXPECT_EQ(format_of(file.text()), "xpu-smi");
    const NodeModel model = read_xpu_smi(file.text(), file.path, {});
    json matrix = file.expected.at("matrix");
    ASSERT_EQ(model.gpus.size(), matrix.size());
    for (std::size_t i = 0; i < model.gpus.size(); ++i) {
      matrix[i][i] = "X";
      const std::string tile = file.expected.at("tiles").at(i);
      EXPECT_EQ(model.gpus[i].package, std::stoi(tile.substr(0, tile.find('/'))));
      EXPECT_EQ(model.gpus[i].cpu_affinity, file.expected.at("cpu_affinity").at(i));
    }
    EXPECT_EQ(json(model.gpu_matrix), matrix);
    EXPECT_EQ(Machine(model, 1).slots(), static_cast<SlotId>(model.gpus.size()));
  }
}

TEST(TextCorpus, EveryLstopoTextIsRefusedWithTheAdviceToExportXml) {
  const std::vector<CorpusCase> cases = cases_of("lstopo_text");
  if (cases.empty()) GTEST_SKIP() << "the corpus is not here: set RANKMAP_CORPUS";
  for (const CorpusCase& file : cases) {
    SCOPED_TRACE(file.path);
    EXPECT_EQ(format_of(file.text()), "lstopo");
    EXPECT_THROW(read_lstopo_text(file.text(), file.path, {}), InputError);
  }
}

}  // namespace
}  // namespace rankmap
