// A set of CPU, core or NUMA node numbers, and its spelling in lists and masks.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankmap {

// A sorted set of numbers 0..max_number. Value type; all operations are linear in the size.
class CpuSet {
 public:
  static constexpr int max_number = 65535;

  CpuSet() = default;
  CpuSet(std::initializer_list<int> numbers);

  void add(int number);  // outside 0..max_number: Bug
  void add_range(int first, int last);
  bool contains(int number) const;
  bool empty() const { return numbers_.empty(); }
  std::size_t size() const { return numbers_.size(); }
  const std::vector<int>& numbers() const { return numbers_; }  // ascending

  CpuSet intersection(const CpuSet& other) const;
  CpuSet united(const CpuSet& other) const;
  bool contains_all(const CpuSet& other) const;
  friend bool operator==(const CpuSet&, const CpuSet&) = default;

  // "0-4,40-44", "8-14:2", "3"; ascending ranges, "" for the empty set. A run of three or more with
  // a stride above 1 is written a-b:stride.
  std::string to_string() const;

  // Reads what to_string writes, and "a-a"; blanks around numbers are accepted, "" is the empty
  // set. nullopt: not such a list, a number above max_number, or a range that goes down.
  static std::optional<CpuSet> parse_list(std::string_view text);

  // Comma-separated groups of up to 8 hex digits, most significant first ("000000,3fffffff").
  static std::optional<CpuSet> parse_mask(std::string_view text);

 private:
  std::vector<int> numbers_;
};

}  // namespace rankmap
