#include "topology_texts.hpp"

#include "libmap/base/ids.hpp"
#include "libmap/machine/topology/topology_reader.hpp"

namespace rankmap::test {

std::string ways_up(const SwitchTopology& topology) {
  std::string text;
  for (const std::string& host : topology.hosts) {
    text += host;
    for (int at = topology.switch_of.at(host); at != none;) {
      const TopologySwitch& row = topology.switches[static_cast<std::size_t>(at)];
      text += " " + row.name;
      at = row.parent;
    }
    text += "\n";
  }
  return text;
}

std::string refusal_of(const std::string& text) {
  try {
    read_switch_topology(text, "file");
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace rankmap::test
