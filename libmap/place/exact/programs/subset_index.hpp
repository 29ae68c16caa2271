// Subsets of up to 16 seats as bit masks, numbered within their size: rows of dynamic programs.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace rankmap {

inline constexpr int most_seats = 16;  // width of a mask and of a row
using SeatSet = std::uint32_t;

// Binomial coefficients up to 16.
constexpr std::array<std::array<std::uint32_t, most_seats + 2>, most_seats + 1> binomials() {
  std::array<std::array<std::uint32_t, most_seats + 2>, most_seats + 1> table{};
  for (std::size_t n = 0; n <= most_seats; ++n) {
    table[n][0] = 1;
    for (std::size_t k = 1; k <= n; ++k)
      table[n][k] = table[n - 1][k - 1] + (k <= n - 1 ? table[n - 1][k] : 0);
  }
  return table;
}
inline constexpr auto binomial_table = binomials();
constexpr std::size_t choose(int n, int k) {
  return k < 0 || k > n ? 0
                        : binomial_table[static_cast<std::size_t>(n)][static_cast<std::size_t>(k)];
}

// The colexicographic rank of a set among those of its size is the sum over its i-th smallest element
// b (i from 1) of choose(b, i); it splits into a part of the low byte and a part of the high byte.
struct SubsetRanks {
  std::array<std::uint16_t, 256> low{};
  std::array<std::array<std::uint16_t, 256>, 9> high{};
};
constexpr SubsetRanks subset_ranks() {
  SubsetRanks ranks{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    for (std::size_t before = 0; before < 9; ++before) {
      std::size_t low = 0, high = 0, place = 0;
      for (std::size_t bit = 0; bit < 8; ++bit) {
        if ((byte >> bit & 1) == 0) continue;
        ++place;
        if (place <= bit) low += binomial_table[bit][place];
        const std::size_t element = bit + 8, position = place + before;
        if (position <= element) high += binomial_table[element][position];
      }
      ranks.low[byte] = static_cast<std::uint16_t>(low);
      ranks.high[before][byte] = static_cast<std::uint16_t>(high);
    }
  }
  return ranks;
}
inline constexpr SubsetRanks subset_rank_table = subset_ranks();

inline std::size_t rank_of(SeatSet set) {
  const SeatSet low = set & 255;
  return static_cast<std::size_t>(subset_rank_table.low[low]) +
         subset_rank_table.high[static_cast<std::size_t>(std::popcount(low))][set >> 8];
}

// Calls visit(set) for the subsets of {0..n-1} of one size in colexicographic order: rank 0, 1, ...
template <typename Visit>
void for_each_subset(int n, int size, Visit visit) {
  if (size > n) return;
  if (size == 0) return visit(SeatSet{0});
  const SeatSet end = SeatSet{1} << n;
  for (SeatSet set = (SeatSet{1} << size) - 1; set < end;) {
    visit(set);
    const SeatSet lowest = set & (~set + 1);  // Gosper's next set of the same size
    const SeatSet ripple = set + lowest;
    set = ripple | (((set ^ ripple) >> 2) / lowest);
  }
}

template <typename Visit>
void for_each_member(SeatSet set, Visit visit) {
  for (; set != 0; set &= set - 1) visit(std::countr_zero(set));
}

}  // namespace rankmap
