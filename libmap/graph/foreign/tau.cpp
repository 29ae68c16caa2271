// TAU's profiles with TAU_COMM_MATRIX=1. Counted: the user events "Message size sent to node K" of
// profile.N.C.T, their number times their mean size, over all contexts and threads of node N. Names
// with " : " are the same messages a second time, by call path.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/graph/foreign/formats.hpp"
#include "libmap/graph/foreign/recorded_edges.hpp"

namespace rankmap {
namespace {

constexpr std::string_view event_name = "Message size sent to node ";
constexpr std::string_view templated = " templated_functions";
constexpr std::string_view name_start = "profile.";
constexpr std::size_t numbers_of_event = 5;  // numevents, max, min, mean, sumsqr

std::string_view file_name_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// The node N of profile.N.C.T.
std::optional<Rank> node_of(std::string_view path) {
  const std::string_view name = file_name_of(path);
  if (!name.starts_with(name_start)) return std::nullopt;
  const std::vector<std::string_view> parts = split(name.substr(name_start.size()), '.');
  if (parts.size() != 3 || !parse_unsigned(parts[1]) || !parse_unsigned(parts[2]))
    return std::nullopt;
  const std::optional<std::uint64_t> node = parse_unsigned(parts[0]);
  if (!node || *node >= static_cast<std::uint64_t>(GraphBuilder::most_ranks)) return std::nullopt;
  return static_cast<Rank>(*node);
}

// The N of a line "N userevents".
std::optional<std::uint64_t> events_announced(const LineFields& lines) {
  const std::vector<Field>& field = lines.fields();
  if (field.size() != 2 || field[1].text != "userevents") return std::nullopt;
  return parse_unsigned(field[0].text);
}

class TauReader {
 public:
  void add(std::string_view content, const std::string& source, Rank node);
  CommGraph build(const std::string& folder) &&;

 private:
  void read_event(const LineFields& lines, Rank node);
  void add_messages(const LineFields& lines, std::size_t after_name, Rank node, Rank destination);

  RecordedEdges edges_;
  std::vector<Rank> nodes_;
  bool matrix_ = false;  // an event of this kind was there
};

void TauReader::add_messages(const LineFields& lines, std::size_t after_name, Rank node,
                             Rank destination) {
  std::vector<Field> field;
  for (const Field& each : lines.fields())
    if (each.column > after_name) field.push_back(each);
  if (field.size() != numbers_of_event)
    throw InputError(lines.at(after_name + 1),
                     std::to_string(field.size()) +
                         " numbers after the name, expected numevents, max, min, mean and sumsqr");
  std::array<double, numbers_of_event> value{};
  for (std::size_t i = 0; i < field.size(); ++i) {
    const std::optional<double> number = parse_real(field[i].text);
    if (!number || *number < 0)
      lines.fail(field[i], "found " + quoted(field[i].text) + ", expected a number >= 0");
    value[i] = *number;
  }
  const std::uint64_t messages = count_field(lines, field[0], "a whole number of events");
  const double bytes = value[0] * value[3];
  if (bytes > 9.2e18) lines.fail(field[3], "more bytes than 63 bits hold");
  edges_.add(node, destination, static_cast<Bytes>(std::llround(bytes)), messages);
}

void TauReader::read_event(const LineFields& lines, Rank node) {
  const std::string_view line = lines.line();
  const std::size_t begin = line.find('"');
  const std::size_t end = line.rfind('"');
  if (begin == line.npos || end == begin)
    lines.fail(lines.fields()[0], "found " + quoted(lines.fields()[0].text) +
                                      ", expected the name of a user event in quotes");
  const std::string_view name = line.substr(begin + 1, end - begin - 1);
  if (!name.starts_with(event_name) || name.find(" : ") != name.npos) return;
  const Field destination{trim(name.substr(event_name.size())), begin + 2 + event_name.size()};
  matrix_ = true;
  add_messages(lines, end + 1, node, rank_field(lines, destination));
}

void TauReader::add(std::string_view content, const std::string& source, Rank node) {
  if (!is_tau(content))
    throw InputError({source, 1, 1}, "found " + quoted(content.substr(0, content.find('\n'))) +
                                         ", expected \"N templated_functions\"");
  if (nodes_.empty() || nodes_.back() != node) nodes_.push_back(node);
  LineFields lines(content, source);
  std::optional<std::uint64_t> events;
  while (!events && lines.next("#", " \t\r")) events = events_announced(lines);
  for (std::uint64_t event = 0; event < events.value_or(0); ++event) {
    if (!lines.next("#", " \t\r"))
      throw InputError({source, 0, 0}, "ends after " + std::to_string(event) +
                                           " user events, expected " + std::to_string(*events));
    read_event(lines, node);
  }
}

CommGraph TauReader::build(const std::string& folder) && {
  std::sort(nodes_.begin(), nodes_.end());
  nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
  const Rank ranks = std::max(edges_.ranks(), nodes_.back() + 1);
  if (nodes_.size() != static_cast<std::size_t>(ranks))
    throw InputError({folder, 0, 0}, "profiles of " + std::to_string(nodes_.size()) + " of " +
                                         std::to_string(ranks) + " nodes (nothing of " +
                                         missing_ranks(nodes_, ranks) +
                                         "), expected profile.N.0.0 of all");
  if (!matrix_)
    throw InputError({folder, 0, 0},
                     "no user event " + quoted(std::string(event_name) + "K") +
                         " in these profiles, expected a run of TAU with TAU_COMM_MATRIX=1");
  return std::move(edges_).build(ranks, {}, folder);
}

}  // namespace

bool is_tau(std::string_view content) {
  const std::string_view first = trim(content.substr(0, content.find('\n')));
  const std::size_t blank = first.find(' ');
  return blank != first.npos && parse_unsigned(first.substr(0, blank)) &&
         first.substr(blank).starts_with(templated);
}

bool is_tau_name(std::string_view file) {
  return node_of(file).has_value();
}

CommGraph refuse_tau_file(std::string_view, const std::string& source) {
  throw InputError({source, 0, 0},
                   "one profile of TAU has the messages of one sender, expected the folder of all "
                   "profile.N.0.0");
}

CommGraph read_tau_folder(const std::vector<std::string>& files, const std::string& folder) {
  TauReader reader;
  for (const std::string& file : files)
    reader.add(read_text(file, largest_recording), file, *node_of(file));
  return std::move(reader).build(folder);
}

}  // namespace rankmap
