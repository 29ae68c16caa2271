#include "libmap/graph/foreign/nccl_parts.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/graph/foreign/nccl_records.hpp"

namespace rankmap {
namespace {

constexpr std::string_view header_start = "# rankmap nccl ";
constexpr std::string_view version = "1";
constexpr std::string_view comments = "#";
constexpr std::string_view separators = " \t\r";

// Where the values stand that NcclRecords names when they contradict others.
struct Place {
  std::string_view line;
  std::string_view key;
  std::size_t field;
};
constexpr std::array places = {
    Place{"comm", "n_ranks", 3},
    Place{"comm", "rank", 4},
    Place{"call", "coll", 2},
    Place{"call", "calls", 4},
    Place{"call", "coll_msg_size_bytes", 5},
};

std::size_t column_of_field(std::string_view text, std::string_view key) {
  const std::vector<std::string_view> words = split_words(text);
  for (const Place& place : places)
    if (place.key == key && place.field < words.size() && words[0] == place.line)
      return static_cast<std::size_t>(words[place.field].data() - text.data()) + 1;
  return 1;
}

class PartReader {
 public:
  PartReader(std::string_view content, const std::string& source, NcclRecords& records)
      : lines_(content, source), source_(source), records_(records) {}

  void read();
  std::uint64_t other_calls() const { return other_calls_; }

 private:
  struct Row {
    std::string_view name;
    std::size_t fields;  // at least, and where `open` is false at most
    bool open;
    std::string_view grammar;
    void (PartReader::*read)();
  };
  static const std::array<Row, 4> rows;

  const Field& field(std::size_t index) const { return lines_.fields()[index]; }
  NcclLine line() const { return {lines_.line(), source_, lines_.number(), column_of_field}; }
  std::uint64_t number(std::size_t index, std::string_view what, std::uint64_t low,
                       std::uint64_t high) const;
  Rank rank(std::size_t index, std::string_view what, Rank ranks) const;
  std::string communicator_id() const;
  void expect_line(const Row& row);
  void read_head();
  void read_comm();
  void read_call();
  void read_send();
  void read_other();
  NcclRecord record_of_comm() const;
  void add(NcclRecord record, std::size_t calls);

  LineFields lines_;
  const std::string& source_;
  NcclRecords& records_;
  NcclRecord process_{};           // host, pid and place in the job
  std::vector<NcclRecord> comms_;  // by number, without an operation
  std::uint64_t other_calls_ = 0;
};

const std::array<PartReader::Row, 4> PartReader::rows = {
    Row{"comm", 5, true, "comm NUMBER ID RANKS OWN [NAME]", &PartReader::read_comm},
    Row{"call", 7, false, "call NUMBER OPERATION ROOT CALLS BYTES PHASE", &PartReader::read_call},
    Row{"send", 6, false, "send NUMBER PEER CALLS BYTES PHASE", &PartReader::read_send},
    Row{"other", 3, false, "other CALLS BYTES", &PartReader::read_other},
};

std::uint64_t PartReader::number(std::size_t index, std::string_view what, std::uint64_t low,
                                 std::uint64_t high) const {
  const std::optional<std::uint64_t> value = parse_unsigned(field(index).text);
  if (!value || *value < low || *value > high)
    lines_.fail(field(index), "found " + rankmap::quoted(field(index).text) + ", expected " +
                                  std::string(what) + " of " + std::to_string(low) + " to " +
                                  std::to_string(high));
  return *value;
}

Rank PartReader::rank(std::size_t index, std::string_view what, Rank ranks) const {
  return static_cast<Rank>(number(index, what, 0, static_cast<std::uint64_t>(ranks) - 1));
}

// As the inspector writes them.
std::string PartReader::communicator_id() const {
  const std::string_view id = field(2).text;
  if (id.size() > 16 || id.find_first_not_of("0123456789abcdef") != id.npos)
    lines_.fail(field(2), "found " + rankmap::quoted(id) + ", expected up to 16 hex digits");
  return "0x" + std::string(id);
}

void PartReader::expect_line(const Row& row) {
  const std::size_t found = lines_.fields().size();
  if (found < row.fields || (found > row.fields && !row.open))
    lines_.fail(field(std::min(found, row.fields + 1) - 1),
                std::to_string(found) + " fields, expected " + std::string(row.grammar));
}

void PartReader::read_head() {
  const auto next = [&](std::string_view name, std::string_view grammar) {
    if (!lines_.next(comments, separators))
      throw InputError({source_, 0, 0}, "the part ends early, expected " + std::string(grammar));
    if (field(0).text != name || lines_.fields().size() != 3)
      lines_.fail(field(0), "found " + rankmap::quoted(trim(lines_.line())) + ", expected " +
                                std::string(grammar));
  };
  next("process", "process HOST PID");
  process_.process = {std::string(field(1).text), number(2, "a process", 0, largest_count)};
  next("rank", "rank RANK RANKS");
  if (field(1).text == "-") return;
  NcclJobPlace job{rank(1, "a rank", GraphBuilder::most_ranks), 0};
  if (field(2).text != "-")
    job.ranks =
        static_cast<Rank>(number(2, "a number of ranks", static_cast<std::uint64_t>(job.rank) + 1,
                                 GraphBuilder::most_ranks));
  process_.job = job;
}

void PartReader::read() {
  read_head();
  while (lines_.next(comments, separators)) {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const Row& r) { return r.name == field(0).text; });
    if (row == rows.end())
      lines_.fail(field(0), "found " + rankmap::quoted(field(0).text) +
                                ", expected comm, call, send or other");
    expect_line(*row);
    (this->*row->read)();
  }
}

