#include "libmap/graph/line_fields.hpp"

#include <algorithm>
#include <cmath>

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

constexpr std::string_view blanks = " \t\r";

// `text` without blanks and quotes around it, which stands at `offset` in its line.
Field trimmed(std::string_view text, std::size_t offset) {
  const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  Field field{trim(text), offset + begin + 1};
  if (field.text.size() < 2 || field.text.front() != '"' || field.text.back() != '"') return field;
  return {field.text.substr(1, field.text.size() - 2), field.column + 1};
}

}  // namespace

std::optional<Bytes> whole_number(std::string_view text) {
  constexpr double largest = 9.2e18;
  if (const auto whole = parse_unsigned(text)) {
    if (*whole <= static_cast<Bytes>(largest)) return *whole;
    return std::nullopt;
  }
  const std::optional<double> value = parse_real(text);
  if (!value || *value < 0 || *value > largest || *value != std::floor(*value)) return std::nullopt;
  return static_cast<Bytes>(*value);
}

bool LineFields::take_line(std::string_view comments) {
  while (input_.next_line(line_)) {
    ++number_;
    const std::size_t begin = line_.find_first_not_of(blanks);
    if (begin == std::string_view::npos || comments.find(line_[begin]) == std::string_view::npos)
      return true;
  }
  return false;
}

void LineFields::use_separators(std::string_view separators) {
  if (separators == separators_) return;
  separators_ = separators;
  separates_.fill(false);
  for (const char c : separators) separates_[static_cast<unsigned char>(c)] = true;
}

bool LineFields::next_or_blank(std::string_view comments, std::string_view separators) {
  fields_.clear();
  if (!take_line(comments)) return false;
  use_separators(separators);
  const auto separates = [&](std::size_t i) {
    return separates_[static_cast<unsigned char>(line_[i])];
  };
  for (std::size_t i = 0; i < line_.size();) {
    while (i < line_.size() && separates(i)) ++i;
    const std::size_t begin = i;
    while (i < line_.size() && !separates(i)) ++i;
    if (i > begin) fields_.push_back({line_.substr(begin, i - begin), begin + 1});
  }
  return true;
}

bool LineFields::next_split(std::string_view comments, char separator) {
  fields_.clear();
  do {
    if (!take_line(comments)) return false;
  } while (trim(line_).empty());
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(line_.find(separator, begin), line_.size());
    fields_.push_back(trimmed(line_.substr(begin, end - begin), begin));
    if (end == line_.size()) return true;
    begin = end + 1;
  }
}

std::int64_t LineFields::integer(const Field& field, const char* what, std::int64_t low,
                                 std::int64_t high) const {
  const std::optional<std::int64_t> value = parse_integer(field.text);
  if (!value || *value < low || *value > high)
    fail(field, "found " + quoted(field.text) + ", expected " + what + " of " +
                    std::to_string(low) + " to " + std::to_string(high));
  return *value;
}

Bytes LineFields::bytes(const Field& field) const {
  const std::optional<Bytes> bytes = whole_number(field.text);
  if (!bytes) fail(field, "found " + quoted(field.text) + ", expected a whole number of bytes");
  return *bytes;
}

std::size_t LineFields::room_for(std::uint64_t promised, std::size_t least_bytes) const {
  return static_cast<std::size_t>(std::min<std::uint64_t>(promised, input_.size() / least_bytes));
}

std::size_t LineFields::likely_lines() {
  constexpr std::size_t sample = std::size_t{1} << 20;
  const std::string_view next = input_.head().substr(0, sample);
  if (next.empty()) return 0;
  const auto lines = static_cast<double>(std::count(next.begin(), next.end(), '\n'));
  return static_cast<std::size_t>(lines * static_cast<double>(input_.size()) /
                                  static_cast<double>(next.size()));
}

}  // namespace rankmap
