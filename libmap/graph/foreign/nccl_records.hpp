// What records of NCCL's operations say together, by its inspector or by our recorder:
// communicators, their processes, and the messages that rings would send, in ranks of one job.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libmap/base/error.hpp"
#include "libmap/graph/foreign/recorded_edges.hpp"

namespace rankmap {

// One line of a log. A key is looked for in the text only to say where an error is: the inspector's
// name of the value.
struct NcclLine {
  std::string_view text;
  const std::string& source;
  std::size_t number;
  std::size_t (*column)(std::string_view text, std::string_view key);  // 1 where it is not there

  TextPosition at(std::string_view key) const { return {source, number, column(text, key)}; }
  [[noreturn]] void fail(std::string_view key, const std::string& message) const {
    throw InputError(at(key), message);
  }
};

// Which rank of the job a process is, by its launcher.
struct NcclJobPlace {
  Rank rank;
  Rank ranks;  // of the job; 0: not known

  bool operator==(const NcclJobPlace&) const = default;
};

struct NcclRecord {
  std::string communicator;                       // header.id
  std::string label;                              // header.comm_name; may be empty
  Rank rank;                                      // in the communicator
  Rank ranks;                                     // of the communicator
  std::pair<std::string, std::uint64_t> process;  // host name and pid
  bool point_to_point;
  std::string operation;  // AllReduce, Send ...
  Bytes bytes;            // as NCCL counts: of the buffer of one rank, all calls together
  Rank peer;              // of a point-to-point operation
  std::uint64_t calls = 1;
  std::optional<Rank> root;  // in the communicator; nullopt: there is none, or it is not told
  std::int32_t phase = 0;
  std::optional<NcclJobPlace> job;
};

// nullopt: no collective operation of that name is known.
std::optional<bool> nccl_has_root(std::string_view operation);

// With n ranks and a message of M bytes a rank sends to the next one (rank + 1 mod n), as in NCCL's
// ring algorithm:
//   AllReduce                  2(n-1) messages, 2(n-1)M/n bytes, rounded down
//   AllGather, ReduceScatter   n-1 messages, (n-1)M bytes: M is the part of one rank
//   Broadcast                  1 message of M bytes from all but the last: a chain from the root
//   Reduce                     1 message of M bytes from all but the root: a chain to it
// and directly to the ranks that get it:
//   AlltoAll                   1 message of M bytes to every other rank
//   Gather, Scatter            1 message of M bytes to the root, from the root to every other rank
// A root that is not told is taken for rank 0. Send is one message to its peer; Recv is the same
// message seen from the other side and not counted. Another operation is refused.
class NcclRecords {
 public:
  void add(const NcclRecord& record, const NcclLine& line);
  // What a record says of communicator and process, without an operation.
  void add_member(const NcclRecord& record, const NcclLine& line);

  // Every process said which rank of the job it is, each another one, and has one rank at most of
  // each communicator.
  bool knows_job_ranks() const { return job_size().has_value(); }

  // Ranks of the graph: those of the job where knows_job_ranks(). Else those of the communicator
  // that holds all processes (the first in the logs); without such a one, processes are numbered by
  // host name and pid, and the name of the graph says so. With one communicator only its ranks are
  // taken, so that a process may hold several; with more that is refused, as the ranks of a process
  // cannot be told apart. InputError too where a communicator has ranks without a record. A group
  // is an operation of a communicator, with one root, in one phase: "Broadcast root=2 ID LABEL",
  // root= where it is told.
  CommGraph build(const std::string& name) &&;

 private:
  struct Communicator {
    std::string id;
    std::string label;
    Rank ranks;
    std::map<Rank, std::int32_t> process;  // of a rank
  };
  struct Stream {
    std::int32_t communicator;
    std::string operation;
    Rank root;  // -1: none is told
    std::int32_t phase;
    auto operator<=>(const Stream&) const = default;
  };

  std::int32_t communicator_of(const NcclRecord& record, const NcclLine& line);
  std::int32_t process_of(const NcclRecord& record, const NcclLine& line);
  std::int32_t stream_of(std::int32_t communicator, const NcclRecord& record);
  const Communicator& communicator_of_stream(std::int32_t stream) const;
  void check_complete(const std::string& name) const;
  bool is_one_rank_a_process(const Communicator& communicator) const;
  void check_one_rank_a_process(const std::string& name) const;
  std::optional<Rank> job_size() const;
  const Communicator* world() const;
  std::vector<Rank> rank_of_process(const Communicator* world) const;
  std::vector<Group> groups(const std::vector<Rank>& of_process) const;
  RecordedEdges edges(const std::vector<Rank>& of_process) const;
  Rank world_rank(const Communicator& communicator, Rank rank,
                  const std::vector<Rank>& of_process) const;

  // In ranks of the communicator; the group is a stream. What goes to all others is one edge to the
  // next rank here: the others are known when all communicators are complete.
  RecordedEdges edges_;
  std::vector<Communicator> communicators_;
  std::map<std::string, std::int32_t> by_id_;
  std::map<std::pair<std::string, std::uint64_t>, std::int32_t> processes_;
  std::vector<std::optional<NcclJobPlace>> jobs_;  // of a process
  std::vector<Stream> streams_;
  std::map<Stream, std::int32_t> by_stream_;
};

}  // namespace rankmap
