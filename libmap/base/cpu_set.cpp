#include "libmap/base/cpu_set.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

std::optional<int> parse_number(std::string_view text) {
  const std::optional<std::uint64_t> value = parse_unsigned(trim(text));
  if (!value || *value > CpuSet::max_number) return std::nullopt;
  return static_cast<int>(*value);
}

// "a", "a-b" or "a-b:stride".
bool parse_item(std::string_view item, std::vector<int>& numbers) {
  const std::size_t dash = item.find('-');
  if (dash == std::string_view::npos) {
    const std::optional<int> number = parse_number(item);
    if (number) numbers.push_back(*number);
    return number.has_value();
  }
  const std::size_t colon = item.find(':', dash);
  const std::optional<int> first = parse_number(item.substr(0, dash));
  const std::optional<int> last = parse_number(
      item.substr(dash + 1, colon == std::string_view::npos ? colon : colon - dash - 1));
  const std::optional<int> stride = colon == std::string_view::npos
                                        ? std::optional<int>(1)
                                        : parse_number(item.substr(colon + 1));
  if (!first || !last || !stride || *last < *first || *stride < 1) return false;
  for (int number = *first; number <= *last; number += *stride) numbers.push_back(number);
  return true;
}

}  // namespace

CpuSet::CpuSet(std::initializer_list<int> numbers) {
  for (const int number : numbers) add(number);
}

void CpuSet::add(int number) {
  add_range(number, number);
}

void CpuSet::add_range(int first, int last) {
  if (first < 0 || last > max_number || last < first) throw Bug("CPU range out of bounds");
  const std::size_t before = numbers_.size();
  for (int number = first; number <= last; ++number) numbers_.push_back(number);
  if (before == 0 || numbers_[before - 1] < first) return;
  std::sort(numbers_.begin(), numbers_.end());
  numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
}

bool CpuSet::contains(int number) const {
  return std::binary_search(numbers_.begin(), numbers_.end(), number);
}

CpuSet CpuSet::intersection(const CpuSet& other) const {
  CpuSet result;
  std::set_intersection(numbers_.begin(), numbers_.end(), other.numbers_.begin(),
                        other.numbers_.end(), std::back_inserter(result.numbers_));
  return result;
}

CpuSet CpuSet::united(const CpuSet& other) const {
  CpuSet result;
  std::set_union(numbers_.begin(), numbers_.end(), other.numbers_.begin(), other.numbers_.end(),
                 std::back_inserter(result.numbers_));
  return result;
}

bool CpuSet::contains_all(const CpuSet& other) const {
  return std::includes(numbers_.begin(), numbers_.end(), other.numbers_.begin(),
                       other.numbers_.end());
}

std::string CpuSet::to_string() const {
  std::string text;
  std::size_t i = 0;
  while (i < numbers_.size()) {
    const int stride = i + 1 < numbers_.size() ? numbers_[i + 1] - numbers_[i] : 1;
    std::size_t end = i + 1;
    while (end < numbers_.size() && numbers_[end] - numbers_[end - 1] == stride) ++end;
    if (stride > 1 && end - i < 3) end = i + 1;
    if (!text.empty()) text += ',';
    text += std::to_string(numbers_[i]);
    if (end - i > 1) text += '-' + std::to_string(numbers_[end - 1]);
    if (end - i > 1 && stride > 1) text += ':' + std::to_string(stride);
    i = end;
  }
  return text;
}

std::optional<CpuSet> CpuSet::parse_list(std::string_view text) {
  CpuSet result;
  if (trim(text).empty()) return result;
  constexpr std::size_t most = 4 * (static_cast<std::size_t>(max_number) + 1);
  for (const std::string_view item : split(text, ',')) {
    if (!parse_item(item, result.numbers_) || result.numbers_.size() > most) return std::nullopt;
  }
  std::sort(result.numbers_.begin(), result.numbers_.end());
  result.numbers_.erase(std::unique(result.numbers_.begin(), result.numbers_.end()),
                        result.numbers_.end());
  return result;
}

std::optional<CpuSet> CpuSet::parse_mask(std::string_view text) {
  std::vector<std::string_view> groups = split(trim(text), ',');
  std::reverse(groups.begin(), groups.end());
  if (groups.size() > (static_cast<std::size_t>(max_number) + 1) / 32) return std::nullopt;
  CpuSet result;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    std::string_view digits = groups[group];
    if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
    std::uint32_t bits = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, bits, 16);
    if (error != std::errc{} || stop != end || digits.empty()) return std::nullopt;
    for (int bit = 0; bit < 32; ++bit)
      if ((bits >> bit) & 1U) result.numbers_.push_back(static_cast<int>(group) * 32 + bit);
  }
  return result;
}

}  // namespace rankmap
