// Reads rankmap's own machine format; the header describes it.
#include "libmap/machine/json/machine_json.hpp"

#include <algorithm>
#include <map>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/json/core_numbering.hpp"
#include "libmap/machine/json/machine_document.hpp"
#include "libmap/machine/json/machine_links.hpp"

namespace rankmap {
namespace {

constexpr std::int64_t most_number = CpuSet::max_number;

class MachineReader {
 public:
  MachineReader(std::string_view text, const std::string& source) : document_(text, source) {}

  NodeModel read() {
    const JsonValue& root = document_.root();
    document_.expect_object(root, "a machine");
    read_head(root);
    read_numa_nodes(root);
    read_cores(root);
    read_nics(root);
    read_gpus(root);
    read_machine_links(document_, base_, model_);
    read_matrix(root);
    return std::move(model_);
  }

 private:
  void read_head(const JsonValue& root) {
    document_.warn_unknown(root,
                           {"schema_version",
                            "name",
                            "source_format",
                            "nodes",
                            "slots",
                            "gpus",
                            "index_base",
                            "default_pcie_gbps",
                            "core_gbps",
                            "hubs",
                            "links",
                            "nics",
                            "numa_nodes",
                            "threads_per_core",
                            "thread_numbering",
                            "cores",
                            "cpus",
                            "gpu_matrix",
                            "warnings",
                            "partial"},
                           model_);
    document_.integer(root, "schema_version", 1, machine_schema_version);
    model_.source_format = "rankmap-json";
    model_.name = document_.printable(root, "name");
    if (model_.name.empty()) model_.name = name_from_source();
    base_ = static_cast<int>(document_.integer(root, "index_base", 0, 1).value_or(0));
    model_.partial = document_.boolean(root, "partial").value_or(false);
    if (const auto* warnings = document_.array(root, "warnings", 10000))
      for (const JsonMember& warning : *warnings) {
        document_.expect_string(warning.value, "a warning");
        model_.warn(warning.value.text);
      }
    if (document_.integer(root, "nodes", 1, INT32_MAX).value_or(1) > 1)
      model_.warn(document_.locate(MachineDocument::find(root, "nodes")->offset,
                                   "a file holds one node; the number of nodes is not read"));
  }

  std::string name_from_source() const {
    const std::string& source = document_.source();
    const std::size_t slash = source.rfind('/');
    const std::string file = slash == source.npos ? source : source.substr(slash + 1);
    return file.ends_with(".json") ? file.substr(0, file.size() - 5) : file;
  }

  void read_numa_nodes(const JsonValue& root) {
    const auto* nodes = document_.array(root, "numa_nodes", most_json_numa_nodes);
    if (nodes == nullptr) return;
    for (const JsonMember& element : *nodes) {
      const JsonValue& value = document_.object(element, "a NUMA node");
      document_.warn_unknown(value, {"id", "cpus", "memory_bytes", "subtype", "package"}, model_);
      NumaNode node;
      node.id = static_cast<int>(
          document_.required(document_.integer(value, "id", 0, most_number), value, "id"));
      node.cpus = document_.cpu_list(value, "cpus").value_or(CpuSet{});
      node.memory_bytes =
          static_cast<Bytes>(document_.integer(value, "memory_bytes", 0, INT64_MAX).value_or(0));
      node.subtype = document_.printable(value, "subtype");
      const auto package = document_.integer(value, "package", 0, most_number);
      if (!package_of_numa_.emplace(node.id, static_cast<int>(package.value_or(none))).second)
        document_.fail(value, "the NUMA node " + std::to_string(node.id) + " stands twice");
      model_.numa_nodes.push_back(std::move(node));
    }
    std::sort(model_.numa_nodes.begin(), model_.numa_nodes.end(),
              [](const NumaNode& a, const NumaNode& b) { return a.id < b.id; });
  }

