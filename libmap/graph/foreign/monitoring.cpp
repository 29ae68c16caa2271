// Open MPI's monitoring (pml_monitoring_enable, pml_monitoring_enable_output 3). Counted: E, what
// the program sent; I, what collectives sent inside, as a group; S and R, one-sided, where the data
// of R flows towards the recording rank. C and D repeat what the user asked of collectives: checked
// only. With pml_monitoring_enable 1 the E lines hold the messages of collectives too, which the
// file does not tell; with 2 they are apart.
#include <algorithm>
#include <array>
#include <optional>

#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/graph/foreign/formats.hpp"
#include "libmap/graph/foreign/recorded_edges.hpp"

namespace rankmap {
namespace {

constexpr std::string_view heading = "# POINT TO POINT";
constexpr std::string_view suffix = ".prof";
constexpr std::int32_t internal_group = 0;

enum class Counted { sent, inside, fetched, no };

struct PeerRow {
  std::string_view kind;
  Counted counted;
};

constexpr std::array peer_rows = {PeerRow{"E", Counted::sent}, PeerRow{"I", Counted::inside},
                                  PeerRow{"S", Counted::sent}, PeerRow{"R", Counted::fetched},
                                  PeerRow{"C", Counted::no}};
constexpr std::array<std::string_view, 3> total_rows = {"O2A", "A2O", "A2A"};

class MonitoringReader {
 public:
  // `recorder` is the rank in the name of the file, where there is one.
  void add(std::string_view content, const std::string& source, std::optional<Rank> recorder);
  CommGraph build(const std::string& name) &&;

 private:
  void read_line(const LineFields& lines, std::optional<Rank> recorder);
  void read_peer(const LineFields& lines, Counted counted, std::optional<Rank> recorder);
  void read_communicator(const LineFields& lines);
  void read_total(const LineFields& lines, std::optional<Rank> recorder);
  void note_recorder(const LineFields& lines, Rank rank, std::optional<Rank> expected);
  std::size_t read_members(const LineFields& lines, const Field& field);
  std::vector<Group> internal_groups() const;

