// IPM 2's XML of a run with IPM_LOG=full. Counted: the calls that send to one peer (rows below),
// bytes of a message times their count. orank is taken as a rank of MPI_COMM_WORLD: a build of IPM
// that writes it relative to the sender looks the same, but where a sign gives it away (refused).
// Not told by IPM, so not counted: persistent requests; a send to MPI_PROC_NULL appears as one to
// rank 0. Collectives and receives are not counted.
#include <algorithm>
#include <array>
#include <optional>

#include "libmap/base/text.hpp"
#include "libmap/graph/foreign/formats.hpp"
#include "libmap/graph/foreign/recorded_edges.hpp"
#include "libmap/graph/foreign/xml_tags.hpp"

namespace rankmap {
namespace {

constexpr std::array<std::string_view, 10> sending_calls = {
    "MPI_Send",   "MPI_Ssend",  "MPI_Rsend",  "MPI_Bsend",    "MPI_Isend",
    "MPI_Issend", "MPI_Irsend", "MPI_Ibsend", "MPI_Sendrecv", "MPI_Sendrecv_replace"};

class IpmReader {
 public:
  IpmReader(std::string_view content, const std::string& source)
      : tags_(content, source), source_(source) {}
  CommGraph read();

 private:
  const XmlAttribute& attribute(std::string_view name) const;
  std::uint64_t number(std::string_view name, std::uint64_t low, std::uint64_t high) const;
  Rank peer() const;
  void begin_task();
  void read_calls();
  void check_complete();

  XmlTags tags_;
  const std::string& source_;
  RecordedEdges edges_;
  std::vector<Rank> tasks_;
  Rank ranks_ = 0;
  Rank rank_ = none;  // of the task that is open
  bool full_ = false;
  bool terse_ = false;
};

const XmlAttribute& IpmReader::attribute(std::string_view name) const {
  const XmlAttribute* const found = tags_.find(name);
  if (found == nullptr)
    tags_.fail("<" + std::string(tags_.name()) + "> without " + std::string(name) + ", expected " +
               std::string(name) + "=\"...\"");
  return *found;
}

std::uint64_t IpmReader::number(std::string_view name, std::uint64_t low,
                                std::uint64_t high) const {
  const XmlAttribute& found = attribute(name);
  const std::optional<std::uint64_t> value = parse_unsigned(found.value);
  if (!value || *value < low || *value > high)
    tags_.fail(found, "found " + quoted(found.value) + ", expected " + std::string(name) + " of " +
                          std::to_string(low) + " to " + std::to_string(high));
  return *value;
}

Rank IpmReader::peer() const {
  const XmlAttribute& found = attribute("orank");
  if (found.value.starts_with('-') || found.value.starts_with('+'))
    tags_.fail(found, "found " + quoted(found.value) +
                          ": ranks relative to the sender, expected ranks of MPI_COMM_WORLD");
  return static_cast<Rank>(number("orank", 0, static_cast<std::uint64_t>(ranks_) - 1));
}

void IpmReader::begin_task() {
  if (rank_ != none) tags_.fail("a <task> in a <task>, expected </task>");
  const Rank ranks = static_cast<Rank>(number("mpi_size", 1, GraphBuilder::most_ranks));
  if (ranks_ != 0 && ranks != ranks_)
    tags_.fail(attribute("mpi_size"), "a task of " + std::to_string(ranks) + " ranks, but of " +
                                          std::to_string(ranks_) +
                                          " above: expected the tasks of one run");
  ranks_ = ranks;
  rank_ = static_cast<Rank>(number("mpi_rank", 0, static_cast<std::uint64_t>(ranks) - 1));
  tasks_.push_back(rank_);
}

void IpmReader::read_calls() {
  if (rank_ == none) tags_.fail("a <hent> outside a <task>");
  full_ = true;
  const std::string_view call = attribute("call").value;
  if (std::find(sending_calls.begin(), sending_calls.end(), call) == sending_calls.end()) return;
  const std::uint64_t count = number("count", 0, largest_count);
  const std::optional<Bytes> bytes = product(number("bytes", 0, largest_count), count);
  if (!bytes) tags_.fail(attribute("bytes"), "times its count, more bytes than 63 bits hold");
  edges_.add(rank_, peer(), *bytes, count);
}

void IpmReader::check_complete() {
  if (rank_ != none) throw InputError({source_, 0, 0}, "ends in a <task>, expected </task>");
  if (tasks_.empty()) throw InputError({source_, 0, 0}, "no <task> in it, expected one a rank");
  std::sort(tasks_.begin(), tasks_.end());
  const auto twice = std::adjacent_find(tasks_.begin(), tasks_.end());
  if (twice != tasks_.end())
    throw InputError({source_, 0, 0}, "rank " + std::to_string(*twice) + " has two tasks");
  if (tasks_.size() != static_cast<std::size_t>(ranks_))
    throw InputError({source_, 0, 0}, "tasks of " + std::to_string(tasks_.size()) + " of " +
                                          std::to_string(ranks_) + " ranks (nothing of " +
                                          missing_ranks(tasks_, ranks_) + "), expected all");
  if (!full_ && terse_)
    throw InputError({source_, 0, 0},
                     "a terse log of IPM has sums of calls and no peers, expected that of a run "
                     "with IPM_LOG=full");
}

CommGraph IpmReader::read() {
  while (tags_.next()) {
    const std::string_view name = tags_.name();
    if (name == "task")
      begin_task();
    else if (name == "/task")
      rank_ = none;
    else if (name == "hent")
      read_calls();
    else if (name == "func")
      terse_ = true;
    else if (name.starts_with("taskcopy"))
      tags_.fail("a task that stands for others (clustered), expected all tasks in full");
  }
  check_complete();
  return std::move(edges_).build(ranks_, {}, source_);
}

}  // namespace

bool is_ipm(std::string_view content) {
  constexpr std::size_t head = 64 << 10;
  const std::string_view begin = content.substr(0, head);
  return trim(begin).starts_with('<') && begin.find("<task ") != begin.npos &&
         begin.find(" mpi_rank=") != begin.npos;
}

CommGraph read_ipm(std::string_view content, const std::string& source) {
  return IpmReader(content, source).read();
}

}  // namespace rankmap
