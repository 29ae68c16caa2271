#include "libmap/mapping/read/items.hpp"

#include <algorithm>

#include "libmap/base/text.hpp"

namespace rankmap {

std::vector<Item> items_of(std::string_view text) {
  constexpr std::string_view separators = " \t\r,";
  std::vector<Item> items;
  std::size_t number = 0;
  for (const std::string_view whole : split_lines(text)) {
    ++number;
    const std::string_view line = whole.substr(0, whole.find('#'));
    for (std::size_t begin = line.find_first_not_of(separators); begin != line.npos;) {
      const std::size_t end = std::min(line.find_first_of(separators, begin), line.size());
      items.push_back({line.substr(begin, end - begin), number, begin + 1});
      begin = line.find_first_not_of(separators, end);
    }
  }
  return items;
}

}  // namespace rankmap
