// The value of a set of slots under ring, tree and preserved, and a cheap limit of it.
#pragma once

#include <optional>
#include <vector>

#include "libmap/place/exact/instance.hpp"

namespace rankmap {

struct SetValue {
  std::optional<double> value;
  std::optional<double> limit;  // >= value; equal when proven
  bool proven = true;
};

// `set`: slots of the instance, all of one node.
SetValue set_value(const Instance& instance, const std::vector<int>& set);
// >= the value; nullopt exactly where the set has no value.
std::optional<double> set_limit(const Instance& instance, const std::vector<int>& set);

}  // namespace rankmap
