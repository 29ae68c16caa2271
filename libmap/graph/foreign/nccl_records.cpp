#include "libmap/graph/foreign/nccl_records.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

enum class Reach { next, root, others };

// `messages` that a rank at a position from the root on sends to each rank in its reach in a call,
// and the `bytes` in all of them; nullopt beyond 63 bits.
struct OperationRow {
  std::string_view name;
  bool has_root;
  Reach reach;
  std::uint64_t (*messages)(Rank position, std::uint64_t ranks);
  std::optional<Bytes> (*bytes)(Bytes message, std::uint64_t ranks);
};

std::uint64_t twice_around(Rank, std::uint64_t ranks) {
  return 2 * (ranks - 1);
}

std::uint64_t once_around(Rank, std::uint64_t ranks) {
  return ranks - 1;
}

std::uint64_t from_all_but_the_last(Rank position, std::uint64_t ranks) {
  return static_cast<std::uint64_t>(position) + 1 < ranks ? 1 : 0;
}

std::uint64_t from_all_but_the_root(Rank position, std::uint64_t) {
  return position != 0 ? 1 : 0;
}

std::uint64_t from_the_root(Rank position, std::uint64_t) {
  return position == 0 ? 1 : 0;
}

std::uint64_t from_all(Rank, std::uint64_t) {
  return 1;
}

// 2(n-1)M/n without leaving 64 bits on the way: M = qn + r.
std::optional<Bytes> reduced(Bytes message, std::uint64_t ranks) {
  const std::optional<Bytes> whole = product(message / ranks, 2 * (ranks - 1));
  const Bytes rest = message % ranks * (2 * (ranks - 1)) / ranks;
  if (!whole || *whole > largest_count - rest) return std::nullopt;
  return *whole + rest;
}

std::optional<Bytes> parts_of_others(Bytes message, std::uint64_t ranks) {
  return product(message, ranks - 1);
}

std::optional<Bytes> all_of_it(Bytes message, std::uint64_t) {
  return message;
}

constexpr std::array operations = {
    OperationRow{"AllReduce", false, Reach::next, twice_around, reduced},
    OperationRow{"AllGather", false, Reach::next, once_around, parts_of_others},
    OperationRow{"ReduceScatter", false, Reach::next, once_around, parts_of_others},
    OperationRow{"Broadcast", true, Reach::next, from_all_but_the_last, all_of_it},
    OperationRow{"Reduce", true, Reach::next, from_all_but_the_root, all_of_it},
    OperationRow{"AlltoAll", false, Reach::others, from_all, all_of_it},
    OperationRow{"Gather", true, Reach::root, from_all_but_the_root, all_of_it},
    OperationRow{"Scatter", true, Reach::others, from_the_root, all_of_it},
};

const OperationRow* find_operation(std::string_view name) {
  const auto found = std::find_if(operations.begin(), operations.end(),
                                  [&](const OperationRow& row) { return row.name == name; });
  return found == operations.end() ? nullptr : &*found;
}

const OperationRow& operation_of(const NcclRecord& record, const NcclLine& line) {
  if (const OperationRow* const row = find_operation(record.operation)) return *row;
  std::string expected;
  for (const OperationRow& row : operations)
    expected += (expected.empty() ? "" : ", ") + std::string(row.name);
  line.fail("coll", "found " + quoted(record.operation) + ", expected one of " + expected);
}

}  // namespace

std::optional<bool> nccl_has_root(std::string_view operation) {
  const OperationRow* const row = find_operation(operation);
  return row == nullptr ? std::nullopt : std::optional(row->has_root);
}

std::int32_t NcclRecords::process_of(const NcclRecord& record, const NcclLine& line) {
  const auto [found, added] =
      processes_.emplace(record.process, static_cast<std::int32_t>(processes_.size()));
  if (added) jobs_.push_back(record.job);
  if (jobs_[static_cast<std::size_t>(found->second)] != record.job)
    line.fail("pid", "process " + std::to_string(record.process.second) + " of host " +
                         quoted(record.process.first) + " is another rank of the job above");
  return found->second;
}

