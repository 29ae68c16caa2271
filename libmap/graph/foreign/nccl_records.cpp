#include "libmap/graph/foreign/nccl_records.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

// How many messages a rank sends to the next, and how many bytes in all; nullopt beyond 63 bits.
struct RingRow {
  std::string_view operation;
  std::uint64_t (*messages)(Rank rank, std::uint64_t ranks);
  std::optional<Bytes> (*bytes)(Bytes message, std::uint64_t ranks);
};

std::uint64_t twice_around(Rank, std::uint64_t ranks) {
  return 2 * (ranks - 1);
}

std::uint64_t once_around(Rank, std::uint64_t ranks) {
  return ranks - 1;
}

std::uint64_t chain_from_first(Rank rank, std::uint64_t ranks) {
  return static_cast<std::uint64_t>(rank) + 1 < ranks ? 1 : 0;
}

std::uint64_t chain_to_first(Rank rank, std::uint64_t ranks) {
  return rank != 0 && ranks > 1 ? 1 : 0;
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

constexpr std::array ring_rows = {
    RingRow{"AllReduce", twice_around, reduced},
    RingRow{"AllGather", once_around, parts_of_others},
    RingRow{"ReduceScatter", once_around, parts_of_others},
    RingRow{"Broadcast", chain_from_first, all_of_it},
    RingRow{"Reduce", chain_to_first, all_of_it},
};

const RingRow& ring_of(const NcclRecord& record, const NcclLine& line) {
  std::string expected;
  for (const RingRow& row : ring_rows) {
    if (row.operation == record.operation) return row;
    expected += (expected.empty() ? "" : ", ") + std::string(row.operation);
  }
  line.fail("coll", "found " + quoted(record.operation) + ", expected one of " + expected);
}

}  // namespace

std::int32_t NcclRecords::process_of(const NcclRecord& record) {
  return processes_.emplace(record.process, static_cast<std::int32_t>(processes_.size()))
      .first->second;
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
  const std::int32_t process = process_of(record);
  if (communicator.process.emplace(record.rank, process).first->second != process)
    line.fail("rank", "rank " + std::to_string(record.rank) + " of communicator " +
                          quoted(record.communicator) +
                          " is another process above: expected the logs of one run");
  return found->second;
}

std::int32_t NcclRecords::stream_of(std::int32_t communicator, const std::string& operation) {
  const auto [found, added] = by_operation_.emplace(std::pair(communicator, operation),
                                                    static_cast<std::int32_t>(streams_.size()));
  if (added) streams_.push_back({communicator, operation});
  return found->second;
}

void NcclRecords::add(const NcclRecord& record, const NcclLine& line) {
  const std::int32_t communicator = communicator_of(record, line);
  if (record.point_to_point) {
    if (record.operation == "Recv") return;
    if (record.operation != "Send")
      line.fail("p2p", "found " + quoted(record.operation) + ", expected Send or Recv");
    edges_.add(record.rank, record.peer, record.bytes, 1, stream_of(communicator, "Send"));
    return;
  }
  const RingRow& row = ring_of(record, line);
  const std::uint64_t ranks = static_cast<std::uint64_t>(record.ranks);
  const std::optional<Bytes> bytes = row.bytes(record.bytes, ranks);
  if (!bytes) line.fail("coll_msg_size_bytes", "more bytes around the ring than 63 bits hold");
  const Rank next = record.rank + 1 == record.ranks ? 0 : record.rank + 1;
  edges_.add(record.rank, next, *bytes, row.messages(record.rank, ranks),
             stream_of(communicator, record.operation));
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

void NcclRecords::check_one_rank_a_process(const std::string& name) const {
  for (const Communicator& communicator : communicators_) {
    std::vector<std::int32_t> processes;
    for (const auto& [rank, process] : communicator.process) processes.push_back(process);
    std::sort(processes.begin(), processes.end());
    if (std::adjacent_find(processes.begin(), processes.end()) != processes.end())
      throw InputError({name, 0, 0},
                       "a process holds several ranks of communicator " + quoted(communicator.id) +
                           ": with more than one communicator these cannot be told apart, expected "
                           "one GPU a process");
  }
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

Rank NcclRecords::world_rank(const Communicator& communicator, Rank rank,
                             const std::vector<Rank>& of_process) const {
  if (communicators_.size() == 1) return rank;
  return of_process[static_cast<std::size_t>(communicator.process.at(rank))];
}

CommGraph NcclRecords::build(const std::string& name) && {
  if (communicators_.empty())
    throw InputError({name, 0, 0}, "no record in it, expected one an operation of NCCL");
  check_complete(name);
  const bool single = communicators_.size() == 1;
  if (!single) check_one_rank_a_process(name);
  const Communicator* const all = single ? nullptr : world();
  const std::vector<Rank> of_process = rank_of_process(all);
  const auto communicator_of_stream = [&](const Stream& stream) -> const Communicator& {
    return communicators_[static_cast<std::size_t>(stream.communicator)];
  };
  std::vector<Group> groups;
  for (const Stream& stream : streams_) {
    const Communicator& communicator = communicator_of_stream(stream);
    Group group{stream.operation + " " + communicator.id, {}, 0};
    if (!communicator.label.empty()) group.name += " " + communicator.label;
    for (const auto& [rank, process] : communicator.process)
      group.ranks.push_back(world_rank(communicator, rank, of_process));
    groups.push_back(std::move(group));
  }
  for (Edge& edge : edges_.edges()) {
    const Communicator& communicator =
        communicator_of_stream(streams_[static_cast<std::size_t>(edge.group)]);
    edge.source = world_rank(communicator, edge.source, of_process);
    edge.destination = world_rank(communicator, edge.destination, of_process);
  }
  const Rank ranks = single ? communicators_[0].ranks : static_cast<Rank>(processes_.size());
  const bool guessed = !single && all == nullptr;
  return std::move(edges_).build(
      ranks, std::move(groups),
      guessed ? name + " (ranks in the order of host and process)" : name);
}

}  // namespace rankmap
