// Reads rankmap's own machine format; the header describes it.
#include "libmap/machine/machine_json.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/core_numbering.hpp"
#include "libmap/machine/hub_names.hpp"
#include "libmap/machine/link_speeds.hpp"
#include "libmap/machine/located_json.hpp"

namespace rankmap {
namespace {

constexpr std::size_t longest_name = 128;
constexpr std::int64_t most_number = CpuSet::max_number;

constexpr std::array inner_kinds = {LinkKind::nvlink, LinkKind::xgmi,  LinkKind::xelink,
                                    LinkKind::c2c,    LinkKind::pcie,  LinkKind::cpu,
                                    LinkKind::nic,    LinkKind::memory};
// Kinds that only lead to hubs: two GPUs share them with others.
constexpr std::array shared_kinds = {LinkKind::pcie, LinkKind::cpu, LinkKind::nic,
                                     LinkKind::memory};

using Keys = std::initializer_list<std::string_view>;
constexpr std::array<std::string_view, 5> comment_keys = {"source", "notes", "verified",
                                                          "unverified", "$schema"};

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
    read_hubs(root);
    read_links(root);
    join_loose_gpus(root);
    join_loose_cores(root);
    read_matrix(root);
    return std::move(model_);
  }

 private:
  void read_head(const JsonValue& root) {
    warn_unknown(root, {"schema_version",
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
                        "partial"});
    document_.integer(root, "schema_version", 1, machine_schema_version);
    model_.source_format = "rankmap-json";
    model_.name = printable(root, "name").value_or(name_from_source());
    base_ = static_cast<int>(document_.integer(root, "index_base", 0, 1).value_or(0));
    model_.partial = document_.boolean(root, "partial").value_or(false);
    if (const auto* warnings = document_.array(root, "warnings", 10000))
      for (const JsonMember& warning : *warnings) {
        document_.expect_string(warning.value, "a warning");
        model_.warn(warning.value.text);
      }
    if (document_.integer(root, "nodes", 1, INT32_MAX).value_or(1) > 1)
      model_.warn(document_.locate(JsonDocument::find(root, "nodes")->offset,
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
      const JsonValue& value = object(element, "a NUMA node");
      warn_unknown(value, {"id", "cpus", "memory_bytes", "subtype", "package"});
      NumaNode node;
      node.id =
          static_cast<int>(required(document_.integer(value, "id", 0, most_number), value, "id"));
      node.cpus = cpu_list(value, "cpus").value_or(CpuSet{});
      node.memory_bytes =
          static_cast<Bytes>(document_.integer(value, "memory_bytes", 0, INT64_MAX).value_or(0));
      node.subtype = printable(value, "subtype").value_or("");
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
        *JsonDocument::find(root, numbering ? "thread_numbering" : "threads_per_core");
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
      const JsonValue& value = object(element, "a core");
      warn_unknown(value, {"logical", "cpus", "numa", "package"});
      Core core;
      const int least = model_.cores.empty() ? 0 : model_.cores.back().logical + 1;
      core.logical =
          static_cast<int>(document_.integer(value, "logical", least, most_number).value_or(least));
      core.cpus = required(cpu_list(value, "cpus"), value, "cpus");
      if (core.cpus.empty() || !seen.intersection(core.cpus).empty())
        document_.fail(value, "the CPUs " + quoted(core.cpus.to_string()) +
                                  " are none, or stand in another core too");
      seen = seen.united(core.cpus);
      core.numa = numa(value);
      core.package =
          static_cast<int>(document_.integer(value, "package", 0, most_number).value_or(none));
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
      const JsonValue& value = object(element, "a NIC");
      warn_unknown(value, {"name", "numa", "gbps", "bus_id"});
      Nic nic;
      nic.name = word(value, "name").value_or("");
      nic.bus_id = bus_id(value);
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
    const JsonValue* gpus = JsonDocument::find(root, "gpus");
    if (gpus == nullptr) return;
    if (gpus->kind != JsonValue::Kind::array) {
      model_.gpus.resize(
          static_cast<std::size_t>(*document_.integer(root, "gpus", 0, most_json_gpus)));
      return;
    }
    for (const JsonMember& element : *document_.array(root, "gpus", most_json_gpus)) {
      const JsonValue& value = object(element, "a GPU");
      expect_position(value, "index", base_ + static_cast<int>(model_.gpus.size()));
      model_.gpus.push_back(read_gpu(value));
    }
  }

  Gpu read_gpu(const JsonValue& value) {
    warn_unknown(value, {"index", "name", "bus_id", "uuid", "device", "cpus", "cpu_affinity",
                         "numa", "numa_affinity", "gpu_numa_id", "nic", "package"});
    Gpu gpu;
    gpu.name = printable(value, "name").value_or("");
    gpu.bus_id = bus_id(value);
    gpu.uuid = word(value, "uuid").value_or("");
    gpu.device =
        static_cast<int>(document_.integer(value, "device", 0, most_number).value_or(none));
    gpu.cpu_affinity = printable(value, "cpu_affinity").value_or("");
    gpu.numa_affinity = printable(value, "numa_affinity").value_or("");
    gpu.gpu_numa_id = printable(value, "gpu_numa_id").value_or("");
    gpu.numa = numa(value);
    gpu.package =
        static_cast<int>(document_.integer(value, "package", 0, most_number).value_or(none));
    gpu.cpus = cpu_list(value, "cpus");
    if (!gpu.cpus) gpu.cpus = cpus_of_numa(gpu.numa);
    if (const auto nic = word(value, "nic")) gpu.nic = nic_named(*nic, value);
    return gpu;
  }

  std::optional<CpuSet> cpus_of_numa(int id) const {
    for (const NumaNode& node : model_.numa_nodes)
      if (node.id == id && !node.cpus.empty()) return node.cpus;
    return std::nullopt;
  }

  int nic_named(const std::string& name, const JsonValue& value) const {
    const auto found = nic_index_.find(name);
    if (found == nic_index_.end())
      document_.fail(*JsonDocument::find(value, "nic"),
                     "the NIC " + quoted(name) + " does not stand in \"nics\"");
    return found->second;
  }

  void read_hubs(const JsonValue& root) {
    const auto* hubs = document_.array(root, "hubs", most_json_hubs);
    if (hubs == nullptr) return;
    for (const JsonMember& element : *hubs) {
      const JsonValue& value = object(element, "a hub");
      warn_unknown(value, {"name", "kind"});
      const std::string name = required(word(value, "name"), value, "name");
      const std::string kind = required(document_.string(value, "kind"), value, "kind");
      const auto known = hub_kind_of(kind);
      if (!known)
        document_.fail(*JsonDocument::find(value, "kind"),
                       unknown_name("kind of hub", kind, hub_kind_names()));
      if (hub_vertex_.contains(name))
        document_.fail(value, "the hub " + quoted(name) + " stands twice");
      hub_vertex_[name] = model_.add_hub(*known, name);
    }
  }

  void read_links(const JsonValue& root) {
    const auto* links = document_.array(root, "links", most_json_links);
    if (links == nullptr) return;
    std::set<std::pair<VertexId, VertexId>> ends;
    for (const JsonMember& element : *links) {
      const JsonValue& value = object(element, "a link");
      warn_unknown(value, {"a", "b", "type", "kind", "count", "gbps", "gbps_per_lane", "nccl_gbps",
                           "artifact_type"});
      const Connection link = read_link(value);
      if (!ends.insert(std::minmax(link.a, link.b)).second)
        document_.fail(value, "a second link between " + model_.vertex_name(link.a) + " and " +
                                  model_.vertex_name(link.b) + ", expected one with more lanes");
      model_.connections.push_back(link);
    }
  }

  Connection read_link(const JsonValue& value) {
    const auto generation = nvlink_generation(value);
    Connection link;
    link.kind = link_kind(value, generation);
    link.a = link_end(value, "a");
    link.b = link_end(value, "b");
    link.count = static_cast<int>(document_.integer(value, "count", 1, 1024).value_or(1));
    if (link.a == link.b)
      document_.fail(value, "a link joins " + model_.vertex_name(link.a) + " with itself");
    const bool joins_slots = link.a < model_.slots() && link.b < model_.slots();
    if (joins_slots &&
        std::find(shared_kinds.begin(), shared_kinds.end(), link.kind) != shared_kinds.end())
      document_.fail(value, "a " + std::string(name_of(link.kind)) +
                                " link joins two slots, expected a hub at one end: it is shared");
    const LinkSpeed speed = generation ? nvlink_speed(*generation) : LinkSpeed{0, 0};
    const double gbps = link_gbps(value, link.count, speed.gbps);
    link.bytes_per_second = from_gbps(gbps);
    // A lane cannot achieve more than the file grants it.
    const double achieved = std::min(speed.nccl_gbps, gbps / link.count);
    link.nccl_bytes_per_second =
        from_gbps(document_.real(value, "nccl_gbps", 0, most_json_gbps).value_or(achieved));
    if (link.bytes_per_second == 0) document_.fail(value, "a link without bandwidth");
    return link;
  }

  double link_gbps(const JsonValue& value, int count, double nominal) const {
    const auto all = document_.real(value, "gbps", 0, most_json_gbps);
    const auto lane = document_.real(value, "gbps_per_lane", 0, most_json_gbps);
    if (all && lane)
      document_.fail(value, "a link has both \"gbps\" and \"gbps_per_lane\", expected one of them");
    if (all) return *all;
    if (!lane && nominal <= 0)
      document_.fail(value, "a link without \"gbps\", expected its bandwidth in GB/s");
    return lane.value_or(nominal) * count;
  }

  std::optional<int> nvlink_generation(const JsonValue& value) const {
    const auto type = document_.string(value, "type");
    if (!type || !type->starts_with("nvlink")) return std::nullopt;
    const auto number = parse_integer(std::string_view(*type).substr(6));
    if (type->size() == 6) return std::nullopt;
    if (!number || *number < 1 || *number > 5)
      document_.fail(*JsonDocument::find(value, "type"),
                     "\"type\" is " + quoted(*type) + ", expected nvlink1 to nvlink5");
    return static_cast<int>(*number);
  }

  LinkKind link_kind(const JsonValue& value, const std::optional<int>& generation) const {
    const auto kind = document_.string(value, "kind");
    if (!kind && generation) return LinkKind::nvlink;
    const char* key = kind ? "kind" : "type";
    const auto name = kind ? kind : document_.string(value, "type");
    if (!name) document_.fail(value, "a link without \"kind\" or \"type\"");
    const auto known = link_kind_of(*name);
    if (!known || std::find(inner_kinds.begin(), inner_kinds.end(), *known) == inner_kinds.end())
      document_.fail(*JsonDocument::find(value, key),
                     unknown_name("kind of link", *name, names_of_inner_kinds()));
    return *known;
  }

  VertexId link_end(const JsonValue& link, std::string_view key) {
    const JsonValue* end = JsonDocument::find(link, key);
    if (end == nullptr) document_.fail(link, "a link without " + quoted(key));
    if (end->kind == JsonValue::Kind::string) return named_end(*end);
    if (model_.slots() == 0)
      document_.fail(*end, "a link to a slot, but there is neither GPU nor core");
    return static_cast<VertexId>(*document_.integer(link, key, base_, base_ + model_.slots() - 1) -
                                 base_);
  }

  VertexId named_end(const JsonValue& end) {
    const auto hub = hub_vertex_.find(end.text);
    if (hub != hub_vertex_.end()) return hub->second;
    if (nic_index_.contains(end.text)) return hub_named("nic:" + end.text, HubKind::nic);
    std::vector<std::string> names;
    for (const auto& [name, vertex] : hub_vertex_) names.push_back(name);
    for (const Nic& nic : model_.nics) names.push_back(nic.name);
    document_.fail(end, unknown_name("hub or NIC", end.text, names));
  }

  VertexId hub_named(const std::string& name, HubKind kind) {
    const auto found = hub_vertex_.find(name);
    if (found != hub_vertex_.end()) return found->second;
    return hub_vertex_[name] = model_.add_hub(kind, name);
  }

  std::vector<VertexId> loose_slots() const {
    std::vector<bool> joined(static_cast<std::size_t>(model_.vertices()), false);
    for (const Connection& row : model_.connections) {
      if (std::find(shared_kinds.begin(), shared_kinds.end(), row.kind) == shared_kinds.end())
        continue;
      joined[static_cast<std::size_t>(row.a)] = true;
      joined[static_cast<std::size_t>(row.b)] = true;
    }
    std::vector<VertexId> loose;
    for (VertexId slot = 0; slot < model_.slots(); ++slot)
      if (!joined[static_cast<std::size_t>(slot)]) loose.push_back(slot);
    return loose;
  }

  void join_loose_gpus(const JsonValue& root) {
    const auto gbps = document_.real(root, "default_pcie_gbps", 0, most_json_gbps);
    if (!gbps || model_.gpus.empty()) return;
    for (const VertexId gpu : loose_slots())
      model_.connections.push_back({LinkKind::pcie, gpu, hub_named("pcie", HubKind::host_bridge), 1,
                                    from_gbps(*gbps), from_gbps(*gbps)});
  }

  void join_loose_cores(const JsonValue& root) {
    const auto gbps = document_.real(root, "core_gbps", 0, most_json_gbps);
    if (!gbps || !model_.gpus.empty()) return;
    for (const VertexId core : loose_slots()) {
      const int id = std::max(model_.cores[static_cast<std::size_t>(core)].numa, 0);
      const VertexId hub = hub_named("numa" + std::to_string(id), HubKind::numa);
      model_.connections.push_back(
          {LinkKind::memory, core, hub, 1, from_gbps(*gbps), from_gbps(*gbps)});
    }
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
        words.push_back(checked_word(cell.value));
      }
      model_.gpu_matrix.push_back(std::move(words));
    }
  }

