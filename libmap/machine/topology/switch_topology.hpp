// The switches above the nodes of a cluster, as its administrator told them to the resource manager.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "libmap/base/error.hpp"

namespace rankmap {

struct TopologySwitch {
  std::string name;
  int parent;                // none: the root
  std::uint32_t link_speed;  // of the link to the parent, from 1, in the file's own unit
};

// A rooted tree of switches with hosts at any of them.
struct SwitchTopology {
  std::vector<TopologySwitch> switches;  // in preorder: [0] is the root, subtrees stand together
  std::vector<std::string> hosts;        // as written, each once
  std::unordered_map<std::string, int> switch_of;  // of each host
  bool flat = false;               // the file says that nothing is known: one switch, no hosts
  std::vector<std::string> notes;  // for people: what was assumed
};

// Builds a topology out of what the lines of a file say, in any order. Lists are Slurm's, n[01-04,07].
class TopologyBuilder {
 public:
  static constexpr std::size_t most_switches = std::size_t{1} << 20;
  static constexpr std::size_t most_listed = std::size_t{1} << 20;  // hosts in all lists together

  // The new switch's number. InputError: no name, a name that is there, too many. link_speed 0: not told.
  int add_switch(std::string name, const TextPosition& where, std::uint32_t link_speed = 0);
  // Hosts of the switch itself or of switches below it: `scontrol show topology` repeats them above.
  void add_nodes(int at, std::string_view list, const TextPosition& where);
  // Switches by name, which may follow later.
  void add_children(int at, std::string_view list, const TextPosition& where);
  void set_parent(int child, int parent) { parent_[static_cast<std::size_t>(child)] = parent; }
  void note(std::string text) { notes_.push_back(std::move(text)); }
  std::size_t size() const { return switches_.size(); }

  // InputError: lists that are none, a child that is no switch or has two parents, a cycle, no hosts.
  // Several roots get one above them. O(switches + hosts listed).
  SwitchTopology build(const std::string& source) &&;

 private:
  struct List {
    int at;
    std::string text;
    TextPosition where;
  };
  void connect();
  std::vector<int> preorder(const std::string& source);
  void renumber(const std::vector<int>& order, SwitchTopology& topology) const;
  std::vector<std::vector<std::string>> listed_hosts() const;
  void seat_hosts(const std::vector<int>& order, SwitchTopology& topology);

  std::vector<TopologySwitch> switches_;
  std::vector<TextPosition> where_;
  std::vector<int> parent_;
  std::unordered_map<std::string, int> number_of_;
  std::vector<List> nodes_;
  std::vector<List> children_;
  std::vector<std::string> notes_;
  bool speed_told_ = false;
};

}  // namespace rankmap