void PartReader::read_comm() {
  number(1, "the number", comms_.size(), comms_.size());
  NcclRecord record = process_;
  record.communicator = communicator_id();
  record.ranks = static_cast<Rank>(number(3, "a number of ranks", 1, GraphBuilder::most_ranks));
  record.rank = rank(4, "a rank", record.ranks);
  if (lines_.fields().size() > 5)
    record.label = std::string(trim(lines_.line().substr(field(5).column - 1)));
  records_.add_member(record, line());
  comms_.push_back(std::move(record));
}

NcclRecord PartReader::record_of_comm() const {
  if (comms_.empty()) lines_.fail(field(1), "no comm is declared above");
  return comms_[number(1, "the number of a comm", 0, comms_.size() - 1)];
}

// The last three fields of both kinds.
void PartReader::add(NcclRecord record, std::size_t calls) {
  record.calls = number(calls, "calls", 1, largest_count);
  record.bytes = number(calls + 1, "bytes", 0, largest_count);
  record.phase =
      static_cast<std::int32_t>(number(calls + 2, "a phase", 0, GraphBuilder::most_phases - 1));
  records_.add(record, line());
}

void PartReader::read_call() {
  NcclRecord record = record_of_comm();
  record.operation = std::string(field(2).text);
  const std::optional<bool> has_root = nccl_has_root(record.operation);
  if (has_root && !*has_root && field(3).text != "-")
    lines_.fail(field(3), "found " + rankmap::quoted(field(3).text) +
                              ", expected -: " + record.operation + " has no root");
  if (has_root && *has_root) record.root = rank(3, "a root", record.ranks);
  add(std::move(record), 4);
}

void PartReader::read_send() {
  NcclRecord record = record_of_comm();
  record.point_to_point = true;
  record.operation = "Send";
  record.peer = rank(2, "a peer", record.ranks);
  add(std::move(record), 3);
}

void PartReader::read_other() {
  const std::uint64_t calls = number(1, "calls", 0, largest_count);
  number(2, "bytes", 0, largest_count);
  other_calls_ += std::min(calls, largest_count - other_calls_);
}

std::uint64_t add_part(std::string_view content, const std::string& source, NcclRecords& records) {
  const std::string_view header = content.substr(0, content.find('\n'));
  const std::string_view found = trim(header.substr(std::min(header_start.size(), header.size())));
  if (!is_nccl_part(content) || found != version)
    throw InputError({source, 1, is_nccl_part(content) ? header_start.size() + 1 : 1},
                     "found " + rankmap::quoted(is_nccl_part(content) ? found : trim(header)) +
                         ", expected version 1 (\"# rankmap nccl 1\")");
  PartReader reader(content, source, records);
  reader.read();
  return reader.other_calls();
}

struct Part {
  std::string file;
  std::string content;
};

// The groups of a job come in the order of its ranks, whatever their processes are called.
std::uint64_t rank_told_in(std::string_view content) {
  constexpr std::string_view start = "\nrank ";
  const std::size_t found = content.find(start);
  if (found == content.npos) return largest_count;
  const std::string_view rest = content.substr(found + start.size());
  return parse_unsigned(rest.substr(0, rest.find(' '))).value_or(largest_count);
}

}  // namespace

bool is_nccl_part(std::string_view content) {
  return content.starts_with(header_start);
}

bool is_nccl_part_name(std::string_view file) {
  return std::filesystem::path(file).filename().string().starts_with("part.");
}

NcclParts read_nccl_parts(const std::vector<std::string>& files, const std::string& name) {
  std::vector<Part> parts;
  for (const std::string& file : files) parts.push_back({file, read_text(file, largest_recording)});
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return rank_told_in(a.content) < rank_told_in(b.content);
  });
  NcclRecords records;
  std::uint64_t other = 0;
  for (const Part& part : parts) {
    const std::uint64_t more = add_part(part.content, part.file, records);
    other += std::min(more, largest_count - other);
  }
  const bool in_job_ranks = records.knows_job_ranks();
  return {std::move(records).build(name), in_job_ranks, other};
}

CommGraph read_nccl_part(std::string_view content, const std::string& source) {
  NcclRecords records;
  add_part(content, source, records);
  return std::move(records).build(source);
}

CommGraph read_nccl_parts_folder(const std::vector<std::string>& files, const std::string& folder) {
  return read_nccl_parts(files, folder).graph;
}

}  // namespace rankmap
