// Reads a square table of bytes (.mat) as a communication graph.
#include <cmath>
#include <optional>

#include "libmap/base/text.hpp"
#include "libmap/graph/line_fields.hpp"
#include "libmap/graph/reader.hpp"

namespace rankmap {
namespace {

constexpr std::string_view comments = "#%";
constexpr std::string_view separators = " \t\r,";

// "12", and as other programs write them "12.0" or "1.2e1".
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

void read_row(const LineFields& lines, Rank row, GraphBuilder& builder) {
  for (std::size_t column = 0; column < lines.fields().size(); ++column) {
    const Field& field = lines.fields()[column];
    const std::optional<Bytes> bytes = whole_number(field.text);
    if (!bytes)
      lines.fail(field, "found " + quoted(field.text) + ", expected a whole number of bytes");
    if (*bytes != 0) builder.add({row, static_cast<Rank>(column), *bytes, 1, 1, 0, none});
  }
}

std::string rows(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " row" : " rows");
}

}  // namespace

bool is_dense_matrix(std::string_view content) {
  if (content.starts_with("%%")) return false;  // Matrix Market says what it is
  LineFields lines(content, "");
  return lines.next(comments, separators) && parse_real(lines.fields().front().text).has_value();
}

CommGraph read_dense_matrix(std::string_view content, const std::string& source) {
  LineFields lines(content, source);
  if (!lines.next(comments, separators))
    throw InputError({source, 0, 0}, "the table is empty, expected rows of numbers");
  const std::size_t size = lines.fields().size();
  if (size > static_cast<std::size_t>(GraphBuilder::most_ranks))
    throw InputError(lines.at(1), "a row of " + std::to_string(size) +
                                      " numbers, expected at most " +
                                      std::to_string(GraphBuilder::most_ranks));
  const std::string of_size = ", expected " + rows(size) + " of " + std::to_string(size) +
                              " numbers (an edge list begins with \"# rankmap comm 1\")";
  GraphBuilder builder(static_cast<Rank>(size));
  std::size_t row = 0;
  do {
    if (row == size) throw InputError(lines.at(1), "a row too many" + of_size);
    if (lines.fields().size() != size)
      throw InputError(lines.at(1),
                       "a row of " + std::to_string(lines.fields().size()) + " numbers" + of_size);
    read_row(lines, static_cast<Rank>(row++), builder);
  } while (lines.next(comments, separators));
  if (row != size) throw InputError({source, 0, 0}, "the table has " + rows(row) + of_size);
  return std::move(builder).build(source);
}

}  // namespace rankmap