  void read_cores(const JsonValue& root) {
    const auto threads = document_.integer(root, "threads_per_core", 1, 64);
    const auto numbering = document_.string(root, "thread_numbering");
    if (document_.array(root, "cores", most_json_cores) != nullptr) {
      read_core_list(root);
      model_.threads_per_core = static_cast<int>(threads.value_or(most_threads_of_a_core()));
      return;
    }
    model_.threads_per_core = static_cast<int>(threads.value_or(1));
    if (!threads && !numbering) return;
    const JsonValue& place =
        *MachineDocument::find(root, numbering ? "thread_numbering" : "threads_per_core");
    const auto how = thread_numbering_of(numbering.value_or("threads-last"));
    if (!how)
      document_.fail(place, "\"thread_numbering\" is " + quoted(*numbering) +
                                ", expected one of: threads-last, threads-adjacent");
    model_.cores = number_cores(model_.numa_nodes, model_.threads_per_core, *how);
    if (model_.cores.empty())
      document_.fail(place, "the CPUs of numa_nodes do not make whole cores of " +
                                std::to_string(model_.threads_per_core) + " threads each");
    if (model_.cores.size() > static_cast<std::size_t>(most_json_cores))
      document_.fail(place, "more than " + std::to_string(most_json_cores) + " cores");
    for (Core& core : model_.cores) core.package = package_of_numa_.at(core.numa);
  }

  void read_core_list(const JsonValue& root) {
    CpuSet seen;
    for (const JsonMember& element : *document_.array(root, "cores", most_json_cores)) {
      const JsonValue& value = document_.object(element, "a core");
      document_.warn_unknown(value, {"logical", "cpus", "numa", "package"}, model_);
      Core core;
      const int least = model_.cores.empty() ? 0 : model_.cores.back().logical + 1;
      core.logical =
          static_cast<int>(document_.integer(value, "logical", least, most_number).value_or(least));
      core.cpus = document_.required(document_.cpu_list(value, "cpus"), value, "cpus");
      if (core.cpus.empty() || !seen.intersection(core.cpus).empty())
        document_.fail(value, "the CPUs " + quoted(core.cpus.to_string()) +
                                  " are none, or stand in another core too");
      seen = seen.united(core.cpus);
      core.numa = numa(value);
      core.package = document_.number(value, "package");
      model_.cores.push_back(std::move(core));
    }
  }

  std::int64_t most_threads_of_a_core() const {
    std::size_t most = 1;
    for (const Core& core : model_.cores) most = std::max(most, core.cpus.size());
    return static_cast<std::int64_t>(most);
  }

  void read_nics(const JsonValue& root) {
    const auto* nics = document_.array(root, "nics", most_json_nics);
    if (nics == nullptr) return;
    for (const JsonMember& element : *nics) {
      const JsonValue& value = document_.object(element, "a NIC");
      document_.warn_unknown(value, {"name", "numa", "gbps", "bus_id"}, model_);
      Nic nic;
      nic.name = document_.word(value, "name").value_or("");
      nic.bus_id = document_.bus_id(value);
      nic.numa = numa(value);
      nic.bytes_per_second =
          from_gbps(document_.real(value, "gbps", 0, most_json_gbps).value_or(0));
      if (!nic.name.empty() &&
          !nic_index_.emplace(nic.name, static_cast<int>(model_.nics.size())).second)
        document_.fail(value, "the NIC " + quoted(nic.name) + " stands twice");
      model_.nics.push_back(std::move(nic));
    }
  }

  void read_gpus(const JsonValue& root) {
    const JsonValue* gpus = MachineDocument::find(root, "gpus");
    if (gpus == nullptr) return;
    if (gpus->kind != JsonValue::Kind::array) {
      model_.gpus.resize(
          static_cast<std::size_t>(*document_.integer(root, "gpus", 0, most_json_gpus)));
      return;
    }
    for (const JsonMember& element : *document_.array(root, "gpus", most_json_gpus)) {
      const JsonValue& value = document_.object(element, "a GPU");
      expect_position(value, "index", base_ + static_cast<int>(model_.gpus.size()));
      model_.gpus.push_back(read_gpu(value));
    }
  }

