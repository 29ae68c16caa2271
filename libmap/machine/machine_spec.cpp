// Resolves a machine's SPEC, in the order: a file, standard input, then the parts NAME, xCOUNT and
// @NETWORK, where a bare NETWORK has one slot or more at each endpoint. @NAME alone is the bare
// network of share/networks.
#include "libmap/machine/machine_spec.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/detect/local.hpp"
#include "libmap/machine/network/network_text.hpp"
#include "libmap/machine/network/networks.hpp"
#include "libmap/machine/network_spec.hpp"
#include "libmap/machine/shared_files.hpp"

namespace rankmap {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t most_nodes = std::int64_t{1} << 24;
NodeId node_count(std::string_view number, const std::string& text) {
  const auto count = parse_integer(number);
  if (!count || *count < 1 || *count > most_nodes)
    throw UsageError("found the count " + rankmap::quoted(number) + " in " + rankmap::quoted(text) +
                     ", expected a whole number from 1 to " + std::to_string(most_nodes));
  return static_cast<NodeId>(*count);
}

// The slots of a bare network's endpoint are nothing but places: no CPUs, no links inside.
NodeModel bare_node(const std::string& name, int slots) {
  NodeModel model;
  model.name = name;
  model.source_format = "network";
  model.bare = true;
  for (int i = 0; i < slots; ++i) {
    Core core;
    core.logical = i;
    model.cores.push_back(core);
  }
  return model;
}

std::vector<std::string> names_in(const std::string& share_directory, const std::string& folder,
                                  const std::string& extension) {
  std::vector<std::string> names;
  if (share_directory.empty()) return names;
  std::error_code ignored;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(share_directory + "/" + folder, ignored))
    if (entry.path().extension() == extension) names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

// Swaps, insertions and deletions between two names, for the nearest names of an error.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

// The nearest names of at most two edits; else those that contain it.
std::vector<std::string> near_names(const std::string& written,
                                    const std::vector<std::string>& names) {
  constexpr std::size_t longest = 64;
  const std::string name = to_lower(written);
  std::vector<std::string> near;
  std::vector<std::string> containing;
  std::size_t least = 2;
  for (const std::string& known : names) {
    if (name.size() >= 3 && known.find(name) != known.npos) containing.push_back(known);
    const std::size_t distance = name.size() > longest ? longest : edit_distance(name, known);
    if (distance < least) near.clear();
    if (distance > least) continue;
    least = distance;
    near.push_back(known);
  }
  return near.empty() ? containing : near;
}

[[noreturn]] void refuse_name(const std::string& name, const MachineOptions& options) {
  const std::vector<std::string> names = machine_names(options.share_directory);
  const std::vector<std::string> near = near_names(name, names);
  const std::string hint = near.empty() ? "" : "; did you mean " + join(near, " or ") + "?";
  const std::string where =
      options.share_directory.empty() ? "" : " (share directory: " + options.share_directory + ")";
  throw UsageError(
      rankmap::quoted(name) +
      " is neither a file nor a known machine, expected a file, `local`, a network, or "
      "one of: " +
      (names.empty() ? "(none found)" : join(names, ", ")) + hint + where);
}

NodeModel read_node_file(const std::string& path, const MachineOptions& options) {
  NodeModel model = read_node_model(read_text(path), path, options.reader);
  if (model.name.empty()) model.name = path == "-" ? "stdin" : fs::path(path).stem().string();
  return model;
}

// The file of a node: the path itself, or that of a shared machine; "": neither.
std::string node_file(const std::string& name, const MachineOptions& options) {
  return is_readable_file(name) ? name
                                : shared_file(options.share_directory, "machines", name, ".json");
}

struct NamedNode {
  NodeModel model;
  NodeId count = 1;
  bool counted = false;
};

// NAME, or NAMExCOUNT where NAME alone is not a machine; NAME may be a file too.
NamedNode named_node(const std::string& name, const MachineOptions& options) {
  if (name == "job")
    throw NotAvailable(
        "`job` is not available: name the machine of the allocation, as in NAMExNODES");
  if (name == "local") return {detect_local({})};
  if (const std::string path = node_file(name, options); !path.empty())
    return {read_node_file(path, options)};
  const std::size_t x = name.rfind('x');
  const bool counted = x != name.npos && x > 0 && parse_integer(name.substr(x + 1)).has_value();
  const std::string path = counted ? node_file(name.substr(0, x), options) : "";
  if (path.empty()) refuse_name(name, options);
  return {read_node_file(path, options), node_count(name.substr(x + 1), name), true};
}

Machine named_machine(const std::string& spec, const MachineOptions& options) {
  const std::size_t at = spec.rfind('@');
  NamedNode node = named_node(spec.substr(0, at), options);
  if (at == spec.npos) return Machine(std::move(node.model), node.count);
  const NetworkSpec network = read_network_spec(spec.substr(at + 1), options.share_directory);
  return machine_on(std::move(node.model), node.counted ? node.count : 0, network, options.hosts);
}

// The nodes of a bare network have slots= slots each.
Machine bare_machine(const std::string& spec, const NetworkSpec& network,
                     const MachineOptions& options) {
  if (network.topology)
    return machine_on(bare_node(spec, network.slots.value_or(1)), 0, network, options.hosts);
  const ParsedNetwork parsed = parse_network(network.text);
  if (NetworkText(network.text).value("domain") != nullptr)
    throw UsageError("found domain= in the network " + rankmap::quoted(network.text) +
                     " alone, expected it behind nodes with a switch, as in gb200-tray@...");
  return Machine(bare_node(spec, parsed.slots.value_or(1)), parsed.network->nodes(),
                 parsed.network);
}

Machine resolved(const std::string& spec, const MachineOptions& options) {
  if (spec.empty()) throw UsageError("the machine is empty, expected a file, a name or a network");
  if (spec == "-" || is_readable_file(spec)) return Machine(read_node_file(spec, options), 1);
  NetworkSpec bare;
  bare.text = spec;
  if (spec.front() == '@') bare = read_network_spec(spec.substr(1), options.share_directory);
  if (bare.topology || is_network_text(bare.text)) return bare_machine(spec, bare, options);
  Machine machine = named_machine(spec, options);
  machine.set_name(spec);
  return machine;
}

}  // namespace

std::vector<std::string> machine_names(const std::string& share_directory) {
  return names_in(share_directory, "machines", ".json");
}

std::vector<std::string> network_names(const std::string& share_directory) {
  return names_in(share_directory, "networks", ".txt");
}

Machine read_machine(const std::string& spec, const MachineOptions& options) {
  Machine machine = resolved(spec, options);
  if (options.near_cores != NearCores::divided) machine.set_near_cores(options.near_cores);
  if (!options.hosts.empty()) machine.set_hosts(options.hosts);
  return machine;
}

}  // namespace rankmap
