// Reads pattern texts; the grammar stands in pattern.hpp.
#include <algorithm>

#include "libmap/base/cursor.hpp"
#include "libmap/base/text.hpp"
#include "patterns/keys.hpp"

namespace rankmap {
namespace {

constexpr std::string_view file_start = "file:";
constexpr std::string_view value_ends = ",+/";
constexpr std::string_view key_ends = "=,+/";

class PatternReader {
 public:
  explicit PatternReader(std::string_view text) : cursor_("pattern", text) {}

  std::vector<std::vector<PatternTerm>> read();

 private:
  PatternTerm read_term();
  const PatternRow& read_kind();
  Shape read_shape();
  void append_extent(Shape& shape, std::string_view text, const TextPosition& where);
  void read_key(PatternTerm& term, std::vector<std::string_view>& given);
  std::string_view take_trimmed(std::string_view stops);
  void check_size(const PatternTerm& term);

  Cursor cursor_;
  Rank ranks_ = 0;  // of the first part
  std::uint64_t edges_ = 0;
  std::int32_t phases_ = 0;       // before the present "/" part
  std::int32_t part_phases_ = 1;  // of the longest term of the present part
};

// Blanks behind belong to nothing; what is left begins at the cursor.
std::string_view PatternReader::take_trimmed(std::string_view stops) {
  return trim(cursor_.take_until(stops));
}

const PatternRow& PatternReader::read_kind() {
  const TextPosition where = cursor_.position();
  const std::string_view name = take_trimmed(":,+/");
  std::vector<std::string> known;
  for (const PatternRow& row : pattern_rows()) {
    if (row.name == name && row.generate != nullptr) return row;
    known.emplace_back(row.name);
  }
  if (name == "file") Cursor::fail_at(where, "file: beside other patterns, expected it alone");
  const std::string hint = cursor_.peek() == ':' || name.empty()
                               ? ""
                               : " (a file of a communication graph is written file:PATH)";
  Cursor::fail_at(where, "unknown pattern kind " + quoted(name) +
                             ", expected one of: " + join(known, ", ") + hint);
}

void PatternReader::append_extent(Shape& shape, std::string_view text, const TextPosition& where) {
  const std::optional<std::int64_t> extent = parse_integer(text);
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number || (extent && *extent == 0))
    Cursor::fail_at(
        where, "found " + quoted(text) + ", expected DIMS such as 8 or 4x4x2, each at least 1");
  if (shape.dimensions == most_dimensions)
    Cursor::fail_at(where, "more than " + std::to_string(most_dimensions) + " dimensions");
  if (!extent || *extent > GraphBuilder::most_ranks / shape.ranks)
    Cursor::fail_at(where, "too many ranks, expected a product of the DIMS of at most " +
                               std::to_string(GraphBuilder::most_ranks));
  shape.extent[static_cast<std::size_t>(shape.dimensions++)] = static_cast<Rank>(*extent);
  shape.ranks *= static_cast<Rank>(*extent);
}

Shape PatternReader::read_shape() {
  TextPosition where = cursor_.position();
  const std::string_view text = take_trimmed(value_ends);
  Shape shape;
  shape.ranks = 1;
  for (const std::string_view extent : split(text, 'x')) {
    append_extent(shape, extent, where);
    where.column += extent.size() + 1;
  }
  return shape;
}

void PatternReader::read_key(PatternTerm& term, std::vector<std::string_view>& given) {
  cursor_.skip_blanks();
  GivenKey key;
  key.where = cursor_.position();
  key.name = take_trimmed(key_ends);
  key.value_where = key.where;
  if (cursor_.accept('=')) {
    key.value_where = cursor_.position();
    key.value = take_trimmed(value_ends);
  }
  if (std::find(given.begin(), given.end(), key.name) != given.end())
    Cursor::fail_at(key.where, "key " + quoted(key.name) + " again, expected it once");
  set_key(term, key);
  given.push_back(key.name);
}

void PatternReader::check_size(const PatternTerm& term) {
  const std::string of =
      std::string(term.kind->name) + " of " + std::to_string(term.shape.ranks) + " ranks";
  if (ranks_ == 0) ranks_ = term.shape.ranks;
  if (term.shape.ranks != ranks_)
    Cursor::fail_at(term.dims_where,
                    of + ", expected " + std::to_string(ranks_) + " as in the first part");
  const std::uint64_t edges = term.kind->edges(term);
  edges_ += edges;
  const std::string together =
      edges_ == edges ? "" : " (" + std::to_string(edges_) + " with the parts before it)";
  if (edges_ > GraphBuilder::most_edges)
    Cursor::fail_at(term.where, of + " has " + std::to_string(edges) + " edges" + together +
                                    ", expected at most " +
                                    std::to_string(GraphBuilder::most_edges));
  part_phases_ = std::max(part_phases_, term.kind->phases(term));
  if (phases_ + part_phases_ > GraphBuilder::most_phases)
    Cursor::fail_at(term.where, "too many phases, expected at most " +
                                    std::to_string(GraphBuilder::most_phases));
}

PatternTerm PatternReader::read_term() {
  cursor_.skip_blanks();
  PatternTerm term;
  term.where = cursor_.position();
  term.kind = &read_kind();
  if (!cursor_.accept(':'))
    cursor_.fail("expected : and DIMS after " + quoted(term.kind->name) + ", as in " +
                 std::string(term.kind->name) + ":8");
  term.dims_where = cursor_.position();
  term.shape = read_shape();
  std::vector<std::string_view> given;
  while (cursor_.accept(',')) read_key(term, given);
  check_size(term);
  return term;
}

std::vector<std::vector<PatternTerm>> PatternReader::read() {
  std::vector<std::vector<PatternTerm>> phases(1);
  for (;;) {
    phases.back().push_back(read_term());
    if (cursor_.at_end()) return phases;
    if (cursor_.accept('+')) continue;
    cursor_.expect('/');
    phases.emplace_back();
    phases_ += part_phases_;
    part_phases_ = 1;
  }
}

}  // namespace

Pattern parse_pattern(std::string_view text) {
  Pattern pattern;
  pattern.text = std::string(text);
  if (text == "-") {
    pattern.file = "-";
  } else if (text.starts_with(file_start)) {
    pattern.file = std::string(text.substr(file_start.size()));
    if (pattern.file.empty())
      throw InputError({"pattern", 1, file_start.size() + 1}, "expected a path after file:");
  } else {
    pattern.phases = PatternReader(text).read();
  }
  return pattern;
}

}  // namespace rankmap
