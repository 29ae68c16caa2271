#include "libmap/graph/foreign/recorded_edges.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

auto key_of(const Edge& edge) {
  return std::tie(edge.group, edge.source, edge.destination);
}

bool fits(std::uint64_t a, std::uint64_t b) {
  return a <= largest_count && b <= largest_count - a;
}

}  // namespace

void RecordedEdges::add(Rank source, Rank destination, Bytes bytes, std::uint64_t messages,
                        std::int32_t group) {
  largest_ = std::max({largest_, source, destination});
  if (messages == 0) return;
  edges_.push_back({source, destination, bytes, messages, 1, 0, group});
  if (edges_.size() >= merge_at_) merge();
}

// A sum that leaves 63 bits stays in two rows: GraphBuilder refuses it by name.
void RecordedEdges::merge() {
  std::sort(edges_.begin(), edges_.end(),
            [](const Edge& a, const Edge& b) { return key_of(a) < key_of(b); });
  std::size_t kept = 0;
  for (const Edge& edge : edges_) {
    Edge* const into = kept == 0 ? nullptr : &edges_[kept - 1];
    if (into != nullptr && key_of(*into) == key_of(edge) && fits(into->bytes, edge.bytes) &&
        fits(into->messages, edge.messages)) {
      into->bytes += edge.bytes;
      into->messages += edge.messages;
    } else {
      edges_[kept++] = edge;
    }
  }
  edges_.resize(kept);
  if (kept > GraphBuilder::most_edges)
    throw UsageError("an app has at most " + std::to_string(GraphBuilder::most_edges) + " edges");
  merge_at_ = std::max(merge_at_, 2 * kept);
}

CommGraph RecordedEdges::build(Rank ranks, std::vector<Group> groups, const std::string& name) && {
  merge();
  GraphBuilder builder(ranks);
  builder.reserve(edges_.size());
  std::int32_t phases = 1;
  for (const Group& group : groups)
    for (; phases <= group.phase; ++phases) builder.add_phase();
  for (Edge& edge : edges_)
    if (edge.group != none) edge.phase = groups[static_cast<std::size_t>(edge.group)].phase;
  for (Group& group : groups) builder.add_group(std::move(group));
  for (const Edge& edge : edges_) builder.add(edge);
  std::vector<Edge>().swap(edges_);
  return std::move(builder).build(name);
}

std::optional<std::uint64_t> whole_count(std::string_view text) {
  if (const auto whole = parse_unsigned(text))
    return *whole <= largest_count ? whole : std::nullopt;
  const std::optional<double> value = parse_real(text);
  if (!value || *value < 0 || *value > 9.2e18 || *value != std::floor(*value)) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

std::optional<std::uint64_t> product(std::uint64_t a, std::uint64_t b) {
  if (a != 0 && b > largest_count / a) return std::nullopt;
  return a * b;
}

Rank rank_field(const LineFields& lines, const Field& field) {
  const std::optional<std::uint64_t> rank = parse_unsigned(field.text);
  if (!rank || *rank >= static_cast<std::uint64_t>(GraphBuilder::most_ranks))
    lines.fail(field, "found " + quoted(field.text) + ", expected a rank of 0 to " +
                          std::to_string(GraphBuilder::most_ranks - 1));
  return static_cast<Rank>(*rank);
}

std::uint64_t count_field(const LineFields& lines, const Field& field, const char* what) {
  const std::optional<std::uint64_t> count = whole_count(field.text);
  if (!count) lines.fail(field, "found " + quoted(field.text) + ", expected " + what);
  return *count;
}

std::uint64_t count_before(const LineFields& lines, const Field& field, std::string_view unit) {
  const std::string expected = "a number and " + quoted(unit);
  std::string_view text = field.text;
  if (!text.ends_with(unit))
    lines.fail(field, "found " + quoted(field.text) + ", expected " + expected);
  text.remove_suffix(unit.size());
  return count_field(lines, {trim(text), field.column}, expected.c_str());
}

std::string missing_ranks(const std::vector<Rank>& present, Rank ranks) {
  constexpr std::size_t most = 3;
  std::vector<std::string> some;
  std::size_t next = 0;
  for (Rank rank = 0; rank < ranks && some.size() < most; ++rank) {
    if (next < present.size() && present[next] == rank)
      ++next;
    else
      some.push_back(std::to_string(rank));
  }
  const std::size_t missing = static_cast<std::size_t>(ranks) - present.size();
  const std::string more =
      missing > some.size() ? " and " + std::to_string(missing - some.size()) + " more" : "";
  return (missing == 1 ? "rank " : "ranks ") + join(some, ", ") + more;
}

}  // namespace rankmap
