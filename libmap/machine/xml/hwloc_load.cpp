// Loading topologies by hwloc: from XML after our own checks, and from this machine; counts.
#include <array>
#include <cstdlib>
#include <pugixml.hpp>
#include <string>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/xml/hwloc_topology.hpp"
#include "libmap/machine/xml/xml_text.hpp"

namespace rankmap {
namespace {

constexpr std::int64_t most_distance_objects = 4096;

// hwloc reads this variable at its first message only; the environment is left as it was.
class Silence {
 public:
  Silence() : was_set_(std::getenv(variable) != nullptr) {
    if (!was_set_) setenv(variable, "2", 1);
  }
  ~Silence() {
    if (!was_set_) unsetenv(variable);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  static constexpr const char* variable = "HWLOC_HIDE_ERRORS";
  bool was_set_;
};

HwlocTopology new_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) throw SystemError("hwloc cannot start");
  HwlocTopology topology(raw);
  hwloc_topology_set_all_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_ALL);
  return topology;
}

void refuse_newer(const pugi::xml_node& root, std::string_view text, const std::string& source) {
  const std::string_view version = root.attribute("version").value();
  const int ours = HWLOC_API_VERSION >> 16;
  const std::optional<double> found = parse_real(version);
  if (!found || static_cast<int>(*found) <= ours) return;
  throw InputError(xml_position(text, source, root.offset_debug()),
                   "hwloc XML of version " + quoted(version) +
                       " needs hwloc >= " + std::to_string(static_cast<int>(*found)) +
                       ", this is hwloc " + std::to_string(ours) +
                       ": export it with `lstopo --export-xml-flags v2 FILE.xml`");
}

struct Limit {
  const char* attribute;
  std::int64_t greatest;
};

// What makes hwloc reserve memory out of proportion, or run without end.
void refuse_monsters(const pugi::xml_node& node, std::string_view text, const std::string& source) {
  const std::string_view type = node.attribute("type").value();
  const std::array limits = {
      Limit{"nbobjs", most_distance_objects},
      Limit{type == "PU" || type == "NUMANode" || type == "Node" ? "os_index" : "",
            CpuSet::max_number},
      Limit{"depth", 4096}};
  for (const Limit& limit : limits) {
    const std::string_view value = node.attribute(limit.attribute).value();
    if (value.empty()) continue;
    const auto number = parse_integer(value);
    if (!number || *number < 0 || *number > limit.greatest)
      throw InputError(xml_position(text, source, node.offset_debug()),
                       std::string(limit.attribute) + "=" + quoted(value) +
                           ", expected a number up to " + std::to_string(limit.greatest));
  }
  for (const char* set : {"cpuset", "complete_cpuset", "online_cpuset", "allowed_cpuset"}) {
    const std::string_view value = node.attribute(set).value();
    if (value.find("...") != std::string_view::npos ||
        value.size() > (CpuSet::max_number + 1) / 32 * 11)
      throw InputError(xml_position(text, source, node.offset_debug()),
                       std::string(set) + " is endless or has CPU numbers above " +
                           std::to_string(CpuSet::max_number));
  }
}

bool has_cpus(hwloc_topology*, hwloc_obj_t object) {
  return hwloc_bitmap_iszero(object->cpuset) == 0;
}

bool has_allowed_cpus(hwloc_topology* topology, hwloc_obj_t object) {
  return hwloc_bitmap_intersects(object->cpuset, hwloc_topology_get_allowed_cpuset(topology)) != 0;
}

int count(hwloc_topology* topology, hwloc_obj_type_t type,
          bool (*counts)(hwloc_topology*, hwloc_obj_t)) {
  int number = 0;
  for (hwloc_obj_t object = nullptr;
       (object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr;)
    number += counts(topology, object) ? 1 : 0;
  return number;
}

HwlocCounts counts_of(hwloc_topology* topology, bool (*counts)(hwloc_topology*, hwloc_obj_t)) {
  return {count(topology, HWLOC_OBJ_PACKAGE, counts), count(topology, HWLOC_OBJ_NUMANODE, counts),
          count(topology, HWLOC_OBJ_CORE, counts), count(topology, HWLOC_OBJ_PU, counts)};
}

}  // namespace

void check_hwloc_xml(std::string_view text, const std::string& source) {
  pugi::xml_document document;
  load_xml(text, source, document);
  const pugi::xml_node root = document.child("topology");
  if (!root) throw InputError({source, 0, 0}, "no <topology> element, expected hwloc XML");
  refuse_newer(root, text, source);
  struct Walker : pugi::xml_tree_walker {
    std::string_view text;
    const std::string* source = nullptr;
    bool for_each(pugi::xml_node& node) override {
      if (node.type() == pugi::node_element) refuse_monsters(node, text, *source);
      return true;
    }
  } walker;
  walker.text = text;
  walker.source = &source;
  document.traverse(walker);
}

HwlocTopology hwloc_from_xml(std::string_view text, const std::string& source) {
  const Silence silence;
  HwlocTopology topology = new_topology();
  const std::string terminated(text);
  const bool loaded =
      hwloc_topology_set_flags(topology.get(), HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) == 0 &&
      hwloc_topology_set_xmlbuffer(topology.get(), terminated.c_str(),
                                   static_cast<int>(terminated.size() + 1)) == 0 &&
      hwloc_topology_load(topology.get()) == 0;
  if (!loaded)
    throw InputError(
        {source, 0, 0},
        "hwloc " + std::to_string(HWLOC_API_VERSION >> 16) +
            " refuses this XML: it is not a whole topology export of a version it knows");
  return topology;
}

HwlocTopology hwloc_of_this_machine() {
  const Silence silence;
  HwlocTopology topology = new_topology();
  if (hwloc_topology_set_flags(topology.get(), HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) != 0 ||
      hwloc_topology_load(topology.get()) != 0)
    throw NotAvailable("hwloc cannot read this machine's topology");
  return topology;
}

HwlocCounts count_all(hwloc_topology* topology) {
  return counts_of(topology, has_cpus);
}

HwlocCounts count_allowed(hwloc_topology* topology) {
  return counts_of(topology, has_allowed_cpus);
}

}  // namespace rankmap
