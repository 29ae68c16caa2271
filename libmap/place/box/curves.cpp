// Orders of the cells of a part along a curve that keeps near cells together.
#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "libmap/base/error.hpp"
#include "libmap/place/box/moves.hpp"

namespace rankmap {
namespace {

using Place = std::array<std::uint32_t, most_box_dimensions>;

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

int bits_of(Rank extent) {
  return std::bit_width(static_cast<std::uint32_t>(extent - 1));
}

// The k-th rank of the row-major order to the cell with the k-th smallest code.
template <typename CodeOf>
void move_along(Box& box, const BoxView& view, const CodeOf& code_of) {
  std::vector<Rank> ranks;
  std::vector<std::pair<std::uint64_t, Rank>> curve;
  ranks.reserve(at(view.cells()));
  curve.reserve(at(view.cells()));
  Place place{};
  for_each_cell(view, [&](Rank cell) {
    ranks.push_back(box.rank_at[at(cell)]);
    curve.emplace_back(code_of(place), cell);
    for (std::size_t d = view.dimensions; d-- > 0;) {
      if (++place[d] < static_cast<std::uint32_t>(view.extents[d])) break;
      place[d] = 0;
    }
  });
  std::sort(curve.begin(), curve.end());
  for (std::size_t k = 0; k < curve.size(); ++k) box.rank_at[at(curve[k].second)] = ranks[k];
}

// Skilling, Programming the Hilbert curve, AIP Conference Proceedings 707, 2004: first the
// coordinates become the index with its bits dealt over the dimensions, the highest first.
void to_hilbert(Place& x, std::size_t dimensions, int bits) {
  const std::uint32_t highest = std::uint32_t{1} << (bits - 1);
  for (std::uint32_t bit = highest; bit > 1; bit >>= 1) {
    const std::uint32_t below = bit - 1;
    for (std::size_t i = 0; i < dimensions; ++i) {
      if ((x[i] & bit) != 0) {
        x[0] ^= below;
      } else {
        const std::uint32_t different = (x[0] ^ x[i]) & below;
        x[0] ^= different;
        x[i] ^= different;
      }
    }
  }
  for (std::size_t i = 1; i < dimensions; ++i) x[i] ^= x[i - 1];
  std::uint32_t flip = 0;
  for (std::uint32_t bit = highest; bit > 1; bit >>= 1)
    if ((x[dimensions - 1] & bit) != 0) flip ^= bit - 1;
  for (std::size_t i = 0; i < dimensions; ++i) x[i] ^= flip;
}

}  // namespace

// Bits that no coordinate has are left out: the order stays, and the code fits in the bits of the
// cells.
void zorder(Box& box, const BoxView& view) {
  struct Bit {
    std::size_t dimension;
    int bit;
  };
  std::vector<Bit> lowest_first;
  for (int bit = 0; bit < 32; ++bit)
    for (std::size_t d = 0; d < view.dimensions; ++d)
      if (bit < bits_of(view.extents[d])) lowest_first.push_back({d, bit});
  move_along(box, view, [&](const Place& place) {
    std::uint64_t code = 0;
    for (std::size_t i = 0; i < lowest_first.size(); ++i)
      code |= std::uint64_t{place[lowest_first[i].dimension] >> lowest_first[i].bit & 1} << i;
    return code;
  });
}

void hilbert(Box& box, const BoxView& view) {
  int bits = 1;
  for (std::size_t d = 0; d < view.dimensions; ++d) bits = std::max(bits, bits_of(view.extents[d]));
  constexpr std::size_t most_bits = 64;
  if (view.dimensions * at(bits) > most_bits)
    throw UsageError(
        "a Hilbert curve needs dimensions x bits of the largest extent of at most 64, " +
        std::string("found ") + std::to_string(view.dimensions) + " x " + std::to_string(bits));
  move_along(box, view, [&](Place place) {
    to_hilbert(place, view.dimensions, bits);
    std::uint64_t code = 0;
    for (int bit = bits - 1; bit >= 0; --bit)
      for (std::size_t d = 0; d < view.dimensions; ++d) code = code << 1 | (place[d] >> bit & 1);
    return code;
  });
}

}  // namespace rankmap
