// Reads Matrix Market files of coordinates as communication graphs.
#include <array>
#include <span>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/graph/exchange/formats.hpp"
#include "libmap/graph/line_fields.hpp"

namespace rankmap {
namespace {

constexpr std::string_view banner = "%%matrixmarket";
constexpr std::string_view comments = "%";
constexpr std::string_view separators = " \t\r";

// A word of the first line; `refused` says why it is not read.
struct Word {
  std::string_view text;
  const char* refused;
};
constexpr std::array objects = {
    Word{"matrix", nullptr},
    Word{"vector", "a vector says nothing of two ranks, expected matrix"},
};
constexpr std::array layouts = {
    Word{"coordinate", nullptr},
    Word{"array",
         "an array is no list of edges, expected coordinate (a square table without "
         "this header is read as well)"},
};
constexpr std::array values = {
    Word{"real", nullptr},
    Word{"integer", nullptr},
    Word{"pattern", nullptr},
    Word{"complex", "complex numbers are no bytes, expected real, integer or pattern"},
};
constexpr std::array symmetries = {
    Word{"general", nullptr},
    Word{"symmetric", nullptr},
    Word{"skew-symmetric",
         "half of a skew-symmetric matrix is negative, which no number of bytes "
         "is, expected general or symmetric"},
    Word{"hermitian", "complex numbers are no bytes, expected general or symmetric"},
};

// What a place of the first line says, in lower case.
std::string read_word(const LineFields& lines, const Field& field, std::span<const Word> words) {
  const std::string found = to_lower(field.text);
  std::string expected;
  for (const Word& word : words) {
    if (word.text == found && word.refused != nullptr) lines.fail(field, word.refused);
    if (word.text == found) return found;
    if (word.refused == nullptr)
      expected += (expected.empty() ? "" : " or ") + std::string(word.text);
  }
  lines.fail(field, "found " + quoted(field.text) + ", expected " + expected);
}

class MatrixMarketReader {
 public:
  explicit MatrixMarketReader(TextInput& text) : lines_(std::move(text)) {}
  CommGraph read();

 private:
  void read_banner();
  GraphBuilder read_size();
  void read_entry(GraphBuilder& builder);

  LineFields lines_;
  bool pattern_ = false;
  bool symmetric_ = false;
  Rank ranks_ = 0;
  std::uint64_t entries_ = 0;
};

void MatrixMarketReader::read_banner() {
  lines_.next("", separators);
  const std::vector<Field>& word = lines_.fields();
  if (word.size() != 5)
    lines_.fail(word.back(),
                std::to_string(word.size()) +
                    " words, expected %%MatrixMarket matrix coordinate VALUES SYMMETRY");
  read_word(lines_, word[1], objects);
  read_word(lines_, word[2], layouts);
  pattern_ = read_word(lines_, word[3], values) == "pattern";
  symmetric_ = read_word(lines_, word[4], symmetries) == "symmetric";
}

GraphBuilder MatrixMarketReader::read_size() {
  if (!lines_.next(comments, separators)) lines_.fail("ends early, expected ROWS COLUMNS ENTRIES");
  const std::vector<Field>& field = lines_.fields();
  if (field.size() != 3)
    lines_.fail(field.back(),
                std::to_string(field.size()) + " fields, expected ROWS COLUMNS ENTRIES");
  ranks_ =
      static_cast<Rank>(lines_.integer(field[0], "a number of rows", 1, GraphBuilder::most_ranks));
  if (parse_integer(field[1].text) != ranks_)
    lines_.fail(field[1], "found " + quoted(field[1].text) + " columns and " +
                              std::to_string(ranks_) + " rows, expected as many: both are ranks");
  constexpr auto most = static_cast<std::int64_t>(GraphBuilder::most_edges);
  entries_ = static_cast<std::uint64_t>(lines_.integer(field[2], "a number of entries", 0, most));
  GraphBuilder builder(ranks_);
  constexpr std::size_t least_bytes = 4;  // "1 1\n"
  builder.reserve(lines_.room_for(entries_, least_bytes) * (symmetric_ ? 2 : 1));
  return builder;
}

void MatrixMarketReader::read_entry(GraphBuilder& builder) {
  const std::vector<Field>& field = lines_.fields();
  if (field.size() != (pattern_ ? 2U : 3U))
    lines_.fail(field.back(), std::to_string(field.size()) + " fields, expected ROW COLUMN" +
                                  (pattern_ ? "" : " VALUE"));
  const auto row = static_cast<Rank>(lines_.integer(field[0], "a row", 1, ranks_) - 1);
  const auto column = static_cast<Rank>(lines_.integer(field[1], "a column", 1, ranks_) - 1);
  if (symmetric_ && row < column)
    lines_.fail(field[1], "above the diagonal of a symmetric matrix, expected only below it");
  if (row == column) return;
  const Bytes bytes = pattern_ ? 1 : lines_.bytes(field[2]);
  if (bytes == 0) return;
  builder.add({row, column, bytes, 1, 1, 0, none});
  if (symmetric_) builder.add({column, row, bytes, 1, 1, 0, none});
}

CommGraph MatrixMarketReader::read() {
  read_banner();
  GraphBuilder builder = read_size();
  std::uint64_t read = 0;
  for (; lines_.next(comments, separators); ++read) {
    if (read == entries_)
      lines_.fail(lines_.fields()[0], "an entry more than the " + std::to_string(entries_) +
                                          " that were told, expected the end");
    read_entry(builder);
  }
  if (read != entries_)
    lines_.fail("ends after " + std::to_string(read) + " entries, expected " +
                std::to_string(entries_));
  return std::move(builder).build(lines_.source());
}

}  // namespace

bool is_matrix_market(std::string_view content) {
  return to_lower(content.substr(0, banner.size())) == banner;
}

CommGraph read_matrix_market(TextInput& text) {
  return MatrixMarketReader(text).read();
}

}  // namespace rankmap
