#include "libmap/graph/comm_graph.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

#include "libmap/base/error.hpp"
#include "libmap/graph/radix_sort.hpp"

namespace rankmap {
namespace {

constexpr std::uint64_t largest_sum = (std::uint64_t{1} << 63) - 1;

// total += more, or InputError that says what left 63 bits.
void add_within_63_bits(std::uint64_t& total, std::uint64_t more, const std::string& name,
                        const char* what) {
  if (more > largest_sum || total > largest_sum - more)
    throw InputError({name, 0, 0}, std::string(what) + " add up to more than 63 bits hold");
  total += more;
}

auto order_of(const Edge& edge) {
  return std::tie(edge.phase, edge.source, edge.destination, edge.group);
}

void merge_equal(std::vector<Edge>& edges, const std::string& name) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (kept != 0 && order_of(edges[kept - 1]) == order_of(edges[i])) {
      Edge& into = edges[kept - 1];
      add_within_63_bits(into.bytes, edges[i].bytes, name, "the bytes of an edge");
      add_within_63_bits(into.messages, edges[i].messages, name, "the messages of an edge");
      into.weight = std::max(into.weight, edges[i].weight);
    } else {
      edges[kept++] = edges[i];
    }
  }
  edges.resize(kept);
}

unsigned bits_of(std::int32_t count) {
  return static_cast<unsigned>(std::bit_width(static_cast<std::uint32_t>(count - 1)));
}

// By phase, source, destination, group.
void sort_edges(std::span<Edge> edges, Rank ranks, std::int32_t phases) {
  const auto before = [](const Edge& a, const Edge& b) { return order_of(a) < order_of(b); };
  if (std::is_sorted(edges.begin(), edges.end(), before)) return;
  const unsigned rank_bits = bits_of(ranks);
  const unsigned bits = bits_of(phases) + 2 * rank_bits;
  const unsigned dropped = bits > 64 ? bits - 64 : 0;  // of the destination
  const auto key_of = [=](const Edge& edge) {
    const auto source = static_cast<std::uint64_t>(edge.phase) << rank_bits |
                        static_cast<std::uint64_t>(edge.source);
    return source << (rank_bits - dropped) |
           static_cast<std::uint64_t>(edge.destination) >> dropped;
  };
  radix_sort(edges, bits - dropped, key_of, before);
}

Pair pair_of(const Edge& edge) {
  return {std::min(edge.source, edge.destination), std::max(edge.source, edge.destination),
          edge.weight};
}

// By low, high; each once, with its largest weight.
void sort_pairs(std::vector<Pair>& pairs, Rank ranks) {
  const unsigned rank_bits = bits_of(ranks);
  const auto before = [](const Pair& a, const Pair& b) {
    return std::tie(a.low, a.high, b.weight) < std::tie(b.low, b.high, a.weight);
  };
  const auto key_of = [=](const Pair& pair) {
    return static_cast<std::uint64_t>(pair.low) << rank_bits |
           static_cast<std::uint64_t>(pair.high);
  };
  if (!std::is_sorted(pairs.begin(), pairs.end(), before))
    radix_sort(std::span(pairs), 2 * rank_bits, key_of, before);
  const auto same = [](const Pair& a, const Pair& b) { return a.low == b.low && a.high == b.high; };
  pairs.erase(std::unique(pairs.begin(), pairs.end(), same), pairs.end());
}

// Of the edges to lower ranks: raises the weight of the pair that is there, or gives a new one.
std::vector<Pair> match_to_lower(std::span<const Edge> edges, std::vector<Pair>& pairs,
                                 Rank ranks) {
  std::vector<std::uint32_t> begin(static_cast<std::size_t>(ranks) + 1, 0);
  for (const Pair& pair : pairs) ++begin[static_cast<std::size_t>(pair.low) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Pair> others;
  for (const Edge& edge : edges) {
    if (edge.source < edge.destination) continue;
    const Pair pair = pair_of(edge);
    const auto low = static_cast<std::size_t>(pair.low);
    Pair* const end = pairs.data() + begin[low + 1];
    Pair* const found =
        std::lower_bound(pairs.data() + begin[low], end, pair,
                         [](const Pair& a, const Pair& b) { return a.high < b.high; });
    if (found != end && found->high == pair.high)
      found->weight = std::max(found->weight, pair.weight);
    else
      others.push_back(pair);
  }
  return others;
}

// Most graphs have traffic both ways, and edges come in order: then the pairs of the edges to higher ranks
// are all there are, and in order too.
std::vector<Pair> pairs_of(std::span<const Edge> edges, Rank ranks) {
  const bool few = edges.size() < static_cast<std::size_t>(ranks) / 8;  // no table of the ranks
  const auto taken = [&](const Edge& edge) { return few || edge.source < edge.destination; };
  std::vector<Pair> pairs;
  pairs.reserve(static_cast<std::size_t>(std::count_if(edges.begin(), edges.end(), taken)));
  for (const Edge& edge : edges)
    if (taken(edge)) pairs.push_back(pair_of(edge));
  sort_pairs(pairs, ranks);
  if (few) return pairs;
  const std::vector<Pair> others = match_to_lower(edges, pairs, ranks);
  if (others.empty()) return pairs;
  pairs.insert(pairs.end(), others.begin(), others.end());
  sort_pairs(pairs, ranks);
  return pairs;
}

// One entry a rank; empty where all are 1, so that equal graphs are equal.
void check_work(std::vector<std::uint64_t>& work, const std::string& name) {
  std::uint64_t sum = 0;
  for (const std::uint64_t of_rank : work)
    add_within_63_bits(sum, of_rank, name, "the work of the ranks");
  if (std::all_of(work.begin(), work.end(), [](std::uint64_t one) { return one == 1; })) work = {};
}

}  // namespace

