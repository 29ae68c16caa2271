// Reads CSV with a line an edge as a communication graph.
#include <algorithm>
#include <array>
#include <optional>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/base/units.hpp"
#include "libmap/graph/exchange/formats.hpp"
#include "libmap/graph/line_fields.hpp"
#include "libmap/graph/number_shape.hpp"

namespace rankmap {
namespace {

constexpr std::string_view comments = "#";
constexpr std::string_view layout = "source,destination,bytes[,messages[,phase]]";

enum Column : std::size_t { source, destination, bytes, messages, phase };
constexpr std::array<std::string_view, 5> column_names = {"source", "destination", "bytes",
                                                          "messages", "phase"};
constexpr std::size_t needed = 3;  // the columns before are in every file
constexpr std::size_t absent = column_names.size();

// The Column of that name, or absent.
std::size_t column_of(std::string_view name) {
  const auto found = std::find(column_names.begin(), column_names.end(), to_lower(name));
  return static_cast<std::size_t>(found - column_names.begin());
}

bool is_header(const std::vector<Field>& fields) {
  return std::any_of(fields.begin(), fields.end(),
                     [](const Field& field) { return column_of(field.text) != absent; });
}

class CsvReader {
 public:
  explicit CsvReader(TextInput& text)
      : lines_(std::move(text)), builder_(GraphBuilder::most_ranks) {
    places_.fill(absent);
  }
  CommGraph read();

 private:
  bool read_first_line();
  void read_header();
  void read_edge();
  const Field* field(Column column) const;
  Rank read_rank(Column column);
  Bytes read_bytes() const;
  std::uint64_t read_messages() const;
  std::int32_t read_phase();

  LineFields lines_;
  GraphBuilder builder_;
  std::array<std::size_t, column_names.size()> places_{};  // of each column in a line, or absent
  std::size_t width_ = 0;                                  // of a line, in fields
  Rank ranks_ = 1;
  std::int32_t phases_ = 1;
};

void CsvReader::read_header() {
  const std::vector<Field>& fields = lines_.fields();
  for (std::size_t place = 0; place < fields.size(); ++place) {
    const std::size_t column = column_of(fields[place].text);
    if (column == absent)
      lines_.fail(fields[place], "found " + quoted(fields[place].text) + ", expected the columns " +
                                     std::string(layout));
    if (places_[column] != absent)
      lines_.fail(fields[place],
                  "a second column " + std::string(column_names[column]) + ", expected each once");
    places_[column] = place;
  }
  for (std::size_t column = 0; column < needed; ++column)
    if (places_[column] == absent)
      lines_.fail(fields[0], "no column " + std::string(column_names[column]) +
                                 ", expected the columns " + std::string(layout));
}

const Field* CsvReader::field(Column column) const {
  return places_[column] == absent ? nullptr : &lines_.fields()[places_[column]];
}

Rank CsvReader::read_rank(Column column) {
  const auto rank =
      static_cast<Rank>(lines_.integer(*field(column), "a rank", 0, GraphBuilder::most_ranks - 1));
  ranks_ = std::max(ranks_, rank + 1);
  return rank;
}

Bytes CsvReader::read_bytes() const {
  const Field& text = *field(bytes);
  const std::optional<Bytes> value = parse_bytes(text.text);
  if (!value) lines_.fail(text, "found " + quoted(text.text) + ", expected bytes");
  return *value;
}

std::uint64_t CsvReader::read_messages() const {
  const Field* text = field(messages);
  if (text == nullptr || text->text.empty()) return 1;
  return static_cast<std::uint64_t>(lines_.integer(*text, "messages", 1, std::int64_t{1} << 62));
}

std::int32_t CsvReader::read_phase() {
  const Field* text = field(phase);
  if (text == nullptr || text->text.empty()) return 0;
  const auto of_edge =
      static_cast<std::int32_t>(lines_.integer(*text, "a phase", 0, GraphBuilder::most_phases - 1));
  for (; phases_ <= of_edge; ++phases_) builder_.add_phase();
  return of_edge;
}

void CsvReader::read_edge() {
  if (lines_.fields().size() != width_)
    lines_.fail(lines_.fields().back(), std::to_string(lines_.fields().size()) +
                                            " fields, expected " + std::to_string(width_) +
                                            " as in the first line");
  Edge edge{0, 0, 0, 1, 1, 0, none};
  edge.source = read_rank(source);
  edge.destination = read_rank(destination);
  edge.bytes = read_bytes();
  edge.messages = read_messages();
  edge.phase = read_phase();
  builder_.add(edge);
}

// True where the first line names the columns; else it is an edge.
bool CsvReader::read_first_line() {
  if (!lines_.next_split(comments, ',')) lines_.fail("empty, expected " + std::string(layout));
  width_ = lines_.fields().size();
  if (is_header(lines_.fields())) {
    read_header();
    return true;
  }
  if (width_ < needed || width_ > column_names.size())
    lines_.fail(lines_.fields().back(),
                std::to_string(width_) + " fields, expected " + std::string(layout));
  for (std::size_t column = 0; column < width_; ++column) places_[column] = column;
  read_edge();
  return false;
}

CommGraph CsvReader::read() {
  const bool header = read_first_line();
  builder_.reserve(lines_.likely_lines());
  std::size_t edges = header ? 0 : 1;
  for (; lines_.next_split(comments, ','); ++edges) read_edge();
  if (!header && edges == width_)
    lines_.fail(std::to_string(edges) + " lines of " + std::to_string(width_) +
                " numbers are edges or a square table, expected a first line with the columns " +
                std::string(layout) + ", or the extension .mat");
  builder_.keep_ranks(ranks_);
  return std::move(builder_).build(lines_.source());
}

}  // namespace

bool is_csv(std::string_view content) {
  if (content.starts_with(byte_order_mark)) content.remove_prefix(byte_order_mark.size());
  LineFields lines(content, "");
  if (!lines.next_split(comments, ',')) return false;
  const std::size_t width = lines.fields().size();
  if (width > 1 && is_header(lines.fields())) return true;
  const std::optional<NumberShape> shape = number_shape(content);
  return shape && shape->commas && width >= needed && width <= column_names.size();
}

CommGraph read_csv(TextInput& text) {
  return CsvReader(text).read();
}

}  // namespace rankmap
