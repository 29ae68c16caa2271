#include "libmap/report/text_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace rankmap {

std::string text_table(const std::vector<std::vector<std::string>>& rows,
                       const std::vector<std::size_t>& right) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - row[i].size(), ' ');
      const bool to_the_right = std::find(right.begin(), right.end(), i) != right.end();
      if (i != 0) line += "  ";
      line += to_the_right ? padding + row[i] : row[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string readable(double value) {
  constexpr int digits = 6;
  std::array<char, 64> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                          std::chars_format::general, digits);
  return error == std::errc{} ? std::string(buffer.data(), end) : std::string("?");
}

}  // namespace rankmap
