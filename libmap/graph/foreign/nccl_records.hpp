// What the records of the NCCL inspector say together: communicators, their processes, and the
// messages that rings would send, in ranks of one job.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libmap/base/error.hpp"
#include "libmap/graph/foreign/recorded_edges.hpp"

namespace rankmap {

// One line of a log. A key is looked for in the text only to say where an error is.
struct NcclLine {
  std::string_view text;
  const std::string& source;
  std::size_t number;

  TextPosition at(std::string_view key) const {
    const std::size_t found = text.find("\"" + std::string(key) + "\"");
    return {source, number, found == text.npos ? 1 : found + 1};
  }
  [[noreturn]] void fail(std::string_view key, const std::string& message) const {
    throw InputError(at(key), message);
  }
};

struct NcclRecord {
  std::string communicator;                       // header.id
  std::string label;                              // header.comm_name; may be empty
  Rank rank;                                      // in the communicator
  Rank ranks;                                     // of the communicator
  std::pair<std::string, std::uint64_t> process;  // host name and pid
  bool point_to_point;
  std::string operation;  // AllReduce, Send ...
  Bytes bytes;            // as NCCL counts: of the buffer of one rank
  Rank peer;              // of a point-to-point operation
};

// With n ranks and a message of M bytes a rank sends to the next one (rank + 1 mod n), as in NCCL's
// ring algorithm:
//   AllReduce                  2(n-1) messages, 2(n-1)M/n bytes, rounded down
//   AllGather, ReduceScatter   n-1 messages, (n-1)M bytes: M is the part of one rank
//   Broadcast                  1 message of M bytes from all but rank n-1: a chain from rank 0
//   Reduce                     1 message of M bytes from all but rank 0: a chain to rank 0
// (the log does not tell the root). Send is one message to its peer; Recv is the same message seen
// from the other side and not counted. Another operation is refused.
class NcclRecords {
 public:
  void add(const NcclRecord& record, const NcclLine& line);

  // Ranks of the job: those of the communicator that holds all processes (the first in the logs);
  // without such a one, processes are numbered by host name and pid, and the name of the graph says
  // so. With one communicator only its ranks are taken, so that a process may hold several; with
  // more that is refused, as the ranks of a process cannot be told apart. InputError too where
  // a communicator has ranks without a record. A group an operation of a communicator.
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
  };

  std::int32_t communicator_of(const NcclRecord& record, const NcclLine& line);
  std::int32_t process_of(const NcclRecord& record);
  std::int32_t stream_of(std::int32_t communicator, const std::string& operation);
  void check_complete(const std::string& name) const;
  void check_one_rank_a_process(const std::string& name) const;
  const Communicator* world() const;
  std::vector<Rank> rank_of_process(const Communicator* world) const;
  Rank world_rank(const Communicator& communicator, Rank rank,
                  const std::vector<Rank>& of_process) const;

  RecordedEdges edges_;  // ranks of the communicator; the group is a stream
  std::vector<Communicator> communicators_;
  std::map<std::string, std::int32_t> by_id_;
  std::map<std::pair<std::string, std::uint64_t>, std::int32_t> processes_;
  std::vector<Stream> streams_;
  std::map<std::pair<std::int32_t, std::string>, std::int32_t> by_operation_;
};

}  // namespace rankmap
