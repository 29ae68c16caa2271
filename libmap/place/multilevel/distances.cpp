#include "libmap/place/multilevel/distances.hpp"

#include <limits>

namespace rankmap {

TreeDistance::TreeDistance(std::vector<int> arity, std::vector<Weight> distance)
    : distance_(std::move(distance)) {
  constexpr Block largest_table = 1024;  // 4 MiB
  constexpr Weight largest_entry = std::numeric_limits<std::int32_t>::max();
  for (const int children : arity) group_size_.push_back(blocks_ *= children);
  if (blocks_ > largest_table || distance_.back() > largest_entry) return;
  std::vector<std::int32_t> table;
  table.reserve(static_cast<std::size_t>(blocks_) * static_cast<std::size_t>(blocks_));
  for (Block a = 0; a < blocks_; ++a)
    for (Block b = 0; b < blocks_; ++b) table.push_back(static_cast<std::int32_t>(by_levels(a, b)));
  table_ = std::move(table);
}

}  // namespace rankmap
