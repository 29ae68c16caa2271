// Sorting of many rows by a small integer first: in place and linear but for the rows of a bucket.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace rankmap {

// Moves every row to its bucket, in one pass along the cycles of the permutation (American flag
// sort: McIlroy, Bostic, McIlroy 1993). Rows of a bucket come in any order.
template <typename Row, typename BucketOf>
void move_to_buckets(std::span<Row> rows, std::size_t buckets, BucketOf bucket_of) {
  std::vector<std::uint32_t> end(buckets, 0);
  for (const Row& row : rows) ++end[bucket_of(row)];
  std::uint32_t sum = 0;
  for (std::uint32_t& count : end) count = sum += count;
  std::vector<std::uint32_t> next(buckets, 0);
  for (std::size_t i = 1; i < buckets; ++i) next[i] = end[i - 1];
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    while (next[bucket] != end[bucket]) {
      Row row = rows[next[bucket]];
      for (std::size_t home = bucket_of(row); home != bucket; home = bucket_of(row))
        std::swap(row, rows[next[home]++]);
      rows[next[bucket]++] = row;
    }
  }
}

// Orders by bucket_of(row) in 0..buckets-1, then by `less`. Fewer than 2^32 rows. Expected
// O(rows + buckets + sum of b log b over the sizes b of buckets); memory 8 bytes a bucket, and none
// where rows come bucket by bucket or are few beside the buckets.
template <typename Row, typename BucketOf, typename Less>
void sort_by_bucket(std::span<Row> rows, std::size_t buckets, BucketOf bucket_of, Less less) {
  constexpr std::size_t few = 8;
  const auto by_bucket = [&](const Row& a, const Row& b) { return bucket_of(a) < bucket_of(b); };
  const auto by_all = [&](const Row& a, const Row& b) {
    return bucket_of(a) != bucket_of(b) ? by_bucket(a, b) : less(a, b);
  };
  if (std::is_sorted(rows.begin(), rows.end(), by_all)) return;
  if (!std::is_sorted(rows.begin(), rows.end(), by_bucket)) {
    if (rows.size() < buckets / few) return std::sort(rows.begin(), rows.end(), by_all);
    move_to_buckets(rows, buckets, bucket_of);
  }
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    const std::size_t bucket = bucket_of(rows[begin]);
    while (end < rows.size() && bucket_of(rows[end]) == bucket) ++end;
    std::sort(rows.data() + begin, rows.data() + end, less);
  }
}

}  // namespace rankmap
