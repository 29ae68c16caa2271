// Cuts of a part of a box into a grid of children; whatever it was cut into before is forgotten.
// With fewer divisors than dimensions the trailing ones stay whole. UsageError: more divisors than
// dimensions, or a divisor below 1 or above the extent (there are no empty children).
#pragma once

#include <cstdint>
#include <span>

#include "libmap/place/box/box.hpp"

namespace rankmap {

enum class Slicing {
  div,  // pieces of floor(extent / divisor) neighbours, the last takes the remainder
  mod,  // piece i is i, i + divisor, i + 2 x divisor ...
};

// One slicing a divisor. O(children).
void cut(BoxView& view, std::span<const std::int64_t> divisors, std::span<const Slicing> how);
void cut(BoxView& view, std::span<const std::int64_t> divisors, Slicing how);

// Pieces of these sizes; sizes that are not given are 1. UsageError: a size below 1, above the
// extent, or one that does not divide it; with `uneven` that is div by the number of whole pieces,
// and a part in which no piece finds room stays whole.
void tile(BoxView& view, std::span<const std::int64_t> sizes, bool uneven);

}  // namespace rankmap
