// Slurm's topology.yaml: a list of topologies, each a tree, blocks, or flat.
#include <algorithm>
#include <array>
#include <span>

#include "libmap/base/ids.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/topology/blocks.hpp"
#include "libmap/machine/topology/topology_reader.hpp"
#include "libmap/machine/topology/yaml_subset.hpp"

namespace rankmap {
namespace {

using Keys = std::span<const std::string_view>;
using Kind = YamlNode::Kind;

[[noreturn]] void refuse(const YamlNode& node, const std::string& expected) {
  const std::array names = {"nothing", "", "a list", "a mapping"};
  const std::string found = node.kind == Kind::word ? rankmap::quoted(node.word)
                                                    : names[static_cast<std::size_t>(node.kind)];
  throw InputError(node.where, "found " + found + ", expected " + expected);
}

const YamlNode& of_kind(const YamlNode& node, Kind kind, const std::string& expected) {
  if (node.kind != kind) refuse(node, expected);
  return node;
}

// A mapping with no other keys than these.
void check_keys(const YamlNode& node, Keys known) {
  of_kind(node, Kind::mapping,
          "KEY: VALUE with the keys " + join({known.begin(), known.end()}, ", "));
  for (const auto& [key, value] : node.entries)
    if (std::find(known.begin(), known.end(), key.word) == known.end())
      refuse(key, "one of the keys " + join({known.begin(), known.end()}, ", "));
}

const YamlNode& needed(const YamlNode& node, std::string_view key) {
  const YamlNode* const value = node.find(key);
  if (value == nullptr)
    throw InputError(node.where, "found no " + rankmap::quoted(key) + " here, expected one");
  return *value;
}

const std::string& word_of(const YamlNode& node, const std::string& expected) {
  return of_kind(node, Kind::word, expected).word;
}

bool is_true(const YamlNode* node) {
  if (node == nullptr) return false;
  const std::string word = to_lower(word_of(*node, "true or false"));
  const auto is = [&](std::string_view a, std::string_view b) { return word == a || word == b; };
  if (!is("true", "yes") && !is("false", "no")) refuse(*node, "true or false");
  return is("true", "yes");
}

constexpr std::array<std::string_view, 5> topology_keys = {"topology", "cluster_default", "tree",
                                                           "block", "flat"};
constexpr std::array<std::string_view, 1> tree_keys = {"switches"};
constexpr std::array<std::string_view, 3> switch_keys = {"switch", "children", "nodes"};
constexpr std::array<std::string_view, 2> blocks_keys = {"block_sizes", "blocks"};
constexpr std::array<std::string_view, 2> block_keys = {"block", "nodes"};

int add_named(const YamlNode& row, std::string_view key, TopologyBuilder& builder) {
  const YamlNode& name = needed(row, key);
  const int at = builder.add_switch(word_of(name, "a name"), name.where);
  if (const YamlNode* const nodes = row.find("nodes"))
    builder.add_nodes(at, word_of(*nodes, "hosts as in n[01-04]"), nodes->where);
  return at;
}

SwitchTopology tree_of(const YamlNode& tree, const std::string& source) {
  TopologyBuilder builder;
  check_keys(tree, tree_keys);
  const YamlNode& switches = of_kind(needed(tree, "switches"), Kind::list, "a list of switches");
  for (const YamlNode& row : switches.items) {
    check_keys(row, switch_keys);
    const int at = add_named(row, "switch", builder);
    if (const YamlNode* const below = row.find("children"))
      builder.add_children(at, word_of(*below, "switches as in s[1-4]"), below->where);
  }
  return std::move(builder).build(source);
}

void add_size(const YamlNode& size, Blocks& blocks) {
  const auto nodes = parse_unsigned(word_of(size, "a number of nodes"));
  if (!nodes || *nodes < 1 || *nodes > UINT32_MAX) refuse(size, "a whole number from 1");
  blocks.add_size(static_cast<std::uint32_t>(*nodes), size.where);
}

SwitchTopology blocks_of(const YamlNode& block, const std::string& source) {
  TopologyBuilder builder;
  Blocks blocks;
  check_keys(block, blocks_keys);
  const YamlNode& rows = of_kind(needed(block, "blocks"), Kind::list, "a list of blocks");
  for (const YamlNode& row : rows.items) {
    check_keys(row, block_keys);
    blocks.members.push_back(add_named(row, "block", builder));
  }
  if (const YamlNode* const sizes = block.find("block_sizes")) {
    if (sizes->kind == Kind::word)
      add_size(*sizes, blocks);
    else
      for (const YamlNode& size : of_kind(*sizes, Kind::list, "a list of sizes").items)
        add_size(size, blocks);
  }
  blocks.join(builder, source);
  return std::move(builder).build(source);
}

SwitchTopology topology_of(const YamlNode& one, const std::string& source) {
  const YamlNode* const tree = one.find("tree");
  const YamlNode* const block = one.find("block");
  const bool flat = is_true(one.find("flat"));
  if ((tree != nullptr) + (block != nullptr) + flat != 1)
    throw InputError(
        one.where,
        "found " + std::string(tree == nullptr && block == nullptr ? "no kind" : "several kinds") +
            " of a topology, expected one of tree, block, flat: true");
  if (tree != nullptr) return tree_of(*tree, source);
  if (block != nullptr) return blocks_of(*block, source);
  SwitchTopology topology;
  topology.flat = true;
  topology.switches.push_back({"flat", none, 1});
  return topology;
}

// The first cluster_default, else the first.
std::size_t chosen(const YamlNode& all) {
  for (std::size_t i = 0; i < all.items.size(); ++i)
    if (is_true(all.items[i].find("cluster_default"))) return i;
  return 0;
}

}  // namespace

SwitchTopology read_topology_yaml(std::string_view text, const std::string& source) {
  const YamlNode all = read_yaml_subset(text, source);
  of_kind(all, Kind::list, "a list of topologies, each as in `- topology: NAME`");
  for (const YamlNode& one : all.items) {
    check_keys(one, topology_keys);
    word_of(needed(one, "topology"), "a name");
  }
  if (all.items.empty()) throw InputError({source, 0, 0}, "found no topology, expected one");
  const YamlNode& one = all.items[chosen(all)];
  SwitchTopology topology = topology_of(one, source);
  if (all.items.size() > 1)
    topology.notes.push_back("of " + std::to_string(all.items.size()) + " topologies " +
                             rankmap::quoted(needed(one, "topology").word) + " is taken");
  return topology;
}

SwitchTopology read_switch_topology(std::string_view text, const std::string& source) {
  for (const std::string_view line : split_lines(text)) {
    const std::string_view content = trim(line);
    if (content.empty() || content.front() == '#') continue;
    return content.front() == '-' ? read_topology_yaml(text, source)
                                  : read_topology_conf(text, source);
  }
  throw InputError({source, 0, 0}, "the text is empty, expected lines of switches or blocks");
}

}  // namespace rankmap
