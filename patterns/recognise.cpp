#include "patterns/recognise.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>

#include "patterns/pattern.hpp"

namespace rankmap {
namespace {

constexpr std::uint64_t most_pairs_looked_at = std::uint64_t{1} << 26;
constexpr int most_stencil_dimensions = 4;
constexpr int most_grid_dimensions = 3;

struct WeighedPair {
  Rank low, high;
  std::uint64_t bytes;
};

// Messages of collectives lie above the pattern of a code that mostly talks point to point.
bool collectives_are_aside(const CommGraph& graph) {
  double alone = 0, all = 0;
  for (const Edge& edge : graph.edges()) {
    all += static_cast<double>(edge.bytes);
    alone += edge.group == none ? static_cast<double>(edge.bytes) : 0;
  }
  return 2 * alone > all;
}

// The bytes of every pair, both ways and in all phases together; in the order of pairs().
std::vector<WeighedPair> weighed_pairs(const CommGraph& graph) {
  const bool aside = collectives_are_aside(graph);
  std::vector<WeighedPair> all;
  all.reserve(graph.edges().size());
  for (const Edge& edge : graph.edges())
    if (!aside || edge.group == none)
      all.push_back({std::min(edge.source, edge.destination),
                     std::max(edge.source, edge.destination),
                     static_cast<std::uint64_t>(edge.bytes)});
  std::sort(all.begin(), all.end(), [](const WeighedPair& a, const WeighedPair& b) {
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  });
  std::vector<WeighedPair> merged;
  for (const WeighedPair& pair : all) {
    if (!merged.empty() && merged.back().low == pair.low && merged.back().high == pair.high) {
      merged.back().bytes += pair.bytes;
    } else {
      merged.push_back(pair);
    }
  }
  return merged;
}

// Calls `with` for every way to write n as a product of `dimensions` factors of at least 2.
void each_grid(Rank n, int dimensions, const std::string& text,
               const std::function<void(const std::string&)>& with) {
  if (dimensions == 1) {
    if (n >= 2) with(text + std::to_string(n));
    return;
  }
  for (Rank factor = 2; factor <= n / 2; ++factor)
    if (n % factor == 0)
      each_grid(n / factor, dimensions - 1, text + std::to_string(factor) + "x", with);
}

std::string letters_of(unsigned dimensions) {
  std::string letters;
  for (unsigned d = 0; d < most_stencil_dimensions; ++d)
    if (dimensions >> d & 1U) letters += "xyzt"[d];
  return letters;
}

// Candidates from the simple to the intricate.
std::vector<std::string> candidates(Rank ranks) {
  const std::string n = std::to_string(ranks);
  std::vector<std::string> texts;
  for (const char* kind : {"ring:", "chain:", "star:", "tree:", "clique:"})
    texts.push_back(kind + n);
  for (int dimensions = 1; dimensions <= most_stencil_dimensions; ++dimensions)
    for (const char* reach : {"", ",all"})
      each_grid(ranks, dimensions, "stencil:", [&](const std::string& grid) {
        const unsigned every = (1U << dimensions) - 1;
        texts.push_back(grid + reach);
        for (unsigned periodic = 1; periodic < every; ++periodic)
          texts.push_back(grid + reach + ",periodic=" + letters_of(periodic));
        texts.push_back(grid + reach + ",periodic");
      });
  if ((ranks & (ranks - 1)) == 0) texts.push_back("hypercube:" + n);
  for (int dimensions = 2; dimensions <= most_grid_dimensions; ++dimensions)
    each_grid(ranks, dimensions, "alltoall:", [&](const std::string& grid) {
      for (unsigned vary = 1; vary + 1 < 1U << dimensions; ++vary)
        texts.push_back(grid + ",vary=" + letters_of(vary));
    });
  return texts;
}

class Recogniser {
 public:
  explicit Recogniser(const CommGraph& graph) : pairs_(weighed_pairs(graph)) {
    for (const WeighedPair& pair : pairs_) total_ += static_cast<double>(pair.bytes);
  }

  void consider(const std::string& text) {
    Pattern pattern;
    try {
      pattern = parse_pattern(text);
    } catch (const InputError&) {
      return;  // dimensions that do not suit the kind
    }
    const PatternTerm& term = pattern.phases.front().front();
    const std::uint64_t edges = term.kind->edges(term);
    // An edge each way, or one: a pattern far larger or smaller than the graph cannot fit well.
    if (edges > 8 * pairs_.size() + 8 || edges + edges < pairs_.size() / 4) return;
    looked_at_ += edges + pairs_.size();
    if (looked_at_ > most_pairs_looked_at) return;
    const CommGraph candidate = generate(pattern);
    if (const Likeness found = compare(text, candidate); found.fit > 0) found_.push_back(found);
  }

  std::vector<Likeness> best(std::size_t count) {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Likeness& a, const Likeness& b) { return a.fit > b.fit + 1e-12; });
    if (found_.size() > count) found_.resize(count);
    return std::move(found_);
  }

  bool empty() const { return pairs_.empty() || total_ <= 0; }

 private:
  Likeness compare(const std::string& text, const CommGraph& candidate) const {
    double bytes = 0;
    std::size_t used = 0;
    auto mine = pairs_.begin();
    for (const Pair& pair : candidate.pairs()) {
      while (mine != pairs_.end() &&
             (mine->low < pair.low || (mine->low == pair.low && mine->high < pair.high)))
        ++mine;
      if (mine == pairs_.end()) break;
      if (mine->low != pair.low || mine->high != pair.high) continue;
      bytes += static_cast<double>(mine->bytes);
      ++used;
    }
    if (used == 0) return {};
    Likeness result{text, bytes / total_,
                    static_cast<double>(used) / static_cast<double>(candidate.pairs().size()), 0};
    if (result.bytes_explained > 0)
      result.fit = 2 / (1 / result.bytes_explained + 1 / result.pairs_used);
    return result;
  }

  std::vector<WeighedPair> pairs_;
  double total_ = 0;
  std::uint64_t looked_at_ = 0;
  std::vector<Likeness> found_;
};

}  // namespace

std::vector<Likeness> recognise(const CommGraph& graph, std::size_t count) {
  if (graph.ranks() < 2 || graph.ranks() > most_ranks_to_recognise) return {};
  Recogniser recogniser(graph);
  if (recogniser.empty()) return {};
  for (const std::string& text : candidates(graph.ranks())) recogniser.consider(text);
  return recogniser.best(count);
}

}  // namespace rankmap
