// The table of Intel's aps-report -x (data transfers per rank-to-rank communication). Rows of
// "A --> B" go from A to B; rows of "A <-> B" hold both directions and count half each way (an odd
// byte or message goes from A to B). A volume is in MB of 10^6 bytes as printed, so rounded; a
// transfer is a message. Tables that leave lines out are refused.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "libmap/base/text.hpp"
#include "libmap/graph/foreign/formats.hpp"
#include "libmap/graph/foreign/recorded_edges.hpp"

namespace rankmap {
namespace {

constexpr std::array<std::string_view, 2> arrows = {"-->", "<->"};
constexpr std::string_view separators = " \t\r";
constexpr double bytes_of_mb = 1e6;

bool is_arrow(std::string_view text) {
  return std::find(arrows.begin(), arrows.end(), text) != arrows.end();
}

// | Rank --> Rank  ...columns
bool is_header(const std::vector<Field>& field) {
  return field.size() > 4 && field[0].text == "|" && field[1].text == "Rank" &&
         is_arrow(field[2].text) && field[3].text == "Rank";
}

class ApsReader {
 public:
  ApsReader(std::string_view content, const std::string& source)
      : lines_(content, source), source_(source) {}
  CommGraph read();

 private:
  void read_header();
  void read_bar();
  void read_row();
  std::size_t column(std::string_view name) const;
  Bytes volume(const Field& field) const;

  LineFields lines_;
  const std::string& source_;
  RecordedEdges edges_;
  std::string arrow_;  // of the header; empty before it
  std::size_t columns_ = 0;
  std::size_t volume_ = 0;
  std::size_t transfers_ = 0;
  bool ended_ = false;
};

std::size_t ApsReader::column(std::string_view name) const {
  const std::vector<Field>& field = lines_.fields();
  for (std::size_t i = 4; i < field.size(); ++i)
    if (field[i].text == name) return i - 1;  // a row has no bar in front
  lines_.fail(field[0], "no column " + quoted(name) + ", expected one beside Rank " +
                            std::string(field[2].text) + " Rank");
}

void ApsReader::read_header() {
  if (!arrow_.empty())
    lines_.fail(lines_.fields()[0], "a second table of ranks, expected one (one run)");
  arrow_ = lines_.fields()[2].text;
  volume_ = column("Volume(MB)");
  transfers_ = column("Transfers");
  columns_ = lines_.fields().size() - 1;
}

// A line with a bar in front: rules, sums, and remarks on what was left out.
void ApsReader::read_bar() {
  const std::string_view line = trim(lines_.line());
  if (is_header(lines_.fields())) return read_header();
  if (arrow_.empty() || ended_) return;
  if (line.find('[') != line.npos && line.ends_with("lines]"))
    lines_.fail(lines_.fields()[0],
                "found " + quoted(line) + ", expected a table of all lines (unfiltered)");
  ended_ = line.starts_with("|==");
}

Bytes ApsReader::volume(const Field& field) const {
  const std::optional<double> value = parse_real(field.text);
  if (!value || *value < 0 || *value * bytes_of_mb > 9.2e18)
    lines_.fail(field, "found " + quoted(field.text) + ", expected a volume in MB");
  return static_cast<Bytes>(std::llround(*value * bytes_of_mb));
}

void ApsReader::read_row() {
  const std::vector<Field>& field = lines_.fields();
  if (field.size() != columns_ || field[1].text != arrow_)
    lines_.fail(field[0], "found " + quoted(trim(lines_.line())) + ", expected RANK " + arrow_ +
                              " RANK and " + std::to_string(columns_ - 3) + " numbers");
  const Rank first = rank_field(lines_, field[0]);
  const Rank second = rank_field(lines_, field[2]);
  const Bytes bytes = volume(field[volume_]);
  const std::uint64_t messages =
      count_field(lines_, field[transfers_], "a whole number of transfers");
  if (messages == 0 && bytes != 0) lines_.fail(field[transfers_], "a volume without transfers");
  if (arrow_ == arrows[0]) return edges_.add(first, second, bytes, messages);
  // One message cannot be halved: it goes from the first, with all bytes.
  const std::uint64_t back = messages / 2;
  const Bytes bytes_back = back == 0 ? 0 : bytes / 2;
  edges_.add(first, second, bytes - bytes_back, messages - back);
  edges_.add(second, first, bytes_back, back);
}

CommGraph ApsReader::read() {
  while (lines_.next("", separators)) {
    if (lines_.fields()[0].text.starts_with('|'))
      read_bar();
    else if (!arrow_.empty() && !ended_)
      read_row();
  }
  if (edges_.ranks() == 0)
    throw InputError({source_, 0, 0}, "the table has no rows, expected RANK --> RANK or <->");
  const Rank ranks = edges_.ranks();
  return std::move(edges_).build(ranks, {}, source_);
}

}  // namespace

bool is_aps(std::string_view content) {
  constexpr std::size_t head = 64 << 10;
  LineFields lines(content.substr(0, head), "");
  while (lines.next("", separators))
    if (is_header(lines.fields())) return true;
  return false;
}

CommGraph read_aps(std::string_view content, const std::string& source) {
  return ApsReader(content, source).read();
}

}  // namespace rankmap
