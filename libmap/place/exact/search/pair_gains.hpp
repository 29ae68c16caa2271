// aggbw, hopbytes and offnode as sums over the app's pairs of integer gains >= 0, to be maximised.
#pragma once

#include <cstdint>
#include <vector>

#include "libmap/place/exact/instance.hpp"

namespace rankmap {

class PairGains {
 public:
  // InputError where the gains leave 62 bits. O(kinds of pairs x slots^2).
  explicit PairGains(const Instance& instance);

  int pairs() const { return static_cast<int>(table_of_pair_.size()); }
  int table_of(int pair) const { return table_of_pair_[static_cast<std::size_t>(pair)]; }
  int tables() const { return static_cast<int>(tables_.size()); }
  // Gain in units, with the pair's low rank on a and its high rank on b.
  std::int64_t gain(int pair, int a, int b) const { return table_gain(table_of(pair), a, b); }
  std::int64_t table_gain(int table, int a, int b) const {
    return tables_[static_cast<std::size_t>(table)][static_cast<std::size_t>(a * slots_ + b)];
  }
  bool symmetric(int table) const;
  std::int64_t most_total() const { return most_total_; }  // if every pair had its largest gain
  std::int64_t most_of(int pair) const {
    return most_of_table_[static_cast<std::size_t>(table_of(pair))];
  }
  // The objective's value for a sum of gains.
  double value(std::int64_t total) const;
  std::int64_t total(const std::vector<int>& slot_of) const;

 private:
  void add_pair(std::uint64_t forward, std::uint64_t backward);
  void reduce();

  const Instance& instance_;
  int slots_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> amounts_;  // of the tables
  std::vector<int> table_of_pair_;
  std::vector<std::vector<std::int64_t>> tables_;
  std::vector<std::int64_t> most_of_table_;
  std::vector<std::int64_t> constants_;  // minimised: the cost of the table from which gains count
  std::int64_t unit_ = 1;
  std::int64_t most_total_ = 0;
  std::int64_t constant_ = 0;
};

}  // namespace rankmap