  // Small readers of members.
  const JsonValue& object(const JsonMember& element, std::string_view what) const {
    document_.expect_object(element.value, what);
    return element.value;
  }

  template <typename T>
  T required(std::optional<T> value, const JsonValue& object, std::string_view key) const {
    if (!value) document_.fail(object, "the key " + quoted(key) + " is missing");
    return *std::move(value);
  }

  void expect_position(const JsonValue& value, std::string_view key, int expected) const {
    const auto found = document_.integer(value, key, 0, most_number);
    if (found && *found != expected)
      document_.fail(*JsonDocument::find(value, key),
                     quoted(key) + " is " + std::to_string(*found) + ", expected " +
                         std::to_string(expected) + ": the list is in order");
  }

  int numa(const JsonValue& value) const {
    const auto id = document_.integer(value, "numa", -1, most_number);
    if (!id || *id < 0) return none;
    if (!model_.numa_nodes.empty() && !package_of_numa_.contains(static_cast<int>(*id)))
      document_.fail(*JsonDocument::find(value, "numa"),
                     "the NUMA node " + std::to_string(*id) + " does not stand in \"numa_nodes\"");
    return static_cast<int>(*id);
  }

  std::optional<CpuSet> cpu_list(const JsonValue& value, std::string_view key) const {
    const auto text = document_.string(value, key);
    if (!text) return std::nullopt;
    const auto cpus = CpuSet::parse_list(*text);
    if (!cpus)
      document_.fail(*JsonDocument::find(value, key),
                     quoted(key) + " is " + quoted(*text) + ", expected a list like \"0-4,40-44\"");
    return cpus;
  }

