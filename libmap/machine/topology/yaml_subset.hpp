// The part of YAML that a topology.yaml is written in: lists and mappings by indentation, plain and
// quoted words, [a, b] of words, comments. Everything else is refused by name.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libmap/base/error.hpp"

namespace rankmap {

struct YamlNode {
  enum class Kind { empty, word, list, mapping };
  Kind kind = Kind::empty;
  TextPosition where;
  std::string word;
  std::vector<YamlNode> items;                         // of a list
  std::vector<std::pair<YamlNode, YamlNode>> entries;  // of a mapping; keys are words, each once
  const YamlNode* find(std::string_view key) const;    // nullptr: no such key
};

inline constexpr int deepest_yaml = 32;

// InputError: what is not of that part, indentation that fits nothing, deeper than deepest_yaml.
// O(text).
YamlNode read_yaml_subset(std::string_view text, const std::string& source);

}  // namespace rankmap
