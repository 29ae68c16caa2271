// What the readers of other tools' recordings share: edges whose ranks and groups are known only at
// the end, and numbers in fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libmap/graph/comm_graph.hpp"
#include "libmap/graph/line_fields.hpp"

namespace rankmap {

inline constexpr Bytes largest_recording = Bytes{1} << 30;  // one file
inline constexpr std::uint64_t largest_count = (std::uint64_t{1} << 63) - 1;

// Adds edges up. Equal ones are merged now and then, so that the memory follows the edges of the
// graph, not the length of a log.
class RecordedEdges {
 public:
  // A row without messages is dropped. UsageError beyond GraphBuilder::most_edges.
  void add(Rank source, Rank destination, Bytes bytes, std::uint64_t messages,
           std::int32_t group = none);
  const std::vector<Edge>& edges() const { return edges_; }
  std::vector<Edge>& edges() { return edges_; }
  Rank ranks() const { return largest_ + 1; }  // by the largest rank named; 0 without edges

  // An edge is of its group's phase, without a group of phase 0. Errors as of GraphBuilder.
  CommGraph build(Rank ranks, std::vector<Group> groups, const std::string& name) &&;

 private:
  void merge();

  std::vector<Edge> edges_;
  std::size_t merge_at_ = 1 << 16;
  Rank largest_ = -1;
};

// nullopt: not a whole number (1e3 counts as one) of 0 to largest_count.
std::optional<std::uint64_t> whole_count(std::string_view text);

// nullopt: beyond largest_count.
std::optional<std::uint64_t> product(std::uint64_t a, std::uint64_t b);

// The number of a field; InputError that says `what` was expected.
Rank rank_field(const LineFields& lines, const Field& field);
std::uint64_t count_field(const LineFields& lines, const Field& field, const char* what);

// The number before `unit` ("16000 bytes").
std::uint64_t count_before(const LineFields& lines, const Field& field, std::string_view unit);

// "ranks 1, 2 and 7 more": the first few that are in 0..ranks-1 but not in `present` (ascending).
std::string missing_ranks(const std::vector<Rank>& present, Rank ranks);

}  // namespace rankmap