  // Text without control characters; a word has no blanks either.
  std::optional<std::string> printable(const JsonValue& value, std::string_view key) const {
    const auto text = document_.string(value, key);
    if (!text) return std::nullopt;
    const bool control = std::any_of(text->begin(), text->end(), [](char c) {
      return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
    });
    if (control || text->size() > longest_name * 16)
      document_.fail(
          *JsonDocument::find(value, key),
          quoted(key) + " is " + quoted(*text) + ", expected text without control characters");
    return text;
  }

  std::optional<std::string> word(const JsonValue& value, std::string_view key) const {
    const auto text = document_.string(value, key);
    if (!text) return std::nullopt;
    return checked_word(*JsonDocument::find(value, key));
  }

  std::string checked_word(const JsonValue& value) const {
    const bool odd = std::any_of(value.text.begin(), value.text.end(), [](char c) {
      return static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
    });
    if (odd || value.text.empty() || value.text.size() > longest_name)
      document_.fail(value, "found " + quoted(value.text) + ", expected a word of at most " +
                                std::to_string(longest_name) + " bytes, without blanks");
    return value.text;
  }

  // "0000:06:00.0": lower case, a domain of four digits.
  std::string bus_id(const JsonValue& value) const {
    const auto text = document_.string(value, "bus_id");
    if (!text) return "";
    std::string id = to_lower(*text);
    if (std::count(id.begin(), id.end(), ':') == 1) id = "0000:" + id;
    while (id.find(':') != id.npos && id.find(':') > 4 && id.front() == '0') id.erase(0, 1);
    const std::size_t domain = id.find(':');
    const bool digits = id.find_first_not_of("0123456789abcdef:.") == id.npos;
    const bool shape = domain != id.npos && domain >= 4 && domain <= 8 && id.size() == domain + 8 &&
                       id[domain + 3] == ':' && id[domain + 6] == '.';
    if (!digits || !shape)
      document_.fail(*JsonDocument::find(value, "bus_id"),
                     "\"bus_id\" is " + quoted(*text) + ", expected one like \"0000:06:00.0\"");
    return id;
  }

  void warn_unknown(const JsonValue& object, Keys known) {
    for (const JsonMember& member : object.members) {
      const auto is_it = [&](std::string_view key) { return key == member.key; };
      if (member.key.starts_with("_") || std::any_of(known.begin(), known.end(), is_it) ||
          std::any_of(comment_keys.begin(), comment_keys.end(), is_it))
        continue;
      if (++unknown_keys_ <= most_unknown_keys_told)
        model_.warn(document_.locate(member.key_offset,
                                     "the unknown key " + quoted(member.key) + " is not read"));
    }
  }

  static std::string unknown_name(std::string_view what, std::string_view found,
                                  const std::vector<std::string>& expected) {
    return UsageError::unknown(what, found, expected).what();
  }
  static std::vector<std::string> names_of_inner_kinds() {
    std::vector<std::string> names;
    for (const LinkKind kind : inner_kinds) names.emplace_back(name_of(kind));
    return names;
  }

  static constexpr int most_unknown_keys_told = 20;
  JsonDocument document_;
  NodeModel model_;
  int base_ = 0;
  int unknown_keys_ = 0;
  std::map<int, int> package_of_numa_;
  std::map<std::string, int> nic_index_;
  std::map<std::string, VertexId> hub_vertex_;
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
