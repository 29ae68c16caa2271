#include "libmap/place/multilevel/distances.hpp"

#include <limits>

namespace rankmap {

TreeDistance::TreeDistance(std::vector<int> arity, std::vector<Weight> distance)
    : distance_(std::move(distance)) {
  constexpr Block largest_table = 1024;  // 4 MiB
  constexpr Weight largest_entry = std::numeric_limits<std::int32_t>::max();
  for (const int children : arity) group_size_.push_back(blocks_ *= children);
  if (blocks_ > largest_table || distance_.back() > largest_entry) {
    make_codes(arity);
    return;
  }
  std::vector<std::int32_t> table;
  table.reserve(static_cast<std::size_t>(blocks_) * static_cast<std::size_t>(blocks_));
  for (Block a = 0; a < blocks_; ++a)
    for (Block b = 0; b < blocks_; ++b) table.push_back(static_cast<std::int32_t>(by_levels(a, b)));
  table_ = std::move(table);
}

void TreeDistance::make_codes(const std::vector<int>& arity) {
  std::vector<int> bits;
  int used = 0;
  for (std::size_t level = 0; level < arity.size(); ++level) {
    bits.push_back(std::bit_width(static_cast<unsigned>(arity[level] - 1)));
    for (int bit = 0; bit < bits[level]; ++bit)
      if (++used <= 32) by_bits_[static_cast<std::size_t>(used)] = distance_[level];
  }
  if (used > 32) return;
  code_.reserve(static_cast<std::size_t>(blocks_));
  for (Block block = 0; block < blocks_; ++block) {
    Block rest = block;
    std::uint64_t code = 0;
    int shift = 0;
    for (std::size_t level = 0; level < arity.size(); ++level) {
      code |= static_cast<std::uint64_t>(rest % arity[level]) << shift;
      shift += bits[level];
      rest /= arity[level];
    }
    code_.push_back(static_cast<std::uint32_t>(code));
  }
}

}  // namespace rankmap
