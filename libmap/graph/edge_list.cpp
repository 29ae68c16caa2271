// Reads and writes rankmap's own edge list (the format is told in reader.hpp).
#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "libmap/base/text.hpp"
#include "libmap/base/units.hpp"
#include "libmap/graph/line_fields.hpp"
#include "libmap/graph/reader.hpp"

namespace rankmap {
namespace {

constexpr std::string_view header_start = "# rankmap comm ";
constexpr std::string_view version = "1";
constexpr std::string_view comments = "#";
constexpr std::string_view separators = " \t\r";
constexpr std::int64_t most_work = std::int64_t{1} << 62;
constexpr std::uint64_t not_told = ~std::uint64_t{0};

class EdgeListReader {
 public:
  explicit EdgeListReader(TextInput& text) : lines_(std::move(text)) {}

  CommGraph read();

 private:
  const std::vector<Field>& fields() const { return lines_.fields(); }
  void read_header();
  GraphBuilder read_ranks();
  void read_phases(GraphBuilder& builder);
  void read_group(GraphBuilder& builder);
  void read_work();
  void finish_work(GraphBuilder& builder);
  void read_edge(GraphBuilder& builder);
  void need_phase(GraphBuilder& builder, const Field& field, std::int64_t phase);
  std::vector<Rank> members(const Field& field);
  void append_range(const Field& field, std::string_view range, std::vector<Rank>& ranks);

