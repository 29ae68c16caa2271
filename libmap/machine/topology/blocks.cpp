#include "libmap/machine/topology/blocks.hpp"

#include <algorithm>
#include <bit>

namespace rankmap {
namespace {

// One switch above each `count` of the switches in a row; what they are called is ours.
std::vector<int> put_above(const std::vector<int>& below, std::size_t count,
                           const std::string& name, TopologyBuilder& switches,
                           const TextPosition& where) {
  std::vector<int> above;
  for (std::size_t i = 0; i < below.size(); ++i) {
    if (i % count == 0)
      above.push_back(switches.add_switch(name + "." + std::to_string(i / count), where));
    switches.set_parent(below[i], above.back());
  }
  return above;
}

}  // namespace

void Blocks::add_size(std::uint32_t nodes, const TextPosition& where) {
  const auto place = std::lower_bound(sizes.begin(), sizes.end(), nodes,
                                      [](const Size& a, std::uint32_t b) { return a.nodes < b; });
  if (place == sizes.end() || place->nodes != nodes) sizes.insert(place, {nodes, where});
}

void Blocks::join(TopologyBuilder& switches, const std::string& source) const {
  if (members.empty() && sizes.empty()) return;
  if (members.empty())
    throw InputError(sizes[0].where, "found sizes of blocks, expected BlockName= beside them");
  if (switches.size() != members.size())
    throw InputError({source, 0, 0}, "found switches and blocks, expected either");
  std::vector<int> below = members;
  std::uint32_t joined = 1;  // blocks in each of `below`
  for (const Size& size : sizes) {
    const std::uint32_t blocks = size.nodes / sizes[0].nodes;
    if (size.nodes % sizes[0].nodes != 0 || !std::has_single_bit(blocks))
      throw InputError(size.where, "found the size " + std::to_string(size.nodes) +
                                       ", expected a power of two times " +
                                       std::to_string(sizes[0].nodes));
    if (blocks == joined || below.size() <= blocks / joined) continue;
    below = put_above(below, blocks / joined, "blocks of " + std::to_string(size.nodes), switches,
                      size.where);
    joined = blocks;
  }
  if (below.size() > 1) {
    const int top = switches.add_switch("all blocks", {source, 0, 0});
    for (const int block : below) switches.set_parent(block, top);
  }
  switches.note("blocks are taken as switches");
}

}  // namespace rankmap