  Gpu read_gpu(const JsonValue& value) {
    document_.warn_unknown(value,
                           {"index", "name", "bus_id", "uuid", "device", "cpus", "cpu_affinity",
                            "numa", "numa_affinity", "gpu_numa_id", "nic", "package", "vendor"},
                           model_);
    Gpu gpu;
    gpu.name = document_.printable(value, "name");
    gpu.bus_id = document_.bus_id(value);
    gpu.uuid = document_.word(value, "uuid").value_or("");
    gpu.vendor = vendor(value);
    gpu.device = document_.number(value, "device");
    gpu.cpu_affinity = document_.printable(value, "cpu_affinity");
    gpu.numa_affinity = document_.printable(value, "numa_affinity");
    gpu.gpu_numa_id = document_.printable(value, "gpu_numa_id");
    gpu.numa = numa(value);
    gpu.package = document_.number(value, "package");
    gpu.cpus = document_.cpu_list(value, "cpus");
    if (!gpu.cpus) gpu.cpus = cpus_of_numa(gpu.numa);
    if (const auto nic = document_.word(value, "nic")) gpu.nic = nic_named(*nic, value);
    return gpu;
  }

  std::string vendor(const JsonValue& value) const {
    const std::string name = document_.word(value, "vendor").value_or("");
    if (!name.empty() && name != "nvidia" && name != "amd" && name != "intel")
      document_.fail_unknown(*MachineDocument::find(value, "vendor"), "vendor",
                             {"nvidia", "amd", "intel"});
    return name;
  }

  std::optional<CpuSet> cpus_of_numa(int id) const {
    for (const NumaNode& node : model_.numa_nodes)
      if (node.id == id && !node.cpus.empty()) return node.cpus;
    return std::nullopt;
  }

  int nic_named(const std::string& name, const JsonValue& value) const {
    const auto found = nic_index_.find(name);
    if (found == nic_index_.end())
      document_.fail(*MachineDocument::find(value, "nic"),
                     "the NIC " + quoted(name) + " does not stand in \"nics\"");
    return found->second;
  }

  void read_matrix(const JsonValue& root) {
    const auto* rows = document_.array(root, "gpu_matrix", most_json_gpus);
    if (rows == nullptr || rows->empty()) return;
    const std::size_t size = model_.gpus.size();
    for (const JsonMember& row : *rows) {
      if (row.value.kind != JsonValue::Kind::array || row.value.members.size() != size ||
          rows->size() != size)
        document_.fail(row.value, "\"gpu_matrix\" is not " + std::to_string(size) + " rows of " +
                                      std::to_string(size) + " words, one a GPU");
      std::vector<std::string> words;
      for (const JsonMember& cell : row.value.members) {
        document_.expect_string(cell.value, "a word of \"gpu_matrix\"");
        words.push_back(document_.word_of(cell.value));
      }
      model_.gpu_matrix.push_back(std::move(words));
    }
  }

  void expect_position(const JsonValue& value, std::string_view key, int expected) const {
    const auto found = document_.integer(value, key, 0, most_number);
    if (found && *found != expected)
      document_.fail(*MachineDocument::find(value, key),
                     quoted(key) + " is " + std::to_string(*found) + ", expected " +
                         std::to_string(expected) + ": the list is in order");
  }

  int numa(const JsonValue& value) const {
    const auto id = document_.integer(value, "numa", -1, most_number);
    if (!id || *id < 0) return none;
    if (!model_.numa_nodes.empty() && !package_of_numa_.contains(static_cast<int>(*id)))
      document_.fail(*MachineDocument::find(value, "numa"),
                     "the NUMA node " + std::to_string(*id) + " does not stand in \"numa_nodes\"");
    return static_cast<int>(*id);
  }

  MachineDocument document_;
  NodeModel model_;
  int base_ = 0;
  std::map<int, int> package_of_numa_;
  std::map<std::string, int> nic_index_;
};

}  // namespace

bool recognises_machine_json(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (!trim(text).starts_with('{')) return false;
  return text.find("\"gpus\"") != text.npos || text.find("\"numa_nodes\"") != text.npos ||
         text.find("\"cores\"") != text.npos;
}

NodeModel read_machine_json(std::string_view text, const std::string& source,
                            const ReaderOptions&) {
  return MachineReader(text, source).read();
}

}  // namespace rankmap
