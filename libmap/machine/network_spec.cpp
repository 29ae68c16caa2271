#include "libmap/machine/network_spec.hpp"

#include <array>

#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/network/network_text.hpp"
#include "libmap/machine/network/networks.hpp"
#include "libmap/machine/shared_files.hpp"
#include "libmap/machine/topology/switches.hpp"
#include "libmap/machine/topology/topology_reader.hpp"

namespace rankmap {
namespace {

constexpr std::array<std::string_view, 2> topology_keys = {"gbps", "slots"};

std::vector<std::string_view> content_lines(const std::string& content) {
  std::vector<std::string_view> lines;
  for (const std::string_view line : split_lines(content))
    if (!trim(line).empty() && trim(line).front() != '#') lines.push_back(trim(line));
  return lines;
}

// The longest beginning, up to a comma, that is a file.
std::string file_in(const std::string& written) {
  for (std::size_t end = written.size(); end > 0; end = written.rfind(',', end - 1)) {
    if (end == written.npos) break;
    if (is_readable_file(written.substr(0, end))) return written.substr(0, end);
  }
  return "";
}

bool looks_like_a_path(const std::string& name) {
  return name.find('/') != name.npos ||
         (name.find(':') == name.npos && name.find('.') != name.npos);
}

NetworkSpec of_topology(const std::string& written, const std::string& path,
                        const std::string& content) {
  NetworkSpec spec;
  const NetworkText keys("switches" + written.substr(path.size()));
  constexpr int most_slots = 1024;
  keys.expect_keys(topology_keys);
  spec.written = written;
  if (keys.value("gbps") != nullptr) spec.speed = keys.bandwidths("gbps", 1)[0];
  spec.slots = keys.integer("slots", 1, most_slots);
  spec.topology = read_switch_topology(content, path);
  return spec;
}

// All that a node sends out at once: its NICs together.
BytesPerSecond injection_of(const NodeModel& model) {
  const Machine one(model, 1);
  BytesPerSecond sum = 0;
  for (LinkId link = 0; link < one.links(); ++link) {
    const LinkRow row = one.link(link);
    if (row.connection == none && row.forward) sum += row.bytes_per_second;
  }
  return sum;
}

void check_slots(const NetworkSpec& network, std::optional<int> slots, const NodeModel& model) {
  if (slots && *slots != model.slots())
    throw UsageError("found " + std::to_string(*slots) + " slots a node in the network " +
                     rankmap::quoted(network.written) + ", expected those of its machine, " +
                     std::to_string(model.slots()));
}

// The hosts of the machine's nodes on a topology.
std::vector<std::string> hosts_on(const NetworkSpec& network, NodeId count,
                                  std::vector<std::string> hosts) {
  const auto wanted = static_cast<std::size_t>(count);
  const std::vector<std::string>& listed = network.topology->hosts;
  if (!hosts.empty() && count != 0 && hosts.size() != wanted)
    throw UsageError("the machine has " + std::to_string(count) + " nodes, but " +
                     std::to_string(hosts.size()) + " hosts were given");
  if (!hosts.empty()) return hosts;
  if (wanted > listed.size())
    throw UsageError("the machine has " + std::to_string(count) + " nodes, but the topology " +
                     rankmap::quoted(network.written) + " lists " + std::to_string(listed.size()));
  const std::size_t taken = count == 0 ? listed.size() : wanted;
  return {listed.begin(), listed.begin() + static_cast<std::ptrdiff_t>(taken)};
}

}  // namespace

NetworkSpec read_network_spec(const std::string& written, const std::string& share_directory) {
  NetworkSpec spec;
  spec.written = written;
  const std::string own = file_in(written);
  const std::string name = own.empty() ? written.substr(0, written.find(',')) : own;
  const std::string path =
      own.empty() ? shared_file(share_directory, "networks", name, ".txt") : own;
  spec.text = written;
  if (path.empty() && looks_like_a_path(name))
    throw UsageError("found no file " + rankmap::quoted(name) +
                     " that can be read, expected a network or a file with one");
  if (path.empty()) return spec;
  const std::string content = read_text(path);
  const std::vector<std::string_view> lines = content_lines(content);
  if (lines.empty())
    throw InputError({path, 0, 0}, "found no network, expected torus:... or another, or switches");
  if (!is_network_text(lines[0])) return of_topology(written, path, content);
  if (lines.size() > 1)
    throw InputError({path, 0, 0}, "found two networks, expected one line and comments");
  spec.text = std::string(lines[0]) + written.substr(name.size());
  return spec;
}

Machine machine_on_switches(NodeModel model, const SwitchTopology& topology,
                            const std::string& text, std::vector<std::string> hosts,
                            BytesPerSecond speed) {
  const SwitchesOptions options{text, speed != 0 ? speed : injection_of(model), speed};
  std::vector<std::string> notes;
  std::shared_ptr<const Network> network = switch_network(topology, hosts, options, notes);
  for (std::string& note : notes) model.warn(std::move(note));
  Machine machine(std::move(model), static_cast<NodeId>(hosts.size()), std::move(network));
  machine.set_hosts(std::move(hosts));
  return machine;
}

Machine machine_on(NodeModel model, NodeId count, const NetworkSpec& network,
                   std::vector<std::string> hosts) {
  if (network.topology) {
    check_slots(network, network.slots, model);
    if (network.topology->flat && hosts.empty() && count > 0)
      return Machine(std::move(model), count);
    hosts = hosts_on(network, count, std::move(hosts));
    return machine_on_switches(std::move(model), *network.topology, network.written,
                               std::move(hosts), network.speed);
  }
  const ParsedNetwork parsed = parse_network(network.text, count);
  check_slots(network, parsed.slots, model);
  Machine machine(std::move(model), count != 0 ? count : parsed.network->nodes(), parsed.network);
  if (!hosts.empty()) machine.set_hosts(std::move(hosts));
  return machine;
}

}  // namespace rankmap
