// The operations of box scripts, a row each.
#pragma once

#include <span>

#include "libmap/place/box/arguments.hpp"
#include "libmap/place/box/box.hpp"

namespace rankmap {

struct BoxOperation {
  const char* name;
  const char* arguments;  // for help and errors
  const char* summary;
  bool cuts;  // changes the tree, not the ranks
  void (*run)(Box& box, BoxView& view, const BoxArguments& arguments);
};

std::span<const BoxOperation> box_operations();

}  // namespace rankmap
