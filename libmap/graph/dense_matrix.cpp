// Reads a square table of bytes (.mat) as a communication graph.
#include <optional>

#include "libmap/graph/exchange/formats.hpp"
#include "libmap/graph/line_fields.hpp"
#include "libmap/graph/number_shape.hpp"
#include "libmap/graph/reader.hpp"

namespace rankmap {
namespace {

constexpr std::string_view comments = "#%";
constexpr std::string_view separators = " \t\r,";

void read_row(const LineFields& lines, Rank row, GraphBuilder& builder) {
  for (std::size_t column = 0; column < lines.fields().size(); ++column) {
    const Bytes bytes = lines.bytes(lines.fields()[column]);
    if (bytes != 0) builder.add({row, static_cast<Rank>(column), bytes, 1, 1, 0, none});
  }
}

std::string rows(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " row" : " rows");
}

}  // namespace

bool is_dense_matrix(std::string_view content) {
  const std::optional<NumberShape> shape = number_shape(content);
  if (!shape) return false;
  return shape->square || !(is_metis(content) || is_scotch(content) || is_csv(content));
}

CommGraph read_dense_matrix(TextInput& text) {
  LineFields lines(std::move(text));
  if (!lines.next(comments, separators)) lines.fail("the table is empty, expected rows of numbers");
  const std::size_t size = lines.fields().size();
  if (size > static_cast<std::size_t>(GraphBuilder::most_ranks))
    throw InputError(lines.at(1), "a row of " + std::to_string(size) +
                                      " numbers, expected at most " +
                                      std::to_string(GraphBuilder::most_ranks));
  const std::string of_size = ", expected " + rows(size) + " of " + std::to_string(size) +
                              " numbers (an edge list begins with \"# rankmap comm 1\")";
  GraphBuilder builder(static_cast<Rank>(size));
  constexpr std::size_t least_bytes = 2;  // "1 "
  builder.reserve(lines.room_for(std::uint64_t{size} * size, least_bytes));
  std::size_t row = 0;
  do {
    if (row == size) throw InputError(lines.at(1), "a row too many" + of_size);
    if (lines.fields().size() != size)
      throw InputError(lines.at(1),
                       "a row of " + std::to_string(lines.fields().size()) + " numbers" + of_size);
    read_row(lines, static_cast<Rank>(row++), builder);
  } while (lines.next(comments, separators));
  if (row != size) lines.fail("the table has " + rows(row) + of_size);
  return std::move(builder).build(lines.source());
}

}  // namespace rankmap