  LineFields lines_;
  Rank ranks_ = 0;
  std::int32_t phases_ = 1;
  bool phases_fixed_ = false;
  std::int32_t groups_ = 0;
  std::size_t group_members_ = 0;
  std::vector<std::uint64_t> work_;  // empty, or one entry a rank
};

void EdgeListReader::read_header() {
  lines_.next("", separators);
  const std::string_view header = trim(lines_.line());
  const bool ours = is_edge_list(lines_.line());
  const std::string_view found = ours ? trim(header.substr(header_start.size() - 1)) : header;
  if (!ours || found != version)
    throw InputError(lines_.at(ours ? header_start.size() + 1 : 1),
                     "found " + quoted(found) + ", expected version 1 (\"# rankmap comm 1\")");
}

GraphBuilder EdgeListReader::read_ranks() {
  if (!lines_.next(comments, separators))
    lines_.fail("the edge list ends early, expected \"ranks N\"");
  if (fields()[0].text != "ranks")
    lines_.fail(fields()[0], "found " + quoted(fields()[0].text) + ", expected \"ranks N\"");
  if (fields().size() != 2) lines_.fail(fields().back(), "expected one number after \"ranks\"");
  ranks_ = static_cast<Rank>(
      lines_.integer(fields()[1], "a number of ranks", 1, GraphBuilder::most_ranks));
  return GraphBuilder(ranks_);
}

void EdgeListReader::need_phase(GraphBuilder& builder, const Field& field, std::int64_t phase) {
  if (phases_fixed_ && phase >= phases_)
    lines_.fail(field, "phase " + std::to_string(phase) + " of " + std::to_string(phases_) +
                           " phases, expected 0 to " + std::to_string(phases_ - 1));
  while (phases_ <= phase) {
    builder.add_phase();
    ++phases_;
  }
}

void EdgeListReader::read_phases(GraphBuilder& builder) {
  if (fields().size() != 2) lines_.fail(fields().back(), "expected one number after \"phases\"");
  if (phases_fixed_) lines_.fail(fields()[0], "a second line \"phases\", expected only one");
  const std::int64_t phases =
      lines_.integer(fields()[1], "a number of phases", 1, GraphBuilder::most_phases);
  if (phases < phases_)
    lines_.fail(fields()[1], "phase " + std::to_string(phases_ - 1) +
                                 " was used above, expected a larger number of phases");
  need_phase(builder, fields()[1], phases - 1);
  phases_fixed_ = true;
}

void EdgeListReader::append_range(const Field& field, std::string_view range,
                                  std::vector<Rank>& ranks) {
  const std::size_t dash = range.find('-');
  const std::size_t offset = static_cast<std::size_t>(range.data() - field.text.data());
  const auto bound = [&](std::string_view text) {
    const auto here = static_cast<std::size_t>(text.data() - field.text.data());
    return lines_.integer({text, field.column + here}, "a rank", 0, ranks_ - 1);
  };
  const std::int64_t first = bound(range.substr(0, dash));
  const std::int64_t last = dash == std::string_view::npos ? first : bound(range.substr(dash + 1));
  const Field here{range, field.column + offset};
  if (last < first) lines_.fail(here, "the range " + quoted(range) + " goes down");
  group_members_ += static_cast<std::size_t>(last - first) + 1;
  if (group_members_ > most_group_members)
    lines_.fail(here, "the groups have more than " + std::to_string(most_group_members) +
                          " members together, expected fewer");
  for (std::int64_t rank = first; rank <= last; ++rank) ranks.push_back(static_cast<Rank>(rank));
}

std::vector<Rank> EdgeListReader::members(const Field& field) {
  std::vector<Rank> ranks;
  for (const std::string_view range : split(field.text, ',')) append_range(field, range, ranks);
  if (std::adjacent_find(ranks.begin(), ranks.end(), std::greater_equal<>()) == ranks.end())
    return ranks;  // strictly ascending, as most are
  std::vector<Rank> sorted = ranks;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    lines_.fail(field, "rank " + std::to_string(*twice) + " is in the group twice");
  return ranks;
}

void EdgeListReader::read_group(GraphBuilder& builder) {
  if (fields().size() < 3)
    lines_.fail(fields()[0],
                "found " + quoted(lines_.line()) + ", expected group PHASE RANKS NAME");
  const std::int64_t phase =
      lines_.integer(fields()[1], "a phase", 0, GraphBuilder::most_phases - 1);
  need_phase(builder, fields()[1], phase);
  const std::string_view name =
      fields().size() > 3 ? trim(lines_.line().substr(fields()[3].column - 1)) : "";
  builder.add_group({std::string(name), members(fields()[2]), static_cast<std::int32_t>(phase)});
  ++groups_;
}

void EdgeListReader::read_work() {
  if (fields().size() != 3)
    lines_.fail(fields()[0], "found " + quoted(lines_.line()) + ", expected work AMOUNT RANKS");
  const std::int64_t work = lines_.integer(fields()[1], "work", 0, most_work);
  if (work_.empty()) work_.assign(static_cast<std::size_t>(ranks_), not_told);
  for (const Rank rank : members(fields()[2])) {
    std::uint64_t& of_rank = work_[static_cast<std::size_t>(rank)];
    if (of_rank != not_told)
      lines_.fail(fields()[2], "the work of rank " + std::to_string(rank) + " was told above");
    of_rank = static_cast<std::uint64_t>(work);
  }
}

void EdgeListReader::finish_work(GraphBuilder& builder) {
  if (work_.empty()) return;
  std::replace(work_.begin(), work_.end(), not_told, std::uint64_t{1});
  builder.set_work(std::move(work_));
}

void EdgeListReader::read_edge(GraphBuilder& builder) {
  const std::vector<Field>& field = fields();
  if (field.size() < 3 || field.size() > 7)
    lines_.fail(
        field.back(),
        std::to_string(field.size()) +
            " fields, expected SOURCE DESTINATION BYTES [MESSAGES [PHASE [GROUP [WEIGHT]]]]");
  Edge edge{0, 0, 0, 1, 1, 0, none};
  edge.source = static_cast<Rank>(lines_.integer(field[0], "a rank", 0, ranks_ - 1));
  edge.destination = static_cast<Rank>(lines_.integer(field[1], "a rank", 0, ranks_ - 1));
  const std::optional<Bytes> bytes = parse_bytes(field[2].text);
  if (!bytes) lines_.fail(field[2], "found " + quoted(field[2].text) + ", expected bytes");
  edge.bytes = *bytes;
  if (field.size() > 3)
    edge.messages =
        static_cast<std::uint64_t>(lines_.integer(field[3], "messages", 1, std::int64_t{1} << 62));
  if (field.size() > 4) {
    edge.phase = static_cast<std::int32_t>(
        lines_.integer(field[4], "a phase", 0, GraphBuilder::most_phases - 1));
    need_phase(builder, field[4], edge.phase);
  }
  if (field.size() > 5 && field[5].text != "-") {
    if (groups_ == 0) lines_.fail(field[5], "no group is declared above, expected -");
    edge.group =
        static_cast<std::int32_t>(lines_.integer(field[5], "- or a group", 0, groups_ - 1));
  }
  if (field.size() > 6)
    edge.weight =
        static_cast<std::uint32_t>(lines_.integer(field[6], "a weight", 1, 1'000'000'000));
  builder.add(edge);
}

CommGraph EdgeListReader::read() {
  read_header();
  GraphBuilder builder = read_ranks();
  builder.reserve(lines_.likely_lines());
  while (lines_.next(comments, separators)) {
    const std::string_view first = fields()[0].text;
    if (first == "phases")
      read_phases(builder);
    else if (first == "group")
      read_group(builder);
    else if (first == "work")
      read_work();
    else
      read_edge(builder);
  }
  finish_work(builder);
  return std::move(builder).build(lines_.source());
}

void append(std::string& text, std::uint64_t number, char after) {
  text += std::to_string(number);
  text += after;
}

// 0,1,2,5 as 0-2,5; the order stays.
std::string ranges(std::span<const Rank> ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (i != 0) text += ',';
    text += std::to_string(ranks[i]);
    if (last != i) text += "-" + std::to_string(ranks[last]);
    i = last + 1;
  }
  return text;
}

// "work AMOUNT RANKS" for every amount but 1, smallest first; the lists of a common amount are cut, so
// that no line is long.
std::string work_lines(std::span<const std::uint64_t> work) {
  constexpr std::size_t longest = 1 << 16;
  std::vector<Rank> order(work.size());
  std::iota(order.begin(), order.end(), Rank{0});
  const auto of = [&](Rank rank) { return work[static_cast<std::size_t>(rank)]; };
  std::stable_sort(order.begin(), order.end(), [&](Rank a, Rank b) { return of(a) < of(b); });
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    const std::uint64_t amount = of(order[begin]);
    while (end < order.size() && end - begin < longest && of(order[end]) == amount) ++end;
    if (amount != 1)
      text += "work " + std::to_string(amount) + " " +
              ranges(std::span(order).subspan(begin, end - begin)) + "\n";
  }
  return text;
}

std::string one_line(std::string_view name) {
  std::string line(trim(name));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return line;
}

}  // namespace

bool is_edge_list(std::string_view content) {
  return content.starts_with(header_start);
}

CommGraph read_edge_list(TextInput& text) {
  return EdgeListReader(text).read();
}

std::string write_comm(const CommGraph& graph) {
  std::string text = std::string(header_start) + std::string(version) + "\n";
  text += "ranks " + std::to_string(graph.ranks()) + "\n";
  text += "phases " + std::to_string(graph.phases()) + "\n";
  text += work_lines(graph.work());
  for (const Group& group : graph.groups()) {
    text += "group " + std::to_string(group.phase) + " " + ranges(group.ranks) + " " +
            one_line(group.name) + "\n";
  }
  text += "# source destination bytes messages phase group weight\n";
  for (const Edge& edge : graph.edges()) {
    append(text, static_cast<std::uint64_t>(edge.source), ' ');
    append(text, static_cast<std::uint64_t>(edge.destination), ' ');
    append(text, edge.bytes, ' ');
    append(text, edge.messages, ' ');
    append(text, static_cast<std::uint64_t>(edge.phase), ' ');
    text += (edge.group == none ? "-" : std::to_string(edge.group)) + " ";
    append(text, edge.weight, '\n');
  }
  return text;
}

}  // namespace rankmap
