#include "libmap/graph/number_shape.hpp"

#include <algorithm>

#include "libmap/base/text.hpp"
#include "libmap/graph/line_fields.hpp"

namespace rankmap {
namespace {

constexpr std::size_t most_columns = 5;
constexpr std::string_view comments = "#%";
constexpr std::string_view separators = " \t\r,";

// How many fields the lines after the first have, as many lines as it has fields and no more.
std::vector<std::size_t> columns_below(LineFields& lines, std::size_t most) {
  std::vector<std::size_t> columns;
  while (columns.size() < most && lines.next(comments, separators))
    columns.push_back(lines.fields().size());
  return columns;
}

}  // namespace

std::optional<NumberShape> number_shape(std::string_view content) {
  if (content.starts_with("%%")) return std::nullopt;
  LineFields lines(content, "");
  if (!lines.next(comments, separators) || !parse_real(lines.fields()[0].text)) return std::nullopt;
  NumberShape shape{};
  for (const Field& field : lines.fields()) shape.first.push_back(field.text);
  shape.commas = lines.line().find(',') != std::string_view::npos;
  shape.whole = std::all_of(shape.first.begin(), shape.first.end(),
                            [](std::string_view text) { return parse_unsigned(text); });
  const std::size_t columns = shape.first.size();
  const std::vector<std::size_t> below = columns_below(lines, std::min(columns, most_columns));
  shape.second_columns = below.empty() ? 0 : below.front();
  shape.square = columns > most_columns ||
                 (below.size() + 1 == columns &&
                  std::all_of(below.begin(), below.end(),
                              [&](std::size_t fields) { return fields == columns; }));
  return shape;
}

}  // namespace rankmap