  RecordedEdges edges_;
  std::vector<Rank> recorders_;  // in the order of their lines
  Rank largest_ = -1;
  std::size_t recordings_ = 0;
  std::size_t world_ = 0;  // of MPI_COMM_WORLD; 0: no line says
  bool inside_ = false;
};

void MonitoringReader::note_recorder(const LineFields& lines, Rank rank,
                                     std::optional<Rank> expected) {
  if (expected && rank != *expected)
    lines.fail(lines.fields()[1], "rank " + std::to_string(rank) + " in the recording of rank " +
                                      std::to_string(*expected));
  if (recorders_.empty() || recorders_.back() != rank) recorders_.push_back(rank);
  largest_ = std::max(largest_, rank);
}

void check_histogram(const LineFields& lines, const Field& field) {
  for (const std::string_view text : split(field.text, ','))
    if (!parse_unsigned(text))
      lines.fail({text, field.column + static_cast<std::size_t>(text.data() - field.text.data())},
                 "found " + quoted(text) + ", expected how many messages there are of a size");
}

void MonitoringReader::read_peer(const LineFields& lines, Counted counted,
                                 std::optional<Rank> recorder) {
  const std::vector<Field>& field = lines.fields();
  if (field.size() != 5 && field.size() != 6)
    lines.fail(field.back(), std::to_string(field.size()) +
                                 " fields between tabs, expected KIND, RANK, PEER, bytes, msgs "
                                 "sent and perhaps the messages by size");
  const Rank rank = rank_field(lines, field[1]);
  const Rank peer = rank_field(lines, field[2]);
  const Bytes bytes = count_before(lines, field[3], " bytes");
  const std::uint64_t messages = count_before(lines, field[4], " msgs sent");
  if (field.size() == 6) check_histogram(lines, field[5]);
  if (messages == 0 && bytes != 0) lines.fail(field[4], "bytes without messages");
  note_recorder(lines, rank, recorder);
  largest_ = std::max(largest_, peer);
  if (counted == Counted::no) return;
  inside_ = inside_ || counted == Counted::inside;
  const bool fetched = counted == Counted::fetched;
  edges_.add(fetched ? peer : rank, fetched ? rank : peer, bytes, messages,
             counted == Counted::inside ? internal_group : none);
}

std::size_t MonitoringReader::read_members(const LineFields& lines, const Field& field) {
  constexpr std::string_view start = "procs: ";
  if (!field.text.starts_with(start))
    lines.fail(field, "found " + quoted(field.text) + ", expected \"procs: \" and ranks");
  std::size_t members = 0;
  for (const std::string_view text : split(field.text.substr(start.size()), ',')) {
    const std::size_t offset = static_cast<std::size_t>(text.data() - field.text.data());
    largest_ = std::max(largest_, rank_field(lines, {text, field.column + offset}));
    ++members;
  }
  return members;
}

void MonitoringReader::read_communicator(const LineFields& lines) {
  const std::vector<Field>& field = lines.fields();
  const std::size_t members = read_members(lines, field.back());
  if (field.size() < 3 || field[1].text != "MPI_COMM_WORLD") return;
  if (world_ != 0 && members != world_)
    lines.fail(field.back(), "MPI_COMM_WORLD of " + std::to_string(members) + " ranks, but of " +
                                 std::to_string(world_) +
                                 " above: expected the recordings of one job");
  world_ = members;
}

void MonitoringReader::read_total(const LineFields& lines, std::optional<Rank> recorder) {
  const std::vector<Field>& field = lines.fields();
  if (field.size() != 4)
    lines.fail(field.back(), std::to_string(field.size()) +
                                 " fields between tabs, expected KIND, RANK, bytes and msgs sent");
  const Rank rank = rank_field(lines, field[1]);
  count_before(lines, field[2], " bytes");
  count_before(lines, field[3], " msgs sent");
  note_recorder(lines, rank, recorder);
}

void MonitoringReader::read_line(const LineFields& lines, std::optional<Rank> recorder) {
  const std::string_view kind = lines.fields()[0].text;
  for (const PeerRow& row : peer_rows)
    if (row.kind == kind) return read_peer(lines, row.counted, recorder);
  if (kind == "D") return read_communicator(lines);
  if (std::find(total_rows.begin(), total_rows.end(), kind) != total_rows.end())
    return read_total(lines, recorder);
  lines.fail(lines.fields()[0],
             "found " + quoted(kind) + ", expected a line of E, I, S, R, C, D, O2A, A2O or A2A");
}

void MonitoringReader::add(std::string_view content, const std::string& source,
                           std::optional<Rank> recorder) {
  if (!is_monitoring(content))
    throw InputError({source, 1, 1}, "found " + quoted(content.substr(0, content.find('\n'))) +
                                         ", expected " + quoted(heading));
  for (std::size_t at = content.find(heading); at != content.npos;
       at = content.find(heading, at + heading.size()))
    ++recordings_;
  if (recorder) largest_ = std::max(largest_, *recorder);
  LineFields lines(content, source);
  while (lines.next("#", "\t\r")) read_line(lines, recorder);
}

// The collectives of one job, whatever their communicators: the lines do not tell these.
std::vector<Group> MonitoringReader::internal_groups() const {
  if (!inside_) return {};
  std::vector<Rank> ranks;
  for (const Edge& edge : edges_.edges())
    if (edge.group == internal_group) ranks.insert(ranks.end(), {edge.source, edge.destination});
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  if (ranks.empty()) return {};
  return {{"collectives (internal)", std::move(ranks), 0}};
}

CommGraph MonitoringReader::build(const std::string& name) && {
  std::sort(recorders_.begin(), recorders_.end());
  recorders_.erase(std::unique(recorders_.begin(), recorders_.end()), recorders_.end());
  const std::size_t named = static_cast<std::size_t>(largest_) + 1;
  const std::size_t ranks = world_ != 0 ? world_ : std::max(named, recordings_);
  if (named > ranks)
    throw InputError({name, 0, 0}, "rank " + std::to_string(largest_) +
                                       " in a job whose MPI_COMM_WORLD has " +
                                       std::to_string(ranks) + " ranks");
  if (recordings_ > ranks)
    throw InputError({name, 0, 0}, std::to_string(recordings_) + " recordings of " +
                                       std::to_string(ranks) + " ranks, expected one a rank");
  if (recordings_ < ranks)
    throw InputError({name, 0, 0}, std::to_string(recordings_) + " of the recordings of " +
                                       std::to_string(ranks) + " ranks (nothing of " +
                                       missing_ranks(recorders_, static_cast<Rank>(ranks)) +
                                       "), expected all: their folder, or one file of them all");
  std::vector<Group> groups = internal_groups();
  return std::move(edges_).build(static_cast<Rank>(ranks), std::move(groups), name);
}

struct RecordingName {
  std::string_view prefix;
  Rank rank;
};

std::optional<RecordingName> recording_name(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  if (!path.ends_with(suffix)) return std::nullopt;
  path.remove_suffix(suffix.size());
  const std::size_t dot = path.rfind('.');
  if (dot == path.npos) return std::nullopt;
  const std::optional<std::uint64_t> rank = parse_unsigned(path.substr(dot + 1));
  if (!rank || *rank >= static_cast<std::uint64_t>(GraphBuilder::most_ranks)) return std::nullopt;
  return RecordingName{path.substr(0, dot), static_cast<Rank>(*rank)};
}

}  // namespace

bool is_monitoring(std::string_view content) {
  return content.starts_with(heading);
}

bool is_monitoring_name(std::string_view file_name) {
  return recording_name(file_name).has_value();
}

CommGraph read_monitoring(std::string_view content, const std::string& source) {
  MonitoringReader reader;
  reader.add(content, source, std::nullopt);
  return std::move(reader).build(source);
}

CommGraph read_monitoring_folder(const std::vector<std::string>& files, const std::string& folder) {
  MonitoringReader reader;
  std::string_view prefix;
  for (const std::string& file : files) {
    const RecordingName name = *recording_name(file);
    if (!prefix.empty() && name.prefix != prefix)
      throw InputError({folder, 0, 0}, "recordings of two names, " + quoted(prefix) + " and " +
                                           quoted(name.prefix) +
                                           ": expected those of one (or its files put into one)");
    prefix = name.prefix;
    reader.add(read_text(file, largest_recording), file, name.rank);
  }
  return std::move(reader).build(folder);
}

}  // namespace rankmap
