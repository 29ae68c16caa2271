// Joins switches to a tree: children to parents, parents in preorder, hosts at their lowest switch.
#include <algorithm>

#include "libmap/base/ids.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/job/host_list.hpp"
#include "libmap/machine/topology/switch_topology.hpp"

namespace rankmap {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

std::vector<std::string> names_of(std::string_view list, const TextPosition& where) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; };
  if (std::any_of(list.begin(), list.end(), is_control))
    throw InputError(where, "found a control character, expected names of hosts or switches");
  try {
    return expand_host_list(list, "the list");
  } catch (const UsageError& error) {
    throw InputError(where, error.what());
  }
}

// [switch] the last position of its subtree in the preorder.
std::vector<int> ends_of(const std::vector<TopologySwitch>& switches) {
  std::vector<int> ends(switches.size());
  for (std::size_t i = switches.size(); i-- > 0;) {
    ends[i] = std::max(ends[i], static_cast<int>(i));
    if (switches[i].parent == none) continue;
    int& above = ends[at(switches[i].parent)];
    above = std::max(above, ends[i]);
  }
  return ends;
}

}  // namespace

int TopologyBuilder::add_switch(std::string name, const TextPosition& where,
                                std::uint32_t link_speed) {
  if (name.empty()) throw InputError(where, "found no name, expected that of a switch or block");
  if (switches_.size() >= most_switches)
    throw InputError(where, "found more switches than " + std::to_string(most_switches));
  const int number = static_cast<int>(switches_.size());
  const auto [known, is_new] = number_of_.emplace(name, number);
  if (!is_new)
    throw InputError(where, "found " + rankmap::quoted(name) +
                                " again, expected each name once (line " +
                                std::to_string(where_[at(known->second)].line) + ")");
  speed_told_ = speed_told_ || link_speed > 1;
  switches_.push_back({std::move(name), none, std::max<std::uint32_t>(1, link_speed)});
  where_.push_back(where);
  parent_.push_back(none);
  return number;
}

void TopologyBuilder::add_nodes(int at, std::string_view list, const TextPosition& where) {
  nodes_.push_back({at, std::string(list), where});
}

void TopologyBuilder::add_children(int at, std::string_view list, const TextPosition& where) {
  children_.push_back({at, std::string(list), where});
}

void TopologyBuilder::connect() {
  for (const List& list : children_) {
    for (const std::string& name : names_of(list.text, list.where)) {
      const auto child = number_of_.find(name);
      if (child == number_of_.end())
        throw InputError(list.where, "found the switch " + rankmap::quoted(name) +
                                         ", expected one with a line of its own");
      int& parent = parent_[at(child->second)];
      if (parent != none && parent != list.at)
        throw InputError(list.where, "found " + rankmap::quoted(name) + " below " +
                                         rankmap::quoted(switches_[at(list.at)].name) + " and " +
                                         rankmap::quoted(switches_[at(parent)].name) +
                                         ", expected one switch above it");
      parent = list.at;
    }
  }
}

// Several roots: one that no line tells is put above them.
std::vector<int> TopologyBuilder::preorder(const std::string& source) {
  std::vector<int> roots;
  for (std::size_t i = 0; i < parent_.size(); ++i)
    if (parent_[i] == none) roots.push_back(static_cast<int>(i));
  if (roots.size() > 1) {
    std::string name = "top";
    while (number_of_.contains(name)) name += "_";
    const int top = add_switch(name, {source, 0, 0});
    for (const int root : roots) parent_[at(root)] = top;
    roots = {top};
    notes_.push_back("no switch joins all others: one above them is taken");
  }
  std::vector<std::vector<int>> children(switches_.size());
  for (std::size_t i = parent_.size(); i-- > 0;)
    if (parent_[i] != none) children[at(parent_[i])].push_back(static_cast<int>(i));
  std::vector<int> order, open = roots;
  while (!open.empty()) {
    order.push_back(open.back());
    open.pop_back();
    for (const int child : children[at(order.back())]) open.push_back(child);
  }
  if (order.size() == switches_.size()) return order;
  std::vector<bool> seen(switches_.size(), false);
  for (const int number : order) seen[at(number)] = true;
  const auto lost = std::find(seen.begin(), seen.end(), false) - seen.begin();
  throw InputError(where_[at(static_cast<int>(lost))],
                   "found " + rankmap::quoted(switches_[at(static_cast<int>(lost))].name) +
                       " above or below itself, expected a tree");
}

void TopologyBuilder::renumber(const std::vector<int>& order, SwitchTopology& topology) const {
  std::vector<int> position(order.size());
  for (std::size_t p = 0; p < order.size(); ++p) position[at(order[p])] = static_cast<int>(p);
  for (const int number : order) {
    TopologySwitch row = switches_[at(number)];
    const int parent = parent_[at(number)];
    row.parent = parent == none ? none : position[at(parent)];
    topology.switches.push_back(std::move(row));
  }
}

// [list] its hosts.
std::vector<std::vector<std::string>> TopologyBuilder::listed_hosts() const {
  std::vector<std::vector<std::string>> hosts;
  std::size_t listed = 0;
  for (const List& list : nodes_) {
    hosts.push_back(names_of(list.text, list.where));
    listed += hosts.back().size();
    if (listed > most_listed)
      throw InputError(list.where, "found more hosts than " + std::to_string(most_listed));
  }
  return hosts;
}

// Listed at several switches, a host is at the lowest of one line of them; of switches side by side
// the first counts.
void TopologyBuilder::seat_hosts(const std::vector<int>& order, SwitchTopology& topology) {
  std::vector<int> position(order.size());
  for (std::size_t p = 0; p < order.size(); ++p) position[at(order[p])] = static_cast<int>(p);
  const std::vector<int> ends = ends_of(topology.switches);
  std::vector<std::vector<std::string>> hosts = listed_hosts();
  std::size_t twice = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const int here = position[at(nodes_[i].at)];
    for (std::string& host : hosts[i]) {
      const auto [known, is_new] = topology.switch_of.emplace(host, here);
      int& there = known->second;
      if (is_new)
        topology.hosts.push_back(std::move(host));
      else if (there <= here && here <= ends[at(there)])
        there = here;
      else if (there < here || there > ends[at(here)])
        ++twice;
    }
  }
  if (twice > 0)
    notes_.push_back("hosts are listed at several switches " + std::to_string(twice) +
                     " times: the first of them counts");
}

SwitchTopology TopologyBuilder::build(const std::string& source) && {
  SwitchTopology topology;
  if (switches_.empty())
    throw InputError({source, 0, 0},
                     "found no switch and no block, expected SwitchName= or BlockName=");
  connect();
  const std::vector<int> order = preorder(source);
  renumber(order, topology);
  seat_hosts(order, topology);
  if (topology.hosts.empty())
    throw InputError({source, 0, 0}, "found no host at any switch, expected Nodes=");
  if (switches_.size() > 1)
    notes_.push_back(
        speed_told_
            ? "LinkSpeed is taken as a number of links, each as fast as all NICs of a node"
            : "no LinkSpeed: the link above a switch is taken as fast as all NICs of a node");
  topology.notes = std::move(notes_);
  return topology;
}

}  // namespace rankmap