std::span<const Edge> CommGraph::edges_of_phase(std::int32_t phase) const {
  const auto begin = phase_begin_[static_cast<std::size_t>(phase)];
  const auto end = phase_begin_[static_cast<std::size_t>(phase) + 1];
  return std::span<const Edge>(edges_).subspan(begin, end - begin);
}

GraphBuilder::GraphBuilder(Rank ranks) {
  if (ranks < 1 || ranks > most_ranks)
    throw UsageError("an app has 1 to " + std::to_string(most_ranks) + " ranks, not " +
                     std::to_string(ranks));
  graph_.ranks_ = ranks;
}

void GraphBuilder::add(Edge edge) {
  const Rank ranks = graph_.ranks_;
  if (edge.source < 0 || edge.source >= ranks || edge.destination < 0 || edge.destination >= ranks)
    throw Bug("an edge leaves the graph");
  if (edge.phase < 0 || edge.phase >= phases_) throw Bug("an edge of a phase that is not there");
  if (edge.group != none &&
      (edge.group < 0 || static_cast<std::size_t>(edge.group) >= graph_.groups_.size()))
    throw Bug("an edge of a group that is not there");
  if (edge.source == edge.destination) return;
  if (graph_.edges_.size() >= most_edges)
    throw UsageError("an app has at most " + std::to_string(most_edges) + " edges");
  graph_.edges_.push_back(edge);
}

std::int32_t GraphBuilder::add_group(Group group) {
  if (group.phase < 0 || group.phase >= phases_) throw Bug("a group of a phase that is not there");
  if (group.ranks.empty()) throw Bug("a group without ranks");
  for (const Rank rank : group.ranks)
    if (rank < 0 || rank >= graph_.ranks_) throw Bug("a group leaves the graph");
  graph_.groups_.push_back(std::move(group));
  return static_cast<std::int32_t>(graph_.groups_.size()) - 1;
}

std::int32_t GraphBuilder::add_phase() {
  if (phases_ >= most_phases)
    throw UsageError("an app has at most " + std::to_string(most_phases) + " phases");
  return phases_++;
}

void GraphBuilder::reserve(std::size_t edges) {
  graph_.edges_.reserve(std::min(edges, most_edges));
}

void GraphBuilder::set_work(std::vector<std::uint64_t> work) {
  if (work.size() != static_cast<std::size_t>(graph_.ranks_)) throw Bug("work of other ranks");
  graph_.work_ = std::move(work);
}

void GraphBuilder::keep_ranks(Rank ranks) {
  const auto beyond = [&](Rank rank) { return rank >= ranks; };
  bool left = ranks >= 1 && ranks <= graph_.ranks_ && graph_.work_.empty();
  for (const Edge& edge : graph_.edges_)
    left = left && !beyond(edge.source) && !beyond(edge.destination);
  for (const Group& group : graph_.groups_)
    left = left && std::none_of(group.ranks.begin(), group.ranks.end(), beyond);
  if (!left) throw Bug("ranks to keep that leave out some in use");
  graph_.ranks_ = ranks;
}

CommGraph GraphBuilder::build(std::string name) && {
  std::vector<Edge>& edges = graph_.edges_;
  sort_edges(edges, graph_.ranks_, phases_);
  merge_equal(edges, name);
  graph_.phase_begin_.assign(static_cast<std::size_t>(phases_) + 1, edges.size());
  std::size_t next = 0;
  for (std::int32_t phase = 0; phase < phases_; ++phase) {
    graph_.phase_begin_[static_cast<std::size_t>(phase)] = next;
    while (next < edges.size() && edges[next].phase == phase) ++next;
  }
  graph_.pairs_ = pairs_of(edges, graph_.ranks_);
  check_work(graph_.work_, name);
  std::uint64_t messages = 0;
  for (const Edge& edge : edges) {
    add_within_63_bits(graph_.total_bytes_, edge.bytes, name, "the bytes of the app");
    add_within_63_bits(messages, edge.messages, name, "the messages of the app");
  }
  graph_.name = std::move(name);
  return std::move(graph_);
}

}  // namespace rankmap
