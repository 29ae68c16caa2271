// Sorting of many rows by an integer key, in place.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace rankmap {

inline constexpr unsigned radix_bits = 8;  // so few that the ends of all buckets stay in the cache

// Where each bucket of the digit above `shift` begins, and the end of the last.
template <typename Row, typename KeyOf>
std::array<std::size_t, (1U << radix_bits) + 1> bucket_begins(std::span<const Row> rows,
                                                              unsigned shift, KeyOf key_of) {
  std::array<std::size_t, (1U << radix_bits) + 1> begin{};
  for (const Row& row : rows) ++begin[(key_of(row) >> shift & ((1U << radix_bits) - 1)) + 1];
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  return begin;
}

// Orders by `less`, whose first criterion is key_of(row), an integer of `bits` bits (it need not be
// the only one). Moves every row to its bucket along the cycles of the permutation, digit by digit
// from the highest (American flag sort: McIlroy, Bostic, McIlroy 1993); few rows are sorted by
// comparison. O(rows * bits), but for rows of equal keys; no memory.
template <typename Row, typename KeyOf, typename Less>
void radix_sort(std::span<Row> rows, unsigned bits, KeyOf key_of, Less less) {
  constexpr std::size_t few = 48;
  if (rows.size() <= few || bits == 0) return std::sort(rows.begin(), rows.end(), less);
  const unsigned shift = bits > radix_bits ? bits - radix_bits : 0;
  const auto begin = bucket_begins(std::span<const Row>(rows), shift, key_of);
  const auto bucket_of = [&](const Row& row) {
    return static_cast<std::size_t>(key_of(row) >> shift & ((1U << radix_bits) - 1));
  };
  auto next = begin;
  for (std::size_t bucket = 0; bucket + 1 < begin.size(); ++bucket) {
    for (std::size_t& at = next[bucket]; at != begin[bucket + 1]; ++at) {
      Row row = rows[at];
      for (std::size_t home = bucket_of(row); home != bucket; home = bucket_of(row))
        std::swap(row, rows[next[home]++]);
      rows[at] = row;
    }
  }
  for (std::size_t bucket = 0; bucket + 1 < begin.size(); ++bucket)
    if (begin[bucket + 1] - begin[bucket] > 1)
      radix_sort(rows.subspan(begin[bucket], begin[bucket + 1] - begin[bucket]), shift, key_of,
                 less);
}

}  // namespace rankmap
