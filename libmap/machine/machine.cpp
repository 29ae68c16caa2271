#include "libmap/machine/machine.hpp"

#include <algorithm>
#include <set>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/complete_model.hpp"

namespace rankmap {
namespace {

constexpr std::int64_t most_slots = std::int64_t{1} << 24;
constexpr std::int64_t most_links = std::int64_t{1} << 28;

std::shared_ptr<const NodeModel> completed(NodeModel model) {
  check_tables(model);
  complete_tree(model);
  check_joined(model);
  return std::make_shared<NodeModel>(std::move(model));
}

// The identity that names a GPU wherever it is renumbered: the uuid of a MIG instance, else the bus
// id.
std::string gpu_id_of(const Gpu& gpu) {
  const bool instance = gpu.uuid.starts_with("MIG-");
  return instance || gpu.bus_id.empty() ? gpu.uuid : gpu.bus_id;
}

// The hub from which a node without known NICs meets the network: the system hub, else any hub of the
// tree; none on a bare network.
VertexId root_hub(const NodeModel& model) {
  VertexId root = none;
  for (std::size_t hub = 0; !model.bare && hub < model.hubs.size(); ++hub) {
    const HubKind kind = model.hubs[hub].kind;
    if (kind == HubKind::system) return model.hub_vertex(hub);
    if (root == none && kind != HubKind::link_switch) root = model.hub_vertex(hub);
  }
  return root;
}

int nic_of_hub(const NodeModel& model, const Hub& hub) {
  for (std::size_t nic = 0; nic < model.nics.size(); ++nic)
    if ("nic:" + model.nics[nic].name == hub.name) return static_cast<int>(nic);
  return none;
}

// As fast as the NIC is known to be, else as its widest connection to the node.
BytesPerSecond port_speed(const NodeModel& model, int nic, VertexId hub) {
  if (nic != none && model.nics[static_cast<std::size_t>(nic)].bytes_per_second != 0)
    return model.nics[static_cast<std::size_t>(nic)].bytes_per_second;
  BytesPerSecond widest = 0;
  for (const Connection& row : model.connections)
    if (row.a == hub || row.b == hub) widest = std::max(widest, row.bytes_per_second);
  return widest != 0 ? widest : from_gbps(assumed_nic_gbps);
}

}  // namespace

Machine::Machine(NodeModel model, NodeId count, std::shared_ptr<const Network> network)
    : name_(model.name), nodes_(count), network_(std::move(network)) {
  model_ = completed(std::move(model));
  if (count < 1 || static_cast<std::int64_t>(count) * model_->slots() > most_slots)
    throw UsageError("a machine has at least one node and at most 2^24 slots");
  if (count > 1 && network_ == nullptr) network_ = flat_network(count);
  if (network_ != nullptr && network_->nodes() != count)
    throw UsageError("the network " + quoted(network_->text()) + " has " +
                     std::to_string(network_->nodes()) + " endpoints, but the machine has " +
                     std::to_string(count) + " nodes");
  tree_ = TreeRoutes(*model_);
  build_ports();
  build_pairs();
  build_ways();
  build_rows();
  uniform_ = all_alike();
  links_per_node_ = static_cast<LinkId>(2 * (model_->connections.size() + ports_.size()));
  const std::int64_t all =
      std::int64_t{nodes_} * links_per_node_ + (network_ ? std::int64_t{network_->links()} : 0);
  if (all > most_links)
    throw UsageError("the machine " + quoted(name_) + " has " + std::to_string(all) +
                     " links, expected at most " + std::to_string(most_links));
  links_ = static_cast<LinkId>(all);
  build_bandwidths();
}

// One port a node; one a slot where the slots meet a switch domain; none on a torus.
void Machine::build_bare_ports() {
  const int slots = model_->slots();
  const BytesPerSecond told = network_ ? network_->port_bytes_per_second() : 0;
  const bool each = network_ != nullptr && network_->switch_domain() > 0;
  const bool any = network_ == nullptr || !network_->direct();
  for (int port = 0; any && port < (each ? slots : 1); ++port)
    ports_.push_back({none, none, told != 0 ? told : from_gbps(assumed_nic_gbps)});
  for (int slot = 0; slot < slots; ++slot) port_of_.push_back(any ? (each ? slot : 0) : none);
  nic_of_.assign(static_cast<std::size_t>(slots), none);
}

void Machine::build_ports() {
  if (model_->bare) return build_bare_ports();
  for (std::size_t hub = 0; hub < model_->hubs.size(); ++hub) {
    if (model_->hubs[hub].kind != HubKind::nic) continue;
    const int nic = nic_of_hub(*model_, model_->hubs[hub]);
    const VertexId vertex = model_->hub_vertex(hub);
    ports_.push_back({vertex, nic, port_speed(*model_, nic, vertex)});
  }
  if (ports_.empty()) ports_.push_back({root_hub(*model_), none, from_gbps(assumed_nic_gbps)});
  for (int slot = 0; slot < model_->slots(); ++slot) {
    port_of_.push_back(nearest_port(slot));
    nic_of_.push_back(ports_[static_cast<std::size_t>(port_of_.back())].nic);
  }
}

// The port of the NIC that the GPU's row names, else the one with the fewest links on the way.
int Machine::nearest_port(int slot) const {
  const int wish = has_gpus() ? model_->gpus[static_cast<std::size_t>(slot)].nic : none;
  int nearest = 0;
  std::size_t fewest = ~std::size_t{0};
  for (std::size_t port = 0; port < ports_.size(); ++port) {
    if (wish != none && ports_[port].nic == wish) return static_cast<int>(port);
    if (ports_[port].vertex == none) continue;
    std::vector<LinkId> way;
    append_tree_way(slot, ports_[port].vertex, way);
    if (way.empty() || way.size() >= fewest) continue;
    fewest = way.size();
    nearest = static_cast<int>(port);
  }
  return nearest;
}

void Machine::build_rows() {
  const std::vector<SlotCores> cores = near_cores(*model_, near_cores_);
  rows_.clear();
  for (std::size_t i = 0; i < cores.size(); ++i) {
    SlotRow row{};
    row.local = static_cast<int>(i);
    row.cpus = cores[i].cpus;
    row.cores = cores[i].cores;
    row.gpu = none;
    row.numa = has_gpus() ? model_->gpus[i].numa : model_->cores[i].numa;
    int nic = nic_of_[i];
    if (has_gpus()) {
      const Gpu& gpu = model_->gpus[i];
      row.gpu = gpu.uuid.starts_with("MIG-") && gpu.device != none ? gpu.device : row.local;
      row.gpu_id = gpu_id_of(gpu);
      nic = gpu.nic != none ? gpu.nic : nic;
    }
    if (nic != none) row.nic = model_->nics[static_cast<std::size_t>(nic)].name;
    rows_.push_back(std::move(row));
  }
}

void Machine::set_hosts(std::vector<std::string> hosts) {
  if (hosts.size() != static_cast<std::size_t>(nodes_))
    throw UsageError("the machine has " + std::to_string(nodes_) + " nodes, but " +
                     std::to_string(hosts.size()) + " hosts were given");
  std::set<std::string> different;
  for (const std::string& host : hosts) {
    if (host.empty() || host.find_first_of(" \t\r\n*") != std::string::npos)
      throw UsageError("found the host name " + quoted(host) + ", expected one without blanks");
    if (!different.insert(host).second)
      throw UsageError("the host " + quoted(host) + " was given twice");
  }
  hosts_ = std::move(hosts);
}

void Machine::set_near_cores(NearCores policy) {
  near_cores_ = policy;
  build_rows();
}

std::string Machine::host(NodeId node) const {
  if (!hosts_.empty()) return hosts_[static_cast<std::size_t>(node)];
  return nodes_ == 1 ? std::string("*") : "node" + std::to_string(node);
}

SlotRow Machine::slot(SlotId slot) const {
  SlotRow row = rows_[static_cast<std::size_t>(local_of(slot))];
  row.node = node_of(slot);
  row.host = host(row.node);
  return row;
}

LinkRow Machine::link(LinkId link) const {
  const LinkId inner = nodes_ * links_per_node_;
  if (link >= inner) {
    const NetworkLink row = network_->link(link - inner);
    return {row.kind, row.bytes_per_second, none, none, true};
  }
  const NodeId node = link / links_per_node_;
  const std::int32_t index = (link % links_per_node_) / 2;
  const bool forward = link % 2 == 0;
  const auto connections = static_cast<std::int32_t>(model_->connections.size());
  if (index >= connections) {
    const Port& port = ports_[static_cast<std::size_t>(index - connections)];
    return {LinkKind::nic, port.bytes_per_second, node, none, forward};
  }
  const Connection& row = model_->connections[static_cast<std::size_t>(index)];
  return {row.kind, row.bytes_per_second, node, index, forward};
}

std::string Machine::link_name(LinkId link) const {
  const LinkRow row = this->link(link);
  if (row.node == none) return network_->link_name(link - nodes_ * links_per_node_);
  const std::string where = nodes_ == 1 && hosts_.empty() ? "" : host(row.node) + ":";
  if (row.connection == none) {
    const auto connections = static_cast<std::int32_t>(model_->connections.size());
    const auto port = static_cast<std::size_t>((link % links_per_node_) / 2 - connections);
    const VertexId vertex = ports_[port].vertex;
    const std::string number = ports_.size() > 1 ? std::to_string(port) : "";
    const std::string name = vertex == none ? "port" + number : model_->vertex_name(vertex);
    return where + name + (row.forward ? " out" : " in");
  }
  const Connection& connection = model_->connections[static_cast<std::size_t>(row.connection)];
  return where + model_->vertex_name(row.forward ? connection.a : connection.b) + ">" +
         model_->vertex_name(row.forward ? connection.b : connection.a) + " " + name_of(row.kind);
}

}  // namespace rankmap
