// The set of slots of a mapping on one node.
#include "libmap/model/node_set.hpp"

#include <algorithm>

namespace rankmap {

std::optional<NodeSet> node_set_of(const Machine& machine, const Mapping& mapping,
                                   std::string* reason) {
  const auto refuse = [reason](const char* why) {
    if (reason != nullptr) *reason = why;
    return std::nullopt;
  };
  if (!machine.has_gpus()) return refuse("the machine's slots are not GPUs");
  if (mapping.slot_of.empty()) return refuse("the mapping has no ranks");
  NodeSet set{machine.node_of(mapping.slot_of.front()), {}};
  for (const SlotId slot : mapping.slot_of) {
    if (machine.node_of(slot) != set.node) return refuse("the mapping spans several nodes");
    set.locals.push_back(machine.local_of(slot));
  }
  std::sort(set.locals.begin(), set.locals.end());
  set.locals.erase(std::unique(set.locals.begin(), set.locals.end()), set.locals.end());
  return set;
}

}  // namespace rankmap