std::int32_t NcclRecords::communicator_of(const NcclRecord& record, const NcclLine& line) {
  const auto [found, added] =
      by_id_.emplace(record.communicator, static_cast<std::int32_t>(communicators_.size()));
  if (added) communicators_.push_back({record.communicator, record.label, record.ranks, {}});
  Communicator& communicator = communicators_[static_cast<std::size_t>(found->second)];
  if (communicator.ranks != record.ranks)
    line.fail("n_ranks", "communicator " + quoted(record.communicator) + " of " +
                             std::to_string(record.ranks) + " ranks, but of " +
                             std::to_string(communicator.ranks) + " above");
  const std::int32_t process = process_of(record, line);
  if (communicator.process.emplace(record.rank, process).first->second != process)
    line.fail("rank", "rank " + std::to_string(record.rank) + " of communicator " +
                          quoted(record.communicator) +
                          " is another process above: expected the logs of one run");
  return found->second;
}

std::int32_t NcclRecords::stream_of(std::int32_t communicator, const NcclRecord& record) {
  const Stream stream{communicator, record.operation, record.root.value_or(-1), record.phase};
  const auto [found, added] =
      by_stream_.emplace(stream, static_cast<std::int32_t>(streams_.size()));
  if (added) streams_.push_back(stream);
  return found->second;
}

const NcclRecords::Communicator& NcclRecords::communicator_of_stream(std::int32_t stream) const {
  const std::int32_t communicator = streams_[static_cast<std::size_t>(stream)].communicator;
  return communicators_[static_cast<std::size_t>(communicator)];
}

void NcclRecords::add_member(const NcclRecord& record, const NcclLine& line) {
  communicator_of(record, line);
}

void NcclRecords::add(const NcclRecord& record, const NcclLine& line) {
  const std::int32_t communicator = communicator_of(record, line);
  if (record.point_to_point) {
    if (record.operation == "Recv") return;
    if (record.operation != "Send")
      line.fail("p2p", "found " + quoted(record.operation) + ", expected Send or Recv");
    edges_.add(record.rank, record.peer, record.bytes, record.calls,
               stream_of(communicator, record));
    return;
  }
  const OperationRow& row = operation_of(record, line);
  const std::uint64_t ranks = static_cast<std::uint64_t>(record.ranks);
  const Rank root = record.root.value_or(0);
  const Rank position = (record.rank - root + record.ranks) % record.ranks;
  const std::optional<Bytes> bytes = row.bytes(record.bytes, ranks);
  const std::optional<std::uint64_t> messages =
      product(row.messages(position, ranks), record.calls);
  if (!bytes) line.fail("coll_msg_size_bytes", "more bytes around the ring than 63 bits hold");
  if (!messages) line.fail("calls", "more messages around the ring than 63 bits hold");
  const Rank next = record.rank + 1 == record.ranks ? 0 : record.rank + 1;
  edges_.add(record.rank, row.reach == Reach::root ? root : next, *bytes, *messages,
             stream_of(communicator, record));
}

void NcclRecords::check_complete(const std::string& name) const {
  for (const Communicator& communicator : communicators_) {
    if (communicator.process.size() == static_cast<std::size_t>(communicator.ranks)) continue;
    std::vector<Rank> present;
    for (const auto& [rank, process] : communicator.process) present.push_back(rank);
    throw InputError(
        {name, 0, 0},
        "communicator " + quoted(communicator.id) + " has " + std::to_string(communicator.ranks) +
            " ranks, but records of " + std::to_string(present.size()) + " (nothing of " +
            missing_ranks(present, communicator.ranks) + "), expected the logs of all processes");
  }
}

bool NcclRecords::is_one_rank_a_process(const Communicator& communicator) const {
  std::vector<std::int32_t> processes;
  for (const auto& [rank, process] : communicator.process) processes.push_back(process);
  std::sort(processes.begin(), processes.end());
  return std::adjacent_find(processes.begin(), processes.end()) == processes.end();
}

void NcclRecords::check_one_rank_a_process(const std::string& name) const {
  for (const Communicator& communicator : communicators_)
    if (!is_one_rank_a_process(communicator))
      throw InputError({name, 0, 0},
                       "a process holds several ranks of communicator " + quoted(communicator.id) +
                           ": with more than one communicator these cannot be told apart, expected "
                           "one GPU a process");
}

// A size that no process knows is taken by the largest rank.
std::optional<Rank> NcclRecords::job_size() const {
  std::vector<Rank> ranks;
  Rank told = 0;
  for (const std::optional<NcclJobPlace>& job : jobs_) {
    if (!job || (told != 0 && job->ranks != 0 && job->ranks != told)) return std::nullopt;
    told = std::max(told, job->ranks);
    ranks.push_back(job->rank);
  }
  std::sort(ranks.begin(), ranks.end());
  if (ranks.empty() || std::adjacent_find(ranks.begin(), ranks.end()) != ranks.end())
    return std::nullopt;
  for (const Communicator& communicator : communicators_)
    if (!is_one_rank_a_process(communicator)) return std::nullopt;
  return std::max(told, ranks.back() + 1);
}

const NcclRecords::Communicator* NcclRecords::world() const {
  for (const Communicator& communicator : communicators_)
    if (communicator.process.size() == processes_.size()) return &communicator;
  return nullptr;
}

std::vector<Rank> NcclRecords::rank_of_process(const Communicator* world) const {
  std::vector<Rank> ranks(processes_.size());
  if (world != nullptr) {
    for (const auto& [rank, process] : world->process)
      ranks[static_cast<std::size_t>(process)] = rank;
    return ranks;
  }
  Rank next = 0;
  for (const auto& [process, number] : processes_) ranks[static_cast<std::size_t>(number)] = next++;
  return ranks;
}

// `of_process` is empty where the ranks of the only communicator are those of the graph.
Rank NcclRecords::world_rank(const Communicator& communicator, Rank rank,
                             const std::vector<Rank>& of_process) const {
  if (of_process.empty()) return rank;
  return of_process[static_cast<std::size_t>(communicator.process.at(rank))];
}

std::vector<Group> NcclRecords::groups(const std::vector<Rank>& of_process) const {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const Stream& stream = streams_[i];
    const Communicator& communicator = communicator_of_stream(static_cast<std::int32_t>(i));
    Group group{stream.operation, {}, stream.phase};
    if (stream.root >= 0)
      group.name += " root=" + std::to_string(world_rank(communicator, stream.root, of_process));
    group.name += " " + communicator.id;
    if (!communicator.label.empty()) group.name += " " + communicator.label;
    for (const auto& [rank, process] : communicator.process)
      group.ranks.push_back(world_rank(communicator, rank, of_process));
    groups.push_back(std::move(group));
  }
  return groups;
}

RecordedEdges NcclRecords::edges(const std::vector<Rank>& of_process) const {
  RecordedEdges edges;
  for (const Edge& edge : edges_.edges()) {
    const Communicator& communicator = communicator_of_stream(edge.group);
    const Rank source = world_rank(communicator, edge.source, of_process);
    const auto add = [&](Rank destination) {
      edges.add(source, world_rank(communicator, destination, of_process), edge.bytes,
                edge.messages, edge.group);
    };
    const OperationRow* const row =
        find_operation(streams_[static_cast<std::size_t>(edge.group)].operation);
    if (row == nullptr || row->reach != Reach::others) {
      add(edge.destination);
      continue;
    }
    for (Rank rank = 0; rank < communicator.ranks; ++rank)
      if (rank != edge.source) add(rank);
  }
  return edges;
}

CommGraph NcclRecords::build(const std::string& name) && {
  if (communicators_.empty())
    throw InputError({name, 0, 0}, "no record in it, expected one an operation of NCCL");
  check_complete(name);
  const std::optional<Rank> job = job_size();
  const bool single = communicators_.size() == 1;
  if (!job && !single) check_one_rank_a_process(name);
  const Communicator* const all = job || single ? nullptr : world();
  std::vector<Rank> of_process;
  if (job)
    for (const std::optional<NcclJobPlace>& place : jobs_) of_process.push_back(place->rank);
  else if (!single)
    of_process = rank_of_process(all);
  const Rank ranks = job      ? *job
                     : single ? communicators_[0].ranks
                              : static_cast<Rank>(processes_.size());
  const bool guessed = !job && !single && all == nullptr;
  return edges(of_process)
      .build(ranks, groups(of_process),
             guessed ? name + " (ranks in the order of host and process)" : name);
}

}  // namespace rankmap
